"""What makes two calls the same call, and two callers the same session."""

import hashlib
from types import SimpleNamespace
from uuid import UUID

import pytest

from toolbrake.loop_brake import call_hash, canonical_json, hash_prefix, session_key


def test_canonical_json_sorts_keys():
    """Keys are sorted at every level; arrays keep their order, text its blanks."""
    value = {"b": [2, 1], "a": {"d": "x ", "c": None}}

    assert canonical_json(value) == '{"a":{"c":null,"d":"x "},"b":[2,1]}'


def test_call_hash_is_sha256():
    """A call's hash is sha256 over tool name, newline and canonical arguments."""
    expected = hashlib.sha256(b'search\n{"q":"weather"}').hexdigest()

    assert call_hash("search", {"q": "weather"}) == expected


def test_call_hash_reads_json_text():
    """Arguments as JSON text are the same call as the value."""
    assert call_hash("search", '{"q": "weather"}') == call_hash("search", {"q": "weather"})


def test_hash_prefix():
    """Twelve digits of a hash are shown."""
    assert hash_prefix("0123456789abcdef") == "0123456789ab"


@pytest.mark.parametrize(
    ("session_id", "agent", "expected"),
    [
        (None, None, "default"),
        ("s1", None, "s1"),
        ("s1", "a1", "s1"),
        ("", "a1", "a1"),
        (None, "a1", "a1"),
        (None, "", "default"),
        (None, {"id": "a1"}, "a1"),
        (None, SimpleNamespace(id="a1"), "a1"),
        (None, SimpleNamespace(id=None), "default"),
        (None, object(), "default"),
        (7, None, "7"),
        (UUID(int=7), None, "00000000-0000-0000-0000-000000000007"),
        (None, {"id": 7}, "7"),
        (None, {"id": ["a1"]}, "default"),
    ],
)
def test_session_key(session_id, agent, expected):
    """The session is the id given, else the agent's, else the default one."""
    assert session_key(session_id, agent) == expected


@pytest.mark.parametrize("session_id", [object(), 1.5, True, ["s1"]])
def test_session_key_refuses_no_id(session_id):
    """A session id that is no id is misuse, and the message does not show it."""
    with pytest.raises(TypeError, match=rf"session_id must be .* \(got {type(session_id).__name__}\)"):
        session_key(session_id)
