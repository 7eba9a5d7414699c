"""The ready policies, as the configuration a user could have written.

``standard`` is for agents with a person near: it reminds early, denies on strong evidence and halts late.
``unattended`` is for agents without one: it never asks, and its halt is nearer. ``observe`` decides as ``standard``
does, reports, and never intervenes. The other three are the classic systems, each alone.

The ladders come from measurements on recorded runs and on cases from bug reports; docs/evaluation.md shows them.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_STANDARD: Mapping[str, object] = {
    "stall": {},
    "cycle": {},
    "failures": {},
    "stagnation": {},
    "target": {},
    "waiting": {},
    "denials": {},
    "budget": {},
}
"""The comparison rules as they are: each rule's module says why its ladder is what it is."""

_UNATTENDED: Mapping[str, object] = {
    **_STANDARD,
    # Nobody will look: two denials that were ignored say what four say where somebody may.
    "stall": {"ladder": {"remind": 3, "deny": 5, "halt": 7}},
    "cycle": {"ladder": {"remind": 3, "deny": 4, "halt": 6}},
    "failures": {"ladder": {"remind": [3, 6], "halt": 9}},
    "stagnation": {"noops": {"remind": [6, 10], "halt": 12}},
}

READY: dict[str, Mapping[str, object]] = {
    "standard": {"version": 1, "rules": _STANDARD},
    "unattended": {"version": 1, "rules": _UNATTENDED},
    "observe": {"version": 1, "observes": True, "rules": _STANDARD},
    "reminder": {"version": 1, "rules": {"reminder": {}}},
    "breaker": {"version": 1, "rules": {"breaker": {}}},
    "brake": {"version": 1, "rules": {"brake": {}}},
}
"""Every ready policy by name."""
