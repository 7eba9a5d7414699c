"""``target``: one file read again and again under different arguments."""

from __future__ import annotations

import pytest

from rules.notation import told
from toolbrake.core.ladder import Ladder
from toolbrake.rules.target import Target

RUNGS = Target(ladder=Ladder((3, 5)), changing=Ladder(7))

CALLS = {
    "Page": lambda n: ("read", {"path": "src/0.py", "page": str(n)}),
    "Host": lambda n: ("web_fetch", {"url": "https://one.example/a", "start_index": n}),
    "Limit": lambda n: ("read", {"path": "src/0.py", "limit": n}),
}

ROWS = [
    ("rung by rung", "R9 R8 R7 R6 R5 R4", "- - r - r -"),
    ("ranges without a position", "Limit1 Limit2 Limit3", "- - r"),
    ("paging forward", "R1 R2 R3 R4 R5", "- - - - -"),
    ("paging forward by page number in text", "Page1 Page2 Page3 Page10", "- - - -"),
    ("paging backward", "Page9 Page8 Page7", "- - r"),
    ("a step forward starts over", "R3 R2 R5 R4 R3", "- - - - r"),
    ("another file", "F1 F2 F3 F4", "- - - -"),
    ("another file between", "R9 F1 R8 F2 R7", "- - - - r"),
    ("the target changes", "R9 R8 W0 R7 R6", "- - - - -"),
    ("another file changes", "R9 R8 W1 R7", "- - - r"),
    ("a change that failed", "R9 R8 W0!no R7", "- - - r"),
    ("a change by another agent", "R9 R8 W0@two R7 R6", "- - - - -"),
    ("reads that changes do not excuse", "R9 W0 R8 W0=b R7 W0=c R6 W0=d R5 W0=e R4 W0=f R3", "- " * 12 + "r"),
    ("one batch is one look", "R9+R8+R7 R6", "- -"),
    ("searches have no target", "Q1 Q2 Q3 Q4", "- - - -"),
    ("one page of the web", "Host9 Host8 Host7", "- - r"),
    ("failed reads count", "R9! R8! R7!", "- - r"),
    ("denied ones do not", "R9 R8%policy R7 R6", "- - - r"),
    ("a user turn", "R9 R8 user R7 R6", "- - - -"),
    ("a message of the host", "R9 R8 notice R7", "- - r"),
    ("a new run", "R9 R8 run R7", "- - -"),
    ("the same work is resumed", "R9 R8 run:resume R7", "- - r"),
    ("another agent's reads", "R9 R8 R7@two", "- - -"),
]


@pytest.mark.parametrize(("script", "words"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_run(script, words):
    """What ladders of 3 and 5 reads, and of 7 while it changes, say to a short run."""
    assert told(script, RUNGS, calls=CALLS) == words


def test_it_never_stops():
    """However often a target is read, the rule only reminds."""
    script = " ".join(f"R{number}" for number in range(60, 0, -1))

    assert set(told(script, RUNGS).split()) == {"-", "r"}


def test_defaults():
    """The ladders as they are documented."""
    assert Target().settings() == {"ladder": {"remind": [6, 12, 24]}, "changing": {"remind": [12, 24]}}
