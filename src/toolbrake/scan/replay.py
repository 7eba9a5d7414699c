"""A policy over a recorded run, call by call.

By default the replay is counterfactual: a call that the policy denies gets the denial as its result, the recorded
one is dropped, and the next recorded call is taken as what the model did next. ``as_recorded`` takes all results as
they are; the rows then say what the policy would have done.
"""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import TYPE_CHECKING

from toolbrake.core.decision import RANK, strongest
from toolbrake.core.events import Approve, Call, Result
from toolbrake.core.scopes import IDLE, Scopes
from toolbrake.scan.model import Row

if TYPE_CHECKING:
    from toolbrake.core.decision import Decision
    from toolbrake.core.events import Event
    from toolbrake.core.policy import Policy
    from toolbrake.scan.model import Trajectory


def as_recorded(policy: Policy) -> Policy:
    """The policy that decides the same and never intervenes."""
    observing = copy.copy(policy)
    observing.observes = True
    return observing


def replay(trajectory: Trajectory, policy: Policy, *, idle: float = IDLE) -> list[Row]:
    """One row for each call of a run that is not a repeated delivery, in order."""
    run = _Replay(trajectory.id, Scopes(policy, idle=idle))
    for event in trajectory.events:
        run.take(event)
    return run.rows


class _Replay:
    def __init__(self, trajectory: str, scopes: Scopes) -> None:
        self._trajectory = trajectory
        self._scopes = scopes
        self._waiting: dict[tuple[object, object, str | None], list[tuple[int, Call]]] = {}
        self.rows: list[Row] = []

    def take(self, event: Event) -> None:
        """Fold one event in."""
        if isinstance(event, Call):
            self._call(event)
        elif isinstance(event, Result):
            self._result(event)
        elif isinstance(event, Approve):
            self._answer(event)
        else:
            self._scopes.step(event)

    def _call(self, call: Call) -> None:
        key = (call.session, call.agent)
        state = self._scopes.state(key)
        counted = state.calls
        decision = self._scopes.step(call)
        if self._scopes.state(key) is state and state.calls == counted:
            return  # a second delivery
        number = len(self.rows) + 1
        row = Row(trajectory=self._trajectory, call=number, id=call.id, tool=call.tool)
        self.rows.append(_said(row, decision, "before"))
        waiting = self._waiting.setdefault((call.session, call.agent, call.id), [])
        if call.step is not None:  # an id that comes again in another step is another call's
            waiting[:] = [one for one in waiting if one[1].step in (None, call.step)]
        if call.id is not None or decision.action not in ("deny", "halt"):
            waiting.append((number, call))

    def _result(self, result: Result) -> None:
        waiting = self._waiting.get((result.session, result.agent, result.id))
        if not waiting:
            self._scopes.step(result)
            return
        number, result.call = waiting.pop(0)
        decision = self._scopes.step(result)
        result.call = None
        self.rows[number - 1] = _said(self.rows[number - 1], decision, "after")

    def _answer(self, event: Approve) -> None:
        """A person's answer: a refusal, with what it brings along, belongs to the call it refuses."""
        waiting = self._waiting.get((event.session, event.agent, event.id))
        decision = self._scopes.step(event)
        if waiting and decision.findings:
            number, _ = waiting.pop(0)
            self.rows[number - 1] = _said(self.rows[number - 1], decision, "after")


def _said(row: Row, decision: Decision, phase: str) -> Row:
    """The row with what a decision adds: the stronger of the two phases acts, the findings of both are kept."""
    acting = strongest(decision.findings)
    if acting is None:
        return row
    findings = row.findings + decision.findings
    if RANK[decision.proposed] <= RANK[row.action]:
        return replace(row, findings=findings)
    return replace(
        row,
        action=decision.proposed,
        phase=phase,
        rule=acting.rule,
        count=acting.count,
        limit=acting.limit,
        halted=decision.halted,
        findings=findings,
    )
