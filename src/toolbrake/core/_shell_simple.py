"""One simple command: its words, redirections and here-documents."""

from __future__ import annotations

from toolbrake.core._shell_values import Command, Draft, Redirect
from toolbrake.core._shell_words import BLANKS, Scanner, Word, until

LIMIT = 16_384
"""Characters that are read, here-documents not counted: the longest command line of 12,000 recorded ones has 1,200."""

_REDIRECTIONS = ("&>>", "&>", "<<<", "<<-", "<<", "<>", "<&", ">>", ">&", ">|", "<", ">")
_ANGLES = frozenset("<>")
_HERE = frozenset({"<<", "<<-"})
_COMMAND_ENDS = frozenset("\n;|)") | {""}
_LINE_END = frozenset("\n")
_DESCRIPTORS = frozenset(str(number) for number in range(256))
_IN_BODY = frozenset("\\$`")


class SimpleReader(Scanner):
    """Reads simple commands into ``commands``; ``pending`` are here-documents whose bodies follow the line."""

    __slots__ = ("commands", "flat", "functions", "pending", "shell")

    def __init__(self, text: str, depth: int) -> None:
        super().__init__(text, min(len(text), LIMIT), depth)
        self.commands: list[Command] = []
        self.flat = True
        self.functions: set[str] = set()
        self.pending: list[tuple[Redirect, bool]] = []
        self.shell: tuple[int, ...] = ()

    def _gap(self) -> None:
        """Passes blanks, continued lines and a comment."""
        text, at, end = self.text, self.at, self.end
        while at < end:
            char = text[at]
            if char in BLANKS:
                at += 1
            elif char == "#":
                at = until(text, at, end, _LINE_END)
            elif char == "\\" and text.startswith("\n", at + 1, end):
                at += 2
            else:
                break
        self.at = at

    def _lines(self) -> None:
        """Passes line ends too, where they mean nothing."""
        self._gap()
        while self.at < self.end and self.text[self.at] == "\n":
            self._newline(None)
            self._gap()

    def _newline(self, last: Command | None) -> None:
        """Passes a line's end, and the here-documents that the line asked for."""
        self.at += 1
        if last is not None and not last.connector:
            last.connector = "\n"
        pending, self.pending = self.pending, []
        for redirect, quoted in pending:
            self._body(redirect, quoted=quoted)

    def _keep(self, draft: Draft) -> Command:
        """Lists a command that is read, in front of those that it holds."""
        command = draft.finished(self.shell)
        self.commands.insert(draft.place, command)
        return command

    def _more(self) -> str:
        """The character that the simple command goes on with; empty where it ends."""
        self._gap()
        char = self.text[self.at] if self.at < self.end else ""
        return "" if char in _COMMAND_ENDS or (char == "&" and not self.follows("&>")) else char

    def _redirects(self, char: str) -> bool:
        """Whether a redirection begins with this character, which stands here."""
        return char == "&" or (char in _ANGLES and not self.follows(char + "("))

    def _part(self, draft: Draft, char: str) -> None:
        """Reads a word or redirection, which begins with ``char``."""
        if self._redirects(char):
            self._redirect(draft, None)
        else:
            self._take(draft, self.word())

    def _take(self, draft: Draft, word: Word) -> None:
        """Adds a word, unless it is the number of a descriptor that is redirected."""
        following = self.text[self.at] if self.at < self.end else ""
        if word.raw in _DESCRIPTORS and following in _ANGLES and self._redirects(following):
            self._redirect(draft, int(word.raw))
            return
        draft.take(word)
        if following == "(" and word.raw.endswith("="):
            self.flat = False
            draft.live.add(word.text)
            self.at += 1
            self._words_until(")")

    def _words_until(self, closing: str) -> None:
        """Passes words and line ends, up to and with ``closing``."""
        while True:
            self._lines()
            if self.at >= self.end:
                self.unknown = True
                return
            start = self.at
            self.word()
            if self.at == start:
                self.at += 1
                if self.text[start] == closing:
                    return
                self.unknown |= self.text[start] != "|"

    def _redirect(self, draft: Draft, fd: int | None) -> None:
        operator = next(operator for operator in _REDIRECTIONS if self.follows(operator))
        self.at += len(operator)
        self._gap()
        word = self.word()
        self.unknown |= not word.raw
        number = fd if fd is not None else int(operator[0] != "<")
        # Whether a here-document's delimiter is quoted decides what its body means.
        spelled = word.raw if operator in _HERE else word.spelled()
        redirect = Redirect(operator, word.text, number, spelled=spelled)
        draft.redirects.append(redirect)
        if operator in _HERE:
            self.pending.append((redirect, word.raw != word.text))
            return
        if operator == "<<<":
            redirect.body = word.text
        if word.live:
            draft.live.add(word.text)

    def _body(self, redirect: Redirect, *, quoted: bool) -> None:
        """Reads the body of a here-document; it counts against no limit, but for the expansions in it."""
        start = at = self.at
        stop = -1
        while at < len(self.text):
            stop = self.text.find("\n", at)
            stop = stop if stop >= 0 else len(self.text)
            line = self.text[at:stop]
            if (line.lstrip("\t") if redirect.operator == "<<-" else line) == redirect.target:
                break
            at = stop + 1
        else:
            self.unknown = True
        redirect.body = self.text[start:at]
        self.at = min(stop + 1, len(self.text)) if at < len(self.text) else len(self.text)
        self.end = min(self.end + self.at - start, len(self.text))
        if not quoted and ("$(" in redirect.body or "`" in redirect.body):
            self._expand(start, start + len(redirect.body))

    def _expand(self, start: int, stop: int) -> None:
        """Reads the substitutions in the body of a here-document; they run."""
        if stop - start > LIMIT:
            self.unknown = True
            return
        at, end = self.at, self.end
        self.at, self.end = start, stop
        while (found := until(self.text, self.at, self.end, _IN_BODY)) < self.end:
            self.at = found
            _IN_BODY_READERS[self.text[found]](self)
        self.at, self.end = at, end


_IN_BODY_READERS = {"\\": Scanner.escape, "$": Scanner.expansion, "`": Scanner.backtick}
