"""The text of ``$'...'``: a quote with the escapes of C."""

from __future__ import annotations

_ESCAPES = {"a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_ITSELF = frozenset("\\'\"?")
_NUMBERS = {"x": (16, 2), "u": (16, 4), "U": (16, 8)}
"""Base and most digits of a character given by its number; without a letter it is octal."""

_OCTAL = (8, 3)
_DIGITS = "0123456789abcdef"
_LAST_CHARACTER = 0x10FFFF


def ansi(text: str, at: int, end: int) -> tuple[str, int]:
    """The text of a quote that begins at ``at``, and where it closes; ``end`` if it does not."""
    parts = []
    while at < end and text[at] != "'":
        if text[at] == "\\":
            part, at = _escape(text, at + 1, end)
        else:
            part, at = text[at], at + 1
        parts.append(part)
    return "".join(parts), min(at, end)


def _escape(text: str, at: int, end: int) -> tuple[str, int]:
    """What the letters after a backslash stand for, and where they end."""
    letter = text[at : min(at + 1, end)]
    base, most = _NUMBERS.get(letter, _OCTAL)
    first = at + 1 if letter in _NUMBERS else at
    digits = _leading(text[first : min(first + most, end)], base)
    if not digits:
        return _ESCAPES.get(letter, letter if letter in _ITSELF else "\\" + letter), min(at + 1, end)
    code = int(digits, base)
    known = chr(code) if code <= _LAST_CHARACTER else "\\" + letter + digits
    return known, first + len(digits)


def _leading(text: str, base: int) -> str:
    """The leading digits of that base."""
    size = 0
    while size < len(text) and text[size].lower() in _DIGITS[:base]:
        size += 1
    return text[:size]
