"""``stagnation``: the arguments move, the answer does not.

A search that is worded anew each time, offsets past the end of a file, one page after the other that is the same
captcha. Reads count, commands that only read, code, and tools that nothing is known of; a constant acknowledgement of
different writes says nothing, and failures are for ``failures``. Empty and near-empty answers are
never "the same answer" to different questions.

Commands that can neither change nor tell anything (``:``, ``true``, ``echo`` of a text) have no answer at all. They
are counted together, whatever stands between them, and an agent that makes many of them has lost its tools.
"""

from __future__ import annotations

from toolbrake.core.ladder import Ladder
from toolbrake.core.value import Value
from toolbrake.core.wording import DENIED
from toolbrake.core.wording import name as shown
from toolbrake.rules._base import ComparingRule, name_key, same_step

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from toolbrake.core.decision import Finding
    from toolbrake.core.observation import Observation

TOOLS = 4
"""Tools of a scope whose latest answer is remembered."""

KEYS = 4
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


class StagnationState(Value):
    """The latest answer by tool, the calls counted so far, and where among the last of them the no-ops lie."""

    __slots__ = ("answers", "noops", "place", "step")

    def __init__(self) -> None:
        self.answers: dict[bytes, Answer] = {}
        self.noops: list[int] = []
        self.place = 0
        self.step: object = None


class Stagnation(ComparingRule):
    """``ladder``: different calls of one tool in a row that brought one answer.

    ``noops``: commands without any effect among the last ``window`` calls.
    """

    __slots__ = ("ladder", "noops", "window")
    name = "stagnation"
    ladder: Ladder
    noops: Ladder
    window: int

    def __init__(self, *, ladder: Ladder | None = None, noops: Ladder | None = None, window: int = 30) -> None:
        # 4: three questions can share an answer. 8: a second word. 24: no working run asked so often in vain.
        # No-ops. 6: some agents say a thing or two with echo. No stop: a recorded run made 73 and still got there.
        self._set(ladder=ladder or Ladder((4, 8), halt=24), noops=noops or Ladder((6, 12, 24)), window=window)

    def start(self) -> StagnationState:
        """A scope without a call."""
        return StagnationState()

    def before(self, state: StagnationState, seen: Observation) -> Finding | None:
        """Stop a tool that has long answered everything alike, and the no-op that is one too many."""
        if seen.noop:
            return self._before_noop(state, seen)
        if not _asks(seen) or seen.waits:
            return None
        answer = state.answers.get(name_key(seen.tool))
        if answer is None or seen.moved(answer.epoch):
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

    def _before_noop(self, state: StagnationState, seen: Observation) -> Finding | None:
        stop = self.noops.stop(len(state.noops) + 1)
        if stop is None:
            return None
        count = len(state.noops) + 1
        text = (
            f"{DENIED}: {count} of the last calls of {shown(seen.tool)} are commands that neither change nor tell "
            "anything. The call was not run. Run a command that does something, or finish and report what is missing."
        )
        return self.finding(seen, stop[0], count=count, limit=stop[1], text=text)

    def after(self, state: StagnationState, seen: Observation) -> Finding | None:
        """Compare an answer with the tool's last; a reminder at the ladder's counts."""
        if seen.denied_by is not None:
            return None
        if not same_step(state.step, seen):
            state.place += 1
            state.step = seen.step
            state.noops = [place for place in state.noops if place > state.place - self.window]
        if seen.noop:
            return self._after_noop(state, seen)
        if not _asks(seen) or seen.outcome.stub or seen.outcome.kind in ("empty", "error"):
            return None
        tool, same = name_key(seen.tool), seen.same
        answer = state.answers.pop(tool, None)
        if answer is None or answer.outcome != same or seen.moved(answer.epoch):
            state.answers[tool] = Answer(same, seen.key, seen.epoch, seen.step)
            if len(state.answers) > TOOLS:
                del state.answers[next(iter(state.answers))]
            return None
        state.answers[tool] = answer
        fresh = not same_step(answer.step, seen)
        answer.epoch, answer.step = seen.epoch, seen.step
        if not fresh or seen.key in answer.keys:
            return None
        answer.keys = [*answer.keys, seen.key][-KEYS:]
        answer.count += 1
        return self._remind(seen, answer.count)

    def _after_noop(self, state: StagnationState, seen: Observation) -> Finding | None:
        if state.noops and state.noops[-1] == state.place:
            return None
        state.noops.append(state.place)
        count = len(state.noops)
        if not self.noops.reminds(count):
            return None
        text = (
            f"toolbrake: {count} of the last calls of {shown(seen.tool)} were commands that neither change nor tell "
            "anything. Use a command that does the next step; to say something, answer in words."
        )
        return self.finding(seen, "remind", count=count, limit=count, text=text)

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
        return {"ladder": self.ladder.settings(), "noops": self.noops.settings(), "window": self.window}

    def dump(self, state: StagnationState, *, quotes: bool) -> list[object]:  # noqa: ARG002 - nothing is quoted
        """The state as small values, oldest answer first."""
        answers = [[tool, one.outcome, one.keys, one.count, one.epoch, one.step] for tool, one in state.answers.items()]
        return [answers, [state.place - place for place in state.noops], state.place, state.step]

    def load(self, data: list[Any]) -> StagnationState:
        """The state that ``dump`` wrote."""
        rows, ages, place, step = data
        state = self.start()
        state.noops, state.place, state.step = [place - age for age in ages], place, step
        for tool, outcome, keys, count, epoch, last in rows:
            answer = state.answers[tool] = Answer(outcome, b"", epoch, last)
            answer.keys, answer.count = keys, count
        return state


def _asks(seen: Observation) -> bool:
    """Whether a call asks rather than acts: reads do, and so may code and tools that nothing is known of."""
    return seen.does in ("read", "unknown") or (seen.profile.does == "run" and not seen.profile.command)
