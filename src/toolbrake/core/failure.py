"""Whether a result is an error, and what a host wrote around the output of a command.

In this order; the first that knows decides:

1. the flag, where it says error. Where it says success it does not decide: many hosts always say so;
2. structure: an exception, or the members of an object, or of a JSON text that is one object of at most
   ``STRUCTURE`` characters. Only its own members, never nested ones: there stands data. One that tells a failure
   outweighs those that tell success;
3. for tools that run commands, the exit status in the frame that a host puts around the output;
4. for tools that run commands, without any status: how the output ends. A stack trace, ``command not found``,
   ``curl: (7)``, a signal, a time-out, the HTTP status that ``curl -w`` was asked to print; and where there is no flag
   either, the last words of common programs (``fatal:``, ``No such file or directory``);
5. the flag.

Never from what any other tool says in words: a page about 404 errors is no error.
"""

from __future__ import annotations

from toolbrake.core.jsontext import parsed
from toolbrake.core.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from toolbrake.core.events import Result

STRUCTURE = 4096
"""Characters of a JSON text that is parsed: an envelope is small, and a longer text is data."""


class Frame(Value):
    """What a host wrote around an output: all of ``text`` but ``text[start:end]``.

    ``code``: the exit status it tells. ``ticks``: it holds what differs from run to run, such as a duration.
    """

    __slots__ = ("code", "end", "start", "text", "ticks")

    def __init__(self, text: str, start: int, end: int, code: int | None, ticks: bool) -> None:
        self.text = text
        self.start = start
        self.end = end
        self.code = code
        self.ticks = ticks

    @classmethod
    def hidden(cls) -> tuple[str, ...]:
        return ("text",)

    @property
    def body(self) -> str:
        """The output inside the frame."""
        return self.text[self.start : self.end]

    def first(self, length: int) -> str:
        """The beginning of the output."""
        return self.text[self.start : min(self.start + length, self.end)]

    def last(self, length: int) -> str:
        """The end of the output."""
        return self.text[max(self.start, self.end - length) : self.end]


def failed(
    result: Result, record: dict[object, object] | None, frame: Frame | None, words: Callable[[], Iterable[str]] | None
) -> bool | None:
    """Whether a result is an error; None if nothing says so.

    ``record`` is its structure, see ``structure``; ``frame`` is given for tools that run commands only.
    """
    if result.error or isinstance(result.content, BaseException):
        return True
    told = None if record is None else _members(record, shell=frame is not None)
    if told is None and frame is not None:
        if frame.code is not None:
            return frame.code != 0
        if _ends_badly(frame, words, alone=result.error is None):
            return True
    return result.error if told is None else told


# Structure.


def structure(content: object, text: str) -> dict[object, object] | None:
    """The object that a result is, or that its text is as JSON; None for any other, and for one that tells nothing."""
    if isinstance(content, dict):
        return content if type(content) is dict else dict(dict.items(content))
    if text[:1] != "{" or len(text) > STRUCTURE or not any(hint in text for hint in _HINTS):
        return None
    value = parsed(text)
    return value if isinstance(value, dict) else None


def _members(record: dict[object, object], *, shell: bool) -> bool | None:
    verdicts = [_VERDICTS[name](record[name]) for name in _VERDICTS if name in record]
    status, error = record.get("status"), record.get("error")
    if shell and isinstance(status, str) and status in _COMMAND_FAILED:
        return True
    if len(record) <= _ENVELOPE and type(error) in (str, dict, list, bool) and error:
        return True
    return True if True in verdicts else False if False in verdicts else None


_ENVELOPE = 3
"""Members of an object that is an error and no data which happens to have an ``error``: code, message, id beside it."""

_COMMAND_FAILED = ("failed", "failure", "timeout", "timed_out", "aborted", "killed")
"""A command's own status. For other tools they may be the state of the thing that was asked for."""


def _flag_of_error(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def _flag_of_success(value: object) -> bool | None:
    return not value if isinstance(value, bool) else None


def _exit_status(value: object) -> bool | None:
    return value != 0 if isinstance(value, int) and not isinstance(value, bool) else None


def _status(value: object) -> bool | None:
    if isinstance(value, str):
        return True if value in ("error", "fail") else False if value in ("ok", "success") else None
    return _http_status(value)


def _http_status(value: object) -> bool | None:
    known = isinstance(value, int) and _HTTP_FIRST <= value <= _HTTP_LAST
    return isinstance(value, int) and value >= _HTTP_ERROR if known else None


_HTTP_FIRST, _HTTP_ERROR, _HTTP_LAST = 100, 400, 599

_VERDICTS: dict[str, Callable[[object], bool | None]] = {
    **dict.fromkeys(("is_error", "isError"), _flag_of_error),
    **dict.fromkeys(("success", "ok"), _flag_of_success),
    **dict.fromkeys(("exit_code", "exitCode", "exitcode", "returncode", "return_code", "exit_status"), _exit_status),
    **dict.fromkeys(("status_code", "statusCode", "http_status", "httpStatus"), _http_status),
    "status": _status,
}
"""What each member tells: True a failure, False a success, None neither."""

_HINTS = ('rror"', 'uccess"', '"ok"', 'ode"', 'tatus"')
"""The ends of those members: a text without any of them is not parsed."""


# The frame.


def framed(text: str) -> Frame:
    """The frame that a host has put around the output of a command, found line by line from both ends of the text."""
    start, end = 0, len(text)
    told: list[tuple[int | None, bool]] = []
    while start < end and len(told) < _FRAME_LINES:
        line = text[start : start + _FRAME_WIDTH].partition("\n")[0]
        read = _frame_line(line)
        if read is None:
            break
        told.append(read)
        start = min(start + len(line) + 1, end)
    while start < end and len(told) < 2 * _FRAME_LINES:
        line = text[max(start, end - _FRAME_WIDTH) : end].rpartition("\n")[2]
        read = _frame_line(line)
        if read is None:
            break
        told.append(read)
        end = max(end - len(line) - 1, start)
    if not told:
        return Frame(text, start, end, None, False)
    codes = [code for code, _ in told if code is not None]
    code = next(filter(None, codes), 0) if codes else None
    return Frame(text, start, end, code, any(ticks for _, ticks in told))


_FRAME_LINES = 8
_FRAME_WIDTH = 120
"""Characters of a line that are looked at; lines of a frame are shorter."""


def _frame_line(line: str) -> tuple[int | None, bool] | None:
    """What a line of a frame tells, an exit status and whether it ticks; None for a line that is none."""
    bare = line.strip().lower()
    if not bare or bare in _LABELS:
        return _NOTHING
    low = bare.strip(_FENCES)
    marks = _FRAME.get(low[:_KEY])
    if marks is None or len(line) == _FRAME_WIDTH:
        return None
    mark = next(filter(low.startswith, marks), "")
    if not mark:
        return None
    ticks = mark in _TICKING
    if mark == "shellid:":
        low = low.partition(" completed with ")[2]
        mark = "exit code"
    if mark not in _STATUSES:
        return None, ticks
    rest = low[len(mark) :].lstrip(" :=>\"'-")
    after = rest.lstrip("0123456789")
    digits = rest[: len(rest) - len(after)][:_STATUS_DIGITS]
    if not digits or after.lstrip(" ,;:")[:1] not in ("", "(", "<"):
        return None
    return int(digits), ticks


_NOTHING = (None, False)
_STATUS_DIGITS = 10
_FENCES = " \t\r[](){}<>*.`"

_STATUSES = (
    "command completed with exit code",
    "command exited with code",
    "command failed with code",
    "command failed with exit code",
    "command finished with exit code",
    "exit code",
    "exit status",
    "exit_code",
    "exitcode",
    "process exited with code",
    "process finished with exit code",
    "return code",
    "returncode",
    "the command completed with exit code",
)
"""How a line begins that tells an exit status: Claude Code, Codex, Gemini CLI, DeepSeek Harness, OpenHands, pi,
mini-swe-agent, AG2."""

_TICKING = (
    "background pids",
    "chunk id",
    "original token count",
    "process group pgid",
    "shellid:",
    "wall time",
    "wall-time",
)
"""How a line begins that holds a duration, a process or an id: Codex, Kimi Code, Gemini CLI, Copilot CLI."""

_REMARKS = ("current working directory:", "python interpreter:", "shell cwd was reset")
"""How other lines of a frame begin: Claude Code, OpenHands."""

_LABELS = frozenset(
    {"<output>", "</output>", "output:", "output: (empty)", "code output:", "stdout:", "stderr:", "(no output)"}
    | {"[no output]", "error: (none)", "signal: (none)"}
)
"""Whole lines that stand around an output or say that there is none: mini-swe-agent, Codex, Gemini CLI, AG2."""

_KEY = 4
_FRAME: dict[str, list[str]] = {}
"""The lines of frames by how they begin: most lines of most texts are told apart by one look-up."""
for _mark in (*_STATUSES, *_TICKING, *_REMARKS):
    _FRAME.setdefault(_mark[:_KEY], []).append(_mark)


# How an output ends.


def _ends_badly(output: Frame, words: Callable[[], Iterable[str]] | None, *, alone: bool) -> bool:
    """Whether the output of a command ends as that of a failed one. ``alone``: no flag says otherwise."""
    last = output.last(_REACH).rstrip().rpartition("\n")[2].strip()
    if not last:
        return False
    if last.startswith(_LAST_STARTS) or last.endswith(_LAST_ENDS) or last in _SIGNALS:
        return True
    if alone and (last.startswith(_WEAK_STARTS) or last.endswith(_WEAK_ENDS)):
        return True
    first = output.first(_REACH).lstrip().partition("\n")[0].rstrip()
    if first.lstrip(_FENCES).lower().startswith(_TIMED_OUT) or last.lstrip(_FENCES).lower().startswith(_TIMED_OUT):
        return True
    if _names_exception(last) and ((last == first and ": " in last) or _traced(output)):
        return True
    return words is not None and _asked_status(last, words)


def _names_exception(line: str) -> bool:
    """Whether a line begins like the last one of a stack trace: ``package.SomeError: what happened``."""
    name = line.partition(":")[0]
    return name.endswith(_EXCEPTIONS) and name.replace(".", "").replace("_", "").isalnum()


def _traced(output: Frame) -> bool:
    return _TRACE in output.first(STRUCTURE) or _TRACE in output.last(STRUCTURE)


def _asked_status(last: str, words: Callable[[], Iterable[str]]) -> bool:
    """Whether an output ends with the HTTP status of an error that ``curl -w`` was asked for."""
    status = last[-3:]
    if len(status) != _STATUS_LENGTH or status[0] not in "45" or not status.isdigit() or last[-4:-3].isdigit():
        return False
    return any(mark in word for word in words() for mark in _STATUS_MARKS)


_REACH = 400
"""Characters at either end in which the first and the last line are looked for."""

_STATUS_LENGTH = 3
_STATUS_MARKS = ("%{http_code}", "%{response_code}")
_TRACE = "Traceback (most recent call last)"
_EXCEPTIONS = ("Error", "Exception", "KeyboardInterrupt", "SystemExit")
_SIGNALS = frozenset(("Killed", "Terminated", "Aborted", "Segmentation fault", "Bus error", "Illegal instruction"))
_LAST_STARTS = ("curl: (", "zsh: command not found:", "make: *** ", "npm ERR! ", "npm error ")
_LAST_ENDS = (": command not found", "(core dumped)", "operable program or batch file.")
_TIMED_OUT = ("command timed out", "execution timed out", "process timed out", "the command timed out", "timed out")
_WEAK_STARTS = ("fatal: ", "error: ", "Error: ", "ERROR: ", "panic: ", "bash: line ", "/bin/sh: ", "sh: ")
_WEAK_ENDS = (": No such file or directory", ": Permission denied", ": Is a directory", ": Not a directory")
