"""How LangChain's messages hold calls, results and reminders. Nothing here decides or remembers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langgraph.types import Command

from toolbrake.adapters import _shared as shared
from toolbrake.core.events import Call

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from langchain_core.messages.tool import ToolCall

    Answer = ToolMessage | Command[Any]

OURS = {"lc_source": shared.SOURCE}
"""How a message of ours says where it is from: the key that LangChain's own middlewares use."""

_SUMMARY = "summarization"


def messages_of(state: object) -> list[BaseMessage]:
    """The conversation in whatever a tool node uses as its state; empty where there is none."""
    if isinstance(state, dict):
        state = state.get("messages")
    elif not isinstance(state, list):
        state = getattr(state, "messages", None)
    return [message for message in state if isinstance(message, BaseMessage)] if isinstance(state, list) else []


def last_said(messages: Sequence[BaseMessage]) -> HumanMessage | None:
    """The last message of a person. One that says it was made by the host is none."""
    return next((m for m in reversed(messages) if isinstance(m, HumanMessage) and _source(m) is None), None)


def last_summary(messages: Sequence[BaseMessage]) -> HumanMessage | None:
    """The last summary that took the place of messages."""
    return next((m for m in reversed(messages) if isinstance(m, HumanMessage) and _source(m) == _SUMMARY), None)


def _source(message: HumanMessage) -> object:
    return message.additional_kwargs.get("lc_source")


def batch_of(messages: Sequence[BaseMessage]) -> tuple[AIMessage | None, dict[str, ToolMessage]]:
    """The last message of the model, and the results it has so far, by call id."""
    for place in range(len(messages) - 1, -1, -1):
        message = messages[place]
        if isinstance(message, AIMessage):
            results = (result for result in messages[place + 1 :] if isinstance(result, ToolMessage))
            return message, {result.tool_call_id: result for result in results}
    return None, {}


def call_of(tool_call: ToolCall, step: str | None, session: str, agent: str) -> Call:
    """The event for a call that a model asked for."""
    return Call(tool_call["name"], tool_call["args"], id=tool_call["id"], step=step, session=session, agent=agent)


def denial(call: Call, text: str) -> ToolMessage:
    """The result of a call that did not run."""
    return ToolMessage(text, name=call.tool, tool_call_id=call.id or "", status="error")


def result_in(answer: object, call_id: str | None) -> ToolMessage | None:
    """The message that answers a call, in whatever a tool may return: itself, a command that holds it, a list."""
    if isinstance(answer, ToolMessage):
        return answer if answer.tool_call_id == call_id else None
    if isinstance(answer, Command):
        update = answer.update
        return result_in(update.get("messages") if isinstance(update, dict) else update, call_id)
    if isinstance(answer, list):
        return next((found for item in answer if (found := result_in(item, call_id)) is not None), None)
    return None


def with_texts(answer: Any, call_id: str | None, texts: list[str]) -> Any:
    """A copy of what a tool returned in which the message that answers the call carries ``texts`` below its content."""
    if isinstance(answer, ToolMessage):
        return _below(answer, texts) if answer.tool_call_id == call_id else answer
    if isinstance(answer, list):
        return [with_texts(item, call_id, texts) for item in answer]
    if not isinstance(answer, Command):
        return answer
    update = answer.update
    if isinstance(update, dict) and "messages" in update:
        return replace(answer, update={**update, "messages": with_texts(update["messages"], call_id, texts)})
    return replace(answer, update=with_texts(update, call_id, texts))


def _below(message: ToolMessage, texts: list[str]) -> ToolMessage:
    return message.model_copy(update={"content": shared.beside(message.content, texts)})


def woven(messages: Sequence[Any], notes: Mapping[str, list[str]], *, own_message: bool) -> list[Any]:
    """The conversation with each step's reminders after its last result: below it, or as a message of their own."""
    shown: list[Any] = []
    due: list[str] = []
    for place, message in enumerate(messages):
        shown.append(message)
        if isinstance(message, AIMessage):
            due = notes.get(message.id or "", [])
        if not due or not isinstance(message, ToolMessage):
            continue
        if place + 1 < len(messages) and isinstance(messages[place + 1], ToolMessage):
            continue
        if own_message:
            shown.append(HumanMessage("\n\n".join(due), additional_kwargs=OURS))
        else:
            shown[-1] = _below(message, due)
        due = []
    return shown


def noted(notes: Mapping[str, list[str]], messages: Sequence[BaseMessage], texts: list[str]) -> dict[str, list[str]]:
    """The reminders by step with ``texts`` added to the last, without those of messages that are gone."""
    steps = [message.id or "" for message in messages if isinstance(message, AIMessage)]
    kept = {step: notes[step] for step in steps if step in notes}
    if steps and texts:
        kept[steps[-1]] = kept.get(steps[-1], []) + texts
    return kept
