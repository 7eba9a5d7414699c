"""``stagnation``: the arguments move and the answer does not; commands that do nothing."""

from __future__ import annotations

import pytest

from rules.notation import told
from toolbrake.core.ladder import Ladder
from toolbrake.rules.stagnation import Stagnation

RUNGS = Stagnation(ladder=Ladder(3, deny=5, halt=6), noops=Ladder(3, deny=5, halt=6), window=6)

CALLS = {
    "N": lambda n: ("bash", {"command": ["true", "echo hi", ":", "echo there"][n % 4]}),
    "Code": lambda n: ("python", {"code": f"print({n})"}),
}

ROWS = [
    ("rung by rung", "Q1=x Q2=x Q3=x Q4=x Q5=x Q6=x", "- - r - D D"),
    ("the same call is for stall", "Q1=x Q1=x Q1=x Q1=x", "- - - -"),
    ("the answer moves", "Q1=x Q2=y Q3=x Q4=y", "- - - -"),
    ("another answer between", "Q1=x Q2=x Q3=y Q4=x Q5=x", "- - - - -"),
    ("an empty answer", "Q1= Q2= Q3= Q4=", "- - - -"),
    ("nearly empty answers", "Q1=[] Q2=[] Q3=[] Q4=ok Q5=ok Q6=ok", "- - - - - -"),
    ("a constant acknowledgement of writes", "W1=saved W2=saved W3=saved W4=saved", "- - - -"),
    ("failures are for their own rule", "Q1!x Q2!x Q3!x Q4!x", "- - - -"),
    ("polls", "P1=x P2=x P3=x P4=x", "- - - -"),
    ("ranges past the end of a file", "R7=end R8=end R9=end", "- - r"),
    ("tools that nothing is known of", "T1=x T2=x T3=x", "- - r"),
    ("commands that read", "B1=x B2=x B3=x", "- - r"),
    ("code", "Code1=x Code2=x Code3=x", "- - r"),
    ("a change that could matter", "Q1=x Q2=x W1 Q3=x Q4=x", "- - - - -"),
    ("a change of another file", "F1=x F2=x W9 F3=x", "- - - r"),
    ("another tool's success does not reset", "Q1=x Q2=x T1 Q3=x", "- - - r"),
    ("one batch is one look", "Q1=x+Q2=x+Q3=x+Q4=x Q5=x", "- -"),
    ("a denial by others", "Q1=x Q2=x Q3%policy Q4=x", "- - - r"),
    ("a user turn", "Q1=x Q2=x user Q3=x Q4=x", "- - - -"),
    ("a message of the host", "Q1=x Q2=x notice Q3=x", "- - r"),
    ("a new run", "Q1=x Q2=x run Q3=x", "- - -"),
    ("the same work is tried again", "Q1=x Q2=x run:retry Q3=x", "- - r"),
    ("another agent's answers", "Q1=x Q2=x Q3@two=x", "- - -"),
    ("commands without effect, rung by rung", "N0 N1 N2 N3 N4 N5", "- - r - D D"),
    ("with other calls between", "N0 T1 N1 T2 N2", "- - - - r"),
    ("too far apart", "N0 T1 T2 T3 N1 T4 T5 T6 N2", "- - - - - - - - -"),
    ("in one batch", "N0+N1+N2 N3", "- -"),
    ("no-ops and a user turn", "N0 N1 user N2", "- - -"),
]


@pytest.mark.parametrize(("script", "words"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_run(script, words):
    """What ladders of 3, 5 and 6 say to a short run."""
    assert told(script, RUNGS, calls=CALLS) == words


def test_halt():
    """The halt comes at its own count."""
    assert told("Q1=x Q2=x Q3=x", Stagnation(ladder=Ladder(halt=3))) == "- - H"
    assert told("N N N", Stagnation(noops=Ladder(halt=3)), calls=CALLS) == "- - H"


def test_defaults():
    """The ladders and the window as they are documented."""
    assert Stagnation().settings() == {
        "ladder": {"remind": [4, 8], "halt": 24},
        "noops": {"remind": [6, 12, 24]},
        "window": 30,
    }
