"""Levelling takes out what changes from run to run, and no more; a signature also what comes from the call."""

# ruff: noqa: S108 - texts that name temporary files; none is made

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.strategies import PROPERTY
from toolbrake.core.levelling import ARGUMENTS, BRIEF, EXCERPT, TELLING, Steady, level

ALIKE = {
    "line numbers": ("a.py:12: bad name", "a.py:7: bad name"),
    "number of digits": ("took 9 tries", "took 1,024 tries"),
    "a sign and a fraction": ("off by -0.5", "off by 12"),
    "pids": ("killed (pid 1037)", "killed (pid 99812)"),
    "clock times": ("10:02:33 refused", "9:59 refused"),
    "ISO times": ("at 2031-05-01T10:02:33Z: refused", "at 2032-11-30T23:59:01Z: refused"),
    "offset of a time zone": ("2031-05-01T10:02:33+02:00 no", "2031-05-01T10:02:33-11:30 no"),
    "durations": ("failed in 0.31s", "failed in 12.07s"),
    "units of durations": ("failed in 980 ms", "failed in 1.2 s"),
    "micro in both spellings": ("took 5\u00b5s", "took 5\u03bcs"),
    "hex ids": ("job 9f3ac2d10b11 failed", "job 07bb1e44cafe failed"),
    "hex ids behind a word": ("session_9f3ac2 lost", "session_b00b1e lost"),
    "hex ids behind a hyphen": ("m-9f3ac2d10b11 lost", "m-0123456789ab lost"),
    "an id of digits alone": ("job 9f3ac2d10b11 failed", "job 123456789012 failed"),
    "UUIDs": ("no 4a3f8b2c-dead-4bee-aaaa-0123456789ab", "no 00000000-1111-4222-8333-444444444444"),
    "UUIDs behind a word": ("req-4a3f8b2c-dead-4bee-aaaa-0123456789ab", "req-14b38b2c-9e0d-4fee-a1aa-01234567cdef"),
    "addresses": ("<Thing at 0x7f3a9c12de10>", "<Thing at 0x55d0b1c2a3f4>"),
    "nonces of wrappers": ("<untrusted-9f3ac2>no</untrusted-9f3ac2>", "<untrusted-b7e41d>no</untrusted-b7e41d>"),
    "nonces in quotes": ('<<<DATA id="6b86b273ff34">>>\nno', '<<<DATA id="d4735e3a265e">>>\nno'),
    "Python's temporary names": ("/tmp/tmpab3x9k2q/a: no", "/tmp/tmpqwertyui/a: no"),
    "mktemp's temporary names": ("/tmp/tmp.Xy12AbCdEf: no", "/tmp/tmp.q8ZrTT01xw: no"),
    "names right below tmp": ("/tmp/build-Xa81bc/log: no", "/tmp/build-q7Rt2z/log: no"),
    "colours": ("\x1b[31merror\x1b[0m: no", "error: no"),
    "titles and character sets": ("\x1b]0;a title\x07error\x1b(B: no", "error: no"),
    "a title ended the other way": ("\x1b]0;a title\x1b\\error: no", "error: no"),
    "blanks": ("error:\t no\n\n such  file\n", "error: no such file"),
    "carriage returns": ("get 10%\rget 50%\rget 100%\ndone", "get 100%\r\ndone"),
    "bars of marks": ("[====>     ] 40%", "[=========>] 90%"),
    "bars of blocks": ("\u2588\u2588\u258c   40%", "\u2588\u2588\u2588\u2588\u2588 90%"),
    "spinners": ("\u2807 waiting", "\u2819 waiting"),
    "rules": ("---- FAILED ----", "-------- FAILED --------"),
    "letters glued to numbers": ("Cell In[1], line 49", "Cell In[23], line 4"),
}

APART = {
    "case": ("No such Table", "no such table"),
    "words": ("1 failed", "1 passed"),
    "order of words": ("expected int, got str", "expected str, got int"),
    "brackets": ("unexpected token `('", "unexpected token `)'"),
    "quotes": ("missing 'a'", 'missing "a"'),
    "letters alone in hex": ("facade deadbeef", "facade cafebabe"),
    "short hex": ("case 1a2b", "case 1c2d"),
    "names that only begin like temporary ones": ("tmpdir missing", "tmpfile missing"),
    "names right below tmp that are words": ("/tmp/build-release: no", "/tmp/build-nightly: no"),
    "letters beyond ASCII": ("Datei zu gro\u00df", "Datei zu gr\u00fcn"),
    "words around a colour": ("\x1b[31mred\x1b[0m", "\x1b[31mgreen\x1b[0m"),
}

FORMS = {
    "": b"\n",
    "404": b"\n",
    "Error: no file 'a.txt' (42)": b"Error no file a txt\n''()",
    "took 0.31s in 0x7f3a9c12de10": b"took in x\n",
    "l\u00f6schen {}": b"l\xc3\xb6schen\n{}",
    "half \ud83d": b"half \xed\xa0\xbd\n",
}

SAME_ERROR = {
    "path": ("open src/app.py: denied", ["src/app.py"], "open lib/util.rs: denied", ["lib/util.rs"]),
    "number": ("issue 117 is gone", ["117"], "issue 9 is gone", ["9"]),
    "one letter": ("no table t here", ["t"], "no table x here", ["x"]),
    "command": ("bash: javac: command not found", ["javac A.java"], "bash: mvn: command not found", ["mvn -q"]),
    "several words": ("no page for red apples", ["red apples"], "no page for pears", ["pears"]),
    "how often": ("cars, cars unknown", ["cars"], "trucks unknown", ["trucks"]),
    "trace": (
        'Traceback (most recent call last):\n  File "one.py", line 3\n    first()\nKeyError: gone',
        ["python one.py"],
        'Traceback (most recent call last):\n  File "two.py", line 9\n    second(1)\nKeyError: gone',
        ["python two.py"],
    ),
    "trace of JavaScript": (
        "TypeError: gone\n    at first (one.js:3:4)\n    at main",
        [],
        "TypeError: gone\n    at second (two.js:1:1)",
        [],
    ),
}

OTHER_ERROR = {
    "message": ("a: no such file", "a: permission denied"),
    "name that is no argument": ("column id unknown", "column name unknown"),
}

SAYS_NOTHING = {
    "nothing": ("", []),
    "only a number": ("404", []),
    "three letters": ("Bad 7", []),
    "only the word": ("Error", []),
    "only a status": ("<returncode>1</returncode>\n<output>\n</output>", []),
    "only the arguments": ("src/app.py", ["src/app.py"]),
    "only short words": ("it is on me", []),
}

SNIPPETS = [
    *(
        "error",
        "No",
        "file",
        " ",
        "\n",
        "tmp",
        "/tmp/",
        "0x7f3a9c12",
        "9f3ac2",
        "a1",
        "-",
        ".",
        "_",
        "x",
        "s",
        "ms",
        "12",
    ),
    *(
        "\x1b[31m",
        "\x1b]0;",
        "\x07",
        "\x1b",
        "\r",
        "\r\n",
        "\u2588",
        "\u2026",
        "\ud83d",
        "\u00b5",
        "=",
        "#",
        "(",
        "'",
        "%",
    ),
    *("4a3f8b2c-dead-4bee-aaaa-0123456789ab", "tmpab3x9k2q", "tmp.Xy12AbCdEf", "T", "Z", ":", "Traceback (most recent"),
]

TEXT = st.text(st.characters(exclude_categories=()), max_size=200)
"""Any text at all, lone surrogates too."""

NOISE = st.lists(st.sampled_from(SNIPPETS), max_size=60).map("".join)
"""A text made of what levelling looks for."""


class Sliced(str):
    """A text that only gives slices, and counts what it gave."""

    __slots__ = ("given",)

    def __new__(cls, text):
        made = super().__new__(cls, text)
        made.given = 0
        return made

    def __getitem__(self, place):
        part = super().__getitem__(place)
        self.given += len(part)
        return part

    def encode(self, *args):
        raise AssertionError("the whole text was encoded")


def signature(text, arguments=()):
    return Steady(text).signature(arguments)


@pytest.mark.parametrize(("one", "other"), ALIKE.values(), ids=ALIKE.keys())
def test_alike(one, other):
    """Texts that differ only in what changes from run to run have one levelled form."""
    assert level(one) == level(other)


@pytest.mark.parametrize(("one", "other"), APART.values(), ids=APART.keys())
def test_apart(one, other):
    """Nothing else is taken out."""
    assert level(one) != level(other)


@pytest.mark.parametrize(("text", "form"), FORMS.items())
def test_form(text, form):
    """The levelled form is the words in order, then the marks in order."""
    assert level(text) == form


@PROPERTY
@given(TEXT | NOISE)
def test_level_twice(text):
    """Levelling a levelled text changes nothing."""
    once = level(text)

    assert level(once.decode("utf-8", "surrogatepass")) == once


@PROPERTY
@given(TEXT | NOISE, st.integers(1, 9))
def test_digits_do_not_matter(text, shift):
    """Every digit may be another one."""
    other = text.translate({48 + digit: 48 + (digit + shift) % 10 for digit in range(10)})

    assert level(other) == level(text)
    assert signature(other) == signature(text)


@PROPERTY
@given(st.lists(st.sampled_from(SNIPPETS), max_size=30), st.lists(TEXT, max_size=5))
def test_never_raises(snippets, arguments):
    """Every text has a form and, with any arguments, a signature or none."""
    text = "".join(snippets)

    assert isinstance(level(text), bytes)
    assert isinstance(signature(text, arguments), (bytes, type(None)))


@PROPERTY
@given(NOISE, st.text(min_size=1), st.text(min_size=1))
def test_middle_of_a_long_text(noise, one, other):
    """Of a text that is too long only the two halves of the cap matter."""
    head = (noise + "h" * EXCERPT)[: EXCERPT // 2]
    tail = ("t" * EXCERPT + noise)[-EXCERPT // 2 :]

    assert level(head + one + tail) == level(head + other + tail)


@pytest.mark.parametrize("unit", ["a1", "x ", "\x1b[3", "tmp", "\r", "\u2588", "0a-", "(", "\n    at "])
def test_huge_text(unit):
    """No more than the cap is read of a huge text."""
    text = Sliced(unit * (10_000_000 // len(unit)))

    steady = Steady(text)
    steady.form()
    steady.signature(())

    assert text.given <= EXCERPT


@pytest.mark.parametrize(("one", "first", "other", "second"), SAME_ERROR.values(), ids=SAME_ERROR.keys())
def test_same_error_with_other_arguments(one, first, other, second):
    """Errors that differ only in the words of their calls have one signature."""
    assert signature(one, first) == signature(other, second) is not None


@pytest.mark.parametrize(("one", "other"), OTHER_ERROR.values(), ids=OTHER_ERROR.keys())
def test_other_error(one, other):
    """Errors that differ in a word of their own have two signatures."""
    assert signature(one) != signature(other)


@pytest.mark.parametrize(("text", "arguments"), SAYS_NOTHING.values(), ids=SAYS_NOTHING.keys())
def test_error_that_says_nothing(text, arguments):
    """An error without four letters of its own, or with nothing but words like "error", has no signature."""
    assert signature(text, arguments) is None


WORD = st.text("abcdefghijklmnopqrstuvwxyz", min_size=3, max_size=12)


@PROPERTY
@given(st.lists(WORD, max_size=8), WORD, WORD, st.lists(st.sampled_from(["{}", "no such", "'{}': denied", "at {}"])))
def test_renamed_argument(others, name, new, pieces):
    """A word of the arguments may be any other word that is not the error's own."""
    template = " ".join(pieces)
    assume(not {name, new} & {"such", "denied"})

    before = signature(template.replace("{}", name), [*others, name])
    after = signature(template.replace("{}", new), [*others, new])

    assert after == before


def test_short_argument_beside_a_long_one():
    """A path is masked however many words the content beside it has."""
    content = " ".join(f"{letter}{letter}{letter}verylongword" for letter in "abcdefghijklmnopqrstuvwxyz") * 9

    assert signature("src/app: not read yet", [content, "src/app"]) == signature("lib: not read yet", [content, "lib"])


def test_long_argument():
    """Of a long argument the longest words are masked, so that its small ones leave the error's alone."""
    longer = [f"{one}{other}longer" for one in "abcdefgh" for other in "abcdefgh"]
    content = " ".join(["file", "not", "found", *longer])

    assert len(content) > BRIEF
    assert len(longer) == TELLING
    assert signature("file not found", [content]) == signature("file not found", [])


def test_many_arguments():
    """Arguments past the limit are not looked at, and need not be made."""
    asked = []

    def arguments():
        for number in range(ARGUMENTS + 1):
            asked.append(number)
            yield "word"

    signature("some word is missing", arguments())

    assert len(asked) == ARGUMENTS
