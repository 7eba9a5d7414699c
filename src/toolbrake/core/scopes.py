"""Which state an event belongs to: the fold over many scopes.

``Scopes.step`` finds the state of the event's session and agent and hands both to the policy. Events about a whole
session reach all its scopes. A guard adds locks, limits and faults around this; a replay uses it as it is.
"""

from __future__ import annotations

from toolbrake.core.decision import ALLOW
from toolbrake.core.state import SessionRecord

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable

    from toolbrake.core.decision import Decision
    from toolbrake.core.events import Event
    from toolbrake.core.policy import Policy
    from toolbrake.core.state import State

    Key = tuple[Hashable, Hashable]

SESSION_WIDE = frozenset({"run", "run_end"})
"""Event types that concern every scope of their session."""


_NOT_ONE_SCOPE = SESSION_WIDE | {"agent_end"}

IDLE = 3600.0
"""Seconds without an event after which a scope starts over: longer than any pause inside a run seen so far."""


class Scopes:
    """The live states of one policy, by session and agent.

    ``idle``: seconds after which a scope that is used again starts over. A halted session does not: a halt stays
    until a person speaks. Time that runs backwards expires nothing.
    """

    __slots__ = ("idle", "policy", "sessions", "states")

    def __init__(self, policy: Policy, *, idle: float = IDLE) -> None:
        self.policy = policy
        self.idle = idle
        self.states: dict[Key, State] = {}
        self.sessions: dict[Hashable, Members] = {}

    def step(self, event: Event) -> Decision:
        """Take one event in, wherever it belongs, and answer it."""
        if event.type in _NOT_ONE_SCOPE:
            return self._several(event)
        key = (event.session, event.agent)
        state = self.state(key)
        at = event.at
        if at is not None and (state.at is None or at > state.at):
            if state.at is not None and at - state.at > self.idle and state.session.halted is None:
                state = self.states[key] = self.policy.start(state.session)
            state.at = at
        return self.policy.step(state, event)

    def _several(self, event: Event) -> Decision:
        """An event that ends a scope, or concerns every scope of its session."""
        if event.type == "agent_end":
            self._end((event.session, event.agent))
        else:
            for key in self.members(event.session):
                self.policy.step(self.state(key), event)
        return ALLOW

    def state(self, key: Key) -> State:
        """The state of a scope, made where there is none."""
        state = self.states.get(key)
        if state is None:
            session = self.sessions.get(key[0])
            if session is None:
                session = self.sessions[key[0]] = Members()
            state = self.states[key] = self.policy.start(session.record)
            session.agents[key[1]] = None
        return state

    def _end(self, key: Key) -> None:
        """An agent is gone. In a halted session its scope stays, empty: the halt must outlive who caused it."""
        state = self.known(key)
        if state is not None and state.session.halted is not None:
            self.states[key] = self.policy.start(state.session)
        else:
            self.drop(key)

    def known(self, key: Key) -> State | None:
        """The state of a scope; None where there is none."""
        return self.states.get(key)

    def members(self, session: Hashable) -> list[Key]:
        """The scopes of a session that are live."""
        known = self.sessions.get(session)
        return [] if known is None else [(session, agent) for agent in known.agents]

    def drop(self, key: Key) -> State | None:
        """Forget a scope, and its session's record with the last of its scopes; what was forgotten."""
        state = self.states.pop(key, None)
        if state is None:
            return None
        session = self.sessions[key[0]]
        del session.agents[key[1]]
        if not session.agents:
            del self.sessions[key[0]]
        return state


class Members:
    """A session: its record, and the agents that have a scope in it, in order of their first call."""

    __slots__ = ("agents", "record")

    def __init__(self) -> None:
        self.agents: dict[Hashable, None] = {}
        self.record = SessionRecord()
