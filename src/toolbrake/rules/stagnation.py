"""``stagnation``: the arguments move, the answer does not.

A search that is worded anew each time, offsets past the end of a file, one page after the other that is the same
captcha. Only reads count, and commands that only read: a constant acknowledgement of different writes says nothing,
and failures are for ``failures``. Empty and near-empty answers are never "the same answer" to different questions.
An answer is compared with the call's own argument words masked, so that one which only repeats the question is seen.
"""

from __future__ import annotations

from toolbrake.core.ladder import Ladder
from toolbrake.core.value import Value
from toolbrake.core.wording import DENIED
from toolbrake.core.wording import name as shown
from toolbrake.rules._base import ComparingRule, outcome_key, same_step, tool_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from toolbrake.core.decision import Finding
    from toolbrake.core.observation import Observation

TOOLS = 8
"""Tools of a scope whose latest answer is remembered."""

KEYS = 8
"""Different questions that are told apart; more than these are all new."""


class Answer(Value):
    """A tool's latest answer, and the different calls it has answered so."""

    __slots__ = ("count", "epoch", "keys", "outcome", "step")

    def __init__(self, outcome: bytes, key: bytes, epoch: int, step: object) -> None:
        self.outcome = outcome
        self.keys = [key]
        self.count = 1
        self.epoch = epoch
        self.step = step


class Stagnation(ComparingRule):
    """``ladder``: different calls of one tool in a row that brought one answer."""

    __slots__ = ("ladder",)
    name = "stagnation"
    ladder: Ladder

    def __init__(self, *, ladder: Ladder | None = None) -> None:
        # 4: three questions can share an answer. 8: a second word. 24: no working run asked so often in vain.
        self._set(ladder=ladder or Ladder((4, 8), halt=24))

    def start(self) -> dict[bytes, Answer]:
        """A scope without a call."""
        return {}

    def before(self, state: dict[bytes, Answer], seen: Observation) -> Finding | None:
        """Stop a tool that has long answered everything alike."""
        answer = state.get(tool_key(seen))
        if answer is None or not _asks(seen) or seen.waits or seen.moved(answer.epoch):
            return None
        attempt = answer.count + (not same_step(answer.step, seen))
        stop = self.ladder.stop(attempt)
        if stop is None:
            return None
        text = (
            f"{DENIED}: {shown(seen.tool)} has given the same answer to {attempt - 1} calls with changing arguments. "
            "The call was not run. Finish with what is known and say what could not be found."
        )
        return self.finding(seen, stop[0], count=attempt, limit=stop[1], text=text)

    def after(self, state: dict[bytes, Answer], seen: Observation) -> Finding | None:
        """Compare an answer with the tool's last; a reminder at the ladder's counts."""
        if seen.denied_by is not None or not _asks(seen):
            return None
        outcome = seen.outcome
        if outcome.stub or (outcome.kind in ("empty", "error") and not seen.noop):
            return None
        tool, same = tool_key(seen), outcome_key(seen)
        answer = state.pop(tool, None)
        if answer is None or answer.outcome != same or seen.moved(answer.epoch):
            state[tool] = Answer(same, seen.key, seen.epoch, seen.step)
            if len(state) > TOOLS:
                del state[next(iter(state))]
            return None
        state[tool] = answer
        fresh = not same_step(answer.step, seen)
        answer.epoch, answer.step = seen.epoch, seen.step
        if not fresh or seen.key in answer.keys:
            return None
        answer.keys = [*answer.keys, seen.key][-KEYS:]
        answer.count += 1
        return self._remind(seen, answer.count)

    def _remind(self, seen: Observation, count: int) -> Finding | None:
        if not self.ladder.reminds(count) or seen.waits:
            return None
        text = (
            f"toolbrake: {count} different calls of {shown(seen.tool)} have brought the same answer. Changing the "
            "arguments does not change it: use it, look somewhere else, or finish with what is known."
        )
        return self.finding(seen, "remind", count=count, limit=count, text=text)

    def settings(self) -> dict[str, object]:
        """The settings by their key in a configuration."""
        return {"ladder": self.ladder.settings()}

    def dump(self, state: dict[bytes, Answer], *, quotes: bool) -> list[object]:  # noqa: ARG002 - nothing is quoted
        """The state as JSON values."""
        return [
            [tool.hex(), one.outcome.hex(), [key.hex() for key in one.keys], one.count, one.epoch, one.step]
            for tool, one in state.items()
        ]

    def load(self, data: list[Any]) -> dict[bytes, Answer]:
        """The state that ``dump`` wrote."""
        state = self.start()
        for tool, outcome, keys, count, epoch, step in data:
            answer = Answer(bytes.fromhex(outcome), b"", int(epoch), step)
            answer.keys = [bytes.fromhex(key) for key in keys]
            answer.count = int(count)
            state[bytes.fromhex(tool)] = answer
        return state


def _asks(seen: Observation) -> bool:
    return seen.does == "read" or seen.noop
