"""What reading a command line gives: scripts, simple commands, redirections; and a command while it is read."""

from __future__ import annotations

from toolbrake.core.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from toolbrake.core._shell_words import Word


class Redirect(Value):
    """One redirection; ``body`` is the text of a here-document or here-string, else None.

    ``fd`` is the descriptor that is redirected: 0 or 1 where none is written, 1 for ``&>`` too.
    """

    __slots__ = ("body", "fd", "operator", "spelled", "target")
    body: str | None
    fd: int
    operator: str
    spelled: str
    target: str

    def __init__(self, operator: str, target: str, fd: int, *, spelled: str, body: str | None = None) -> None:
        self.operator = operator
        self.target = target
        self.fd = fd
        self.spelled = spelled
        self.body = body

    @classmethod
    def hidden(cls) -> tuple[str, ...]:
        return "body", "spelled", "target"


class Command(Value):
    r"""One simple command, or, without words, the redirections of a compound one.

    ``connector`` is the operator after it, ``"\n"`` for a line's end, empty at the end of a list. ``spelled`` gives
    assignments and words in one spelling for all quotings. ``live`` holds the texts of words, assignments and targets
    whose value only running tells: expansions and patterns. ``shell`` names the subshell: that of a subshell inside
    begins with it.
    """

    __slots__ = ("assignments", "connector", "live", "redirects", "shell", "spelled", "words")
    assignments: tuple[str, ...]
    connector: str
    live: frozenset[str]
    redirects: tuple[Redirect, ...]
    shell: tuple[int, ...]
    spelled: tuple[str, ...]
    words: tuple[str, ...]

    def __init__(self, words: tuple[str, ...], spelled: tuple[str, ...], shell: tuple[int, ...] = ()) -> None:
        self.words = words
        self.spelled = spelled
        self.shell = shell
        self.assignments = ()
        self.redirects = ()
        self.live = _NONE
        self.connector = ""

    @classmethod
    def hidden(cls) -> tuple[str, ...]:
        return "assignments", "live", "spelled", "words"


_NONE: frozenset[str] = frozenset()


class Script(Value):
    """What was read of ``text``: ``commands``, names of ``functions`` defined, and two doubts.

    ``unknown``: something could not be followed, so more may run than is listed. ``flat``: no compound command, so
    the top shell's commands and their connectors are the whole script.
    """

    __slots__ = ("commands", "flat", "functions", "text", "unknown")
    commands: tuple[Command, ...]
    flat: bool
    functions: frozenset[str]
    text: str
    unknown: bool

    def __init__(self, text: str, commands: tuple[Command, ...]) -> None:
        self.text = text
        self.commands = commands
        self.functions = _NONE
        self.unknown = False
        self.flat = True

    @classmethod
    def hidden(cls) -> tuple[str, ...]:
        return "commands", "functions", "text"


class Draft:
    """A simple command while it is read."""

    __slots__ = ("assignments", "live", "place", "redirects", "spelled", "words")

    def __init__(self, place: int) -> None:
        self.place = place
        self.words: list[str] = []
        self.assignments: list[str] = []
        self.spelled: list[str] = []
        self.redirects: list[Redirect] = []
        self.live: set[str] = set()

    def take(self, word: Word) -> None:
        """Adds a word; an assignment is one only in front of the first."""
        spelled = word.spelled()
        if "=" in word.text and not self.words:
            # A command's name with a quoted "=" is no assignment, and must not be spelled like one.
            spelled = word.raw
            (self.assignments if _assigns(word.raw) else self.words).append(word.text)
        else:
            self.words.append(word.text)
        self.spelled.append(spelled)
        if word.live:
            self.live.add(word.text)

    def finished(self, shell: tuple[int, ...]) -> Command:
        command = Command(tuple(self.words), tuple(self.spelled), shell)
        command.assignments = tuple(self.assignments)
        command.redirects = tuple(self.redirects)
        command.live = frozenset(self.live)
        return command


def _assigns(raw: str) -> bool:
    """Whether a word reads ``NAME=``, ``NAME+=`` or ``NAME[...]=``."""
    name, sign, _ = raw.partition("=")
    name = name.removesuffix("+")
    if name.endswith("]"):
        name = name.partition("[")[0]
    return bool(sign) and name.isascii() and name.isidentifier()
