"""The counts of one brake: a slot for each session, and the calls that are open right now, behind one lock."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Awaitable, Coroutine
from concurrent.futures import Future
from contextvars import ContextVar
from typing import TYPE_CHECKING
from weakref import WeakSet

from toolbrake.core.wording import name as shown
from toolbrake.errors import LoopBrakeError
from toolbrake.loop_brake._calls import OpenCall
from toolbrake.loop_brake._identity import DEFAULT_SESSION, hash_prefix
from toolbrake.rules._base import Streak

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn

    from toolbrake.loop_brake._calls import Seam, Seen

MAX_SESSIONS = 10_000
"""Sessions that a brake remembers; past it the one that called least recently is forgotten and starts over.

As many as a policy's live scopes: at about 400 bytes each it is 4 MB, and more than one process serves at a time.
"""

REMEMBERED_IDS = 64
"""Call ids that a slot remembers: more than any model asks for in one step."""


class Slot:
    """What is kept of a session: its streak, and the places of this streak's calls that may come a second time."""

    __slots__ = ("expected", "streak")

    def __init__(self) -> None:
        self.streak = Streak()
        self.expected: dict[str, int] = {}

    def place_of(self, seen: Seen, *, is_expected_again: bool) -> int:
        """The call's place in the streak. It is counted unless it is one that was expected again."""
        if seen.call_id in self.expected and seen.fingerprint == self.streak.fingerprint:
            return self.expected.pop(seen.call_id)
        count = self.streak.advance(seen.fingerprint)
        if count == 1:
            self.expected.clear()
        if is_expected_again and seen.call_id is not None:
            self.expected[seen.call_id] = count
            if len(self.expected) > REMEMBERED_IDS:
                del self.expected[next(iter(self.expected))]
        return count


class Ledger:
    """Counts calls, and refuses those past the limit. ``undo`` is run when the brake is disposed of."""

    def __init__(self, max_repeats: int, *, off: bool) -> None:
        self.max_repeats = max_repeats
        self.off = off
        self.undo: list[Callable[[], None]] = []
        self._lock = threading.Lock()
        self._slots: OrderedDict[str, Slot] = OrderedDict()
        # Weak, so that a coroutine that nobody awaits takes its call with it.
        self._open: WeakSet[OpenCall] = WeakSet()

    def check(self, seen: Seen) -> int:
        """Count a call that passes no seam of ours; its place in the streak. 0 where the brake is off."""
        if self.off:
            return 0
        seen.identify()
        with self._lock:
            known = next((call for call in self._open if call.has_id_of(seen) and not call.conflicts_with(seen)), None)
            if known is not None:
                return known.count
            count = self._count(seen, is_expected_again=seen.call_id is not None)
        if count >= self.max_repeats:
            self._refuse(seen, count)
        return count

    def enter(self, seen: Seen, seam: Seam) -> Passage:
        """Let a call through a seam; count it unless an earlier seam did."""
        here = next((held for held in _INSIDE.get() if held.ledger is self and held.call.passages), None)
        if here is not None and here.call.continues(here.bodies, seen, seam):
            with self._lock:
                return self._admit(here.call, here.bodies, seam)
        seen.identify()
        with self._lock:
            call = next((call for call in self._open if call.awaits(seen, seam)), None)
            count = self._count(seen) if call is None else call.count
            if count < self.max_repeats:
                return self._admit(call or OpenCall(seen, seam, count), (), seam)
        return self._refuse(seen, count)

    def leave(self, passage: Passage) -> None:
        """A call is through with a seam; through with its last, it is over."""
        call = passage.call
        with self._lock:
            call.passages -= 1
            call.bodies -= passage.seam.is_body
            if not call.passages:
                self._open.discard(call)

    def streak(self, session: str) -> Streak:
        """A copy of a session's streak."""
        with self._lock:
            slot = self._slots.get(session)
            return Streak() if slot is None else Streak(slot.streak.fingerprint, slot.streak.count)

    def reset(self, session: str | None) -> None:
        """Forget the streak of one session, or of all."""
        with self._lock:
            if session is None:
                self._slots.clear()
            else:
                self._slots.pop(session, None)

    def close(self) -> None:
        """Turn the brake off for good: undo what was attached, and forget everything."""
        self.off = True
        undo, self.undo = self.undo, []
        for take_back in undo:
            take_back()
        self.reset(None)

    def _admit(self, call: OpenCall, passed: tuple[Seam, ...], seam: Seam) -> Passage:
        """The call is inside one more seam. Needs the lock."""
        call.passages += 1
        call.bodies += seam.is_body
        self._open.add(call)
        return Passage(self, call, (*passed, seam) if seam.is_body else passed, seam)

    def _count(self, seen: Seen, *, is_expected_again: bool = False) -> int:
        """The call's place in its session's streak. Needs the lock."""
        key = seen.session or DEFAULT_SESSION
        slot = self._slots.get(key)
        if slot is None:
            slot = self._slots[key] = Slot()
            if len(self._slots) > MAX_SESSIONS:
                self._slots.popitem(last=False)
        self._slots.move_to_end(key)
        return slot.place_of(seen, is_expected_again=is_expected_again)

    def _refuse(self, seen: Seen, count: int) -> NoReturn:
        error = LoopBrakeError(
            tool_name=shown(seen.tool),
            count=count,
            max_repeats=self.max_repeats,
            hash_prefix=hash_prefix(seen.fingerprint.hex()),
            session_id=seen.session or DEFAULT_SESSION,
        )
        try:
            raise error from None
        finally:
            error.__context__ = None  # what the host is handling just now may quote the arguments


class Passage:
    """A call inside a seam, from entering it to leaving it. ``bodies``: those it has passed, this one included."""

    __slots__ = ("_around", "_inside", "bodies", "call", "ledger", "seam")

    def __init__(self, ledger: Ledger, call: OpenCall, bodies: tuple[Seam, ...], seam: Seam) -> None:
        self.ledger = ledger
        self.call = call
        self.bodies = bodies
        self.seam = seam
        self._around: tuple[Passage, ...] = ()
        self._inside: tuple[Passage, ...] = ()

    def run(self, execute: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Run the next seam or the body inside this one. What it returns may be awaited later: still inside."""
        self._step_in()
        try:
            result = execute(*args, **kwargs)
        except BaseException:
            self.ledger.leave(self)
            raise
        finally:
            self._step_out()
        return self._until_done(result)

    def __enter__(self) -> None:
        self._step_in()

    def __exit__(self, *_: object) -> None:
        self._step_out()
        self.ledger.leave(self)

    def _step_in(self) -> None:
        self._around = _INSIDE.get()
        # One passage a brake, so that a context that outlives its calls does not grow.
        self._inside = (*(held for held in self._around if held.ledger is not self.ledger), self)
        _INSIDE.set(self._inside)

    def _step_out(self) -> None:
        # A coroutine may be closed in another context than it ran in; that one is not ours to change.
        if _INSIDE.get() is self._inside:
            _INSIDE.set(self._around)
        self._around = self._inside = ()  # it held itself

    def _until_done(self, result: Any) -> Any:
        # Other awaitables are handed on as they are and end the call here: they may have methods of their own.
        if isinstance(result, Coroutine):
            return self._awaited(result)
        if isinstance(result, Future) or (isinstance(result, Awaitable) and hasattr(result, "add_done_callback")):
            result.add_done_callback(lambda _: self.ledger.leave(self))
        else:
            self.ledger.leave(self)
        return result

    async def _awaited(self, result: Coroutine[Any, Any, Any]) -> Any:
        with self:
            return await result


_INSIDE: ContextVar[tuple[Passage, ...]] = ContextVar("toolbrake_inside", default=())
"""The calls that the code of this context runs for, one for each brake."""
