"""Observers are told what a guard decided, and what went wrong in it; they cannot change either.

A guard calls its observers in the order of its decisions, under its lock: be quick, or hand on. What an observer
raises is counted and otherwise ignored.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from toolbrake.core.decision import Decision
    from toolbrake.core.events import Event


class Observer:
    """Does nothing; override what you want to hear.

    Events carry arguments and results, which are secrets: what an observer writes down is its own affair.
    """

    def decided(self, event: Event, decision: Decision) -> None:
        """An event was taken in and answered."""

    def faulted(self, event: Event, fault: Exception) -> None:
        """On this event toolbrake itself failed; the policy's ``on_error`` decided."""

    def evicted(self, scopes: int) -> None:
        """So many scopes were forgotten to stay within the limit: their counts start over."""
