"""``waiting``: polls and sleeps, judged by time and by unchanged answers.

Waiting is allowed, for a while: a status call, an empty write to a live process, a sleep, a retry after a pause. As
long as the answer moves, nothing is said. Where it does not, ``after`` says for how many seconds it may stand still
before the model is reminded, and the ladder counts polls, so that 1,535 polls five seconds apart come to an end.
A call counts as a poll when its tool waits, when its command does, or when more time passed before it than thinking
takes. Without times only the ladder speaks.
"""

from __future__ import annotations

from toolbrake.core.ladder import Ladder
from toolbrake.core.value import Value
from toolbrake.core.wording import DENIED
from toolbrake.core.wording import name as shown
from toolbrake.rules._base import OURSELVES, ComparingRule, same_step

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from toolbrake.core.decision import Finding
    from toolbrake.core.observation import Observation

POLLS = 4
"""Polls of a scope that are told apart; the one made longest ago is forgotten for a new one."""


class Poll(Value):
    """A poll whose answer stands still: since when, how often, and how often the model was told."""

    __slots__ = ("count", "outcome", "since", "step", "told")

    def __init__(self, outcome: bytes, since: float | None, step: object) -> None:
        self.outcome = outcome
        self.since = since
        self.step = step
        self.count = 1
        self.told = 0


class Waiting(ComparingRule):
    """``after``: seconds of an unchanged answer that draw a reminder; then twice, four times as many.

    ``ladder``: unchanged answers in a row, the call at hand included.
    """

    __slots__ = ("after_seconds", "ladder")
    name = "waiting"
    after_seconds: float
    ladder: Ladder

    # 900: a quarter of an hour is what people ask agents to wait for builds and trainings.
    def __init__(self, *, after: float = 900, ladder: Ladder | None = None) -> None:
        # 6: five looks without news are patience. 40 and 60: nobody polls so often, and four reminders were ignored.
        self._set(after_seconds=after, ladder=ladder or Ladder((6, 12, 24), deny=40, halt=60))

    def start(self) -> dict[bytes, Poll]:
        """A scope without a call."""
        return {}

    def before(self, state: dict[bytes, Poll], seen: Observation) -> Finding | None:
        """Stop a poll that has been made in vain too often."""
        if not seen.waits:
            return None
        poll = state.get(seen.key)
        if poll is None:
            return None
        attempt = poll.count + (not same_step(poll.step, seen))
        stop = self.ladder.stop(attempt)
        if stop is None:
            return None
        text = (
            f"{DENIED}: {shown(seen.tool)} has brought no news {attempt - 1} times. The call was not run. Wait with "
            "one longer, blocking wait if there is one, or finish and report that it is still running."
        )
        return self.finding(seen, stop[0], count=attempt, limit=stop[1], text=text)

    def after(self, state: dict[bytes, Poll], seen: Observation) -> Finding | None:
        """Take in an answer; a reminder by time or at the ladder's counts."""
        if not seen.waits:
            return None
        key = seen.key
        poll = state.get(key)
        if seen.denied_by is not None:
            if poll is not None and seen.denied_by == OURSELVES:
                poll.count += 1
            return None
        same = seen.same
        if poll is None or poll.outcome != same:
            state.pop(key, None)
            state[key] = Poll(same, seen.at, seen.step)
            if len(state) > POLLS:
                del state[next(iter(state))]
            return None
        if same_step(poll.step, seen):
            return None
        poll.count += 1
        poll.step = seen.step
        return self._remind(seen, poll)

    def _remind(self, seen: Observation, poll: Poll) -> Finding | None:
        waited = None if poll.since is None or seen.at is None else seen.at - poll.since
        overdue = waited is not None and waited >= self.after_seconds * (1 << poll.told)
        if not overdue and not self.ladder.reminds(poll.count):
            return None
        poll.told += 1
        for_how_long = "" if waited is None or waited < 1 else f" over {waited:.0f} seconds"
        text = (
            f"toolbrake: {shown(seen.tool)} has brought the same answer {poll.count} times{for_how_long}. If there is "
            "a blocking wait, use one; else wait longer between two looks, or go on with something else meanwhile."
        )
        return self.finding(seen, "remind", count=poll.count, limit=poll.count, text=text)

    def settings(self) -> dict[str, object]:
        """The settings by their key in a configuration."""
        return {"after": self.after_seconds, "ladder": self.ladder.settings()}

    def dump(self, state: dict[bytes, Poll], *, quotes: bool) -> list[object]:  # noqa: ARG002 - nothing is quoted
        """The state as small values, the poll begun longest ago first."""
        return [[[key, one.outcome, one.since, one.step, one.count, one.told] for key, one in state.items()]]

    def load(self, data: list[Any]) -> dict[bytes, Poll]:
        """The state that ``dump`` wrote."""
        (rows,) = data
        state = self.start()
        for key, outcome, since, step, count, told in rows:
            poll = state[key] = Poll(outcome, since, step)
            poll.count, poll.told = count, told
        return state
