"""One spelling for command lines that differ in nothing that matters to a comparison.

Left out: white space between words, quotes that protect nothing, comments, a line's end against ``;``, and what only
says how to run or show a command:

- ``timeout N`` in front of a command;
- the options of ``VOLATILE``: verbosity, progress, time limits, retries, assumed answers;
- ``2>&1`` and ``2>/dev/null`` of a command whose output goes nowhere else;
- at the end: ``|| true``, ``|| :``, and an ``echo`` that says only ``$?``.

Kept: operands and their order, every other option, pipes into ``head`` and ``tail``, ``cd`` in front. A line with
``if``, loops, groups or functions, or one that cannot be followed, stays as it is, but for white space at its ends.
"""

from __future__ import annotations

from toolbrake.core._command_code import after_options
from toolbrake.core._shell_words import quoted
from toolbrake.core.shell import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolbrake.core.shell import Command, Redirect, Script

VOLATILE = {
    "apt": ("qy", "", "oct", "--quiet --yes --assume-yes", ""),
    "apt-get": ("qy", "", "oct", "--quiet --yes --assume-yes", ""),
    "curl": (
        "sSv",
        "m",
        "AbcCdDeEFhHKoPQrtTuUwxXyYz",
        "--silent --show-error --verbose --no-progress-meter --progress-bar",
        "--max-time --connect-timeout --retry --retry-delay --retry-max-time",
    ),
    "make": ("s", "", "CfIjOW", "--silent --quiet --no-print-directory", ""),
    "npm": ("s", "", "C", "--silent --quiet --verbose --no-progress --no-audit --no-fund", "--loglevel"),
    "pip": (
        "qv",
        "",
        "cefirtb",
        "--quiet --verbose --no-color --no-input --disable-pip-version-check",
        "--timeout --default-timeout --retries --progress-bar",
    ),
    "pytest": (
        "qv",
        "",
        "cknmoprW",
        "--quiet --verbose --no-header --no-summary",
        "--color --durations --durations-min --tb",
    ),
    "wget": (
        "qv",
        "Tt",
        "aeioOPUlADIQRXBwn",
        "-nv --quiet --verbose --no-verbose --show-progress",
        "--timeout --tries --progress --connect-timeout --read-timeout --dns-timeout",
    ),
}
"""Options that do not identify a command: letters, letters with a value, the other letters with a value (whose values
are kept), words, words with a value.
"""

_MODULE_NAMES = {"pip3": "pip", "py.test": "pytest"}
_PYTHONS = frozenset({"python", "python3"})
_LINE_CONNECTORS = frozenset({";", "\n"})
_NOTHING = frozenset({("true",), (":",)})


def identity(command_line: str | Script) -> str:
    """A command line as the comparison rules compare it, given as text or as ``parse`` has read it."""
    script = parse(command_line) if isinstance(command_line, str) else command_line
    if script.unknown or not script.flat:
        return script.text.strip()
    commands = [command for command in script.commands if not command.shell]
    size = len(commands)
    while _ends_in_vain(commands[max(size - 2, 0) : size]):
        size -= 1
    parts: list[str] = []
    for place, command in enumerate(commands[:size], 1):
        ended = place == size and (size < len(commands) or command.connector in _LINE_CONNECTORS)
        connector = ";" if command.connector in _LINE_CONNECTORS else command.connector
        parts += [*_told(command), "" if ended else connector]
    return " ".join(part for part in parts if part)


def _ends_in_vain(pair: Sequence[Command]) -> bool:
    """Whether the second command does nothing, and tells at most how the first one ended."""
    if len(pair) < 2 or _telling(pair[1].redirects) or pair[1].assignments:  # noqa: PLR2004 - a pair
        return False
    words, connector = pair[1].words, pair[0].connector
    if connector == "||":
        return words in _NOTHING
    text = " ".join(words[1:])
    return (
        connector in _LINE_CONNECTORS
        and words[:1] == ("echo",)
        and text.count("$") == text.count("$?") == 1
        and "`" not in text
    )


def _told(command: Command) -> list[str]:
    """The words and redirections of a command in one spelling."""
    ahead = len(command.assignments)
    start = _after_timeout(command.words)
    words, spelled = command.words[start:], command.spelled[ahead + start :]
    first = _options_from(words)
    spec = VOLATILE.get(_tool(words, first))
    kept = spelled if spec is None else [*spelled[:first], *_identifying(words, spelled, first, spec, command.live)]
    redirects = _telling(command.redirects) if words else command.redirects
    return [*command.spelled[:ahead], *kept, *(_redirection(one) for one in redirects)]


def _after_timeout(words: Sequence[str]) -> int:
    """Where the command begins that a time limit is set for."""
    start = 0
    while start < len(words) and words[start] == "timeout":
        inner = after_options(words, start + 1, "ks") + 1
        # Without ``timeout`` a word with a sign in front would be an assignment.
        if inner >= len(words) or "=" in words[inner]:
            break
        start = inner
    return start


def _options_from(words: Sequence[str]) -> int:
    """Where a command's own options begin: behind ``python -m`` there is another command."""
    return 3 if words[1:2] == ("-m",) and words[0] in _PYTHONS else 1


def _tool(words: Sequence[str], first: int) -> str:
    name = words[first - 1] if len(words) >= first else ""
    return _MODULE_NAMES.get(name, name)


def _identifying(
    words: Sequence[str], spelled: Sequence[str], at: int, spec: tuple[str, str, str, str, str], live: frozenset[str]
) -> list[str]:
    """The words from ``at`` on without those that are volatile."""
    *_, flags, settings = (part.split() for part in spec)
    kept: list[str] = []
    value_next = False
    while at < len(words):
        word, told = words[at], spelled[at]
        at += 1
        if value_next or word in live or not word.startswith("-") or word == "-":
            kept.append(told)
            value_next = False
        elif word == "--":
            return [*kept, told, *spelled[at:]]
        elif word.startswith("--") and word not in settings:
            if word not in flags and word.partition("=")[0] not in settings:
                kept.append(told)
                # Of an option that is not in the table the next word may be the value.
                value_next = "=" not in word
        elif word not in flags:
            letters, following = ("-", "dropped") if word in settings else _letters(word, spec)
            if following == "dropped" and not _is_setting(words[at : at + 1], live):
                letters, following = word, "kept"
            kept += [told if letters == word else quoted(letters)] if letters != "-" else []
            at += following == "dropped"
            value_next = following == "kept"
    return kept


def _is_setting(value: Sequence[str], live: frozenset[str]) -> bool:
    """Whether a value is a plain word or number: what looks like a path stays, whatever option it stands behind."""
    return all(word not in live and (word.isalnum() or word.replace(".", "").isdigit()) for word in value)


def _letters(word: str, spec: tuple[str, str, str, str, str]) -> tuple[str, str]:
    """A cluster without its volatile letters, and whether the next word is a value that is kept or dropped."""
    dropped, dropped_valued, valued, *_ = spec
    kept = "-"
    for place, letter in enumerate(word[1:], 2):
        if letter in dropped_valued:
            return kept, "" if word[place:] else "dropped"
        if letter in valued:
            return kept + word[place - 1 :], "" if word[place:] else "kept"
        kept += "" if letter in dropped else letter
    return kept, ""


def _telling(redirects: Sequence[Redirect]) -> list[Redirect]:
    """Redirections without those that only join or hush the errors."""
    if any(one.operator[0] in ">&" and not _is_hush(one) for one in redirects):
        return list(redirects)
    return [one for one in redirects if not _is_hush(one)]


def _is_hush(one: Redirect) -> bool:
    return one.fd == _ERRORS and (one.operator, one.target) in ((">&", "1"), (">", "/dev/null"))


_ERRORS = 2


def _redirection(one: Redirect) -> str:
    body = quoted(one.body) if one.body is not None and one.operator != "<<<" else ""
    return f"{one.fd}{one.operator}{one.spelled}{body}"
