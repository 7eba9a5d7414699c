"""The cases that come with toolbrake, under the policies."""

from collections import Counter
from itertools import pairwise

import pytest

from toolbrake.config import load
from toolbrake.core.events import Call, Result
from toolbrake.policies import READY
from toolbrake.scan.evaluate.cases import packaged, trajectory
from toolbrake.scan.evaluate.expand import expand
from toolbrake.scan.evaluate.judging import judge
from toolbrake.scan.evaluate.subject import Subject

CASES = packaged()
EXACT = {"exact-repeat", "canonical-args", "full-fidelity-key", "safe-hashing", "count-once", "per-agent-scope"}
"""What a counter of identical consecutive calls can do, and all that these cases need."""

IMPOSSIBLE: dict[str, str] = {}
"""Cases that need no more than EXACT and that such a counter cannot pass all the same, with the reason."""


def is_covered(case):
    return case.expected.halt_by is None and set(case.needs) <= EXACT


COVERED = [case for case in CASES if is_covered(case) and case.id not in IMPOSSIBLE]
OTHERS = [case for case in CASES if not is_covered(case) or case.id in IMPOSSIBLE]


def subject(name, source):
    return Subject(name, load(source).policy)


@pytest.fixture(scope="module")
def reminder():
    return subject("reminder", {"version": 1, "rules": {"reminder": {"thresholds": [3, 5, 8]}}})


@pytest.mark.parametrize("case", COVERED, ids=lambda case: case.id)
def test_the_reminder_does_what_an_exact_counter_can(case, reminder):
    """It acts in time on a loop, and leaves everything else alone."""
    judgement = judge(case, reminder, halts=False)

    assert judgement.misses == ()


def test_the_cases_that_need_more_are_known():
    """Nothing is left out unseen: what the reminder is not asked for is the rest, counted by need."""
    needs = Counter(need for case in OTHERS for need in case.needs)
    lines = [f"{len(OTHERS)} of {len(CASES)} cases need more than {', '.join(sorted(EXACT))}, or a halt:"]
    lines += [f"  {need:<30} {count}" for need, count in needs.most_common()]
    print("\n".join(lines))  # noqa: T201 - for who runs the tests with -s, or looks at why this one fails

    assert {case.id for case in COVERED} | {case.id for case in OTHERS} == {case.id for case in CASES}
    assert (len(COVERED), len(OTHERS)) == (17, 111)
    assert all(case.expected.halt_by is not None or set(case.needs) - EXACT for case in OTHERS)


@pytest.mark.parametrize("policy", READY)
def test_no_case_makes_a_policy_raise(policy):
    """Whatever it holds: a miss is a miss, a crash is a bug."""
    under = subject(policy, policy)
    crashes = [
        (judgement.case, point.happened)
        for judgement in (judge(case, under, halts=False) for case in CASES)
        for point in judgement.misses
        if point.expected == "no exception"
    ]

    assert crashes == []


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_a_case_is_sound(case):
    """Every call has one result, time does not run backwards, and what is expected is within the run."""
    events = expand(case.events)
    calls = [event for event in events if event["type"] == "call" and "n" in event]
    answers = Counter(event["id"] for event in events if event["type"] == "result" and not event.get("replayed"))
    expected = case.expected

    assert answers == Counter(call["id"] for call in calls)
    assert [call["n"] for call in calls] == list(range(1, len(calls) + 1))
    assert all(before["t"] <= after["t"] for before, after in pairwise(events))
    assert all((number or 0) <= len(calls) for number in (expected.at, expected.by, expected.halt_by))
    assert (expected.allow_from or 0) <= len(calls) + 1
    assert expected.at is None or expected.at <= (expected.by or len(calls))
    assert "${" not in repr(events)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_a_case_becomes_a_run(case):
    """With as many calls and results as it has, and a time and a scope for each."""
    run, events = trajectory(case), expand(case.events)
    kinds = Counter(type(event) for event in run.events)

    assert kinds[Call] == sum(event["type"] == "call" for event in events)
    assert kinds[Result] == sum(event["type"] == "result" for event in events)
    assert all(event.at is not None and event.agent and event.session for event in run.events)
