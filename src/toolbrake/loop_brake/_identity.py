"""What makes two calls the same call, and two callers the same session."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING
from uuid import UUID

from toolbrake.core.canonical import canonical, fingerprint

if TYPE_CHECKING:
    from collections.abc import Iterable

DEFAULT_SESSION = "default"
"""The session of every call that names neither a session nor an agent."""

PREFIX_DIGITS = 12
"""Hex digits of a call's hash that errors and logs may show: enough to tell calls apart, too few to look one up."""

SESSION_FIELDS = ("session_id", "sessionId")
AGENT_FIELDS = ("agent_id", "agentId", "agent")


def canonical_json(value: object) -> str:
    """The text that is hashed: keys sorted at every level, no white space between tokens, nothing else changed."""
    return canonical(value).decode("utf-8", "surrogatepass")


def call_hash(tool: str, args: object) -> str:
    """The 64 hex digits of sha256 over tool name, newline and canonical arguments.

    Arguments that are JSON text count as its value. Of those that are 16 MB or longer only the beginning counts.
    """
    return fingerprint(tool, args).hex()


def hash_prefix(hash: str) -> str:
    """The part of a call's hash that may be shown."""
    return hash[:PREFIX_DIGITS]


def session_key(session_id: object = None, agent: object = None) -> str:
    """The session whose streak a call belongs to: the id given, else the agent's id, else ``"default"``.

    ``agent`` is an id, or an object or mapping with ``id``. Ids are texts, integers and UUIDs; an empty text is none.

    Raises:
        TypeError: ``session_id`` is no id. An agent without one is no error: agents need none.
    """
    explicit = usable_id(session_id)
    if explicit is None and session_id not in (None, ""):
        raise TypeError(f"session_id must be a text, an integer or a UUID (got {type(session_id).__name__})")
    return explicit or agent_id_of(agent) or DEFAULT_SESSION


def usable_id(value: object) -> str | None:
    """An id as text; None for everything that is no id."""
    if isinstance(value, str):
        return str(value) or None
    if isinstance(value, int | UUID) and not isinstance(value, bool):
        return str(value)
    return None


def agent_id_of(agent: object) -> str | None:
    """The id that an agent is or has; None where there is none."""
    return usable_id(agent) or usable_id(field(agent, ("id",)))


def session_of(sources: Iterable[object]) -> str | None:
    """The first session id in what came with a call, else the first agent id; None where nobody is named."""
    held = list(sources)
    ids = (usable_id(field(source, (name,))) for source in held for name in SESSION_FIELDS)
    agents = (agent_id_of(field(source, (name,))) for source in held for name in AGENT_FIELDS)
    return next(filter(None, ids), None) or next(filter(None, agents), None)


def field(source: object, names: tuple[str, ...]) -> object:
    """The first of these keys of a mapping, or attributes of an object, that is there and not None."""
    for name in names:
        value = source.get(name) if isinstance(source, Mapping) else getattr(source, name, None)
        if value is not None:
            return value
    return None
