"""The fast path to canonical bytes: a proof that a value is plain, then a C encoder.

Nearly all values are plain: nothing but exact JSON types, and no number that encoders write otherwise than RFC 8785.
The proof costs as little per value as Python can; what it does not cover is left to ``toolbrake.core.exact``, which
would give the same bytes for all the rest too.
"""

from __future__ import annotations

from toolbrake.core.jsontext import encoded
from toolbrake.core.output import BYTE_BUDGET, NODE_BUDGET

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Container = dict[str, object] | list[object]

_SCALARS = frozenset({str, int, bool, type(None)})
_CONTAINERS = frozenset({dict, list})  # no tuple: orjson 3.13 has no limit on their depth and overruns the stack
_STRINGS = frozenset({str})

_SMALLEST_ALIKE = 1e-4
_LARGEST_ALIKE = 1e16
"""Between these Python, orjson and ECMAScript print a float alike; outside one of them takes an exponent."""

_MEASURED_FROM = 256
"""Nodes encoded unmeasured: measuring costs half as much as encoding, and so few repeat no large string often."""

_SAMPLE = 1_000
"""Containers after which the proof asks whether it walks in circles; the exact path never does."""

_ASTRAL_LEADS = (0xF0, 0xF1, 0xF2, 0xF3, 0xF4)
"""The first UTF-8 bytes of characters past U+FFFF."""


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


def read(text: str) -> tuple[object, bytes] | None:
    """The value of a JSON text and its canonical bytes, if orjson is in use and has both; None otherwise.

    It reads an integer past 64 bits as a float, and more levels than it writes: neither has bytes here.
    """
    if _loads is None:
        return None
    try:
        value = _loads(text)
    except ValueError:
        return None
    data = fast(value)
    return None if data is None else (value, data)


def fast(value: object) -> bytes | None:
    """The bytes of a plain value by a C encoder; None if only the exact path gives them."""
    try:
        containers = _proved(value)
        if containers is None:
            return None
        data = _encoded(value, containers) if _dumps is None else _dumps(value, None, _options)
    except Exception:  # noqa: BLE001 - whatever it is (a key, a lone surrogate, depth, a class that cannot be hashed,
        return None  # another thread's change), the exact path takes every value
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
            kind = type(item)
            if kind is str:
                length += len(item)  # type: ignore[arg-type]  # a str, as mypy does not see
            elif kind in _CONTAINERS:
                containers.append(item)  # type: ignore[arg-type]  # as above
            elif kind not in _SCALARS and not _reads_alike(item):
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
