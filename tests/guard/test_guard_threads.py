"""One guard for all threads of a process: judging a call and counting it is one step."""

from __future__ import annotations

import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from toolbrake import Call, Guard
from toolbrake.testing import Recorder

THREADS = 32


@pytest.fixture(autouse=True)
def eager():
    """Threads change over as often as the interpreter can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def together(work, count=THREADS):
    """What ``work(n)`` gives in each of so many threads that start at once."""
    barrier = threading.Barrier(count)

    def run(number):
        barrier.wait()
        return work(number)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(run, range(count)))


def counts(decisions):
    return sorted(finding.count for decision in decisions for finding in decision.findings)


def test_equal_calls_in_flight_are_counted_once_each():
    """Equal calls that many threads make at once get the counts 1 to N, each exactly once."""
    guard = Guard({"rules": {"brake": {"max_repeats": 1}}})

    def work(number):
        return [guard.check(Call("search", {"q": "x"}, id=f"c{number}.{n}", step="s")) for n in range(20)]

    decisions = [decision for made in together(work) for decision in made]

    assert counts(decisions) == list(range(1, THREADS * 20 + 1))


def test_no_more_run_than_may():
    """Of equal calls at once exactly as many run as the brake lets run."""
    guard = Guard({"rules": {"brake": {"max_repeats": 5}}})

    decisions = together(lambda _: guard.check(Call("search", {"q": "x"})))

    assert sum(decision.runs for decision in decisions) == 4
    assert counts(decisions) == list(range(5, THREADS + 1))


def test_one_delivery_in_many_threads_is_one_call():
    """The same call delivered by many threads at once is counted once."""
    guard = Guard({"rules": {"brake": {"max_repeats": 1}}})

    decisions = together(lambda _: guard.check(Call("search", {"q": "x"}, id="c1", step="s")))

    assert set(counts(decisions)) == {1}


def test_batch_draws_its_text_once():
    """A batch whose results come in from many threads draws one text, with the last of them."""
    guard = Guard({"rules": {"reminder": {"thresholds": [3, 5, 8]}}})
    calls = [Call("search", {"q": "x"}, id=f"c{number}", step="s") for number in range(THREADS)]
    for call in calls:
        guard.check(call)

    decisions = together(lambda number: guard.record(calls[number], "rain"))

    assert sum(len(decision.notes) for decision in decisions) == 1


def test_scopes_in_parallel_do_not_mix():
    """Sixty-four agents at once are each denied their own third call, and no other."""
    guard = Guard({"rules": {"brake": {"max_repeats": 3}}})

    def work(number):
        call = Call("search", {"q": "x"}, agent=f"agent {number % 8}", session=f"session {number // 8}")
        return [guard.check(call).action for _ in range(4)]

    actions = together(work, 64)

    assert actions == [["allow", "allow", "deny", "deny"]] * 64


def test_observers_hear_in_the_order_of_decisions():
    """What an observer hears of one scope comes in the order in which it was counted."""
    recorder = Recorder()
    guard = Guard({"rules": {"brake": {"max_repeats": 1}}}, observers=[recorder])
    together(lambda _: guard.check(Call("search", {"q": "x"})))

    heard = [decision.findings[0].count for decision in recorder.decisions]

    assert heard == list(range(1, THREADS + 1))


def test_identities_in_parallel():
    """Agents that are known by identity keep apart when their threads start at once."""
    guard = Guard({"rules": {"brake": {"max_repeats": 2}}})

    class Agent:
        pass

    agents = [Agent() for _ in range(THREADS)]

    actions = together(lambda number: [guard.check(Call("x", {}, agent=agents[number])).action for _ in range(2)])

    assert actions == [["allow", "deny"]] * THREADS
