"""The demo: a model that reacts, two runs that differ, recorded loops that are found, and a command that shows them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.tracers import langchain as tracing
from langsmith import tracing_context

import toolbrake
from toolbrake.cli import main
from toolbrake.config import load
from toolbrake.demo import agent, drawing, model, recorded
from toolbrake.demo.run import Run, Step, Told, Turn

ESCAPE = "\x1b"


@pytest.fixture(autouse=True)
def environment(monkeypatch):
    """No colour settings and no way past the guard in the environment, and lines of a known length."""
    for name in ("NO_COLOR", "FORCE_COLOR", "TOOLBRAKE_OFF", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "100")


@pytest.fixture(scope="module")
def unguarded():
    return agent.run_unguarded()


@pytest.fixture(scope="module")
def guarded():
    return agent.run_guarded("standard")


@pytest.fixture(scope="module")
def runs():
    return recorded.replay_trace(load("standard"))


# The model


def response(*messages):
    """The model's answer to a question and what has happened since."""
    return model.StuckModel().invoke([HumanMessage("Will it rain?"), *messages])


def result(tool, text, status="success"):
    return ToolMessage(text, name=tool, tool_call_id="call_1", status=status)


def asked(message):
    return [call["name"] for call in message.tool_calls]


def test_model_begins_with_a_search():
    """Asked something, the model searches."""
    assert asked(response()) == ["search"]


def test_model_reads_what_it_found():
    """After a search the model opens a page."""
    assert asked(response(AIMessage(""), result("search", "a page"))) == ["read"]


def test_model_searches_again():
    """After a page the model searches for the same again."""
    assert asked(response(AIMessage(""), result("read", "nothing"))) == ["search"]


def test_model_ignores_a_reminder():
    """A reminder is read, remarked on, and not obeyed."""
    said = response(AIMessage(""), result("read", "nothing\n\n[toolbrake/stall] toolbrake: stop it"))

    assert said.text.startswith("I was reminded, and go on all the same.")
    assert asked(said) == ["search"]


def test_model_obeys_a_denial():
    """A denial ends the round: the model answers without another call."""
    said = response(AIMessage(""), result("search", "REPEAT_TOOL_BLOCKED: stop it", status="error"))

    assert said.text.startswith("I could not find out.")
    assert asked(said) == []


def test_reminders_are_told_apart_from_the_result():
    """Every reminder below a result is heard as one, without the label that says who speaks."""
    said = result("read", "nothing\n\n[toolbrake/cycle] toolbrake: one\n\n[toolbrake/stall] toolbrake: two")

    assert model.heard([said]) == ("nothing", (Told("remind", "toolbrake: one"), Told("remind", "toolbrake: two")))


def test_characters_of_a_message():
    """What a message costs is its text and its calls."""
    message = AIMessage("abc", tool_calls=[{"name": "read", "args": {"page": "x"}, "id": "call_1"}])

    assert model.characters(message) == len("abc") + len("read") + len('{"page": "x"}')


# A run

TURNS = (
    Turn(10, "", (), "I search.", "search()"),
    Turn(30, "found", (Told("remind", "again?"),), "I read.", "read()"),
    Turn(60, "", (Told("deny", "no"),), "I give up.", ""),
)


def test_tokens_are_estimated():
    """The estimate is a quarter of the characters sent in all turns."""
    assert Run(TURNS, 1, "I give up.").tokens == 25


def test_what_toolbrake_did_is_counted():
    """Reminders and denials are counted over all turns."""
    run = Run(TURNS, 1, "I give up.")

    assert (run.count("remind"), run.count("deny")) == (1, 1)


def test_steps_have_what_came_of_them():
    """A step's result and reminders are those that the next turn was told."""
    assert Run(TURNS, 1, "I give up.").steps == [
        Step("I search.", "search()", "found", (Told("remind", "again?"),)),
        Step("I read.", "read()", "", (Told("deny", "no"),)),
    ]


def test_last_step_of_a_run_that_was_cut_off():
    """Where a run is cut off after a call, that call is a step of which nothing is known."""
    run = Run(TURNS[:2], 1, "cut off")

    assert run.steps[-1] == Step("I read.", "read()")
    assert not run.answered


# The agents


def test_unguarded_run_ends_at_the_limit(unguarded):
    """Without a guard every turn makes a call, until the limit."""
    assert (len(unguarded.turns), unguarded.executed, unguarded.answered) == (25, 25, False)


def test_unguarded_run_is_told_nothing(unguarded):
    """Without a guard nobody tells the model that it repeats itself."""
    assert all(turn.told == () for turn in unguarded.turns)


def test_guarded_run_ends_by_itself(guarded):
    """With a guard the model gives an answer, before the limit."""
    assert guarded.answered
    assert len(guarded.turns) < 25


def test_guarded_run_is_reminded_before_it_is_denied(guarded):
    """Both tiers are seen, the reminder first, the denial last."""
    told = [one.action for turn in guarded.turns for one in turn.told]

    assert told[0] == "remind"
    assert told.index("deny") == len(told) - 1


def test_reminder_is_ignored(guarded):
    """After the first reminder the agent goes on."""
    first = next(turn for turn in guarded.turns if turn.told)

    assert first.call


def test_denied_call_is_not_executed(guarded):
    """A call that was denied has not run, every other has."""
    assert guarded.executed == len(guarded.steps) - 1


def test_guarded_run_is_sent_less(unguarded, guarded):
    """The guarded run costs fewer tokens than the other, reminders included."""
    assert guarded.tokens < unguarded.tokens


def test_identical_calls_in_a_row_are_not_the_point(unguarded):
    """A rule that counts identical calls in a row does not see this loop: the run is the unguarded one."""
    assert agent.run_guarded("brake") == unguarded


def test_both_runs_are_the_same_every_time(guarded):
    """A second run is the first one again."""
    assert agent.run_guarded("standard") == guarded


def test_nothing_is_traced(monkeypatch):
    """Somebody who has LangChain's tracing on does not send the demo anywhere."""
    made = []
    monkeypatch.setattr(tracing.LangChainTracer, "__init__", lambda *_, **__: made.append("a tracer"))
    with tracing_context(enabled=True):
        agent.run_unguarded()

    assert made == []


# The recorded runs


def test_trace_can_be_read():
    """Every line of the trace is a run, and every event in it has a meaning."""
    items = list(recorded.read_lines(recorded.trace().encode().splitlines(), "demo.jsonl"))

    assert all(isinstance(item, recorded.Trajectory) for item in items)
    assert {event.type for item in items for event in item.events} == {"user", "assistant", "call", "result"}


def test_every_loop_is_found(runs):
    """The default policy speaks in every loop that the trace's author put in."""
    quiet = [loop for run in runs for loop in run.loops if not any(run.loop_at(row.call) == loop for row in run.said)]

    assert quiet == []


def test_work_is_left_alone(runs):
    """The default policy says nothing to the calls that are no loop."""
    assert [(run.id, row.call, row.rule) for run in runs for row in run.said if run.loop_at(row.call) is None] == []


def test_loops_are_of_many_shapes(runs):
    """Six rules are needed to see them all."""
    assert {row.rule for run in runs for row in run.said} == {
        "cycle",
        "denials",
        "failures",
        "stagnation",
        "stall",
        "waiting",
    }


def test_no_run_of_the_trace_is_halted(runs):
    """No loop of the trace goes on for so long that the default policy ends the run."""
    assert [row.call for run in runs for row in run.said if row.action == "halt"] == []


# The drawing


def drawn(table, capsys):
    drawing.console().print(table)
    return capsys.readouterr().out


def test_repetition_is_one_row(unguarded, guarded, capsys):
    """What only repeats itself to the end of the longer run is one row."""
    assert "the same again, 16 steps more" in drawn(drawing.side_by_side(unguarded, guarded, "standard"), capsys)


def test_texts_are_shown_as_the_model_reads_them(unguarded, guarded, capsys, monkeypatch):
    """Reminders and denials are shown word for word."""
    monkeypatch.setenv("COLUMNS", "1000")
    shown = drawn(drawing.side_by_side(unguarded, guarded, "standard"), capsys)
    told = [one for turn in guarded.turns for one in turn.told]

    assert [one.text for one in told if f": {one.text} " not in shown] == []


def test_policy_names_are_no_markup(unguarded, guarded, capsys):
    """Brackets in the name of a policy file are shown and mean nothing."""
    assert "[red]" in drawn(drawing.side_by_side(unguarded, guarded, "[red].yaml"), capsys)


# The command


def test_demo(capsys):
    """The command shows both halves, and is fine."""
    status = main(["demo"])

    shown = capsys.readouterr().out
    assert status == 0
    assert "An agent that is stuck" in shown
    assert "Recorded runs, replayed with the policy standard" in shown


def test_demo_says_what_is_scripted(capsys):
    """The command says that the model is a script, what it obeys, and how tokens are estimated."""
    main(["demo"])
    shown = " ".join(capsys.readouterr().out.split())

    assert "The scripted model reads what it is sent, ignores reminders and obeys the first denial" in shown
    assert "all characters that the model was sent, step by step, divided by 4" in shown


def test_demo_is_the_same_every_time(capsys):
    """Two runs of the command print the same."""
    main(["demo"])
    first = capsys.readouterr().out
    main(["demo"])

    assert capsys.readouterr().out == first


def test_no_colour_without_a_terminal(capsys):
    """What is printed into a file or a pipe is plain ASCII but for the lines of tables."""
    main(["demo"])
    shown = capsys.readouterr().out

    assert {letter for letter in shown if not letter.isascii()} == {"─"}
    assert ESCAPE not in shown


@pytest.mark.parametrize(("variable", "coloured"), [("FORCE_COLOR", True), ("NO_COLOR", False)])
def test_colour(capsys, monkeypatch, variable, coloured):
    """Colours come where they are asked for, and NO_COLOR has the last word."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv(variable, "1")
    main(["demo"])

    assert bool(re.search(r"\x1b\[[0-9;]*3[0-7]m", capsys.readouterr().out)) is coloured


def test_reader_that_goes_away():
    """Whoever reads the beginning only has done nothing wrong."""
    environment = {**os.environ, "PYTHONPATH": str(Path(toolbrake.__file__).parents[1])}
    words = [sys.executable, "-m", "toolbrake", "demo"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as demo:  # noqa: S603 - our own command
        demo.stdout.close()

        assert demo.stderr.read() == b""
    assert demo.returncode == 0


def test_another_policy(capsys, tmp_path, monkeypatch):
    """With --policy both halves are of that policy."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.json").write_text('{"rules": {"stall": {"ladder": {"deny": 2}}}}')
    main(["demo", "--policy", "mine.json"])
    shown = capsys.readouterr().out

    assert "with toolbrake, policy mine.json" in shown
    assert "replayed with the policy mine.json" in shown


def test_policy_that_cannot_be_built(capsys):
    """A policy that is none ends with 2, before anything is shown."""
    status = main(["demo", "--policy", "nosuch"])

    assert (status, capsys.readouterr().out) == (2, "")


def test_trace(capsys):
    """With --trace the recorded runs are printed, and nothing else."""
    status = main(["demo", "--trace"])

    assert (status, capsys.readouterr().out) == (0, recorded.trace())


# Without the extras


def lose(monkeypatch, package, *ours):
    """Make a package, and those of our modules that need it, as if it had never been imported or installed."""
    for name in [name for name in sys.modules if name.partition(".")[0] == package]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, package, None)
    for name in ours:
        monkeypatch.delitem(sys.modules, f"toolbrake.demo.{name}", raising=False)


def test_without_langchain(capsys, monkeypatch):
    """Without LangChain the second half is shown, and the error is the command that brings the first."""
    lose(monkeypatch, "langchain", "agent", "model")
    status = main(["demo"])

    said = capsys.readouterr()
    assert (status, said.err) == (2, "toolbrake: toolbrake demo needs: pip install 'toolbrake[langchain,cli]'\n")
    assert "Recorded runs" in said.out
    assert "An agent that is stuck" not in said.out


def test_without_rich(capsys, monkeypatch):
    """Without rich nothing is shown, and the error is the command that helps."""
    lose(monkeypatch, "rich", "drawing")
    status = main(["demo"])

    said = capsys.readouterr()
    assert (status, said.out) == (2, "")
    assert said.err == "toolbrake: toolbrake demo needs: pip install 'toolbrake[langchain,cli]'\n"


def test_trace_needs_no_extra(capsys, monkeypatch):
    """The recorded runs are printed without any extra."""
    lose(monkeypatch, "rich", "drawing")
    lose(monkeypatch, "langchain", "agent", "model")

    assert main(["demo", "--trace"]) == 0
    assert capsys.readouterr().out.startswith('{"version":1,')
