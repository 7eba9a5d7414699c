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
| dataclass, attrs, pydantic (1 and 2), msgspec | ``!object("module.Class",{"field":1})`` |
| exception | ``!object("module.Class",[<args>],{<state>})`` |
| ``deque`` | ``!object("collections.deque",[1,2])`` |
| array and other buffers | ``!object("array.array",!buffer(...))`` |
| any other object | ``!object("module.Class",{"attribute":1})``: slots and ``__dict__`` |
| object without visible state | ``!object("module.Class",{})``, or with the parts pickling would keep |
| generator, iterator | the same, never consumed |
| any of these whose code raises | ``!opaque("module.Class")`` |
| value that is inside itself | ``!up(1)``: how many containers above it stands |
| over a budget | its first bytes, then ``!cut`` |

Plain values, which is nearly all, take a fast path: a proof that nothing in them needs the rules above, then a C
encoder. It gives the bytes that ``toolbrake.core.exact`` gives, only sooner.
"""

from __future__ import annotations

from hashlib import sha256

from toolbrake.core.exact import exact
from toolbrake.core.jsontext import encoded, parsed
from toolbrake.core.output import BYTE_BUDGET, NODE_BUDGET

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from hashlib import _Hash as Hash

    Container = dict[str, object] | list[object] | tuple[object, ...]

_SCALARS = frozenset({str, int, bool, type(None)})
_CONTAINERS = frozenset({dict, list, tuple})
_STRINGS = frozenset({str})

_SMALLEST_ALIKE = 1e-4
_LARGEST_ALIKE = 1e16
"""Between these Python, orjson and ECMAScript print a float alike; outside one of them takes an exponent."""

_MEASURED_FROM = 256
"""Nodes encoded unmeasured: measuring costs half as much as encoding, and so few repeat no large string often."""

_SAMPLE = 1_000
"""Containers after which the proof asks whether it walks in circles; the exact path never does."""

_HEADS_KEPT = 256

_ASTRAL_LEADS = (0xF0, 0xF1, 0xF2, 0xF3, 0xF4)
"""The first UTF-8 bytes of characters past U+FFFF."""


def canonical(value: object) -> bytes:
    """The canonical bytes of any value. Raises nothing."""
    return canonicalise(value)[0]


def canonicalise(value: object) -> tuple[bytes, bool]:
    """The canonical bytes, and whether a budget of ``toolbrake.core.output`` cut them."""
    data = _fast(value)
    return exact(value) if data is None else (data, False)


def arguments(args: object) -> object:
    """Arguments as a value: a string is parsed as JSON text, blank is ``{}``, and what is no JSON text is itself."""
    if not issubclass(type(args), str):
        return args
    text = str.__str__(args)
    if _loads is not None:
        try:
            value = _loads(text)
        except ValueError:
            return parsed(text)
        # A float may be an integer that orjson has rounded; a value too deep for it stays a text without it.
        if _fast(value) is not None:
            return value
    return parsed(text)


def fingerprint(tool: str, args: object) -> bytes:
    """The identity of a call: sha256 of the tool's name, a newline and the canonical bytes of its arguments."""
    data = None if type(args) is str else _fast(args)
    if data is None:
        data, _ = _written(args)
    head = _heads.get(tool) or _head(tool)
    whole = head.copy()
    whole.update(data)
    return whole.digest()


def fingerprint_cut(tool: str, args: object) -> tuple[bytes, bool]:
    """The fingerprint, and whether a budget cut the arguments, so that it is only that of their beginning."""
    data = None if type(args) is str else _fast(args)
    cut = False
    if data is None:
        data, cut = _written(args)
    head = _heads.get(tool) or _head(tool)
    whole = head.copy()
    whole.update(data)
    return whole.digest(), cut


def accelerate() -> bool:
    """Use orjson from now on if it is installed, and import all that later calls could need. The bytes stay the same.

    For processes that live. Without it nothing beyond the interpreter's own C parts is imported: orjson costs a
    short-lived process more than it saves.
    """
    global _dumps, _loads, _options  # noqa: PLW0603 - read on every call, where attributes of a holder would cost
    import json  # noqa: F401, PLC0415 - the C scanner imports its error class on the first text that is no JSON

    try:
        import orjson  # noqa: PLC0415 - optional, and dear to import
    except ImportError:
        return False
    _dumps, _loads = orjson.dumps, orjson.loads
    _options = (
        orjson.OPT_SORT_KEYS
        | orjson.OPT_PASSTHROUGH_SUBCLASS
        | orjson.OPT_PASSTHROUGH_DATACLASS
        | orjson.OPT_PASSTHROUGH_DATETIME
    )
    return True


def _decelerate() -> None:
    """Takes ``accelerate`` back, so that tests can compare the two."""
    global _dumps, _loads  # noqa: PLW0603 - as above
    _dumps = _loads = None


_dumps: Callable[[object, None, int], bytes] | None = None
_loads: Callable[[str], object] | None = None
_options = 0
_heads: dict[str, Hash] = {}


def _head(tool: str) -> Hash:
    """The digest begun with a tool's name. Kept, for a copy costs less than a new one; models make names up, though."""
    if len(_heads) >= _HEADS_KEPT:
        _heads.clear()
    head = _heads[tool] = sha256(tool.encode("utf-8", "surrogatepass") + b"\n")
    return head


def _written(args: object) -> tuple[bytes, bool]:
    """The canonical bytes of arguments that are a text or not plain."""
    if type(args) is str and _loads is not None:
        try:
            data = _fast(_loads(args))
        except ValueError:
            data = None
        return canonicalise(parsed(args)) if data is None else (data, False)
    return canonicalise(arguments(args))


def _fast(value: object) -> bytes | None:
    """The bytes of a plain value by a C encoder; None if only the exact path gives them."""
    try:
        containers = _proved(value)
        if containers is None:
            return None
        data = _encoded(value, containers) if _dumps is None else _dumps(value, None, _options)
    except (TypeError, ValueError, RuntimeError):
        # A key that is no string, a lone surrogate, too many digits or levels; or another thread changed a dict.
        return None
    if len(data) <= BYTE_BUDGET and (data.isascii() or not _has_astral(data)):
        return data
    return None


def _proved(value: object) -> list[Container] | None:
    """The containers of a value that holds nothing but exact JSON types which every encoder writes alike, or None."""
    if type(value) not in _CONTAINERS:
        return [] if _is_plain_scalar(value) else None
    containers: list[Container] = [value]  # type: ignore[list-item]  # what the line above made sure of
    nodes = 1
    for held in containers:
        nodes += len(held)
        if nodes > _MEASURED_FROM:
            return _measured(containers[0])
        for item in held.values() if type(held) is dict else held:
            if type(item) not in _SCALARS:
                if type(item) in _CONTAINERS:
                    containers.append(item)  # type: ignore[arg-type]  # the same
                elif not _reads_alike(item):
                    return None
    return containers


def _measured(value: Container) -> list[Container] | None:
    """The proof for a large value: also that it keeps within the budgets, however often one part of it recurs."""
    containers = [value]
    nodes = 1
    length = 0
    for count, held in enumerate(containers):
        nodes += len(held)
        if nodes > NODE_BUDGET or length > BYTE_BUDGET or (count == _SAMPLE and _recurs(containers)):
            return None
        for item in held.values() if type(held) is dict else held:
            if type(item) is str:
                length += len(item)
            elif type(item) in _CONTAINERS:
                containers.append(item)  # type: ignore[arg-type]  # the same
            elif type(item) not in _SCALARS and not _reads_alike(item):
                return None
    return containers if length <= BYTE_BUDGET else None


def _recurs(containers: list[Container]) -> bool:
    return len({*map(id, containers[:_SAMPLE])}) < _SAMPLE // 2


def _encoded(value: object, containers: list[Container]) -> bytes:
    """By the C encoder of the stdlib, which would write the key ``1`` as ``"1"``; orjson refuses it by itself."""
    for held in containers:
        if type(held) is dict and not _STRINGS.issuperset(map(type, held)):
            raise TypeError("a key is no string")
    return encoded(value).encode()


def _is_plain_scalar(value: object) -> bool:
    if type(value) is str:
        return len(value) <= BYTE_BUDGET
    return type(value) in _SCALARS or _reads_alike(value)


def _reads_alike(value: object) -> bool:
    """Whether a value is a float that Python, orjson and ECMAScript print alike: no exponent, no integer."""
    return type(value) is float and _SMALLEST_ALIKE <= abs(value) < _LARGEST_ALIKE and not value.is_integer()


def _has_astral(data: bytes) -> bool:
    """Whether UTF-8 holds a character past U+FFFF, the only ones that UTF-16 and code points sort differently."""
    return any(lead in data for lead in _ASTRAL_LEADS)
