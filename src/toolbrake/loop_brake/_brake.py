"""``LoopBrake``: counts the calls of many sessions and raises at the limit."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolbrake.config import normalize_max_repeats, resolve_max_repeats
from toolbrake.core.canonical import accelerate
from toolbrake.loop_brake._calls import Seen
from toolbrake.loop_brake._identity import DEFAULT_SESSION, hash_prefix, session_key, usable_id
from toolbrake.loop_brake._ledger import Ledger

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Self

OFF = "TOOLBRAKE_OFF"
"""Environment variable: ``1`` when a brake is made, and it lets everything pass. The person's way past it."""


@dataclass(frozen=True, slots=True)
class SessionStreak:
    """How often in a row a session has made its latest call, refused ones included.

    ``count`` is 0 and ``hash_prefix`` empty for a session that made none. The arguments are not kept.
    """

    count: int = 0
    hash_prefix: str = ""


class LoopBrake:
    """Refuses the n-th identical call in a row of a session, by raising ``LoopBrakeError``.

    One slot a session, for at most 10,000 sessions: past that, the one that called least recently starts over. Any
    number of threads and tasks may use one brake; brakes share nothing. A user turn resets nothing. A copy is the
    same brake, because hosts copy their agents; a pickle holds the limit and no counts.

    The limit is ``max_repeats``, or that of the configuration given first (the number, or a mapping with
    ``max_repeats`` or ``maxRepeats``), else of ``DSH_LOOP_BRAKE_MAX_REPEATS`` in the environment, else 3. ``environ``
    stands in for the process's environment.

    Raises:
        InvalidMaxRepeatsError: the limit is no integer of at least 1.
        ConfigError: the configuration holds an unknown key.
        TypeError: the limit is given twice.
    """

    def __init__(
        self,
        config_or_max_repeats: Mapping[str, object] | int | None = None,
        *,
        max_repeats: int | None = None,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        environ = os.environ if environ is None else environ
        if max_repeats is None:
            limit = resolve_max_repeats(config_or_max_repeats, environ=environ)
        elif config_or_max_repeats is None:
            limit = normalize_max_repeats(max_repeats)
        else:
            raise TypeError("max_repeats is given twice: pass a configuration or max_repeats, not both")
        accelerate()
        self._ledger = Ledger(limit, off=environ.get(OFF) == "1")

    @property
    def max_repeats(self) -> int:
        """The place in a streak, that call included, at which a call is refused."""
        return self._ledger.max_repeats

    def check(
        self,
        tool: str,
        args: object,
        *,
        session_id: object = None,
        agent_id: object = None,
        call_id: str | None = None,
    ) -> int:
        """Count a call that is about to run; its place in the session's streak, this call included.

        ``args`` is the value the tool is given, or its JSON text. The session is ``session_key(session_id,
        agent_id)``. ``call_id`` is for hosts that pass one call by two places: the second time an id comes with the
        same call in one streak, it is not counted again, nor is it inside the wrapped ``execute`` that counted it.
        A third time it is another call, because there are models whose ids repeat.

        A brake that was disposed of counts nothing and returns 0.

        Raises:
            LoopBrakeError: the count has reached ``max_repeats``. It was counted: the next one is one more.
        """
        session = session_key(session_id, agent_id)
        return self._ledger.check(Seen(tool, args, session=session, call_id=usable_id(call_id)))

    def streak(self, session: str | None = None) -> SessionStreak:
        """The streak of a session; of the one named ``"default"`` where none is given."""
        streak = self._ledger.streak(DEFAULT_SESSION if session is None else session)
        return SessionStreak(streak.count, hash_prefix(streak.fingerprint.hex()))

    def reset(self, session: str | None = None) -> None:
        """Forget the streak of one session; of all where none is given.

        The session of calls that name nobody is one like any other: ``reset("default")``.
        """
        self._ledger.reset(session)

    def dispose(self) -> None:
        """Turn the brake off for good and forget every streak. Doing it again does nothing.

        A registry it is attached to is left as it was found; what the brake wrapped runs as if it were not there.
        """
        self._ledger.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.dispose()

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, _: object) -> Self:
        return self

    def __reduce__(self) -> tuple[type[Self], tuple[int]]:
        return type(self), (self.max_repeats,)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(max_repeats={self.max_repeats})"


def ledger_of(brake: LoopBrake) -> Ledger:
    """The counts behind a brake, for the seams of this package."""
    return brake._ledger  # noqa: SLF001 - the package's one way in
