"""pydantic-deep (pydantic-deepagents): the StuckLoopDetection capability, after each call, fresh for each run.

By default it raises ModelRetry: the call ran, its result is lost, the model is told. Variant ``error`` ends the run.
pydantic-ai does not call the hook for a tool that raised; here every result is shown, errors as their text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic_ai.exceptions import ModelRetry  # type: ignore[import-not-found,unused-ignore]
from pydantic_ai.messages import ToolCallPart  # type: ignore[import-not-found,unused-ignore]
from pydantic_ai.tools import ToolDefinition  # type: ignore[import-not-found,unused-ignore]
from pydantic_deep.features.stuck_loop import (  # type: ignore[import-not-found,unused-ignore]
    StuckLoopDetection,
    StuckLoopError,
)

from .detector import Call, Detector, Word, halt, remind

if TYPE_CHECKING:
    from collections.abc import Coroutine


class _Stuck(Detector):
    def __init__(self, variant: str) -> None:
        self._made = StuckLoopDetection(action="error") if variant == "error" else StuckLoopDetection()
        self.user()

    def user(self) -> None:
        self._capability = _awaited(self._made.for_run(None))

    def after(self, call: Call, text: str, error: bool | None) -> Word | None:  # noqa: ARG002 - it takes no error
        part = ToolCallPart(tool_name=call.tool, args=call.args, tool_call_id=call.id)
        definition = ToolDefinition(name=call.tool)
        hook = self._capability.after_tool_execute
        try:
            _awaited(hook(None, call=part, tool_def=definition, args=call.args, result=text))
        except ModelRetry as told:
            return remind(told)
        except StuckLoopError as stopped:
            return halt(stopped.pattern)
        return None


def _awaited(work: Coroutine[Any, Any, Any]) -> Any:
    """What a coroutine that never waits for anything returns."""
    try:
        work.send(None)
    except StopIteration as done:
        return done.value
    raise RuntimeError("the hook waited for something")


def detector(variant: str, project: str) -> Detector:  # noqa: ARG001 - every adapter has this shape
    """A detector for one scope of a run."""
    return _Stuck(variant)
