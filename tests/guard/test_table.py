"""The table of live scopes: what is idle goes, what is too much goes, what dies goes, and a halt stays."""

from __future__ import annotations

import gc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.strategies import PROPERTY, Lasting, Scripted
from toolbrake import Call, Guard, Policy
from toolbrake.testing import FakeClock, Recorder

COUNTING = Policy([Lasting(always="remind")])


def guarded(policy=COUNTING, *, idle=100, limit=10_000):
    """A guard with those limits, its clock, and the recorder that hears it."""
    clock, recorder = FakeClock(), Recorder()
    guard = Guard(policy, observers=[recorder], clock=clock)
    engine = guard._engine
    engine.idle, engine.limit = idle, limit
    engine._open()
    return guard, clock, recorder


def number(guard, **scope):
    """The number that one more call gets."""
    (finding,) = guard.check(Call("search", {}, **scope)).findings
    return finding.count


def live(guard):
    """How many scopes and sessions are remembered."""
    scopes = guard._engine._scopes
    return sum(len(members.agents) for members in scopes.sessions.values()), len(scopes.sessions)


# Idle


def test_limits_come_from_the_configuration():
    """The idle time and the limit are those of the configuration."""
    guard = Guard({"rules": {"brake": {}}, "scope": {"idle": 10, "limit": 20}})

    assert (guard._engine.idle, guard._engine.limit) == (10, 20)


@pytest.mark.parametrize(("pause", "counted"), [(100, 2), (100.5, 1)])
def test_idle_scope_starts_over(pause, counted):
    """A scope that was used last more than the idle time ago starts over."""
    guard, clock, _ = guarded()
    number(guard)
    clock.advance(pause)

    assert number(guard) == counted


def test_idle_scopes_are_forgotten():
    """What nobody has used for twice the idle time takes no memory, as long as anything is used."""
    guard, clock, _ = guarded()
    for agent in range(20):
        number(guard, agent=f"{agent}", session=f"{agent}")
    for _ in range(5):
        clock.advance(60)
        number(guard)

    assert live(guard) == (1, 1)


def test_idle_scopes_are_no_evictions():
    """A scope that was forgotten because it was idle is not told as an eviction."""
    guard, clock, recorder = guarded()
    number(guard, agent="a")
    for _ in range(5):
        clock.advance(60)
        number(guard)

    assert recorder.scopes_evicted == 0


def test_busy_scope_is_kept():
    """A scope that is used before its idle time is over is never forgotten, however long it lives."""
    guard, clock, _ = guarded()
    numbers = []
    for _ in range(20):
        numbers.append(number(guard))
        clock.advance(99)

    assert numbers == list(range(1, 21))


@PROPERTY
@given(st.lists(st.tuples(st.sampled_from("abc"), st.floats(0, 60)), min_size=1, max_size=40))
def test_idle_time_is_exact(uses):
    """A scope counts on exactly while no more than the idle time lies between two uses of it."""
    guard, clock, _ = guarded(idle=100)
    last, counts = {}, {}
    for agent, pause in uses:
        clock.now = round(clock.now + pause)
        counts[agent] = counts.get(agent, 0) + 1 if clock.now - last.get(agent, clock.now) <= 100 else 1
        last[agent] = clock.now
        assert number(guard, agent=agent) == counts[agent]


def test_halted_session_does_not_expire():
    """A halt outlasts every pause, and the sweeping that other scopes bring with them."""
    guard, clock, _ = guarded(Policy([Lasting({1: "halt"})]))
    guard.check(Call("x", {}, session="halted"))
    for _ in range(10):
        clock.advance(90)
        guard.check(Call("x", {}, session="other"))

    assert guard.halted("halted")
    assert guard.check(Call("x", {}, session="halted")).action == "halt"


# A clock that runs backwards

BACKWARDS = [
    ("back", [-1000]),
    ("back and forth", [-1000, 1000]),
    ("back by less than the idle time", [-50, 50]),
    ("back in steps", [-150, -150, -150]),
    ("back and forth again and again", [-1000, 1000, -1000, 1000]),
    ("back, then on", [-1000, 60, 60, 60]),
]


@pytest.mark.parametrize("moves", [row[1] for row in BACKWARDS], ids=[row[0] for row in BACKWARDS])
@pytest.mark.parametrize("before", [0, 99, 101, 150], ids=lambda seconds: f"after {seconds} seconds")
def test_clock_that_runs_backwards_expires_nothing(before, moves):
    """Setting the clock back, and right again, makes no scope start over."""
    guard, clock, _ = guarded()
    number(guard, agent="other")
    clock.advance(before)
    number(guard, agent="a")
    for move in moves:
        clock.advance(move)
        number(guard, agent="other")

    assert number(guard, agent="a") == 2


# The limit


def test_scopes_are_limited():
    """However many agents there are, no more scopes are remembered than the limit says."""
    guard, _, _ = guarded(limit=100)
    for agent in range(1000):
        number(guard, agent=f"{agent}", session=f"{agent % 7}")

    assert live(guard)[0] <= 100


def test_evictions_are_told():
    """Observers hear how many scopes the limit has cost: those that were made and are not live."""
    guard, _, recorder = guarded(limit=100)
    for agent in range(1000):
        number(guard, agent=f"{agent}")

    assert recorder.scopes_evicted == 1000 - live(guard)[0]


def test_no_eviction_within_half_the_limit():
    """As many scopes as half the limit are all kept."""
    guard, _, recorder = guarded(limit=100)
    for _ in range(3):
        numbers = [number(guard, agent=f"{agent}") for agent in range(50)]

    assert set(numbers) == {3}
    assert recorder.scopes_evicted == 0


def test_recently_used_scopes_are_kept():
    """A scope that is used again and again is never evicted, whatever comes and goes beside it."""
    guard, _, _ = guarded(limit=10)
    numbers = []
    for agent in range(100):
        numbers.append(number(guard, agent="busy"))
        number(guard, agent=f"{agent}")

    assert numbers == list(range(1, 101))


@PROPERTY
@given(st.integers(1, 12), st.lists(st.integers(0, 20), max_size=80))
def test_last_used_half_is_never_forgotten(limit, uses):
    """A scope among the last ``limit / 2`` used goes on counting, and there are never more than the limit allows."""
    guard, _, _ = guarded(limit=limit)
    counts = {}
    for place, agent in enumerate(uses):
        recent = list(dict.fromkeys(reversed(uses[:place])))[: limit // 2]
        counted = number(guard, agent=f"{agent}")
        assert counted == counts.get(agent, 0) + 1 or agent not in recent
        counts[agent] = counted
        assert live(guard)[0] <= max(limit, 2)


def test_evicted_scope_starts_over():
    """A scope that the limit has cost counts from the beginning."""
    guard, _, _ = guarded(limit=4)
    for agent in ("a", *range(20), "a"):
        counted = number(guard, agent=f"{agent}")

    assert counted == 1


# Halts and the two generations


def aged(policy):
    """A guard whose scope ``worker`` has not been used lately, but is remembered."""
    guard, _, _ = guarded(policy, limit=4)
    guard.check(Call("x", {}, agent="worker", session="s"))
    for session in range(2):
        guard.check(Call("x", {}, session=f"{session}"))
    return guard


def test_halt_outlives_the_end_of_an_agent_not_used_lately():
    """The end of the agent that caused a halt does not end it, however long ago the agent was heard of."""
    guard = aged(Policy([Lasting({1: "halt"})]))
    during = guard.halted("s")
    guard.agent_ended("worker", session="s")

    assert (during, guard.halted("s")) == (True, True)


def test_agent_not_used_lately_is_forgotten_at_its_end():
    """An agent that ends is forgotten, however long ago it was heard of."""
    guard = aged(COUNTING)
    guard.agent_ended("worker", session="s")

    assert number(guard, agent="worker", session="s") == 1


def test_scope_not_used_lately_can_be_forgotten():
    """Forgetting works for a scope that was not used lately."""
    guard = aged(COUNTING)
    guard.forget(agent="worker", session="s")

    assert number(guard, agent="worker", session="s") == 1


def test_session_not_used_lately_can_be_forgotten():
    """Forgetting works for a session that was not used lately."""
    guard = aged(COUNTING)
    guard.forget_session("s")

    assert number(guard, agent="worker", session="s") == 1


def test_scope_not_used_lately_counts_on():
    """A scope that was not used lately, but is remembered, goes on where it was."""
    assert number(aged(COUNTING), agent="worker", session="s") == 2


def test_new_run_reaches_scopes_not_used_lately():
    """A new run resets the rules of the scopes of its session that were not used lately, too."""
    guard = aged(Policy([Scripted(always="remind")]))
    guard.run_started(session="s")

    assert number(guard, agent="worker", session="s") == 1


# Identities


class Agent:
    """Something a host has, and that can be weakly referenced."""

    def __init__(self, name=""):
        self.name = name

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 1


@pytest.mark.parametrize("part", ["agent", "session"])
def test_objects_are_told_apart_by_identity(part):
    """Two objects are two scopes, even if they say that they are equal."""
    guard, _, _ = guarded()
    one, other = Agent(), Agent()

    assert [number(guard, **{part: who}) for who in (one, other, one)] == [1, 1, 2]


@pytest.mark.parametrize("part", ["agent", "session"])
def test_scope_goes_with_its_object(part):
    """When an object dies, its scopes are forgotten at the next event."""
    guard, _, _ = guarded()
    number(guard)
    who = Agent()
    number(guard, **{part: who})
    during = live(guard)[0]
    del who
    gc.collect()
    number(guard)

    assert (during, live(guard)[0]) == (2, 1)


def test_guard_keeps_no_object_alive():
    """A guard does not keep the objects alive that name its scopes, nor more than a trace of a thousand dead ones."""
    guard, _, _ = guarded()
    for _ in range(1000):
        number(guard, agent=Agent())
    gc.collect()
    number(guard)

    identities = guard._engine._identities

    assert (len(identities._names), len(identities.scopes), len(identities.dead)) == (0, 0, 0)
    assert live(guard) == (1, 1)


def test_object_that_takes_the_place_of_a_dead_one():
    """A new object starts at one, even where the interpreter gives it a dead one's address."""
    guard, _, _ = guarded()
    numbers = []
    for _ in range(50):
        who = Agent()
        numbers.append(number(guard, agent=who))
        del who

    assert set(numbers) == {1}


def test_identity_of_a_session_and_verbs():
    """Every verb knows an object by the identity that its calls were made with."""
    guard, _, _ = guarded(Policy([Scripted({1: "halt"})]))
    session = Agent()
    guard.check(Call("x", {}, session=session))
    halted = guard.halted(session)
    guard.user_turn("go on", session=session)

    assert (halted, guard.halted(session)) == (True, False)


def test_call_that_goes_through_two_guards():
    """An object names the same scope in every guard that one and the same call passes through."""
    first, _, _ = guarded()
    second, _, _ = guarded()
    one, other = Agent(), Agent()
    number(second, agent=other)
    call = Call("search", {}, agent=one)
    first.check(call)

    assert second.check(call).findings[0].count == 1
