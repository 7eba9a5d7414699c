"""``budget``: how often a tool has run at all."""

from __future__ import annotations

import pytest

from rules.notation import told
from toolbrake.core.ladder import Ladder
from toolbrake.rules.budget import TOOLS, Budget

RUNGS = Budget(ladder=Ladder((3, 5)), tools={"mess*": Ladder(2)})

ROWS = [
    ("rung by rung", "T1 T2 T3 T4 T5 T6 T7", "- - r - r - -"),
    ("a ladder of its own", "M1 M2 M3", "- r -"),
    ("whatever comes of it", "T1=* T2! T3=", "- - r"),
    ("other tools between", "T1 Q1 T2 Q2 T3", "- - - - r"),
    ("changes between", "T1 W1 T2 W2 T3", "- - - - r"),
    ("every call of a batch has run", "T1+T2+T3", "r"),
    ("denied calls have not", "T1%policy T2 T3", "- - -"),
    ("a user turn", "T1 T2 user T3", "- - -"),
    ("a message of the host", "T1 T2 notice T3", "- - r"),
    ("a new run", "T1 T2 run T3", "- - -"),
    ("the same work is tried again", "T1 T2 run:retry T3", "- - r"),
    ("a compaction", "T1 T2 compact T3", "- - r"),
    ("another agent's calls", "T1 T2 T3@two", "- - -"),
]


@pytest.mark.parametrize(("script", "words"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_run(script, words):
    """What a ladder of 3 and 5, and one of 2 for messages, say to a short run."""
    assert told(script, RUNGS) == words


def test_many_tools():
    """The tool used longest ago is forgotten for a new one."""
    calls = {"Z": lambda n: (f"tool{n}", {})}
    others = " ".join(f"Z{number}" for number in range(1, TOOLS + 1))

    assert told(f"Z0 Z0 {others} Z0", RUNGS, calls=calls)[-1] == "-"


def test_defaults():
    """The ladders as they are documented: high, but for what a person has to read."""
    people = {"remind": [5, 10, 20]}

    assert Budget().settings() == {
        "ladder": {"remind": [200, 400, 800]},
        "tools": {"message": people, "*send_message*": people},
    }
