"""How findings are put into words for a model.

A quote is data that somebody else wrote, put before a model that follows instructions. So it is redacted, cut,
kept on one line, fenced, and cleaned of control and bidirectional characters and of everything that looks like a
tool call or a tag. Texts never hold a false reason and name one next step that can work.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from toolbrake.core.decision import Action

    Redact = Callable[[str], str]

DENIED = "REPEAT_TOOL_BLOCKED"
"""First word of a denied repeat, for programs that read the result."""

PATH_DENIED = "REPEAT_PATH_BLOCKED"
"""First word of a denied re-read of one path."""

BRAKE = "loop brake:"
"""First words of the brake's refusal."""

OWN_MARKERS = (DENIED, PATH_DENIED, BRAKE, "toolbrake:")
"""How every text of ours begins, the classic reminder apart."""

REDACTION_MARGIN = 1024
"""Characters past the cap that redaction still sees, so that a cut cannot split a secret out of its pattern."""

_FENCE = "`"
_CLEAN = {
    ord("<"): "\u2039",  # tags and special tokens of any model family
    ord(">"): "\u203a",
    ord("`"): "'",  # the fence
    ord("\n"): " ",
    ord("\r"): " ",
    ord("\t"): " ",
    0x2028: " ",
    0x2029: " ",
}
_CLEAN.update({code: "�" for code in (*range(0x20), *range(0x7F, 0xA0)) if code not in _CLEAN})
_CLEAN.update(
    dict.fromkeys(
        (
            0x061C,
            0x200B,
            0x200E,
            0x200F,
            0xFEFF,
            *range(0x202A, 0x202F),
            *range(0x2060, 0x2070),
            *range(0xD800, 0xE000),
        ),
        "�",  # bidirectional controls, invisible characters, lone surrogates
    )
)
_CLEAN.update(dict.fromkeys(range(0xE0000, 0xE0080), "�"))  # tag characters: text that only a model sees


def quote(text: str, cap: int, redact: Redact | None = None) -> str:
    """At most ``cap`` characters of ``text`` in a fence, with the count of those left out.

    ``redact`` sees the text before it is cut. Every character is replaced by exactly one, so ``cap`` holds.
    """
    shown = text[: cap + REDACTION_MARGIN]
    if redact is not None:
        rest = len(text) - len(shown)
        shown = redact(shown)
        omitted = max(0, len(shown) - cap) + rest
    else:
        omitted = max(0, len(text) - cap)
    body = _clean(shown[:cap])
    more = f" [{omitted} more characters omitted]" if omitted else ""
    return f"{_FENCE}{body}{_FENCE}{more}"


def name(text: str) -> str:
    """A tool's name or a path on one line, cleaned and at most 200 characters long."""
    return _clean(text[:200])


def again(rule: str, action: Action, tool: str, count: int) -> str:
    """What a finding says whose own words were not kept: a state that has been bytes holds no text."""
    evidence = f"({name(rule)}, count {count})"
    tool = tool or "the last call"
    if action == "remind":
        return f"toolbrake: {name(tool)} repeats itself {evidence}. Use the results you have, or change the approach."
    return f"{DENIED}: {name(tool)} was stopped {evidence}. Do something else, or finish with what is known."


def _clean(text: str) -> str:
    return text.translate(_CLEAN).replace("[TOOL", "(TOOL")
