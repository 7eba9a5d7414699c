"""The expander, the cases' form, and how a case is judged."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolbrake.core.decision import ACTIONS
from toolbrake.core.events import Call, Result, User
from toolbrake.core.policy import Policy
from toolbrake.rules.brake import Brake
from toolbrake.rules.reminder import Reminder
from toolbrake.scan.evaluate import cases
from toolbrake.scan.evaluate.expand import Opaque, decode, expand
from toolbrake.scan.evaluate.judging import ASPECTS, asked, judge
from toolbrake.scan.evaluate.subject import Subject

REMINDER = Subject("reminder", Policy([Reminder()]))
BRAKE = Subject("brake", Policy([Brake()]))
SAME = [{"type": "call", "tool": "search", "args": {"q": "x"}}, {"type": "result", "result": "none"}]


def repeated(times, events=None):
    return {"repeat": times, "events": events or SAME}


def case(events, **expected):
    expected = {"verdict": "loop", "at": 3, "why": "invented", **expected}
    fields = {
        "id": "invented",
        "kind": "missed-loop",
        "needs": ["exact-repeat"],
        "expected": expected,
        "events": events,
    }
    return cases.parse(json.dumps(fields), "invented.jsonl")[0]


def points(judgement):
    return {point.aspect: (point.good, point.happened) for point in judgement.points}


def test_a_repeat_is_unrolled_with_its_rounds_filled_in():
    """Rounds count from 1, those of the repeat around from 1 too, and a text of arithmetic alone becomes a number."""
    inner = [{"type": "call", "tool": "t", "args": {"page": "${i*40+1}", "name": "p${o}-${i}"}}, {"type": "result"}]
    events = expand([repeated(2, [repeated(2, inner)])])

    assert [event["args"] for event in events if event["type"] == "call"] == [
        {"page": 41, "name": "p1-1"},
        {"page": 81, "name": "p1-2"},
        {"page": 41, "name": "p2-1"},
        {"page": 81, "name": "p2-2"},
    ]


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("${pick i a|b|c}", ["a", "b", "c", "a"]),
        ("${pick i 10|20}", [10, 20, 10, 20]),
        ("${times i ab}", ["ab", "abab", "ababab", "abababab"]),
        ("${-i + 2*(i-1)}", [-1, 0, 1, 2]),
        ("n${i}", ["n1", "n2", "n3", "n4"]),
    ],
)
def test_templates(template, expected):
    """Words take turns, repeat a text, or are arithmetic."""
    events = expand([repeated(4, [{"type": "user", "text": template}])])

    assert [event["text"] for event in events] == expected


def test_hex_stays_a_text_of_twelve_digits():
    """Even where all its digits are decimal: an id is no number."""
    events = expand([repeated(300, [{"type": "user", "text": "${hex i}"}])])

    assert {(type(event["text"]), len(event["text"])) for event in events} == {(str, 12)}
    assert len({event["text"] for event in events}) == 300


@pytest.mark.parametrize("template", ["${i**9}", "${__import__('os')}", "${j}", "${1 +}", "${i.real}", "${'a'*3}"])
def test_a_template_that_is_no_arithmetic_is_refused(template):
    """Nothing but whole numbers, i, o, plus, minus and times is worked out."""
    with pytest.raises(ValueError, match="arithmetic on i and o"):
        expand([repeated(1, [{"type": "user", "text": template}])])


def test_a_result_answers_the_oldest_open_call_of_its_scope():
    """Two agents and two sessions do not answer for each other."""
    events = expand(
        [
            {"type": "call", "tool": "a"},
            {"type": "call", "tool": "b"},
            {"type": "call", "tool": "c", "agent": "a2"},
            {"type": "result", "agent": "a2"},
            {"type": "result"},
            {"type": "result"},
        ]
    )

    assert [event["id"] for event in events] == ["c1", "c2", "c3", "c3", "c1", "c2"]


def test_a_result_without_a_call_is_refused():
    """A case that does not pair is a mistake in the case."""
    with pytest.raises(ValueError, match="answers no call"):
        expand([{"type": "result"}])


def test_calls_side_by_side_share_a_step():
    """They came in one model response; a result between them ends it."""
    events = expand([{"type": "call", "tool": "t"}] * 2 + [{"type": "result"}] * 2 + [{"type": "call", "tool": "t"}])

    assert [event["step"] for event in events if event["type"] == "call"] == [1, 1, 2]


def test_shown_again_is_not_counted():
    """Replayed and redelivered calls get no number."""
    call = {"type": "call", "tool": "t", "id": "k"}
    events = expand([call, {**call, "redelivered": True}, {"type": "result"}, {"type": "replay", "events": [call]}])

    assert [event.get("n") for event in events if event["type"] == "call"] == [1, None, None]
    assert events[-1]["replayed"]


@given(st.integers(0, 40), st.integers(1, 4))
def test_calls_are_numbered_from_one_without_a_gap(rounds, calls):
    """As many as the rounds make, each with a result that names it."""
    events = expand([repeated(rounds, [{"type": "call", "tool": "t"}] * calls + [{"type": "result"}] * calls)])
    numbers = [event["n"] for event in events if event["type"] == "call"]

    assert numbers == list(range(1, rounds * calls + 1))
    assert [event["id"] for event in events if event["type"] == "result"] == [f"c{number}" for number in numbers]


@given(st.lists(st.integers(0, 100), max_size=20))
def test_time_passes_by_dt_and_stands_at_t(gaps):
    """Each event is dt later than the one before."""
    events = expand([{"type": "user", "text": "", "dt": gap} for gap in gaps])

    assert [event["t"] for event in events] == [sum(gaps[: place + 1]) for place in range(len(gaps))]


def test_values_that_json_cannot_carry():
    """Each tag becomes its value, nested ones too."""
    value = decode(
        {"a": [{"$float": "nan"}, {"$decimal": "1.50"}], "b": {"$bytes": "aGk="}, "c": {"$chars": ["a", 55349]}}
    )

    assert math.isnan(value["a"][0])
    assert (str(value["a"][1]), value["b"], value["c"]) == ("1.50", b"hi", "a\ud835")


def test_values_without_an_end():
    """A circle, a depth, a length and an object that is no JSON value."""
    circle, deep = decode({"$circular": True}), decode({"$deep": 3})
    thing = decode({"$object": {"class": "Handle", "state": {"n": 1}}})

    assert circle["self"] is circle
    assert deep == {"next": {"next": {"next": {}}}}
    assert decode({"$repeat": ["ab", 3]}) == "ababab"
    assert isinstance(thing, Opaque)
    assert thing.n == 1


def test_the_trace_form_of_a_case():
    """A time t is at, a result's result and a user's text are content, and n is gone."""
    run = cases.trajectory(case([{"type": "user", "text": "go"}, *SAME]))

    assert run.events == [
        User("go", agent="a1", session="s1", at=1),
        Call("search", {"q": "x"}, id="c1", step=1, agent="a1", session="s1", at=2),
        Result("c1", "none", error=False, agent="a1", session="s1", at=3),
    ]
    assert run.events[1].extra is None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"verdict": "maybe"}, "verdict must be one of"),
        ({"at": 0}, "at must be the number of a call"),
        ({"max_action": "shout"}, "max_action must be one of"),
        ({"sometime": 3}, "sometime"),
    ],
)
def test_a_line_that_is_no_case_says_why(change, message):
    """With the file and the line."""
    with pytest.raises(ValueError, match=rf"invented.jsonl:1: no case: .*{message}"):
        case(SAME, **change)


def test_two_cases_of_one_name_are_refused():
    """A report names cases by id."""
    line = json.dumps(
        {"id": "a", "kind": "k", "needs": [], "expected": {"verdict": "not-loop", "at": None, "why": ""}, "events": []}
    )

    with pytest.raises(ValueError, match=r"b\.jsonl:2: no case: a is there already"):
        cases.parse(f"{line}\n{line}\n", "b.jsonl")


@pytest.mark.parametrize(
    ("expected", "subject", "good", "happened"),
    [
        ({"at": 3, "by": 5}, REMINDER, True, "remind at call 3 (reminder)"),
        ({"at": 3}, BRAKE, True, "deny at call 3 (brake)"),
        ({"at": 4, "by": 6}, REMINDER, False, "remind at call 3 (reminder)"),
        ({"at": 4, "by": 6, "tolerates": "remind"}, REMINDER, True, "remind at call 3 (reminder)"),
        ({"at": 4, "by": 6, "tolerates": "remind"}, BRAKE, False, "deny at call 3 (brake)"),
        ({"at": 1, "by": 2}, REMINDER, False, "remind at call 3 (reminder)"),
    ],
)
def test_acting_in_time(expected, subject, good, happened):
    """The first intervention lies between at and by; one before at is premature unless it is tolerated."""
    judgement = judge(case([repeated(6)], **expected), subject, halts=False)

    assert points(judgement) == {"acts in time": (good, happened)}


def test_never_acting_is_a_miss():
    """Two calls draw nothing."""
    judgement = judge(case([repeated(2)], at=1), REMINDER, halts=False)

    assert points(judgement) == {"acts in time": (False, "nothing")}


@pytest.mark.parametrize(
    ("tolerates", "subject", "good"), [(None, REMINDER, False), ("remind", REMINDER, True), ("remind", BRAKE, False)]
)
def test_leaving_alone(tolerates, subject, good):
    """Where nothing should be said, a reminder passes only if the case tolerates it, and a denial never."""
    quiet = case([repeated(6)], verdict="not-loop", at=None, tolerates=tolerates)

    assert judge(quiet, subject, halts=False).good is good


def test_ending_the_run_is_asked_only_of_who_halts():
    """A denial is no end."""
    needed = case([repeated(6)], at=3, halt_by=5)

    assert points(judge(needed, BRAKE, halts=False)).keys() == {"acts in time"}
    assert points(judge(needed, BRAKE, halts=True))["ends the run"] == (False, "no halt; deny at call 6 (brake)")


class Halting(Brake):
    """Ends the run where the brake would deny."""

    def before(self, state, seen):
        denial = super().before(state, seen)
        if denial is None:
            return None
        return self.finding(seen, "halt", count=denial.count, limit=denial.limit, text="over")


@pytest.mark.parametrize(("limit", "good"), [(3, True), (2, False)])
def test_a_halt_ends_the_run(limit, good):
    """At the call that the case names, or before."""
    needed = case([repeated(6)], at=1, halt_by=limit)
    judgement = judge(needed, Subject("halting", Policy([Halting()])), halts=True)

    assert points(judgement)["ends the run"] == (good, "halt at call 3 (brake)")


@pytest.mark.parametrize(("since", "good"), [(7, True), (4, False)])
def test_allowing_again(since, good):
    """From that call on nothing is denied; a reminder is no obstacle."""
    other = {"type": "call", "tool": "read", "args": {"path": "b"}}
    freed = case([repeated(6), other, {"type": "result"}], at=3, allow_from=since)

    assert points(judge(freed, BRAKE, halts=False))["allows again"][0] is good


@pytest.mark.parametrize(("subject", "good"), [(REMINDER, True), (BRAKE, False)])
def test_staying_mild(subject, good):
    """Nothing stronger than the case allows."""
    mild = case([repeated(4)], at=3, max_action="remind")

    assert points(judge(mild, subject, halts=False))["stays mild"][0] is good


def test_a_crash_misses_everything_that_was_asked():
    """It is told as such, not raised: hostile values are what some cases are about."""

    class Broken(Brake):
        def before(self, state, seen):
            raise OverflowError("too deep")

    judgement = judge(case([repeated(3)], at=3, allow_from=3), Subject("b", Policy([Broken()])), halts=True)

    assert points(judgement) == {
        "acts in time": (False, "OverflowError: too deep"),
        "allows again": (False, "OverflowError: too deep"),
    }


@given(
    st.sampled_from([None, 3]),
    st.sampled_from([None, 5]),
    st.sampled_from([None, 6]),
    st.sampled_from([None, *ACTIONS]),
    st.booleans(),
)
def test_what_is_asked_is_what_is_judged(at, halt_by, allow_from, max_action, halts):
    """One point for each aspect, in order."""
    wanted = case([repeated(6)], at=at, halt_by=halt_by, allow_from=allow_from, max_action=max_action)
    judgement = judge(wanted, BRAKE, halts=halts)

    assert [point.aspect for point in judgement.points] == asked(wanted.expected, halts=halts)
    assert {point.aspect for point in judgement.points} <= set(ASPECTS)
