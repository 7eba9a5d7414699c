"""A braked callable: counted and perhaps refused before the callable runs."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, TypeVar, cast

from toolbrake.core.functions import is_async
from toolbrake.loop_brake._brake import ledger_of
from toolbrake.loop_brake._calls import Seam
from toolbrake.loop_brake._identity import session_key
from toolbrake.loop_brake._reading import Body

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from toolbrake.loop_brake._brake import LoopBrake
    from toolbrake.loop_brake._ledger import Ledger, Passage

    Session = Callable[..., str | None]
    Enter = Callable[[tuple[Any, ...], dict[str, Any]], Passage | None]

F = TypeVar("F", bound="Callable[..., Any]")


def wrap_execute(
    execute: F,
    brake: LoopBrake,
    *,
    tool: str,
    session_id: object = None,
    session: Callable[..., object] | None = None,
) -> F:
    """``execute`` as a braked callable: every call of it is counted as a call of ``tool``, and refused by raising.

    Plain and ``async`` functions, methods, partials and callable objects are taken, and stay what they are to await
    or call; what a plain callable returns may be awaitable too. The body does not run when a call is refused.

    A call's arguments are ``{parameter: value}``, however they were passed, without defaults that were left out;
    where the callable takes one mapping, or one parameter called ``args``, ``arguments``, ``input``, ``params`` or
    ``parameters``, they are that value. An execution input beside them (a parameter called ``context``, ``ctx``,
    ``execution``, ``runtime`` or the like, or the second one after such an ``args``) is no argument: it says who
    calls. Only what cannot be one counts as such: an object, or a mapping with the fields below. Where no signature
    can be read, arguments go by their position.

    The session is ``session_id``; else what ``session``, called with the call's arguments, returns; else the
    execution input's ``session_id`` or ``sessionId``; else its ``agent_id``, ``agentId`` or ``agent`` (an id, or an
    object or mapping with ``id``); else ``"default"``.

    Raises:
        TypeError: ``execute`` cannot be called, or ``session_id`` is no id.
    """
    return cast("F", body(execute, ledger_of(brake), tool=tool, session=known_session(session_id, session)))


def known_session(session_id: object, session: Callable[..., object] | None) -> Session | None:
    """What tells a call's session before its execution input is asked, from the options of ``wrap_execute``."""
    if session_id not in (None, ""):
        fixed = session_key(session_id)
        return lambda *_, **__: fixed
    if session is None:
        return None

    def asked(*args: Any, **kwargs: Any) -> str | None:
        named = session(*args, **kwargs)
        return None if named in (None, "") else session_key(named)

    return asked


def body(
    execute: Callable[..., Any],
    ledger: Ledger,
    *,
    tool: str,
    session: Session | None = None,
    above: Seam | None = None,
) -> Callable[..., Any]:
    """A braked body. ``above`` is the seam of the registry's ``execute`` that leads to it."""
    if not callable(execute):
        raise TypeError(f"execute of {tool!r} must be callable (got {type(execute).__name__})")
    seam = Seam(is_body=True, above=above)
    reader = Body(execute)

    def enter(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Passage | None:
        if ledger.off:
            return None
        known = None if session is None else session(*args, **kwargs)
        return ledger.enter(reader.seen(tool, args, kwargs, session=known), seam)

    return braked(execute, enter)


def braked(execute: Callable[..., Any], enter: Enter) -> Callable[..., Any]:
    """``execute`` inside a seam. ``enter`` raises to refuse a call, and answers None to let it pass uncounted."""
    if is_async(execute):

        @functools.wraps(execute)
        async def run_async(*args: Any, **kwargs: Any) -> Any:
            passage = enter(args, kwargs)
            if passage is None:
                return await execute(*args, **kwargs)
            with passage:
                return await execute(*args, **kwargs)

        return run_async

    @functools.wraps(execute)
    def run(*args: Any, **kwargs: Any) -> Any:
        passage = enter(args, kwargs)
        return execute(*args, **kwargs) if passage is None else passage.run(execute, args, kwargs)

    return run
