"""able-harness-kit: its two middlewares, each wrapped around the call as LangChain does.

``tracker`` (LoopGuardMiddleware with its LoopTracker) refuses calls; its warnings reach a log and a callback.
``progress`` (ProgressAwareLoopGuardMiddleware) lets the call run and replaces its result: a reminder, no stop.
"""

from __future__ import annotations

from typing import Any

from able_harness_kit import (  # type: ignore[import-not-found,unused-ignore]
    LoopAction,
    LoopGuardMiddleware,
    ProgressAwareLoopGuardMiddleware,
)
from langchain.agents.middleware.types import ToolCallRequest  # type: ignore[import-not-found,unused-ignore]
from langchain_core.messages import ToolMessage  # type: ignore[import-not-found,unused-ignore]

from .detector import Call, Detector, Word, deny, remind


class _Tracker(Detector):
    def __init__(self) -> None:
        self._signals: list[Any] = []
        self._middleware = LoopGuardMiddleware(on_signal=self._signals.append)

    def before(self, call: Call) -> Word | None:
        self._signals.clear()
        self._middleware.wrap_tool_call(_request(call), lambda _: _message(call, "", failed=False))
        if not self._signals:
            return None
        signal = self._signals[0]
        return deny("repeated call") if signal.action is LoopAction.STOP else remind("repeated call")


class _Progress(Detector):
    def __init__(self) -> None:
        self._middleware = ProgressAwareLoopGuardMiddleware()

    def after(self, call: Call, text: str, error: bool | None) -> Word | None:
        given = _message(call, text, failed=error is True)
        seen = self._middleware.wrap_tool_call(_request(call), lambda _: given)
        return None if seen is given else remind("no new information")


def _request(call: Call) -> Any:
    given = {"name": call.tool, "args": call.args, "id": call.id, "type": "tool_call"}
    make: Any = ToolCallRequest
    return make(tool_call=given, tool=None, state={}, runtime=None)


def _message(call: Call, text: str, *, failed: bool) -> Any:
    return ToolMessage(content=text, name=call.tool, tool_call_id=call.id, status="error" if failed else "success")


def detector(variant: str, project: str) -> Detector:  # noqa: ARG001 - every adapter has this shape
    """A detector for one scope of a run."""
    return _Progress() if variant == "progress" else _Tracker()
