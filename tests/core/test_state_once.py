"""Once: which deliveries are one call, which results answer which call, and how much is remembered of both.

A script is a string of words: ``A:1@s`` is call A with id 1 in step s, ``A`` one without id and step; ``~`` behind it
marks it replayed, ``^`` redelivered. ``=1`` is the result for id 1, ``=`` one without an id. ``U`` is a user turn,
``N`` a message made by the host, ``R`` a new run, ``E`` the end of one, ``C`` a compaction. What is expected is what
a rule was shown: ``A`` an attempt, ``a`` its result.
"""

from __future__ import annotations

import pytest

from core.strategies import Scripted
from toolbrake.core.events import Approve, Call, Compact, Result, Run, RunEnd, User
from toolbrake.core.policy import Policy
from toolbrake.core.state import APPROVED, CLOSED_CALLS, OPEN_CALLS
from toolbrake.rules._base import Rule
from toolbrake.rules.brake import Brake
from toolbrake.rules.reminder import Reminder


class Witness(Rule):
    """Writes down what it is shown: the tool of an attempt, and in small letters that of a result."""

    __slots__ = ()
    name = "witness"

    def start(self):
        return []

    def before(self, state, seen):
        state.append(seen.tool)

    def after(self, state, seen):
        state.append(seen.tool.lower())


OTHER_EVENTS = {
    "U": lambda: User("go on"),
    "N": lambda: User("notice", synthetic=True),
    "R": Run,
    "E": RunEnd,
    "C": Compact,
}


def event(word):
    """The event that a word of a script stands for."""
    if word in OTHER_EVENTS:
        return OTHER_EVENTS[word]()
    if word.startswith("="):
        return Result(word[1:] or None, "text", error=False)
    place, _, step = word.rstrip("~^").partition("@")
    tool, _, name = place.partition(":")
    marks = {"replayed": word.endswith("~"), "redelivered": word.endswith("^")}
    return Call(tool, {}, id=name or None, step=step or None, **marks)


def shown(script):
    """What a rule is shown of a script."""
    policy = Policy([Witness()])
    state = policy.start()
    for word in script.split():
        policy.step(state, event(word))
    return " ".join(state.rules[0])


ONE_CALL = [
    ("twice while open", "A:1@s A:1@s =1", "A a"),
    ("twice while open, step unknown", "A:1 A:1 =1", "A a"),
    ("twice while open, a sibling between", "A:1@s B:2@s A:1@s =1 =2", "A B a b"),
    ("again in its step after its result", "A:1@s =1 A:1@s", "A a"),
    ("its second result", "A:1@s =1 A:1@s =1", "A a"),
    ("replayed while open", "A:1@s A:1@s~ =1", "A a"),
    ("redelivered while open", "A:1@s A:1@s^ =1", "A a"),
    ("redelivered after its result, step unknown", "A:1 =1 A:1^", "A a"),
    ("redelivered in another step", "A:1@s =1 A:1@t^", "A a"),
    ("replayed and never seen", "A:1@s~ =1", ""),
    ("redelivered and never seen", "A:1@s^ =1", ""),
    ("replayed without an id", "A~", ""),
]

EACH_COUNTS = [
    ("another id", "A:1@s A:2@s =1 =2", "A A a a"),
    ("another step", "A:1@s =1 A:1@t =1", "A a A a"),
    ("another step, no result", "A:1@s A:1@t =1", "A A a"),
    ("after its result, step unknown", "A:1 =1 A:1 =1", "A a A a"),
    ("after a user turn in the same step", "A:1@s U A:1@s", "A A"),
    ("no id", "A@s A@s = =", "A A a a"),
    ("no id, step unknown", "A A = =", "A A a a"),
    ("id met with another call", "A:1@s B:1@s =1 =1", "A B a b"),
    ("id met with another call after a result", "A:1@s =1 B:1@s =1", "A a B b"),
    ("untrusted ids", "A:1@s B:1@s C:2@s C:2@s", "A B C C"),
    ("untrusted ids in later steps", "A:1@s B:1@s C:2@t C:2@t", "A B C C"),
]

RESULTS = [
    ("in order", "A:1@s B:2@s =1 =2", "A B a b"),
    ("in any order", "A:1@s B:2@s C:3@s =3 =1 =2", "A B C c a b"),
    ("without ids: in order", "A@s B@s = =", "A B a b"),
    ("untrusted ids: in order, whatever the ids", "A:1@s B:1@s C:2@s =2 =1 =1", "A B C a b c"),
    ("without a call", "=1 A:1 =1", "A a"),
    ("twice", "A:1 =1 =1", "A a"),
    ("for an id that nothing waits for", "A =9", "A"),
    ("without an id, where calls have some", "A:1 =", "A"),
    ("after a step without a result", "A:1@s B:2@t =1 =2", "A B b"),
    ("after a user turn", "A:1@s U =1", "A"),
    ("after a user turn, step unknown", "A U =", "A"),
    ("after a new run", "A:1@s R =1", "A"),
    ("after the end of a run", "A:1@s E =1", "A"),
    ("after a message made by the host", "A:1@s N =1", "A a"),
    ("after a compaction", "A:1@s C =1", "A a"),
    ("from a step that is over, where steps are unknown", "A:1 B:2 =1 =2", "A B a b"),
    ("of a call whose step is unknown, in a later step", "A:1 B:2@t =1 =2", "A B a b"),
    ("after a replay of an earlier step", "A:1@s =1 B:2@t A:1@s~ =2", "A a B b"),
]


@pytest.mark.parametrize(("script", "log"), [row[1:] for row in ONE_CALL], ids=[row[0] for row in ONE_CALL])
def test_one_call(script, log):
    """A delivery that repeats one at hand, or is marked, is not counted again."""
    assert shown(script) == log


@pytest.mark.parametrize(("script", "log"), [row[1:] for row in EACH_COUNTS], ids=[row[0] for row in EACH_COUNTS])
def test_each_counts(script, log):
    """A delivery that nothing at hand proves to be a repetition is a call of its own."""
    assert shown(script) == log


@pytest.mark.parametrize(("script", "log"), [row[1:] for row in RESULTS], ids=[row[0] for row in RESULTS])
def test_results(script, log):
    """A result answers the open call of its id, else the oldest; one that comes too late answers none."""
    assert shown(script) == log


def test_result_that_knows_its_call_is_paired_with_it():
    """Without ids a live result, which knows its call, answers an equal one instead of the oldest."""
    policy = Policy([Witness()])
    state = policy.start()
    first, second = Call("A", {}), Call("B", {})
    policy.step(state, first)
    policy.step(state, second)

    policy.step(state, Result(None, "text", call=second))

    assert state.rules[0] == ["A", "B", "b"]


def test_equal_arguments_as_text_are_the_same_call():
    """A delivery whose arguments come as JSON text repeats the one that has them as a value."""
    policy = Policy([Witness()])
    state = policy.start()
    policy.step(state, Call("A", {"x": 1}, id="1", step="s"))

    policy.step(state, Call("A", '{"x": 1.0}', id="1", step="s"))

    assert state.rules[0] == ["A"]


def test_open_calls_are_bounded():
    """Past 64 open calls the oldest is given up: its result is nobody's, the others' are taken."""
    script = [f"A:{number}" for number in range(OPEN_CALLS + 1)] + ["=0", "=1"]

    log = shown(" ".join(script))

    assert OPEN_CALLS == 64
    assert log.count("a") == 1


def test_closed_calls_are_bounded():
    """Past 64 closed calls in a step the oldest is forgotten: delivered again it counts, the next one does not."""
    script = [word for number in range(CLOSED_CALLS + 1) for word in (f"A:{number}@s", f"={number}")]

    log = shown(" ".join([*script, "A:1@s", "A:0@s"]))

    assert CLOSED_CALLS == 64
    assert log.count("A") == CLOSED_CALLS + 2


def test_nothing_grows():
    """However many calls never return, in one step or without one, what is kept of them stays at the bound."""
    policy = Policy([Witness()])
    state = policy.start()
    for number in range(500):
        policy.step(state, Call("A", {}, id=f"lost {number}"))
        policy.step(state, Call("A", {}, id=f"done {number}", step="s"))
        policy.step(state, Result(f"done {number}", "text"))

    assert len(state.opened) <= OPEN_CALLS
    assert len(state.closed) <= CLOSED_CALLS


def test_approvals_are_bounded():
    """Past 16 approved calls the one approved first is asked about again."""
    policy = Policy([Scripted(always="ask")])
    state = policy.start()
    for number in range(APPROVED + 1):
        policy.step(state, Call("A", {"n": number}, id=f"{number}", step=number))
        policy.step(state, Approve(f"{number}"))

    actions = [policy.step(state, Call("A", {"n": number}, id="x", step=f"again {number}")).action for number in (1, 0)]

    assert APPROVED == 16
    assert actions == ["allow", "ask"]


def test_approving_one_call_often_forgets_no_other():
    """Approving the same call again and again does not push out another approval."""
    policy = Policy([Scripted(always="ask")])
    state = policy.start()
    for place, number in enumerate([0, *[1] * APPROVED]):
        policy.step(state, Call("A", {"n": number}, id=f"{place}", step=place))
        policy.step(state, Approve(f"{place}"))

    assert policy.step(state, Call("A", {"n": 0}, id="x", step="again")).action == "allow"


def test_denied_call_is_denied_again():
    """A denied call that is delivered again in its step gets the same action, text and count."""
    policy = Policy([Brake(max_repeats=1)])
    state = policy.start()
    call = Call("A", {}, id="1", step="s")
    first = policy.step(state, call)

    second = policy.step(state, call)

    assert second == first
    assert second.findings[0].count == 1


def test_repeated_delivery_of_a_denial_brings_no_note_again():
    """The notes that came with a denial are delivered once."""
    policy = Policy([Reminder(thresholds=(2,)), Brake(max_repeats=2)])
    state = policy.start()
    policy.step(state, Call("A", {}, id="1", step="s"))
    policy.step(state, Result("1", "text"))
    call = Call("A", {}, id="2", step="t")
    first = policy.step(state, call)

    second = policy.step(state, call)

    assert [len(first.notes), len(second.notes)] == [1, 0]
    assert second.action == "deny"


def test_marked_delivery_of_a_denied_call_is_denied_again():
    """A host that marks the second delivery gets the same denial."""
    policy = Policy([Brake(max_repeats=1)])
    state = policy.start()
    policy.step(state, Call("A", {}, id="1", step="s"))

    decision = policy.step(state, Call("A", {}, id="1", step="s", redelivered=True))

    assert decision.action == "deny"


def test_halting_call_is_halted_again():
    """The second delivery of the call that ended the run says that the run is over."""
    policy = Policy([Scripted({1: "halt"})])
    state = policy.start()
    call = Call("A", {}, id="1", step="s")
    policy.step(state, call)

    decision = policy.step(state, call)

    assert (decision.action, decision.halted) == ("halt", True)


def test_open_question_is_asked_again():
    """A call that waits for a person's answer is not let through by its second delivery."""
    policy = Policy([Scripted({1: "ask"})])
    state = policy.start()
    call = Call("A", {}, id="1", step="s")
    policy.step(state, call)

    decision = policy.step(state, call)

    assert decision.action == "ask"


def test_answered_question_is_not_asked_again():
    """A call that a person let run passes at its second delivery, in the inner one of two seams."""
    policy = Policy([Scripted({1: "ask"})])
    state = policy.start()
    call = Call("A", {}, id="1", step="s")
    policy.step(state, call)
    policy.step(state, Approve("1"))

    decision = policy.step(state, call)

    assert decision.action == "allow"


def test_repeated_delivery_while_open_is_allowed():
    """The second delivery of a call that may run is a plain allow, without the reminder of the first."""
    policy = Policy([Scripted(always="remind")])
    state = policy.start()
    call = Call("A", {}, id="1", step="s")
    policy.step(state, call)

    decision = policy.step(state, call)

    assert decision.action == "allow"
    assert decision.notes == ()
