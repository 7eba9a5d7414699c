"""When something fails the call goes through or is denied, as the policy says, and every failure is told."""

from __future__ import annotations

import pytest

from core.strategies import Scripted
from toolbrake import ALLOW, AsyncGuard, Call, Guard, Policy
from toolbrake.observers import Observer
from toolbrake.rules._base import Rule
from toolbrake.testing import FakeClock, Recorder

CALL = Call("search", {"q": "weather"}, id="c1")


class Broken(Rule):
    """Fails on one side of every call of the tool ``search``."""

    __slots__ = ("side",)
    name = "broken"

    def __init__(self, side):
        self._set(side=side)

    def start(self):
        return []

    def settings(self):
        return {"side": self.side}

    def before(self, state, seen):
        if self.side == "before" and seen.tool == "search":
            raise RuntimeError("a bug")

    def after(self, state, seen):
        if self.side == "after" and seen.tool == "search":
            raise RuntimeError("a bug")


def broken(side="before", **settings):
    """A guard with a rule that fails, and the recorder that hears of it."""
    recorder = Recorder()
    return Guard(Policy([Broken(side)], **settings), observers=[recorder]), recorder


def test_rule_that_fails_lets_the_call_through():
    """By default a call that could not be judged runs, and the decision says that it knows less."""
    guard, _ = broken()

    decision = guard.check(CALL)

    assert (decision.action, decision.degraded) == ("allow", ("fault",))


def test_rule_that_fails_denies_where_the_policy_says_so():
    """With ``on_error: deny`` a call that could not be judged is denied, with a text that says why."""
    guard, _ = broken(on_error="deny")

    decision = guard.check(CALL)

    assert (decision.action, decision.degraded) == ("deny", ("fault",))
    assert decision.text.startswith("toolbrake:")
    assert "a bug" not in decision.text


@pytest.mark.parametrize("on_error", ["allow", "deny"])
def test_rule_that_fails_on_a_result_denies_nothing(on_error):
    """What has already run is not denied, whatever the policy says about errors."""
    guard, _ = broken("after", on_error=on_error)
    guard.check(CALL)

    decision = guard.record(CALL, "rain")

    assert (decision.action, decision.degraded) == ("allow", ("fault",))


def test_observing_policy_denies_nothing_for_a_fault():
    """A policy that only observes does not intervene when it fails either."""
    guard, _ = broken(on_error="deny", observes=True)

    assert guard.check(CALL).runs


def test_fault_is_told():
    """Observers are handed the fault, and the decision that was taken without it."""
    guard, recorder = broken()
    guard.check(CALL)

    assert [str(fault) for fault in recorder.faults] == ["a bug"]
    assert [decision.degraded for decision in recorder.decisions] == [("fault",)]


def test_fault_is_counted():
    """The guard knows how often it has failed."""
    guard, _ = broken()
    for _ in range(3):
        guard.check(Call("search", {}))

    assert guard.faults == 3


def test_call_denied_for_a_fault_is_denied_again():
    """A call that was denied because it could not be judged is not let through by its second delivery."""
    guard, _ = broken(on_error="deny")
    guard.check(CALL)

    assert guard.check(CALL).action == "deny"


def test_async_faults_are_counted():
    """An async guard knows how often it has failed, too."""
    assert AsyncGuard(Policy([])).faults == 0


def test_fault_spoils_nothing_else():
    """A call that does not meet the bug is judged as ever."""
    guard, _ = broken()
    guard.check(CALL)

    assert guard.check(Call("list", {})) is ALLOW


class Hostile:
    """A value that fails whatever is asked of it."""

    def __getattribute__(self, name):
        raise RuntimeError("hostile")

    def __repr__(self):
        raise RuntimeError("hostile")

    def __str__(self):
        raise RuntimeError("hostile")


HOSTILE_CALLS = [
    ("arguments", lambda: Call("search", Hostile())),
    ("nested arguments", lambda: Call("search", {"q": [Hostile()]})),
    ("tool that is no text", lambda: Call(Hostile(), {})),
    ("id that is no text", lambda: Call("search", {}, id=Hostile())),
    ("unhashable id", lambda: Call("search", {}, id=[])),
    ("step", lambda: Call("search", {}, step=Hostile())),
    ("time that is none", lambda: Call("search", {}, at="noon")),
]


@pytest.mark.parametrize("call", [row[1] for row in HOSTILE_CALLS], ids=[row[0] for row in HOSTILE_CALLS])
def test_hostile_call(call):
    """Nothing that a call holds makes the guard raise, twice in a row or with a result."""
    guard = Guard({"rules": {"reminder": {"thresholds": [2]}, "breaker": {}}})
    made = call()
    for _ in range(2):
        guard.check(made)

    assert guard.record(made, Hostile()).action in ("allow", "remind")


def test_scope_survives_a_hostile_time():
    """A time that is none does not spoil the scope for the calls after it."""
    guard = Guard(Policy([Scripted(always="remind")]))
    guard.check(Call("search", {}, at="noon"))

    assert guard.check(Call("search", {}, at=1.0)).degraded == ()


ODD_CONTENTS = {
    "nothing": None,
    "bytes": b"\xff",
    "set": {"a": {1, 2}},
    "object": object(),
    "nan": float("nan"),
    "lone surrogate": "\ud800",
}


@pytest.mark.parametrize("content", ODD_CONTENTS.values(), ids=ODD_CONTENTS)
def test_odd_result(content):
    """Whatever a tool brings is taken in without a fault."""
    guard = Guard({"rules": {"reminder": {}, "breaker": {}}})
    guard.check(CALL)
    guard.record(CALL, content, error=False)
    guard.check(CALL)

    assert guard.faults == 0


# Identities


@pytest.mark.parametrize("identity", [[], {}, (1, 2), object()], ids=["list", "dict", "tuple", "object"])
@pytest.mark.parametrize("part", ["agent", "session"])
def test_identity_that_cannot_be_one(part, identity):
    """A session or agent that cannot be told apart from others is the caller's mistake, and is named."""
    with pytest.raises(TypeError, match=rf"a session or an agent must be .* \(got {type(identity).__name__}\)"):
        Guard(Policy([])).check(Call("x", {}, **{part: identity}))


@pytest.mark.parametrize("identity", ["", "a", 7, -1, 1.5, None, True])
def test_identity_that_can(identity):
    """Text, numbers and None can name a session or an agent."""
    guard = Guard(Policy([Scripted(always="remind")]))
    call = Call("x", {}, agent=identity, session=identity)
    guard.check(call)

    assert guard.check(call).findings[0].count == 2


# Observers


class Failing(Observer):
    """Raises at whatever it is told."""

    def decided(self, event, decision):
        raise ValueError("no")

    def faulted(self, event, fault):
        raise ValueError("no")

    def evicted(self, scopes):
        raise ValueError("no")


def test_observer_that_raises_changes_nothing():
    """What an observer raises changes no decision, and the observers after it are told as ever."""
    recorder = Recorder()
    guard = Guard(Policy([Scripted({1: "deny"})]), observers=[Failing(), recorder])

    decision = guard.check(CALL)

    assert decision.action == "deny"
    assert recorder.decisions == [decision]


def test_observer_that_raises_is_counted():
    """What an observer raises is counted with the faults."""
    guard = Guard(Policy([]), observers=[Failing()])
    guard.check(CALL)

    assert guard.faults == 1


def test_observer_that_raises_at_a_fault():
    """An observer that fails at a fault is counted beside it."""
    guard = Guard(Policy([Broken("before")]), observers=[Failing()])

    decision = guard.check(CALL)

    assert decision.degraded == ("fault",)
    assert guard.faults == 3


def test_observer_that_raises_at_an_eviction():
    """An observer that fails at an eviction does not degrade the decision."""
    guard = Guard({"rules": {"brake": {}}, "scope": {"limit": 2}}, observers=[Failing()])

    decisions = [guard.check(Call("x", {}, agent=f"{number}")) for number in range(10)]

    assert all(decision.degraded == () for decision in decisions)


# The clock


def test_clock_that_raises():
    """A clock that fails does not end the host's agent: the call goes through as after any fault."""

    def clock():
        raise OSError("no clock")

    decision = Guard(Policy([]), clock=clock).check(CALL)

    assert decision.degraded == ("fault",)


# The person's way past everything


@pytest.mark.parametrize(("value", "action"), [("1", "allow"), ("0", "deny"), ("", "deny"), (None, "deny")])
def test_off(monkeypatch, value, action):
    """With TOOLBRAKE_OFF=1 when a guard is built everything passes, with another value nothing changes."""
    monkeypatch.delenv("TOOLBRAKE_OFF", raising=False)
    if value is not None:
        monkeypatch.setenv("TOOLBRAKE_OFF", value)

    assert Guard(Policy([Scripted({1: "deny"})])).check(CALL).action == action


def test_off_tells_nobody(monkeypatch):
    """A guard that is off counts nothing and tells its observers nothing."""
    monkeypatch.setenv("TOOLBRAKE_OFF", "1")
    recorder = Recorder()
    guard = Guard(Policy([Scripted({1: "halt"})]), observers=[recorder])
    guard.check(CALL)

    assert (recorder.events, guard.halted()) == ([], False)


def test_off_needs_a_policy_that_can_be_built(monkeypatch):
    """A guard that is off still says when its policy is wrong."""
    monkeypatch.setenv("TOOLBRAKE_OFF", "1")
    with pytest.raises(ValueError, match="nosuch"):
        Guard("nosuch")


def test_off_is_read_when_built(monkeypatch):
    """A guard that was built on stays on."""
    monkeypatch.delenv("TOOLBRAKE_OFF", raising=False)
    guard = Guard(Policy([Scripted({1: "deny"})]), clock=FakeClock())
    monkeypatch.setenv("TOOLBRAKE_OFF", "1")

    assert guard.check(CALL).action == "deny"
