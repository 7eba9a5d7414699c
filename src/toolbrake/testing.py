"""For tests of anything that is guarded: a clock that stands still, a recorder, and scripted runs.

Example:
    >>> from toolbrake.testing import ScriptedRun
    >>> run = ScriptedRun("brake")
    >>> for _ in range(3):
    ...     _ = run.call("search", {"q": "weather"}, "rain")
    >>> run.actions
    ['allow', 'allow', 'deny']
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

from toolbrake.core.decision import RANK
from toolbrake.core.events import MAIN, Call, Result
from toolbrake.guard import Guard
from toolbrake.observers import Observer
from toolbrake.scan.model import Trajectory

if TYPE_CHECKING:
    from toolbrake.core.decision import Action, Decision, Note
    from toolbrake.core.events import Event

__all__ = ["FakeClock", "Recorder", "ScriptedRun", "Step"]


class FakeClock:
    """Wall-clock seconds that pass only when told to."""

    def __init__(self, now: float = 1_000_000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now

    def advance(self, seconds: float) -> None:
        """Let time pass; a negative number sets the clock back."""
        self.now += seconds


class Recorder(Observer):
    """Keeps every event with its decision, and what went wrong. It holds arguments and results: do not log it."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.decisions: list[Decision] = []
        self.faults: list[Exception] = []
        self.scopes_evicted = 0

    def decided(self, event: Event, decision: Decision) -> None:
        kept = copy.copy(event)
        if isinstance(kept, Result):
            kept.call = None
        self.events.append(kept)
        self.decisions.append(decision)

    def faulted(self, event: Event, fault: Exception) -> None:  # noqa: ARG002 - the fault says enough
        self.faults.append(fault)

    def evicted(self, scopes: int) -> None:
        self.scopes_evicted += scopes

    def trajectory(self, id: str = "recorded") -> Trajectory:
        """All that was recorded as one trajectory; ``toolbrake.scan`` replays and writes it."""
        return Trajectory(id=id, events=list(self.events))


class Step:
    """What a scripted run was told about one call: before its body, and with its result if it ran."""

    def __init__(self, before: Decision, after: Decision | None) -> None:
        self.before = before
        self.after = after

    @property
    def ran(self) -> bool:
        """Whether the body was let through."""
        return self.before.runs

    @property
    def action(self) -> Action:
        """The stronger action of both sides."""
        actions = [decision.action for decision in (self.before, self.after) if decision is not None]
        return max(actions, key=RANK.__getitem__)

    @property
    def notes(self) -> tuple[Note, ...]:
        """The reminders of both sides."""
        return self.before.notes + (() if self.after is None else self.after.notes)


class ScriptedRun:
    """An agent whose calls and results are written down. Calls get ids c1, c2, ... and a step each."""

    def __init__(self, policy: object = "standard", *, clock: FakeClock | None = None) -> None:
        self.clock = clock or FakeClock()
        self.recorder = Recorder()
        self.guard = Guard(policy, observers=[self.recorder], clock=self.clock)
        self.steps: list[Step] = []
        self._serial = 0

    @property
    def actions(self) -> list[Action]:
        """The action on every call so far."""
        return [step.action for step in self.steps]

    def call(  # noqa: PLR0913 - what a script may say of a call
        self,
        tool: str,
        args: object,
        content: object = "",
        *,
        error: bool | None = False,
        denied_by: str | None = None,
        session: object = MAIN,
        agent: object = MAIN,
    ) -> Step:
        """One call in a step of its own, its result, and what the guard said to both."""
        self._serial += 1
        name = f"c{self._serial}"
        call = Call(tool, args, id=name, step=name, session=session, agent=agent)
        before = self.guard.check(call)
        after = None
        if before.runs and denied_by is not None:
            after = self.guard.denied(call, str(content), by=denied_by)
        elif before.runs:
            after = self.guard.record(call, content, error=error)
        step = Step(before, after)
        self.steps.append(step)
        return step

    def user(self, content: object = "go on", *, session: object = MAIN, agent: object = MAIN) -> None:
        """A person speaks."""
        self.guard.user_turn(content, session=session, agent=agent)
