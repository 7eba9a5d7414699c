"""JSON text to value and back through the C parts of the ``json`` package, without importing it.

``json`` pulls in ``re`` and ``enum`` and costs a short-lived hook process more than all its work. The functions it
rests on live in ``_json``, a private module: where that is missing, texts are parsed by ``json`` itself, imported on
first use, strings are quoted here, and the encoder refuses everything.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_BLANKS = " \t\n\r"
_ESCAPES = {code: f"\\u{code:04x}" for code in range(0x20)} | {
    ord(char): f"\\{letter}" for char, letter in zip('"\\\b\t\n\f\r', '"\\btnfr', strict=True)
}


def parsed(text: str) -> object:
    """The value of a JSON text; the text itself if it is none, ``{}`` if it is blank.

    As ``json.loads`` reads it: integers are exact, NaN and Infinity are read, of two equal keys the last one counts.
    A text nested too deeply for the interpreter's recursion limit, or with an integer of more digits than it
    converts (4,300), is itself.
    """
    if not text or text.isspace():
        return {}
    try:
        return _scanned(text.strip(_BLANKS))
    except (ValueError, RecursionError):
        return text


def _quoted(text: str) -> str:
    """A JSON string literal with the escapes of RFC 8785 section 3.2.2.2 and no others."""
    return f'"{text.translate(_ESCAPES)}"'


def _unencodable(value: object) -> str:
    raise TypeError(f"no JSON form for {type(value).__name__}")


class _Settings:
    """What ``json.JSONDecoder`` would tell the C scanner."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}.__getitem__


def _scanned_by_json(text: str) -> object:
    import json  # noqa: PLC0415 - only where the C parts are missing, and then only for texts

    value: object = json.loads(text)
    return value


try:
    from _json import encode_basestring, make_encoder, make_scanner
except ImportError:
    quoted: Callable[[str], str] = _quoted
    encoded: Callable[[object], str] = _unencodable
    _scanned: Callable[[str], object] = _scanned_by_json
else:
    _encode = make_encoder(None, _unencodable, encode_basestring, None, ":", ",", True, False, False)
    _scan = make_scanner(_Settings)  # type: ignore[arg-type]  # any object with these attributes

    def _encoded(value: object) -> str:
        """The JSON text of a plain value, keys sorted by code point."""
        return "".join(_encode(value, 0))

    def _scanned_in_c(text: str) -> object:
        try:
            value, end = _scan(text, 0)
        except StopIteration:
            raise ValueError("no JSON value") from None
        if end != len(text):
            raise ValueError("more text after the JSON value")
        found: object = value
        return found

    quoted = encode_basestring
    encoded = _encoded
    _scanned = _scanned_in_c
