"""The trace: what can be read is read and loses nothing, what cannot is told with its place."""

from __future__ import annotations

import gzip
import io
import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.strategies import PROPERTY, events, json_values
from toolbrake.core.events import Call, Result, Unknown, User
from toolbrake.scan.model import Trajectory, Unreadable
from toolbrake.scan.trace import dumps, read_file, read_lines, read_paths, write

CALL = {"type": "call", "id": "c1", "tool": "read", "args": {"path": "a"}}
RESULT = {"type": "result", "id": "c1", "content": "text", "error": False}


def line(*told, **fields):
    """One line of a trace."""
    return json.dumps({"version": 1, "id": "t1", "events": list(told), **fields}).encode() + b"\n"


def read(*lines):
    """What lines of bytes hold."""
    return list(read_lines(io.BytesIO(b"".join(lines)), "a.jsonl"))


def read_one(*told):
    """The events of one trajectory that can be read whole."""
    (trajectory,) = read(line(*told))
    return trajectory.events


# What is read


def test_fields():
    """A trajectory holds what its line says, fields without a meaning included."""
    (trajectory,) = read(line(CALL, source="claude", success=False, labels={"loop": True}, x_cost=3))

    assert trajectory == Trajectory(
        id="t1",
        events=[Call("read", {"path": "a"}, id="c1", step="step 1")],
        source="claude",
        success=False,
        labels={"loop": True},
        extra={"x_cost": 3},
    )


def test_no_more_than_events():
    """A line needs its events alone; a trajectory without an id is named by its place."""
    (trajectory,) = read(b'{"events": []}')

    assert trajectory == Trajectory(id="a.jsonl:1", events=[])


@pytest.mark.parametrize("id", [None, 7])
def test_odd_ids(id):
    """A trajectory's id is a text, whatever the line says; null is none."""
    (trajectory,) = read(line(id=id))

    assert trajectory.id == ("a.jsonl:1" if id is None else "7")


def test_blank_lines():
    """Blank lines hold nothing."""
    assert [trajectory.id for trajectory in read(b"\n", line(), b"  \n", line(id="t2"), b"\n")] == ["t1", "t2"]


def test_last_line_without_a_line_feed():
    """The last line needs no line feed."""
    assert len(read(line(), line().rstrip())) == 2


def test_unknown_events_and_fields():
    """Events of unknown types and unknown fields are kept."""
    told = read_one({"type": "x_notice", "level": 3}, {"type": "user", "content": "hi", "x_host": [1]})

    assert told == [Unknown("x_notice", extra={"level": 3}), User("hi", extra={"x_host": [1]})]


def test_no_agent():
    """An explicit null is a call made by no agent; a missing one is the main agent's."""
    told = read_one({**CALL, "agent": None}, CALL)

    assert [event.agent for event in told] == [None, "main"]


# Sessions


def test_session_applies_to_what_follows():
    """After a session event everything belongs to it, up to the next one."""
    told = read_one(CALL, {"type": "session", "session": "s"}, CALL, RESULT, {"type": "session", "session": "t"}, CALL)

    assert [event.session for event in told] == ["main", "s", "s", "s", "t", "t"]


def test_event_that_names_its_session():
    """An event that names its session belongs there, and those after it do not."""
    told = read_one({"type": "session", "session": "s"}, {**CALL, "session": "other"}, RESULT)

    assert [event.session for event in told] == ["s", "other", "s"]


def test_session_ends_with_its_trajectory():
    """A session event does not reach into the next trajectory."""
    first, second = read(line({"type": "session", "session": "s"}), line(CALL))

    assert first.events[0].session == "s"
    assert second.events[0].session == "main"


# Steps

A, B, C = ({**CALL, "id": name} for name in "abc")
SPEECH = {"type": "assistant", "content": "hm"}
TURN = {"type": "user", "content": "hi"}
STEPS = [
    ("calls in a row", [A, B, C], "1 1 1"),
    ("a result between", [A, RESULT, B], "1 2"),
    ("results after a batch", [A, B, RESULT, RESULT, C], "1 1 2"),
    ("words between", [A, SPEECH, B], "1 2"),
    ("a user turn between", [A, TURN, B], "1 2"),
    ("another agent between", [A, {**B, "agent": "w"}, C], "1 2 1"),
    ("another agent's result between", [A, {**RESULT, "agent": "w"}, B], "1 1"),
    ("another session between", [A, {**B, "session": "s"}, C], "1 2 1"),
    ("own steps", [{**A, "step": "x"}, {**B, "step": "y"}], "x y"),
    ("own step between", [A, {**B, "step": "x"}, C], "1 x 2"),
    ("unknown step", [A, {**B, "step": None}, C], "1 None 2"),
]


@pytest.mark.parametrize(("told", "steps"), [row[1:] for row in STEPS], ids=[row[0] for row in STEPS])
def test_steps(told, steps):
    """Calls without a step that follow each other in their scope came in one; a step that is given is kept."""
    calls = [event for event in read_one(*told) if isinstance(event, Call)]

    assert " ".join(str(call.step).removeprefix("step ") for call in calls) == steps


def test_numbers_as_steps():
    """A step can be a number."""
    assert read_one({**CALL, "step": 3})[0].step == 3


# What cannot be read

BAD_LINES = [
    ("no JSON", b"{nope\n", "no JSON"),
    ("bytes that are no text", b'{"events": ["\xff"]}\n', "no JSON"),
    ("cut off", line(CALL)[:-5] + b"\n", "no JSON"),
    ("a list", b"[]\n", "a trajectory is an object (got list)"),
    ("another version", line(version=2), "version must be 1 (got 2)"),
    ("no events", b'{"id": "x"}\n', "events must be a list"),
    ("events that are no list", b'{"events": {}}\n', "events must be a list"),
    ("labels that are no object", b'{"events": [], "labels": [1]}\n', "labels must be an object"),
    ("nested too deep", b"[" * 100_000 + b"\n", "no JSON"),
]


@pytest.mark.parametrize(("bad", "reason"), [row[1:] for row in BAD_LINES], ids=[row[0] for row in BAD_LINES])
def test_bad_line(bad, reason):
    """A line that is no trajectory is told with file, line and reason, and the others are read."""
    before, problem, after = read(line(), bad, line(id="t2"))

    assert isinstance(problem, Unreadable)
    assert (problem.file, problem.line) == ("a.jsonl", 2)
    assert problem.reason.startswith(reason)
    assert (before.id, after.id) == ("t1", "t2")


BAD_EVENTS = [
    ("no object", 5, "event 2: an event is an object (got int)"),
    ("no type", {"tool": "x"}, "event 2: type must be a text (got nothing)"),
    ("no tool", {"type": "call"}, "event 2: call needs the field tool"),
    ("wrong kind", {"type": "result", "error": 1}, "event 2: result.error must be true, false or null (got int)"),
]


@pytest.mark.parametrize(("bad", "reason"), [row[1:] for row in BAD_EVENTS], ids=[row[0] for row in BAD_EVENTS])
def test_bad_event(bad, reason):
    """An event that cannot be read is told with its place, and the others of its trajectory are read."""
    problem, trajectory = read(line(), line(CALL, bad, RESULT))[1:]

    assert problem == Unreadable("a.jsonl", 2, reason)
    assert [event.type for event in trajectory.events] == ["call", "result"]


def test_place_of_a_problem():
    """A problem is written as file, line and reason; one with a whole file without a line."""
    assert str(Unreadable("a.jsonl", 3, "no JSON")) == "a.jsonl:3: no JSON"
    assert str(Unreadable("a.jsonl", 0, "no such file")) == "a.jsonl: no such file"


@PROPERTY
@given(st.lists(st.binary(max_size=30) | json_values().map(lambda value: json.dumps(value).encode()), max_size=5))
def test_any_input(lines):
    """Whatever the bytes, reading gives trajectories and problems, and raises nothing."""
    for item in read(*[one + b"\n" for one in lines]):
        assert isinstance(item, Trajectory | Unreadable)


# Files


def test_file(tmp_path):
    """A file is read by its path."""
    path = tmp_path / "a.jsonl"
    path.write_bytes(line() + line(id="t2"))

    assert [trajectory.id for trajectory in read_file(str(path))] == ["t1", "t2"]


def test_gzip(tmp_path):
    """A gzip file is told by its bytes, whatever its name."""
    path = tmp_path / "a.txt"
    path.write_bytes(gzip.compress(line() + line(id="t2")))

    assert [trajectory.id for trajectory in read_file(str(path))] == ["t1", "t2"]


def test_empty_file(tmp_path):
    """An empty file holds nothing, and that is no problem."""
    path = tmp_path / "a.jsonl"
    path.touch()

    assert list(read_file(str(path))) == []


def lines_of_noise(count):
    """So much that does not compress that a packed file is read in several parts."""
    return b"".join(line(id=f"t{place}", noise=hex(pow(3, place + 9_000))) for place in range(count))


DAMAGE = {
    "cut off": lambda packed: packed[: len(packed) // 2],
    "a byte changed": lambda packed: packed[: len(packed) // 2] + b"\xff\xff\xff\xff" + packed[len(packed) // 2 + 4 :],
    "no deflate stream": lambda packed: packed[:10] + b"\xff\xff\xff\xff" + packed[14:],
    "wrong sum": lambda packed: packed[:-8] + b"\0\0\0\0" + packed[-4:],
    "header only": lambda packed: packed[:5],
    "no gzip after all": lambda packed: packed[:2] + b"\0" * 50,
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_damaged_gzip(tmp_path, damage):
    """A damaged gzip file is a problem with that file; what was read before is kept, and other files are read."""
    bad, good = tmp_path / "a.jsonl.gz", tmp_path / "b.jsonl"
    bad.write_bytes(damage(gzip.compress(lines_of_noise(40))))
    good.write_bytes(line(id="other"))

    *_, problem, other = read_paths([str(bad), str(good)])

    assert (problem.file, problem.line) == (str(bad), 0)
    assert other.id == "other"


def test_missing_file(tmp_path):
    """A file that is not there is a problem with that file."""
    path = str(tmp_path / "missing.jsonl")

    assert list(read_paths([path])) == [Unreadable(path, 0, "No such file or directory")]


def test_folder(tmp_path):
    """Of a folder every trace below is read, in order of name, and nothing else."""
    (tmp_path / "sub").mkdir()
    (tmp_path / "b.jsonl").write_bytes(line(id="b"))
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(line(id="a")))
    (tmp_path / "sub" / "c.jsonl").write_bytes(line(id="c"))
    (tmp_path / "notes.txt").write_text("not a trace")

    assert [trajectory.id for trajectory in read_paths([str(tmp_path)])] == ["a", "b", "c"]


def test_folder_without_a_trace(tmp_path):
    """A folder that holds no trace is a problem."""
    (problem,) = read_paths([str(tmp_path)])

    assert (problem.file, problem.line) == (str(tmp_path), 0)


def test_lines_are_read_one_at_a_time():
    """A trajectory is handed out before the next line is asked for."""

    class Endless(io.RawIOBase):
        def __iter__(self):
            return iter(line, None)

    items = read_lines(Endless(), "endless")

    assert [next(items).id for _ in range(3)] == ["t1"] * 3


# There and back


def written(trajectory):
    """A trajectory that was written and read again."""
    (again,) = read(dumps(trajectory).encode() + b"\n")
    return again


@PROPERTY
@given(st.lists(events(), max_size=8), st.dictionaries(st.sampled_from(["a", "b"]), st.integers(), max_size=2))
def test_there_and_back(told, labels):
    """A trajectory that was written reads back as the same trajectory, lone surrogates and all."""
    trajectory = Trajectory(id="t", events=told, source="x", success=None, labels=labels, extra={"x_cost": 1})

    assert written(trajectory) == trajectory


@pytest.mark.parametrize(
    "value",
    [2**53 + 1, 2**63, 2**64, -(2**63) - 1, 10**30, 0.1, 1e300, -0.0, "\ud800", "\U0001f600", "\u2028", "\x00", ""],
    ids=repr,
)
def test_value_survives(value):
    """A value comes back digit for digit and character for character."""
    again = written(Trajectory(id="t", events=[Call("x", {"value": value}, step="s")]))

    assert repr(again.events[0].args["value"]) == repr(value)


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan], ids=repr)
def test_number_that_json_has_not(value):
    """NaN and infinities, which real traces hold, come back."""
    again = written(Trajectory(id="t", events=[Result("c1", {"value": value})]))

    assert repr(again.events[0].content["value"]) == repr(value)


@pytest.mark.parametrize("text", [b"12345678901234567890123", b"NaN", b'"\\ud800"', b"1e400", b"-0"], ids=bytes.decode)
def test_value_as_written(text):
    """What a foreign trace writes is read as the standard library reads it."""
    (trajectory,) = read(b'{"events": [{"type": "call", "tool": "x", "args": [' + text + b"]}]}")

    assert repr(trajectory.events[0].args[0]) == repr(json.loads(text))


def test_unknown_step_stays_unknown():
    """A step that is null is written and read as null."""
    again = written(Trajectory(id="t", events=[Call("x", {}), Call("x", {})]))

    assert [call.step for call in again.events] == [None, None]


def test_no_agent_stays_none():
    """A call made by no agent comes back as one."""
    assert written(Trajectory(id="t", events=[Call("x", {}, agent=None)])).events[0].agent is None


def test_events_after_a_session_come_back():
    """Events that a session event placed are written so that they read back in their session."""
    (trajectory,) = read(line({"type": "session", "session": "s"}, CALL))

    assert written(trajectory) == trajectory


def test_main_session_after_another_comes_back():
    """An event that names the main session after a session event is written so that it reads back there."""
    (trajectory,) = read(line({"type": "session", "session": "s"}, {**CALL, "session": "main"}))

    assert written(trajectory) == trajectory


def test_live_content_is_written():
    """What is no JSON, as a live run can hold, is written as text rather than lost with its run."""
    again = written(Trajectory(id="t", events=[Result("c1", {1}, error=False)]))

    assert again.events[0].content == "{1}"


def test_one_line_a_trajectory():
    """A trajectory is one line, whatever its texts hold, and ends with a line feed."""
    out = io.StringIO()
    write([Trajectory(id="a\nb", events=[User("x\r\n\u2028y")]), Trajectory(id="c", events=[])], out)

    assert out.getvalue().count("\n") == 2
    assert out.getvalue().endswith("\n")


def test_written_fields():
    """A line holds version, id, source, success, labels, what the reader did not know, and the events."""
    text = dumps(Trajectory(id="t", events=[User("hi")], source="s", success=True, labels={"a": 1}, extra={"x": 2}))

    assert json.loads(text) == {
        "version": 1,
        "id": "t",
        "source": "s",
        "success": True,
        "labels": {"a": 1},
        "x": 2,
        "events": [{"type": "user", "content": "hi"}],
    }
