"""Outcomes: the text of a result, its digests, and what kind of answer it is."""

# ruff: noqa: S604 - ``shell`` says what a tool is; nothing is run

from __future__ import annotations

import base64
import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.strategies import PROPERTY
from toolbrake.core.events import Result
from toolbrake.core.outcome import NOTICE, digest, outcome_of, text_of

TEXT = st.text(st.characters(exclude_categories=()), max_size=400)
"""Any text at all, lone surrogates too."""

NOTHING = [
    *(
        "",
        " \n\t",
        None,
        {},
        [],
        "{}",
        "[]",
        "null",
        "None",
        "ok",
        "OK.",
        "Done!",
        "success",
        "true",
        True,
        '""',
        "'ok'",
    ),
    *(".", "exit code: 0", "[exit code: 0]", "Exit code: 1", "(no output)", "(no new output)"),
    *("(Bash completed with no output)", "Tool ran without output or errors", "Command executed successfully"),
    *("Command executed successfully (no output).", "exitcode: 0 (execution succeeded)\nCode output: "),
    *("<returncode>0</returncode>\n<output>\n</output>", "Exit code: 0\nWall time: 0.4 seconds\nOutput:\n"),
    "Output: (empty)\nExit Code: 0\nProcess Group PGID: 41",
    *([{"type": "text", "text": ""}], [{"type": "text", "text": "ok"}]),
]

SOMETHING = [
    *("0", 0, "false", False, "no", "yes", "okapi", "ok 41%", "saved R1", "sent", "waited", "No matches found", "[1]"),
    *("{1}", "(end of file, 50 lines)", "exit code 3 means failure", "done 1-1", ["ok", "and more"], b"", "output"),
    *("Result submitted.", "no match", "created", "Written 8 bytes"),
]

STUBS = [
    "[Old tool result content cleared]",
    "Old tool result content cleared",
    "[tool result cleared to save context]",
    "[truncated]",
    "[truncated 500 lines]",
    "(output omitted)",
    "<response truncated>",
    "[Earlier output was pruned.]",
]

NO_STUBS = [
    "first 4000 characters ...[truncated]",
    "The old output was removed",
    "[file removed]",
    "[1, 2]",
    "(3 rows)",
    "[output omitted]\nbut this is left",
    "cleared",
    "[" + "x " * NOTICE + "output removed]",
]

UNCHANGED = [
    "file unchanged since your last read",
    "<file unchanged since last read>",
    "File unchanged since last read. What it gave you then still holds.",
    "The file a.py has not changed since you last read it.",
    "a.py: not modified since the last read",
]

CHANGED = [
    "File has been modified since last read",
    "File has not been read yet",
    "the file format is unchanged",
    "x" * NOTICE + " unchanged since last read",
]

RUNNING = [
    "Command still running (session calm-river, pid 1074). Use process to follow up.",
    "Command running in background with ID: 78dd67",
    "Command is running in background. PIDs: 4110",
    "Chunk ID: 5a1c00\nWall time: 10.0 seconds\nProcess running with session ID 4\nOriginal token count: 0\nOutput:\n",
]


def kind(content, **how):
    return outcome_of(Result(None, content, error=False), **how).kind


# Kinds.


@pytest.mark.parametrize("content", NOTHING, ids=repr)
def test_empty(content):
    """Answers that say nothing but that it worked are a kind of their own."""
    assert kind(content) == "empty"


@pytest.mark.parametrize("content", SOMETHING, ids=repr)
def test_not_empty(content):
    """An answer that says anything is not empty."""
    assert kind(content) == "success"


@pytest.mark.parametrize(
    ("content", "flag", "shell", "expected"),
    [
        ("no", True, False, "error"),
        ("", True, False, "error"),
        ("ok", None, False, "empty"),
        ("text", False, False, "success"),
        ("text", None, False, "unknown"),
        ({"ok": True, "id": 3}, None, False, "success"),
        ({"isError": True}, False, False, "error"),
        ("[exit code: 1]", False, True, "error"),
        ("[exit code: 0]", False, True, "empty"),
    ],
)
def test_kind(content, flag, shell, expected):
    """An error is one however little it says; a text of which nothing is known is unknown."""
    assert outcome_of(Result(None, content, error=flag), shell=shell).kind == expected


@pytest.mark.parametrize("text", STUBS)
def test_stub(text):
    """A note that a result was taken away is a stub."""
    outcome = outcome_of(Result(None, text, error=False))

    assert outcome.stub
    assert not outcome.unchanged


@pytest.mark.parametrize("text", NO_STUBS)
def test_no_stub(text):
    """A text that only holds the words of such a note is none."""
    assert not outcome_of(Result(None, text)).stub


@pytest.mark.parametrize("text", UNCHANGED)
@pytest.mark.parametrize("flag", [True, False])
def test_unchanged(text, flag):
    """A host's word that the answer is the same is evidence of that, and no error of its own."""
    outcome = outcome_of(Result(None, text, error=flag))

    assert outcome.unchanged
    assert not outcome.stub
    assert outcome.signature is None


@pytest.mark.parametrize("text", CHANGED)
def test_not_unchanged(text):
    """Other words about changes say nothing of the kind."""
    assert not outcome_of(Result(None, text)).unchanged


@pytest.mark.parametrize("text", RUNNING)
def test_running(text):
    """A command that goes on says nothing yet, under whatever name, and so one says the same as any other."""
    outcome = outcome_of(Result(None, text, error=False), shell=True)
    first = outcome_of(Result(None, RUNNING[0], error=False), shell=True)

    assert outcome.kind == "empty"
    assert outcome.levelled == first.levelled is not None


def test_running_and_output():
    """A command that goes on and has said something is judged by that."""
    assert kind("Command still running (pid 7)\n\nstep 3 of 9", shell=True) == "success"


# Digests.


@PROPERTY
@given(TEXT, st.integers(0, 400))
def test_exact_live_and_in_a_trace(text, cut):
    """A text, its digest in a trace and its head and tail with the digest are one and the same outcome."""
    live = outcome_of(Result(None, text)).exact
    whole = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:8]

    assert live == whole
    assert outcome_of(Result(None, head=text[:cut], tail=text[cut:], digest=digest(text))).exact == whole
    assert outcome_of(Result(None, digest=digest(text), length=len(text))).exact == whole


def test_exact_of_a_foreign_digest():
    """A digest of another make is compared with its like."""
    one, same, other = (outcome_of(Result(None, digest=text, length=9)).exact for text in ("md5:1", "md5:1", "md5:2"))

    assert one == same != other


@pytest.mark.parametrize(
    "result",
    [
        Result(None, digest="00" * 8),
        Result(None, digest="zz", length=1),
        Result(None, digest=""),
        Result(None, length=7, error=True),
        Result(None, levelled="ab", error=True),
        Result(None, head="a", digest="0"),
        Result(None, tail="a", error=True),
        Result(None),
    ],
    ids=repr,
)
def test_what_a_trace_may_leave_out(result):
    """Whatever is missing, an outcome has all of its parts."""
    outcome = outcome_of(result, shell=True)

    assert outcome.exact
    assert outcome.kind in ("empty", "error", "success", "unknown")
    assert outcome.levelled != b"" != outcome.signature


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (Result(None, digest=digest("text"), length=4), "unknown"),
        (Result(None, digest=digest("text"), error=False), "success"),
        (Result(None, digest=digest("text"), error=True), "error"),
        (Result(None, digest=digest(""), length=0, error=False), "empty"),
    ],
)
def test_result_without_its_text(result, expected):
    """A trace without the text does not make a result empty."""
    assert outcome_of(result).kind == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"a": 1, "b": [1, 2]}, {"b": [1, 2], "a": 1}),
        ([{"type": "text", "text": "a"}], "a"),
        (["a", "b"], "a\nb"),
        (b"\x00\x01", bytearray(b"\x00\x01")),
    ],
)
def test_equal_content(one, other):
    """Content that says the same has one digest."""
    assert outcome_of(Result(None, one)).exact == outcome_of(Result(None, other)).exact


def image(data):
    return {"type": "image", "data": base64.b64encode(data).decode(), "mimeType": "image/png"}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ([image(b"a" * 9)], [image(b"b" * 9)]),
        ([{"type": "text", "text": "a page"}, image(b"a" * 9)], [{"type": "text", "text": "a page"}, image(b"b" * 9)]),
        ([{"type": "text", "text": "a page"}, image(b"a" * 9)], [{"type": "text", "text": "a page"}]),
        (b"a" * 9, b"b" * 9),
        ([b"a"], [b"b"]),
        ({"image": b"a"}, {"image": b"b"}),
        ("text " + chr(0xD83D), "text " + chr(0xD83E)),
    ],
)
def test_different_content(one, other):
    """Pictures and bytes are compared, alone and beside a text."""
    assert outcome_of(Result(None, one)).exact != outcome_of(Result(None, other)).exact


def test_circular_content():
    """Content that holds itself has a digest, the same each time."""
    first: list[object] = ["a"]
    first.append(first)
    second: list[object] = ["a"]
    second.append(second)

    assert outcome_of(Result(None, first)).exact == outcome_of(Result(None, second)).exact


# Levelling.


@pytest.mark.parametrize("flag", [False, None])
def test_success_is_not_levelled(flag):
    """A number may be the answer: successes are compared as they are."""
    assert outcome_of(Result(None, "checkpoint 2031-05-01T10:01:00Z", error=flag)).levelled is None


def test_success_of_a_tool_that_stamps_is_levelled():
    """A profile may ask for levelling: an acknowledgement with a new id each time is one acknowledgement."""
    one = {"ok": True, "messageId": "m-6b86b273ff34", "ts": 1009}
    other = {"ok": True, "messageId": "m-d4735e3a265e", "ts": 1018}
    first, second = (outcome_of(Result(None, content, error=False), level=True) for content in (one, other))

    assert first.levelled == second.levelled is not None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Cell In[1], line 49\nSyntaxError: no (id=42)", "Cell In[2], line 51\nSyntaxError: no (id=44)"),
        ('<<<DATA id="6b86b273ff34">>>\nError: no', '<<<DATA id="d4735e3a265e">>>\nError: no'),
        ({"isError": True, "took": 3}, {"isError": True, "took": 14}),
    ],
)
def test_errors_are_levelled(one, other):
    """Errors that differ in numbers and ids are levelled to one."""
    first, second = (outcome_of(Result(None, content, error=True)) for content in (one, other))

    assert first.levelled == second.levelled is not None
    assert first.exact != second.exact


def test_error_and_success_with_one_text():
    """An error is never the same outcome as a success, whatever they say."""
    error, success = (outcome_of(Result(None, "no", error=flag)) for flag in (True, False))

    assert error.levelled != success.exact == error.exact


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "Chunk ID: 5a1c00\nWall time: 0.04 seconds\nProcess exited with code 0\nOutput:\nsrc",
            "Chunk ID: 5a1c25\nWall time: 1.30 seconds\nProcess exited with code 0\nOutput:\nsrc",
        ),
        ("Output: src\nExit Code: 0\nProcess Group PGID: 4100", "Output: src\nExit Code: 0\nProcess Group PGID: 97"),
        ("src\n<shellId: 1 completed with exit code 0>", "src\n<shellId: 12 completed with exit code 0>"),
        ({"stdout": "src", "exitCode": 0, "pid": 17}, {"stdout": "src", "exitCode": 0, "pid": 4}),
        ('{"output":"src","exit_code":0,"duration":1.2}', '{"output":"src","exit_code":0,"duration":3}'),
    ],
)
def test_stamps_of_a_host(one, other):
    """What a host stamps on a command's output is no part of the answer."""
    first, second = (outcome_of(Result(None, content, error=False), shell=True) for content in (one, other))

    assert first.levelled == second.levelled is not None


def test_output_inside_the_stamps():
    """Inside the stamps nothing is levelled."""
    head = "Wall time: 0.04 seconds\nOutput:\n"
    first, second = (outcome_of(Result(None, f"{head}{count} left"), shell=True) for count in (3, 2))

    assert first.levelled != second.levelled


def test_levelled_of_a_trace():
    """A levelled digest that a trace brought along equals its like, and none of our own."""
    given = digest("no such file")
    one, same, other, own = (
        outcome_of(Result(None, error=True, **fields))
        for fields in (
            {"head": "no such file 1", "digest": "00" * 8, "levelled": given},
            {"head": "no such file 2", "digest": "01" * 8, "levelled": given},
            {"head": "no such file 3", "digest": "02" * 8, "levelled": "ff" * 8},
            {"content": "no such file"},
        )
    )

    assert one.levelled == same.levelled
    assert len({one.levelled, other.levelled, own.levelled}) == 3
    assert one.signature == own.signature is not None


# Signatures.


def test_signature_masks_the_arguments():
    """One error of different calls has one signature."""
    first, second = (
        outcome_of(Result(None, f"no page {name}", error=True), words=lambda name=name: [name])
        for name in ("apples", "pears")
    )

    assert first.signature == second.signature is not None
    assert first.levelled != second.levelled


@pytest.mark.parametrize("content", ["404", "", "Error", "[exit code: 1]", "ok", {}])
def test_error_that_says_nothing(content):
    """Errors that say nothing have no signature: they are not the same error of different calls."""
    assert outcome_of(Result(None, content, error=True), shell=True).signature is None


@pytest.mark.parametrize("flag", [False, None])
def test_no_signature_of_a_success(flag):
    """Only errors have a signature, and only for them are the arguments fetched."""

    def words():
        raise AssertionError("fetched")

    outcome = outcome_of(Result(None, "all of the rows", error=flag), shell=True, level=True, words=words)

    assert outcome.signature is None
    assert outcome.levelled is not None


@PROPERTY
@given(TEXT, st.sampled_from([True, False, None]), st.booleans(), st.booleans(), st.lists(TEXT, max_size=3))
def test_never_raises(text, flag, shell, level, arguments):
    """Any text has an outcome with all of its parts, the same each time it is asked."""
    outcome = outcome_of(Result(None, text, error=flag), shell=shell, level=level, words=lambda: arguments)
    parts = (outcome.kind, outcome.exact, outcome.levelled, outcome.signature)

    assert parts == (outcome.kind, outcome.exact, outcome.levelled, outcome.signature)
    assert {len(part) for part in parts[1:] if part is not None} == {8}


@PROPERTY
@given(TEXT, TEXT)
def test_long_error_by_its_ends(head, tail):
    """A long error is known by its head and tail, live and as a trace cuts it."""
    first, last = (head + "h" * 2048)[:2048], ("t" * 2048 + tail)[-2048:]
    live = outcome_of(Result(None, f"{first}{'m' * 5000}{last}", error=True))
    traced = outcome_of(Result(None, error=True, head=first + "m" * 100, tail="m" * 100 + last, digest="00" * 8))

    assert live.levelled == traced.levelled
    assert live.signature == traced.signature


def test_text_in_no_repr():
    """What a result says is in no printed outcome."""
    assert "secret" not in repr(outcome_of(Result(None, "the secret", error=True)))


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("a", "a"),
        (None, ""),
        (["a", {"type": "text", "text": "b"}], "a\nb"),
        ({"text": "a"}, "a"),
        ({"text": "a", "more": 1}, '{"more":1,"text":"a"}'),
        ([1, "a"], '[1,"a"]'),
        (3, "3"),
    ],
)
def test_text(content, text):
    """A result's text is its text blocks, else its canonical form."""
    assert text_of(content) == text
