"""``ToolbrakeMiddleware``: what each of LangChain's hooks tells the guard, and what it does about the answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, NotRequired, TypedDict
from uuid import uuid4

from langchain.agents.middleware import AgentMiddleware, AgentState, hook_config
from langchain.agents.middleware.types import ContextT, PrivateStateAttr, ResponseT
from langchain_core.messages import AIMessage, ToolMessage
from langgraph.config import get_config

from toolbrake.adapters import _shared as shared
from toolbrake.adapters.langchain import _messages as conversation
from toolbrake.adapters.langchain._calls import CALLER, Attempt, Caller, GraphLoopHalted, Keeper, Scope
from toolbrake.core.decision import Decision
from toolbrake.core.events import MAIN
from toolbrake.guard import Guard

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from langchain.agents.middleware import ModelRequest, ModelResponse, ToolCallRequest
    from langchain_core.messages import BaseMessage
    from langchain_core.runnables import RunnableConfig
    from langgraph.runtime import Runtime

    from toolbrake.adapters.langchain._messages import Answer
    from toolbrake.core.events import Call

    Identity = str | Callable[[RunnableConfig], str]


class Record(TypedDict):
    """What one middleware keeps in the graph's state, all of it JSON values.

    ``turn`` and ``summary`` are the ids of the last message of a person and of the last summary, ``step`` the id of
    the message whose calls have been judged, ``asks`` the questions by call id, ``notes`` the reminders by step.
    """

    session: str
    agent: str
    turn: str | None
    summary: str | None
    step: str | None
    asks: dict[str, dict[str, object]]
    notes: dict[str, list[str]]


def _merged(old: dict[str, Record] | None, new: dict[str, Record] | None) -> dict[str, Record]:
    return {**(old or {}), **(new or {})}


class ToolbrakeState(AgentState[Any]):
    """The agent's state with the records of its middlewares by name, outside its input and output."""

    toolbrake: NotRequired[Annotated[dict[str, Record], PrivateStateAttr, _merged]]


class ToolbrakeMiddleware(AgentMiddleware[ToolbrakeState, ContextT, ResponseT]):
    """Watches the tool calls of an agent. Put it first in ``middleware``, so that it sees each call once.

    ``guard`` decides; without one, a guard for ``policy`` is made. Share one guard between an agent and its
    sub-agents: then a halt of one ends all. ``session`` and ``agent`` name the scope, as a text or as a function of
    the run's config; by default the session is the thread (without one, the run), and a sub-agent is told by where it
    runs. ``on_halt="raise"`` raises ``GraphLoopHalted`` where ``"finish"`` ends the run with a last message.
    ``notes="message"`` shows reminders as a message after the batch, which some providers refuse, instead of below
    its last result. Several middlewares of this class in one agent need different names.

    Raises:
        ConfigError: the policy cannot be built.
    """

    state_schema = ToolbrakeState
    tools = ()

    def __init__(  # noqa: PLR0913 - options, all keyword-only but the guard
        self,
        guard: Guard | None = None,
        *,
        policy: object = "standard",
        session: Identity | None = None,
        agent: Identity | None = None,
        on_halt: Literal["finish", "raise"] = "finish",
        notes: Literal["result", "message"] = "result",
        name: str = "ToolbrakeMiddleware",
    ) -> None:
        super().__init__()
        self.guard = Guard(policy) if guard is None else guard
        self._keeper = Keeper(self.guard)
        self._session = session
        self._agent = agent
        self._raises = shared.one_of("on_halt", on_halt, ("finish", "raise")) == "raise"
        self._own_message = shared.one_of("notes", notes, ("result", "message")) == "message"
        self._name = name

    @property
    def name(self) -> str:
        """What tells it from others of its class in one agent."""
        return self._name

    def before_agent(self, state: ToolbrakeState, runtime: Runtime[ContextT]) -> dict[str, Any]:  # noqa: ARG002 - the hook's signature
        """Find out whose run begins, and whether a person has spoken. Not called when an interrupted run goes on."""
        known = self._record(state)
        scope, caller = self._scope(get_config())
        memory = self._keeper.memory
        memory.notes.take(scope)
        record = _fresh(scope) if known is None else {**known, "session": scope.session, "agent": scope.agent}
        said = conversation.last_said(state["messages"])
        if caller is not None:
            self.guard.spawned(scope.agent, parent=caller.scope.agent, session=scope.session)
        elif said is not None and said.id not in (record["turn"], memory.turns.peek(scope.session)):
            memory.turns.change(scope.session, lambda _: said.id)
            self.guard.user_turn(said.content, session=scope.session, agent=scope.agent)
        return self._kept(record if said is None else {**record, "turn": said.id})

    @hook_config(can_jump_to=["end"])
    def before_model(self, state: ToolbrakeState, runtime: Runtime[ContextT]) -> dict[str, Any] | None:  # noqa: ARG002
        """End a halted run, or give the reminders of the batch that is over their place in the conversation."""
        record = self._record(state)
        if record is None:
            return None
        scope = Scope(record["session"], record["agent"])
        if self.guard.halted(scope.session):
            return self._stopped(scope.session)
        texts = self._keeper.memory.notes.take(scope)
        return self._kept(_noted(record, state["messages"], texts)) if texts else None

    def after_model(self, state: ToolbrakeState, runtime: Runtime[ContextT]) -> dict[str, Any] | None:  # noqa: ARG002
        """Judge the calls of the response in their order, and answer those that must not run."""
        messages = state["messages"]
        message, results = conversation.batch_of(messages)
        if message is None or not message.tool_calls:
            return None
        record = self._compacted(self._record(state) or _fresh(self._scope(get_config())[0]), messages)
        scope = Scope(record["session"], record["agent"])
        calls = [conversation.call_of(call, message.id, *scope) for call in message.tool_calls]
        decisions = [self._keeper.check(call) for call in calls]
        texts = [text for decision in decisions for text in shared.labelled(decision.notes)]
        asks: dict[str, dict[str, object]] = {}
        denials = []
        for call, decision in zip(calls, decisions, strict=True):
            if call.id in results:
                texts += shared.labelled(self._answered(call, results[call.id]).notes)
            elif decision.action == "ask":
                asks[call.id or ""] = shared.question(call, decision)
            elif not decision.runs:
                denials.append(conversation.denial(call, decision.text))
        record = {**_noted(record, messages, texts), "step": message.id, "asks": asks}
        return self._kept(record) | ({"messages": denials} if denials else {})

    def wrap_model_call(
        self, request: ModelRequest[ContextT], handler: Callable[[ModelRequest[ContextT]], ModelResponse[ResponseT]]
    ) -> ModelResponse[ResponseT]:
        """Show the reminders, in the model's copy of the conversation only."""
        return handler(self._shown(request))

    def wrap_tool_call(self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Answer]) -> Answer:
        """Run the call, or answer it with the denial. Raises what the body raises, and ``GraphLoopHalted``."""
        attempt = self._begin(request)
        if attempt.answer is None:
            with attempt.body():
                attempt.take(handler(request))
        return attempt.told()

    async def abefore_agent(self, state: ToolbrakeState, runtime: Runtime[ContextT]) -> dict[str, Any]:
        """See ``before_agent``."""
        return self.before_agent(state, runtime)

    async def abefore_model(self, state: ToolbrakeState, runtime: Runtime[ContextT]) -> dict[str, Any] | None:
        """See ``before_model``."""
        return self.before_model(state, runtime)

    async def aafter_model(self, state: ToolbrakeState, runtime: Runtime[ContextT]) -> dict[str, Any] | None:
        """See ``after_model``."""
        return self.after_model(state, runtime)

    async def awrap_model_call(
        self,
        request: ModelRequest[ContextT],
        handler: Callable[[ModelRequest[ContextT]], Awaitable[ModelResponse[ResponseT]]],
    ) -> ModelResponse[ResponseT]:
        """See ``wrap_model_call``."""
        return await handler(self._shown(request))

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[Answer]]
    ) -> Answer:
        """See ``wrap_tool_call``."""
        attempt = self._begin(request)
        if attempt.answer is None:
            with attempt.body():
                attempt.take(await handler(request))
        return attempt.told()

    def _begin(self, request: ToolCallRequest) -> Attempt:
        """The call with the answer it has already; without one, its body may run."""
        config = _config_of(request)
        record = self._record(request.state)
        messages = conversation.messages_of(request.state)
        message, results = conversation.batch_of(messages)
        own, siblings = request.tool_call, [] if message is None else message.tool_calls
        step = message.id if message is not None and own["id"] in [call["id"] for call in siblings] else None
        scope = self._bare(config, messages) if record is None else Scope(record["session"], record["agent"])
        call = conversation.call_of(own, step, *scope)
        caller = Caller(self.guard, scope, _thread(config), set())
        attempt = Attempt(self._keeper, call, caller, holds=record is not None)
        if record is None or step is None or step != record["step"]:
            batch = [c for c in siblings if c["id"] == own["id"] or c["id"] not in results] if step else [own]
            self._judge(attempt, [conversation.call_of(c, step, *scope) for c in batch], config)
        elif (question := record["asks"].get(call.id or "")) is not None:
            attempt.ask(question, config, alone=True)
        return attempt

    def _judge(self, attempt: Attempt, calls: Sequence[Call], config: RunnableConfig) -> None:
        """Judge a call that no hook has judged before, with its siblings."""
        call = attempt.call
        batch = self._keeper.batch(attempt.scope, calls)
        decision = batch.decisions[call.id]
        attempt.hear(decision)
        if batch.halted and self._raises:
            raise GraphLoopHalted(decision, shared.ending(decision))
        if decision.action == "ask":
            first = next(name for name, other in batch.decisions.items() if other.action == "ask")
            attempt.ask(shared.question(call, decision), config, alone=call.id == first)
        elif not decision.runs:
            attempt.deny(decision.text)

    def _shown(self, request: ModelRequest[ContextT]) -> ModelRequest[ContextT]:
        record = self._record(request.state)
        if record is None or not record["notes"]:
            return request
        woven = conversation.woven(request.messages, record["notes"], own_message=self._own_message)
        return request.override(messages=woven)

    def _stopped(self, session: str) -> dict[str, Any]:
        """The end of a halted run."""
        halt = self._keeper.memory.halts.peek(session) or Decision("halt", halted=True)
        text = shared.ending(halt)
        if self._raises:
            raise GraphLoopHalted(halt, text)
        return {"jump_to": "end", "messages": [AIMessage(text, additional_kwargs=conversation.OURS)]}

    def _answered(self, call: Call, result: ToolMessage) -> Decision:
        """Take in a result that somebody gave in the tool's place: a person, a limit, another middleware."""
        if result.status == "error":
            return self.guard.denied(call, result.text, by="the host")
        return self.guard.record(call, result.content)

    def _record(self, state: object) -> Record | None:
        """The record of this middleware; None in a graph that does not run its other hooks.

        A checkpoint may be of an older version: what is missing in it is empty.
        """
        records: dict[str, Record] | None = state.get("toolbrake") if isinstance(state, dict) else None
        kept = None if records is None else records.get(self._name)
        return None if kept is None else {**_fresh(Scope("", "")), **kept}

    def _kept(self, record: Record) -> dict[str, Any]:
        return {"toolbrake": {self._name: record}}

    def _compacted(self, record: Record, messages: Sequence[BaseMessage]) -> Record:
        """Tell the guard once of each summary that took the place of messages."""
        summary = conversation.last_summary(messages)
        if summary is None or summary.id == record["summary"]:
            return record
        self.guard.compacted(session=record["session"], agent=record["agent"])
        return {**record, "summary": summary.id}

    def _bare(self, config: RunnableConfig, messages: Sequence[BaseMessage]) -> Scope:
        """The scope where no hook tells of user turns: each message of a person begins a session of its own."""
        said = conversation.last_said(messages)
        return self._scope(config, None if said is None else said.id)[0]

    def _scope(self, config: RunnableConfig, turn: str | None = None) -> tuple[Scope, Caller | None]:
        """Whose run this is, and the guarded call it runs in.

        A sub-agent belongs to its caller's session if it shares the guard and was given no thread or session of its
        own; its name is its place in the graph.
        """
        session = self._session(config) if callable(self._session) else self._session
        agent = self._agent(config) if callable(self._agent) else self._agent
        place = str(config.get("configurable", {}).get("checkpoint_ns") or "").rpartition("|")[0]
        scope = Scope("/".join(filter(None, (session or _thread(config), turn))) or uuid4().hex, agent or place or MAIN)
        caller = CALLER.get()
        if caller is None or caller.guard is not self.guard:
            return scope, None
        if (_thread(config) != caller.thread) if session is None else (session != caller.scope.session):
            return scope, None
        if agent is None:
            caller.agents.add(place)
        return scope._replace(session=caller.scope.session), caller


def _fresh(scope: Scope) -> Record:
    return Record(session=scope.session, agent=scope.agent, turn=None, summary=None, step=None, asks={}, notes={})


def _noted(record: Record, messages: Sequence[BaseMessage], texts: list[str]) -> Record:
    """The record with reminders for the step that the conversation is at, without those of messages that are gone."""
    return {**record, "notes": conversation.noted(record["notes"], messages, texts)}


def _config_of(request: ToolCallRequest) -> RunnableConfig:
    """The config of the run; a tool node that is called outside a graph has none."""
    config: RunnableConfig | None = getattr(request.runtime, "config", None)
    return {} if config is None else config


def _thread(config: RunnableConfig) -> str | None:
    thread = config.get("configurable", {}).get("thread_id")
    return None if thread is None else str(thread)
