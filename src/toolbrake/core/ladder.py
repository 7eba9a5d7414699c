"""Ladders: the counts at which a rule goes from one action to the next."""

from __future__ import annotations

from itertools import pairwise

from toolbrake.core.value import Frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolbrake.core.decision import Action


class Ladder(Frozen):
    """Positions of a call in its series, that call included.

    ``remind`` holds the exact counts that draw a reminder, so that it does not come at every call; ``ask``, ``deny``
    and ``halt`` hold from their count on. A missing rung (empty, None) is never taken.
    """

    __slots__ = ("ask", "deny", "halt", "remind")
    ask: int | None
    deny: int | None
    halt: int | None
    remind: tuple[int, ...]

    def __init__(
        self,
        remind: int | Iterable[int] = (),
        *,
        ask: int | None = None,
        deny: int | None = None,
        halt: int | None = None,
    ) -> None:
        counts = (remind,) if isinstance(remind, int) else tuple(sorted(remind))
        self._set(remind=counts, ask=ask, deny=deny, halt=halt)

    def stop(self, count: int) -> tuple[Action, int] | None:
        """What is done before a call that would be number ``count``, and the rung; None: it may run."""
        if self.halt is not None and count >= self.halt:
            return "halt", self.halt
        if self.deny is not None and count >= self.deny:
            return "deny", self.deny
        if self.ask is not None and count >= self.ask:
            return "ask", self.ask
        return None

    def reminds(self, count: int) -> bool:
        """Whether a series that has reached ``count`` draws a reminder."""
        return count in self.remind

    @property
    def first(self) -> int:
        """The lowest rung of all; 0 for a ladder without one."""
        rungs = [*self.remind, *(rung for rung in (self.ask, self.deny, self.halt) if rung is not None)]
        return min(rungs, default=0)

    def settings(self) -> dict[str, object]:
        """The rungs by their key in a configuration; missing ones left out."""
        rungs: dict[str, object] = {"remind": list(self.remind)} if self.remind else {}
        rungs.update({name: getattr(self, name) for name in ("ask", "deny", "halt") if getattr(self, name) is not None})
        return rungs


def problems(ladder: Ladder) -> list[str]:
    """Why rungs of a ladder cannot be reached: each must come before the next stronger one."""
    found = []
    rungs = [("remind", rung) for rung in ladder.remind]
    rungs += [(name, getattr(ladder, name)) for name in ("ask", "deny", "halt") if getattr(ladder, name) is not None]
    for (weaker, low), (stronger, high) in pairwise(rungs):
        if low >= high and weaker != stronger:
            found.append(f"{weaker} at {low} cannot be reached: {stronger} is taken from {high} on")
    return found
