"""``Guard``: what each verb means, seen from a host that owns its loop."""

from __future__ import annotations

import copy
import pickle

import pytest

from core.strategies import Lasting, Scripted
from toolbrake import ALLOW, AsyncGuard, Call, ConfigError, Guard, Policy
from toolbrake.testing import FakeClock, Recorder

BRAKE = {"rules": {"brake": {"max_repeats": 2}}}
REMINDER = {"rules": {"reminder": {"thresholds": [2]}}}
BOTH = {"rules": {"reminder": {"thresholds": [2]}, "brake": {"max_repeats": 3}}}

CALL = Call("search", {"q": "weather"})


def twice(guard, call=CALL):
    """The actions on two equal calls that run."""
    return [guard.check(call).action, guard.record(call, "rain").action, guard.check(call).action]


# check and record


def test_first_call_runs():
    """A call that nobody minds is answered with the preset allow."""
    assert Guard(BRAKE).check(CALL) is ALLOW


def test_repeat_is_denied():
    """The call that is one too many is denied, with a text for the model."""
    guard = Guard(BRAKE)
    guard.check(CALL)

    decision = guard.check(CALL)

    assert (decision.action, decision.runs) == ("deny", False)
    assert "search" in decision.text


def test_call_object_can_be_used_again():
    """A host may keep a call and use it again: each use counts, and has the time of its own delivery."""
    recorder, clock = Recorder(), FakeClock(5.0)
    guard = Guard(BRAKE, observers=[recorder], clock=clock)
    call = Call("search", {"q": "x"})
    guard.check(call)
    clock.advance(10)
    guard.check(call)

    assert [event.at for event in recorder.events] == [5.0, 15.0]
    assert [decision.action for decision in recorder.decisions] == ["allow", "deny"]


def test_record_draws_the_reminder():
    """A reminder comes with the result that completes the repetition."""
    guard = Guard(REMINDER)
    actions = []
    for _ in range(2):
        guard.check(CALL)
        actions.append(guard.record(CALL, "rain").action)

    assert actions == ["allow", "remind"]


def test_record_of_a_denied_call_does_nothing():
    """A host that records a call which was denied changes nothing by it."""
    guard = Guard({"rules": {"reminder": {"thresholds": [3]}, "brake": {"max_repeats": 2}}})
    calls = [Call("search", {}, id=f"c{number}", step=number) for number in range(2)]
    guard.check(calls[0])
    guard.record(calls[0], "rain")
    guard.check(calls[1])

    decision = guard.record(calls[1], "rain")

    assert decision is ALLOW


def test_denial_brings_notes():
    """The decision that denies brings the reminder that the denied call drew."""
    guard = Guard({"rules": {"reminder": {"thresholds": [2]}, "brake": {"max_repeats": 2}}})
    guard.check(CALL)
    guard.record(CALL, "rain")

    decision = guard.check(CALL)

    assert (decision.action, [note.source for note in decision.notes]) == ("deny", ["toolbrake/reminder"])


def test_result_without_a_check():
    """A result of a call that was never checked is taken in and means nothing."""
    assert Guard(REMINDER).record(CALL, "rain") is ALLOW


def test_denied_by_others_counts():
    """Calls that somebody else refuses draw the reminder, too."""
    guard = Guard(REMINDER)
    actions = []
    for _ in range(2):
        guard.check(CALL)
        actions.append(guard.denied(CALL, "not allowed here", by="hook").action)

    assert actions == ["allow", "remind"]


def test_arguments_as_text():
    """Arguments as JSON text are the same call as the value they say."""
    guard = Guard(BRAKE)
    guard.check(Call("search", {"a": 1, "b": 2}))

    assert guard.check(Call("search", '{"b": 2, "a": 1}')).action == "deny"


# Questions


def asking():
    return Guard(Policy([Scripted(always="ask")]))


def test_question_does_not_run():
    """A call that a person is asked about waits for the answer."""
    assert not asking().check(CALL).runs


def test_approved_call_and_equal_ones_run():
    """After an approval equal calls run."""
    guard = asking()
    guard.check(CALL)
    guard.approve(CALL)

    assert guard.check(CALL).runs


def test_refused_call_is_denied():
    """A refusal hands back the denial for the model."""
    guard = asking()
    guard.check(CALL)

    decision = guard.refuse(CALL, by="ann")

    assert (decision.action, "ann" in decision.text) == ("deny", True)


def test_approval_without_ids_is_for_its_own_call():
    """Where calls have no ids, an approval lets the call run that it names, not the one that waits longest."""
    guard = Guard(Policy([Scripted({2: "ask", 3: "ask"})]))
    other = Call("list", {})
    guard.check(other)
    guard.check(CALL)
    guard.approve(CALL)

    assert guard.check(CALL).runs


def test_refusal_without_ids_is_for_its_own_call():
    """Where calls have no ids, a refusal denies the call that it names, and the other takes its result."""
    guard = Guard(Policy([Scripted({2: "ask"}, {2: "remind"})]))
    other = Call("list", {})
    guard.check(other)
    guard.check(CALL)
    refused = guard.refuse(CALL)

    assert "search" in refused.text
    assert guard.record(other, "files").action == "remind"


# What else happens


def test_user_turn_starts_over():
    """After a user turn a call is the first again."""
    guard = Guard(REMINDER)
    guard.check(CALL)
    guard.record(CALL, "rain")
    guard.user_turn("try again")
    guard.check(CALL)

    assert guard.record(CALL, "rain") is ALLOW


def test_compaction_starts_nothing_over():
    """A shortened history does not make a repeated call the first."""
    guard = Guard(BRAKE)
    guard.check(CALL)
    guard.compacted()

    assert guard.check(CALL).action == "deny"


def test_halt():
    """A halted session says so until a person speaks."""
    guard = Guard(Policy([Lasting({1: "halt"})]))
    before = guard.halted()
    guard.check(CALL)
    during = guard.halted()
    guard.user_turn("go on")

    assert [before, during, guard.halted()] == [False, True, False]


def test_halt_is_for_its_session():
    """Another session is not halted."""
    guard = Guard(Policy([Scripted({1: "halt"})]))
    guard.check(Call("x", {}, session="a"))

    assert (guard.halted("a"), guard.halted("b"), guard.halted()) == (True, False, False)


def test_asking_whether_a_session_is_halted_makes_none():
    """A question about an unknown session leaves no trace of it."""
    guard = Guard(BRAKE)
    guard.halted("unknown")

    assert guard._engine._scopes.sessions == {}


@pytest.mark.parametrize(("trigger", "halted"), [(None, False), ("user", False), ("retry", True), ("compaction", True)])
def test_new_run_and_a_halt(trigger, halted):
    """A new run ends a halt, unless the host began it to go on with the same work."""
    guard = Guard(Policy([Scripted({1: "halt"})]))
    guard.check(CALL)
    guard.run_started(trigger=trigger)

    assert guard.halted() == halted


def test_end_of_a_run_keeps_the_halt():
    """The end of a run does not end a halt."""
    guard = Guard(Policy([Scripted({1: "halt"})]))
    guard.check(CALL)
    guard.run_ended()

    assert guard.halted()


def test_sub_agents_are_apart():
    """A sub-agent's calls are counted apart from its parent's, and are gone when it ends."""
    guard = Guard(BRAKE)
    theirs = Call("search", {"q": "weather"}, agent="worker")
    guard.spawned("worker")
    guard.check(CALL)
    first = guard.check(theirs)
    guard.agent_ended("worker")

    assert [first.action, guard.check(theirs).action, guard.check(CALL).action] == ["allow", "allow", "deny"]


def test_forgotten_scope_starts_over():
    """A scope that was forgotten counts from the beginning, and its siblings go on."""
    guard = Guard(BRAKE)
    theirs = Call("search", {"q": "weather"}, agent="worker")
    guard.check(CALL)
    guard.check(theirs)
    guard.forget(agent="worker")

    assert [guard.check(theirs).action, guard.check(CALL).action] == ["allow", "deny"]


def test_forgotten_session_loses_its_halt():
    """A session that was forgotten is not halted, and all its scopes start over."""
    guard = Guard(Policy([Lasting({2: "halt"})]))
    for agent in ("a", "a", "b"):
        guard.check(Call("x", {}, session="s", agent=agent))
    guard.forget_session("s")

    assert not guard.halted("s")
    assert guard.check(Call("x", {}, session="s", agent="a")) is ALLOW


def test_forgetting_what_is_unknown():
    """Forgetting a scope or a session that was never seen does nothing."""
    guard = Guard(BRAKE)
    guard.forget(agent="nobody")
    guard.forget_session("nowhere")

    assert guard.faults == 0


# The clock


def test_events_get_the_guards_time():
    """An event without a time gets the clock's."""
    recorder, clock = Recorder(), FakeClock(5.0)
    guard = Guard(BRAKE, observers=[recorder], clock=clock)
    guard.check(CALL)
    clock.advance(2)
    guard.record(CALL, "rain")

    assert [event.at for event in recorder.events] == [5.0, 7.0]


def test_events_keep_their_own_time():
    """A call that says when it was made is taken at its word."""
    recorder = Recorder()
    Guard(BRAKE, observers=[recorder], clock=FakeClock(5.0)).check(Call("x", {}, at=99.0))

    assert recorder.events[0].at == 99.0


# Observers


def test_observer_hears_every_event():
    """An observer hears of every verb, in order, with its decision."""
    recorder = Recorder()
    guard = Guard(Policy([Scripted({2: "deny"})]), observers=[recorder])
    guard.check(CALL)
    guard.record(CALL, "rain")
    guard.check(CALL)
    guard.user_turn("hi")
    guard.run_started()
    guard.compacted()

    heard = [(event.type, decision.action) for event, decision in zip(recorder.events, recorder.decisions, strict=True)]

    assert heard == [
        ("call", "allow"),
        ("result", "allow"),
        ("call", "deny"),
        ("user", "allow"),
        ("run", "allow"),
        ("compact", "allow"),
    ]


def test_observer_may_ask_the_guard():
    """An observer can ask the guard something while it is told."""
    heard = []

    class Asking(Recorder):
        def decided(self, event, decision):
            heard.append(guard.halted())

    guard = Guard(Policy([Scripted({1: "halt"})]), observers=[Asking()])
    guard.check(CALL)

    assert heard == [True]


# Building and copying


def test_policies_can_be_given_in_four_ways(tmp_path):
    """A guard is built from a name, a mapping, a file or a built policy."""
    file = tmp_path / "policy.json"
    file.write_text('{"rules": {"brake": {}}}')
    built = Policy([Lasting()])

    names = [Guard(source).policy.rules[0].name for source in ("brake", BRAKE, str(file), built)]

    assert names == ["brake", "brake", "brake", "lasting"]


@pytest.mark.parametrize("guard", [Guard, AsyncGuard])
def test_policy_that_cannot_be_built(guard):
    """A policy that cannot be built fails when the guard is built."""
    with pytest.raises(ConfigError):
        guard({"rules": {"brake": {"max_repeats": 0}}})


@pytest.mark.parametrize("copied", [copy.deepcopy, copy.copy], ids=["deepcopy", "copy"])
def test_copy_counts_with_the_original(copied):
    """A copy of a guard is the same guard: what was counted by one is known to the other."""
    guard = Guard(BRAKE)
    guard.check(CALL)

    assert copied(guard).check(CALL).action == "deny"


def test_deep_copy_inside_an_agent():
    """An agent that is copied whole keeps its guard."""
    guard = Guard(BRAKE)
    agent = {"name": "worker", "guard": guard}

    assert copy.deepcopy(agent)["guard"] is guard


def pickled(guard):
    return pickle.loads(pickle.dumps(guard))  # noqa: S301 - our own bytes


def test_pickle_keeps_the_policy():
    """A guard that comes out of a pickle has the same rules."""
    guard = Guard(BOTH)

    assert pickled(guard).policy.rules == guard.policy.rules


def test_pickle_keeps_no_counts():
    """A guard that comes out of a pickle has counted nothing, and works."""
    guard = Guard(BRAKE)
    guard.check(CALL)

    assert twice(pickled(guard)) == ["allow", "allow", "deny"]


def test_pickle_leaves_the_original():
    """A guard that was pickled goes on counting."""
    guard = Guard(BRAKE)
    guard.check(CALL)
    pickled(guard)

    assert guard.check(CALL).action == "deny"


def test_pickled_limits_hold():
    """A guard that comes out of a pickle keeps its idle time."""
    clock = FakeClock()
    guard = pickled(Guard({**BRAKE, "scope": {"idle": 10}}, clock=clock))
    guard.check(Call("x", {}, at=0.0))

    assert guard.check(Call("x", {}, at=11.0)) is ALLOW
