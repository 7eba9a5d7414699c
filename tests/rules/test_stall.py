"""``stall``: the same call with the same outcome, in short runs."""

from __future__ import annotations

import pytest

from rules.notation import Play, told
from toolbrake.core.ladder import Ladder
from toolbrake.rules.stall import SIBLINGS, Stall

RUNGS = Stall(ladder=Ladder(2, deny=4, halt=6))

SPELLINGS = {
    "Path": lambda n: ("read", {"path": ["src/a.py", "./src/a.py", "src//x/../a.py"][n]}),
    "Label": lambda n: ("bash", {"command": "ls", "description": f"look {n}", "timeout": n}),
    "Words": lambda n: ("thing", {"id": 1, "thought": f"for the {n}th time"}),
    "Shell": lambda n: ("bash", {"command": ["git status", "git  status", "cd . && git status"][n]}),
    "Null": lambda n: ("thing", [{"id": 1}, {"id": 1, "more": None}][n]),
    "Order": lambda n: ("thing", [{"a": 1, "b": 2}, {"b": 2, "a": 1}][n]),
    "Deep": lambda n: ("thing", {"id": 1, "note": f"{n}"}),
}

ROWS = [
    ("rung by rung", "T T T T T T", "- r - D D H"),
    ("a standing error", "T! T! T! T!", "- r - D"),
    ("an empty answer is an outcome too", "T= T= T= T=", "- r - D"),
    ("the same write is no progress", "W W W W", "- r - D"),
    ("other calls between", "T1 Q1 T2 T1", "- - - r"),
    ("a thought between", "T1 K1 T1 K2 T1 K3 T1", "- - r - - - D"),
    ("other arguments", "T1 T2 T3 T4", "- - - -"),
    ("the outcome moves", "T=* T=* T=* T=*", "- - - -"),
    ("the outcome comes back", "T=a T=b T=a T=b", "- - - -"),
    ("a change of the file between", "F W F", "- - -"),
    ("a change that failed", "F W!no F", "- - r"),
    ("a change that was denied", "F W%policy F", "- - r"),
    ("a change of another file", "F0 W1 F0", "- - r"),
    ("a change between for a call that could depend on anything", "T W1 T", "- - -"),
    ("a change by another agent", "F0 W1@two F0", "- - -"),
    ("the call of another agent", "T T@two T@two", "- - r"),
    ("another tool's success", "T! Q1 T!", "- - r"),
    ("one batch is one look", "T+T+T+T", "-"),
    ("batches of it", "T+T T+T T+T T+T", "- r - D"),
    ("polls", "P P P P P P P", "- - - - - - -"),
    ("a user turn", "T user T", "- -"),
    ("a message of the host", "T notice T", "- r"),
    ("a new run", "T run T", "- -"),
    ("the same work goes on after compaction", "T run:compaction T", "- r"),
    ("the same work is tried again", "T run:retry T", "- r"),
    ("the same work is resumed", "T run:resume T", "- r"),
    ("a compaction forgives one re-read", "F F compact F F", "- r r -"),
    ("our denials are attempts", "T T T T T T T", "- r - D D H H"),
    ("a denial by others is none", "T T%policy T T", "- - r -"),
    ("a result that never moved after a pause", "T wait:100 T", "- -"),
    ("a relapse is faster", "F F W F F F", "- r - - - D"),
    ("paths in one spelling", "Path0=a Path1=a Path2=a", "- r -"),
    ("labels and time limits", "Label0=a Label1=a Label2=a", "- r -"),
    ("the agent's own words", "Words0=a Words1=a", "- r"),
    ("commands in one spelling", "Shell0=a Shell1=a Shell2=a", "- r -"),
    ("arguments that say nothing", "Null0=a Null1=a", "- r"),
    ("keys in another order", "Order0=a Order1=a", "- r"),
    ("an argument that nobody called a label", "Deep0=a Deep1=a", "- -"),
]


@pytest.mark.parametrize(("script", "words"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_run(script, words):
    """What a ladder of 2, 4 and 6 says to a short run."""
    assert told(script, RUNGS, calls=SPELLINGS) == words


def test_compaction_forgives_once():
    """A compaction excuses one call of a series; the next one none."""
    ladder = Stall(ladder=Ladder(3))

    assert told("F F compact F F", ladder) == "- - - r"
    assert told("F F compact F compact F", ladder) == "- - - r"


def test_window():
    """Equal outcomes count within the window alone."""
    rule = Stall(window=3, ladder=Ladder(2))

    assert told("T1 T2 T3 T1", rule) == "- - - -"
    assert told("T1 T2 T1", rule) == "- - r"


def test_relapse_counts_from_the_first_reminder():
    """Only a series that was reminded of makes the next one faster."""
    rule = Stall(ladder=Ladder(3, deny=5))

    assert told("F F F W F F", rule) == "- - r - - r"
    assert told("F F W F F", rule) == "- - - - -"


def test_crowd():
    """A batch that is full of one call is told once, at the eighth."""
    rule = Stall(ladder=Ladder())

    assert told("+".join(["T"] * (SIBLINGS - 1)), rule) == "-"
    assert len(Play(rule).tell("+".join(["T"] * (SIBLINGS + 4)))[0].notes) == 1


def test_ask_and_approve():
    """A person is asked at the rung; what they approve runs, unremarked, until the next user turn."""
    rule = Stall(ladder=Ladder(2, ask=3, deny=5))

    assert told("T T T& T T T user T T T", rule) == "- r a - - - - r a"


def test_ask_and_refuse():
    """A refused call is asked about again: a person's no is no attempt of this rule."""
    assert told("T T T T", Stall(ladder=Ladder(ask=3, deny=5))) == "- - a a"


def test_defaults():
    """The ladder and the window as they are documented."""
    assert Stall().settings() == {"window": 30, "ladder": {"remind": [3], "deny": 5, "halt": 9}}
