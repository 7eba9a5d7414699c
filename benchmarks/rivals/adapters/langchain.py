"""LangChain: ToolCallLimitMiddleware with the limits of its documented example, which has no defaults.

10 calls a run, 20 a thread, then calls are refused and the agent goes on. A person's message begins the next run.
"""

from __future__ import annotations

from typing import Any

from langchain.agents.middleware import ToolCallLimitMiddleware  # type: ignore[import-not-found,unused-ignore]
from langchain_core.messages import AIMessage  # type: ignore[import-not-found,unused-ignore]

from .detector import Call, Detector, Word, deny


class _Limit(Detector):
    def __init__(self) -> None:
        self._middleware: Any = ToolCallLimitMiddleware(thread_limit=20, run_limit=10)
        self._state: dict[str, Any] = {}

    def user(self) -> None:
        self._state.pop("run_tool_call_count", None)

    def before(self, call: Call) -> Word | None:
        given: Any = {"name": call.tool, "args": call.args, "id": call.id, "type": "tool_call"}
        message = AIMessage(content="", tool_calls=[given])
        update = self._middleware.after_model({**self._state, "messages": [message]}, None) or {}
        refused = update.pop("messages", [])
        self._state.update(update)
        return deny("limit reached") if refused else None


def detector(variant: str, project: str) -> Detector:  # noqa: ARG001 - every adapter has this shape
    """A detector for one scope of a run."""
    return _Limit()
