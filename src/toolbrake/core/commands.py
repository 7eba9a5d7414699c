"""What a shell command line does, and by what it is compared.

``judge`` reads the line with ``toolbrake.core.shell``, takes the simple commands one by one, looks through wrappers
(``sudo env timeout ... CMD``, ``bash -c '...'``), and adds up what the tables and handlers say of each. It decides by
what is written alone: whether a file exists, and what a program does, it cannot know. A command that is in no table
runs code.

``identity`` gives one spelling to command lines that differ in nothing that matters to a comparison.
"""

from __future__ import annotations

from toolbrake.core._command_code import CODE_COMMANDS, launched, unwrapped
from toolbrake.core._command_effects import Effects, Tally
from toolbrake.core._command_files import FILE_COMMANDS, changing, formatting, reading
from toolbrake.core._command_git import git
from toolbrake.core._command_identity import identity
from toolbrake.core._command_runners import INTERPRETERS, SHELLS
from toolbrake.core._command_table import (
    CHANGES,
    CHANGES_ANYTHING,
    FORMATTERS,
    IDLE,
    NETWORK,
    READS,
    SETTINGS,
    STATE,
    WAITS,
)
from toolbrake.core._command_tools import TOOL_COMMANDS, cloud, networking, verbal
from toolbrake.core._command_verbs import CLOUDS, VERBS
from toolbrake.core.shell import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from toolbrake.core.shell import Command, Redirect, Script

__all__ = ["Effects", "identity", "judge"]

INSIDE = 12
"""Commands inside commands (``bash -c``, ``find -exec``, ``xargs``) that are followed; people nest two."""

_INSIDE_TELLS = SHELLS | {"eval"}
_WRITING = frozenset({">", ">>", ">|", "&>", "&>>", "<>", ">&"})
_PROBES = frozenset({"--version", "--help", "-version", "-V"})
_PROBED_BY_V = frozenset({"node", "npm", "yarn", "pnpm", "go", "php", "ruby", "java", "nginx", "g++", "gcc"})


def judge(command_line: str | Script) -> Effects:
    """What a command line does, given as text or as ``parse`` has read it. Never raises, whatever the text is."""
    tally = _Judge()
    tally.commands(parse(command_line) if isinstance(command_line, str) else command_line)
    return Effects(tally, unknown=tally.unknown)


class _Judge(Tally):
    __slots__ = ("functions",)

    def __init__(self) -> None:
        super().__init__()
        self.functions: frozenset[str] = frozenset()

    def script(self, text: str) -> None:
        if self.depth >= INSIDE:
            self.unknown = True
            return
        self.commands(parse(text))

    def commands(self, script: Script) -> None:
        """Judges a script's commands."""
        self.unknown = self.unknown or script.unknown
        outer = (self.functions, self.live, self.body, self.cwd)
        self.functions |= script.functions
        folders: dict[tuple[int, ...], str | None] = {(): self.cwd}
        self.depth += 1
        for command in script.commands:
            self.cwd = _folder(command.shell, folders)
            self._simple(command)
            folders[command.shell] = self.cwd
        self.depth -= 1
        self.functions, self.live, self.body, self.cwd = outer

    def _simple(self, command: Command) -> None:
        self.live = command.live
        bodies = [redirect.body for redirect in command.redirects if redirect.body is not None]
        self.body = bodies[-1] if bodies else None
        for redirect in command.redirects:
            self._redirection(redirect)
        if command.words:
            self.command(command.words)
        elif command.assignments:
            self.idle = False

    def _redirection(self, redirect: Redirect) -> None:
        target = redirect.target
        if target.startswith(("/dev/tcp/", "/dev/udp/")):
            self.idle = False
            self.talks([target.split("/")[3]], bare=True)
        elif redirect.operator == "<":
            self.idle = False
            self.reads([target])
        elif redirect.operator in _WRITING and not (redirect.operator == ">&" and (target.isdigit() or target == "-")):
            self.changes([target])
            self.idle = self.idle and not self.wrote

    def command(self, words: Sequence[str]) -> None:
        words = unwrapped(words)
        if not words:
            return
        if self.depth >= INSIDE:
            self.unknown = True
            return
        self.depth += 1
        self._named(_name(words[0]), words)
        self.depth -= 1

    def _named(self, name: str, words: Sequence[str]) -> None:
        """Judges a command by the name that the tables know it by."""
        if name in IDLE:
            self._idle(name, words)
            return
        if name not in _INSIDE_TELLS:
            # A text that is only printed tells no more than ``echo`` does.
            self.idle = self.idle and name == "cat" and len(words) == 1 and self.body is not None
        if words[0] in self.live:
            self.unknown = True
        elif len(words) == 2 and (words[1] in _PROBES or (words[1] == "-v" and name in _PROBED_BY_V)):  # noqa: PLR2004
            self.lost_read = True
        # A function's commands are judged where it is defined.
        elif name not in self.functions and name not in SETTINGS:
            self._known(name, (name, *words[1:]))

    def _idle(self, name: str, words: Sequence[str]) -> None:
        if name in ("cd", "pushd"):
            self.move(next((word for word in words[1:] if word == "-" or word[:1] != "-"), "~"))
        elif name == "popd":
            self.cwd = None
        if any(word in self.live for word in words):
            self.idle = False

    def _known(self, name: str, words: Sequence[str]) -> None:
        """Judges a command by the tables and handlers."""
        if launched(words, self):
            return
        handler = _HANDLERS.get(name)
        if handler is not None:
            handler(words, self)
        elif name in CHANGES_ANYTHING:
            self.changes_something()
        elif name in WAITS:
            self.waits_for()
            self.lost_read = True
        elif name not in STATE:
            self.runs(words[1:])


def _folder(shell: tuple[int, ...], folders: dict[tuple[int, ...], str | None]) -> str | None:
    """Where a subshell is; it begins where the one around it is."""
    if shell not in folders:
        folders[shell] = _folder(shell[:-1], folders)
    return folders[shell]


def _name(word: str) -> str:
    """The name that the tables know a command by; the word itself for a program at some place of its own."""
    folder, slash, name = word.rpartition("/")
    if slash and not folder.endswith("bin"):
        return word
    plain = name.rstrip("0123456789.")
    return plain if plain in _VERSIONED and name not in _HANDLERS else name


def _kill(words: Sequence[str], tally: Tally) -> None:
    """``kill``: signal 0 only asks."""
    if "-0" in words or "-l" in words:
        tally.lost_read = True
    else:
        tally.changes_something()


def _crontab(words: Sequence[str], tally: Tally) -> None:
    if "-l" in words:
        tally.lost_read = True
    else:
        tally.changes_something()


def _watch(words: Sequence[str], tally: Tally) -> None:
    """``watch``: a command again and again."""
    at = 1
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in ("-n", "--interval") else 1
    tally.waits_for()
    tally.command(words[at:])


_VERSIONED = frozenset({*INTERPRETERS, "pip", "perl", "gcc", "g++", "clang", "clang++"})
_HANDLERS: dict[str, Callable[[Sequence[str], Tally], None]] = {
    **dict.fromkeys(READS, reading),
    **dict.fromkeys(CHANGES, changing),
    **dict.fromkeys(FORMATTERS, formatting),
    **dict.fromkeys(NETWORK, networking),
    **dict.fromkeys(VERBS, verbal),
    **dict.fromkeys(CLOUDS, cloud),
    **FILE_COMMANDS,
    **TOOL_COMMANDS,
    **CODE_COMMANDS,
    "crontab": _crontab,
    "git": git,
    "kill": _kill,
    "watch": _watch,
}
