"""Name patterns: ``*`` stands for any run of characters but a line feed, everything else for itself."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

MEMORY = 256
"""Tool names whose verdict is kept; a host with more tools pays for the match again, and nothing grows."""


def matches(pattern: str, name: str) -> bool:
    """Whether ``pattern`` covers the whole of ``name``, letter case included."""
    if "*" not in pattern:
        return pattern == name
    if name.count("\n") != pattern.count("\n"):
        return False  # a line feed stands for itself only
    first, *middle, last = pattern.split("*")
    if len(name) < len(first) + len(last) or not name.startswith(first) or not name.endswith(last):
        return False
    position, end = len(first), len(name) - len(last)
    for part in middle:
        found = name.find(part, position, end)
        if found < 0:
            return False
        position = found + len(part)
    return True


class Selection:
    """Which tools a rule watches: those an ``include`` pattern covers (all, where there is none) and no ``exclude``."""

    __slots__ = ("_known", "exclude", "include")

    def __init__(self, include: Iterable[str] = (), exclude: Iterable[str] = ()) -> None:
        self.include = tuple(include)
        self.exclude = tuple(exclude)
        self._known: dict[str, bool] = {}

    def __contains__(self, tool: str) -> bool:
        known = self._known.get(tool)
        if known is None:
            if len(self._known) >= MEMORY:
                self._known.clear()
            known = self._known[tool] = self._covers(tool)
        return known

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Selection):
            return NotImplemented
        return (self.include, self.exclude) == (other.include, other.exclude)

    def __hash__(self) -> int:
        return hash((self.include, self.exclude))

    def __repr__(self) -> str:
        return f"Selection(include={self.include!r}, exclude={self.exclude!r})"

    def _covers(self, tool: str) -> bool:
        if any(matches(pattern, tool) for pattern in self.exclude):
            return False
        return not self.include or any(matches(pattern, tool) for pattern in self.include)
