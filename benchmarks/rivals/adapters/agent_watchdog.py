"""agent-watchdog: each call is recorded with its output, inside one watch a run."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

from agent_watchdog import AgentWatchdog, WatchdogHalt  # type: ignore[import-not-found,unused-ignore]

from .detector import Call, Detector, Word, halt

if TYPE_CHECKING:
    from typing import Any


class _Watchdog(Detector):
    def __init__(self) -> None:
        self._stack = ExitStack()
        self._watchdog: Any = self._stack.enter_context(AgentWatchdog().watch())

    def after(self, call: Call, text: str, error: bool | None) -> Word | None:  # noqa: ARG002 - it takes no error
        try:
            self._watchdog.record_tool_call(call.tool, args=call.args, output=text)
        except WatchdogHalt as stopped:
            return halt(stopped.report.message)
        return None

    def close(self) -> None:
        self._stack.close()


def detector(variant: str, project: str) -> Detector:  # noqa: ARG001 - every adapter has this shape
    """A detector for one scope of a run."""
    return _Watchdog()
