"""``redact``: what a quote must not hold, as regular expressions."""

from __future__ import annotations

import re

from toolbrake.core.value import Frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

REDACTED = "[redacted]"
"""What stands in a quote where a pattern matched."""


class Redaction(Frozen):
    """Replaces what any of ``patterns`` matches.

    All patterns see the text as it came, and matches that overlap are replaced together: the order of the patterns
    cannot leave half a secret behind. A match of no characters is none.
    """

    __slots__ = ("_compiled", "patterns")
    patterns: tuple[str, ...]
    _compiled: tuple[re.Pattern[str], ...]

    def __init__(self, patterns: Iterable[str]) -> None:
        own = tuple(patterns)
        self._set(patterns=own, _compiled=tuple(re.compile(pattern) for pattern in own))

    def __call__(self, text: str) -> str:
        """The text without what the patterns match."""
        parts: list[str] = []
        position = 0
        for start, end in self._spans(text):
            parts += [text[position:start], REDACTED]
            position = end
        return "".join([*parts, text[position:]])

    def _spans(self, text: str) -> list[tuple[int, int]]:
        """Where the matches lie, in order and without overlap."""
        found = sorted(match.span() for pattern in self._compiled for match in pattern.finditer(text) if match.group())
        spans: list[tuple[int, int]] = []
        for start, end in found:
            if spans and start < spans[-1][1]:
                spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
            else:
                spans.append((start, end))
        return spans
