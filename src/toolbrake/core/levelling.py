"""Levelling: what is left of a text when everything in it that changes from run to run is taken out.

Two errors are the same although one says line 49 and the other line 51, one pid 1037 and the other 1074. Nothing is
replaced by a placeholder: what is volatile goes, so that a text with two numbers and one with three stay comparable.

| taken out | examples |
|---|---|
| digits, and so numbers, pids, dates, clock times | ``line 49``, ``2031-05-01T10:02:33Z``, ``1.5e-3`` |
| units of time standing alone or behind a number | ``0.31s``, ``12 ms`` |
| hex ids: 6 or more hex digits with a decimal digit and a letter among them; UUIDs | ``9f3ac2``, nonces, addresses |
| the random part of a temporary name | ``/tmp/tmpab3x9k2q``, ``/tmp/build-Xa81bc/log`` |
| what a terminal does not show | colours, lines that a carriage return overwrites |
| what progress bars and rules are drawn with | ``=====>``, ``--------``, box, block and braille characters |
| blanks, and marks that belong to numbers | ``. , : + - /`` |

Kept are letters with their case, in order, and all other marks, in order, behind them. No more than that is taken
out: a time stamp may be the answer. So only errors are levelled, and results of tools whose profile asks.

A *signature* goes further, so that one mistake made with other arguments is recognised: it is the set of the words of
three letters or more that do not come from the call's own arguments.

Everything here is linear in its input, works on bytes through C, and looks at no more than ``EXCERPT`` characters.
"""

from __future__ import annotations

from itertools import islice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

EXCERPT = 4096
"""Characters looked at: of a longer text as many from its head as from its tail."""

ARGUMENTS = 64
"""Arguments of a call in which words are looked for."""

BRIEF = 200
"""Characters: of a longer argument, a file's content or a script, only the most telling words count."""

BEGINNING = 1024
"""Characters of a longer argument that are looked at."""

TELLING = 64
"""Words of the longer arguments that are masked: the longest, which are least likely to be words of the error."""


def excerpt(text: str) -> str:
    """The text, or its head and its tail where it is too long."""
    if len(text) <= EXCERPT:
        return text
    half = EXCERPT // 2
    return f"{text[:half]}\n{text[-half:]}"


def level(text: str) -> bytes:
    """The levelled form of a text."""
    return Steady(text).form()


class Steady:
    """The excerpt of a text, without ids, temporary names and what is only there for a terminal. Digits are still in.

    ``words`` are runs of letters, underscores and characters beyond ASCII, in order, and once each in ``different``.
    """

    __slots__ = ("data", "different", "words")

    def __init__(self, text: str) -> None:
        self.data = _steady(excerpt(text).encode("utf-8", "surrogatepass"))
        self.words = self.data.translate(_LETTERS).split()
        self.different = set(self.words)

    def form(self) -> bytes:
        """The levelled form: the words, then the marks."""
        kept = self.words
        if not _UNITS.isdisjoint(self.different):
            kept = [word for word in kept if word not in _UNITS]
        return b" ".join(kept) + b"\n" + self.data.translate(None, _NO_MARKS)

    def signature(self, arguments: Iterable[str]) -> bytes | None:
        """The words of an error that do not come from the arguments, sorted; None where they say nothing.

        Of a text with a stack trace the indented lines do not count: they show the code on the way to the error.
        Fewer than four letters, or only words like "error", are no signature.
        """
        found = self.different
        if b"Traceback (most recent" in self.data or b"\n    at " in self.data or b"\n\tat " in self.data:
            lines = [line for line in self.data.split(b"\n") if line[:1] not in _INDENTS]
            found = set(b" ".join(lines).translate(_LETTERS).split())
        kept = sorted([word for word in found - masked(arguments) if len(word) >= _SHORTEST])
        if sum(map(len, kept)) < _FEWEST_LETTERS or _BARE.issuperset(kept):
            return None
        return b" ".join(kept)


def masked(arguments: Iterable[str]) -> set[bytes]:
    """The words by which the arguments are recognised in an error."""
    texts = list(islice(arguments, ARGUMENTS))
    found = _words_of([text for text in texts if len(text) <= BRIEF])
    longer = [text[:BEGINNING] for text in texts if len(text) > BRIEF]
    if longer:
        found.update(sorted(sorted(_words_of(longer)), key=len, reverse=True)[:TELLING])
    return found


def _words_of(texts: list[str]) -> set[bytes]:
    return set("\n".join(texts).encode("utf-8", "surrogatepass").translate(_LETTERS).split())


_SHORTEST = 3
_FEWEST_LETTERS = 4
_INDENTS = (b" ", b"\t")
_BARE = frozenset(
    b"Error error ERROR Failed failed FAILED failure Exit exit exitcode code Code returncode output".split()
)
"""An error that consists of these only says nothing about itself."""


# What makes a text steady.


def _steady(data: bytes) -> bytes:
    if b"\x1b" in data:
        data = _without_escapes(data)
    if b"\r" in data:
        data = _without_overwritten(data)
    if b"\xe2" in data:
        data = _without_drawings(data)
    if b"tmp" in data:
        data = _without_temporary_names(data)
    return _without_ids(data)


def _without_escapes(data: bytes) -> bytes:
    """Without terminal sequences (ECMA-48): CSI, OSC up to its end, and escapes of one character."""
    first, *parts = data.split(b"\x1b")
    return first + b"".join(map(_after_escape, parts))


def _after_escape(part: bytes) -> bytes:
    if part[:1] == b"]":
        return part.partition(b"\x07")[2]
    if part[:1] == b"[":
        part = part[1:].lstrip(_CSI_PARAMETERS)
    elif part[:1] in _CHARSETS:
        part = part[1:]
    return part[1:] if part[:1] < b"\x80" else part


def _without_overwritten(data: bytes) -> bytes:
    """Of each line what a terminal would show in the end."""
    return b"\n".join([line.rstrip(b"\r").rpartition(b"\r")[2] for line in data.split(b"\n")])


def _without_drawings(data: bytes) -> bytes:
    """Without box drawing and block characters (U+2500 to U+25BF) and braille (U+2800 to U+28FF)."""
    first, *parts = data.split(b"\xe2")
    return first + b"".join([part[2:] if part[:1] in _DRAWINGS else b"\xe2" + part for part in parts])


def _without_temporary_names(data: bytes) -> bytes:
    """Without what makes a temporary name unique, behind ``tmp`` or at the end of a name right below ``/tmp``."""
    first, *parts = data.split(b"tmp")
    before = first[-1:]
    out = [first]
    for part in parts:
        out.append(b"tmp")
        out.append(_without_random_name(part, below=before in (b"/", b"\\")))
        before = part[-1:]
    return b"".join(out)


def _without_random_name(part: bytes, *, below: bool) -> bytes:
    """``part`` follows ``tmp``; ``below`` says whether that stood behind a slash."""
    lead = 1 if part[:1] in (b".", b"-") else 0
    rest = part[lead:].lstrip(_NAME)
    name = part[lead : len(part) - len(rest)]
    if _random(name) or (len(name) == _PYTHONS and not lead):
        return rest
    if not (below and part[:1] == b"/"):
        return part
    rest = part[1:].lstrip(_NAME + b"-.")
    stem, dash, end = part[: len(part) - len(rest)].rpartition(b"-")
    return stem + dash + rest if _random(end) else part


def _random(name: bytes) -> bool:
    """Whether a name mixes digits with letters, or capitals with small letters behind its first."""
    letters = name.replace(b"_", b"")
    return len(name) >= _RANDOM and not (letters.isalpha() and (letters[1:].islower() or letters.isupper()))


_RANDOM = 6
"""Characters that make a temporary name unique: 6 with Rust and Node, 10 with mktemp."""
_PYTHONS = 8
"""The same for Python's, which may be of letters alone."""


def _without_ids(data: bytes) -> bytes:
    """Without hex ids and UUIDs. Where no digit touches a hex letter, which is the common case, nothing is copied."""
    shape = data.translate(_SHAPES)
    out: list[bytes] = []
    done = 0
    digit, letter = shape.find(b"0a"), shape.find(b"a0")
    while digit >= 0 or letter >= 0:
        at = min(digit, letter) if digit >= 0 <= letter else max(digit, letter)
        start = shape.rfind(b" ", done, at) + 1 or done
        end = shape.find(b" ", at)
        end = len(shape) if end < 0 else end
        out += (data[done:start], _without_id(data[start:end], shape[start:end]))
        done = end
        if 0 <= digit < end:
            digit = shape.find(b"0a", end)
        if 0 <= letter < end:
            letter = shape.find(b"a0", end)
    return b"".join((*out, data[done:])) if out else data


def _without_id(token: bytes, shape: bytes) -> bytes:
    """A token, which hyphens may join, without its parts that are hex ids."""
    if b"-" not in shape:
        return token if len(shape) < _SHORTEST_ID or shape.strip(b"0a") else b""
    whole = len(token) >= _UUID
    out = []
    for part in shape.split(b"-"):
        piece, token = token[: len(part)], token[len(part) + 1 :]
        hexadecimal = not part.strip(b"0a")
        mixed = len(part) >= _SHORTEST_ID and b"0" in part and b"a" in part
        out.append(b"" if hexadecimal and (mixed or (whole and len(part) in _UUID_PARTS)) else piece)
    return b"-".join(out)


_UUID = 36
_UUID_PARTS = (4, 8, 12)
_SHORTEST_ID = 6


# The classes of bytes.

_BLANK = ord(" ")
_DIGITS = b"0123456789"
_HEX = b"abcdefABCDEF"
_ALPHABET = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_BEYOND = bytes(range(128, 256))
_CONTROLS = bytes([*range(33), 127])
_NAME = _ALPHABET + _DIGITS + b"_"
_CSI_PARAMETERS = bytes(range(0x20, 0x40))
_CHARSETS = (b"(", b")")
_DRAWINGS = (b"\x94", b"\x95", b"\x96", b"\xa0", b"\xa1", b"\xa2", b"\xa3")
_UNITS = frozenset((b"s", b"ms", b"us", b"\xc2\xb5s", b"\xce\xbcs", b"ns", b"m", b"h"))


_LETTERS = bytes([byte if byte in _ALPHABET or byte in _BEYOND or byte == ord("_") else _BLANK for byte in range(256)])
"""Everything that is no part of a word becomes a blank."""

_NO_MARKS = _NAME + _BEYOND + _CONTROLS + b".,:+-/=#*~>"
"""Everything that is no mark: parts of words, blanks, marks in numbers, and what bars are drawn with."""


def _shapes() -> bytes:
    shapes = bytearray(b" " * 256)
    for shape, members in ((b"z", _ALPHABET + _BEYOND), (b"a", _HEX), (b"0", _DIGITS), (b"-", b"-"), (b" ", b"xX")):
        for byte in members:
            shapes[byte] = shape[0]
    return bytes(shapes)


_SHAPES = _shapes()
"""``0`` for a digit, ``a`` for a hex letter, ``z`` for any other, ``-``, and a blank for what separates. So does an x:
it stands before the digits of an address."""
