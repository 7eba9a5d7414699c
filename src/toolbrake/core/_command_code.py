"""Commands that run other commands or code: shells, interpreters, ``find``, ``xargs``, wrappers."""

from __future__ import annotations

from toolbrake.core._command_files import seconds
from toolbrake.core._command_options import options
from toolbrake.core._command_runners import (
    FETCH_MARKS,
    INTERPRETERS,
    LAUNCHERS,
    SHELLS,
    SLEEP_MARKS,
    SOURCED_SETTINGS,
    WRAPPER_OPERANDS,
    WRAPPERS,
    WRITE_MARKS,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from toolbrake.core._command_effects import Tally

PASSED = "$*"
"""Stands for words that a command is given by another one while it runs."""

_FIND_ENDS = frozenset({";", "+"})
_FIND_EXECS = frozenset({"-exec", "-execdir", "-ok", "-okdir"})
_FIND_LINKS = frozenset({"-H", "-L", "-P"})
_FIND_TESTS = frozenset({"-", "(", "!"})
_FIND_WRITES = frozenset({"-fls", "-fprint", "-fprint0", "-fprintf"})
_MODULES = {"pip": "pip", "pytest": "pytest", "venv": "virtualenv", "virtualenv": "virtualenv", "black": "black"}
_MODULES |= {"isort": "isort", "ruff": "ruff", "autopep8": "autopep8", "mypy": "mypy", "flake8": "flake8"}
_READING_MODULES = frozenset({"json.tool", "tabnanny", "pydoc", "site", "sysconfig", "platform", "this"})


def unwrapped(words: Sequence[str]) -> Sequence[str]:
    """The command inside ``sudo``, ``env``, ``timeout`` and their like; nothing if there is none."""
    at = 0
    while at < len(words) and words[at].rpartition("/")[2] in WRAPPERS:
        name = words[at].rpartition("/")[2]
        inner = after_options(words, at + 1, WRAPPERS[name])
        if name == "command" and "".join(words[at + 1 : at + 2]) in ("-v", "-V"):
            return ("which", *words[at + 2 :])
        if name in ("env", "sudo"):
            while inner < len(words) and "=" in words[inner]:
                inner += 1
        if name == "env" and inner >= len(words):
            return ("env",)
        at = inner + WRAPPER_OPERANDS.get(name, 0)
    return words[at:]


def after_options(words: Sequence[str], at: int, valued: str) -> int:
    """Where the operands begin."""
    while at < len(words) and words[at].startswith("-") and words[at] != "-":
        word = words[at]
        at += 1
        if word == "--":
            break
        at += word in _LONG_WRAPPER_OPTIONS or _wants(word, valued)
    return min(at, len(words))


def _wants(word: str, valued: str) -> bool:
    """Whether the next word is the value of the last letter in a cluster."""
    return word[-1] in valued and not word.startswith("--") and not any(letter in valued for letter in word[1:-1])


_LONG_WRAPPER_OPTIONS = frozenset(
    {"--user", "--group", "--signal", "--kill-after", "--adjustment", "--unset", "--chdir"}
)


def launched(words: Sequence[str], tally: Tally) -> bool:
    """Judges what ``uv run`` and its like launch; False if the words are no such thing."""
    if LAUNCHERS.get(words[0]) not in words[1:2]:
        return False
    inner = after_options(words, 2, "npm" if words[0] == "conda" else "p")
    tally.command(words[inner:])
    return True


def shell(words: Sequence[str], tally: Tally) -> None:
    """A shell: commands after ``-c``, on its input, or in a file."""
    at = 1
    while at < len(words) and words[at][:1] in ("-", "+") and len(words[at]) > 1:
        word = words[at]
        at += 1
        if word in ("-o", "+o", "-O", "--rcfile", "--init-file"):
            at += 1
        elif not word.startswith("--") and "c" in word:
            tally.script("".join(words[at : at + 1]))
            return
    if at < len(words) and words[at] != "-":
        tally.runs(words[at:])
        tally.reads(words[at : at + 1])
    elif tally.body is not None:
        tally.script(tally.body)
    else:
        tally.runs()


def interpreter(words: Sequence[str], tally: Tally) -> None:
    """An interpreter: code after an option, on its input, or in a file."""
    valued = INTERPRETERS[words[0]]
    at = 1
    while at < len(words) and words[at].startswith("-") and len(words[at]) > 1:
        word = words[at]
        at += 1
        letter = word[1] if word[1] in _CODE_LETTERS and "c" in valued else word[-1]
        attached = word[2:] if letter == word[1] else ""
        value = attached or "".join(words[at : at + 1])
        if word in ("--eval", "--print") or (letter in _CODE_LETTERS and letter in valued and letter != "m"):
            code(value, tally)
            return
        if letter == "m" and letter in valued:
            _module([value, *words[at + (not attached) :]], tally)
            return
        at += not attached and letter in valued
    if tally.body is not None and "".join(words[at : at + 1]) in ("", "-"):
        code(tally.body, tally)
    else:
        tally.runs(words[at:])


_CODE_LETTERS = frozenset("ceEpmr")


def _module(words: Sequence[str], tally: Tally) -> None:
    """A module that Python runs: some are commands of their own."""
    name = "".join(words[:1])
    if name in _MODULES:
        tally.command((_MODULES[name], *words[1:]))
    elif name in _READING_MODULES:
        tally.reads(word for word in words[1:] if not word.startswith("-"))
    else:
        tally.runs(words[1:])


def code(text: str, tally: Tally) -> None:
    """Inline code runs; calls that it visibly makes are taken for made."""
    tally.runs()
    # Writing to the output is no change.
    calm = text.replace("stdout.write(", "").replace("stderr.write(", "").replace("stdout.buffer.write(", "")
    if any(mark in calm for mark in WRITE_MARKS) or any(map(_opens_to_write, text.split("open(")[1:])):
        tally.changes_something()
    if any(mark in text for mark in FETCH_MARKS):
        tally.talks(_urls(text))
    for mark in SLEEP_MARKS:
        for part in text.split(mark)[1:]:
            tally.waits_for(seconds(part[:_CALL].partition(")")[0].strip()))


_CALL = 200
"""Characters in which a call's arguments are looked for."""
_MODES = tuple(
    f"{lead}{quote}{mode}" for lead in (",", "mode=") for quote in "'\"" for mode in ("w", "a", "x", "r+", "rb+")
)


def _opens_to_write(call: str) -> bool:
    """Whether a file is opened with a mode that writes; ``call`` is what follows the parenthesis."""
    level, size = 1, 0
    for char in call[:_CALL]:
        level += {"(": 1, ")": -1}.get(char, 0)
        if not level:
            break
        size += 1
    inside = call[:size].replace(" ", "")
    return any(mode in inside for mode in _MODES)


def _urls(text: str) -> list[str]:
    """The URLs in a text."""
    parts = text.split("://")
    schemes = [before[-5:].rpartition("http") for before in parts[:-1]]
    return ["http://" + after for (_, mark, _), after in zip(schemes, parts[1:], strict=True) if mark]


def find(words: Sequence[str], tally: Tally) -> None:
    """``find``: looks below its first operands; ``-delete`` and commands of ``-exec`` may change what is there."""
    at = 1
    while at < len(words) and (words[at] in _FIND_LINKS or words[at][:1] not in _FIND_TESTS):
        at += 1
    places = [word for word in words[1:at] if word not in _FIND_LINKS] or ["."]
    tally.reads(places)
    while at < len(words):
        word = words[at]
        at += 1
        if word == "-delete":
            tally.changes(places)
        elif word in _FIND_WRITES:
            tally.changes(words[at : at + 1])
        elif word in _FIND_EXECS:
            end = next((end for end in range(at, len(words)) if words[end] in _FIND_ENDS), len(words))
            _passing(words[at:end], "{}", places[0] if len(places) == 1 else PASSED, tally)
            at = end


def _passing(words: Sequence[str], marker: str, place: str, tally: Tally) -> None:
    """Judges a command that is given ``place`` wherever its words say ``marker``."""
    live = tally.live
    given = [place if word.startswith(marker) else word.replace(marker, place) for word in words]
    if place == PASSED:
        tally.live = live | {word for word in given if PASSED in word}
    tally.command(given)
    tally.live = live


def xargs(words: Sequence[str], tally: Tally) -> None:
    """``xargs``: a command that is given operands that nothing here names."""
    inner = after_options(words, 1, "aEIdLnPs")
    marker = "{}"
    for at in range(1, inner):
        if words[at].startswith("-I"):
            marker = words[at][2:] or "".join(words[at + 1 : at + 2]) or marker
    command = list(words[inner:]) or ["echo"]
    if not any(marker in word for word in command):
        command.append(marker)
    _passing(command, marker, PASSED, tally)


def ssh(words: Sequence[str], tally: Tally) -> None:
    """``ssh``: what runs on the other machine is not followed."""
    _, operands = options(words, "bcDEeFIiJLlmOopQRSWw")
    tally.talks(operands[:1], bare=True)
    tally.runs()


def source(words: Sequence[str], tally: Tally) -> None:
    """``source``: runs a file in this shell; files that only set variables are known by their names."""
    name = "".join(words[1:2])
    if name.rpartition("/")[2] in SOURCED_SETTINGS:
        tally.reads(words[1:2])
    else:
        tally.runs(words[1:])


def evaluated(words: Sequence[str], tally: Tally) -> None:
    """``eval``: its words are commands, where they are known."""
    if any(word in tally.live for word in words[1:]):
        tally.unknown = True
    else:
        tally.script(" ".join(words[1:]))


def trap(words: Sequence[str], tally: Tally) -> None:
    """``trap``: its command runs later."""
    if len(words) > 2 and words[1] != "-":  # noqa: PLR2004 - a command and a signal
        tally.script(words[1])


def substitute_user(words: Sequence[str], tally: Tally) -> None:
    """``su``, ``script``: a command after ``-c``."""
    flags, _ = options(words, "cgGs")
    if flags.get("-c"):
        tally.script(flags["-c"])
    else:
        tally.runs()


def make(words: Sequence[str], tally: Tally) -> None:
    """``make``: runs what the makefile says, unless it is only to show it."""
    flags, _ = options(words, "Cfj")
    if "-n" in flags or "--dry-run" in flags or "--just-print" in flags:
        tally.lost_read = True
    else:
        tally.runs(words[1:])


CODE_COMMANDS: dict[str, Callable[[Sequence[str], Tally], None]] = {
    ".": source,
    "eval": evaluated,
    "find": find,
    "gmake": make,
    "make": make,
    "script": substitute_user,
    "source": source,
    "ssh": ssh,
    "su": substitute_user,
    "trap": trap,
    "xargs": xargs,
    **dict.fromkeys(SHELLS, shell),
    **dict.fromkeys(INTERPRETERS, interpreter),
}
"""Handlers by name."""
