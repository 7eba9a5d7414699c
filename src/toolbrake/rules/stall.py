"""``stall``: the same call brings the same outcome again and again, and nothing relevant has changed in between.

The best single sign of a loop: calls alone are right about it half of the time, calls with their outcomes nine times
in ten. Other calls may lie between (a window, not a streak), because a thought, a to-do update or a read splits most
loops. What does not count: the same call in one batch more than once; a call after a change that could matter to it;
a result that moved; polls, which ``waiting`` judges by time. After a compaction one re-read is free: the model may
have lost what it read. A denial of ours counts as an attempt, so that hammering on goes up the ladder.
"""

from __future__ import annotations

from toolbrake.core.ladder import Ladder
from toolbrake.core.value import Value
from toolbrake.core.wording import DENIED
from toolbrake.core.wording import name as shown
from toolbrake.rules._base import OURSELVES, ComparingRule, nth, same_step

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from toolbrake.core.decision import Finding
    from toolbrake.core.observation import Observation


SIBLINGS = 8
"""Equal calls in one response that are waste and no mistake: nobody asks the same thing eight times at once."""


class Series(Value):
    """Equal outcomes of one call.

    ``lapsed`` is 1 where an earlier series of it was reminded of and left, ``forgiven`` 1 once a compaction has
    excused one of them.
    """

    __slots__ = ("count", "epoch", "forgiven", "lapsed", "outcome", "place", "step")

    def __init__(self, outcome: bytes, epoch: int, place: int, step: object, lapsed: int = 0) -> None:
        self.outcome = outcome
        self.epoch = epoch
        self.place = place
        self.step = step
        self.lapsed = lapsed
        self.count = 1
        self.forgiven = 0


class StallState(Value):
    """The series within the window by comparison key, least recent first, and how many calls there were."""

    __slots__ = ("batch", "place", "series", "siblings")

    def __init__(self) -> None:
        self.place = 0
        self.batch: tuple[object, bytes] = (None, b"")
        self.siblings = 0
        self.series: dict[bytes, Series] = {}


class Stall(ComparingRule):
    """``window``: calls within which the equal ones must lie. ``ladder``: counts of equal outcomes."""

    __slots__ = ("ladder", "window")
    name = "stall"
    ladder: Ladder
    window: int

    # 30: recorded loops repeat within a dozen calls; beyond thirty an equal call is a fresh look.
    def __init__(self, *, window: int = 30, ladder: Ladder | None = None) -> None:
        # 3: a single repeat is normal. 5: four equal answers, and reminded. 9: four denials ignored.
        self._set(window=window, ladder=ladder or Ladder(3, deny=5, halt=9))

    def start(self) -> StallState:
        """A scope without a call."""
        return StallState()

    def before(self, state: StallState, seen: Observation) -> Finding | None:
        """Stop the attempt that would be one too many; tell a batch that is full of one and the same call."""
        siblings = self._sibling(state, seen)
        series = state.series.get(seen.key)
        if siblings:
            return self._crowd(seen, siblings)
        if series is None or not self._goes_on(state, series, seen):
            return None
        attempt = series.count + (not same_step(series.step, seen)) + series.lapsed
        stop = self.ladder.stop(attempt)
        if stop is None or seen.waits:
            return None
        action, limit = stop
        text = (
            f"{DENIED}: {shown(seen.tool)} would be called with the same arguments for the {nth(attempt)} time, its "
            "outcome has not changed, and nothing that could change it has happened since. The call was not run. "
            "Use the results you have, try something different, or finish and report what is known and what is not."
        )
        return self.finding(seen, action, count=attempt, limit=limit, text=text)

    def _sibling(self, state: StallState, seen: Observation) -> int:
        """How many equal calls the step holds with this one; 0 for the first."""
        if seen.step is None or (seen.step, seen.key) != state.batch:
            state.batch = (seen.step, seen.key)
            state.siblings = 1
            return 0
        state.siblings += 1
        return state.siblings

    def _crowd(self, seen: Observation, siblings: int) -> Finding | None:
        if siblings != SIBLINGS:
            return None
        text = (
            f"toolbrake: {shown(seen.tool)} is called {siblings} times and more with the same arguments in one "
            "response. One call tells as much: make it once, and use its result."
        )
        return self.finding(seen, "remind", count=siblings, limit=SIBLINGS, text=text)

    def after(self, state: StallState, seen: Observation) -> Finding | None:
        """Take in an outcome; a reminder at the ladder's counts."""
        key = seen.key
        series = state.series.get(key)
        if seen.denied_by is not None:
            if series is not None and seen.denied_by == OURSELVES:
                series.count += 1
            return None
        outcome = seen.outcome
        if outcome.stub:
            return None
        state.place += 1
        same = seen.same
        if series is None or series.outcome != same or not self._goes_on(state, series, seen):
            self._begin(state, key, Series(same, seen.epoch, state.place, seen.step, self._lapsed(series)))
            return None
        fresh = not same_step(series.step, seen)
        series.epoch, series.place, series.step = seen.epoch, state.place, seen.step
        state.series[key] = state.series.pop(key)
        if not fresh or seen.waits:
            return None
        series.count += 1
        return self._remind(seen, series.count + series.lapsed)

    def compacted(self, state: StallState) -> None:
        """One more look is free, once: the model may have lost what it had read."""
        for series in state.series.values():
            if series.count > 1 and not series.forgiven:
                series.count -= 1
                series.forgiven = 1

    def _remind(self, seen: Observation, count: int) -> Finding | None:
        if not self.ladder.reminds(count):
            return None
        text = (
            f"toolbrake: {shown(seen.tool)} has now brought the same outcome {count} times for the same arguments, and "
            "nothing that could change it was done in between. Do not call it so again: use what it said, change the "
            "arguments or the approach, or finish with what is known."
        )
        return self.finding(seen, "remind", count=count, limit=count, text=text)

    def _goes_on(self, state: StallState, series: Series, seen: Observation) -> bool:
        """Whether the series is still in the window and nothing relevant has changed."""
        return state.place - series.place < self.window and not seen.moved(series.epoch)

    def _lapsed(self, series: Series | None) -> int:
        """1 for a call whose series was reminded of before: the second time goes faster."""
        if series is None or not self.ladder.remind:
            return 0
        return int(series.lapsed or series.count >= self.ladder.remind[0])

    def _begin(self, state: StallState, key: bytes, series: Series) -> None:
        state.series.pop(key, None)
        state.series[key] = series
        oldest = next(iter(state.series))
        if len(state.series) > self.window or state.place - state.series[oldest].place >= self.window:
            del state.series[oldest]

    def settings(self) -> dict[str, object]:
        """The settings by their key in a configuration."""
        return {"window": self.window, "ladder": self.ladder.settings()}

    def dump(self, state: StallState, *, quotes: bool) -> list[object]:  # noqa: ARG002 - nothing is quoted
        """The state as small values, oldest series first."""
        series = [
            [key, one.outcome, one.count, one.epoch, state.place - one.place, one.step, one.lapsed, one.forgiven]
            for key, one in state.series.items()
        ]
        return [series, state.place, *state.batch, state.siblings]

    def load(self, data: list[Any]) -> StallState:
        """The state that ``dump`` wrote."""
        rows, place, step, key, siblings = data
        state = self.start()
        state.place, state.batch, state.siblings = place, (step, key), siblings
        for name, outcome, count, epoch, age, last, lapsed, forgiven in rows:
            series = state.series[name] = Series(outcome, epoch, place - age, last, lapsed)
            series.count, series.forgiven = count, forgiven
        return state
