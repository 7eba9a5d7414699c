"""Loops that are of no one shape: repeats inside a cycle, batches, polls between."""

from __future__ import annotations

import pytest

from rules.notation import Play, told
from toolbrake.config import load_policy
from toolbrake.core.ladder import Ladder
from toolbrake.rules.stall import Stall
from toolbrake.testing import ScriptedRun

LOOPS = ["M1 Q1+Q2 M2 T1=ok", "M1 M1 M1 M1 M1 W1", "W1 M1 F1= F1= W1 M1 M1", "T1 T1 W2"]


@pytest.mark.parametrize("loop", LOOPS)
def test_mixed_loops_end(loop):
    """A loop that holds a call twice in a row, or a batch, ends as every other does."""
    play, steps = Play(load_policy("unattended")), loop.split()

    actions = [play.tell(steps[place % len(steps)])[0].action for place in range(6 * len(steps))]

    assert "halt" in actions


def test_polls_count_for_no_stall():
    """A call that was made after long pauses was a poll, and is not added to the equal calls after it."""
    assert told("T wait:100 " * 9 + "T T", Stall())[-1] == "-"


def test_reminder_comes_before_the_denial():
    """A pause between equal calls does not let the denial come without the reminder."""
    assert told("T T wait:100 T T T T", Stall(ladder=Ladder(3, deny=5))) == "- - - r - D"


def test_thoughts_are_no_repeats():
    """Different thoughts are different calls, although a thought is decoration everywhere else."""
    run = ScriptedRun("unattended")
    for number in range(12):
        run.call("think", {"thought": f"idea {number}"}, "Your thought has been logged.")

    assert set(run.actions) == {"allow"}
