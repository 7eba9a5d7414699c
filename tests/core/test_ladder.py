"""Ladders: which action a count draws."""

from __future__ import annotations

import pytest

from toolbrake.core.ladder import Ladder, problems

FULL = Ladder((3, 5), ask=6, deny=8, halt=10)

COUNTS = [
    (1, None, False),
    (3, None, True),
    (4, None, False),
    (5, None, True),
    (6, ("ask", 6), False),
    (7, ("ask", 6), False),
    (8, ("deny", 8), False),
    (9, ("deny", 8), False),
    (10, ("halt", 10), False),
    (1000, ("halt", 10), False),
]


@pytest.mark.parametrize(("count", "stop", "reminds"), COUNTS)
def test_rungs(count, stop, reminds):
    """A reminder comes at its exact counts; ask, deny and halt hold from their count on."""
    assert FULL.stop(count) == stop
    assert FULL.reminds(count) is reminds


def test_missing_rungs():
    """A rung that is not there is never taken."""
    ladder = Ladder(deny=4)

    assert [ladder.stop(count) for count in (3, 4, 99)] == [None, ("deny", 4), ("deny", 4)]
    assert not any(ladder.reminds(count) for count in range(100))


def test_no_rungs():
    """A ladder without a rung says nothing, ever."""
    assert Ladder().stop(10**9) is None


def test_one_reminder_is_a_list_of_one():
    """One count may be written without a list, and counts in any order."""
    assert Ladder(3) == Ladder([3])
    assert Ladder([5, 3]) == Ladder((3, 5))


@pytest.mark.parametrize(
    ("ladder", "first"),
    [(Ladder(), 0), (Ladder((4, 2)), 2), (Ladder(halt=9), 9), (Ladder(7, deny=5), 5), (FULL, 3)],
)
def test_first(ladder, first):
    """The lowest rung of all; 0 where there is none."""
    assert ladder.first == first


@pytest.mark.parametrize(
    ("ladder", "settings"),
    [
        (Ladder(), {}),
        (Ladder(3), {"remind": [3]}),
        (Ladder(ask=2), {"ask": 2}),
        (FULL, {"remind": [3, 5], "ask": 6, "deny": 8, "halt": 10}),
    ],
)
def test_settings(ladder, settings):
    """The rungs as a configuration writes them, missing ones left out; they build the same ladder."""
    assert ladder.settings() == settings
    assert Ladder(**settings) == ladder


PROBLEMS = [
    (FULL, []),
    (Ladder(), []),
    (Ladder((1, 2), halt=3), []),
    (Ladder(5, deny=5), ["remind at 5 cannot be reached: deny is taken from 5 on"]),
    (Ladder((3, 7), deny=5), ["remind at 7 cannot be reached: deny is taken from 5 on"]),
    (Ladder(deny=5, halt=5), ["deny at 5 cannot be reached: halt is taken from 5 on"]),
    (Ladder(ask=9, halt=4), ["ask at 9 cannot be reached: halt is taken from 4 on"]),
    (
        Ladder(9, ask=8, deny=7, halt=6),
        [
            "remind at 9 cannot be reached: ask is taken from 8 on",
            "ask at 8 cannot be reached: deny is taken from 7 on",
            "deny at 7 cannot be reached: halt is taken from 6 on",
        ],
    ),
]


@pytest.mark.parametrize(("ladder", "found"), PROBLEMS)
def test_unreachable(ladder, found):
    """A rung at or above a stronger one cannot be reached, and is told with both numbers."""
    assert problems(ladder) == found
