r"""A shell command line as the simple commands it runs, in the order in which they are written.

How it reads. A list of commands ends at the end of the text or at the parenthesis that closes it. Reserved words are
looked up in one table: each asks for what must be open and leaves open what must follow, so bodies of ``if``, loops,
``case``, groups and functions are read like any other commands. What stands inside ``$(...)``, backticks and
``<(...)`` is listed after the command it is part of. The body of a here-document is data.

What cannot be followed makes the script ``unknown``, and what was read is still given: unbalanced quotes, brackets
and reserved words, a here-document without end, ``select`` and ``coproc``, an operator where a command is due,
constructs nested deeper than ``NESTING``, text past ``LIMIT``. It never raises and takes linear time.
"""

from __future__ import annotations

from toolbrake.core._shell_simple import LIMIT, SimpleReader
from toolbrake.core._shell_values import Command, Draft, Redirect, Script
from toolbrake.core._shell_words import NESTING, PLAIN, Word

__all__ = ["LIMIT", "NESTING", "Command", "Redirect", "Script", "parse"]

_RESERVED = {
    "if": ("", "fi"),
    "then": ("fi", "fi"),
    "elif": ("fi", "fi"),
    "else": ("fi", "fi"),
    "fi": ("fi", ""),
    "while": ("", "do"),
    "until": ("", "do"),
    "for": ("", "do"),
    "do": ("do", "done"),
    "done": ("done", ""),
    "case": ("", "esac"),
    "esac": ("esac", ""),
    "{": ("", "}"),
    "}": ("}", ""),
    "!": ("", ""),
    "function": ("", ""),
    "[[": ("", ""),
    "select": ("", "do"),
    "coproc": ("", ""),
}
"""A reserved word: what must be open for it, and what it leaves open."""

_OPERATORS = (";;&", "&&", "||", "|&", ";;", ";&", ";", "&", "|")
_CASE_ENDS = frozenset({";;", ";&", ";;&"})
_LOOPS = frozenset({"for", "select"})
_UNFOLLOWED = frozenset({"select", "coproc"})


def parse(text: str) -> Script:
    """The commands of a command line, whatever the text is."""
    if len(text) < LIMIT and _PLAIN_LINE.issuperset(text):
        words = tuple(text.split())
        if words and words[0] not in _RESERVED and "=" not in words[0]:
            # Nothing special in it, as in every fifth recorded command.
            return Script(text, (Command(words, words),))
    parser = _Parser(text, 0)
    parser.commands_until("")
    script = Script(text, tuple(parser.commands))
    script.functions = frozenset(parser.functions)
    script.unknown = parser.unknown or parser.end < len(text)
    script.flat = parser.flat
    return script


_PLAIN_LINE = PLAIN | frozenset(" \t~")


class _Parser(SimpleReader):
    """Reads lists and compound commands."""

    __slots__ = ()

    def commands_of(self, code: str) -> None:
        inner = _Parser(code, self.depth)
        inner.commands = self.commands
        inner.functions = self.functions
        inner.shell = (*self.shell, len(self.commands))
        inner.commands_until("")
        self.unknown |= inner.unknown or inner.end < len(code)

    def commands_until(self, closing: str) -> None:
        outer = self.shell
        if closing:
            self.shell = (*outer, len(self.commands))
        self._list(closing)
        self.shell = outer
        if not closing and self.pending:
            self.unknown = True

    def _list(self, closing: str) -> None:
        """Reads commands and what joins them; ``due`` holds what closes the constructs that are open."""
        due: list[str] = []
        complete, last = False, None
        while True:
            self._gap()
            if self.at >= self.end:
                self.unknown |= bool(closing or due)
                return
            char = self.text[self.at]
            if char == "\n":
                self._newline(last)
                complete = False
            elif char == ")":
                self.at += 1
                if closing and not due:
                    return
                self.unknown = True
            elif char in ";|" or (char == "&" and not self.follows("&>")):
                self._operator(last, due, complete=complete)
                complete = False
            elif char == "(" and not complete:
                self._group()
                complete, last = True, None
            else:
                complete, last = self._statement(due, complete=complete)

    def _operator(self, last: Command | None, due: list[str], *, complete: bool) -> None:
        operator = next(operator for operator in _OPERATORS if self.follows(operator))
        self.at += len(operator)
        if operator in _CASE_ENDS:
            self._cases(due)
            return
        if not complete:
            self.unknown = True
        if last is not None and not last.connector:
            last.connector = operator

    def _group(self) -> None:
        """Reads a subshell or an arithmetic command."""
        self.flat = False
        if self.follows("(("):
            self.arithmetic(self.at + 2)
        else:
            self.at += 1
            self.nested(lambda: self.commands_until(")"))

    def _statement(self, due: list[str], *, complete: bool) -> tuple[bool, Command | None]:
        """Reads a simple command or one reserved word; says whether a command is complete now, and which."""
        draft = Draft(len(self.commands))
        char = self.text[self.at]
        if char != "(" and not self._redirects(char):
            word = self.word()
            if word.raw in _RESERVED:
                return self._reserved(word, due)
            self._take(draft, word)
            self.unknown |= complete and bool(draft.words or draft.assignments)
        while char := self._more():
            if char != "(":
                self._part(draft, char)
            elif self._defines(draft):
                return False, None
        return True, self._keep(draft)

    def _defines(self, draft: Draft) -> bool:
        """Reads the parentheses after a function's name; any others are in a wrong place."""
        self.at += 1
        self._gap()
        if self.follows(")") and len(draft.spelled) == len(draft.words) == 1 and not draft.redirects:
            self.at += 1
            self.flat = False
            self.functions.add(draft.words[0])
            return True
        self.unknown = True
        return False

    def _reserved(self, word: Word, due: list[str]) -> tuple[bool, Command | None]:
        """Reads on after a reserved word, by the table."""
        if word.raw == "[[":
            return True, self._test(word)
        self.flat = False
        needed, left = _RESERVED[word.raw]
        if needed and (not due or due.pop() != needed):
            self.unknown = True
        if left:
            due.append(left)
        if word.raw == "case":
            self._case(due)
        elif word.raw in _LOOPS:
            self._loop()
        elif word.raw == "function":
            self._function()
        self.unknown |= word.raw in _UNFOLLOWED
        return word.raw in _LOOPS or bool(needed and not left), None

    def _test(self, opening: Word) -> Command:
        """Reads ``[[ ... ]]``, in which operators and line ends are words like others."""
        draft = Draft(len(self.commands))
        draft.take(opening)
        while draft.words[-1] != "]]":
            self._lines()
            if self.at >= self.end:
                self.unknown = True
                break
            start = self.at
            word = self.word()
            if self.at == start:
                self.at += 1
                word = Word(self.text[start], self.text[start], live=False)
            draft.take(word)
        return self._keep(draft)

    def _loop(self) -> None:
        """Reads ``NAME in WORDS`` or ``((...))`` after ``for``."""
        self._gap()
        if self.follows("(("):
            self.arithmetic(self.at + 2)
            return
        self.word()
        self._lines()
        start = self.at
        if self.word().raw != "in":
            self.at = start
            return
        while self._more():
            start = self.at
            self.word()
            if self.at == start:
                self.give_up()

    def _case(self, due: list[str]) -> None:
        """Reads ``WORD in`` after ``case``, and the first pattern."""
        self._gap()
        self.word()
        self._lines()
        self.unknown |= self.word().raw != "in"
        self._cases(due)

    def _cases(self, due: list[str]) -> None:
        """Reads the pattern of the next case, if there is one."""
        self._lines()
        start = self.at
        if not due or due[-1] != "esac":
            self.unknown = True
        elif self.word().raw == "esac":
            self.at = start
        else:
            if self.at == start and self.follows("("):
                self.at += 1
            self._words_until(")")

    def _function(self) -> None:
        """Reads the name after ``function``, and the parentheses it may have."""
        self._gap()
        self.functions.add(self.word().text)
        self._gap()
        if self.follows("("):
            self.at += 1
            self._words_until(")")
