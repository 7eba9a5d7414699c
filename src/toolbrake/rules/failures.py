"""``failures``: a tool keeps failing the same way, whatever the arguments.

404s for one id after the other, a command that is not installed, an edit that is refused, a call without a required
argument: the arguments move, the error does not. Errors are compared by their signature, levelled and with the call's
own argument words masked. A shell is only the way to the program it runs, so there it is the program that fails.
Failures in one batch are one; thoughts and to-do updates are no observation. What counts are equal failures within
the last ``window`` observations; a relevant change starts that count over, since edit and test is how work is done.
Only a tool that does nothing but fail is ever stopped.
"""

from __future__ import annotations

from toolbrake.core.ladder import Ladder
from toolbrake.core.observation import SHORT
from toolbrake.core.value import Value
from toolbrake.core.wording import DENIED
from toolbrake.core.wording import name as shown
from toolbrake.rules._base import OURSELVES, ComparingRule, name_key, same_step

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from toolbrake.core.decision import Finding
    from toolbrake.core.observation import Observation

FAMILIES = 8
"""Errors of a scope that are told apart; the one that came longest ago is forgotten for a new one."""


class Family(Value):
    """One error of one tool.

    ``places``: where it came lately, with nothing relevant changed in between. ``streak``: how often since the tool
    last succeeded. ``told``: the last rung that was told.
    """

    __slots__ = ("epoch", "places", "step", "streak", "told")

    def __init__(self, epoch: int) -> None:
        self.places: list[int] = []
        self.streak = 0
        self.told = 0
        self.epoch = epoch
        self.step: object = None


class FailuresState(Value):
    """The families by tool and signature, least recent first; ``last`` is each failing tool's latest family."""

    __slots__ = ("families", "last", "place", "step")

    def __init__(self) -> None:
        self.place = 0
        self.step: object = None
        self.families: dict[bytes, Family] = {}
        self.last: dict[bytes, bytes] = {}


class Failures(ComparingRule):
    """``window``: observations that count. ``ladder``: equal failures within it; its stops: without a success."""

    __slots__ = ("ladder", "window")
    name = "failures"
    ladder: Ladder
    window: int

    # 8: a look at the target between two tries fits in, another task does not.
    def __init__(self, *, window: int = 8, ladder: Ladder | None = None) -> None:
        # 3: two tries are a correction. 6: a second word. 12: nothing was learned from eleven equal errors.
        self._set(window=window, ladder=ladder or Ladder((3, 6), halt=12))

    def start(self) -> FailuresState:
        """A scope without a call."""
        return FailuresState()

    def before(self, state: FailuresState, seen: Observation) -> Finding | None:
        """Stop a tool that has done nothing but fail the same way."""
        family = state.families.get(state.last.get(name_key(seen.doer), b""))
        if family is None or seen.waits:
            return None
        attempt = family.streak + (not same_step(family.step, seen))
        stop = self.ladder.stop(attempt)
        if stop is None or seen.moved(family.epoch):
            return None
        text = (
            f"{DENIED}: {shown(seen.tool)} has failed {attempt - 1} times in a row with the same error, whatever the "
            "arguments. The call was not run. The cause lies elsewhere: finish and report the error and what was tried."
        )
        return self.finding(seen, stop[0], count=attempt, limit=stop[1], text=text)

    def after(self, state: FailuresState, seen: Observation) -> Finding | None:
        """Count a failure; a reminder at the ladder's counts."""
        if seen.denied_by is not None:
            self._denied(state, seen)
            return None
        if seen.profile.does == "think":
            return None
        if not same_step(state.step, seen):
            state.place += 1
            state.step = seen.step
        outcome, tool = seen.outcome, name_key(seen.doer)
        if outcome.stub:
            return None
        if outcome.kind != "error" or outcome.signature is None:
            if outcome.kind != "error":
                self._succeeded(state, tool)
            return None
        name = tool + outcome.signature[:SHORT]
        family = state.families.pop(name, None)
        if family is None or seen.moved(family.epoch):
            family = Family(seen.epoch)
        state.families[name] = family
        family.epoch = seen.epoch
        self._make_last(state, tool, name)
        if family.places and same_step(family.step, seen):
            return None
        family.step = seen.step
        family.streak += 1
        family.places = [place for place in family.places if place > state.place - self.window] + [state.place]
        return self._remind(seen, family)

    def _remind(self, seen: Observation, family: Family) -> Finding | None:
        count = len(family.places)
        due = [rung for rung in self.ladder.remind if family.told < rung <= count]
        if not due or seen.waits:
            family.told = min(family.told, count)
            return None
        family.told = due[-1]
        text = (
            f"toolbrake: {shown(seen.tool)} has failed {family.streak} times with the same error; other arguments have "
            "not helped. Read the error, check that what it names exists, and mend the cause, or use another tool."
        )
        return self.finding(seen, "remind", count=count, limit=due[-1], text=text)

    def _denied(self, state: FailuresState, seen: Observation) -> None:
        """A denial is one more attempt that failed; it does not say why, so it goes on with the last error."""
        family = state.families.get(state.last.get(name_key(seen.doer), b""))
        if family is not None and seen.denied_by != OURSELVES and not same_step(family.step, seen):
            family.streak += 1
            family.step = seen.step

    def _succeeded(self, state: FailuresState, tool: bytes) -> None:
        family = state.families.get(state.last.get(tool, b""))
        if family is not None:
            family.streak = 0

    def _make_last(self, state: FailuresState, tool: bytes, name: bytes) -> None:
        """Note a tool's latest error; another error than before is no streak."""
        before = state.last.pop(tool, None)
        if before is not None and before != name and before in state.families:
            state.families[before].streak = 0
        state.last[tool] = name
        for table in (state.last, state.families):
            if len(table) > FAMILIES:
                del table[next(iter(table))]

    def settings(self) -> dict[str, object]:
        """The settings by their key in a configuration."""
        return {"window": self.window, "ladder": self.ladder.settings()}

    def dump(self, state: FailuresState, *, quotes: bool) -> list[object]:  # noqa: ARG002 - nothing is quoted
        """The state as small values, oldest family first."""
        families = [
            [name, one.epoch, [state.place - place for place in one.places], one.streak, one.told, one.step]
            + [int(name in state.last.values())]
            for name, one in state.families.items()
        ]
        return [families, state.place, state.step]

    def load(self, data: list[Any]) -> FailuresState:
        """The state that ``dump`` wrote."""
        rows, place, step = data
        state = self.start()
        state.place, state.step = place, step
        for name, epoch, ages, streak, told, last, is_last in rows:
            family = state.families[name] = Family(epoch)
            family.places = [place - age for age in ages]
            family.streak, family.told, family.step = streak, told, last
            if is_last:
                state.last[name[:-SHORT]] = name
        return state
