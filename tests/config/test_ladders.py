"""What the key ``ladder`` accepts, and what is said where it does not."""

from __future__ import annotations

import pytest

from toolbrake.config import compose, load, load_policy
from toolbrake.core.ladder import Ladder
from toolbrake.core.ladder import problems as unreachable
from toolbrake.errors import ConfigError
from toolbrake.policies import READY

LADDERS = [
    ("stall", "ladder"),
    ("cycle", "ladder"),
    ("failures", "ladder"),
    ("stagnation", "ladder"),
    ("stagnation", "noops"),
    ("waiting", "ladder"),
    ("denials", "ladder"),
]

REMINDERS = [("target", "ladder"), ("target", "changing"), ("budget", "ladder")]


def rule(name, **settings):
    """The rule that these settings build."""
    return load_policy({"rules": {name: settings}}).rules[0]


def problems(name, **settings):
    """What is wrong with a rule's settings."""
    with pytest.raises(ConfigError) as caught:
        load_policy({"rules": {name: settings}})
    return list(caught.value.problems)


@pytest.mark.parametrize(("name", "key"), LADDERS)
def test_every_rung(name, key):
    """A ladder with every action is built as it is written."""
    written = {"remind": [2, 4], "ask": 5, "deny": 6, "halt": 8}

    assert getattr(rule(name, **{key: written}), key) == Ladder((2, 4), ask=5, deny=6, halt=8)


@pytest.mark.parametrize(("name", "key"), LADDERS + REMINDERS)
def test_one_reminder(name, key):
    """One count needs no list, and a whole float is the integer it equals."""
    assert getattr(rule(name, **{key: {"remind": 3.0}}), key) == Ladder(3)


@pytest.mark.parametrize(("name", "key"), LADDERS + REMINDERS)
def test_no_rungs(name, key):
    """An empty ladder is one that says nothing, not the default."""
    assert getattr(rule(name, **{key: {}}), key) == Ladder()


@pytest.mark.parametrize(("name", "key"), REMINDERS)
@pytest.mark.parametrize("rung", ["ask", "deny", "halt"])
def test_weak_evidence_only_reminds(name, key, rung):
    """Rules of weak evidence have no stronger rung."""
    assert problems(name, **{key: {rung: 5}}) == [f"rules.{name}.{key}.{rung} is not a known key; accepted: remind"]


COUNT = "a whole number of at least 1"

REFUSED = [
    (3, [" must be a mapping of remind, ask, deny, halt (got 3)"]),
    ([3], [" must be a mapping of remind, ask, deny, halt (got [3])"]),
    (None, [" must be a mapping of remind, ask, deny, halt (got None)"]),
    ({"remind": 0}, [f".remind[0] must be {COUNT} (got 0)"]),
    ({"remind": [3, "5"]}, [f".remind[1] must be {COUNT} (got '5')"]),
    ({"remind": [True]}, [f".remind[0] must be {COUNT} (got True)"]),
    ({"remind": [3, 3]}, [".remind[1] repeats 3; every count must be there once"]),
    ({"deny": 0}, [".deny must be an integer of at least 1 (got 0)"]),
    ({"halt": None}, [".halt must be an integer of at least 1 (got None)"]),
    ({"block": 3}, [".block is not a known key; accepted: remind, ask, deny, halt"]),
    ({"remnid": 3}, [".remnid is not a known key; did you mean remind?"]),
    ({"remind": 5, "deny": 5}, [": remind at 5 cannot be reached: deny is taken from 5 on"]),
    (
        {"ask": 6, "deny": 5, "halt": 4},
        [
            ": ask at 6 cannot be reached: deny is taken from 5 on",
            ": deny at 5 cannot be reached: halt is taken from 4 on",
        ],
    ),
    (
        {"remind": [0], "deny": "x"},
        [f".remind[0] must be {COUNT} (got 0)", ".deny must be an integer of at least 1 (got 'x')"],
    ),
]


@pytest.mark.parametrize(("written", "found"), REFUSED, ids=str)
def test_refused(written, found):
    """What cannot be a ladder is told by its place, with all that is wrong."""
    assert problems("stall", ladder=written) == [f"rules.stall.ladder{problem}" for problem in found]


def test_rungs_by_tool():
    """A budget has ladders of its own by tool pattern; written ones replace the shipped ones."""
    built = rule("budget", tools={"send_*": {"remind": [2, 4]}})

    assert built.tools == {"send_*": Ladder((2, 4))}


TOOLS = [
    (3, [" must be a mapping of tool patterns to ladders (got 3)"]),
    ({"": {"remind": 2}}, [": each key must be a non-empty string (got '')"]),
    ({"send": 2}, [".send must be a mapping of remind (got 2)"]),
    ({"send": {"deny": 2}}, [".send.deny is not a known key; accepted: remind"]),
]


@pytest.mark.parametrize(("written", "found"), TOOLS, ids=str)
def test_refused_by_tool(written, found):
    """What cannot be ladders by tool is told by its place."""
    assert problems("budget", tools=written) == [f"rules.budget.tools{problem}" for problem in found]


@pytest.mark.parametrize("name", READY)
def test_ready_policies_compose(name):
    """What a ready policy says in full builds the same policy, ladders included."""
    composed = compose(name)
    again = load({key: value for key, value in composed.items() if key != "extends"})

    assert again.policy.rules == load_policy(name).rules


@pytest.mark.parametrize("name", ["standard", "unattended"])
def test_ready_ladders(name):
    """Every rung of a ready policy can be reached, and none asks: nobody may be there."""
    rules = load_policy(name).rules
    ladders = [value for rule in rules for key in rule.fields() if isinstance(value := getattr(rule, key), Ladder)]

    assert len(ladders) == len(LADDERS + REMINDERS)
    assert all(ladder.ask is None and not unreachable(ladder) for ladder in ladders)
