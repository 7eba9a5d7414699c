"""LangChain's own middlewares beside ours: who counts, who is told, in which order."""

from __future__ import annotations

import pytest
from conformance import counted, from_
from langchain.agents.middleware import HumanInTheLoopMiddleware, ToolCallLimitMiddleware, ToolRetryMiddleware
from langchain_core.tools import StructuredTool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command
from rig_langchain import SEARCH, THREAD, agent, go, kinds, watched

from toolbrake.adapters.langchain import ToolbrakeMiddleware


@pytest.mark.parametrize("first", [True, False])
def test_retries_are_one_call(first):
    """A call that is tried three times counts once, wherever the guard stands."""
    guard, recorder = watched(counted(deny=from_(2)))

    def fail(q: str):
        raise ValueError("kaput")

    ours = ToolbrakeMiddleware(guard)
    retries = ToolRetryMiddleware(max_retries=2, initial_delay=0, backoff_factor=0, jitter=False)
    failing = StructuredTool.from_function(fail, name="search", description="x")
    middleware = [ours, retries] if first else [retries, ours]
    graph, _ = agent(guard, [SEARCH], tools=[failing], middleware=middleware)
    graph.invoke(go())

    assert kinds(recorder).count("call") == 1


@pytest.mark.parametrize("first", [True, False])
def test_a_person_who_approves(first):
    """A call that another middleware asked about is counted once and runs."""
    guard, recorder = watched(counted(deny=from_(2)))
    graph = reviewed(guard, first)
    graph.invoke(go(), THREAD)
    final = graph.invoke(Command(resume={"decisions": [{"type": "approve"}]}), THREAD)

    assert kinds(recorder) == ["user", "call", "result"]
    assert final["messages"][2].text == "found x"


def test_a_person_who_rejects():
    """A call that was answered before the guard saw it was denied by somebody else."""
    guard, recorder = watched(counted())
    graph = reviewed(guard, first=True)
    graph.invoke(go(), THREAD)
    graph.invoke(Command(resume={"decisions": [{"type": "reject", "message": "no"}]}), THREAD)

    result = recorder.events[-1]
    assert (result.denied_by, result.error) == ("the host", True)


def test_a_person_who_answers():
    """An answer in the tool's place is the call's result."""
    guard, recorder = watched(counted())
    graph = reviewed(guard, first=True)
    graph.invoke(go(), THREAD)
    graph.invoke(Command(resume={"decisions": [{"type": "respond", "message": "it is y"}]}), THREAD)

    result = recorder.events[-1]
    assert (result.content, result.denied_by) == ("it is y", None)


def test_a_person_who_edits():
    """The edited call runs, and it is the same call still."""
    guard, recorder = watched(counted())
    graph = reviewed(guard, first=True)
    graph.invoke(go(), THREAD)
    edit = {"type": "edit", "edited_action": {"name": "search", "args": {"q": "y"}}}
    graph.invoke(Command(resume={"decisions": [edit]}), THREAD)

    assert kinds(recorder) == ["user", "call", "result"]
    assert "found y" in recorder.events[2].content


def test_a_limit():
    """Calls over a limit of LangChain's own are denials by somebody else."""
    guard, recorder = watched(counted())
    limit = ToolCallLimitMiddleware(run_limit=1)
    graph, _ = agent(guard, [SEARCH] * 2, middleware=[ToolbrakeMiddleware(guard), limit])
    graph.invoke(go())

    assert [event.denied_by for event in recorder.events if event.type == "result"] == [None, "the host"]


def reviewed(guard, first):
    ours = ToolbrakeMiddleware(guard)
    allowed = ["approve", "edit", "reject", "respond"]
    person = HumanInTheLoopMiddleware(interrupt_on={"search": {"allowed_decisions": allowed}})
    middleware = [ours, person] if first else [person, ours]
    return agent(guard, [SEARCH], middleware=middleware, saver=InMemorySaver())[0]
