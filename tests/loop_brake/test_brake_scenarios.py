"""The seed's own scenarios, by their numbers in its behaviour report."""

import pytest
from registries import CallRegistry, Registry, Tool, outcome

from toolbrake.loop_brake import (
    InvalidMaxRepeatsError,
    LoopBrake,
    LoopBrakeError,
    attach,
    call_hash,
    decorate_tool,
    hash_prefix,
)

CALLS = {
    "A": ("search", {"q": "weather", "page": {"from": 1, "to": 2}}),
    "A'": ("search", {"page": {"to": 2, "from": 1}, "q": "weather"}),
    "A_": ("search", {"q": "weather ", "page": {"from": 1, "to": 2}}),
    "B": ("read", {"q": "weather", "page": {"from": 1, "to": 2}}),
}


def outcomes(brake, calls):
    """What becomes of calls; ``s1:A`` is call A in session s1, ``-`` a user turn, which the brake is not told of."""
    told = []
    for step in calls.split():
        session, _, name = step.rpartition(":")
        if name != "-":
            told.append(outcome(brake.check, *CALLS[name], session_id=session or None))
    return told


SEQUENCES = [
    ("91 the third in a row is refused", None, "A A A", ["ok", "ok", 3]),
    ("92 a limit of one refuses every call", 1, "A B", [1, 1]),
    ("92 a limit of five refuses the fifth", 5, "A A A A A", ["ok", "ok", "ok", "ok", 5]),
    ("93 another call ends the streak", None, "A A B A A", ["ok"] * 5),
    ("93 alternating calls are never refused", None, "A B A B A B", ["ok"] * 6),
    ("94 key order does not matter", None, "A A' A", ["ok", "ok", 3]),
    ("94 a blank matters", None, "A A A_", ["ok"] * 3),
    ("95 sessions are counted apart", None, "s1:A s1:A s2:A s2:A", ["ok"] * 4),
    ("95 interleaved sessions are counted apart", None, "s1:A s2:A s1:A s2:A s1:A", ["ok"] * 4 + [3]),
    ("95 callers without ids share the default session", None, "A A A", ["ok", "ok", 3]),
    ("101 refused calls go on counting", None, "A A A A A", ["ok", "ok", 3, 4, 5]),
    ("101 another call starts over", None, "A A A A B A", ["ok", "ok", 3, 4, "ok", "ok"]),
    ("105 a user turn resets nothing", None, "A A - A", ["ok", "ok", 3]),
]


@pytest.mark.parametrize(
    ("limit", "calls", "expected"), [row[1:] for row in SEQUENCES], ids=[row[0] for row in SEQUENCES]
)
def test_sequence(limit, calls, expected):
    """Every sequence of calls has the outcomes that the seed gives it."""
    brake = LoopBrake(limit, environ={})

    assert outcomes(brake, calls) == expected


def test_91_body_does_not_run():
    """The refused call's body does not run."""
    tool = Tool()
    braked = decorate_tool(tool, LoopBrake(environ={}))

    assert [outcome(braked.execute, {"q": "weather"}) for _ in range(3)] == ["ok", "ok", 3]
    assert tool.ran == [{"q": "weather"}] * 2


def test_96_session_id_beats_agent_id():
    """An explicit session id is the session, whoever the agent is."""
    brake = LoopBrake(environ={})
    brake.check("search", {}, session_id="s1", agent_id="a1")
    brake.check("search", {}, session_id="s1", agent_id="a2")

    assert (brake.streak("s1").count, brake.streak("a1").count, brake.streak("a2").count) == (2, 0, 0)


@pytest.mark.parametrize("limit", [0, 1.5, "three", -1, True])
def test_97_unusable_limit(limit):
    """An unusable limit is an error when the brake is attached, before the registry is touched."""
    registry = Registry()
    before = dict(vars(registry))

    with pytest.raises(InvalidMaxRepeatsError):
        attach(registry, {"maxRepeats": limit}, environ={})
    assert vars(registry) == before


@pytest.mark.parametrize(
    ("config", "limit"), [(None, 5), ({}, 5), ({"max_repeats": 2}, 2), ({"maxRepeats": 2}, 2), (2, 2)]
)
def test_98_environment(config, limit):
    """The environment is asked only where the configuration names no limit."""
    brake = LoopBrake(config, environ={"DSH_LOOP_BRAKE_MAX_REPEATS": "5"})

    assert brake.max_repeats == limit


def test_98_unusable_environment():
    """An unusable limit in the environment is an error, as in the configuration."""
    with pytest.raises(InvalidMaxRepeatsError, match="DSH_LOOP_BRAKE_MAX_REPEATS"):
        LoopBrake(environ={"DSH_LOOP_BRAKE_MAX_REPEATS": "many"})


def test_99_both_seams():
    """A call that passes execute and the body under one id is counted once."""
    registry = CallRegistry()
    attach(registry, environ={})
    registry.register(Tool())
    calls = [{"id": f"c{number}", "name": "search", "arguments": {"q": "weather"}} for number in range(4)]

    assert [outcome(registry.execute, call) for call in calls] == ["ok", "ok", 3, 4]


def test_100_fields():
    """The error has the seven fields of the seed."""
    brake = LoopBrake(2, environ={})
    brake.check("search", {"q": "weather"}, session_id="s1")

    with pytest.raises(LoopBrakeError) as caught:
        brake.check("search", {"q": "weather"}, session_id="s1")
    error = caught.value
    assert (error.code, error.tool_name, error.count, error.max_repeats) == ("LOOP_BRAKE", "search", 2, 2)
    assert (error.session_id, error.plugin) == ("s1", "toolbrake")
    assert error.hash_prefix == hash_prefix(call_hash("search", {"q": "weather"}))
    assert len(error.hash_prefix) == 12


def test_102_dispose():
    """A registry whose brake is disposed of runs everything, and its methods are its class's again."""
    registry = Registry()
    brake = attach(registry, environ={})
    registry.register(Tool())
    before = [outcome(registry.execute, "search", {}) for _ in range(3)]
    brake.dispose()

    assert before == ["ok", "ok", 3]
    assert [outcome(registry.execute, "search", {}) for _ in range(3)] == ["ok"] * 3
    assert vars(registry).keys() == {"tools"}


def test_102_reload_starts_at_zero():
    """A brake attached again remembers nothing of the one before."""
    registry = Registry()
    attach(registry, environ={}).dispose()
    registry.register(Tool())
    first = attach(registry, environ={})
    for _ in range(2):
        registry.execute("search", {})
    first.dispose()
    attach(registry, environ={})

    assert [outcome(registry.execute, "search", {}) for _ in range(3)] == ["ok", "ok", 3]


def test_103_registered_before():
    """A tool registered before the brake is covered by execute, and only by it."""
    registry = Registry()
    tool = Tool()
    registry.register(tool)
    attach(registry, environ={})
    through_execute = [outcome(registry.execute, "search", {}) for _ in range(3)]

    assert through_execute == ["ok", "ok", 3]
    assert [outcome(tool.execute, {}) for _ in range(3)] == ["ok"] * 3


def test_104_original_runs_without_limit():
    """A decorated definition is a copy: the original is not counted and not refused."""
    tool = Tool()
    braked = decorate_tool(tool, LoopBrake(1, environ={}))

    assert [outcome(tool.execute, {}) for _ in range(4)] == ["ok"] * 4
    assert outcome(braked.execute, {}) == 1
