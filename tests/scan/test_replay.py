"""Replay: a policy over a recorded run says what a live guard with that policy says."""

from __future__ import annotations

import copy
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.strategies import PROPERTY, Scripted, policies, runs, tell
from toolbrake import Call, Guard, Policy, load_policy
from toolbrake.core.decision import RANK
from toolbrake.core.events import Refuse, Result, User
from toolbrake.core.profile import Profiles, ToolProfile
from toolbrake.policies import READY
from toolbrake.rules.brake import Brake
from toolbrake.rules.reminder import Reminder
from toolbrake.scan.model import Trajectory
from toolbrake.scan.replay import as_recorded, replay
from toolbrake.scan.trace import dumps, read_lines
from toolbrake.testing import FakeClock, Recorder


def rows_of(policy, *told, **options):
    """The rows of a run made of those events."""
    return replay(Trajectory(id="t", events=list(told)), policy, **options)


def calls(count, **fields):
    """So many equal calls, each with an id and a step of its own."""
    return [Call("search", {"q": "x"}, id=f"c{n}", step=n, **fields) for n in range(1, count + 1)]


def with_results(told, content="text"):
    """The calls, each followed by its result."""
    return [event for call in told for event in (call, Result(call.id, content))]


# Rows


def test_a_row_a_call():
    """There is a row for each call, numbered over all agents and sessions in the order of the run."""
    told = [Call("a", {}, id="x"), Call("b", {}, agent="w"), Result("x"), Call("c", {}, session="s", agent=None)]

    rows = rows_of(Policy([]), *told)

    assert [(row.call, row.tool, row.id) for row in rows] == [(1, "a", "x"), (2, "b", None), (3, "c", None)]


def test_row_of_a_call_that_nobody_minds():
    """A call that no rule minds has a row that says allow and nothing else."""
    (row,) = rows_of(Policy([Brake()]), Call("a", {}, id="x"))

    assert row.as_mapping() == {
        "trajectory": "t",
        "call": 1,
        "id": "x",
        "tool": "a",
        "action": "allow",
        "phase": None,
        "rule": None,
        "count": None,
        "limit": None,
        "halted": False,
        "findings": [],
    }


def test_row_of_a_denied_call():
    """The row of a denied call says which rule, at what count and limit, and before the body."""
    row = rows_of(Policy([Brake(max_repeats=2)]), *calls(3))[2]

    assert (row.action, row.phase, row.rule, row.count, row.limit) == ("deny", "before", "brake", 3, 2)


def test_row_of_a_reminder_after_the_result():
    """A reminder that a result draws stands in the row of its call, as said after the body."""
    rows = rows_of(Policy([Reminder(thresholds=(2,))]), *with_results(calls(2)))

    assert [(row.action, row.phase) for row in rows] == [("allow", None), ("remind", "after")]


def test_reminder_of_a_batch_stands_at_its_last_result():
    """A reminder that waited for a batch stands in the row of the call whose result came last."""
    batch = [Call("search", {}, id=name, step="s") for name in ("a", "b")]

    rows = rows_of(Policy([Scripted(results={1: "remind"})]), *batch, Result("b"), Result("a"))

    assert [row.action for row in rows] == ["remind", "allow"]


def test_stronger_side_acts():
    """The row's action is the stronger of both sides, and it has the findings of both."""
    rows = rows_of(Policy([Scripted({1: "ask"}, {1: "remind"})]), *with_results(calls(1)))

    assert (rows[0].action, rows[0].phase, len(rows[0].findings)) == ("ask", "before", 2)


def test_first_of_two_equal_sides_acts():
    """Where both sides are equally strong, the row shows the one before the body."""
    rows = rows_of(Policy([Scripted({1: "remind"}, {1: "remind"})]), *with_results(calls(1)))

    assert (rows[0].phase, len(rows[0].findings)) == ("before", 2)


def test_halted():
    """The row of the call that ended the run, and of every call after it, says halted."""
    rows = rows_of(Policy([Scripted({2: "halt"})]), *calls(3))

    assert [(row.action, row.halted) for row in rows] == [("allow", False), ("halt", True), ("halt", True)]


def test_refused_call():
    """A refusal, and the findings that it brings, stand in the row of the refused call."""
    told = [Call("a", {}, id="x"), Refuse("x"), Call("b", {}, id="y")]

    rows = rows_of(Policy([Scripted({1: "ask"}, {1: "remind"})]), *told)

    assert [[finding.action for finding in row.findings] for row in rows] == [["ask", "deny", "remind"], []]


# What is no call of its own


@pytest.mark.parametrize("mark", ["replayed", "redelivered"])
def test_marked_delivery_has_no_row(mark):
    """A call that is shown again has no row, and the calls after it are numbered as without it."""
    first, second = calls(2)
    again = copy.copy(first)
    setattr(again, mark, True)

    assert [row.call for row in rows_of(Policy([]), first, again, second)] == [1, 2]


def test_second_delivery_has_no_row():
    """A call that is delivered twice while it is open is one call, and has one row."""
    (call,) = calls(1)

    assert len(rows_of(Policy([]), call, copy.copy(call), Result(call.id))) == 1


# What happened to denied calls


def test_recorded_result_of_a_denied_call_is_dropped():
    """A call that the policy denies has the denial as its result: the recorded one counts for nothing."""
    policy = Policy([Scripted({1: "deny"}, {2: "remind"})])

    rows = rows_of(policy, *with_results(calls(1)))

    assert [finding.action for finding in rows[0].findings] == ["deny"]


def test_as_recorded_takes_every_result():
    """As recorded, the result of a call that would have been denied is taken as it is."""
    policy = Policy([Scripted({1: "deny"}, {1: "remind"})])

    rows = rows_of(as_recorded(policy), *with_results(calls(1)))

    assert [finding.action for finding in rows[0].findings] == ["deny", "remind"]
    assert rows[0].action == "deny"


def test_as_recorded_halts_nothing():
    """As recorded, what would have ended the run is told once, and the calls after it are judged for themselves."""
    rows = rows_of(as_recorded(Policy([Scripted({1: "halt"})])), *calls(2))

    assert [row.action for row in rows] == ["halt", "allow"]


def test_as_recorded_is_the_same_policy():
    """The policy that takes runs as recorded differs in nothing but that it observes."""
    policy = Policy(
        [Brake()],
        name="x",
        on_error="deny",
        redact=str.upper,
        profiles=Profiles([ToolProfile("a*", does="read")]),
        quote_in_store=True,
    )

    observing = as_recorded(policy)

    different = [name for name in Policy.__slots__ if getattr(observing, name) != getattr(policy, name)]
    assert different == ["observes"]


def test_results_without_ids_go_to_the_calls_in_order():
    """Without ids the recorded results belong to the calls in order, also where one was denied in between."""
    told = [Call("a", {}), Result(), Call("b", {}), Result(), Call("c", {}), Result()]

    rows = rows_of(Policy([Scripted({2: "deny"}, {3: "remind"})]), *told)

    assert [row.action for row in rows] == ["allow", "deny", "remind"]


def test_denied_call_without_an_id_that_has_no_result():
    """Without ids, a call that our own guard denied, so that it has no result, does not take the next one's."""
    told = [Call("a", {}), Result(), Call("b", {}), Call("c", {}), Result()]

    rows = rows_of(Policy([Scripted({2: "deny"}, {3: "remind"})]), *told)

    assert [row.action for row in rows] == ["allow", "deny", "remind"]


def test_id_that_every_step_uses():
    """A result belongs to the latest call of its id, also where an earlier one never returned."""
    told = [Call("a", {}, id="call_0", step="s"), Call("b", {}, id="call_0", step="t"), Result("call_0")]

    rows = rows_of(Policy([Scripted(results={1: "remind"})]), *told)

    assert [row.action for row in rows] == ["allow", "remind"]


# The run itself


def test_replay_leaves_the_run():
    """A run is the same after it was replayed, so it can be replayed under another policy."""
    told = with_results(calls(3))
    before = copy.deepcopy(told)

    rows_of(Policy([Brake()]), *told)

    assert told == before


def test_replays_are_independent():
    """Two runs are replayed apart, whatever their scopes are called."""
    policy = Policy([Brake(max_repeats=2)])

    rows = [rows_of(policy, *calls(1)) for _ in range(3)]

    assert [row.action for (row,) in rows] == ["allow"] * 3


def test_idle_time():
    """A pause longer than the given idle time starts the scope over."""
    told = [Call("a", {}, at=0.0), Call("a", {}, at=50.0)]
    policy = Policy([Brake(max_repeats=2)])

    actions = [rows_of(policy, *told, idle=idle)[1].action for idle in (40, 60)]

    assert actions == ["allow", "deny"]


def test_user_turn():
    """A user turn in a run resets what it resets live."""
    rows = rows_of(Policy([Scripted(always="remind")]), Call("a", {}), User("hi"), Call("a", {}))

    assert [row.count for row in rows] == [1, 1]


# Live and replayed

LIVE = {"ids": ("unique", "per step"), "steps": (True,), "repeats": False}
"""Runs whose calls can be told apart in their trace: ids, of their own or within their step."""


class Live:
    """A live guard that lives through a run, and what it said to each call."""

    def __init__(self, policy):
        self.clock = FakeClock()
        self.recorder = Recorder()
        self.guard = Guard(policy, observers=[self.recorder], clock=self.clock)
        self.said = []
        self.asked = []

    def live(self, told, answer):
        """Live through the events; ``answer()`` says whether a person approves or refuses, or is silent (None)."""
        places = {}
        for event in told:
            self.clock.now = event.at
            if event.type == "call":
                places[id(event)] = len(self.said)
                self.said.append([self.guard.check(event)])
                if self.said[-1][0].action == "ask":
                    self._answer(event, answer())
            elif event.type != "result":
                tell(self.guard, event)
            elif self._ran(place := places[id(event.call)]):
                self.said[place].append(tell(self.guard, event))
        return self.recorder.trajectory()

    def _ran(self, place):
        return self.said[place][0].runs or place in self.asked

    def _answer(self, call, approved):
        if approved:
            self.guard.approve(call)
            self.asked.append(len(self.said) - 1)
        elif approved is False:
            self.said[-1].append(self.guard.refuse(call))

    def expected(self):
        """Action and findings of each row: the strongest that any rule said to the call, on either side."""
        found = [[finding for decision in decisions for finding in decision.findings] for decisions in self.said]
        return [(max((f.action for f in findings), key=RANK.get, default="allow"), findings) for findings in found]


def substance(rows):
    return [(row.action, list(row.findings)) for row in rows]


@pytest.mark.parametrize("named", READY)
@PROPERTY
@given(runs(**LIVE))
def test_replay_of_a_live_run(named, told):
    """Replaying a run that a live guard recorded gives what the guard said to each call, under every ready policy."""
    live = Live(named)

    rows = replay(live.live(told, lambda: None), load_policy(named))

    assert substance(rows) == live.expected()


@PROPERTY
@given(policies(), runs(**LIVE), st.data())
def test_replay_of_a_live_run_with_questions(policy, told, data):
    """So it is under policies that ask, deny and halt, whatever people answer."""
    live = Live(policy)
    trajectory = live.live(told, lambda: data.draw(st.none() | st.booleans()))

    rows = replay(trajectory, policy)

    assert substance(rows) == live.expected()


@PROPERTY
@given(policies(), runs(ids=("unique",), steps=(True,)))
def test_replay_of_a_live_run_with_repeated_deliveries(policy, told):
    """Calls that were delivered more than once change nothing of what the replay says to the others."""
    told = [event for event in told if event.type in ("call", "result")]
    for place, event in enumerate(told):
        event.at = float(place)
    trajectory = Live(policy).live(told, lambda: None)
    repeated = {place for place, event in enumerate(trajectory.events) if _repeats(event, trajectory.events[:place])}
    once = [event for place, event in enumerate(trajectory.events) if place not in repeated]

    rows = replay(trajectory, policy)

    assert substance(rows) == substance(replay(Trajectory(id="t", events=once), policy))


def _repeats(event, before):
    """Whether an event is a call that was delivered before; ids are unique, so equal ids are one call."""
    return event.type == "call" and (
        event.replayed or event.redelivered or any(e.type == "call" and e.id == event.id for e in before)
    )


@PROPERTY
@given(policies(), runs(**LIVE))
def test_replay_of_a_written_run(policy, told):
    """So it is when the run went through a file."""
    live = Live(policy)
    trajectory = live.live(told, lambda: None)
    (again,) = read_lines(io.BytesIO(dumps(trajectory).encode()), "file")

    assert substance(replay(again, policy)) == live.expected()
