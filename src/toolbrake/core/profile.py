"""What is known about a tool: which arguments identify a call, which only label it, and what the tool does."""

from __future__ import annotations

from toolbrake.core.patterns import MEMORY, matches
from toolbrake.core.value import Frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

DOES = ("read", "write", "run", "wait", "spawn", "think", "unknown")
"""What a tool can do, as far as a rule cares."""


class ToolProfile(Frozen):
    """What is known about every tool whose name ``match`` covers.

    ``identity``: the arguments that say which thing a call is about; empty = all of them. ``decoration``: arguments
    that only label a call, left out where calls are compared and never out of a fingerprint. ``paths``: arguments
    that name a file, a folder, a URL or another target. ``position``: arguments that move a window over one target
    (an offset, a page, a range). ``command``: the argument that holds a shell command, which is judged by what it
    says. ``level``: successes are compared with numbers, ids and times levelled, because the tool stamps them.
    """

    __slots__ = ("command", "decoration", "does", "identity", "level", "match", "paths", "position")
    command: str
    decoration: tuple[str, ...]
    does: str
    identity: tuple[str, ...]
    level: bool
    match: str
    paths: tuple[str, ...]
    position: tuple[str, ...]

    def __init__(  # noqa: PLR0913 - the facts of a profile, all keyword-only but one
        self,
        match: str,
        *,
        identity: Iterable[str] = (),
        decoration: Iterable[str] = (),
        does: str = "unknown",
        paths: Iterable[str] = (),
        position: Iterable[str] = (),
        command: str = "",
        level: bool = False,
    ) -> None:
        self._set(
            match=match,
            identity=tuple(identity),
            decoration=tuple(decoration),
            does=does,
            paths=tuple(paths),
            position=tuple(position),
            command=command,
            level=level,
        )

    def settings(self) -> dict[str, object]:
        """The profile by its keys in a configuration."""
        return {
            "match": self.match,
            "identity": list(self.identity),
            "decoration": list(self.decoration),
            "does": self.does,
            "paths": list(self.paths),
            "position": list(self.position),
            "command": self.command,
            "level": self.level,
        }


class Profiles:
    """The profiles a policy knows, most particular first: the first that covers a tool's name speaks for it."""

    __slots__ = ("_known", "_named", "_patterns")

    def __init__(self, profiles: Iterable[ToolProfile] = ()) -> None:
        self._named: dict[str, tuple[int, ToolProfile]] = {}
        self._patterns: list[tuple[int, ToolProfile]] = []
        self._known: dict[str, ToolProfile] = {}
        for place, profile in enumerate(profiles):
            if "*" in profile.match:
                self._patterns.append((place, profile))
            else:
                self._named.setdefault(profile.match, (place, profile))

    def of(self, tool: str) -> ToolProfile:
        """What is known about a tool; a profile that knows nothing for a name that none covers."""
        known = self._known.get(tool)
        if known is None:
            if len(self._known) >= MEMORY:
                self._known.clear()
            known = self._known[tool] = self._find(tool)
        return known

    def _find(self, tool: str) -> ToolProfile:
        place, best = self._named.get(tool, (len(self._named) + len(self._patterns), UNKNOWN))
        for position, profile in self._patterns:
            if position > place:
                break
            if matches(profile.match, tool):
                return profile
        return best


UNKNOWN = ToolProfile("*")
"""What is known about a tool that no profile covers: nothing."""
