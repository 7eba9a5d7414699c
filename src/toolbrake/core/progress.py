"""Progress: which changes could make an equal call worth repeating.

A successful change bumps the session's epoch, whichever of its agents made it. A rule notes the epoch at a call and
asks at the next equal one whether anything relevant has changed since. A change is relevant unless its targets and
the call's are both known and do not overlap: the change of one file does not excuse a loop on another. What another
agent changed, or what was changed too long ago to be remembered, counts as relevant. A call's own repetitions do
not count: writing the same thing again changes nothing.

Targets are kept as digests of a path and of the folders above it: a path is an argument, and arguments are secrets.
"""

from __future__ import annotations

from hashlib import sha256

from toolbrake.core.value import Frozen, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolbrake.core.state import SessionRecord

REMEMBERED = 6
"""Changes of one scope that are told apart; an older one counts as relevant to everything."""

TARGETS = 3
"""Targets of one call that are told apart; a call with more could touch anything."""

DEPTH = 6
"""Folders above a target that are told apart."""


PLACE = 3
"""Bytes of a target's digest: enough to tell the few of one run apart; a mix-up only excuses a repeat."""


ABSOLUTE, RELATIVE = 1, 2


class Targets(Frozen):
    """Where a call reads or writes. ``own`` are the targets themselves, ``above`` they and the folders above.

    ``kinds`` says how they are named: ``ABSOLUTE``, ``RELATIVE``, or both added up; 0 for URLs alone.
    """

    __slots__ = ("above", "kinds", "own")
    above: frozenset[int]
    kinds: int
    own: frozenset[int]

    def __init__(self, own: Iterable[int], above: Iterable[int], kinds: int = 0) -> None:
        self._set(own=frozenset(own), above=frozenset(above), kinds=kinds)

    def overlaps(self, other: Targets) -> bool:
        """Whether one of these targets is, holds, or lies in one of the others, or could be under another name.

        A relative and an absolute path can be one file: where the relative one begins is not known.
        """
        if self.kinds and other.kinds and self.kinds != other.kinds:
            return True
        return not (self.own.isdisjoint(other.above) and self.above.isdisjoint(other.own))


def targets_of(paths: Iterable[str]) -> Targets | None:
    """The targets that some paths or URLs name; None where there is none, or too many to tell apart."""
    names = [name for name in map(normal, paths) if name]
    if not names or len(names) > TARGETS:
        return None
    own: list[int] = []
    above: list[int] = []
    for name in names:
        parts = name.split("/")
        places = ["/".join(parts[:depth]) for depth in range(1, min(len(parts), DEPTH) + 1)]
        own.append(_place(name))
        above += [_place(place) for place in places if place]
        above.append(_place(name))
    return Targets(own, above, _kinds(names))


def _kinds(names: list[str]) -> int:
    kinds = {ABSOLUTE if name.startswith("/") else RELATIVE for name in names if "://" not in name}
    return sum(kinds)


def normal(path: str) -> str:
    """One spelling of a path or URL: no ``./``, no doubled or trailing slash, ``a/../b`` folded."""
    scheme, colon, rest = path.partition("://")
    if not colon:
        scheme, rest = "", path
    parts: list[str] = []
    for part in rest.strip().replace("\\", "/").split("/"):
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    lead = "/" if not colon and rest.startswith("/") else ""
    return f"{scheme}{colon}{lead}{'/'.join(parts)}"


class Progress(Value):
    """The changes of one scope, newest last: the epoch each made, who made it, and where."""

    __slots__ = ("changes",)

    def __init__(self) -> None:
        self.changes: list[tuple[int, bytes, Targets | None]] = []

    def note(self, session: SessionRecord, key: bytes, targets: Targets | None) -> None:
        """A call, known by its comparison key, has changed something."""
        session.epoch += 1
        self.changes.append((session.epoch, key, targets))
        del self.changes[:-REMEMBERED]

    def moved(self, session: SessionRecord, since: int, key: bytes, targets: Targets | None) -> bool:
        """Whether anything that matters to this call has changed since that epoch."""
        if session.epoch == since:
            return False
        recent = [change for change in self.changes if change[0] > since]
        if len(recent) < session.epoch - since:
            return True
        for _, who, where in recent:
            if who != key and (targets is None or where is None or targets.overlaps(where)):
                return True
        return False

    def dump(self) -> list[object]:
        """The changes as small values, oldest first."""
        return [
            [epoch, key, None if where is None else [_packed(where.own), _packed(where.above), where.kinds]]
            for epoch, key, where in self.changes
        ]

    def load(self, data: Iterable[tuple[int, bytes, tuple[bytes, bytes, int] | None]]) -> None:
        """Take over what ``dump`` wrote."""
        for epoch, key, where in data:
            targets = None if where is None else Targets(_unpacked(where[0]), _unpacked(where[1]), where[2])
            self.changes.append((epoch, key, targets))


def _packed(places: Iterable[int]) -> bytes:
    return b"".join(place.to_bytes(PLACE, "big") for place in sorted(places))


def _unpacked(data: bytes) -> list[int]:
    return [int.from_bytes(data[start : start + PLACE], "big") for start in range(0, len(data), PLACE)]


def _place(name: str) -> int:
    return int.from_bytes(sha256(name.encode("utf-8", "surrogatepass")).digest()[:PLACE], "big")
