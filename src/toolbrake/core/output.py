"""Where canonical bytes are written to, and how much may be written."""

from __future__ import annotations

from hashlib import sha256

from toolbrake.core.jsontext import quoted

BYTE_BUDGET = 16 * 1024 * 1024
"""Bytes written. A file body of 1 MB fits sixteen times; digesting it takes about 10 ms."""

NODE_BUDGET = 1_000_000
"""Values visited. About a second on this path. The fast path counts them too, so that both agree."""

DEPTH_BUDGET = 200_000
"""Open containers. Each holds half a kilobyte; objects whose properties make new objects would have no end."""

MEMBER_LIMIT = 4096
"""A longer member of an unordered container is written as its digest, or each of n levels would copy it again."""

CUT = b"!cut"


class Spent(Exception):  # noqa: N818 - no error: how the writer leaves its loop
    """A budget is used up."""


class Output:
    """What was written so far, and how much of the byte budget that took."""

    __slots__ = ("captures", "parts", "size")

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self.size = 0
        self.captures: list[int] = []
        """Where each open member of an unordered container begins."""

    def put(self, part: bytes) -> None:
        self.parts.append(part)
        self.size += len(part)
        if self.size > BYTE_BUDGET:
            raise Spent

    def room(self) -> int:
        return BYTE_BUDGET - self.size

    def text(self, value: str) -> bytes:
        """A JSON string; of a text that cannot fit only its beginning. Lone surrogates become escapes."""
        return quoted(value[: self.room() + 1]).encode("utf-8", "backslashreplace")

    def capture(self) -> None:
        """Begins a member of an unordered container; its comma is counted here."""
        self.captures.append(len(self.parts))
        self.size += 1

    def captured(self) -> bytes:
        """The bytes of the member that ends here, taken out of the output."""
        start = self.captures.pop()
        member = b"".join(self.parts[start:])
        del self.parts[start:]
        if len(member) > MEMBER_LIMIT:
            return b"!sha256(" + sha256(member).hexdigest().encode() + b")"
        return member

    def settle(self, members: list[bytes]) -> None:
        """Puts members back in order. Their bytes were counted when they were first written."""
        self.parts.append(b",".join(sorted(members)))

    def whole(self) -> bytes:
        return b"".join(self.parts)

    def beginning(self) -> bytes:
        """What to keep when a budget is spent: nothing of an unordered container that is still open."""
        if self.captures:
            del self.parts[self.captures[0] :]
        return self.whole()[:BYTE_BUDGET] + CUT
