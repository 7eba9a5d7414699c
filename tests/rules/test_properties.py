"""What holds of every run under the ready policies, whatever the ladders are."""

from __future__ import annotations

import copy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.strategies import PROPERTY, runs
from rules.notation import CALLS, Play
from toolbrake.config import load_policy
from toolbrake.core.profile import UNKNOWN
from toolbrake.core.scopes import Scopes
from toolbrake.rules.waiting import POLLS

FEW = settings(PROPERTY, max_examples=40)

POLICIES = {name: load_policy(name) for name in ("standard", "unattended")}

LADDERS = {rule.name: rule.ladder for rule in POLICIES["unattended"].rules}

both = pytest.mark.parametrize("name", POLICIES)


def decide(policy, events):
    """The decision on every event."""
    scopes = Scopes(policy)
    return [scopes.step(event) for event in events]


# One run, told in two ways.


@both
@FEW
@given(events=runs())
def test_determinism(name, events):
    """A policy that has seen other runs decides the same as one that has seen nothing."""
    fresh = load_policy(name)

    assert decide(POLICIES[name], events) == decide(fresh, events)


@both
@FEW
@given(events=runs(repeats=False), data=st.data())
def test_prefix(name, events, data):
    """What was decided does not depend on what comes later."""
    until = data.draw(st.integers(0, len(events)))

    assert decide(POLICIES[name], events[:until]) == decide(POLICIES[name], events)[:until]


@both
@FEW
@given(events=runs())
def test_sessions_are_apart(name, events):
    """A session is decided as if there were no other."""
    together = decide(POLICIES[name], events)
    alone = decide(POLICIES[name], [event for event in events if event.session == "other"])

    assert [said for event, said in zip(events, together, strict=True) if event.session == "other"] == alone


def _turned(value):
    """The same value with the keys of its mappings in the opposite order."""
    if isinstance(value, dict):
        return {key: _turned(value[key]) for key in reversed(value)}
    return [_turned(item) for item in value] if isinstance(value, list) else value


@both
@FEW
@given(events=runs())
def test_order_of_keys(name, events):
    """The order of keys in arguments changes nothing."""
    turned = copy.deepcopy(events)
    for event in turned:
        if event.type == "call":
            event.args = _turned(event.args)

    assert decide(POLICIES[name], turned) == decide(POLICIES[name], events)


NEW_NAMES = st.sampled_from(["zorp", "Quux", "mcp__zorp__quux", "x1"])

LETTERS = [*"TFRWQPKMB"]


def words(*, letters=LETTERS, suffixes=("", "", "", "=", "=a", "=*", "!", "!no", "%policy", "%user")):
    """One call of few, with what came of it."""
    return st.builds("{}{}{}".format, st.sampled_from(letters), st.integers(1, 2), st.sampled_from(suffixes))


def scripts(**limits):
    """A run of single calls and batches."""
    step = st.lists(words(), min_size=1, max_size=2).map("+".join)
    events = st.sampled_from(["user", "notice", "compact", "run:retry", "wait:100"])
    return st.lists(st.one_of(step, step, step, step, events), max_size=40, **limits).map(" ".join)


@both
@FEW
@given(script=scripts(), new=NEW_NAMES)
def test_renaming(name, script, new):
    """The name of a tool that no profile covers means nothing."""
    policy = POLICIES[name]
    renamed = {"T": lambda n: (new, CALLS["T"](n)[1])}
    assert policy.profiles.of(new) is policy.profiles.of("thing") is UNKNOWN

    before, after = Play(policy).tell(script), Play(policy, calls=renamed).tell(script)

    assert [_evidence(heard) for heard in before] == [_evidence(heard) for heard in after]


def _evidence(heard):
    return [(found.rule, found.action, found.count, found.limit, found.period) for found in heard.findings]


# Loops end.


def halted_at(script_words, most):
    """Which call of a loop over these words the halt stands before; None where it has not come by ``most``."""
    play = Play(POLICIES["unattended"])
    for number in range(most):
        if play.tell(script_words[number % len(script_words)])[0].action == "halt":
            return number + 1
    return None


def bound(period):
    """The call before which a loop of different calls, one a step, is halted at the latest under ``unattended``.

    One call is ``stall``'s: its halt counts calls. Of a longer period ``cycle`` counts rounds: all rounds before the
    one that its ladder halts have passed, and the first call of that one is stopped: 11, 16, 21, 26, 31, 36 and 41
    for periods of 2 to 8 and a halt at 6. Denials on the way cost rounds but hide none.
    """
    if period == 1:
        return LADDERS["stall"].halt
    return (LADDERS["cycle"].halt - 1) * period + 1


ENDLESS = [
    f"{letter}{n}{suffix}"
    for letter, numbers in (*((letter, (1, 2)) for letter in "TFRWQMB"), ("K", (1,)))
    for n in numbers
    for suffix in ("=same", "=", "=ok", "!", "!not_found")
]
"""Different calls with an outcome each. One thought: by their words alone the rules do not tell them apart."""


@pytest.mark.parametrize("period", range(1, 9))
@pytest.mark.parametrize("letter", "TFRWQKMB")
def test_loops_end(letter, period):
    """A loop of one tool's calls with outcomes that stand still ends at the bound, and no sooner than three rounds."""
    loop = [f"{letter}{number}=answer_{'x' * number}" for number in range(1, period + 1)]

    assert 3 * period <= halted_at(loop, bound(period)) <= bound(period)


@settings(FEW, max_examples=80)
@given(loop=st.lists(st.sampled_from(ENDLESS), min_size=1, max_size=8, unique_by=lambda word: word[:2]))
def test_mixed_loops_end(loop):
    """A loop of any calls ends, changes, failures and empty answers included: a change inside is no excuse."""
    assert halted_at(loop, bound(len(loop))) is not None


@FEW
@given(loop=st.lists(st.sampled_from(ENDLESS), min_size=1, max_size=6, unique_by=lambda word: word[:2]), poll=st.data())
def test_loops_with_a_poll_end(loop, poll):
    """A poll in a loop is not stopped by the loop, so that the next call is: at most one call later."""
    place = poll.draw(st.integers(0, len(loop)))
    looped = [*loop[:place], "P1=same", *loop[place:]]

    assert halted_at(looped, bound(len(looped)) + 1) is not None


@pytest.mark.parametrize("period", range(1, POLLS + 1))
def test_polls_end(period):
    """Polls alone are judged by ``waiting``: so many looks at each process, of as many as it tells apart."""
    loop = [f"P{number}" for number in range(period)]
    last = (LADDERS["waiting"].halt - 1) * period + 1

    assert halted_at(loop, last) == last


# What is no loop is left alone.


@both
@FEW
@given(script=st.lists(words(letters=[*"TFRQPB"], suffixes=("=*",)), max_size=120).map(" ".join))
def test_progress_is_never_stopped(name, script):
    """Whatever is read, in whatever order: as long as every answer is new, nothing is denied."""
    actions = {heard.action for heard in Play(POLICIES[name]).tell(script)}

    assert actions <= {"allow", "remind"}


READS = words(letters=[*"TFRQPB"], suffixes=("", "=a", "!"))


@both
@FEW
@given(calls=st.lists(READS, min_size=1, max_size=5))
def test_eight_agents(name, calls):
    """Eight agents that do the same in one session hear what one alone hears."""
    alone = [heard.action for heard in Play(POLICIES[name]).tell(" ".join(calls))]
    crowd = Play(POLICIES[name])

    for call, action in zip(calls, alone, strict=True):
        together = [_by(call, f"agent{number}") for number in range(8)]
        assert [heard.action for heard in crowd.tell(" ".join(together))] == [action] * 8


def _by(word, agent):
    """The word as a call of that agent."""
    return f"{word[:2]}@{agent}{word[2:]}"
