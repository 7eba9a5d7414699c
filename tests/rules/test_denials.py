"""``denials``: a call is denied by somebody and made again."""

from __future__ import annotations

import pytest

from rules.notation import told
from toolbrake.core.ladder import Ladder
from toolbrake.rules.denials import PEOPLE, TOOLS, Denials
from toolbrake.rules.stall import Stall

RUNGS = Denials(ladder=Ladder((2, 3), deny=5, halt=6))

ROWS = [
    ("rung by rung", "T%policy T%policy T%policy T%policy T", "- r r - D"),
    ("whatever the arguments", "T1%policy T2%policy T3%policy", "- r r"),
    ("another tool", "T%policy Q%policy F%policy", "- - -"),
    ("another tool's success does not void a no", "T%policy Q T%policy", "- - r"),
    ("let through", "T%policy T T%policy", "- - -"),
    ("let through to fail", "T%policy T! T%policy", "- - -"),
    ("a failure is no denial", "T! T! T!", "- - -"),
    ("a person's no weighs two", "T%user T%user T", "r r H"),
    ("one batch is one", "T1%policy+T2%policy+T3%policy T4%policy", "- r"),
    ("a change between", "T%policy W1 T%policy", "- - r"),
    ("a user turn", "T%policy user T%policy", "- -"),
    ("a message of the host", "T%policy notice T%policy", "- r"),
    ("a new run", "T%policy run T%policy", "- -"),
    ("the same work is tried again", "T%policy run:retry T%policy", "- r"),
    ("a compaction", "T%policy compact T%policy", "- r"),
    ("another agent's denials", "T%policy T@two%policy", "- -"),
]


@pytest.mark.parametrize(("script", "words"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_run(script, words):
    """What a ladder of 2, 3, 5 and 6 says to a short run."""
    assert told(script, RUNGS) == words


@pytest.mark.parametrize("who", sorted(name for name in PEOPLE if " " not in name))
def test_people(who):
    """Every name under which a host says that a person refused weighs two."""
    assert told(f"T%{who}", Denials(ladder=Ladder(2))) == "r"


def test_halt():
    """The halt comes at its own count."""
    assert told("T%policy T%policy T", Denials(ladder=Ladder(halt=3))) == "- - H"


def test_our_own_are_not_counted():
    """What we deny is counted by the rule that denied it: a tool is not refused for good by us."""
    stopping = Stall(ladder=Ladder(deny=2))

    assert told("T1 T1 T1 T1 T2", stopping, Denials(ladder=Ladder(halt=2))) == "- D D D -"


def test_refused_when_asked():
    """What a person refuses when we ask is a person's no."""
    asking = Stall(ladder=Ladder(ask=2))

    assert told("T1 T1 T2", asking, Denials(ladder=Ladder(halt=3))) == "- a H"


def test_many_tools():
    """The tool denied longest ago is forgotten for a new one."""
    calls = {"Z": lambda n: (f"tool{n}", {})}
    others = " ".join(f"Z{number}%policy" for number in range(1, TOOLS + 1))

    assert told(f"Z0%policy {others} Z0%policy", RUNGS, calls=calls)[-1] == "-"


def test_defaults():
    """The ladder as it is documented."""
    assert Denials().settings() == {"ladder": {"remind": [3, 4], "halt": 8}}
