"""Canonical bytes of any value, written with an explicit stack: the path that is right for everything.

Every open container is a generator that writes its own punctuation and yields its children; a loop drives the
innermost one. So depth costs memory, never recursion, and nothing is visited twice. Where order means nothing (sets,
objects with keys that are no strings) each member's bytes are taken out of the output when it is complete, and
sorted with its siblings. What JSON cannot carry is first lowered (``toolbrake.core.foreign``) to a tag and parts.

When a budget is used up, writing stops: the result is the first ``BYTE_BUDGET`` bytes of what was written, followed
by ``!cut``. A half-written unordered container is dropped from it, since which half came first means nothing.
"""

from __future__ import annotations

from toolbrake.core.foreign import lowered
from toolbrake.core.forms import Hexed, Tagged, Unordered, is_text
from toolbrake.core.number import number
from toolbrake.core.output import BYTE_BUDGET, DEPTH_BUDGET, NODE_BUDGET, Output, Spent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def exact(value: object) -> tuple[bytes, bool]:
    """The canonical bytes, and whether a budget cut them. Raises nothing."""
    writer = _Writer()
    try:
        writer.run(value)
    except Spent:
        return writer.beginning(), True
    return writer.whole(), False


def _utf16(key: str) -> bytes:
    """The order of keys is that of their UTF-16 code units (RFC 8785 section 3.2.3)."""
    return key.encode("utf-16-be", "surrogatepass")


class _Writer(Output):
    """The walk: which containers are open, and how many values were visited."""

    __slots__ = ("depths", "nodes")

    def __init__(self) -> None:
        super().__init__()
        self.nodes = 0
        self.depths: dict[int, int] = {}
        """The id of each open container, and how many were open before it."""

    def run(self, value: object) -> None:
        stack: list[Iterator[object]] = [iter((value,))]
        opened: list[int] = []
        while stack:
            for child in stack[-1]:
                frame = self.begin(child)
                if frame is not None:
                    opened.append(id(child))
                    stack.append(frame)
                    break
            else:
                stack.pop()
                if opened:
                    del self.depths[opened.pop()]

    def begin(self, value: object) -> Iterator[object] | None:
        """Writes a value that has no children; opens one that has."""
        self.nodes += 1
        if self.nodes > NODE_BUDGET:
            raise Spent
        write = _SCALARS.get(id(type(value)))
        if write is not None:
            write(self, value)
            return None
        return self.open(value)

    def open(self, value: object) -> Iterator[object] | None:
        depth = len(self.depths)
        above = self.depths.get(id(value))
        if above is not None:
            self.put(b"!up(%d)" % (depth - above))
            return None
        if depth >= DEPTH_BUDGET:
            raise Spent
        form = value if id(type(value)) in _FRAMES else lowered(value)
        write = _SCALARS.get(id(type(form)))
        if write is not None:
            write(self, form)
            return None
        self.depths[id(value)] = depth
        return _FRAMES[id(type(form))](self, form)


def _none(writer: _Writer, _: object) -> None:
    writer.put(b"null")


def _bool(writer: _Writer, value: bool) -> None:
    writer.put(b"true" if value else b"false")


def _int(writer: _Writer, value: int) -> None:
    """All digits, past 2**53 too: RFC 8785 section 3.2.2.3 would round, and merge distinct 64-bit ids."""
    if value.bit_length() // 4 > BYTE_BUDGET:
        raise Spent
    try:
        writer.put(int.__repr__(value).encode())
    except ValueError:  # more digits than the interpreter converts
        writer.put(b'!int("%s")' % hex(value).encode())


def _float(writer: _Writer, value: float) -> None:
    if value - value == 0:
        writer.put(number(value).encode())
    else:
        writer.put(b'!float("%s")' % float.__repr__(value).encode())


def _str(writer: _Writer, value: str) -> None:
    writer.put(writer.text(value))


def _hexed(writer: _Writer, value: Hexed) -> None:
    writer.put(b'"%s"' % value.view[: writer.room() // 2 + 1].hex().encode())


def _array(writer: _Writer, items: list[object] | tuple[object, ...]) -> Iterator[object]:
    lead = b"["
    for item in items:
        writer.put(lead)
        yield item
        lead = b","
    writer.put(b"[]" if lead == b"[" else b"]")


def _object(writer: _Writer, value: dict[object, object]) -> Iterator[object]:
    if len(value) > NODE_BUDGET:
        raise Spent
    pairs = list(value.items())  # at once: another thread may be changing it
    entries = {str.__str__(key): item for key, item in pairs if is_text(key)}
    return _members(writer, entries) if len(entries) == len(pairs) else _entries(writer, pairs)


def _members(writer: _Writer, entries: dict[str, object]) -> Iterator[object]:
    """An object as JSON has it."""
    order = None if all(map(str.isascii, entries)) else _utf16
    lead = b"{"
    for key in sorted(entries, key=order):
        writer.put(lead + writer.text(key) + b":")
        yield entries[key]
        lead = b","
    writer.put(b"}" if entries else b"{}")


def _entries(writer: _Writer, pairs: list[tuple[object, object]]) -> Iterator[object]:
    """An object with keys that are no strings, or that are several strings of one text: sorted by what is written."""
    writer.put(b"{")
    found = []
    for key, item in pairs:
        writer.capture()
        yield key
        writer.put(b":")
        yield item
        found.append(writer.captured())
    writer.settle(found)
    writer.put(b"}")


def _unordered(writer: _Writer, value: Unordered) -> Iterator[object]:
    if len(value.members) > NODE_BUDGET:
        raise Spent
    writer.put(b"!set(")
    found = []
    for member in value.members:
        writer.capture()
        yield member
        found.append(writer.captured())
    writer.settle(found)
    writer.put(b")")


def _tagged(writer: _Writer, value: Tagged) -> Iterator[object]:
    lead = b"!" + value.tag.encode() + b"("
    for part in value.parts:
        writer.put(lead)
        yield part
        lead = b","
    writer.put(b")")


# By the id of the type: a class is a key only as far as its metaclass lets it be hashed and compared.
_SCALARS: dict[int, Callable[..., None]] = {
    id(type(None)): _none,
    id(bool): _bool,
    id(int): _int,
    id(float): _float,
    id(str): _str,
    id(Hexed): _hexed,
}
_FRAMES: dict[int, Callable[..., Iterator[object]]] = {
    id(list): _array,
    id(tuple): _array,
    id(dict): _object,
    id(Unordered): _unordered,
    id(Tagged): _tagged,
}
