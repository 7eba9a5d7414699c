"""What to write in place of the keys of dsh-repeat-tool-breaker 0.4 and later.

That version counts measures of a call in a window: the call itself, its command, its URL, its host. The comparison
rules express what it says of repeats and of failures. They have no measure that stops an agent for how often it was at
one host, since paging, retries and downloads are normal there; a row that asks for one is told so.
"""

from __future__ import annotations

from collections.abc import Mapping

_NO_HOST = "not supported: hosts are never a reason to deny a call; `target` reminds of reads of one URL"

INSTEAD: Mapping[str, str] = {
    "window": "write `stall: {window: N}`, the calls within which equal outcomes are counted",
    "warn_at": "write `stall: {ladder: {remind: N}}`",
    "summarize_at": "write it as a second count, `stall: {ladder: {remind: [N, M]}}`; no text demands a summary",
    "fail_warn_at": "write `failures: {ladder: {remind: N}}`",
    "fail_limit": "write `failures: {ladder: {deny: N}}`, where N is the attempt that is denied, one more than here",
    "on_limit": "write the rung `ask` or `deny` in a ladder, `stall: {ladder: {ask: N}}`",
    "ignore_args": "write `tools: [{match: NAME, decoration: [...]}]`",
    "local_hosts": f"{_NO_HOST}, so local ones need no exception",
    "include_local": f"{_NO_HOST}, so local ones need no exception",
    "host_aliases": "not supported: URLs are compared as they are written",
}
"""By key, as configurations of toolbrake spell it."""

_LIMITS: Mapping[str, str] = {
    "exact": "write `stall: {ladder: {deny: N}}`",
    "cmd": "write `stall: {ladder: {deny: N}}`, which compares commands in one spelling",
    "net": "not supported: `stall` counts calls that bring the same outcome, `target` reminds of reads of one URL",
    "sink": "not supported: what is written to one file is progress, and `stall` counts where it is not",
    "host": _NO_HOST,
    "site": _NO_HOST,
    "family": "not supported: how often a kind of tool runs is for `budget`, which only reminds",
    "verb": "not supported: how often a program runs is for `budget`, which counts tools and only reminds",
}
"""By measure in ``limits``; what stands behind a colon (``verb:curl``) changes nothing."""


def instead(key: str, value: object) -> str:
    """What to write in place of a key, in either spelling, that had this value."""
    plain = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in key)
    if plain != "limits":
        return INSTEAD[plain]
    measures = list(value) if isinstance(value, Mapping) and value else ["exact"]
    return "; ".join(f"for {measure}, {_limit(str(measure))}" for measure in measures)


def _limit(measure: str) -> str:
    return _LIMITS.get(measure.partition(":")[0], "not supported: no version has such a measure")
