"""agent-loop-guard: one check a call, with its output; variant ``calls`` leaves the output out, as its quick start."""

from __future__ import annotations

from typing import Any

from loop_guard import Action, LoopGuard  # type: ignore[import-not-found,unused-ignore]

from .detector import Call, Detector, Word, halt, remind


class _Guard(Detector):
    def __init__(self, variant: str) -> None:
        self._calls_only = variant == "calls"
        self._guard = LoopGuard()

    def before(self, call: Call) -> Word | None:
        return _word(self._guard.check(call.tool, call.args)) if self._calls_only else None

    def after(self, call: Call, text: str, error: bool | None) -> Word | None:  # noqa: ARG002 - it takes no error
        return None if self._calls_only else _word(self._guard.check(call.tool, call.args, text))


def _word(decision: Any) -> Word | None:
    if decision.action in (Action.STOP, Action.ESCALATE):
        return halt(decision.strategy)
    return remind(decision.strategy) if decision.action is Action.WARN else None


def detector(variant: str, project: str) -> Detector:  # noqa: ARG001 - every adapter has this shape
    """A detector for one scope of a run."""
    return _Guard(variant)
