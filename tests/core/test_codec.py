"""States as bytes: nothing that decides is lost on the way, nothing damaged gets in, and the size is bounded."""

from __future__ import annotations

import copy
import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.strategies import PROPERTY, Scripted, json_values, policies, runs
from toolbrake.config import load_policy
from toolbrake.core.codec import SCHEMA, STATE_BYTES, dump_session, dump_state, load_session, load_state
from toolbrake.core.decision import Finding
from toolbrake.core.events import Approve, Call, Result, User
from toolbrake.core.policy import Policy
from toolbrake.core.scopes import Members, Scopes
from toolbrake.core.state import SessionRecord
from toolbrake.policies import READY
from toolbrake.rules.brake import Brake
from toolbrake.rules.breaker import Breaker
from toolbrake.rules.reminder import Reminder

DIGEST = "0123456789abcdef"

CLASSIC = Policy([Reminder(thresholds=(2, 3, 5)), Breaker(deny_after=4), Brake(max_repeats=6)])


def through_bytes(scopes):
    """The same scopes, each read back from its bytes."""
    again = Scopes(scopes.policy, idle=scopes.idle)
    for name, members in scopes.sessions.items():
        kept = again.sessions[name] = Members()
        kept.record = load_session(dump_session(members.record))
        for agent in members.agents:
            kept.agents[agent] = None
            data = dump_state(scopes.policy, scopes.states[name, agent], DIGEST)
            again.states[name, agent] = load_state(scopes.policy, data, DIGEST, kept.record)
    return again


def substance(decision):
    """A decision without its texts and the fingerprints shown to people, neither of which bytes hold."""
    findings = [(f.rule, f.action, f.tool, f.count, f.limit, f.period) for f in decision.findings]
    return decision.action, decision.proposed, decision.halted, findings, [note.source for note in decision.notes]


each_policy = pytest.mark.parametrize("named", [*READY, "drawn"])
"""Every ready policy, and policies drawn from the classic rules and scripted ones."""


def policy_of(data, named):
    return data.draw(st.just(CLASSIC) | policies()) if named == "drawn" else load_policy(named)


@each_policy
@PROPERTY
@given(runs(), st.data())
def test_bytes_change_no_decision(named, told, data):
    """A run whose states go through bytes anywhere in the middle is decided as if they had not."""
    policy = policy_of(data, named)
    cuts = data.draw(st.sets(st.integers(0, len(told)), max_size=3))
    straight, cut = Scopes(policy), Scopes(policy)
    for place, event in enumerate(told):
        if place in cuts:
            cut = through_bytes(cut)
        assert substance(cut.step(event)) == substance(straight.step(event))


@each_policy
@PROPERTY
@given(runs(), st.data())
def test_same_bytes_again(named, told, data):
    """A state that was read from bytes is written as the same bytes."""
    policy = policy_of(data, named)
    scopes = Scopes(policy)
    for event in told:
        scopes.step(event)
    for state in scopes.states.values():
        written = dump_state(policy, state, DIGEST)
        again = load_state(policy, written, DIGEST, state.session)
        assert dump_state(policy, again, DIGEST) == written


def test_writing_leaves_the_state():
    """A state is the same after it was written."""
    state = CLASSIC.start()
    CLASSIC.step(state, Call("read", {"path": "a"}, id="c1", step="s"))
    before = copy.deepcopy(state)

    dump_state(CLASSIC, state, DIGEST)

    assert state == before


@pytest.mark.parametrize(
    "step",
    ["s", "x" * 500, "\ud800", 3, 2.5, ("run", 1), frozenset({1})],
    ids=["text", "long", "odd", "integer", "fraction", "tuple", "set"],
)
def test_step_of_any_kind_comes_back(step):
    """A batch stays one batch over bytes, whatever the host names its steps by."""
    policy = Policy([Scripted(results={1: "remind"})])
    state = policy.start()
    policy.step(state, Call("x", {}, id="a", step=step))
    again = load_state(policy, dump_state(policy, state, DIGEST), DIGEST, SessionRecord())
    policy.step(again, Call("x", {}, id="b", step=step))

    notes = [len(policy.step(again, Result(name)).notes) for name in ("b", "a")]

    assert notes == [0, 1]


def test_distrust_comes_back():
    """A scope whose ids were found to be reused goes on counting every delivery."""
    policy = Policy([Scripted()])
    state = policy.start()
    for args in ({"q": 1}, {"q": 2}):
        policy.step(state, Call("x", args, id="a", step="s"))
    again = load_state(policy, dump_state(policy, state, DIGEST), DIGEST, SessionRecord())
    for _ in range(2):
        policy.step(again, Call("x", {}, id="b", step="s"))

    assert again.rules[0].attempts == 4


class Comparing(Scripted):
    """A scripted rule that is one of those that speak once a call, whichever of them it is."""

    __slots__ = ()
    compares = True


def test_reminder_that_was_given_comes_back():
    """A call that a comparison rule has reminded of is not reminded of again once its result is there."""
    policy = Policy([Comparing({1: "remind"}, {1: "remind"})])
    state = policy.start()
    before = policy.step(state, Call("x", {}, id="a", step="s"))
    again = load_state(policy, dump_state(policy, state, DIGEST), DIGEST, SessionRecord())
    straight, cut = (policy.step(one, Result("a", "text", error=False)) for one in (state, again))

    assert [len(decision.notes) for decision in (before, straight, cut)] == [1, 0, 0]


# Another policy.


def crossed(writer, reader, *told, digest="another digest"):
    """A state that ``writer`` has told those events, as ``reader`` reads it."""
    state = writer.start()
    for event in told:
        writer.step(state, event)
    return load_state(reader, dump_state(writer, state, DIGEST), digest, SessionRecord())


def test_rule_that_stays_keeps_what_it_saw():
    """Under another policy a rule that both have counts on."""
    writer, reader = Policy([Brake(max_repeats=5)]), Policy([Reminder(), Brake(max_repeats=2)])
    state = crossed(writer, reader, Call("x", {}))

    decision = reader.step(state, Call("x", {}))

    assert [(finding.rule, finding.count) for finding in decision.findings] == [("brake", 2)]


def test_new_rule_starts():
    """Under another policy a rule that the old one had not starts at nothing."""
    state = crossed(Policy([Reminder()]), Policy([Brake(max_repeats=1)]), Call("x", {}))

    assert state.rules == [Brake().start()]


def test_old_denial_is_forgotten():
    """Under another policy a call that the old one denied is judged anew."""
    policy = Policy([Brake(max_repeats=1)])
    call = Call("x", {}, id="c1", step="s")
    state = crossed(policy, policy, call)

    assert policy.step(state, call).findings[0].count == 2


def test_old_approval_is_forgotten():
    """Under another policy a person is asked again."""
    policy = Policy([Scripted(always="ask")])
    state = crossed(policy, policy, Call("x", {}, id="c1"), Approve("c1"))

    assert policy.step(state, Call("x", {}, id="c2")).action == "ask"


def test_open_call_takes_its_result_under_another_policy():
    """Under another policy a call that was running is still waited for."""
    policy = Policy([Scripted(results={1: "remind"})])
    state = crossed(policy, policy, Call("x", {}, id="c1", step="s"))

    assert policy.step(state, Result("c1", "text")).action == "remind"


# Size.


def crowded(policy, tool="tool", id="{}", step="s", args="{}"):
    """A state after 200 calls that leave everything behind that calls can."""
    state = policy.start()
    for number in range(200):
        path, name = args.replace("{}", f"{number}"), id.replace("{}", f"{number}")
        call = Call(tool, {"path": path, "n": 1}, id=name or None, step=step)
        policy.step(state, call)
        if number % 3:
            policy.step(state, Result(call.id, "text" * 500, error=False))
    return state


SIZES = [
    ("plain", {}),
    ("long ids", {"id": "call {}" + "x" * 5_000}),
    ("ids that escape badly", {"id": "\u0000\ud800{}" * 50}),
    ("long tool names", {"tool": "mcp__server__" + "x" * 500}),
    ("tool names that escape badly", {"tool": "\u0000" * 64}),
    ("long steps", {"step": "msg_" + "x" * 5_000}),
    ("long arguments", {"args": "a/{}" + "x" * 50_000}),
    ("no ids", {"id": ""}),
]


@pytest.mark.parametrize("policy", [*READY, CLASSIC], ids=[*READY, "classic"])
@pytest.mark.parametrize("much", [row[1] for row in SIZES], ids=[row[0] for row in SIZES])
def test_size(policy, much):
    """A state weighs at most 2 KB as bytes, whatever the ids, names, steps and arguments."""
    policy = load_policy(policy) if isinstance(policy, str) else policy
    state = crowded(policy, **much)

    assert STATE_BYTES == 2048
    assert len(dump_state(policy, state, DIGEST)) <= STATE_BYTES


def busy_events(number):
    """A call and its result: reads, writes, commands, requests and waits that succeed, fail and repeat."""
    tool, args = [
        ("Read", {"file_path": f"/srv/app/module_{number % 60}.py", "offset": number}),
        ("Edit", {"file_path": f"/srv/app/module_{number}.py", "old_string": "a", "new_string": f"{number}"}),
        ("Bash", {"command": f"cd /srv/app && pytest tests/test_{number}.py | tail -3"}),
        ("WebFetch", {"url": f"https://host{number % 40}.example/page/{number}"}),
        ("mcp__github__get_pull_request_review_comments", {"owner": "a", "repo": f"r{number % 30}", "n": number}),
        ("Bash", {"command": "sleep 30"}),
        ("search", {"q": f"words {number // 40}"}),
    ][number % 7]
    call = Call(tool, args, id=f"toolu_{number:024d}", step=f"msg_{number:024d}", at=1e9 + number * 7.25)
    error, content = number % 3 == 0, f"error {number % 50}: no such file" if number % 3 == 0 else f"{number % 9}"
    return call, Result(call.id, content, error=error, call=call, at=call.at + 1.5)


def busy(policy):
    """A state after 400 different calls."""
    state = policy.start()
    for number in range(400):
        for event in busy_events(number):
            policy.step(state, event)
    return state


@pytest.mark.parametrize("named", READY)
def test_size_of_a_long_run(named):
    """A run of hundreds of different calls leaves no more than 2 KB."""
    policy = load_policy(named)

    assert len(dump_state(policy, busy(policy), DIGEST)) <= STATE_BYTES


@pytest.mark.parametrize("named", READY)
def test_long_run_comes_back(named):
    """What a long run leaves is written again as the same bytes, so nothing of it was left out to fit."""
    policy = load_policy(named)
    data = dump_state(policy, busy(policy), DIGEST)

    assert dump_state(policy, load_state(policy, data, DIGEST, SessionRecord()), DIGEST) == data


@each_policy
@PROPERTY
@given(runs(longest=80), st.data())
def test_size_of_any_run(named, told, data):
    """No run makes a state heavier than 2 KB."""
    policy = policy_of(data, named)
    scopes = Scopes(policy)
    for event in told:
        scopes.step(event)

    assert all(len(dump_state(policy, state, DIGEST)) <= STATE_BYTES for state in scopes.states.values())


def test_size_with_approvals():
    """A scope with as many approvals and paths as it remembers stays within the bound."""
    state = crowded(CLASSIC, args="{}")
    for number in range(100):
        CLASSIC.step(state, Call("read", {"path": f"{number}"}, id=f"{number}", step=number))
        CLASSIC.step(state, Approve(f"{number}"))
        CLASSIC.step(state, Result(f"{number}", "text"))

    assert len(state.approved) == 16
    assert len(dump_state(CLASSIC, state, DIGEST)) <= STATE_BYTES


def test_size_with_held_texts():
    """A batch that passes many counts holds no more than a text a rule."""
    policy = Policy([Reminder(thresholds=range(2, 60))])
    state = policy.start()
    for number in range(60):
        policy.step(state, Call("mcp__github__" + "x" * 51, {}, id=f"{number}", step="s"))
    for number in range(59):
        policy.step(state, Result(f"{number}", "text"))

    assert len(dump_state(policy, state, DIGEST)) <= STATE_BYTES


def test_what_does_not_fit_is_the_oldest():
    """Where not all calls fit, the one opened last is still waited for, and the counts are kept."""
    policy = Policy([Scripted(results={1: "remind"})])
    state = policy.start()
    for number in range(64):
        policy.step(state, Call("tool" * 10, {}, id=f"{number}", step="s"))
    again = load_state(policy, dump_state(policy, state, DIGEST), DIGEST, SessionRecord())
    policy.step(again, Result("63", "text"))

    assert again.rules[0].attempts == 64
    assert again.rules[0].results == 1


def test_size_of_a_session():
    """A session's record weighs at most 64 bytes."""
    policy = Policy([Scripted({1: "halt"})])
    state = policy.start()
    policy.step(state, Call("mcp__github__" + "x" * 51, {}))
    state.session.epoch = 1_000_000

    assert state.session.halted is not None
    assert len(dump_session(state.session)) <= 64


# Sessions.


def test_session_comes_back():
    """A session's record comes back with its epoch and with the rule, tool and count of what ended the run."""
    halted = Finding(rule="stall", action="halt", tool="search", count=9, limit=8, text="secret")
    again = load_session(dump_session(SessionRecord(7, halted)))

    assert again.epoch == 7
    assert (again.halted.rule, again.halted.action, again.halted.tool) == ("stall", "halt", "search")
    assert (again.halted.count, again.halted.limit) == (9, 8)


def test_session_that_runs():
    """A session that was not ended comes back as one."""
    assert load_session(dump_session(SessionRecord(3))) == SessionRecord(3)


def test_bytes_hold_no_text():
    """The text of a finding, which may quote, is not in the bytes; what comes back has words of its own."""
    halted = Finding(rule="stall", action="halt", tool="search", count=9, limit=8, text="secret")
    data = dump_session(SessionRecord(0, halted))

    assert b"secret" not in data
    assert load_session(data).halted.text


def test_quote_stays_out():
    """The quote that the breaker keeps in memory is not in the bytes."""
    policy = Policy([Breaker()])
    state = policy.start()
    policy.step(state, Call("x", {}, id="c1"))
    policy.step(state, Result("c1", "canary"))

    assert b"canary" not in dump_state(policy, state, DIGEST)


def test_quote_in_store():
    """A policy that says so stores the quote, and the denial after it quotes."""
    policy = Policy([Breaker()], quote_in_store=True)
    state = policy.start()
    policy.step(state, Call("x", {}, id="c1"))
    policy.step(state, Result("c1", "canary"))
    again = load_state(policy, dump_state(policy, state, DIGEST), DIGEST, SessionRecord())

    assert "canary" in policy.step(again, Call("x", {}, id="c2")).text


# Damage.

FULL = Policy([Reminder(thresholds=(1, 2)), Breaker(), Scripted({3: "ask"})])


def full_state():
    """Bytes in which every part of a state is filled: open and closed calls, a denial, a held text, an approval."""
    scopes = Scopes(FULL)
    for event in (
        Call("read", {"path": "a"}, id="c1", step="s", at=5.5),
        Call("read", {"path": "a"}, id="c2", step="s"),
        Call("list", {}, id="c3", step="s"),
        Approve("c3"),
        Call("stay", {}, step="s"),
        Result("c1", "text", at=6.0),
    ):
        scopes.step(event)
    return dump_state(FULL, scopes.states["main", "main"], DIGEST)


def test_full_state_is_full():
    """The state that the tests below damage has every part filled."""
    fields = json.loads(full_state())[2]

    assert all(fields[name] for name in ("approved", "at", "closed", "held", "opened", "rules", "serial", "step"))


def read(data):
    """Read damaged bytes; the state, or None where they were refused."""
    try:
        return load_state(FULL, data, DIGEST, SessionRecord())
    except ValueError:
        return None


@PROPERTY
@given(st.integers(0, 2000))
def test_truncated(length):
    """Bytes cut anywhere are refused."""
    data = full_state()

    assert read(data[: length % len(data)]) is None


@PROPERTY
@given(st.integers(0, 2000), st.integers(0, 255))
def test_flipped(place, byte):
    """Bytes of which one was changed are read or refused with ValueError, never anything else."""
    data = bytearray(full_state())
    data[place % len(data)] = byte

    read(bytes(data))


@PROPERTY
@given(json_values())
@example([SCHEMA, DIGEST, {}])
@example([SCHEMA, DIGEST, []])
@example([True, DIGEST, None])
@example({"a": 1, "b": 2, "c": 3})
def test_random_json(value):
    """JSON that is no state is refused."""
    assert read(json.dumps(value).encode()) is None


@PROPERTY
@given(st.binary(max_size=50))
def test_random_bytes(data):
    """Bytes that are no JSON are refused."""
    assert read(data) is None


def places(value, path=()):
    """The path of every value within a JSON value."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from places(item, (*path, key))


def replaced(value, path, new):
    """A JSON value with another value at one place."""
    if not path:
        return new
    changed = copy.copy(value)
    changed[path[0]] = replaced(value[path[0]], path[1:], new)
    return changed


STRAY = {
    "null": None,
    "true": True,
    "negative": -1,
    "fraction": 1.5,
    "huge": 10**400,
    "infinite": float("inf"),
    "nan": float("nan"),
    "empty text": "",
    "text": "zz",
    "digits": "00ff",
    "empty list": [],
    "nested list": [[]],
    "empty object": {},
    "object": {"a": 1},
}

AFTERWARDS = [
    Call("read", {"path": "a"}, id="c2", step="s", at=6.5),
    Result("c4", "text", at=7.0),
    Call("list", {}, id="c9", step="t", at=8.0),
    Result("c9", "text", at=9.0),
    Call("read", {"path": "a"}, at=10.0),
    User("go on", at=11.0),
]


def works(state):
    """Tell a state what could come next, and write it."""
    scopes = Scopes(FULL)
    scopes.state(("main", "main"))
    scopes.states["main", "main"] = state
    for event in AFTERWARDS:
        scopes.step(event)
    dump_state(FULL, state, DIGEST)


@pytest.mark.parametrize("stray", STRAY.values(), ids=STRAY)
def test_stray_value(stray):
    """A value that does not belong, anywhere in a state, is refused with ValueError, or the state works with it."""
    written = json.loads(full_state())
    for path in places(written):
        state = read(json.dumps(replaced(written, path, stray)).encode())
        if state is not None:
            works(state)


@pytest.fixture(scope="module")
def long_run():
    """The standard policy, and what a long run under it leaves, as a JSON value."""
    policy = load_policy("standard")
    return policy, json.loads(dump_state(policy, busy(policy), DIGEST))


@settings(PROPERTY, max_examples=400)
@given(data=st.data())
def test_stray_value_after_a_long_run(long_run, data):
    """So it is for what the comparison rules keep."""
    policy, written = long_run
    path = data.draw(st.sampled_from(list(places(written))))
    stray = data.draw(st.sampled_from(list(STRAY.values())))
    try:
        state = load_state(policy, json.dumps(replaced(written, path, stray)).encode(), DIGEST, SessionRecord())
    except ValueError:
        return
    for number in range(400, 414):
        for event in busy_events(number):
            policy.step(state, event)
    dump_state(policy, state, DIGEST)


@pytest.mark.parametrize("stray", STRAY.values(), ids=STRAY)
def test_stray_value_in_a_session(stray):
    """A value that does not belong, anywhere in a session's record, is refused with ValueError, or can be written."""
    halted = Finding(rule="stall", action="halt", tool="search", count=9, limit=8, text="")
    written = json.loads(dump_session(SessionRecord(7, halted)))
    for path in places(written):
        data = json.dumps(replaced(written, path, stray)).encode()
        try:
            record = load_session(data)
        except ValueError:
            continue
        dump_session(record)


def test_other_schema():
    """Bytes of another schema are refused in words that name both numbers."""
    with pytest.raises(ValueError, match="schema 2; this version reads 1"):
        load_state(FULL, full_state().replace(b"[1,", b"[2,", 1), DIGEST, SessionRecord())
