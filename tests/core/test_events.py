"""Events and the mappings of the trace format: one translation, which loses nothing."""

from __future__ import annotations

import pytest
from hypothesis import given

from core.strategies import PROPERTY, events
from toolbrake.core.events import (
    MAIN,
    REQUIRED,
    TYPES,
    AgentEnd,
    Approve,
    Assistant,
    Call,
    Compact,
    Event,
    Refuse,
    Result,
    Run,
    RunEnd,
    Session,
    Spawn,
    Unknown,
    User,
    from_mapping,
    to_mapping,
)


@PROPERTY
@given(events())
def test_there_and_back(event):
    """An event that was written as a mapping reads back as the same event."""
    assert from_mapping(to_mapping(event)) == event


WRITTEN = [
    (User("hi"), {"type": "user", "content": "hi"}),
    (User("note", synthetic=True), {"type": "user", "content": "note", "synthetic": True}),
    (Assistant("text"), {"type": "assistant", "content": "text"}),
    (Call("read", {"path": "a"}), {"type": "call", "id": None, "tool": "read", "args": {"path": "a"}, "step": None}),
    (
        Call("read", "{}", id="c1", step="s1", tokens=5, replayed=True, agent=None, session="s", at=1.5),
        {
            "type": "call",
            "id": "c1",
            "tool": "read",
            "args": "{}",
            "step": "s1",
            "tokens": 5,
            "replayed": True,
            "agent": None,
            "session": "s",
            "at": 1.5,
        },
    ),
    (Result("c1", "text"), {"type": "result", "id": "c1", "content": "text", "error": None}),
    (
        Result("c1", error=True, head="a", tail="z", digest="00ff", length=9, denied_by="hook"),
        {
            "type": "result",
            "id": "c1",
            "error": True,
            "head": "a",
            "tail": "z",
            "digest": "00ff",
            "length": 9,
            "denied_by": "hook",
        },
    ),
    (Approve("c1", by="ann"), {"type": "approve", "id": "c1", "by": "ann"}),
    (Refuse("c1"), {"type": "refuse", "id": "c1"}),
    (Compact(), {"type": "compact"}),
    (Spawn(agent="w", parent="main"), {"type": "spawn", "agent": "w", "parent": "main"}),
    (AgentEnd(agent="w"), {"type": "agent_end", "agent": "w"}),
    (Run(trigger="retry"), {"type": "run", "trigger": "retry"}),
    (RunEnd(), {"type": "run_end"}),
    (Session(session="main"), {"type": "session", "session": "main"}),
    (Unknown("x_notice", extra={"level": 3}), {"type": "x_notice", "level": 3}),
]


@pytest.mark.parametrize(("event", "mapping"), WRITTEN, ids=[mapping["type"] for _, mapping in WRITTEN])
def test_written_form(event, mapping):
    """A mapping holds what an event says; fields at their default are left out."""
    assert to_mapping(event) == mapping


@pytest.mark.parametrize(("event", "mapping"), WRITTEN, ids=[mapping["type"] for _, mapping in WRITTEN])
def test_read_form(event, mapping):
    """The mapping of an event reads as that event."""
    assert from_mapping(mapping) == event


def test_result_does_not_write_its_call():
    """The call a live result points at is not part of its mapping."""
    result = Result("c1", "text", call=Call("read", {"path": "canary"}))

    assert "call" not in to_mapping(result)


DEFAULTS = [
    ({"type": "call", "tool": "x"}, "args", {}),
    ({"type": "call", "tool": "x"}, "id", None),
    ({"type": "call", "tool": "x"}, "step", None),
    ({"type": "call", "tool": "x"}, "tokens", None),
    ({"type": "call", "tool": "x"}, "agent", MAIN),
    ({"type": "call", "tool": "x"}, "session", MAIN),
    ({"type": "call", "tool": "x"}, "at", None),
    ({"type": "call", "tool": "x", "agent": None}, "agent", None),
    ({"type": "result"}, "error", None),
    ({"type": "result"}, "content", None),
    ({"type": "user"}, "synthetic", False),
]


@pytest.mark.parametrize(("mapping", "field", "value"), DEFAULTS)
def test_missing_fields(mapping, field, value):
    """What a mapping does not say is unknown, or the main scope's."""
    assert getattr(from_mapping(mapping), field) == value


UNREADABLE = [
    ({}, "type must be a text (got nothing)"),
    ({"type": None}, "type must be a text (got nothing)"),
    ({"type": ""}, "type must be a text (got str)"),
    ({"type": 3}, "type must be a text (got int)"),
    ({"type": "call"}, "call needs the field tool"),
    ({"type": "spawn"}, "spawn needs the field agent"),
    ({"type": "agent_end"}, "agent_end needs the field agent"),
    ({"type": "session"}, "session needs the field session"),
    ({"type": "call", "tool": 3}, "call.tool must be a text (got int)"),
    ({"type": "call", "tool": None}, "call.tool must be a text (got nothing)"),
    ({"type": "call", "tool": "x", "id": 7}, "call.id must be a text or null (got int)"),
    ({"type": "call", "tool": "x", "agent": ["a"]}, "call.agent must be a text or null (got list)"),
    ({"type": "call", "tool": "x", "session": {}}, "call.session must be a text or null (got dict)"),
    ({"type": "call", "tool": "x", "at": "noon"}, "call.at must be a number of seconds or null (got str)"),
    ({"type": "call", "tool": "x", "at": True}, "call.at must be a number of seconds or null (got bool)"),
    ({"type": "call", "tool": "x", "replayed": 1}, "call.replayed must be true or false (got int)"),
    ({"type": "result", "error": "yes"}, "result.error must be true, false or null (got str)"),
    ({"type": "result", "digest": 5}, "result.digest must be a text or null (got int)"),
    ({"type": "result", "denied_by": []}, "result.denied_by must be a text or null (got list)"),
    ({"type": "user", "synthetic": "no"}, "user.synthetic must be true or false (got str)"),
]


@pytest.mark.parametrize(("mapping", "message"), UNREADABLE, ids=[message for _, message in UNREADABLE])
def test_unreadable(mapping, message):
    """A mapping that is no event names the field, what is accepted, and the kind of value it has."""
    with pytest.raises(ValueError, match=r".") as caught:
        from_mapping(mapping)

    assert str(caught.value) == message


def test_unknown_type_is_kept():
    """An event of an unknown type keeps its scope, its time and all its fields."""
    event = from_mapping({"type": "x_notice", "agent": "w", "session": "s", "at": 3.0, "level": [1]})

    assert event == Unknown("x_notice", agent="w", session="s", at=3.0, extra={"level": [1]})


def test_unknown_field_is_kept():
    """A field that a type gives no meaning is kept beside it."""
    event = from_mapping({"type": "user", "content": "hi", "x_host": {"a": 1}})

    assert event == User("hi", extra={"x_host": {"a": 1}})


def test_field_named_like_a_live_one_is_kept():
    """A trace's own field ``call`` on a result is data, not the call itself."""
    event = from_mapping({"type": "result", "id": "c1", "call": "c0", "extra": 5})

    assert event.call is None
    assert event.extra == {"call": "c0", "extra": 5}


def test_types_are_named_once():
    """Every type stands in the table under its own name."""
    assert {name: kind.type for name, kind in TYPES.items()} == {name: name for name in TYPES}


def test_required_fields_are_fields():
    """What a type requires is one of its fields."""
    assert all(set(names) <= set(TYPES[kind].fields()) for kind, names in REQUIRED.items())


@pytest.mark.parametrize("kind", [*TYPES.values(), Unknown], ids=[*TYPES, "unknown"])
def test_every_event_has_a_scope_and_a_time(kind):
    """Every event can say to whom and when it happened."""
    assert issubclass(kind, Event)
    assert {"agent", "session", "at", "extra"} <= set(kind.fields())
