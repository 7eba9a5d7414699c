"""A guarded function: the guard around both sides of its body."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, TypeVar, cast

from toolbrake.core.events import Call
from toolbrake.core.functions import Parameters, is_async
from toolbrake.errors import LoopHalted

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from toolbrake.core.decision import Note
    from toolbrake.guard._asynchronous import AsyncGuard
    from toolbrake.guard._attempt import Sides
    from toolbrake.guard._synchronous import Guard

    Identity = Callable[[], object] | object

F = TypeVar("F", bound="Callable[..., Any]")


class Wrapping:
    """How one function's calls become a guard's: the tool's name, and whose calls they are."""

    def __init__(self, function: Callable[..., Any], tool: str | None, session: Identity, agent: Identity) -> None:
        self._parameters = Parameters(function)
        self._tool = tool or str(getattr(function, "__name__", type(function).__name__))
        self._session = session
        self._agent = agent

    def call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Call:
        """The call, with its arguments by parameter however they were passed."""
        named, rest = self._parameters.named(args, kwargs)
        return Call(self._tool, named | rest, session=_now(self._session), agent=_now(self._agent))


def wrapped(guard: Guard, function: F, wrapping: Wrapping) -> F:
    """``function`` with ``guard`` on both sides of its body."""

    @functools.wraps(function)
    def run(*args: Any, **kwargs: Any) -> Any:
        with guard.around(wrapping.call(args, kwargs)) as attempt:
            result = None
            if attempt.asks:
                attempt.refuse(by="nobody to ask")
            if attempt.runs:
                result = function(*args, **kwargs)
                attempt.succeed(result)
        return _told(attempt, result)

    return cast("F", run)


def wrapped_async(guard: AsyncGuard, function: F, wrapping: Wrapping) -> F:
    """``function``, a coroutine function, with ``guard`` on both sides of its body."""
    if not is_async(function):
        raise TypeError("AsyncGuard.wrap takes coroutine functions; Guard.wrap takes plain ones")

    @functools.wraps(function)
    async def run(*args: Any, **kwargs: Any) -> Any:
        async with guard.around(wrapping.call(args, kwargs)) as attempt:
            result = None
            if attempt.asks:
                await attempt.refuse(by="nobody to ask")
            if attempt.runs:
                result = await function(*args, **kwargs)
                attempt.succeed(result)
        return _told(attempt, result)

    return cast("F", run)


def with_notes(result: object, notes: tuple[Note, ...]) -> object:
    """A text result with the reminders below it, each under its source. Any other result is left as it is."""
    if not isinstance(result, str) or not notes:
        return result
    return "\n\n".join([result, *(f"[{note.source}] {note.text}" for note in notes)])


def _told(attempt: Sides, result: object) -> object:
    """What the function gives back: its result with the notes, or the text of the denial. Raises for a halt."""
    if attempt.runs:
        return with_notes(result, attempt.notes)
    if attempt.before is not None and attempt.before.action == "halt":
        raise LoopHalted(attempt.before)
    return with_notes(attempt.text, attempt.notes)


def _now(identity: Identity) -> object:
    return identity() if callable(identity) and not isinstance(identity, type) else identity
