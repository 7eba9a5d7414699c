"""The demo's chat model: a script that reads what it is given, is stuck, and listens only to a denial.

It searches, opens the page that the search found, finds that the page has nothing, and searches again. It ignores
reminders and obeys the first denial, so that both can be seen; a real model may do either with both.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from toolbrake.adapters import _shared as shared
from toolbrake.demo.run import Told, Turn

with shared.needs("toolbrake demo", "langchain,cli", packages=("langchain_core", "pydantic")):
    from langchain_core.language_models.chat_models import BaseChatModel
    from langchain_core.messages import AIMessage, ToolMessage
    from langchain_core.outputs import ChatGeneration, ChatResult
    from pydantic import PrivateAttr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from langchain_core.messages import BaseMessage

QUESTION = "Will it rain in Lisbon tomorrow?"
SEARCH = ("search", {"query": "weather in Lisbon"})
READ = ("read", {"page": "lisbon.example"})

_REMINDER = f"\n\n[{shared.SOURCE}/"
"""How the adapter begins a reminder below a result."""


class StuckModel(BaseChatModel):
    """Goes round between two calls until one of them comes back denied."""

    _turns: list[Turn] = PrivateAttr(default_factory=list)

    @property
    def turns(self) -> tuple[Turn, ...]:
        """Every response so far, with what it was a response to."""
        return tuple(self._turns)

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Sequence[Any], **_: Any) -> StuckModel:  # noqa: ARG002 - the hook's signature; a script needs no schemas
        """Take note of no tools: the script knows its own."""
        return self

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        result, told = heard(messages)
        said, call = _response(messages, told)
        self._turns.append(Turn(sum(map(characters, messages)), result, told, said, _written(call)))
        asked = [{"name": call[0], "args": call[1], "id": f"call_{len(self._turns)}"}] if call else []
        return ChatResult(generations=[ChatGeneration(message=AIMessage(said, tool_calls=asked))])


def heard(messages: Sequence[BaseMessage]) -> tuple[str, tuple[Told, ...]]:
    """What came of the last call, and what toolbrake said about it."""
    last = messages[-1]
    if not isinstance(last, ToolMessage):
        return "", ()
    result, *reminders = last.text.split(_REMINDER)
    told = tuple(Told("remind", text.partition("] ")[2]) for text in reminders)
    if last.status == "error":
        return "", (Told("deny", result), *told)
    return result, told


def characters(message: BaseMessage) -> int:
    """The length of a message as a model is sent it: its text and its calls."""
    calls = message.tool_calls if isinstance(message, AIMessage) else []
    return len(message.text) + sum(len(call["name"]) + len(json.dumps(call["args"])) for call in calls)


def _response(messages: Sequence[BaseMessage], told: tuple[Told, ...]) -> tuple[str, tuple[str, dict[str, str]] | None]:
    """What the script says next, and the call it makes."""
    if any(one.action == "deny" for one in told):
        return "I could not find out. lisbon.example never shows its forecast.", None
    reminded = "I was reminded, and go on all the same. " if told else ""
    last = messages[-1]
    if not isinstance(last, ToolMessage):
        return "I search for it.", SEARCH
    if last.name == SEARCH[0]:
        return f"{reminded}I open the first result.", READ
    return f"{reminded}No forecast yet. I search.", SEARCH


def _written(call: tuple[str, dict[str, str]] | None) -> str:
    return "" if call is None else f"{call[0]}({', '.join(json.dumps(value) for value in call[1].values())})"
