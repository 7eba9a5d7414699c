"""The live scopes of a guard: at most ``limit`` of them, the least used forgotten first.

Two generations. A scope that is used sits in the young one; when that holds half the limit, or has stood for the
idle time, the old generation is dropped and the young one becomes the old. So a use costs one look-up, a scope
among the last ``limit / 2`` used is never forgotten, and one that is idle is gone after twice the idle time.
"""

from __future__ import annotations

import weakref
from collections import deque
from typing import TYPE_CHECKING

from toolbrake.core.scopes import Scopes

if TYPE_CHECKING:
    from collections.abc import Hashable

    from toolbrake.core.policy import Policy
    from toolbrake.core.scopes import Key
    from toolbrake.core.state import State


class LiveScopes(Scopes):
    """``Scopes`` within a limit. ``evicted`` counts the scopes that the limit has cost; who reads it sets it back."""

    __slots__ = ("_half", "_next", "_old", "evicted")

    def __init__(self, policy: Policy, *, idle: float, limit: int) -> None:
        super().__init__(policy, idle=idle)
        self._half = max(1, limit // 2)
        self._old: dict[Key, State] = {}
        self._next: float | None = None
        self.evicted = 0

    def sweep(self, at: float) -> None:
        """Forget what has been idle for long. A clock that is set back puts it off, and forgets nothing."""
        if self._next is not None and at < self._next:
            return
        if self._next is not None:
            halted = {key: state for key, state in self._old.items() if state.session.halted is not None}
            for key in halted:
                del self._old[key]
            self._turn_over()
            self._old.update(halted)
        self._next = at + self.idle

    def known(self, key: Key) -> State | None:
        """The state of a scope, young again; None where there is none."""
        if key in self._old:
            self.states[key] = self._old.pop(key)
        return self.states.get(key)

    def state(self, key: Key) -> State:
        """The state of a scope, made where there is none, and young again."""
        state = self.states.get(key)
        if state is not None:
            return state
        if len(self.states) >= self._half:
            self.evicted += self._turn_over()
        old = self._old.pop(key, None)
        if old is None:
            return super().state(key)
        self.states[key] = old
        return old

    def drop(self, key: Key) -> State | None:
        """Forget a scope, whichever generation it is in."""
        self.known(key)
        return super().drop(key)

    def _turn_over(self) -> int:
        """Drop the old generation; how many that were."""
        gone = list(self._old)
        for key in gone:
            self.drop(key)
        self._old, self.states = self.states, {}
        return len(gone)


class Identities:
    """Names for whatever a host uses as a session or an agent.

    Text, numbers and None name themselves. Any other object is known by identity: it gets a name of its own for as
    long as it lives. ``scopes`` holds the scopes that such names are part of, ``dead`` the names of objects gone.
    """

    __slots__ = ("_names", "_serial", "dead", "scopes")

    def __init__(self) -> None:
        self._names: dict[int, tuple[weakref.ref[object], str]] = {}
        self._serial = 0
        self.scopes: dict[str, set[Key]] = {}
        self.dead: deque[str] = deque()

    def key(self, session: object, agent: object) -> Key:
        """The scope of a session and an agent.

        Raises:
            TypeError: one of them is neither a plain value nor an object that can be weakly referenced.
        """
        if type(session) is str and type(agent) is str:
            return (session, agent)
        key = (self._name(session), self._name(agent))
        for part, identity in zip(key, (session, agent), strict=True):
            if part is not identity and isinstance(part, str):
                self.scopes.setdefault(part, set()).add(key)
        return key

    def _name(self, identity: object) -> Hashable:
        if identity is None or isinstance(identity, (str, int, float)):
            return identity
        place = id(identity)
        known = self._names.get(place)
        if known is not None and known[0]() is identity:
            return known[1]
        self._serial += 1
        name = f"{type(identity).__qualname__}#{self._serial}"

        def gone(_: weakref.ref[object]) -> None:
            self._names.pop(place, None)
            self.dead.append(name)

        try:
            self._names[place] = (weakref.ref(identity, gone), name)
        except TypeError:
            raise TypeError(
                "a session or an agent must be a text, a number, None, or an object that can be weakly referenced "
                f"(got {type(identity).__qualname__})"
            ) from None
        return name
