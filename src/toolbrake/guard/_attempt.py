"""Both sides of one call: judge it, run it or not, take in what came of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolbrake.core.decision import ALLOW
from toolbrake.core.events import Call, Result

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from toolbrake.core.decision import Decision, Note
    from toolbrake.guard._asynchronous import AsyncGuard
    from toolbrake.guard._synchronous import Guard


def outcome_of(call: Call, content: object, *, error: bool | None, denied_by: str | None = None) -> Result:
    """The event for what came of a call."""
    return Result(call.id, content, error=error, denied_by=denied_by, call=call, agent=call.agent, session=call.session)


class Sides:
    """What both forms of an attempt hold.

    Leave the block without calling ``succeed`` or ``fail``, and what came of the call is unknown. An exception that
    leaves the block is recorded as a failure, by its text; one that is no ``Exception`` (an interrupt, a cancelled
    task) says nothing about the call and is not.
    """

    def __init__(self, call: Call) -> None:
        self.call = call
        self.before: Decision | None = None
        self.after: Decision | None = None
        self._asked: Decision | None = None
        self._content: object = None
        self._error: bool | None = None

    @property
    def runs(self) -> bool:
        """Whether the body may run."""
        return self.before is not None and self.before.runs

    @property
    def asks(self) -> bool:
        """Whether a person has to answer first: ``approve`` or ``refuse``."""
        return self.before is not None and self.before.action == "ask"

    @property
    def text(self) -> str:
        """What the model is told in place of a result when the body must not run."""
        return "" if self.before is None else self.before.text

    @property
    def notes(self) -> tuple[Note, ...]:
        """What the model is told beside the result; complete once the block has been left."""
        said = (self._asked, self.before, self.after)
        return tuple(note for decision in said if decision is not None for note in decision.notes)

    def succeed(self, content: object) -> None:
        """The body brought ``content``."""
        self._content, self._error = content, False

    def fail(self, content: object) -> None:
        """The body failed, and ``content`` says how."""
        self._content, self._error = content, True

    def _leave(self, fault: BaseException | None) -> bool:
        """Note what left the block; whether there is something to record."""
        if isinstance(fault, Exception):
            self.fail(_text_of(fault))
        return self.runs and (fault is None or isinstance(fault, Exception))


class Attempt(Sides):
    """Both sides of one call, in a ``with`` block.

    Example:
        >>> from toolbrake import Call, Guard
        >>> guard = Guard("brake")
        >>> for _ in range(3):
        ...     with guard.around(Call("search", {"q": "weather"})) as attempt:
        ...         if attempt.runs:
        ...             attempt.succeed("rain")
        >>> attempt.runs
        False
    """

    def __init__(self, guard: Guard, call: Call) -> None:
        super().__init__(call)
        self._guard = guard

    def __enter__(self) -> Self:
        self.before = self._guard.check(self.call)
        return self

    def __exit__(self, kind: object, fault: BaseException | None, trace: TracebackType | None) -> None:
        if self._leave(fault):
            self.after = self._guard.record(self.call, self._content, error=self._error)

    def approve(self, *, by: str | None = None) -> None:
        """A person answered the question the decision asked: the body may run."""
        self._guard.approve(self.call, by=by)
        self._asked, self.before = self.before, ALLOW

    def refuse(self, *, by: str | None = None) -> None:
        """A person said no, or nobody was there to ask."""
        self._asked, self.before = self.before, self._guard.refuse(self.call, by=by)


class AsyncAttempt(Sides):
    """Both sides of one call, in an ``async with`` block."""

    def __init__(self, guard: AsyncGuard, call: Call) -> None:
        super().__init__(call)
        self._guard = guard

    async def __aenter__(self) -> Self:
        self.before = await self._guard.check(self.call)
        return self

    async def __aexit__(self, kind: object, fault: BaseException | None, trace: TracebackType | None) -> None:
        if self._leave(fault):
            self.after = await self._guard.record(self.call, self._content, error=self._error)

    async def approve(self, *, by: str | None = None) -> None:
        """A person answered the question the decision asked: the body may run."""
        await self._guard.approve(self.call, by=by)
        self._asked, self.before = self.before, ALLOW

    async def refuse(self, *, by: str | None = None) -> None:
        """A person said no, or nobody was there to ask."""
        self._asked, self.before = self.before, await self._guard.refuse(self.call, by=by)


def _text_of(fault: Exception) -> str:
    """What an exception says; its type alone where it cannot say."""
    try:
        return f"{type(fault).__name__}: {fault}"
    except Exception:  # noqa: BLE001 - somebody's __str__ must not replace the exception that is on its way
        return type(fault).__name__
