"""What a result comes down to: its text, and the digest by which results are compared."""

from __future__ import annotations

from hashlib import sha256

from toolbrake.core.canonical import canonical

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

DIGEST_DIGITS = 16
"""Hex digits of a digest in a trace: 64 bits, enough to tell results of one run apart."""


def digest(text: str) -> str:
    """The first 16 hex digits of sha256 of the UTF-8 text, as traces hold it; lone surrogates are kept apart."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:DIGEST_DIGITS]


def text_of(content: object) -> str:
    """The text of a result: a text itself, the text blocks of a content list, else its canonical form."""
    if isinstance(content, str):
        return content
    if content is None:
        return ""
    if isinstance(content, (list, tuple)):
        blocks = [_block_text(block) for block in content]
        if blocks and all(block is not None for block in blocks):
            return "\n".join(block for block in blocks if block is not None)
    single = _block_text(content)
    if single is not None:
        return single
    return canonical(content).decode("utf-8", "replace")


def _block_text(block: object) -> str | None:
    """The text of a content block, as MCP and most message formats write it; None for anything else."""
    if isinstance(block, str):
        return block
    if isinstance(block, dict) and _names(block.keys()) and isinstance(block.get("text"), str):
        return str(block["text"])
    return None


def _names(keys: Iterable[object]) -> bool:
    """Whether the keys are those of a text block: ``text`` with at most a type and labels beside it."""
    return "text" in keys and all(key in _BLOCK_KEYS for key in keys)


_BLOCK_KEYS = frozenset({"type", "text", "annotations", "citations", "cache_control", "id", "index", "_meta"})
