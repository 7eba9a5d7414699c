"""``brake``: refuses the n-th identical call in a row.

The circuit breaker of dsh-loop-brake: exact hash match only, one slot a scope, no warning tier, no user-turn reset
and no cool-down. Further identical calls stay refused and keep counting; any other call ends the streak. Calls made
by no agent count too, together.
"""

from __future__ import annotations

from toolbrake.core.wording import name as shown
from toolbrake.errors import brake_text
from toolbrake.rules._base import Rule, Streak

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from toolbrake.core.decision import Finding
    from toolbrake.core.observation import Observation


class Brake(Rule):
    """``max_repeats``: the place in the streak, that call included, at which a call is refused."""

    __slots__ = ("max_repeats",)
    name = "brake"
    max_repeats: int

    # 3: two equal calls can be a retry; dsh-loop-brake's default.
    def __init__(self, *, max_repeats: int = 3) -> None:
        self._set(max_repeats=max_repeats)

    def start(self) -> Streak:
        """A scope without a call."""
        return Streak()

    def before(self, state: Streak, seen: Observation) -> Finding | None:
        """Count the attempt; refuse it from ``max_repeats`` on."""
        count = state.advance(seen.fingerprint)
        if count < self.max_repeats:
            return None
        text = brake_text(
            tool_name=shown(seen.tool), count=count, max_repeats=self.max_repeats, hash_prefix=seen.prefix
        )
        return self.finding(seen, "deny", count=count, limit=self.max_repeats, text=text)

    def dump(self, state: Streak, *, quotes: bool) -> list[object]:  # noqa: ARG002 - a streak quotes nothing
        """The state as small values; a streak has no rows."""
        return [[], *state.dump()]

    def load(self, data: list[Any]) -> Streak:
        """The state that ``dump`` wrote."""
        return Streak.load(data[1:])

    def settings(self) -> dict[str, object]:
        """The settings by their key in a configuration."""
        return {"max_repeats": self.max_repeats}
