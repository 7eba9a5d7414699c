"""What both guards share: one atomic step for each event, whatever goes wrong in it."""

from __future__ import annotations

import os
import threading
import time
from typing import TYPE_CHECKING

from toolbrake.config import load
from toolbrake.core.canonical import accelerate
from toolbrake.core.decision import ALLOW, Decision
from toolbrake.core.events import Call
from toolbrake.guard._table import Identities, LiveScopes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from toolbrake.core.decision import Finding
    from toolbrake.core.events import Event
    from toolbrake.core.policy import Policy
    from toolbrake.observers import Observer

OFF = "TOOLBRAKE_OFF"
"""Environment variable: ``1`` when a guard is built, and it lets everything pass. The person's way past it."""

FAULT = "fault"
"""Why a decision is degraded: toolbrake failed, and ``on_error`` decided."""


class Engine:
    """A policy and its live scopes behind one lock.

    The lock is re-entrant, because observers are called under it and may ask the guard something.
    """

    def __init__(self, source: object, *, observers: Iterable[Observer], clock: Callable[[], float] | None) -> None:
        loaded = load(source)
        self.policy: Policy = loaded.policy
        self.observers = tuple(observers)
        self.clock = clock or time.time
        self.idle = loaded.limits.idle
        self.limit = loaded.limits.limit
        self.off = os.environ.get(OFF) == "1"
        self.faults = 0
        self._open()

    def _open(self) -> None:
        accelerate()
        self._lock = threading.RLock()
        self._scopes = LiveScopes(self.policy, idle=self.idle, limit=self.limit)
        self._identities = Identities()

    def apply(self, event: Event) -> Decision:
        """Take an event in and answer it. Its time and the names of its scope are filled in.

        Never raises for a fault of toolbrake; only for an identity that cannot be one (TypeError).
        """
        if self.off:
            return ALLOW
        with self._lock:
            whose = (event.session, event.agent)
            if type(event.session) is not str or type(event.agent) is not str:
                event.session, event.agent = self._identities.key(*whose)
            try:
                if event.clocked or not isinstance(event.at, (int, float)):
                    event.at = self.clock()
                    event.clocked = True
                decision = self._scopes.step(event)
                self._tidy(event.at)
            except Exception as fault:  # noqa: BLE001 - a bug of ours must not end somebody's agent; on_error decides
                decision = self._failed(event, fault)
            if self.observers:
                self._tell(event, decision)
            event.session, event.agent = whose
        return decision

    def forget(self, session: object, agent: object) -> None:
        """Drop a scope."""
        with self._lock:
            self._scopes.drop(self._identities.key(session, agent))

    def forget_session(self, session: object) -> None:
        """Drop every scope of a session, and with them its halt."""
        with self._lock:
            for key in self._scopes.members(self._identities.key(session, None)[0]):
                self._scopes.drop(key)

    def halt(self, session: object) -> Finding | None:
        """The finding that ended the session, as long as nobody has spoken since."""
        with self._lock:
            members = self._scopes.sessions.get(self._identities.key(session, None)[0])
            return None if members is None else members.record.halted

    def _tidy(self, at: float) -> None:
        """Forget the scopes that are idle, that died with their identity, or that the limit pushed out."""
        scopes = self._scopes
        scopes.sweep(at)
        while self._identities.dead:
            for key in self._identities.scopes.pop(self._identities.dead.popleft(), ()):
                scopes.drop(key)
        if scopes.evicted:
            evicted, scopes.evicted = scopes.evicted, 0
            for observer in self.observers:
                self._quietly(lambda told=observer: told.evicted(evicted))  # type: ignore[misc]  # mypy cannot infer a bound lambda

    def _failed(self, event: Event, fault: Exception) -> Decision:
        self.faults += 1
        state = self._scopes.known((event.session, event.agent))
        if state is not None and isinstance(event, Call) and isinstance(event.id, str):
            # Nobody has judged it, so a second delivery must not pass for a call that was.
            state.opened.pop(state.find(event.id, None), None)  # type: ignore[arg-type]  # None is no key of it
        for observer in self.observers:
            self._quietly(lambda told=observer: told.faulted(event, fault))  # type: ignore[misc]  # as above
        if event.type != "call" or self.policy.observes or self.policy.on_error == "allow":
            return Decision(degraded=(FAULT,))
        text = "toolbrake: the call could not be judged, and this policy denies what it cannot judge."
        return Decision("deny", text=text, degraded=(FAULT,))

    def _tell(self, event: Event, decision: Decision) -> None:
        for observer in self.observers:
            self._quietly(lambda told=observer: told.decided(event, decision))  # type: ignore[misc]  # as above

    def _quietly(self, tell: Callable[[], None]) -> None:
        try:
            tell()
        except Exception:  # noqa: BLE001 - an observer cannot change a decision, so neither can its failure
            self.faults += 1

    def __getstate__(self) -> dict[str, object]:
        kept = ("policy", "observers", "clock", "idle", "limit", "off")
        return {name: getattr(self, name) for name in kept}

    def __setstate__(self, state: dict[str, object]) -> None:
        self.__dict__.update(state)
        self.faults = 0
        self._open()
