"""Scopes: whose calls are counted together, what reaches a whole session, and when a scope starts over."""

from __future__ import annotations

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.strategies import PROPERTY, Lasting, Scripted, policies, runs
from toolbrake.core.events import AgentEnd, Call, Result, Run, RunEnd, User
from toolbrake.core.policy import Policy
from toolbrake.core.scopes import IDLE, Scopes
from toolbrake.rules.brake import Brake
from toolbrake.rules.breaker import Breaker
from toolbrake.rules.reminder import Reminder


def counting(**settings):
    """Scopes whose every call is answered with its number."""
    return Scopes(Policy([Lasting(always="remind")]), **settings)


def number(scopes, **scope):
    """The number that one more call gets."""
    (finding,) = scopes.step(Call("search", {}, **scope)).findings
    return finding.count


# Whose calls are counted together.

APART = [
    ("two sessions", {"session": "a"}, {"session": "b"}),
    ("two agents", {"agent": "a"}, {"agent": "b"}),
    ("an agent and none", {}, {"agent": None}),
    ("equal agents of two sessions", {"session": "a", "agent": "w"}, {"session": "b", "agent": "w"}),
    ("names swapped", {"session": "a", "agent": "b"}, {"session": "b", "agent": "a"}),
]


@pytest.mark.parametrize(("one", "other"), [row[1:] for row in APART], ids=[row[0] for row in APART])
def test_apart(one, other):
    """Calls of two scopes are counted apart."""
    scopes = counting()

    assert [number(scopes, **scope) for scope in (one, other, one, other)] == [1, 1, 2, 2]


def test_main_is_the_default():
    """Calls without a scope belong to the main agent of the main session."""
    scopes = counting()

    assert [number(scopes), number(scopes, session="main", agent="main")] == [1, 2]


def test_result_of_another_scope_is_nobodys():
    """An id is known in its own scope only."""
    scopes = Scopes(Policy([Scripted(results={1: "remind"})]))
    scopes.step(Call("search", {}, id="c1", agent="a"))

    assert scopes.step(Result("c1", agent="b")).action == "allow"


# What reaches a whole session.


def halted(**cause):
    """Scopes in which that scope has halted its session."""
    scopes = Scopes(Policy([Lasting({1: "halt"})]))
    scopes.step(Call("search", {}, **cause))
    return scopes


def test_halt_reaches_every_agent():
    """A halt that one agent caused stops every agent of its session."""
    scopes = halted(agent="worker")

    assert [scopes.step(Call("x", {}, agent=agent)).action for agent in ("main", "new", None)] == ["halt"] * 3


def test_halt_reaches_no_other_session():
    """A halt is its session's alone."""
    scopes = Scopes(Policy([Lasting({2: "halt"})]))
    for _ in range(2):
        scopes.step(Call("x", {}, session="a"))

    assert scopes.step(Call("x", {}, session="b")).action == "allow"


@pytest.mark.parametrize("agent", ["main", "worker", "new"])
def test_user_turn_to_any_agent_ends_a_halt(agent):
    """A person who speaks to any agent of the session ends its halt."""
    scopes = halted(agent="worker")
    scopes.step(User("go on", agent=agent))

    assert scopes.step(Call("x", {}, agent="worker")).action == "allow"


def test_new_run_ends_a_halt():
    """A new run of the session ends its halt."""
    scopes = halted(agent="worker")
    scopes.step(Run())

    assert scopes.step(Call("x", {}, agent="worker")).action == "allow"


def test_new_run_of_another_session_does_not():
    """A new run elsewhere ends no halt."""
    scopes = halted(session="a")
    scopes.step(Run(session="b"))

    assert scopes.step(Call("x", {}, session="a")).action == "halt"


def test_halt_outlives_the_agent_that_caused_it():
    """The end of the agent that caused a halt does not end the halt."""
    scopes = halted(agent="worker")
    scopes.step(AgentEnd(agent="worker"))

    assert scopes.step(Call("x", {})).action == "halt"


def test_new_run_reaches_every_agent():
    """A new run resets the rules of every agent of its session, and of no other session."""
    scopes = Scopes(Policy([Scripted(always="remind")]))
    places = [{"agent": "a"}, {"agent": "b"}, {"session": "other"}]
    for place in places:
        number(scopes, **place)
    scopes.step(Run())

    assert [number(scopes, **place) for place in places] == [1, 1, 2]


def test_user_turn_reaches_its_scope_only():
    """A user turn resets the rules of the agent it was sent to."""
    scopes = Scopes(Policy([Scripted(always="remind")]))
    for agent in ("a", "b"):
        number(scopes, agent=agent)
    scopes.step(User("go on", agent="a"))

    assert [number(scopes, agent=agent) for agent in ("a", "b")] == [1, 2]


def test_end_of_a_run_closes_every_agents_calls():
    """After the end of a run no call of its session waits for a result."""
    scopes = Scopes(Policy([Scripted(results={1: "remind"})]))
    scopes.step(Call("search", {}, id="c1", agent="worker"))
    scopes.step(RunEnd())

    assert scopes.step(Result("c1", agent="worker")).action == "allow"


def test_ended_agent_is_forgotten():
    """An agent that takes the name of one that is gone starts at one, and the others go on."""
    scopes = counting()
    for agent in ("a", "b"):
        number(scopes, agent=agent)
    scopes.step(AgentEnd(agent="a"))

    assert [number(scopes, agent=agent) for agent in ("a", "b")] == [1, 2]


def test_ended_agent_of_a_halted_session_starts_over():
    """In a halted session an agent that is gone leaves the halt and nothing else."""
    scopes = Scopes(Policy([Lasting({1: "remind", 2: "halt", 3: "deny"})]))
    for _ in range(2):
        scopes.step(Call("search", {}))
    scopes.step(AgentEnd())
    scopes.step(User("go on"))

    assert number(scopes) == 1


def test_end_of_an_unknown_agent():
    """The end of an agent that nobody has heard of makes no scope."""
    scopes = counting()
    scopes.step(AgentEnd(agent="nobody"))

    assert scopes.states == {}
    assert scopes.sessions == {}


def test_forgotten_scopes_leave_nothing():
    """With the last scope of a session its record goes too."""
    scopes = counting()
    for agent in ("a", "b"):
        number(scopes, agent=agent)
        scopes.drop(("main", agent))

    assert scopes.states == {}
    assert scopes.sessions == {}


# Time.

TIMES = [
    ("at the idle time", [0, 100], [1, 2]),
    ("past the idle time", [0, 100.5], [1, 1]),
    ("counted from the last event", [0, 90, 180], [1, 2, 3]),
    ("twice past the idle time", [0, 101, 202], [1, 1, 1]),
    ("clock set back", [1000, 0], [1, 2]),
    ("clock set back and right again", [1000, 0, 1000], [1, 2, 3]),
    ("clock set back, then less than idle past the latest", [1000, 0, 1100], [1, 2, 3]),
    ("clock set back, then more than idle past the latest", [1000, 0, 1101], [1, 2, 1]),
    ("unknown times", [0, None, None], [1, 2, 3]),
    ("unknown, then past the idle time", [0, None, 101], [1, 2, 1]),
    ("time comes to be known late", [None, 5000], [1, 2]),
]


@pytest.mark.parametrize(("times", "numbers"), [row[1:] for row in TIMES], ids=[row[0] for row in TIMES])
def test_idle(times, numbers):
    """A scope starts over when more than the idle time has passed since its latest event, and only then."""
    scopes = counting(idle=100)

    assert [number(scopes, at=at) for at in times] == numbers


def test_default_idle_time():
    """A scope is idle after an hour."""
    assert IDLE == 3600


def test_result_keeps_a_scope_alive():
    """The idle time runs from any event of the scope, not from its last call."""
    scopes = counting(idle=100)
    number(scopes, at=0, id="c1")
    scopes.step(Result("c1", at=90))

    assert number(scopes, at=150) == 2


def test_other_scopes_do_not_keep_one_alive():
    """A scope is idle for itself, however busy its session is."""
    scopes = counting(idle=100)
    number(scopes, agent="a", at=0)
    for at in range(0, 200, 10):
        number(scopes, agent="b", at=at)

    assert number(scopes, agent="a", at=150) == 1


def test_halt_does_not_expire():
    """A halted session stays halted over any pause."""
    scopes = Scopes(Policy([Lasting({1: "halt"})]), idle=100)
    scopes.step(Call("x", {}, at=0))

    assert scopes.step(Call("x", {}, at=1e9)).action == "halt"


# Properties.


def decisions(policy, told):
    scopes = Scopes(policy)
    return [scopes.step(event) for event in told]


@PROPERTY
@given(policies(), runs(), st.integers(0, 40))
def test_prefix(policy, told, cut):
    """What is decided up to an event does not depend on what comes after it."""
    assert decisions(policy, told[:cut]) == decisions(policy, told)[:cut]


@PROPERTY
@given(policies(), runs())
def test_deterministic(policy, told):
    """The same events are decided the same again, by a copy of the policy too."""
    assert decisions(copy.deepcopy(policy), copy.deepcopy(told)) == decisions(policy, told)


@PROPERTY
@given(policies(), runs(sessions=("main", "other")), runs(sessions=("third",)), st.randoms(use_true_random=False))
def test_sessions_are_isolated(policy, some, others, random):
    """A session's decisions are the same alone and among the events of others, in whatever order they mix."""
    marks = [True] * len(some) + [False] * len(others)
    random.shuffle(marks)
    ours, theirs = iter(some), iter(others)
    mixed = [next(ours) if mark else next(theirs) for mark in marks]

    among = [decision for mark, decision in zip(marks, decisions(policy, mixed), strict=True) if mark]

    assert among == decisions(policy, some)


@PROPERTY
@given(runs(sessions=("main",), agents=("main",)), runs(sessions=("main",), agents=("worker",)))
def test_agents_are_isolated(some, others):
    """Under rules that halt nobody an agent's decisions are the same alone and after those of its siblings."""
    policy = Policy([Reminder(thresholds=(2, 3)), Breaker(deny_after=3), Brake(max_repeats=4)])
    some = [event for event in some if event.type not in ("run", "run_end")]
    others = [event for event in others if event.type not in ("run", "run_end")]

    assert decisions(policy, others + some)[len(others) :] == decisions(policy, some)


def reordered(value):
    """The same value with the keys of every object in the opposite order."""
    if isinstance(value, dict):
        return {key: reordered(item) for key, item in reversed(value.items())}
    return [reordered(item) for item in value] if isinstance(value, list) else value


@PROPERTY
@given(runs(), st.data())
def test_order_of_keys_means_nothing(told, data):
    """The order of keys, nested ones included, changes no decision of the classic rules, text included."""
    policy = Policy([Reminder(thresholds=(2, 3)), Breaker(deny_after=3), Brake(max_repeats=4)])
    turned = copy.deepcopy(told)
    for event in turned:
        if event.type == "call" and data.draw(st.booleans()):
            event.args = reordered(event.args)

    assert decisions(policy, turned) == decisions(policy, told)
