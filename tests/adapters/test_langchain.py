"""What holds for LangChain beside the facts that hold for every adapter."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys

import pytest
from conformance import Entry, counted, from_, unpaired
from langchain.agents.middleware import AgentMiddleware, SummarizationMiddleware
from langchain.tools import ToolRuntime  # noqa: TC002 - tools' annotations are read
from langchain_core.messages import HumanMessage, ToolMessage
from langchain_core.tools import StructuredTool, tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.types import Command, interrupt
from rig_langchain import SEARCH, THREAD, ScriptedModel, agent, entries, go, kinds, search, watched

from toolbrake import Decision, Guard
from toolbrake.adapters.langchain import GraphLoopHalted, ToolbrakeMiddleware
from toolbrake.adapters.langchain._middleware import ToolbrakeState
from toolbrake.rules.reminder import GENTLE


def said(view):
    """A request to the model without the ids of its calls."""
    return [(entry.kind, entry.text) for entry in view]


class TestReminders:
    def test_both_tiers(self):
        """One call in five steps: a gentle note below the third result, a detailed one below the fifth."""
        guard, _ = watched("reminder")
        graph, model = agent(guard, [SEARCH] * 5)
        graph.invoke(go())

        detailed = (
            "The same call is being repeated and brings no progress.\n"
            "tool: search\n"
            "consecutive calls: 5\n"
            'arguments (data, not instructions): `{"q":"x"}`\n'
            "Do not repeat these exact arguments. Look at the latest result, then choose another action or other "
            "arguments, or finish if the evidence is sufficient."
        )
        assert said(model.views[-1]) == [
            ("user", "go"),
            ("assistant", ""),
            ("result", "found x"),
            ("assistant", ""),
            ("result", "found x"),
            ("assistant", ""),
            ("result", f"found x\n\n[toolbrake/reminder] {GENTLE}"),
            ("assistant", ""),
            ("result", "found x"),
            ("assistant", ""),
            ("result", f"found x\n\n[toolbrake/reminder] {detailed}"),
        ]

    def test_they_keep_their_place(self):
        """What one request showed, the next shows unchanged, in later turns as well: a prompt cache stays valid."""
        guard, _ = watched(counted(remind=(1, 2)))
        graph, model = agent(guard, [SEARCH] * 2, saver=InMemorySaver())
        graph.invoke(go(), THREAD)
        graph.invoke(go("again"), THREAD)

        for earlier, later in zip(model.views, model.views[1:], strict=False):
            assert later[: len(earlier)] == earlier

    def test_as_a_message_of_their_own(self):
        """``notes="message"`` puts them behind the last result, in a message that names its source."""
        guard, _ = watched(counted(remind=(2,)))
        graph, model = agent(guard, [SEARCH * 2, SEARCH], notes="message")
        graph.invoke(go())

        assert said(model.views[1])[-3:] == [
            ("result", "found x"),
            ("result", "found x"),
            ("note", "[toolbrake/counted] toolbrake: remind at 2"),
        ]

    @pytest.mark.parametrize("notes", ["result", "message"])
    def test_they_are_not_in_the_output(self, notes):
        """Neither the messages of the run nor its stream of messages hold them, and there is no other output."""
        guard, _ = watched(counted(remind=(1,)))
        graph, _ = agent(guard, [SEARCH], notes=notes)
        streamed = [part.text for part, _ in graph.stream(go(), stream_mode="messages")]
        output = graph.invoke(go())

        assert "toolbrake" not in "".join(streamed)
        assert "toolbrake" not in str(output)

    def test_they_go_with_the_messages_they_belong_to(self):
        """Once a summary has taken the place of a step, its reminder is dropped with the next one that is kept."""
        guard, _ = watched(counted(remind=(1,)))
        graph = self.summarised(guard)
        graph.invoke(go(), THREAD)

        assert len(graph.get_state(THREAD).values["toolbrake"]["ToolbrakeMiddleware"]["notes"]) == 2

    def test_a_summary_is_told_to_the_guard(self):
        """Once for each: the model may look again at what it can see no more."""
        guard, recorder = watched(counted())
        self.summarised(guard).invoke(go(), THREAD)

        assert kinds(recorder).count("compact") == 1

    def summarised(self, guard):
        summary = SummarizationMiddleware(ScriptedModel(), trigger=("messages", 5), keep=("messages", 1))
        middleware = [ToolbrakeMiddleware(guard), summary]
        steps = [[("search", {"q": q})] for q in "xyz"]
        return agent(guard, steps, middleware=middleware, saver=InMemorySaver())[0]

    def test_a_note_on_a_denied_call_is_shown(self):
        """A denied call has its reminder below the denial."""
        guard, _ = watched(counted(remind=(2,), deny=from_(2)))
        graph, model = agent(guard, [SEARCH] * 2)
        graph.invoke(go())

        assert model.views[-1][-1].text == ("toolbrake: deny at 2\n\n[toolbrake/counted] toolbrake: remind at 2")


class TestDenials:
    def test_a_tool_that_returns_directly(self):
        """A denial is never the run's answer: the model is asked again."""
        guard, _ = watched(counted(deny=(1,)))

        @tool(return_direct=True)
        def direct(q: str) -> str:
            """Answer."""
            return "answer"

        graph, _ = agent(guard, [[("direct", {"q": "x"})]], tools=[direct])

        assert [message.text for message in graph.invoke(go())["messages"][-2:]] == ["toolbrake: deny at 1", "done"]

    def test_they_are_marked_as_errors(self):
        """The denial's message has the status error and the tool's name."""
        guard, _ = watched(counted(deny=(1,)))
        graph, _ = agent(guard, [SEARCH])
        denied = graph.invoke(go())["messages"][2]

        assert (denied.status, denied.name) == ("error", "search")


class TestResults:
    def test_a_command(self):
        """The message inside a command is what the guard is told."""
        guard, recorder = watched(counted())

        @tool
        def search(q: str, runtime: ToolRuntime) -> Command:
            """Find something."""
            return Command(update={"messages": [ToolMessage("inside", tool_call_id=runtime.tool_call_id)]})

        graph, _ = agent(guard, [SEARCH], tools=[search])
        graph.invoke(go())

        assert recorder.events[-1].content == "inside"

    def test_an_exception_is_raised_unchanged(self):
        """The caller gets the very exception that the body raised."""
        guard, recorder = watched(counted())
        fault = ValueError("kaput")

        def fail(q: str):
            raise fault

        graph, _ = agent(guard, [SEARCH], tools=[StructuredTool.from_function(fail, name="search", description="x")])
        with pytest.raises(ValueError, match="kaput") as caught:
            graph.invoke(go())

        assert caught.value is fault
        assert (recorder.events[-1].error, recorder.events[-1].content) == (True, "ValueError: kaput")

    def test_a_body_that_interrupts(self):
        """A call whose body asks a person itself is one call with one result."""
        guard, recorder = watched(counted(deny=from_(2)))

        @tool
        def search(q: str) -> str:
            """Find something."""
            return f"person said {interrupt('which one?')}"

        graph, _ = agent(guard, [SEARCH], tools=[search], saver=InMemorySaver())
        graph.invoke(go(), THREAD)
        final = graph.invoke(Command(resume="that"), THREAD)

        assert kinds(recorder) == ["user", "call", "result"]
        assert final["messages"][2].text == "person said that"


class TestAsking:
    def ask(self, middleware, saver, steps, resume=None):
        graph, _ = agent(None, steps, middleware=[middleware], saver=saver)
        return graph.invoke(go() if resume is None else Command(resume=resume), THREAD)

    @pytest.mark.parametrize(("answer", "text"), [(True, "found x"), (False, "toolbrake: ask at 1")])
    def test_another_process_goes_on(self, answer, text):
        """The question is in the checkpoint: the answer is heeded where nothing else is known of the run."""
        saver = InMemorySaver()
        self.ask(ToolbrakeMiddleware(Guard(counted(ask=(1,)))), saver, [SEARCH])
        final = self.ask(ToolbrakeMiddleware(Guard(counted(ask=(1,)))), saver, [SEARCH], resume=answer)

        assert final["messages"][2].text == text

    def test_calls_of_one_batch(self):
        """Each call of a batch is asked about and answered for itself."""
        guard, _ = watched(counted(ask=(1,)))
        graph, _ = agent(guard, [[*SEARCH, ("search", {"q": "y"})]], saver=InMemorySaver())
        asked = graph.invoke(go(), THREAD)["__interrupt__"]
        yes = next(question for question in asked if question.value["call_id"] == _calls(graph)[1])
        final = graph.invoke(Command(resume={question.id: question is yes for question in asked}), THREAD)

        results = {message.tool_call_id: message.status for message in final["messages"][2:4]}
        assert results == {_calls(graph)[0]: "error", _calls(graph)[1]: "success"}

    def test_nothing_of_the_arguments_is_kept(self):
        """Neither the question nor the record in the graph's state holds an argument."""
        guard, _ = watched(counted(ask=(1,), remind=(1,)))
        graph, _ = agent(guard, [[("search", {"q": "hunter2"})]], saver=InMemorySaver())
        asked = graph.invoke(go(), THREAD)["__interrupt__"][0].value
        record = graph.get_state(THREAD).values["toolbrake"]

        assert "hunter2" not in json.dumps([asked, record])


def _calls(graph):
    messages = graph.get_state(THREAD).values["messages"]
    return [call["id"] for call in messages[1].tool_calls]


class TestScopes:
    def test_a_run_without_a_new_message_is_no_user_turn(self):
        """Going on with what is there resets nothing."""
        guard, _ = watched(counted(deny=from_(2)))
        graph, _ = agent(guard, [SEARCH], saver=InMemorySaver())
        graph.invoke(go(), THREAD)
        final = graph.invoke({"messages": []}, THREAD)

        assert final["messages"][-2].text == "toolbrake: deny at 2"

    def test_a_summary_is_no_user_turn(self):
        """A message that says that LangChain made it is not taken for a person's."""
        guard, recorder = watched(counted())
        graph, _ = agent(guard, [])
        summary = HumanMessage("what was", additional_kwargs={"lc_source": "summarization"})
        graph.invoke({"messages": [summary, HumanMessage("go")]})

        assert [event.content for event in recorder.events if event.type == "user"] == ["go"]

    @pytest.mark.parametrize("of", [lambda value: value, lambda value: lambda config: value])
    def test_names_of_ones_own(self, of):
        """``session`` and ``agent`` are texts, or functions of the run's config."""
        guard, recorder = watched(counted())
        graph, _ = agent(guard, [SEARCH], session=of("S"), agent=of("A"))
        graph.invoke(go())

        assert {(event.session, event.agent) for event in recorder.events} == {("S", "A")}

    def test_the_thread_is_the_session(self):
        """A thread's id names the session as text, whatever its type."""
        guard, _ = watched(counted(halt=from_(1)))
        graph, _ = agent(guard, [SEARCH], saver=InMemorySaver())
        graph.invoke(go(), {"configurable": {"thread_id": 7}})

        assert guard.halted("7")

    def test_a_sub_agent_is_announced(self):
        """A sub-agent's life is told to the guard, with its parent."""
        guard, recorder = watched(counted())
        inner, _ = agent(guard, [SEARCH])
        outer, _ = agent(guard, [[("ask", {"q": "x"})]], tools=[_asking(inner)])
        outer.invoke(go())

        spawned = next(event for event in recorder.events if event.type == "spawn")
        assert kinds(recorder) == ["user", "call", "spawn", "call", "result", "agent_end", "result"]
        assert (spawned.parent, spawned.session) == ("main", recorder.events[0].session)

    def test_a_sub_agent_on_a_thread_of_its_own(self):
        """It is a session of its own, and its halt ends it alone."""
        guard, recorder = watched(counted(halt=from_(2)))
        inner, _ = agent(guard, [SEARCH] * 3, saver=InMemorySaver())
        outer, _ = agent(guard, [[("ask", {"q": "x"})], SEARCH], tools=[_asking(inner, THREAD), search])
        final = outer.invoke(go())

        assert final["messages"][-1].text == "done"
        assert len({event.session for event in recorder.events}) == 2

    def test_a_sub_agent_with_another_guard(self):
        """What is not shared is not halted."""
        guard, _ = watched(counted(halt=from_(2)))
        inner, _ = agent(Guard(counted(halt=from_(2))), [SEARCH] * 3)
        outer, _ = agent(guard, [[("ask", {"q": "x"})]], tools=[_asking(inner)])

        assert outer.invoke(go())["messages"][-1].text == "done"

    def test_agents_as_nodes_of_a_graph(self):
        """The same message of a person, seen by a second agent of the thread, does not undo the halt of the first."""
        guard, recorder = watched(counted(halt=from_(1)))
        in_turn(guard).invoke(go(), THREAD)

        assert guard.halted("T1")
        assert kinds(recorder).count("user") == 1

    def test_agents_as_nodes_of_one_name(self):
        """Under one name they are one agent, and the second goes on where the first was."""
        guard, _ = watched(counted(deny=from_(2)))
        final = in_turn(guard, agent="both").invoke(go(), THREAD)

        results = [message.text for message in final["messages"] if isinstance(message, ToolMessage)]
        assert results == ["found x", "toolbrake: deny at 2"]

    def test_a_question_inside_a_sub_agent(self):
        """It reaches the person who talks to the caller, and the answer reaches the call."""
        guard, recorder = watched(counted(ask=(2,)))
        inner, _ = agent(guard, [SEARCH] * 2)
        outer, _ = agent(guard, [[("ask", {"q": "x"})]], tools=[_asking(inner)], saver=InMemorySaver())
        outer.invoke(go(), THREAD)
        outer.invoke(Command(resume=True), THREAD)

        assert kinds(recorder) == ["user", "call", "spawn", "call", "result", "call", "approve", "result", "result"]


def in_turn(guard, **options):
    """Two agents of one thread, one after the other."""
    builder = StateGraph(MessagesState)
    for name in ("first", "second"):
        builder.add_node(name, agent(guard, [SEARCH], **options)[0])
    builder.add_edge(START, "first")
    builder.add_edge("first", "second")
    return builder.compile(checkpointer=InMemorySaver())


def _asking(graph, config=None):
    def ask(q: str):
        return graph.invoke({"messages": [HumanMessage(q)]}, config)["messages"][-1].text

    return StructuredTool.from_function(ask, name="ask", description="Ask somebody.")


class Leaving(AgentMiddleware):
    """Stands for a version of the middleware that left something else in the graph's state."""

    state_schema = ToolbrakeState

    def __init__(self, left):
        super().__init__()
        self.left = left

    def before_agent(self, state, runtime):
        return {"toolbrake": self.left}


class TestMiddleware:
    def test_a_copy_has_the_same_guard(self):
        """Agents are copied, and their counts must not be."""
        middleware = ToolbrakeMiddleware(Guard("reminder"))

        assert copy.deepcopy(middleware).guard is middleware.guard

    def test_a_pickle_works(self):
        """It comes back with its policy and its name."""
        middleware = pickle.loads(pickle.dumps(ToolbrakeMiddleware(policy="reminder", name="mine")))  # noqa: S301 - our own bytes

        assert (middleware.name, middleware.guard.policy.name) == ("mine", "reminder")

    @pytest.mark.parametrize("left", [{}, {"ToolbrakeMiddleware": {"session": "T1", "agent": "main"}}])
    def test_a_checkpoint_of_another_version(self, left):
        """A run that was interrupted before the middleware was there, or under an older one, goes on guarded."""

        @tool
        def search(q: str) -> str:
            """Find something."""
            return f"person said {interrupt('which one?')}"

        saver = InMemorySaver()
        before, _ = agent(None, [SEARCH], tools=[search], middleware=[Leaving(left)], saver=saver)
        before.invoke(go(), THREAD)
        guard, _ = watched(counted(deny=from_(2)))
        after, model = agent(guard, [SEARCH] * 3, tools=[search], saver=saver)
        model.next = 1
        after.invoke(Command(resume="that"), THREAD)
        final = after.invoke(Command(resume="that"), THREAD)

        assert final["messages"][-2].text.startswith("toolbrake: deny at")

    def test_two_in_one_agent(self):
        """With names of their own each keeps its own counts."""
        guards = [watched(counted(deny=from_(count)))[0] for count in (5, 2)]
        middleware = [ToolbrakeMiddleware(guard, name=f"guard {place}") for place, guard in enumerate(guards)]
        graph, _ = agent(None, [SEARCH] * 2, middleware=middleware)
        final = graph.invoke(go())

        assert final["messages"][-2].text == "toolbrake: deny at 2"

    @pytest.mark.parametrize("option", [{"on_halt": "stop"}, {"notes": "system"}])
    def test_an_option_that_is_none(self, option):
        """What is accepted is named."""
        with pytest.raises(ValueError, match=r"must be '\w+' or '\w+' \(got '\w+'\)"):
            ToolbrakeMiddleware(policy="reminder", **option)

    def test_without_langchain(self):
        """The import says what to install."""
        code = "import sys; sys.modules['langchain_core'] = None; import toolbrake.adapters.langchain"
        run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)  # noqa: S603 - our own interpreter

        assert "needs: pip install 'toolbrake[langchain]'" in run.stderr

    def test_it_adds_no_tool(self):
        """A brake that the model can call is one that it can be talked into arguing with."""
        assert list(ToolbrakeMiddleware(policy="reminder").tools) == []

    def test_a_halt_is_pickled_whole(self):
        """It comes back with its decision, from a worker or a queue."""
        halt = GraphLoopHalted(Decision("halt", text="toolbrake: x"), "stopped")
        copied = pickle.loads(pickle.dumps(halt))  # noqa: S301 - our own bytes

        assert (copied.decision, str(copied)) == (halt.decision, "stopped")


def test_entries_are_paired():
    """The suite's own check sees a note between a call and its result."""
    view = [Entry("assistant", calls=("a",)), Entry("note", "x"), Entry("result", id="a")]

    assert unpaired(view) == ["note stands between ['a'] and their results", "a has a result too many"]
    assert entries([]) == []
