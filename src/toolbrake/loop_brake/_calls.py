"""One host call on its way through several seams.

A *seam* is a place where calls pass: a registry's ``execute``, or the braked body of one tool. A host call passes
``execute`` first, then the body, perhaps a body that is braked twice, and is counted at the first seam it meets.

The next seam recognises it

1. by where it runs: it is inside the counted call (same thread or task, or a context copied from it);
2. else by its id;
3. else, where neither tells (a worker thread), by its tool: a call that was counted at ``execute`` and has not
   reached a body yet. Which of several such calls it is makes no difference: each is counted, each has a body.

A body that a call is in already means another call: a tool that calls itself is counted each time. Arguments may
change between ``execute`` and the body (parsed, validated, filled up), so there the tool's name is enough, and
where the registry also translates the name, the arguments are.
"""

from __future__ import annotations

from toolbrake.core.canonical import fingerprint


class Seam:
    """A place where calls pass. ``above`` is the registry's ``execute`` that leads to this body, where known."""

    __slots__ = ("above", "is_body")

    def __init__(self, *, is_body: bool, above: Seam | None = None) -> None:
        self.is_body = is_body
        self.above = above


class Seen:
    """A call as one seam sees it; ``session`` and ``call_id`` are None where unknown. Never printed: it holds args."""

    __slots__ = ("_fingerprint", "args", "call_id", "session", "tool")

    def __init__(self, tool: str, args: object, *, session: str | None = None, call_id: str | None = None) -> None:
        self.tool = tool
        self.args = args
        self.session = session
        self.call_id = call_id
        self._fingerprint = b""

    @property
    def fingerprint(self) -> bytes:
        """The call's identity; computed when first asked for, because a recognised call often needs none."""
        return self._fingerprint or self.identify()

    def identify(self) -> bytes:
        """Compute the identity now: arguments may run code of their own, which must not run under a lock."""
        self._fingerprint = fingerprint(self.tool, self.args)
        return self._fingerprint


class OpenCall:
    """A call that was counted and is not over yet.

    ``passages``: how many seams it is inside of right now; at none it is over. ``bodies``: how many of them are bodies.
    """

    __slots__ = ("__weakref__", "bodies", "count", "passages", "seam", "seen")

    def __init__(self, seen: Seen, seam: Seam, count: int) -> None:
        seen.args = None  # its identity is known by now; a context may keep this call for long
        self.seen = seen
        self.seam = seam
        self.count = count
        self.passages = 0
        self.bodies = 0

    def has_id_of(self, seen: Seen) -> bool:
        """Whether both are known by the same id, for the same tool."""
        return seen.call_id is not None and seen.call_id == self.seen.call_id and seen.tool == self.seen.tool

    def conflicts_with(self, seen: Seen) -> bool:
        """Whether both are known to be different: by their ids, or by their sessions."""
        return _differ(self.seen.call_id, seen.call_id) or _differ(self.seen.session, seen.session)

    def continues(self, passed: tuple[Seam, ...], seen: Seen, seam: Seam) -> bool:
        """Whether what a seam sees inside this call, past these bodies, is this call and not one that it makes."""
        if seam in passed or self.conflicts_with(seen):
            return False
        first = self.seen
        if seam.above is self.seam:
            return seen.tool == first.tool or fingerprint(first.tool, seen.args) == first.fingerprint
        return self.has_id_of(seen) or seen.fingerprint == first.fingerprint

    def awaits(self, seen: Seen, seam: Seam) -> bool:
        """Whether what a seam sees elsewhere is this call, counted at ``execute``, on its way to a body."""
        if self.bodies or not seam.is_body or seen.tool != self.seen.tool or self.conflicts_with(seen):
            return False
        return seam.above is self.seam or self.has_id_of(seen)


def _differ(one: str | None, other: str | None) -> bool:
    return one is not None and other is not None and one != other
