"""``cycle``: a sequence of steps that is run again with the same outcomes."""

from __future__ import annotations

import pytest

from rules.notation import finding, told
from toolbrake.core.ladder import Ladder
from toolbrake.rules.cycle import Cycle

RUNGS = Cycle(ladder=Ladder(3, deny=4, halt=6))

ROWS = [
    ("rung by rung", "T1 T2 " * 6, "- - - - r - D D D D H H"),
    ("three steps", "T1 T2 T3 " * 4, "- - - - - - r - - D D D"),
    ("one call over and over is for stall", "T T T T T T T T", "- - - - - - - -"),
    ("a pair with a call twice", "T1 T1 T2 T1 T1 T2 T1", "- - - - - - r"),
    ("a round of another order", "T1 T2 T2 T1 T1 T2", "- - - - - -"),
    ("a new call ends it", "T1 T2 T1 T2 T3 T1 T2", "- - - - - - -"),
    ("a result that moved ends it", "T1 T2 T1 T2=new T1 T2", "- - - - - -"),
    ("results that always move", "T1=* T2=* T1=* T2=* T1=* T2=*", "- - - - - -"),
    ("one of two moves", "T1 T2=* T1 T2=* T1 T2=*", "- - - - - -"),
    ("empty answers and errors are outcomes", "T1= T2! T1= T2! T1=", "- - - - r"),
    ("a change inside does not excuse it", "F W F W F W", "- - - - r -"),
    ("a poll inside", "T P T P T P", "- - - - r -"),
    ("polls alone", "P1 P2 P1 P2 P1 P2 P1 P2", "- - - - - - - -"),
    ("batches", "T1+T2 F1+F2 T1+T2 F1+F2 T1+T2", "- - - - r"),
    ("a batch whose calls come in another order elsewhere", "F T1+T2 F T2+T1 F", "- - - - r"),
    ("a batch of other calls", "F T1+T2 F T1+T3 F T1+T2", "- - - - - -"),
    ("a user turn", "T1 T2 T1 T2 user T1 T2", "- - - - - -"),
    ("a message of the host", "T1 T2 T1 T2 notice T1", "- - - - r"),
    ("a new run", "T1 T2 T1 T2 run T1", "- - - - -"),
    ("the same work is tried again", "T1 T2 T1 T2 run:retry T1", "- - - - r"),
    ("the same work after compaction", "T1 T2 T1 T2 compact run:compaction T1", "- - - - r"),
    ("the calls of another agent between", "T1 T2 T1 T2 T1@two T2@two T1", "- - - - - - r"),
    ("a denial by others is an outcome", "T1%policy T2 T1%policy T2 T1%policy", "- - - - r"),
    ("a denial by others that is new ends it", "T1 T2 T1 T2%policy T1", "- - - - -"),
    ("our denials do not hide the pair", "T1 T2 " * 5 + "T1", "- - - - r - D D D D H"),
]


@pytest.mark.parametrize(("script", "words"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_run(script, words):
    """What a ladder of 3, 4 and 6 rounds says to a short run."""
    assert told(script, RUNGS) == words


@pytest.mark.parametrize("period", range(2, 9))
def test_period(period):
    """A finding names the length of the sequence."""
    rounds = [f"T{number}" for number in range(period)] * 2

    assert finding(" ".join([*rounds, "T0"]), RUNGS).period == period


def test_longest():
    """A sequence that is longer than the longest period is not seen."""
    rule = Cycle(longest=2, ladder=Ladder(3))

    assert told("T1 T2 T3 " * 3, rule) == "- - - - - - - - -"
    assert told("T1 T2 T1 T2 T1", rule) == "- - - - r"


def test_defaults():
    """The ladder and the longest period as they are documented."""
    assert Cycle().settings() == {"longest": 8, "ladder": {"remind": [3], "deny": 5, "halt": 7}}
