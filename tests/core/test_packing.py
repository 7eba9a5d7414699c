"""Small values as short text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolbrake.core.packing import pack, unpack

SCALARS = (
    st.none()
    | st.integers(-(2**60), 2**60)
    | st.floats(allow_nan=False)
    | st.text(st.characters(codec=None))
    | st.binary(max_size=80)
)
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=40), max_leaves=60)
"""What a state holds, nested as deep as lists go that the reader takes."""


def depth(value):
    """How many lists lie within each other."""
    return 1 + max(map(depth, value), default=0) if isinstance(value, list) else 0


@given(VALUES.filter(lambda value: depth(value) < 8))
def test_there_and_back(value):
    """What was packed comes back, of the same kind."""
    again = unpack(pack(value))

    assert again == value
    assert repr(again) == repr(value)


@pytest.mark.parametrize(("value", "size"), [(0, 4), (127, 4), (128, 4), (b"\x00" * 6, 12), ([1, 2, 3], 8)])
def test_size(value, size):
    """Small numbers, digests and short lists take little more than their bytes in base64."""
    assert len(pack(value)) == size


@given(st.text(max_size=60) | st.binary(max_size=60).map(lambda data: data.hex()))
def test_any_text(text):
    """A text that nobody packed is a value, which packs again, or a ValueError, and nothing else."""
    try:
        value = unpack(text)
    except ValueError:
        return

    assert unpack(pack(value)) == value


@given(VALUES.filter(lambda value: depth(value) < 8), st.integers(0, 200))
def test_cut(value, end):
    """A text that was cut is no whole value."""
    text = pack(value)
    cut = text[: min(end, len(text) - 1)]

    with pytest.raises(ValueError, match="damaged"):
        unpack(cut)


def test_other_kinds_are_refused():
    """A value that no state holds is told by its type, not shown."""
    with pytest.raises(TypeError, match="holds no set"):
        pack({1})
