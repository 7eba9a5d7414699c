r"""One shell word at a time: quotes, escapes and expansions, as bash reads them.

A word is read once, left to right. What a quote protects becomes text; an expansion stays as it is written, because
what it stands for is known only when it runs, and the word is then *live*. The commands inside ``$(...)``, backticks
and ``<(...)`` run too: the scanner hands them to ``commands_until``, at the place where they stand.
"""

from __future__ import annotations

from toolbrake.core._shell_ansi import ansi
from toolbrake.core.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

NESTING = 16
"""Constructs inside each other that are followed; people nest three. Python's stack must bear it in a deep host."""

BLANKS = frozenset(" \t\r")
ENDS = frozenset(" \t\r\n;&|()")
"""What ends a word unless quoted; ``<`` and ``>`` do too, but for ``<(`` and ``>(``."""

_STOPS = ENDS | frozenset("<>'\"`$\\*?[{")
_IN_DOUBLE = frozenset('"\\$`')
_IN_BRACES = frozenset("}'\"\\$`")
_IN_ARITHMETIC = frozenset("()$`")
_DOUBLE_ESCAPES = frozenset('"\\$`\n')
_BACKTICK_ESCAPES = frozenset("\\$`")
_PARAMETERS = frozenset("@*#?-$!0123456789")
_NAME = frozenset("_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
PLAIN = _NAME | frozenset("-./,:+@%^=")
"""What stands for itself wherever it stands, but for an assignment's sign."""


class Word(Value):
    """A word: its ``text`` after quote removal, its ``raw`` spelling, and whether only running it tells its value."""

    __slots__ = ("live", "raw", "text")
    live: bool
    raw: str
    text: str

    @classmethod
    def hidden(cls) -> tuple[str, ...]:
        return "raw", "text"

    def __init__(self, text: str, raw: str, *, live: bool) -> None:
        self.text = text
        self.raw = raw
        self.live = live

    def spelled(self) -> str:
        """The word in one spelling for all its quotings; as it is written where a quote would change its meaning."""
        if self.raw == self.text or self.live or "~" in self.raw:
            return self.raw
        return quoted(self.text)


def quoted(text: str) -> str:
    """A text as a word of a command line, in quotes only where it needs them."""
    return text if text and PLAIN.issuperset(text) else "'" + text.replace("'", "'\\''") + "'"


def until(text: str, at: int, end: int, stops: frozenset[str]) -> int:
    """The first position from ``at`` on that holds one of ``stops``; ``end`` where none does."""
    while at < end and text[at] not in stops:
        at += 1
    return at


class Scanner:
    """A place in a command line, and whether anything before it could not be followed."""

    __slots__ = ("at", "depth", "end", "live", "text", "unknown")

    def __init__(self, text: str, end: int, depth: int) -> None:
        self.text = text
        self.at = 0
        self.end = end
        self.depth = depth
        self.live = False
        self.unknown = False

    def commands_until(self, closing: str) -> None:
        """Reads the commands from here on, up to and with ``closing``."""
        raise NotImplementedError

    def commands_of(self, code: str) -> None:
        """Reads the commands of a text that is not the rest of this one."""
        raise NotImplementedError

    def follows(self, text: str) -> bool:
        """Whether ``text`` stands here."""
        return self.text.startswith(text, self.at, self.end)

    def give_up(self) -> None:
        """Goes to the end; what is passed over stays unknown."""
        self.unknown = True
        self.at = self.end

    def word(self) -> Word:
        """Reads the word that begins here, and leaves what ends it; an empty word if nothing begins here."""
        start = self.at
        self.at = at = until(self.text, start, self.end, _STOPS)
        if at >= self.end or self.text[at] in ENDS:
            raw = self.text[start:at]
            return Word(raw, raw, live=False)
        outer, self.live = self.live, False
        word = self._special(start)
        self.live = outer
        return word

    def _special(self, start: int) -> Word:
        """Reads on in a word in which something is special."""
        parts = [self.text[start : self.at]]
        while self.at < self.end and self.text[self.at] not in ENDS:
            char = self.text[self.at]
            if char in "<>" and not self.follows(char + "("):
                break
            parts.append(_READERS[char](self) if char in _READERS else self._plain())
        raw = self.text[start : self.at]
        live = (self.live and raw not in _BRACKETS) or ("{" in raw and _expands(raw))
        return Word("".join(parts), raw, live=live)

    def _plain(self) -> str:
        """Reads what stands for itself, which a word may begin again with after a quote."""
        start = self.at
        self.at = until(self.text, start + 1, self.end, _STOPS)
        return self.text[start : self.at]

    def pattern(self) -> str:
        self.live = True
        return self._plain()

    def single(self) -> str:
        """Reads a quote in which nothing is special."""
        start = self.at + 1
        stop = self.text.find("'", start, self.end)
        if stop < 0:
            self.give_up()
            return self.text[start : self.end]
        self.at = stop + 1
        return self.text[start:stop]

    def escape(self) -> str:
        """Reads a backslash and what it protects; a line that is continued leaves nothing."""
        start = self.at
        self.at = min(start + 2, self.end)
        following = self.text[start + 1 : self.at]
        return "" if following == "\n" else following

    def double(self) -> str:
        """Reads a quote in which only expansions and a few escapes are special."""
        parts = []
        self.at += 1
        while True:
            start = self.at
            self.at = until(self.text, start, self.end, _IN_DOUBLE)
            parts.append(self.text[start : self.at])
            if self.at >= self.end:
                self.unknown = True
                break
            char = self.text[self.at]
            if char == '"':
                self.at += 1
                break
            if char == "\\":
                escaped = self.text[self.at + 1 : self.at + 2]
                parts.append(self.escape() if escaped in _DOUBLE_ESCAPES else "\\" + self.escape())
            else:
                parts.append(self.backtick() if char == "`" else self.expansion(quoted=True))
        return "".join(parts)

    def expansion(self, *, quoted: bool = False) -> str:
        """Reads what begins with a dollar sign and gives it back as written, or the text of ``$'...'``."""
        start = self.at
        following = self.text[start + 1 : min(start + 2, self.end)]
        if not quoted and following and following in "'\"":
            self.at += 1
            return self._ansi() if following == "'" else self.double()
        if following and following in "({":
            self.live = True
            self.nested(self._parenthesis if following == "(" else lambda: self._parameter(quoted=quoted))
        elif following in _PARAMETERS or following in _NAME:
            self.live = True
            self.at = start + 2 if following in _PARAMETERS else _name_end(self.text, start + 1, self.end)
        else:
            self.at = start + 1
        return self.text[start : self.at]

    def nested(self, read: Callable[[], None]) -> None:
        """Reads a construct inside the present one, unless there are too many around it."""
        if self.depth >= NESTING:
            self.give_up()
            return
        self.depth += 1
        read()
        self.depth -= 1

    def _parenthesis(self) -> None:
        """Reads ``$((...))`` or ``$(...)``."""
        if self.follows("$(("):
            self.arithmetic(self.at + 3)
        else:
            self.at += 2
            self.commands_until(")")

    def process(self) -> str:
        """Reads ``<(...)`` or ``>(...)``, a file name that stands for commands."""
        start = self.at
        self.live = True
        self.at += 2
        self.nested(lambda: self.commands_until(")"))
        return self.text[start : self.at]

    def arithmetic(self, at: int) -> None:
        """Reads an arithmetic expression after its two opening parentheses; it changes nothing but variables."""
        self.at = at
        level = 2
        while level:
            self.at = until(self.text, self.at, self.end, _IN_ARITHMETIC)
            if self.at >= self.end:
                self.unknown = True
                return
            char = self.text[self.at]
            if char in "()":
                level += 1 if char == "(" else -1
                self.at += 1
            else:
                _ = self.backtick() if char == "`" else self.expansion(quoted=True)
        if not self.text.endswith("))", at, self.at):
            self.unknown = True

    def _parameter(self, *, quoted: bool) -> None:
        """Reads ``${...}`` with whatever its default or pattern holds."""
        self.at += 2
        while True:
            self.at = until(self.text, self.at, self.end, _IN_BRACES)
            if self.at >= self.end:
                self.unknown = True
                return
            char = self.text[self.at]
            if char == "}":
                self.at += 1
                return
            if char == "'" and quoted:
                self.at += 1
            else:
                _READERS[char](self)

    def backtick(self) -> str:
        """Reads an old-style substitution, whose text loses one layer of backslashes before it runs."""
        start, parts = self.at, []
        self.at += 1
        self.live = True
        while True:
            begun = self.at
            self.at = until(self.text, begun, self.end, frozenset("`\\"))
            parts.append(self.text[begun : self.at])
            if self.at >= self.end:
                self.unknown = True
                break
            if self.text[self.at] == "`":
                self.at += 1
                break
            escaped = self.text[self.at + 1 : self.at + 2]
            parts.append(escaped if escaped in _BACKTICK_ESCAPES else "\\" + escaped)
            self.at = min(self.at + 2, self.end)
        self.nested(lambda: self.commands_of("".join(parts)))
        return self.text[start : self.at]

    def _ansi(self) -> str:
        """Reads a quote with the escapes of C."""
        found, self.at = ansi(self.text, self.at + 1, self.end)
        if self.at >= self.end:
            self.unknown = True
        else:
            self.at += 1
        return found


_BRACKETS = frozenset({"[", "[["})
"""Command names that look like patterns."""


def _name_end(text: str, at: int, end: int) -> int:
    """Where the variable's name that begins at ``at`` ends."""
    while at < end and text[at] in _NAME:
        at += 1
    return at


def _expands(raw: str) -> bool:
    """Whether a word without quotes holds ``{a,b}`` or ``{1..9}``; ``{}`` and ``HEAD@{1}`` stand for themselves."""
    inside = raw.partition("{")[2]
    return "}" in inside and ("," in inside or ".." in inside)


_READERS: dict[str, Callable[[Scanner], str]] = {
    "'": Scanner.single,
    '"': Scanner.double,
    "`": Scanner.backtick,
    "$": Scanner.expansion,
    "\\": Scanner.escape,
    "<": Scanner.process,
    ">": Scanner.process,
    "*": Scanner.pattern,
    "?": Scanner.pattern,
    "[": Scanner.pattern,
}
