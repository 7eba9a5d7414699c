"""A LangGraph tool node on its own, where LangChain's other hooks do not run."""

from __future__ import annotations

import warnings
from typing import Annotated

import pytest
from conformance import counted, from_
from langchain.tools import ToolRuntime  # noqa: TC002 - tools' annotations are read
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.tools import StructuredTool, tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.graph.message import add_messages
from langgraph.prebuilt import ToolNode, create_react_agent
from langgraph.types import Command
from pydantic import BaseModel
from rig_langchain import THREAD, ScriptedModel, search

from toolbrake import Guard, LoopHalted
from toolbrake.adapters.langchain import ToolbrakeMiddleware
from toolbrake.adapters.langchain._messages import result_in, with_texts
from toolbrake.testing import Recorder


def node(policy, *tools, handle_tool_errors=False, **options):
    """A guarded tool node."""
    middleware = ToolbrakeMiddleware(Guard(policy), **options)
    return ToolNode(
        list(tools or (search,)), wrap_tool_call=middleware.wrap_tool_call, handle_tool_errors=handle_tool_errors
    )


def graph(tools, saver=None):
    """The smallest graph around a tool node."""
    builder = StateGraph(MessagesState)
    builder.add_node("tools", tools)
    builder.add_edge(START, "tools")
    builder.add_edge("tools", END)
    return builder.compile(checkpointer=saver)


def asking(*ids):
    """A conversation in which a model has just made the same call under each of these ids."""
    calls = [{"name": "search", "args": {"q": "x"}, "id": call} for call in ids]
    return {"messages": [HumanMessage("go", id="said"), AIMessage("", tool_calls=calls)]}


def test_in_create_react_agent():
    """The agent of LangGraph's own takes it, too."""
    model = ScriptedModel(steps=[[("search", {"q": "x"})]] * 2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        agent = create_react_agent(model, node(counted(deny=from_(2))))
    final = agent.invoke({"messages": [HumanMessage("go")]})["messages"]

    assert final[-2].text == "toolbrake: deny at 2"


def test_blocks():
    """Below a list of blocks a reminder is one more block, and the artifact is the tool's own."""
    blocks = [{"type": "text", "text": "found"}]
    artifact = object()

    def find(q: str):
        return blocks, artifact

    rich = StructuredTool.from_function(
        find, name="search", description="Find something.", response_format="content_and_artifact"
    )
    result = graph(node(counted(remind=(1,)), rich)).invoke(asking("a"))["messages"][-1]

    assert result.content == [*blocks, {"type": "text", "text": "[toolbrake/counted] toolbrake: remind at 1"}]
    assert result.artifact is artifact


@pytest.mark.parametrize("wrapped", [lambda command: command, lambda command: [command]])
def test_commands(wrapped):
    """The message that answers the call carries the reminder, whatever else is in the command, and in a list."""

    @tool("search")
    def command(q: str, runtime: ToolRuntime):
        """Find something."""
        answer = ToolMessage("inside", tool_call_id=runtime.tool_call_id)
        return wrapped(Command(update={"messages": [answer, HumanMessage("beside")]}))

    final = graph(node(counted(remind=(1,)), command)).invoke(asking("a"))["messages"]

    assert [message.text for message in final[-2:]] == [
        "inside\n\n[toolbrake/counted] toolbrake: remind at 1",
        "beside",
    ]


def test_a_command_that_updates_messages_alone():
    """A graph whose state is its messages has commands that update a list."""
    command = Command(update=[ToolMessage("inside", tool_call_id="a")])

    assert result_in(command, "a").text == "inside"
    assert with_texts(command, "a", ["note"]).update[0].text == "inside\n\nnote"


def test_only_one_call_of_a_batch_can_ask():
    """Answers could meet the wrong question, so the others are refused."""
    tools = graph(node(counted(ask=(1, 2))), InMemorySaver())
    tools.invoke(asking("a", "b"), THREAD)
    final = tools.invoke(Command(resume=True), THREAD)["messages"]

    assert final[-2].text == "found x"
    assert "nobody can be asked here" in final[-1].text


def test_a_halt_passes_error_handling():
    """``handle_tool_errors=True`` does not turn a raised halt into a result."""
    tools = graph(node(counted(halt=from_(1)), handle_tool_errors=True, on_halt="raise"))
    tools.invoke(asking("a"))

    with pytest.raises(LoopHalted):
        tools.invoke(asking("b"))


def test_messages_as_state():
    """A tool node that is handed messages instead of a state is guarded like any other."""
    tools = node(counted(deny=from_(2)))
    final = graph(lambda state: {"messages": tools.invoke(state["messages"])}).invoke(asking("a", "b"))

    assert [message.status for message in final["messages"][-2:]] == ["success", "error"]


def test_a_model_as_state():
    """A state that is an object with messages is read like any other."""

    class State(BaseModel):
        messages: Annotated[list, add_messages]

    builder = StateGraph(State)
    builder.add_node("tools", node(counted(deny=from_(2))))
    builder.add_edge(START, "tools")
    builder.add_edge("tools", END)
    final = builder.compile().invoke(asking("a", "b"))

    assert [message.status for message in final["messages"][-2:]] == ["success", "error"]


def test_calls_without_a_conversation():
    """Calls that belong to no message are judged alone, and never counted together."""
    recorder = Recorder()
    middleware = ToolbrakeMiddleware(Guard(counted(deny=from_(2)), observers=[recorder]))
    tools = ToolNode([search], wrap_tool_call=middleware.wrap_tool_call)
    call = {"name": "search", "args": {"q": "x"}, "id": "a", "type": "tool_call"}
    alone = graph(lambda state: tools.invoke([call]))
    for _ in range(2):
        alone.invoke({"messages": []})

    assert [decision.action for decision in recorder.decisions] == ["allow"] * 4
