"""Whether a result is an error: by its flag, its structure, its frame, the end of its output, and by nothing else."""

# ruff: noqa: S604 - ``shell`` says what a tool is; nothing is run

from __future__ import annotations

import enum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.strategies import PROPERTY
from toolbrake.core.events import Result
from toolbrake.core.failure import STRUCTURE, failed, framed, structure
from toolbrake.core.outcome import text_of

TRACE = "Traceback (most recent call last):\n  File \"a.py\", line 3, in <module>\n    run()\nKeyError: 'x'"


def judged(content, flag=None, *, shell=False, words=None):
    text = text_of(content)
    result = Result(None, content, error=flag)
    return failed(result, structure(content, text), framed(text) if shell else None, words)


ANY_TOOL = {
    # The flag.
    "flag": ("fine", True, True),
    "flag against structure": ({"ok": True}, True, True),
    "flag of success": ("Error: no such user", False, False),
    "no flag": ("Error: no such user", None, None),
    # Structure.
    "is_error": ({"is_error": True, "content": "x"}, False, True),
    "isError": ({"isError": True, "content": []}, None, True),
    "isError false": ({"isError": False, "content": []}, None, False),
    "exit code": ({"exitCode": 2, "stdout": ""}, False, True),
    "exit code as text": ('{"exit_code": 1, "output": ""}', False, True),
    "exit code zero": ({"returncode": 0, "stderr": "warning"}, None, False),
    "exit code as a flag": ({"exit_code": True}, None, None),
    "success": ({"success": False, "page": "Aug"}, False, True),
    "ok": ('{"ok": false}', None, True),
    "status error": ({"status": "error", "data": 1, "a": 1, "b": 2}, None, True),
    "status ok": ({"status": "ok"}, None, False),
    "status of something": ({"status": "training"}, None, None),
    "failed, but what was asked for": ({"id": 7, "status": "failed", "log": "x", "at": 1}, False, False),
    "HTTP status": ({"status_code": 404, "body": "no"}, False, True),
    "HTTP status fine": ({"status": 204}, None, False),
    "status that is no HTTP": ({"status": 7}, None, None),
    "error and little else": ({"error": {"code": -32601}, "id": 4, "jsonrpc": "2.0"}, None, True),
    "error among data": ({"error": "overflow", "line": 7, "file": "a.log", "at": 3}, None, None),
    "error that is none": ({"error": None, "rows": []}, None, None),
    "empty error": ('{"error": "", "rows": []}', False, False),
    "failure outweighs success": ({"isError": False, "exit_code": 1}, None, True),
    "nested": ({"result": {"isError": True}}, None, None),
    "exception": (ValueError("no"), None, True),
    "list": ([{"is_error": True}], None, None),
    "text that is no JSON": ('{"exit_code": 1', False, False),
    "JSON inside a text": ('see {"exit_code": 1}', False, False),
    "JSON beyond the cap": ('{"exit_code": 1, "x": "' + "x" * STRUCTURE + '"}', False, False),
    # Words of tools that run no commands.
    "search results": ("Article 4: how to troubleshoot Error 404 not found", False, False),
    "page": ("status 200; title: Page not found", False, False),
    "page without flag": ("<h1>404 Not Found</h1>", None, None),
    "soft error": ("tool_not_found: find_ticket", False, False),
    "trace in a file": (TRACE, False, False),
    "exit code in a file": ("[exit code: 1]", None, None),
}

COMMANDS = {
    # The frame.
    "DeepSeek Harness": ("no\n[exit code: 1]", False, True),
    "Claude Code": ("Exit code 127\nbash: foo: command not found", None, True),
    "Codex": ("Chunk ID: 5a1c00\nWall time: 0.04 seconds\nProcess exited with code 1\nOutput:\nno", None, True),
    "Codex, fine": ("Exit code: 0\nWall time: 0.4 seconds\nOutput:\n" + TRACE, None, False),
    "Gemini CLI": ("Output: no\nExit Code: 1\nProcess Group PGID: 4110", False, True),
    "Copilot CLI": ("no\n<shellId: 2 completed with exit code 1>", False, True),
    "Copilot CLI, fine": ("yes\n<shellId: 2 completed with exit code 0>", None, False),
    "OpenHands": ("no\n[The command completed with exit code 2.]\n[Current working directory: /app]", None, True),
    "pi": ("no\n\nCommand exited with code 1", None, True),
    "mini-swe-agent": ("<returncode>1</returncode>\n<output>\n</output>", False, True),
    "mini-swe-agent, fine": (f"<returncode>0</returncode>\n<output>\n{TRACE}\n</output>", None, False),
    "AG2": ("exitcode: 1 (execution failed)\nCode output: no", None, True),
    "go run": ("panic here\nexit status 2", False, True),
    "negative status": ("no\n[exit code: -9]", None, True),
    "prose about a status": ("exit code 3 means that it was killed", False, False),
    "a status in the middle": ("a\nb\nexit code: 3\nc\nd", None, None),
    # How it ends.
    "trace": (TRACE, False, True),
    "trace and more": (f"{TRACE}\nretried: fine", False, False),
    "exception alone": ("ModuleNotFoundError: No module named 'x'", False, True),
    "exception among other lines": ("1: ok\nKeyError: 'x'", False, False),
    "name of an exception": ("RuntimeError", False, False),
    "command not found": ("bash: javac: command not found", False, True),
    "command not found in zsh": ("zsh: command not found: javac", None, True),
    "command not found in Windows": (
        "'x' is not recognized as an internal\noperable program or batch file.",
        None,
        True,
    ),
    "curl": ("curl: (7) Failed to connect", False, True),
    "make": ("cc -c x.c\nmake: *** [Makefile:3: all] Error 1", False, True),
    "signal": ("working\nKilled", False, True),
    "core dumped": ("bash: line 1: 71 Segmentation fault      (core dumped) ./a.out", None, True),
    "core dumped at the end": ("Aborted (core dumped)", False, True),
    "time-out": ("Command timed out after 120 seconds\npartial", False, True),
    "time-out at the end": ("partial\n[Timed out]", None, True),
    "errno without flag": ("cat: a: No such file or directory", None, True),
    "errno with flag": ("find: /proc/1: Permission denied", False, False),
    "git without flag": ("fatal: not a git repository", None, True),
    "git with flag": ("fatal: not a git repository", False, False),
    # Structure comes first.
    "structure": ({"exit_code": 0, "output": TRACE}, None, False),
    "status of a command": ({"status": "failed", "output": "", "a": 1, "b": 2}, False, True),
    "answer of an API": ('{"status":"training"}', False, False),
    # Nothing.
    "test results": ("1 failed, 3 passed", False, False),
    "output": ("a b", None, None),
    "blank": ("  \n ", None, None),
    "count of lines": (404, False, False),
}

FRAMES = {
    "": ("", None, False),
    "a\nb": ("a\nb", None, False),
    "Exit code 1\na\nb": ("a\nb", 1, False),
    "Chunk ID: 5a\nWall time: 1 s\nProcess exited with code 0\nOriginal token count: 3\nOutput:\na": ("a", 0, True),
    "<returncode>0</returncode>\n<output>\na\n</output>": ("a", 0, False),
    "Output: a\nExit Code: 0\nProcess Group PGID: 41": ("Output: a", 0, True),
    "a\n<shellId: 3 completed with exit code 0>": ("a", 0, True),
    "a\nShell cwd was reset to /app": ("a", None, False),
    "(no output)": ("", None, False),
    "output\nno output": ("output\nno output", None, False),
    "Exit code: 0\na\nexit status 2": ("a", 2, False),
    "exit code: ?": ("exit code: ?", None, False),
    "wall time" + "e" * 200: ("wall time" + "e" * 200, None, False),
    "\n\n\n": ("", None, False),
}


@pytest.mark.parametrize(("content", "flag", "verdict"), ANY_TOOL.values(), ids=ANY_TOOL.keys())
def test_any_tool(content, flag, verdict):
    """An error by its flag or structure, whatever its words say."""
    assert judged(content, flag) is verdict


@pytest.mark.parametrize(("content", "flag", "verdict"), COMMANDS.values(), ids=COMMANDS.keys())
def test_command(content, flag, verdict):
    """A command's error also by the frame that its host writes and by how its output ends."""
    assert judged(content, flag, shell=True) is verdict


@pytest.mark.parametrize(
    ("content", "flag", "verdict"),
    [row for row in ANY_TOOL.values() if row[2] is True],
    ids=[name for name, row in ANY_TOOL.items() if row[2] is True],
)
def test_error_of_any_tool_is_one_of_a_command(content, flag, verdict):
    """What is an error of any tool is one of a command, too."""
    assert judged(content, flag, shell=True) is verdict


@pytest.mark.parametrize(("text", "parts"), FRAMES.items())
def test_frame(text, parts):
    """A frame is found from both ends: the output inside, the exit status, whether it ticks."""
    frame = framed(text)

    assert (frame.body, frame.code, frame.ticks) == parts


def test_output_in_no_repr():
    """What a command said is in no printed frame."""
    assert "secret" not in repr(framed("the secret\n[exit code: 1]"))


@pytest.mark.parametrize(
    ("output", "command", "verdict"),
    [
        ("404", "curl -s -o /dev/null -w '%{http_code}' http://a.test", True),
        ("a page\nHTTP 503", "curl -w 'HTTP %{response_code}' http://a.test", True),
        ("200", "curl -s -o /dev/null -w '%{http_code}' http://a.test", False),
        ("404", "wc -l < a.txt", False),
        ("1404", "curl -w '%{http_code}' http://a.test", False),
    ],
)
def test_status_that_curl_was_asked_for(output, command, verdict):
    """A number at the end is an HTTP status where the call asked curl for one."""
    assert judged(output, False, shell=True, words=lambda: [command]) is verdict


def test_arguments_are_not_fetched_for_nothing():
    """The call's texts are fetched only if an output ends like an HTTP error."""

    def words():
        raise AssertionError("fetched")

    assert judged("12 passed", False, shell=True, words=words) is False


class Odd(enum.IntEnum):
    NOT_FOUND = 404


class Stubborn(dict):
    def get(self, *_):
        raise RuntimeError

    __contains__ = __iter__ = __len__ = keys = get


class Moody:
    __hash__ = None

    def __eq__(self, other):
        raise RuntimeError

    __bool__ = __len__ = __eq__


@pytest.mark.parametrize(
    ("record", "verdict"),
    [
        ({"status": Odd.NOT_FOUND}, True),
        (Stubborn(isError=True), True),
        ({"status": Moody(), "error": Moody(), "ok": Moody(), "exit_code": Moody()}, None),
        ({"error": float("nan"), "status": [1], "success": "no"}, None),
        ({1: 2, None: 3, ("error",): 4}, None),
    ],
)
def test_odd_members(record, verdict):
    """Members of any kind are judged or passed over; none makes it raise."""
    structured = structure(record, "")

    assert failed(Result(None, record), structured, framed(""), None) is verdict


@PROPERTY
@given(st.text(st.characters(exclude_categories=()), max_size=300), st.sampled_from([None, False]))
def test_never_raises(text, flag):
    """Every text is judged, as that of a command and of any other tool."""
    assert judged(text, flag) in (True, False, None)
    assert judged(text, flag, shell=True) in (True, False, None)


@PROPERTY
@given(st.lists(st.sampled_from(["Exit code 1", "Wall time: 3 s", "", "(no output)", "a", "<output>", "x" * 150])))
def test_frame_and_output_are_the_whole(lines):
    """A frame takes whole lines from both ends, and nothing between."""
    text = "\n".join(lines)
    frame = framed(text)

    assert text[frame.start : frame.end] == frame.body
    assert frame.start in (0, len(text)) or text[frame.start - 1] == "\n"
    assert frame.end in (frame.start, len(text)) or text[frame.end] == "\n"


class Sliced(str):
    """A text that counts the characters it gives."""

    __slots__ = ("given",)

    def __new__(cls, text):
        made = super().__new__(cls, text)
        made.given = 0
        return made

    def __getitem__(self, place):
        part = super().__getitem__(place)
        self.given += len(part)
        return part


@pytest.mark.parametrize(
    "unit", ["x", "\n", " ", "a\n", "Exit code 1\n", "Error: ", "Traceback (most recent call last)\n"]
)
def test_huge_output(unit):
    """Only the ends of a huge output are read."""
    text = Sliced(unit * (10_000_000 // len(unit)))

    failed(Result(None, None), structure(None, text), framed(text), None)

    assert text.given <= 4 * STRUCTURE
