r"""Canonical bytes and fingerprints: equal calls get equal bytes, whatever they were made of.

A value that JSON can carry is written as RFC 8785 says: keys sorted by UTF-16 code units (section 3.2.3), numbers as
ECMAScript prints them (3.2.2.3: ``1``, ``1.0`` and ``1e0`` are ``1``, ``-0.0`` is ``0``), strings with the shortest
escapes and not normalised (3.2.2.2), no blanks (3.2.1). Two departures, both so that distinct values stay distinct:

- integers keep every digit; RFC 8785 would round past 2**53 and merge 64-bit ids;
- a lone surrogate is written as ECMAScript's well-formed ``JSON.stringify`` does; RFC 8785 refuses it.

All else has a form that no JSON text can have, beginning with ``!`` or with a key that is no string. What is inside
the parentheses is canonical itself, texts quoted and escaped, so no value can forge the form of another.

| value | form |
|---|---|
| ``str``, ``int``, ``float``, ``list``, ``tuple``, ``dict`` and subclasses, named tuples included | as the base class |
| objects with ``keys`` and ``__getitem__`` (mapping proxies, rows) | as a dict |
| lone surrogate in a string or key | ``"\ud800"`` |
| ``nan``, ``inf``, ``-inf`` | ``!float("nan")`` |
| integer of more digits than the interpreter converts (4,300) | ``!int("0x2f...")`` |
| dict with any key that is no string | ``{1:"a","1":"b",[1,2]:"c"}``, sorted by the bytes of the entries |
| ``set``, ``frozenset``, ``dict.keys()``, ``dict.items()`` | ``!set(1,"a")``, sorted by the bytes of the members |
| entry or member as above, longer than 4,096 bytes | ``!sha256(9f86...)`` of its bytes |
| ``bytes``, ``bytearray``, ``memoryview`` of them | ``!bytes("00ff")`` |
| other ``memoryview`` | ``!buffer("i",[3],"0100...")``: format, shape, bytes |
| ``datetime``, ``date``, ``time`` | ``!datetime("2026-12-01T00:00:00+00:00")``: the same instant in two zones is two |
| ``timedelta`` | ``!timedelta(1,0,0)``: days, seconds, microseconds |
| ``Decimal`` | ``!decimal("1.10")``: ``1.1`` and ``1.10`` are two |
| ``Fraction``, ``complex`` | ``!fraction(1,3)``, ``!complex(1,2)`` |
| ``UUID`` | ``!uuid("12345678-...")`` |
| path | ``!path("PosixPath","a/b")`` |
| member of an ``Enum`` | ``!enum("module.Class","NAME")``; a combination of flags without a name: its value |
| class, module | ``!class("module.Class")``, ``!module("name")`` |
| function, built-in function | ``!function("module.name")`` |
| bound method | ``!method("module.Class.name",<the object>)`` |
| ``functools.partial`` | ``!partial(<function>,[<args>],{<keywords>})`` |
| compiled pattern | ``!pattern("a+",34)``: pattern, flags |
| dataclass, attrs, pydantic (1 and 2), msgspec | ``!object("module.Class",{"field":1})`` |
| exception | ``!object("module.Class",[<args>],{<state>})`` |
| ``deque``, ``BytesIO``, ``StringIO`` | ``!object("collections.deque",[1,2])``: with the content |
| array and other buffers | ``!object("array.array",!buffer(...))`` |
| any other object | ``!object("module.Class",{"attribute":1})``: slots and ``__dict__``, never its ``repr`` |
| object without visible state | ``!object("module.Class",{})``, or with the parts pickling would keep |
| generator, iterator, file | the same, never consumed nor read |
| any of these whose code raises | ``!opaque("module.Class")`` |
| value that is inside itself | ``!up(1)``: how many containers above it stands |
| over a budget | its first bytes, then ``!cut`` |

Plain values, which is nearly all, take the fast path (``toolbrake.core.fast``), which gives the bytes that
``toolbrake.core.exact`` gives, only sooner. The budgets are in ``toolbrake.core.output``.
"""

from __future__ import annotations

from hashlib import sha256

from toolbrake.core.exact import exact
from toolbrake.core.fast import accelerate, fast, read
from toolbrake.core.jsontext import parsed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hashlib import _Hash as Hash

__all__ = ["accelerate", "arguments", "canonical", "canonicalise", "fingerprint", "fingerprint_cut"]

_HEADS_KEPT = 256
_heads: dict[str, Hash] = {}


def canonical(value: object) -> bytes:
    """The canonical bytes of any value. Raises nothing."""
    return canonicalise(value)[0]


def canonicalise(value: object) -> tuple[bytes, bool]:
    """The canonical bytes, and whether a budget of ``toolbrake.core.output`` cut them."""
    data = fast(value)
    return exact(value) if data is None else (data, False)


def arguments(args: object) -> object:
    """Arguments as a value: a string is parsed as JSON text, blank is ``{}``, and what is no JSON text is itself."""
    if not issubclass(type(args), str):
        return args
    text = str.__str__(args)
    found = read(text)
    return parsed(text) if found is None else found[0]


def fingerprint(tool: str, args: object) -> bytes:
    """The identity of a call: sha256 of the tool's name, a newline and the canonical bytes of its arguments."""
    return fingerprint_cut(tool, args)[0]


def fingerprint_cut(tool: str, args: object) -> tuple[bytes, bool]:
    """The fingerprint, and whether a budget cut the arguments, so that it is only that of their beginning."""
    data = None if type(args) is str else fast(args)
    cut = False
    if data is None:
        data, cut = _written(args)
    head = _heads.get(tool) or _head(tool)
    whole = head.copy()
    whole.update(data)
    return whole.digest(), cut


def _head(tool: str) -> Hash:
    """The digest begun with a tool's name. Kept, for a copy costs less than a new one; models make names up, though."""
    if len(_heads) >= _HEADS_KEPT:
        _heads.clear()
    head = _heads[tool] = sha256(tool.encode("utf-8", "surrogatepass") + b"\n")
    return head


def _written(args: object) -> tuple[bytes, bool]:
    """The canonical bytes of arguments that are a text, or that the fast path has refused."""
    if not issubclass(type(args), str):
        return exact(args)
    text = str.__str__(args)
    found = read(text)
    return canonicalise(parsed(text)) if found is None else (found[1], False)
