"""A command's words as options and operands."""

from __future__ import annotations

from toolbrake.core._command_table import names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

LONG_VALUED = names("""
    --after-context --before-context --block-size --bytes --chdir --context --data --data-raw --depth --directory
    --exclude --exclude-dir --exclude-from --expression --file --format --glob --group --header --host --include
    --iglob --input --label --lines --max-count --max-depth --max-time --message --mode --output --output-document
    --port --reference --regexp --request --separator --sort --target-directory
    --timeout --type --url --user --width
    """)
"""Long options that take the next word in every command that is asked for its operands."""


def options(
    words: Sequence[str], valued: str = "", *, attached: str = "", longs: frozenset[str] = LONG_VALUED
) -> tuple[dict[str, str], list[str]]:
    """A command's options and operands.

    ``valued``: letters of the options whose value may be the next word; ``attached``: of those whose value, if any,
    is the rest of the same word; ``longs``: long options whose value is the next word unless it comes after ``=``.
    A cluster of letters is taken apart. Of an option that comes twice the last value counts.
    """
    flags: dict[str, str] = {}
    operands: list[str] = []
    at = 1
    while at < len(words):
        word = words[at]
        at += 1
        if word == "--":
            operands += words[at:]
            break
        if word.startswith("--"):
            name, sign, flags[name] = word.partition("=")
            if not sign and name in longs and at < len(words):
                flags[name] = words[at]
                at += 1
        elif word.startswith("-") and len(word) > 1:
            name, value = _cluster(word, valued, attached, flags)
            if name and not value and at < len(words):
                flags[name] = words[at]
                at += 1
        else:
            operands.append(word)
    return flags, operands


def _cluster(word: str, valued: str, attached: str, flags: dict[str, str]) -> tuple[str, str]:
    """Notes the letters of ``-abc``; the option that wants a value, and the rest of the word."""
    for place, letter in enumerate(word[1:], 2):
        flags["-" + letter] = ""
        if letter in attached or letter in valued:
            flags["-" + letter] = word[place:]
            return ("-" + letter if letter in valued else ""), word[place:]
    return "", ""
