"""Progress: which changes make an equal call worth repeating."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.strategies import PROPERTY
from toolbrake.core.progress import REMEMBERED, TARGETS, Progress, normal, targets_of
from toolbrake.core.state import SessionRecord

SPELLINGS = [
    ("src/a.py", "src/a.py"),
    ("./src/a.py", "src/a.py"),
    ("src//a.py", "src/a.py"),
    ("src/a.py/", "src/a.py"),
    ("src/x/../a.py", "src/a.py"),
    ("src\\a.py", "src/a.py"),
    (" src/a.py ", "src/a.py"),
    ("/src/./a.py", "/src/a.py"),
    ("/", "/"),
    (".", ""),
    ("", ""),
    ("../a.py", "../a.py"),
    ("../../a.py", "../../a.py"),
    ("x/../../a.py", "../a.py"),
    ("https://one.example//a/../b/", "https://one.example/b"),
]


@pytest.mark.parametrize(("path", "spelled"), SPELLINGS)
def test_spelling(path, spelled):
    """A path or URL has one spelling."""
    assert normal(path) == spelled


@PROPERTY
@given(st.text(alphabet="ab./\\:", max_size=20))
def test_spelling_is_settled(path):
    """Spelling a path again changes nothing."""
    once = normal(path)

    assert normal(once) == once


OVERLAPS = [
    (["src/a.py"], ["src/a.py"], True),
    (["src/a.py"], ["./src/x/../a.py"], True),
    (["src/a.py"], ["src/b.py"], False),
    (["src"], ["src/a.py"], True),
    (["src/a.py"], ["src"], True),
    (["src/a"], ["src/ab"], False),
    (["/src/a.py"], ["src/a.py"], True),
    (["a.py", "b.py"], ["c.py", "b.py"], True),
    (["https://one.example/a"], ["https://one.example/b"], False),
    (["a/b/c/d/e/f/g/h/i/j.py"], ["a/b/c/d/e/f/g/h/i/k.py"], False),
    (["a/b/c/d/e/f/g/h/i/j.py"], ["a/b"], True),
]


@pytest.mark.parametrize(("one", "other", "overlap"), OVERLAPS)
def test_overlap(one, other, overlap):
    """Targets overlap where one is, holds or lies in another, whichever is asked."""
    assert targets_of(one).overlaps(targets_of(other)) is overlap
    assert targets_of(other).overlaps(targets_of(one)) is overlap


@pytest.mark.parametrize("paths", [[], ["", "."], [f"{number}.py" for number in range(TARGETS + 1)]], ids=len)
def test_unknown_targets(paths):
    """No path at all, and too many to tell apart, are targets that nobody knows."""
    assert targets_of(paths) is None


def test_targets_hold_no_path():
    """A path is an argument: only digests of it are kept."""
    assert "canary" not in repr(targets_of(["src/canary.py"]))


A, B = targets_of(["a.py"]), targets_of(["b.py"])
READ, WRITE = b"read a", b"write"

MOVED = [
    ("nothing", [], A, False),
    ("its own target", [(WRITE, A)], A, True),
    ("another target", [(WRITE, B)], A, False),
    ("one of several", [(WRITE, B), (WRITE, A), (WRITE, B)], A, True),
    ("something unknown", [(WRITE, None)], A, True),
    ("something, for a call that could depend on anything", [(WRITE, B)], None, True),
    ("what the call itself does again", [(READ, A)], A, False),
    ("the same, and more", [(READ, A), (WRITE, A)], A, True),
]


@pytest.mark.parametrize(("changes", "targets", "moved"), [row[1:] for row in MOVED], ids=[row[0] for row in MOVED])
def test_moved(changes, targets, moved):
    """A change matters to a call unless both know where they work, and work elsewhere."""
    session, progress = SessionRecord(), Progress()
    for key, where in changes:
        progress.note(session, key, where)

    assert progress.moved(session, 0, READ, targets) is moved


def test_what_came_before_does_not_count():
    """Only changes since the epoch that a rule has noted are asked for."""
    session, progress = SessionRecord(), Progress()
    progress.note(session, WRITE, A)

    assert not progress.moved(session, session.epoch, READ, A)


def test_another_agents_change():
    """What another agent of the session has changed is not known here, so it matters."""
    session, mine, other = SessionRecord(), Progress(), Progress()
    other.note(session, WRITE, B)

    assert mine.moved(session, 0, READ, A)


def test_too_long_ago():
    """A change that is no longer remembered counts as relevant; the remembered ones are told apart."""
    session, progress = SessionRecord(), Progress()
    for _ in range(REMEMBERED):
        progress.note(session, WRITE, B)
    assert not progress.moved(session, 0, READ, A)

    progress.note(session, WRITE, B)

    assert progress.moved(session, 0, READ, A)
    assert not progress.moved(session, 1, READ, A)


def test_dump_and_load():
    """What is dumped is loaded."""
    session, progress, loaded = SessionRecord(), Progress(), Progress()
    progress.note(session, WRITE, A)
    progress.note(session, READ, None)

    loaded.load(progress.dump())

    assert loaded == progress
