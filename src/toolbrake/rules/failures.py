"""``failures``: a tool keeps failing the same way, whatever the arguments.

404s for one id after the other, a command that is not installed, an edit that is refused, a call without a required
argument: the arguments move, the error does not. Errors are compared by their signature, levelled and with the call's
own argument words masked. Failures in one batch are one. A series goes on while the next failure comes within
``window`` observations and nothing relevant has changed; other calls, successful ones too, may lie between. Only a
streak, without a success of the tool in between, is ever stopped.
"""

from __future__ import annotations

from toolbrake.core.ladder import Ladder
from toolbrake.core.observation import SHORT
from toolbrake.core.value import Value
from toolbrake.core.wording import DENIED
from toolbrake.core.wording import name as shown
from toolbrake.rules._base import ComparingRule, same_step, tool_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from toolbrake.core.decision import Finding
    from toolbrake.core.observation import Observation

FAMILIES = 12
"""Errors of a scope that are told apart; the one that came longest ago is forgotten for a new one."""


class Family(Value):
    """One error of one tool: how often, where last, and how often since the tool last succeeded."""

    __slots__ = ("count", "epoch", "place", "step", "streak")

    def __init__(self, count: int, streak: int, epoch: int, place: int, step: object) -> None:
        self.count = count
        self.streak = streak
        self.epoch = epoch
        self.place = place
        self.step = step


class FailuresState(Value):
    """The families by tool and signature, least recent first; ``last`` is each failing tool's latest family."""

    __slots__ = ("families", "last", "place", "step")

    def __init__(self) -> None:
        self.place = 0
        self.step: object = None
        self.families: dict[bytes, Family] = {}
        self.last: dict[bytes, bytes] = {}


class Failures(ComparingRule):
    """``window``: observations within which the next failure must come. ``ladder``: failures of one family."""

    __slots__ = ("ladder", "window")
    name = "failures"
    ladder: Ladder
    window: int

    # 8: looks at the target between two tries fit in, another task does not.
    def __init__(self, *, window: int = 8, ladder: Ladder | None = None) -> None:
        # 3: two tries are a correction. 6: a second word. 12: nothing was learned from eleven equal errors.
        self._set(window=window, ladder=ladder or Ladder((3, 6), halt=12))

    def start(self) -> FailuresState:
        """A scope without a call."""
        return FailuresState()

    def before(self, state: FailuresState, seen: Observation) -> Finding | None:
        """Stop a tool that has done nothing but fail the same way."""
        family = state.families.get(state.last.get(tool_key(seen), b""))
        if family is None or state.place - family.place > self.window or seen.waits:
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
            return None
        if not same_step(state.step, seen):
            state.place += 1
            state.step = seen.step
        outcome = seen.outcome
        tool = tool_key(seen)
        if outcome.kind != "error" or outcome.signature is None:
            self._end_streak(state, tool, outcome.kind == "error")
            return None
        name = tool + outcome.signature[:SHORT]
        family = state.families.pop(name, None)
        if family is None or state.place - family.place > self.window or seen.moved(family.epoch):
            family = Family(0, 0, seen.epoch, -1, _NO_STEP)
        state.families[name] = family
        fresh = not same_step(family.step, seen)
        family.epoch, family.place, family.step = seen.epoch, state.place, seen.step
        self._make_last(state, tool, name)
        if not fresh:
            return None
        family.count += 1
        family.streak += 1
        return self._remind(seen, family.count)

    def _remind(self, seen: Observation, count: int) -> Finding | None:
        if not self.ladder.reminds(count) or seen.waits:
            return None
        text = (
            f"toolbrake: {shown(seen.tool)} has failed {count} times with the same error; other arguments have not "
            "helped. Read the error, check that what it names exists, and mend the cause, or use another tool."
        )
        return self.finding(seen, "remind", count=count, limit=count, text=text)

    def _end_streak(self, state: FailuresState, tool: bytes, failed: bool) -> None:  # noqa: FBT001 - private
        name = state.last.get(tool)
        if name in state.families and not failed:
            state.families[name].streak = 0

    def _make_last(self, state: FailuresState, tool: bytes, name: bytes) -> None:
        before = state.last.pop(tool, None)
        if before is not None and before != name and before in state.families:
            state.families[before].streak = 0
        state.last[tool] = name
        if len(state.last) > FAMILIES:
            del state.last[next(iter(state.last))]
        if len(state.families) > FAMILIES:
            del state.families[next(iter(state.families))]

    def settings(self) -> dict[str, object]:
        """The settings by their key in a configuration."""
        return {"window": self.window, "ladder": self.ladder.settings()}

    def dump(self, state: FailuresState, *, quotes: bool) -> list[object]:  # noqa: ARG002 - nothing is quoted
        """The state as JSON values."""
        families = [[name.hex(), *one.values()] for name, one in state.families.items()]
        return [state.place, state.step, families, [name.hex() for name in state.last.values()]]

    def load(self, data: list[Any]) -> FailuresState:
        """The state that ``dump`` wrote."""
        state = self.start()
        state.place, state.step = int(data[0]), data[1]
        for name, count, epoch, place, step, streak in data[2]:
            state.families[bytes.fromhex(name)] = Family(int(count), int(streak), int(epoch), int(place), step)
        for text in data[3]:
            name = bytes.fromhex(text)
            state.last[name[:-SHORT]] = name
        return state


_NO_STEP = object()
