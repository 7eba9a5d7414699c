"""LangChain and LangGraph under test: ``create_agent`` in its ways of running, and a ``ToolNode`` on its own."""

from __future__ import annotations

import asyncio
from itertools import count
from typing import ClassVar

from conformance import DELEGATE, Entry, Outcome
from langchain.agents import create_agent
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import StructuredTool, tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition
from langgraph.types import Command
from pydantic import Field

from toolbrake import Guard
from toolbrake.adapters.langchain import ToolbrakeMiddleware
from toolbrake.testing import FakeClock, Recorder

SERIAL = count(1)
SEARCH = [("search", {"q": "x"})]
THREAD = {"configurable": {"thread_id": "T1"}}


class ScriptedModel(BaseChatModel):
    """Makes the calls of ``steps``, one step a response, then says "done"; ``views`` holds what it was shown.

    A request that does not end in a result begins with the first step again.
    """

    steps: list = Field(default_factory=list)
    views: list = Field(default_factory=list)
    next: int = 0

    @property
    def _llm_type(self):
        return "scripted"

    def bind_tools(self, tools, **kwargs):
        return self

    def _generate(self, messages, stop=None, run_manager=None, **kwargs):
        self.views.append(entries(messages))
        if self.views[-1][-1].kind not in ("result", "note"):
            self.next = 0
        wanted = self.steps[self.next] if self.next < len(self.steps) else []
        self.next += 1
        calls = [{"name": name, "args": args, "id": f"c{next(SERIAL)}"} for name, args in wanted]
        message = AIMessage("" if calls else "done", tool_calls=calls)
        return ChatResult(generations=[ChatGeneration(message=message)])


def is_said(message):
    return isinstance(message, HumanMessage) and "lc_source" not in message.additional_kwargs


def entries(messages):
    """Messages as the suite reads them."""
    return [entry(message) for message in messages]


def entry(message):
    text = message.text
    if isinstance(message, ToolMessage):
        return Entry("result", text, id=message.tool_call_id, error=message.status == "error")
    if isinstance(message, AIMessage):
        return Entry("assistant", text, calls=tuple(call["id"] for call in message.tool_calls))
    return Entry("user" if is_said(message) else "note", text)


def tools_of(bodies):
    """A tool with one text parameter for each body."""

    def tool_of(name, body):
        def run(q: str):
            return body(q)

        return StructuredTool.from_function(run, name=name, description=name)

    return [tool_of(name, body) for name, body in bodies.items()]


class LangGraphAgent:
    """A graph with a checkpointer for runs in a session, and the same without for the others."""

    def __init__(self, rig, model, build):
        self.rig = rig
        self.model = model
        self.kept = build(InMemorySaver())
        self.plain = build(None)

    def run(self, steps, *, session="T1", text="go", answer=None):
        self.model.steps = list(steps)
        self.model.views = []
        graph = self.plain if session is None else self.kept
        config = {} if session is None else {"configurable": {"thread_id": session}}
        outcome = Outcome()
        given = {"messages": [HumanMessage(text)]}
        try:
            state = self.rig.invoke(graph, given, config)
            while answer is not None and state.get("__interrupt__"):
                outcome.questions += [asked.value for asked in state["__interrupt__"]]
                resume = Command(resume={asked.id: answer for asked in state["__interrupt__"]})
                state = self.rig.invoke(graph, resume, config)
        except Exception as fault:  # noqa: BLE001 - the suite looks at it
            outcome.raised = fault
            state = {} if session is None else graph.get_state(config).values
        outcome.stored = entries(state.get("messages", []))
        outcome.views = self.model.views
        return outcome


class SyncRig:
    page = "langchain.md"
    limits: ClassVar = {}
    options: ClassVar = {}

    def invoke(self, graph, given, config):
        return graph.invoke(given, config)

    def agent(self, guard, bodies, *, on_halt="finish", delegate=()):
        middleware = ToolbrakeMiddleware(guard, on_halt=on_halt, **self.options)
        return LangGraphAgent(
            self,
            model := ScriptedModel(),
            lambda saver: self.graph(model, self.tools(bodies, guard, delegate, on_halt), middleware, saver),
        )

    def tools(self, bodies, guard, delegate, on_halt):
        tools = tools_of(bodies)
        if not delegate:
            return tools
        own = ToolbrakeMiddleware(guard, on_halt=on_halt, **self.options)
        agent = self.graph(ScriptedModel(steps=list(delegate)), tools, own, None)

        def run(q: str):
            return agent.invoke({"messages": [HumanMessage(q)]})["messages"][-1].text

        async def arun(q: str):
            return (await agent.ainvoke({"messages": [HumanMessage(q)]}))["messages"][-1].text

        return [*tools, StructuredTool.from_function(run, arun, name=DELEGATE, description=DELEGATE)]

    def graph(self, model, tools, middleware, saver):
        return create_agent(model, tools, middleware=[middleware], checkpointer=saver)


class AsyncRig(SyncRig):
    def invoke(self, graph, given, config):
        return asyncio.run(graph.ainvoke(given, config))


class StreamRig(SyncRig):
    def invoke(self, graph, given, config):
        state = {}
        for state in graph.stream(given, config, stream_mode="values"):  # noqa: B007 - the last one is wanted
            pass
        return state


class MessageRig(SyncRig):
    options: ClassVar = {"notes": "message"}


class ToolNodeRig(SyncRig):
    limits: ClassVar = {
        "test_a_reminder_is_not_in_the_stored_result": (
            "Nothing runs between the tools and the model, so a reminder is part of the result and stored with it."
        ),
        "test_a_halt_stops_before_the_next_request": (
            "Nothing runs before the model, so a halted run goes on, and each of its calls is denied."
        ),
        "test_a_halted_run_says_why": "The model has the last word.",
        "test_a_raised_halt_leaves_complete_pairs": (
            "It can only be raised at the next call, which is left without a result."
        ),
        "test_a_raised_halt_in_a_sub_agent_leaves_the_caller_complete": (
            "It can only be raised at the caller's next call, which is left without a result."
        ),
    }

    def graph(self, model, tools, middleware, saver):
        builder = StateGraph(MessagesState)
        builder.add_node("model", lambda state: {"messages": [model.invoke(state["messages"])]})
        builder.add_node(
            "tools",
            ToolNode(tools, wrap_tool_call=middleware.wrap_tool_call, awrap_tool_call=middleware.awrap_tool_call),
        )
        builder.add_edge(START, "model")
        builder.add_conditional_edges("model", tools_condition, ["tools", END])
        builder.add_edge("tools", "model")
        return builder.compile(checkpointer=saver)


class AsyncToolNodeRig(ToolNodeRig):
    def invoke(self, graph, given, config):
        return asyncio.run(graph.ainvoke(given, config))


@tool
def search(q: str) -> str:
    """Find something."""
    return f"found {q}"


def go(text="go"):
    """The input of a run. A new message each time: LangGraph gives it an id, and knows it again by that."""
    return {"messages": [HumanMessage(text)]}


def watched(policy):
    """A guard for a policy, and the recorder of what it was told."""
    recorder = Recorder()
    return Guard(policy, observers=[recorder], clock=FakeClock()), recorder


def agent(guard, steps, *, tools=(search,), middleware=None, saver=None, **options):
    """An agent whose model makes the calls of ``steps``, and that model."""
    model = ScriptedModel(steps=list(steps))
    own = [ToolbrakeMiddleware(guard, **options)] if middleware is None else middleware
    graph = create_agent(model, list(tools), middleware=own, checkpointer=saver)
    return graph, model


def kinds(recorder):
    """The types of the events that a guard was told, in order."""
    return [event.type for event in recorder.events]
