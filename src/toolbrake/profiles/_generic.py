"""What a tool's name alone says: patterns over the words that tool authors use, in both usual spellings.

Only words that are hardly ever used otherwise. ``run``, ``do``, ``process``, ``manage``, ``browser`` say nothing.
"""

from __future__ import annotations

from toolbrake.core.profile import ToolProfile
from toolbrake.profiles._named import FILE, RANGE

_WAITS = ("wait", "sleep", "poll", "await")
_READS = (
    "get",
    "list",
    "read",
    "search",
    "find",
    "fetch",
    "lookup",
    "query",
    "show",
    "view",
    "describe",
    "inspect",
    "count",
) + ("check", "status", "recall", "browse", "scroll", "calculate", "grep", "glob", "load", "retrieve", "explore")
_WRITES = (
    ("create", "write", "update", "delete", "edit", "insert", "save", "set", "add", "remove", "send", "post", "put")
    + (
        "modify",
        "cancel",
        "book",
        "move",
        "rename",
        "upload",
        "commit",
        "push",
        "install",
        "deploy",
        "append",
        "exchange",
    )
    + (
        "return",
        "click",
        "type",
        "press",
        "message",
        "increment",
        "apply",
        "replace",
        "merge",
        "submit",
        "reset",
        "fill",
    )
)
_PATHS = (*FILE, "url", "uri", "directory", "dir")
_LEVELLED = frozenset({"send", "post", "message"})


def _patterns(word: str) -> tuple[str, ...]:
    """The word alone, as the first word of a name, behind a server's or namespace's prefix, and as the last word."""
    return (word, f"{word}_*", f"{word}-*", f"*__{word}_*", f"*__{word}", f"*.{word}_*", f"*.{word}", f"*_{word}")


def _profile(pattern: str, word: str, does: str) -> ToolProfile:
    return ToolProfile(pattern, does=does, paths=_PATHS, position=RANGE, level=word in _LEVELLED)


GENERIC: tuple[ToolProfile, ...] = tuple(
    _profile(pattern, word, does)
    for does, words in (("wait", _WAITS), ("write", _WRITES), ("read", _READS))
    for word in words
    for pattern in _patterns(word)
)
