"""Quotes are data: redacted, cut, on one line, fenced, and free of anything a model or a terminal could obey."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.strategies import PROPERTY
from toolbrake.core.wording import BRAKE, DENIED, OWN_MARKERS, PATH_DENIED, again, name, quote

QUOTED = [
    ("plain", "abc", 10, "`abc`"),
    ("exactly the cap", "abc", 3, "`abc`"),
    ("one over the cap", "abcd", 3, "`abc` [1 more characters omitted]"),
    ("line feed", "a\nb", 10, "`a b`"),
    ("tab and return", "a\tb\rc", 10, "`a b c`"),
    ("fence", "a`b", 10, "`a'b`"),
    ("tag", "<tool_call>", 20, "`\u2039tool_call\u203a`"),
    ("special token", "<|im_end|>", 20, "`\u2039|im_end|\u203a`"),
    ("mistral's token", "[TOOL_CALLS] x", 20, "`(TOOL_CALLS] x`"),
    ("escape", "\x1b[2J", 10, "`\ufffd[2J`"),
    ("next line", "a\x85b", 10, "`a\ufffdb`"),
    ("line separator", "a\u2028b", 10, "`a b`"),
    ("right to left override", "a\u202eb", 10, "`a\ufffdb`"),
    ("isolate", "a\u2066b", 10, "`a\ufffdb`"),
    ("zero width space", "a\u200bb", 10, "`a\ufffdb`"),
    ("lone surrogate", "a\ud800b", 10, "`a\ufffdb`"),
    ("tag characters", "a\U000e0041b", 10, "`a\ufffdb`"),
    ("astral", "a\U0001f600b", 10, "`a\U0001f600b`"),
]


@pytest.mark.parametrize(("text", "cap", "quoted"), [row[1:] for row in QUOTED], ids=[row[0] for row in QUOTED])
def test_quote(text, cap, quoted):
    """A quote is fenced, and what is left out is counted."""
    assert quote(text, cap) == quoted


BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


@PROPERTY
@given(st.text(st.characters() | st.sampled_from("`<>[\n\r\t\x1b\u202e\u2028\ud800")), st.integers(1, 40))
def test_quote_holds_nothing_to_obey(text, cap):
    """Whatever is quoted, between the two back quotes stand at most ``cap`` harmless characters on one line."""
    body = quote(text, cap)[1:].partition("`")[0]

    assert len(body) == min(cap, len(text))
    assert not [char for char in body if unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") or char in BIDI]
    assert not set("<>`") & set(body)


@PROPERTY
@given(st.text(), st.integers(1, 40))
def test_quote_counts_what_it_omits(text, cap):
    """The count of omitted characters and those shown add up to the text."""
    body, _, rest = quote(text, cap)[1:].partition("`")

    omitted = int(rest.removeprefix(" [").partition(" ")[0] or 0)

    assert len(body) + omitted == len(text)


def hide(text):
    return text.replace("sk-12345678", "***")


def test_redaction_comes_before_the_cut():
    """A secret that the cut would split is redacted whole."""
    assert quote("key sk-12345678", 8, hide) == "`key ***`"


def test_omitted_characters_are_counted_after_redaction():
    """What redaction took out is not counted as omitted."""
    assert quote("sk-12345678 and more", 6, hide) == "`*** an` [6 more characters omitted]"


def test_redaction_that_lengthens_keeps_the_cap():
    """The cap holds for what redaction wrote, too."""
    assert quote("ab", 3, lambda text: text * 10) == "`aba` [17 more characters omitted]"


def test_redaction_sees_a_bounded_part():
    """However long the text is, redaction is given little more than what may be shown."""
    seen = []

    quote("x" * 1_000_000, 100, lambda text: seen.append(len(text)) or text)

    assert seen == [100 + 1024]


def test_text_past_the_redacted_part_is_counted():
    """Characters that redaction never saw are counted as omitted."""
    assert quote("x" * 10_000, 10, lambda text: text) == "`xxxxxxxxxx` [9990 more characters omitted]"


def test_what_redaction_brings_in_is_cleaned():
    """A redactor cannot bring a tag or a line feed into a quote."""
    assert quote("secret", 20, lambda _: "<x>\n`") == "`\u2039x\u203a '`"


NAMES = [
    ("plain", "read_file", "read_file"),
    ("line feed", "read\nobey", "read obey"),
    ("tag", "<tool_call>", "\u2039tool_call\u203a"),
    ("escape", "a\x1b[2J", "a\ufffd[2J"),
    ("long", "x" * 500, "x" * 200),
    ("empty", "", ""),
]


@pytest.mark.parametrize(("given_name", "shown"), [row[1:] for row in NAMES], ids=[row[0] for row in NAMES])
def test_name(given_name, shown):
    """A tool's name is shown on one line, cleaned, and not longer than 200 characters."""
    assert name(given_name) == shown


@pytest.mark.parametrize(("action", "marker"), [("remind", "toolbrake:"), ("deny", DENIED), ("halt", DENIED)])
def test_words_for_a_finding_that_lost_its_own(action, marker):
    """A finding without a text of its own is put into words by its rule, tool and count, behind our marker."""
    text = again("brake", action, "search", 7)

    assert text.startswith(marker)
    for part in ("brake", "search", "7"):
        assert part in text


def test_own_markers():
    """Our texts can be told by one of four beginnings."""
    assert OWN_MARKERS == (DENIED, PATH_DENIED, BRAKE, "toolbrake:")
    assert (DENIED, PATH_DENIED, BRAKE) == ("REPEAT_TOOL_BLOCKED", "REPEAT_PATH_BLOCKED", "loop brake:")
