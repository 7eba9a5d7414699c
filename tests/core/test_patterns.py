"""Name patterns: a star is any run of characters but a line feed, everything else is itself."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.strategies import PROPERTY
from toolbrake.core.patterns import MEMORY, Selection, matches

COVERED = [
    ("read", "read"),
    ("*", "read"),
    ("*", ""),
    ("read*", "read"),
    ("read*", "read_file"),
    ("*read", "thread"),
    ("*read*", "thread_list"),
    ("mcp__*__get", "mcp__github__get"),
    ("a*b*c", "a-b-b-c"),
    ("a**c", "ac"),
    ("ab*ba", "abba"),
    ("*ab*ab", "abab"),
    ("r.ad", "r.ad"),
    ("[ab]", "[ab]"),
    ("a+", "a+"),
    ("", ""),
    ("a\nb", "a\nb"),
]

NOT_COVERED = [
    ("read", "Read"),
    ("read", "reader"),
    ("read", " read"),
    ("r.ad", "read"),
    ("[ab]", "a"),
    ("read?", "reads"),
    ("read*", "thread"),
    ("*read", "reader"),
    ("ab*ba", "aba"),
    ("a*b*c", "a-c-b"),
    ("*ab*ab", "ab"),
    ("", "a"),
    ("*", "a\nb"),
    ("a*", "a\n"),
]


@pytest.mark.parametrize(("pattern", "name"), COVERED)
def test_covers(pattern, name):
    """A pattern covers the names that are it with every star replaced."""
    assert matches(pattern, name)


@pytest.mark.parametrize(("pattern", "name"), NOT_COVERED)
def test_does_not_cover(pattern, name):
    """A pattern covers whole names only, letter case counts, and nothing but the star is special."""
    assert not matches(pattern, name)


@PROPERTY
@given(st.text("ab*.\n", max_size=8), st.text("ab.\n", max_size=10))
def test_agrees_with_regular_expressions(pattern, name):
    """A pattern covers what the regular expression covers that has ``.*`` for every star."""
    expression = ".*".join(re.escape(part) for part in pattern.split("*"))

    assert matches(pattern, name) == (re.fullmatch(expression, name) is not None)


SELECTED = [
    ((), (), "any", True),
    (("read",), (), "read", True),
    (("read",), (), "write", False),
    ((), ("read",), "read", False),
    ((), ("read",), "write", True),
    (("*",), ("read",), "read", False),
    (("read", "wr*"), (), "write", True),
    (("read",), ("*",), "read", False),
]


@pytest.mark.parametrize(("include", "exclude", "tool", "watched"), SELECTED)
def test_selection(include, exclude, tool, watched):
    """A rule watches what an include pattern covers, everything where there is none, and nothing excluded."""
    assert (tool in Selection(include, exclude)) == watched


def test_selection_stays_right_past_its_memory():
    """A host with more tools than are remembered gets the same answers."""
    selection = Selection(exclude=["tool_1*"])
    tools = [f"tool_{number}" for number in range(MEMORY + 10)]
    first = [tool in selection for tool in tools]

    second = [tool in selection for tool in tools]

    assert first == second == [not tool.startswith("tool_1") for tool in tools]


def test_selections_are_equal_by_their_patterns():
    """What a selection has been asked does not change what it equals."""
    asked, other = Selection(["a*"], ["ab"]), Selection(["a*"], ["ab"])
    _ = "ac" in asked

    assert asked == other
    assert hash(asked) == hash(other)
