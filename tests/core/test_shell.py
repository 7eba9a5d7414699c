"""The lexer: what bash would run, in the order in which it is written."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.strategies import PROPERTY
from toolbrake.core.shell import LIMIT, NESTING, parse

SHELL_TEXT = st.text(alphabet="ab1 \t\n'\"\\$`(){}[]<>|&;#=~*?!-", max_size=60)
"""Texts made of what a shell finds special, most of them no valid command line."""


def words(text):
    return [command.words for command in parse(text).commands]


def redirects(text):
    return [(one.operator, one.target, one.fd) for command in parse(text).commands for one in command.redirects]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("tool 'a b'", ("tool", "a b")),
        ('tool "a b"', ("tool", "a b")),
        ("tool a\\ b", ("tool", "a b")),
        ("tool a'b'\"c\"d", ("tool", "abcd")),
        ("tool ''", ("tool", "")),
        ('tool "it\'s"', ("tool", "it's")),
        ("tool '\\n'", ("tool", "\\n")),
        ('tool "\\n"', ("tool", "\\n")),
        ('tool "\\"\\$\\`\\\\"', ("tool", '"$`\\')),
        ('tool "a\\\nb"', ("tool", "ab")),
        ("tool a\\\nb", ("tool", "ab")),
        ("tool \\\n b", ("tool", "b")),
        ("tool $'a\\tb'", ("tool", "a\tb")),
        ("tool $'\\x41\\101\\u00e9\\''", ("tool", "AAé'")),
        ("tool $'\\q'", ("tool", "\\q")),
        ("tool $'\\U99999999'", ("tool", "\\U99999999")),
        ('tool $"a b"', ("tool", "a b")),
        ("tool a#b", ("tool", "a#b")),
        ("tool a # b", ("tool", "a")),
        ("tool '#'", ("tool", "#")),
        ("tool a=b", ("tool", "a=b")),
        ("tool --x=$y", ("tool", "--x=$y")),
        ("tool $", ("tool", "$")),
        ("tool {}", ("tool", "{}")),
        ('tool "${x:-\'}"', ("tool", "${x:-'}")),
        ("tool \\;", ("tool", ";")),
        ("\\tool", ("tool",)),
    ],
)
def test_quotes_are_removed(text, expected):
    """A word is what bash makes of its quotes and escapes."""
    script = parse(text)

    assert [command.words for command in script.commands] == [expected]
    assert not script.unknown


@pytest.mark.parametrize(
    "text",
    [
        "tool $x",
        'tool "$x"',
        "tool ${x:-a}",
        "tool $(one)",
        "tool `one`",
        "tool $((1 + 2))",
        "tool <(one)",
        "tool *.py",
        "tool a?",
        "tool [ab]",
        "tool {a,b}",
        "tool {1..9}",
    ],
)
def test_expansions_are_live(text):
    """A word whose value only running tells is live, and stays as it is written."""
    command = parse(text).commands[0]

    assert command.words[1] in command.live


@pytest.mark.parametrize(
    "text", ["tool '$x'", "tool \\$x", "tool '*'", "tool \\*", "tool {}", "tool HEAD@{1}", "[ a ]"]
)
def test_quoted_expansions_are_plain(text):
    """What a quote protects is no expansion, and neither is a bracket that names a command."""
    assert not parse(text).commands[0].live


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a; b", [";", ""]),
        ("a && b", ["&&", ""]),
        ("a || b", ["||", ""]),
        ("a | b", ["|", ""]),
        ("a |& b", ["|&", ""]),
        ("a & b", ["&", ""]),
        ("a\nb", ["\n", ""]),
        ("a &&\n\nb", ["&&", ""]),
        ("a # c\nb", ["\n", ""]),
        ("a;", [";"]),
    ],
)
def test_operators_connect(text, expected):
    """Each command knows the operator after it."""
    assert [command.connector for command in parse(text).commands] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a > out", [(">", "out", 1)]),
        ("a >out 2>err", [(">", "out", 1), (">", "err", 2)]),
        ("a >> 'my log'", [(">>", "my log", 1)]),
        ("a 2>&1", [(">&", "1", 2)]),
        ("a >&2", [(">&", "2", 1)]),
        ("a &> out", [("&>", "out", 1)]),
        ("a &>> out", [("&>>", "out", 1)]),
        ("a >| out", [(">|", "out", 1)]),
        ("a < in", [("<", "in", 0)]),
        ("a <> both", [("<>", "both", 0)]),
        ("a 2 > out", [(">", "out", 1)]),
        ("> out a", [(">", "out", 1)]),
        ("2>/dev/null a", [(">", "/dev/null", 2)]),
        ("> out", [(">", "out", 1)]),
        ("a > >(b)", [(">", ">(b)", 1)]),
    ],
)
def test_redirections(text, expected):
    """Operator, target and descriptor of each redirection, wherever it stands in its command."""
    assert redirects(text) == expected


@pytest.mark.parametrize(
    "text", ["{ a; b; } > out", "( a; b ) > out", "if a; then b; fi > out", "while a; do b; done > out"]
)
def test_compound_redirections_stand_alone(text):
    """The redirection of a compound command is a command without words after its parts."""
    assert words(text) == [("a",), ("b",), ()]
    assert redirects(text) == [(">", "out", 1)]


@pytest.mark.parametrize(
    ("text", "body"),
    [
        ("a <<E\none $x\nE\nb", "one $x\n"),
        ("a <<'E'\n$(rm x) `rm`\nE\nb", "$(rm x) `rm`\n"),
        ('a <<"E"\none\nE\nb', "one\n"),
        ("a <<\\E\none\nE\nb", "one\n"),
        ("a <<-E\n\tone\n\tE\nb", "\tone\n"),
        ("a <<E\nE\nb", ""),
        ("a <<E\n E\nE\nb", " E\n"),
    ],
)
def test_here_documents_are_data(text, body):
    """The body of a here-document is kept with its command, and what follows it is read on."""
    script = parse(text)

    assert script.commands[0].redirects[0].body == body
    assert words(text) == [("a",), ("b",)]
    assert not script.unknown


def test_here_documents_of_one_line():
    """Bodies come in the order of their operators, after the whole line."""
    commands = parse("a <<X | b <<Y && c\none\nX\ntwo\nY\nd").commands

    assert [command.redirects[0].body for command in commands[:2]] == ["one\n", "two\n"]
    assert [command.words for command in commands] == [("a",), ("b",), ("c",), ("d",)]


def test_here_string():
    """The text of a here-string is its body."""
    assert parse("a <<< 'one two'").commands[0].redirects[0].body == "one two"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("X=1 Y='a b' tool z", (("X=1", "Y=a b"), ("tool", "z"))),
        ("X=1", (("X=1",), ())),
        ("X+=1 tool", (("X+=1",), ("tool",))),
        ("X[0]=1 tool", (("X[0]=1",), ("tool",))),
        ("X=(a b) tool", (("X=",), ("tool",))),
        ("tool X=1", ((), ("tool", "X=1"))),
        ("'X=1'", ((), ("X=1",))),
        ("1X=1", ((), ("1X=1",))),
    ],
)
def test_assignments_stand_in_front(text, expected):
    """Assignments are those words in front of the name that read like one and have no quote in their name."""
    command = parse(text).commands[0]

    assert (command.assignments, command.words) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("if a; then b; elif c; then d; else e; fi", "abcde"),
        ("for x in 1 2; do a; done; b", "ab"),
        ("for x; do a; done", "a"),
        ("for ((i = 0; i < 3; i++)); do a; done", "a"),
        ("while a; do b; done | c", "abc"),
        ("until a\ndo b\ndone", "ab"),
        ("case x in p|q) a;; (r) b ;; *) c; esac; d", "abcd"),
        ("case x in\n p)\n a\n ;;\nesac\nb", "ab"),
        ("(a; b) && c", "abc"),
        ("{ a; b; } || c", "abc"),
        ("! a && b", "ab"),
        ("((i++)); a", "a"),
        ("f() { a; }; b", "ab"),
        ("function f { a; }; b", "ab"),
        ("function f() { a; }; b", "ab"),
        ("if a; then for x in y; do b; done; fi; c", "abc"),
    ],
)
def test_bodies_are_listed(text, expected):
    """Commands inside compound commands are listed like others."""
    script = parse(text)

    assert "".join(command.words[0] for command in script.commands) == expected
    assert not script.unknown


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a $(b | c) d", "abc"),
        ('a "x $(b) y" | c', "abc"),
        ("a `b \\`c\\`` | d", "abcd"),
        ("a <(b) >(c)", "abc"),
        ("X=$(a) b", "ba"),
        ("a ${x:-$(b)}", "ab"),
        ("a $((1 + $(b)))", "ab"),
        ("for x in $(a); do b; done", "ab"),
        ("a <<E\n$(b)\nE", "ab"),
        ("a \"$(b <<'E'\n)\nE\n)\"; c", "abc"),
    ],
)
def test_substitutions_are_listed(text, expected):
    """Commands that a word is made of are listed after the command that the word belongs to."""
    script = parse(text)

    assert "".join(command.words[0] for command in script.commands) == expected
    assert not script.unknown


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[[ -f a && b < c ]] && d", [("[[", "-f", "a", "&", "&", "b", "<", "c", "]]"), ("d",)]),
        ("[[ x =~ ^(a|b)$ ]]", [("[[", "x", "=~", "^", "(", "a", "|", "b", ")", "$", "]]")]),
    ],
)
def test_operators_in_tests_are_words(text, expected):
    """Between double brackets nothing connects commands."""
    assert words(text) == expected


def test_subshells_are_told_apart():
    """Commands of one subshell share its name, which begins with that of the shell around it."""
    shells = [command.shell for command in parse("a; (b; (c)); (d)").commands]

    assert shells[0] == ()
    assert shells[2][:1] == shells[1] != shells[3]


def test_functions_are_named():
    """The names of functions that a script defines are known."""
    assert parse("f() { a; }; function g { b; }; f").functions == {"f", "g"}


@pytest.mark.parametrize(
    "text",
    [
        "a 'b",
        'a "b',
        "a $'b",
        "a `b",
        "a $(b",
        "a ${b",
        "a $((1 + 2",
        "a <(b",
        "(a",
        "a)",
        "{ a",
        "if a; then b",
        "fi",
        "a; done",
        "for x in a; b",
        "case x in a) b",
        "case x of a) b;; esac",
        "case x in a) b;; ) esac esac",
        "a;; b",
        "; a",
        "a && && b",
        "a >",
        "a (b)",
        "for x in (a); do b; done",
        "a <<E\n`" + "b " * LIMIT + "`\nE",
        "fi a",
        "select x in a; do b; done",
        "coproc a",
        "[[ a",
        "X=(a",
        "a <<E\nbody",
        "a <<E",
        "x=$((1)+2)",
        "f() { a",
    ],
)
def test_what_cannot_be_followed_is_unknown(text):
    """A line that bash would refuse, or that is not followed, is unknown."""
    assert parse(text).unknown


def test_what_could_be_read_is_given():
    """The commands before the place that cannot be followed are still listed."""
    assert words("a; b 'c") == [("a",), ("b", "c")]


def test_nesting_is_followed_so_far():
    """Constructs inside each other are followed up to a depth that no person writes."""
    deep = "$(a " * NESTING + ")" * NESTING

    assert not parse("a " + deep).unknown
    assert parse("a " + "$(a " + deep + ")").unknown


@pytest.mark.parametrize("text", ["a " * LIMIT, "'" + "a" * LIMIT + "'", "a;" * LIMIT])
def test_text_past_the_limit_is_unknown(text):
    """Of a very long text only the beginning is read."""
    assert parse(text).unknown


def test_here_documents_count_against_no_limit():
    """A file of any size may be written by a here-document."""
    script = parse("cat > big <<'E'\n" + "line\n" * LIMIT + "E\nafter")

    assert [command.words for command in script.commands] == [("cat",), ("after",)]
    assert not script.unknown


def test_scripts_show_no_secrets():
    """The representation of a script and its parts shows nothing of the text."""
    script = parse("tool s3cret X=s3cret > s3cret <<< s3cret")

    assert "s3cret" not in repr(script)
    assert "s3cret" not in repr(script.commands[0])


@PROPERTY
@given(st.one_of(SHELL_TEXT, st.text(max_size=40)))
def test_never_raises(text):
    """Any text can be read."""
    assert isinstance(parse(text).commands, tuple)


@PROPERTY
@given(st.lists(st.text(max_size=12), min_size=1, max_size=6))
def test_quoted_words_come_back(parts):
    """Words that are quoted for a shell are read as the same words."""
    command = parse("tool " + shlex.join(parts)).commands[0]

    assert command.words == ("tool", *parts)
    assert not command.live


@PROPERTY
@given(st.text(alphabet="ifdo ab1 \t=~-./,:+@%^", max_size=20))
def test_plain_lines_take_no_shortcut(text):
    """A comment behind a line changes nothing: the fast way for plain lines gives what the full one gives."""
    assert parse(text).commands == parse(text + " # comment").commands


@pytest.mark.parametrize(
    "text", ["$(", "`", "(", "'", '"', "a;", "cat <<E\n", "${", "{", "case a in ", "a=(", "$((", "<<E "]
)
def test_hostile_repetition_is_read_once(text):
    """However often something is opened, no position is read more often than a fixed number of times."""
    short, long = Counted(text * 100), Counted(text * 2_000)

    parse(short)
    parse(long)

    assert long.looks <= short.looks * 25


class Counted(str):
    """A text that counts how often a character or a slice of it is taken."""

    __slots__ = ("looks",)

    def __new__(cls, text):
        made = super().__new__(cls, text)
        made.looks = 0
        return made

    def __getitem__(self, key):
        self.looks += 1
        return super().__getitem__(key)
