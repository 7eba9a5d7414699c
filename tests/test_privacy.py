"""A canary in arguments and results is found in the text for the model, where the rule quotes, and nowhere else."""

from __future__ import annotations

import io
import json
import logging
import pickle

import pytest

from toolbrake import Call, Guard, LoopBrakeError, LoopHalted, Policy, load_policy
from toolbrake.cli import main
from toolbrake.core.codec import dump_session, dump_state
from toolbrake.core.events import Approve, Assistant, Result, User
from toolbrake.policies import READY
from toolbrake.rules._base import Rule
from toolbrake.rules.brake import Brake
from toolbrake.rules.breaker import Breaker
from toolbrake.rules.reminder import Reminder
from toolbrake.scan.model import Trajectory
from toolbrake.scan.replay import replay
from toolbrake.scan.trace import read_lines
from toolbrake.testing import Recorder

CANARY = "canary7f3a"

QUOTING = {"breaker", "reminder"}
"""Ready policies that quote: the seeds do."""

WARNING = {"rules": {"breaker": {"deny_after": 4, "warn_after": 2}, "reminder": {"thresholds": [2, 3]}}}


def call(number=0):
    """A call whose arguments, their names, its tokens and its extra fields hold the canary."""
    args = {"path": f"/home/{CANARY}/a.txt", CANARY: {"token": CANARY}, "command": f"cat {CANARY}"}
    return Call("read_file", args, id=f"c{number}", step=number, tokens={"in": 3}, extra={"x_host": CANARY})


def result(number=0, *, error=False):
    content = {"text": f"secret {CANARY}"} if number % 2 else f"secret {CANARY}"
    return Result(f"c{number}", content, error=error, call=call(number), extra={"x_host": CANARY})


class Run:
    """A guard that has lived through a loop full of canaries, and everything that it made."""

    def __init__(self, policy):
        self.recorder = Recorder()
        self.guard = Guard(policy, observers=[self.recorder])
        for number in range(12):
            made = call(number)
            if self.guard.check(made).runs:
                self.guard.record(made, f"secret {CANARY}", error=number > 6)
        self.guard.user_turn(f"hello {CANARY}")
        for number in range(12, 15):
            self.guard.check(call(number))

    @property
    def findings(self):
        return [finding for decision in self.recorder.decisions for finding in decision.findings]

    @property
    def states(self):
        scopes = self.guard._engine._scopes
        return [*scopes.states.values(), *(members.record for members in scopes.sessions.values())]


each_ready = pytest.mark.parametrize("policy", [*READY, WARNING], ids=[*READY, "warning"])


# What is shown


EVENTS = [
    call(),
    result(),
    Result("c1", head=CANARY, tail=CANARY, extra={"x": CANARY}),
    User(f"hello {CANARY}", extra={"x": CANARY}),
    Assistant(CANARY),
    Approve("c1", extra={"x": CANARY}),
]


@pytest.mark.parametrize("event", EVENTS, ids=[f"{event.type} {place}" for place, event in enumerate(EVENTS)])
@pytest.mark.parametrize("shown", [repr, str, "{}".format], ids=["repr", "str", "format"])
def test_events_show_nothing(shown, event):
    """An event printed in any way shows neither arguments nor contents."""
    assert CANARY not in shown(event)


@each_ready
def test_decisions_show_nothing(policy):
    """Decisions, findings and notes, printed, show no canary, whatever they quote."""
    run = Run(policy)

    shown = [repr(decision) + str(decision) + repr(decision.notes) for decision in run.recorder.decisions]

    assert CANARY not in "".join(shown)


@each_ready
def test_evidence_holds_nothing(policy):
    """The machine-readable evidence of a finding holds no canary."""
    run = Run(policy)

    assert run.findings
    assert CANARY not in json.dumps([finding.as_mapping() for finding in run.findings])


@each_ready
def test_states_show_nothing(policy):
    """States and session records, printed, show no canary, whatever they keep for a quote."""
    run = Run(policy)

    assert run.states
    assert CANARY not in repr(run.states)


@each_ready
def test_guard_shows_nothing(policy):
    """A guard, an attempt and an observer, printed, show no canary."""
    run = Run(policy)

    assert CANARY not in repr((run.guard, run.guard.around(call()), run.recorder, run.guard.policy))


# What is told to the model


@pytest.mark.parametrize("policy", sorted(set(READY) - QUOTING))
def test_policies_that_do_not_quote(policy):
    """A ready policy that quotes nothing has no word for the model about arguments and results."""
    run = Run(policy)

    assert all(finding.text for finding in run.findings)
    assert run.findings
    assert CANARY not in "".join(finding.text for finding in run.findings)


@pytest.mark.parametrize("policy", sorted(QUOTING))
def test_policies_that_quote(policy):
    """The classic policies quote to the model, or the canary would prove nothing."""
    run = Run(policy)

    assert any(CANARY in finding.text for finding in run.findings)


def test_redacted_quotes():
    """What a policy redacts is in no text of it."""
    run = Run({"rules": {"breaker": {}, "reminder": {"thresholds": [2, 3]}}, "redact": ["canary[0-9a-f]+"]})

    assert run.findings
    assert CANARY not in "".join(finding.text for finding in run.findings)


# What is kept


@pytest.mark.parametrize("policy", sorted(set(READY) - QUOTING))
def test_states_hold_nothing(policy):
    """In memory the states of a policy that quotes nothing hold no canary at all."""
    run = Run(policy)

    assert CANARY.encode() not in pickle.dumps(run.states)


@each_ready
def test_bytes_hold_nothing(policy):
    """The bytes of states and session records hold no canary, whatever the policy quotes."""
    run = Run(policy)
    scopes = run.guard._engine._scopes

    written = [dump_state(scopes.policy, state, "0" * 16) for state in scopes.states.values()]
    written += [dump_session(members.record) for members in scopes.sessions.values()]

    assert CANARY.encode() not in b"".join(written)


@each_ready
def test_pickled_guard_holds_nothing(policy):
    """A pickled guard holds no canary: it keeps the policy and no state."""
    run = Run(policy)
    run.guard._engine.observers = ()

    assert CANARY.encode() not in pickle.dumps(run.guard)


@each_ready
def test_bytes_in_mid_call_hold_nothing(policy):
    """Bytes written while calls are open, texts held back and denials remembered hold no canary."""
    built = load_policy(policy)
    state = built.start()
    for number in range(6):
        made = call(number)
        made.step = "s"
        built.step(state, made)
        if number % 2:
            built.step(state, result(number))

    assert CANARY.encode() not in dump_state(built, state, "0" * 16)


# What is logged and raised


@each_ready
def test_nothing_is_logged(policy, caplog, capsys):
    """A run writes no log record and prints nothing."""
    caplog.set_level(logging.DEBUG)
    Run(policy)

    assert caplog.records == []
    assert capsys.readouterr() == ("", "")


class Careless(Rule):
    """Fails with the arguments in its message."""

    __slots__ = ()
    name = "careless"

    def start(self):
        return []

    def settings(self):
        return {}

    def before(self, state, seen):
        raise RuntimeError(f"cannot judge {seen.arguments}")


@pytest.mark.parametrize("on_error", ["allow", "deny"])
def test_fault_shows_nothing(on_error, caplog, capsys):
    """A fault whose message holds arguments is handed to observers, and shows in no decision, log or output."""
    caplog.set_level(logging.DEBUG)
    recorder = Recorder()
    guard = Guard(Policy([Careless()], on_error=on_error), observers=[recorder])
    decision = guard.check(call())

    assert CANARY in str(recorder.faults[0])
    assert CANARY not in repr(decision) + decision.text
    assert (caplog.records, capsys.readouterr()) == ([], ("", ""))


def test_brake_error_holds_nothing():
    """The brake's error holds no canary: not printed, not pickled, not in an attribute."""
    policy = Policy([Brake(max_repeats=1)])
    (finding,) = policy.step(policy.start(), call()).findings
    error = LoopBrakeError(
        tool_name=finding.tool, count=1, max_repeats=1, hash_prefix=finding.fingerprint, session_id="main"
    )

    assert CANARY not in f"{error}{error!r}{vars(error)}"
    assert CANARY.encode() not in pickle.dumps(error)


@pytest.mark.parametrize("policy", sorted(set(READY) - QUOTING))
def test_halt_error_holds_nothing(policy):
    """The error that ends a run holds no canary under a policy that quotes nothing."""
    for decision in Run(policy).recorder.decisions:
        error = LoopHalted(decision)
        assert CANARY not in f"{error}{error!r}"
        assert CANARY.encode() not in pickle.dumps(error)


@pytest.mark.parametrize(
    "told",
    [
        {"type": "call", "tool": "x", "id": [CANARY]},
        {"type": "call", "tool": {"name": CANARY}, "args": {}},
        {"type": "result", "id": "c1", "error": CANARY},
        {"type": "result", "head": [CANARY]},
        [CANARY],
    ],
    ids=["id", "tool", "error", "head", "list"],
)
def test_unreadable_event_shows_nothing(told):
    """What cannot be read is told by its place and the kind of its values, never by the values."""
    lines = io.BytesIO(json.dumps({"events": [told]}).encode())

    problem, _ = read_lines(lines, "a.jsonl")

    assert CANARY not in f"{problem}{problem!r}"


@pytest.mark.parametrize("text", [f'{{"{CANARY}": ', f"{CANARY}", f'{{"events": ["{CANARY}\udcff"]}}'])
def test_unreadable_line_shows_nothing(text):
    """A line that is no JSON is told by its place and reason, never by what it holds."""
    (problem,) = read_lines(io.BytesIO(text.encode("utf-8", "surrogateescape")), "a.jsonl")

    assert CANARY not in f"{problem}{problem!r}"


# Reports


@each_ready
def test_rows_hold_nothing(policy):
    """The rows of a replay hold no canary, printed or as a mapping."""
    told = [event for number in range(6) for event in (call(number), result(number))]
    trajectory = Trajectory(id="t", events=told, extra={"x_host": CANARY})

    rows = replay(trajectory, load_policy(policy))

    assert any(row.findings for row in rows)
    assert CANARY not in repr(rows) + json.dumps([row.as_mapping() for row in rows]) + repr(trajectory)


@pytest.mark.parametrize("form", [[], ["--json"]], ids=["text", "json"])
def test_command_prints_nothing(tmp_path, capsys, form):
    """The report of a replay prints no canary, in no form, under a policy that quotes."""
    told = []
    for number in range(6):
        told.append({"type": "call", "id": f"c{number}", "tool": "read", "args": {"path": CANARY}})
        told.append({"type": "result", "id": f"c{number}", "content": CANARY, "error": False})
    (tmp_path / "a.jsonl").write_text(json.dumps({"id": "t", "events": told}))
    main(["replay", str(tmp_path / "a.jsonl"), "--policy", "breaker", *form])

    assert CANARY not in "".join(capsys.readouterr())


def test_rules_show_no_more_than_their_settings():
    """A rule, printed, shows its settings; it has nothing else."""
    assert CANARY not in repr((Brake(), Breaker(), Reminder()))
