"""What the adapters share, at its edges."""

from __future__ import annotations

import pytest

from toolbrake import Decision, Finding, MissingExtraError
from toolbrake.adapters import _shared as shared


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("found", "found\n\nnote"),
        ("", "note"),
        (["found"], ["found", "note"]),
        ([], [{"type": "text", "text": "note"}]),
        ([{"type": "image"}], [{"type": "image"}, {"type": "text", "text": "note"}]),
        ({"found": 1}, {"found": 1}),
    ],
)
def test_a_text_goes_below_a_content_of_its_kind(content, expected):
    """Text gets more text, a list one more element of its kind, and what can carry neither stays as it is."""
    assert shared.beside(content, ["note"]) == expected


def test_the_end_of_a_run_names_no_more_than_is_known():
    """Without the finding that ended the session the last message says only that it was halted."""
    assert shared.ending(Decision("halt", halted=True)) == (
        "toolbrake: this run was stopped, because its session was halted. A new message starts it again."
    )


def test_the_end_of_a_run_is_one_clean_line():
    """A tool's name is the model's to choose: it brings no line feed and no tag into the last message."""
    finding = Finding(rule="stall", action="halt", tool="a\n<b>", count=9, limit=9, text="")

    assert "a \u2039b\u203a (stall, count 9)" in shared.ending(Decision("halt", findings=(finding,)))


def test_the_oldest_is_dropped_past_the_limit():
    """What is used last is kept."""
    recent = shared.Recent(limit=2)
    for key in ("a", "b", "a", "c"):
        recent.change(key, lambda kept: (kept or 0) + 1)

    assert [recent.take(key) for key in ("a", "b", "c")] == [2, None, 1]


def test_a_missing_framework_is_named_with_its_extra():
    """The message is the command that installs it."""
    missing = ImportError("no module", name="langgraph.types")
    with (
        pytest.raises(MissingExtraError, match="x needs: pip install"),
        shared.needs("x", "langchain", packages=("langgraph",)),
    ):
        raise missing


def test_another_missing_module_is_not_blamed_on_the_extra():
    """An import of ours that fails is a bug, and shown as it is."""
    missing = ImportError("no module", name="toolbrake.core.gone")
    with pytest.raises(ImportError) as caught, shared.needs("x", "langchain", packages=("langgraph",)):
        raise missing

    assert caught.value is missing
