"""What a result comes down to: its text, and the digests by which results are compared.

``exact`` compares whole results. It spares whatever moves: polls, progress bars, time stamps that are the answer.
``levelled`` compares errors, because their texts carry line numbers, pids and times, and successes only where the
tool's profile asks. The result of a command that its host has stamped has it too: there it is the digest of what is
inside the stamps. ``levelled or exact`` is what results of equal calls are compared by. ``signature`` compares errors
of different calls.
"""

from __future__ import annotations

from hashlib import sha256

from toolbrake.core.canonical import canonical
from toolbrake.core.failure import failed, framed, structure
from toolbrake.core.levelling import Steady

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from toolbrake.core.events import Result
    from toolbrake.core.failure import Frame

DIGEST_DIGITS = 16
"""Hex digits of a digest in a trace: 64 bits, enough to tell results of one run apart."""

SIZE = DIGEST_DIGITS // 2
"""Bytes of every digest of an outcome."""

NOTICE = 300
"""Characters: a longer text is no mere notice."""


class Outcome:
    """What a result comes down to. Its digests are computed when they are first asked for.

    ``kind``: ``error``; ``empty``, which says nothing but that it worked, so that equal answers to different calls
    mean nothing; ``success``; ``unknown``, a text of which nothing says whether it is an error. ``stub``: a note that
    the result was taken away, evidence of nothing. ``unchanged``: the host says that the answer is the one it gave
    before, evidence that it is.
    """

    __slots__ = (
        "_exact",
        "_levelled",
        "_levels",
        "_result",
        "_signature",
        "_stamped",
        "_steady",
        "_tells",
        "_text",
        "_words",
        "kind",
        "stub",
        "unchanged",
    )

    def __init__(self, result: Result, *, shell: bool, level: bool, words: Callable[[], Iterable[str]] | None) -> None:
        text = _text(result)
        record = structure(result.content, text)
        frame = framed(text) if shell and not result.error else None
        error = failed(result, record, frame, words)
        notice = _notice(text, frame) if len(text) <= NOTICE and not _missing(result) else ""
        self.kind = _kind(error, notice)
        self.stub = notice == STUB
        self.unchanged = notice == UNCHANGED
        self._result = result
        self._text = text
        self._words = words
        self._levels = level or self.kind == "error"
        self._tells = not notice
        self._stamped = None if frame is None else _stamped(frame, record, notice)
        self._steady: Steady | None = None
        # Not asked for so far: empty, which no digest is.
        self._exact = b""
        self._levelled: bytes | None = b""
        self._signature: bytes | None = b""

    @property
    def exact(self) -> bytes:
        """The digest of the whole text, as a trace has it."""
        if not self._exact:
            self._exact = _exact(self._result, self._text)
        return self._exact

    @property
    def levelled(self) -> bytes | None:
        """The digest of the levelled text of an error or where the profile asks, or of a stamped output; else None.

        A digest that a trace brought along was levelled by someone else: it equals only its like.
        """
        if self._levelled == b"":
            self._levelled = self._level()
        return self._levelled

    @property
    def signature(self) -> bytes | None:
        """The digest of what an error says beside the call's own words; None for all else and where that is nothing."""
        if self._signature == b"":
            self._signature = self._sign()
        return self._signature

    def _level(self) -> bytes | None:
        if not self._levels:
            return None if self._stamped is None else _digest(b"output", self._stamped)
        if self._result.content is None and self._result.levelled is not None:
            return _digest(b"foreign", self._result.levelled.encode("utf-8", "surrogatepass"))
        return None if _missing(self._result) else _digest(b"levelled", self._what_stays().form())

    def _sign(self) -> bytes | None:
        if self.kind != "error" or not self._tells or not self._text:
            return None
        said = self._what_stays().signature(() if self._words is None else self._words())
        return None if said is None else _digest(b"signature", said)

    def _what_stays(self) -> Steady:
        """The steady text, which the levelled form and the signature share."""
        if self._steady is None:
            self._steady = Steady(self._text)
        return self._steady


def outcome_of(
    result: Result,
    *,
    shell: bool = False,
    level: bool = False,
    words: Callable[[], Iterable[str]] | None = None,
) -> Outcome:
    """What a result comes down to.

    ``shell``: the tool runs commands, so its text may tell an error. ``level``: its successes are levelled too.
    ``words``: the texts in the call's arguments, fetched for a signature, and for a command's output that ends in
    what could be an HTTP status.
    """
    return Outcome(result, shell=shell, level=level, words=words)


def _kind(error: bool | None, notice: str) -> str:
    if error:
        return "error"
    if notice in (EMPTY, RUNNING):
        return "empty"
    return "unknown" if error is None else "success"


# The text and its digests.


def digest(text: str) -> str:
    """The first 16 hex digits of sha256 of the UTF-8 text, as traces hold it; lone surrogates are kept apart."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:DIGEST_DIGITS]


def text_of(content: object) -> str:
    """The text of a result: a text itself, the text blocks of a content list, else its canonical form."""
    if isinstance(content, str):
        return content
    if content is None:
        return ""
    if isinstance(content, (list, tuple)):
        blocks = [_block_text(block) for block in content]
        if blocks and all(block is not None for block in blocks):
            return "\n".join(block for block in blocks if block is not None)
    single = _block_text(content)
    if single is not None:
        return single
    return canonical(content).decode("utf-8", "replace")


def _block_text(block: object) -> str | None:
    """The text of a content block, as MCP and most message formats write it; None for anything else."""
    if isinstance(block, str):
        return block
    if isinstance(block, dict) and _names(block.keys()) and isinstance(block.get("text"), str):
        return str(block["text"])
    return None


def _names(keys: Iterable[object]) -> bool:
    """Whether the keys are those of a text block: ``text`` with at most a type and labels beside it."""
    return "text" in keys and all(key in _BLOCK_KEYS for key in keys)


_BLOCK_KEYS = frozenset({"type", "text", "annotations", "citations", "cache_control", "id", "index", "_meta"})


def _text(result: Result) -> str:
    """The text of a result as far as it is at hand: head and tail where a trace has cut it."""
    if result.content is not None:
        return str.__str__(text_of(result.content))  # a subclass could do anything
    return "\n".join([part for part in (result.head, result.tail) if part])


def _missing(result: Result) -> bool:
    """Whether a trace holds no text of a result that had one."""
    if result.content is not None or result.head is not None or result.tail is not None:
        return False
    return bool(result.length) or result.digest not in (None, _DIGEST_OF_NOTHING)


_DIGEST_OF_NOTHING = digest("")


def _exact(result: Result, text: str) -> bytes:
    if result.content is not None or not result.digest:
        return sha256(text.encode("utf-8", "surrogatepass")).digest()[:SIZE]
    try:
        return bytes.fromhex(result.digest)[:SIZE]
    except ValueError:
        return _digest(b"foreign", result.digest.encode("utf-8", "surrogatepass"))


def _digest(what: bytes, data: bytes) -> bytes:
    """A digest that equals none of anything else: ``what`` is set apart by a NUL."""
    return sha256(what + b"\0" + data).digest()[:SIZE]


# Notices.

EMPTY, RUNNING, STUB, UNCHANGED = "empty", "running", "stub", "unchanged"


def _notice(text: str, frame: Frame | None) -> str:
    """Which notice a short text is; empty if it is none. ``frame`` is given for tools that run commands."""
    body = (framed(text) if frame is None else frame).body.strip()
    bare = body.strip(_FENCES).lower()
    if bare in _SAYS_NOTHING:
        return EMPTY
    if bare.startswith(_SAME) or (any(mark in bare for mark in _LOOK) and any(mark in bare for mark in _NO_CHANGE)):
        return UNCHANGED
    if bare in _STUBS or (body[:1] + body[-1:] in ("[]", "()", "<>") and _tells_loss(bare)):
        return STUB
    if frame is not None and bare.startswith(_GOES_ON) and "\n\n" not in bare:
        return RUNNING
    return ""


def _tells_loss(bare: str) -> bool:
    """Whether the words of a bracketed note say that a result is gone: a loss and what is lost, or a loss alone."""
    told = {word.strip(".,:;") for word in bare.split()}
    return not told.isdisjoint(_LOSSES) and (not told.isdisjoint(_LOST) or len(told) == 1)


_FENCES = " \t\r\n[](){}<>*.!`\"'"
"""What may stand around a notice and means nothing."""

_SAYS_NOTHING = (
    # Nothing, as JSON and programming languages write it. Empty brackets are stripped.
    frozenset({"", "null", "none", "nil", "undefined", "void", "true"})
    # Acknowledgements that name nothing.
    | {"ok", "okay", "done", "success", "successful", "succeeded", "completed", "finished", "command succeeded"}
    | {"command executed successfully", "command completed successfully", "command ran successfully"}
    | {"operation completed successfully", "tool executed successfully", "execution succeeded"}
    # An output without a character, in the words of Claude Code, its tools, SWE-agent, OpenHands, OpenClaw.
    | {"no output", "no new output", "empty", "empty output", "no content", "bash completed with no output"}
    | {"tool ran without output or errors", "command completed with no output", "the command produced no output"}
    | {"command executed successfully with no output", "command executed successfully (no output"}
    | {"your command ran successfully and did not produce any output"}
)
"""Texts that say nothing but that it worked: in small letters, without the fences and without a host's frame."""

# A host saves the model a text that it has seen: Claude Code, Hermes. It begins with one of the first, or holds one of
# the second and one of the third: what has been modified since the last read is an error of its own.
_SAME = ("file unchanged", "file content unchanged", "content unchanged", "unchanged since", "result unchanged")
_LOOK = ("since last read", "since your last read", "since you last read", "since the last read")
_NO_CHANGE = ("unchanged", "not changed", "not been changed", "not modified", "not been modified", "no change")

_STUBS = frozenset({"old tool result content cleared", "tool result cleared", "tool output cleared"})
"""What compaction leaves of a result, also where it stands without brackets: Claude Code, OpenCode."""

# Other hosts word it freely, in brackets.
_LOSSES = frozenset({"cleared", "compacted", "condensed", "dropped", "elided", "evicted", "masked", "offloaded"}) | {
    "omitted",
    "pruned",
    "removed",
    "trimmed",
    "truncated",
}
_LOST = frozenset({"bytes", "characters", "chars", "content", "contents", "history", "lines", "message", "output"}) | {
    "response",
    "result",
    "results",
    "text",
    "tokens",
    "tool",
}

_GOES_ON = (
    "command is running in",
    "command is still running",
    "command running in",
    "command started in",
    "command still running",
    "process running with session id",
    "process still running",
    "running in background",
    "running in the background",
    "started in background",
    "still running",
)
"""A command that goes on by itself, under a name that is new each time, and has said nothing yet: Claude Code, Codex,
Gemini CLI, OpenClaw."""


# Stamps.


def _stamped(frame: Frame, record: dict[object, object] | None, notice: str) -> bytes | None:
    """What a command said inside the stamps of its host; None if there are none."""
    if notice == RUNNING:
        return b""
    if frame.ticks:
        return frame.body.encode("utf-8", "surrogatepass")
    if record is not None and not _STAMPS.isdisjoint(record):
        return canonical({name: value for name, value in record.items() if name not in _STAMPS})
    return None


_STAMPS = (
    frozenset({"duration", "durationMs", "duration_ms", "duration_seconds", "elapsed", "elapsed_ms", "wallTimeMs"})
    | {"wall_time", "chunk_id", "pgid", "pid", "sessionId", "session_id"}
    | {"endedAt", "finished_at", "startedAt", "started_at", "timestamp"}
)
"""Members of a command's result that differ from run to run whatever the command says."""
