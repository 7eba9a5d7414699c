"""What a policy redacts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolbrake.config import load_policy

REDACTED = [
    (["sk-[a-z0-9]+"], "key sk-abc1, sk-x.", "key [redacted], [redacted]."),
    (["a+", "b+"], "aabbcab", "[redacted][redacted]c[redacted][redacted]"),
    # Overlapping matches leave nothing of either.
    (["sk-[a-z]+", "[a-z]+[0-9]+"], "sk-abc123!", "[redacted]!"),
    (["abcd", "bc"], "abcde", "[redacted]e"),
    # The mark itself is no text to match.
    (["x", "redacted"], "x redacted", "[redacted] [redacted]"),
    # A match of nothing is none.
    (["a*"], "baab", "b[redacted]b"),
    ([r"\b"], "a b", "a b"),
    (["(?i)secret"], "SeCrEt", "[redacted]"),
    (["a"], "", ""),
]


@pytest.mark.parametrize(("patterns", "text", "expected"), REDACTED)
def test_a_text_is_redacted(patterns, text, expected):
    """Every match of any pattern is replaced."""
    policy = load_policy({"redact": patterns})

    assert policy.redact(text) == expected


def test_without_patterns():
    """A policy without patterns has nothing to call."""
    assert load_policy({"redact": []}).redact is None


@given(st.text(alphabet="ab-1 "), st.permutations(["a+1", "1-?", "b"]))
def test_the_order_of_the_patterns(text, patterns):
    """The order of the patterns makes no difference."""
    one = load_policy({"redact": patterns}).redact(text)

    assert one == load_policy({"redact": sorted(patterns)}).redact(text)
