"""``failures``: a tool that fails the same way, whatever the arguments."""

from __future__ import annotations

import pytest

from rules.notation import told
from toolbrake.core.ladder import Ladder
from toolbrake.rules.failures import Failures

RUNGS = Failures(window=4, ladder=Ladder(3, deny=5, halt=6))

CALLS = {
    "Missing": lambda n: ("thing", {"path": f"/srv/item{n}.txt"}),
    "Prog": lambda n: ("bash", {"command": f"{['make', 'npm', 'make'][n]} target{n}"}),
}

ROWS = [
    ("rung by rung", "T1! T2! T3! T4! T5! T6!", "- - r - D D"),
    ("the same call", "T! T! T! T! T!", "- - r - D"),
    (
        "the arguments in the error are masked",
        "Missing1!cannot_open_/srv/item1.txt Missing2!cannot_open_/srv/item2.txt Missing3!cannot_open_/srv/item3.txt",
        "- - r",
    ),
    ("the numbers in the error are masked", "T1!line_17_is_bad T2!line_4_is_bad T3!line_130_is_bad", "- - r"),
    ("other errors", "T1!no_such_file T2!permission_denied T3!timed_out", "- - -"),
    ("other tools", "T1! Q1! F1!", "- - -"),
    ("successes", "T1 T2 T3 T4", "- - - -"),
    ("a success between leaves the window", "T1! T2 T3! T4!", "- - - r"),
    ("another tool's success does not reset", "T1! T2! Q1 T3!", "- - - r"),
    ("out of the window", "T1! T2! Q1 Q2 Q3 T3!", "- - - - - -"),
    ("a relevant change", "T1! T2! W1 T3! T4!", "- - - - -"),
    ("a change of another file", "F1! F2! W9 F3!", "- - - r"),
    ("a change that failed", "T1! T2! W1!no T3!", "- - - r"),
    ("a change by another agent", "F1! F2! W9@two F3!", "- - - -"),
    ("one batch is one", "T1!+T2!+T3! T4!", "- -"),
    ("thoughts are no observation", "T1! K1 K2 K3 T2! K4 T3!", "- - - - - - r"),
    ("polls", "P1! P2! P3! P4!", "- - - -"),
    ("a program is what fails in a shell", "Prog0!broken Prog1!broken Prog2!broken", "- - -"),
    ("a user turn", "T1! T2! user T3! T4!", "- - - -"),
    ("a message of the host", "T1! T2! notice T3!", "- - r"),
    ("a new run", "T1! T2! run T3!", "- - -"),
    ("the same work is tried again", "T1! T2! run:retry T3!", "- - r"),
    ("a compaction", "T1! T2! compact T3!", "- - r"),
    ("another agent's failures", "T1! T2! T3@two!", "- - -"),
    ("a denial by others is an attempt towards the stop", "T1! T2! T3! T4%policy T5!", "- - r - D"),
    ("our denials change nothing", "T1! T2! T3! T4! T5! T6! T7!", "- - r - D D D"),
]


@pytest.mark.parametrize(("script", "words"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_run(script, words):
    """What a ladder of 3, 5 and 6 in a window of 4 says to a short run."""
    assert told(script, RUNGS, calls=CALLS) == words


def test_second_rung():
    """A second count draws a second reminder."""
    assert told("T1! T2! T3! T4!", Failures(ladder=Ladder((2, 4)))) == "- r - r"


def test_halt():
    """The halt comes at its own count."""
    assert told("T1! T2! T3!", Failures(ladder=Ladder(halt=3))) == "- - H"


def test_success_ends_the_streak():
    """What leads to a stop is a streak: one success of the tool, and it begins again."""
    assert told("T1! T2! T3 T4! T5! T6! T7", Failures(ladder=Ladder(deny=4))) == "- - - - - - D"


def test_programs_in_a_shell():
    """The same program fails again; another one in the same shell is let through."""
    rule = Failures(ladder=Ladder(deny=3))

    assert told("Prog0!broken Prog2!broken Prog0 Prog1", rule, calls=CALLS) == "- - D -"


def test_defaults():
    """The ladder and the window as they are documented."""
    assert Failures().settings() == {"window": 8, "ladder": {"remind": [3, 6], "halt": 12}}
