"""OpenHands SDK: the conversation's stuck detector, asked after each step as its run loop does.

Actions carry no thought, since the runs hold no text: thoughts that differ would make actions differ. A failed tool
is an observation with ``is_error``; variant ``agent-errors`` makes it an AgentErrorEvent, as a tool that raised is.
"""

from __future__ import annotations

import json
from typing import Any

from openhands.sdk.conversation.stuck_detector import StuckDetector  # type: ignore[import-not-found,unused-ignore]
from openhands.sdk.event import (  # type: ignore[import-not-found,unused-ignore]
    ActionEvent,
    AgentErrorEvent,
    MessageEvent,
    ObservationEvent,
)
from openhands.sdk.llm import (  # type: ignore[import-not-found,unused-ignore]
    Message,
    MessageToolCall,
    TextContent,
)
from openhands.sdk.mcp.definition import (  # type: ignore[import-not-found,unused-ignore]
    MCPToolAction,
    MCPToolObservation,
)

from .detector import Call, Detector, Word, halt, remind


class _State:
    """Stands in for the conversation's state: the detector asks it only for the last events."""

    def __init__(self) -> None:
        self.events: list[Any] = []

    def active_branch(self, limit: int | None = None) -> list[Any]:
        return list(self.events) if limit is None else self.events[-limit:]


class _Stuck(Detector):
    def __init__(self, variant: str) -> None:
        self._agent_errors = variant == "agent-errors"
        self._state = _State()
        self._detector = StuckDetector(self._state)

    def user(self) -> None:
        self._state.events.append(_message("user", "go on"))

    def before(self, call: Call) -> None:
        given = MessageToolCall(id=call.id, name=call.tool, arguments=json.dumps(call.args), origin="completion")
        self._state.events.append(
            ActionEvent(
                thought=[],
                action=MCPToolAction(data=call.args),
                tool_name=call.tool,
                tool_call_id=call.id,
                tool_call=given,
                llm_response_id=f"response-{call.number}",
            )
        )

    def after(self, call: Call, text: str, error: bool | None) -> Word | None:
        self._state.events.append(self._observation(call, text, failed=error is True))
        if not call.last_of_step:
            return None
        nudge = self._detector.get_action_error_nudge()
        if nudge is not None:
            self._state.events.append(_message("environment", nudge))
            return remind("action error nudge")
        return halt("stuck") if self._detector.is_stuck() else None

    def _observation(self, call: Call, text: str, *, failed: bool) -> Any:
        if failed and self._agent_errors:
            return AgentErrorEvent(tool_name=call.tool, tool_call_id=call.id, error=text)
        seen = MCPToolObservation(content=[TextContent(text=text)], is_error=failed, tool_name=call.tool)
        return ObservationEvent(
            observation=seen, action_id=f"action-{call.number}", tool_name=call.tool, tool_call_id=call.id
        )


def _message(source: str, text: str) -> Any:
    return MessageEvent(source=source, llm_message=Message(role="user", content=[TextContent(text=text)]))


def detector(variant: str, project: str) -> Detector:  # noqa: ARG001 - every adapter has this shape
    """A detector for one scope of a run."""
    return _Stuck(variant)
