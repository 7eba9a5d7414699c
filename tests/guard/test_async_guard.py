"""``AsyncGuard``: the same verbs and the same decisions in coroutines."""

from __future__ import annotations

import asyncio
import copy
import inspect
import pickle

import pytest
from hypothesis import given

from core.strategies import PROPERTY, Scripted, runs, tell
from toolbrake import AsyncGuard, Call, Guard, Policy
from toolbrake.testing import FakeClock, Recorder

BRAKE = {"rules": {"brake": {"max_repeats": 2}}}

TASKS = 32


def verbs(kind):
    return {name for name in dir(kind) if not name.startswith("_")}


def test_same_verbs():
    """Both guards have the same verbs and properties."""
    assert verbs(AsyncGuard) == verbs(Guard)


@pytest.mark.parametrize("verb", sorted(verbs(Guard) - {"policy", "faults"}))
def test_same_parameters(verb):
    """A verb of both guards takes the same parameters with the same defaults."""
    ours, theirs = (inspect.signature(getattr(kind, verb)).parameters for kind in (AsyncGuard, Guard))

    assert [(p.name, p.kind, p.default) for p in ours.values()] == [
        (p.name, p.kind, p.default) for p in theirs.values()
    ]


@pytest.mark.parametrize("verb", sorted(verbs(Guard) - {"policy", "faults", "around", "wrap"}))
def test_verbs_are_coroutines(verb):
    """Every verb but the context manager and the decorator is a coroutine."""
    assert inspect.iscoroutinefunction(getattr(AsyncGuard, verb))


def test_equal_calls_in_flight_are_counted_once_each():
    """Equal calls that many tasks make at once get the counts 1 to N, each exactly once."""
    guard = AsyncGuard({"rules": {"brake": {"max_repeats": 1}}})

    async def main():
        calls = [Call("search", {}, id=f"c{number}", step="s") for number in range(TASKS)]
        return await asyncio.gather(*(guard.check(call) for call in calls))

    counts = sorted(decision.findings[0].count for decision in asyncio.run(main()))

    assert counts == list(range(1, TASKS + 1))


def test_check_and_record_interleave():
    """Calls whose bodies overlap are counted when they are checked, not when they return."""
    guard = AsyncGuard({"rules": {"brake": {"max_repeats": 3}}})

    async def one(started):
        async with guard.around(Call("search", {})) as attempt:
            started.append(attempt.runs)
            await asyncio.sleep(0)
            attempt.succeed("rain")

    async def main():
        started = []
        await asyncio.gather(*(one(started) for _ in range(6)))
        return started

    assert asyncio.run(main()) == [True, True, False, False, False, False]


def test_scopes_in_parallel_do_not_mix():
    """Sixty-four agents at once are each denied their own third call, and no other."""
    guard = AsyncGuard({"rules": {"brake": {"max_repeats": 3}}})

    async def work(number):
        actions = []
        for _ in range(4):
            call = Call("search", {}, agent=f"agent {number}")
            actions.append((await guard.check(call)).action)
            await asyncio.sleep(0)
        return actions

    async def main():
        return await asyncio.gather(*(work(number) for number in range(64)))

    assert asyncio.run(main()) == [["allow", "allow", "deny", "deny"]] * 64


def test_halt():
    """A halt is seen, and ended by a person, as in the other guard."""
    guard = AsyncGuard(Policy([Scripted({1: "halt"})]))

    async def main():
        await guard.check(Call("x", {}))
        during = await guard.halted()
        await guard.user_turn("go on")
        return during, await guard.halted()

    assert asyncio.run(main()) == (True, False)


def test_deep_copy_is_the_same_guard():
    """A deep copy of an async guard is the guard."""
    guard = AsyncGuard(BRAKE)

    assert copy.deepcopy(guard) is guard


def test_pickle_keeps_the_policy_and_no_counts():
    """An async guard that comes out of a pickle has the same policy and has counted nothing."""
    guard = AsyncGuard(BRAKE)
    asyncio.run(guard.check(Call("x", {})))
    again = pickle.loads(pickle.dumps(guard))  # noqa: S301 - our own bytes

    assert again.policy.rules == guard.policy.rules
    assert asyncio.run(again.check(Call("x", {}))).action == "allow"


@PROPERTY
@given(runs())
def test_same_decisions(told):
    """Both guards decide the same for the same run."""
    policy = Policy([Scripted({3: "deny", 5: "ask", 9: "halt"}, {2: "remind", 4: "remind"})])
    recorders = Recorder(), Recorder()
    plain = Guard(policy, observers=recorders[:1], clock=FakeClock())
    coroutines = AsyncGuard(policy, observers=recorders[1:], clock=FakeClock())

    async def main():
        for event in told:
            if (waiting := tell(coroutines, event)) is not None:
                await waiting

    for event in told:
        tell(plain, event)
    asyncio.run(main())

    assert recorders[1].decisions == recorders[0].decisions
