"""What readers yield and reports take: trajectories, what could not be read, and rows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolbrake.core.decision import Action, Finding
    from toolbrake.core.events import Event


@dataclass(frozen=True, slots=True)
class Trajectory:
    """One recorded run. ``extra`` keeps what the format says beside its own fields."""

    id: str
    events: list[Event] = field(repr=False)
    source: str | None = None
    success: bool | None = None
    labels: Mapping[str, object] = field(default_factory=dict)
    extra: Mapping[str, object] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A part of the input that could not be read; the rest was. ``line`` is 1-based, 0 for the file as a whole."""

    file: str
    line: int
    reason: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{place}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Row:
    """What a policy said to one call. ``call`` is the call's 1-based number over all agents of its trajectory.

    ``phase`` is ``before`` where the attempt was judged and ``after`` where its result was; None where nothing was
    said.
    """

    trajectory: str
    call: int
    id: str | None
    tool: str
    action: Action = "allow"
    phase: str | None = None
    rule: str | None = None
    count: int | None = None
    limit: int | None = None
    halted: bool = False
    findings: tuple[Finding, ...] = ()

    def as_mapping(self) -> dict[str, object]:
        """The row as ``toolbrake replay --json`` prints it."""
        return {
            "trajectory": self.trajectory,
            "call": self.call,
            "id": self.id,
            "tool": self.tool,
            "action": self.action,
            "phase": self.phase,
            "rule": self.rule,
            "count": self.count,
            "limit": self.limit,
            "halted": self.halted,
            "findings": [finding.as_mapping() for finding in self.findings],
        }
