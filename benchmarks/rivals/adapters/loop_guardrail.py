"""loop-guardrail: asked before and after each call, reset each turn; variant ``hard`` has hard stops on."""

from __future__ import annotations

from typing import Any

from loop_guardrail import (  # type: ignore[import-not-found,unused-ignore]
    ToolCallGuardrailConfig,
    ToolCallGuardrailController,
)

from .detector import Call, Detector, Word, halt, remind


class _Guardrail(Detector):
    def __init__(self, variant: str) -> None:
        config = ToolCallGuardrailConfig(hard_stop_enabled=True) if variant == "hard" else ToolCallGuardrailConfig()
        self._controller = ToolCallGuardrailController(config)

    def user(self) -> None:
        self._controller.reset_for_turn()

    def before(self, call: Call) -> Word | None:
        return _word(self._controller.before_call(call.tool, call.args))

    def after(self, call: Call, text: str, error: bool | None) -> Word | None:
        return _word(self._controller.after_call(call.tool, call.args, text, failed=error))


def _word(decision: Any) -> Word | None:
    if decision.should_halt:
        return halt(decision.code)
    return remind(decision.code) if decision.action == "warn" else None


def detector(variant: str, project: str) -> Detector:  # noqa: ARG001 - every adapter has this shape
    """A detector for one scope of a run."""
    return _Guardrail(variant)
