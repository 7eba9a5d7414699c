"""``waiting``: polls whose answer stands still, by time and by count."""

from __future__ import annotations

import pytest

from rules.notation import told
from toolbrake.core.ladder import Ladder
from toolbrake.core.observation import PAUSE
from toolbrake.rules.waiting import POLLS, Waiting

RUNGS = Waiting(after=300, ladder=Ladder(3, deny=5, halt=7))

LONGER = PAUSE + 10

CALLS = {
    "Sleep": lambda n: ("bash", {"command": "sleep 30"}),
    "Look": lambda n: ("bash", {"command": "sleep 5 && cat log"}),
}

ROWS = [
    ("rung by rung", "P P P P P P P", "- - r - D D H"),
    ("an answer that moves", "P=* P=* P=* P=* P=*", "- - - - -"),
    ("news start the count over", "P=a P=a P=b P=b P=b", "- - - - r"),
    ("reminded of time first", "P wait:301 P P", "- r r"),
    ("time without a poll says nothing", "P wait:900", "-"),
    ("a little time", "P wait:100 P", "- -"),
    ("twice the time for the second", "P=a wait:301 P=a wait:200 P=b wait:200 P=b wait:200 P=b", "- r - - r"),
    ("sleeps", "Sleep= Sleep= Sleep=", "- - r"),
    ("a sleep with a look", "Look=a Look=a Look=a", "- - r"),
    ("two processes", "P1 P2 P1 P2 P1 P2", "- - - - r r"),
    ("one batch is one look", "P+P+P+P P", "- -"),
    ("a call that is no poll", "T T T T T T", "- - - - - -"),
    ("a call after pauses", f"T wait:{LONGER} T wait:{LONGER} T wait:{LONGER} T", "- - - r"),
    ("a failed poll", "P! P! P!", "- - r"),
    ("another tool's success does not reset", "P T1 P T2 P", "- - - - r"),
    ("a change does not reset: it is the process that has news", "P P W1 P", "- - - r"),
    ("our denials are attempts", "P P P P P P P P", "- - r - D D H H"),
    ("a denial by others is none", "P P P%policy P P P", "- - - r - D"),
    ("a user turn", "P P user P P", "- - - -"),
    ("a message of the host", "P P notice P", "- - r"),
    ("a new run", "P P run P", "- - -"),
    ("the same work is tried again", "P P run:retry P", "- - r"),
    ("another agent's polls", "P P P@two", "- - -"),
]


@pytest.mark.parametrize(("script", "words"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_run(script, words):
    """What 300 seconds and a ladder of 3, 5 and 7 say to a short run."""
    assert told(script, RUNGS, calls=CALLS) == words


def test_without_times():
    """Where no times are known, the ladder alone speaks."""
    assert told("P P P P P P P", RUNGS, timed=False) == "- - r - D D H"


def test_time_that_runs_backwards():
    """A clock that is set back makes nobody wait."""
    assert told("P wait:-1000 P", RUNGS) == "- -"


def test_many_processes():
    """The process looked at longest ago is forgotten for a new one."""
    others = " ".join(f"P{number}" for number in range(1, POLLS + 1))

    assert told(f"P0 P0 {others} P0", RUNGS)[-1] == "-"


def test_defaults():
    """The seconds and the ladder as they are documented."""
    assert Waiting().settings() == {"after": 900, "ladder": {"remind": [6, 12, 24], "deny": 40, "halt": 60}}
