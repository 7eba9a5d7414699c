"""Small values as short text: how the rules' windows fit into a state's bytes.

None, whole numbers, floats, texts, bytes and lists of these, each with a leading byte that says what it is and, where
that fits, how long or how large; the whole as base64. A number below 128 is one byte, a digest is its bytes and one
more. Anything that ``pack`` did not write raises ``ValueError``.
"""

from __future__ import annotations

from binascii import Error, a2b_base64, b2a_base64

_LIST, _BYTES, _SHORT = 0x80, 0xA0, 32
_NONE, _NUMBER, _FLOAT, _TEXT, _LONG_LIST, _LONG_BYTES = range(0xC0, 0xC6)

DEPTH = 8
"""Lists within lists that are read; ours are three deep."""


def pack(value: object) -> str:
    """The text for a value. Raises TypeError for a value of another kind."""
    out = bytearray()
    _write(value, out)
    return b2a_base64(bytes(out), newline=False).decode("ascii")


def unpack(text: str) -> object:
    """The value that ``pack`` wrote. Raises ValueError for any other text."""
    try:
        data = a2b_base64(text, strict_mode=True)
        value, end = _read(data, 0, DEPTH)
    except (Error, IndexError, UnicodeDecodeError, OverflowError) as damage:
        raise ValueError(f"the packed value is damaged: {type(damage).__name__}") from damage
    if end != len(data):
        raise ValueError("the packed value is damaged: something follows it")
    return value


def _write(value: object, out: bytearray) -> None:
    if value is None:
        out.append(_NONE)
    elif isinstance(value, int):
        _write_number(int(value), out)
    elif isinstance(value, float):
        _write_sized(_FLOAT, repr(value).encode("ascii"), out)
    elif isinstance(value, str):
        _write_sized(_TEXT, value.encode("utf-8", "surrogatepass"), out)
    elif isinstance(value, bytes):
        if len(value) < _SHORT:
            out.append(_BYTES + len(value))
            out += value
        else:
            _write_sized(_LONG_BYTES, value, out)
    elif isinstance(value, (list, tuple)):
        if len(value) < _SHORT:
            out.append(_LIST + len(value))
        else:
            out.append(_LONG_LIST)
            _write_length(len(value), out)
        for item in value:
            _write(item, out)
    else:
        raise TypeError(f"a state holds no {type(value).__name__}")


def _write_number(value: int, out: bytearray) -> None:
    if 0 <= value < _LIST:
        out.append(value)
    else:
        out.append(_NUMBER)
        _write_length(value * 2 if value >= 0 else -value * 2 - 1, out)


def _write_sized(kind: int, data: bytes, out: bytearray) -> None:
    out.append(kind)
    _write_length(len(data), out)
    out += data


def _write_length(length: int, out: bytearray) -> None:
    while length >= _LIST:
        out.append(length % _LIST | _LIST)
        length //= _LIST
    out.append(length)


def _read(data: bytes, at: int, depth: int) -> tuple[object, int]:  # noqa: PLR0911 - one return a kind
    kind = data[at]
    at += 1
    if kind < _LIST:
        return kind, at
    if kind == _NONE:
        return None, at
    if kind < _BYTES:
        return _read_list(data, at, kind - _LIST, depth)
    if kind < _NONE:
        return _read_bytes(data, at, kind - _BYTES)
    size, at = _read_length(data, at)
    if kind == _NUMBER:
        return (size // 2 if size % 2 == 0 else -(size + 1) // 2), at
    if kind == _LONG_LIST:
        return _read_list(data, at, size, depth)
    raw, at = _read_bytes(data, at, size)
    if kind == _LONG_BYTES:
        return raw, at
    if kind == _TEXT:
        return raw.decode("utf-8", "surrogatepass"), at
    if kind == _FLOAT:
        return float(raw.decode("ascii")), at
    raise ValueError(f"the packed value is damaged: nothing begins with {kind}")


def _read_list(data: bytes, at: int, size: int, depth: int) -> tuple[list[object], int]:
    if not depth or size > len(data):
        raise ValueError("the packed value is damaged: too deep, or too long")
    items = []
    for _ in range(size):
        item, at = _read(data, at, depth - 1)
        items.append(item)
    return items, at


def _read_bytes(data: bytes, at: int, size: int) -> tuple[bytes, int]:
    if at + size > len(data):
        raise ValueError("the packed value is damaged: it is cut")
    return data[at : at + size], at + size


def _read_length(data: bytes, at: int) -> tuple[int, int]:
    length, shift = 0, 0
    while True:
        byte = data[at]
        at += 1
        length |= (byte % _LIST) << shift
        if byte < _LIST:
            return length, at
        shift += 7
        if shift > 70:  # noqa: PLR2004 - ten bytes hold every number of ours
            raise OverflowError("too large")
