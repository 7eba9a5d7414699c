"""``AsyncGuard``: the same verbs for hosts that call their tools in coroutines."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from toolbrake.core.events import MAIN
from toolbrake.guard._attempt import AsyncAttempt
from toolbrake.guard._synchronous import Guard
from toolbrake.guard._wrapping import Wrapping, wrapped_async

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from toolbrake.core.decision import Decision, Finding
    from toolbrake.core.events import Call
    from toolbrake.core.policy import Policy
    from toolbrake.observers import Observer

F = TypeVar("F", bound="Callable[..., object]")


class AsyncGuard:
    """``Guard`` with the same verbs as coroutines. A decision never waits between judging a call and counting it.

    Raises:
        ConfigError: the policy cannot be built.
    """

    def __init__(
        self,
        policy: object = "standard",
        *,
        observers: Iterable[Observer] = (),
        clock: Callable[[], float] | None = None,
    ) -> None:
        self._guard = Guard(policy, observers=observers, clock=clock)

    @property
    def policy(self) -> Policy:
        """The policy that decides."""
        return self._guard.policy

    @property
    def faults(self) -> int:
        """See ``Guard.faults``."""
        return self._guard.faults

    async def check(self, call: Call) -> Decision:
        """See ``Guard.check``."""
        return self._guard.check(call)

    async def record(self, call: Call, content: object = None, *, error: bool | None = None) -> Decision:
        """See ``Guard.record``."""
        return self._guard.record(call, content, error=error)

    async def denied(self, call: Call, text: str = "", *, by: str) -> Decision:
        """See ``Guard.denied``."""
        return self._guard.denied(call, text, by=by)

    async def approve(self, call: Call, *, by: str | None = None) -> Decision:
        """See ``Guard.approve``."""
        return self._guard.approve(call, by=by)

    async def refuse(self, call: Call, *, by: str | None = None) -> Decision:
        """See ``Guard.refuse``."""
        return self._guard.refuse(call, by=by)

    async def user_turn(self, content: object = None, *, session: object = MAIN, agent: object = MAIN) -> None:
        """See ``Guard.user_turn``."""
        self._guard.user_turn(content, session=session, agent=agent)

    async def compacted(self, *, session: object = MAIN, agent: object = MAIN) -> None:
        """See ``Guard.compacted``."""
        self._guard.compacted(session=session, agent=agent)

    async def run_started(self, *, session: object = MAIN, trigger: str | None = None) -> None:
        """See ``Guard.run_started``."""
        self._guard.run_started(session=session, trigger=trigger)

    async def run_ended(self, *, session: object = MAIN) -> None:
        """See ``Guard.run_ended``."""
        self._guard.run_ended(session=session)

    async def spawned(self, agent: object, *, parent: object = MAIN, session: object = MAIN) -> None:
        """See ``Guard.spawned``."""
        self._guard.spawned(agent, parent=parent, session=session)

    async def agent_ended(self, agent: object, *, session: object = MAIN) -> None:
        """See ``Guard.agent_ended``."""
        self._guard.agent_ended(agent, session=session)

    async def forget(self, *, session: object = MAIN, agent: object = MAIN) -> None:
        """See ``Guard.forget``."""
        self._guard.forget(session=session, agent=agent)

    async def forget_session(self, session: object) -> None:
        """See ``Guard.forget_session``."""
        self._guard.forget_session(session)

    async def halted(self, session: object = MAIN) -> bool:
        """See ``Guard.halted``."""
        return self._guard.halted(session)

    async def halt(self, session: object = MAIN) -> Finding | None:
        """See ``Guard.halt``."""
        return self._guard.halt(session)

    def around(self, call: Call) -> AsyncAttempt:
        """Both sides of a call, for ``async with``; see ``Attempt``."""
        return AsyncAttempt(self, call)

    def wrap(self, function: F, *, tool: str | None = None, session: object = MAIN, agent: object = MAIN) -> F:
        """``Guard.wrap`` for coroutine functions."""
        return wrapped_async(self, function, Wrapping(function, tool, session, agent))

    def __deepcopy__(self, memo: dict[int, object]) -> AsyncGuard:
        return self
