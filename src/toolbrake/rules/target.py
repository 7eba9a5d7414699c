"""``target``: one file, host or resource is read again and again under different arguments, without moving forward.

Overlapping ranges of a file that has not changed, thirty requests to one host. Forward paging is no such thing: a
read whose position lies past the one before starts the count over, and so does a change of the target. Weak evidence,
so it only reminds.
"""

from __future__ import annotations

from toolbrake.core.ladder import Ladder
from toolbrake.core.value import Value
from toolbrake.core.wording import name as shown
from toolbrake.rules._base import ComparingRule, same_step

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from toolbrake.core.decision import Finding
    from toolbrake.core.observation import Observation

TARGETS = 16
"""Targets of a scope that are counted; the one read longest ago is forgotten for a new one."""


class Reads(Value):
    """Reads of one target since it changed or the reading moved forward."""

    __slots__ = ("count", "epoch", "position", "step")

    def __init__(self, epoch: int) -> None:
        self.count = 0
        self.epoch = epoch
        self.position: float | None = None
        self.step: object = None


class Target(ComparingRule):
    """``ladder``: reads of one target under different arguments; only its ``remind`` rungs are used."""

    __slots__ = ("ladder",)
    name = "target"
    ladder: Ladder

    def __init__(self, *, ladder: Ladder | None = None) -> None:
        # 6: four or five views of one file are common in good runs.
        self._set(ladder=ladder or Ladder((6, 12, 24)))

    def start(self) -> dict[int, Reads]:
        """A scope without a call."""
        return {}

    def after(self, state: dict[int, Reads], seen: Observation) -> Finding | None:
        """Count a read of a target; a reminder at the ladder's counts."""
        if seen.denied_by is not None or seen.profile.does != "read" or seen.targets is None:
            return None
        if len(seen.targets.own) != 1:
            return None
        (place,) = seen.targets.own
        reads = state.pop(place, None)
        if reads is None or seen.moved(reads.epoch):
            reads = Reads(seen.epoch)
        state[place] = reads
        if len(state) > TARGETS:
            del state[next(iter(state))]
        position = _position(seen)
        forward = position is not None and reads.position is not None and position > reads.position
        fresh = not same_step(reads.step, seen)
        reads.epoch, reads.step = seen.epoch, seen.step
        reads.position = position
        if forward:
            reads.count = 1
            return None
        if not fresh:
            return None
        reads.count += 1
        if not self.ladder.reminds(reads.count):
            return None
        text = (
            f"toolbrake: {shown(seen.tool)} has read one and the same target {reads.count} times under different "
            "arguments, without it changing. Work with what was read, or look somewhere else."
        )
        return self.finding(seen, "remind", count=reads.count, limit=reads.count, text=text)

    def settings(self) -> dict[str, object]:
        """The settings by their key in a configuration."""
        return {"ladder": self.ladder.settings()}

    def dump(self, state: dict[int, Reads], *, quotes: bool) -> list[object]:  # noqa: ARG002 - nothing is quoted
        """The state as JSON values."""
        return [[place, one.count, one.epoch, one.position, one.step] for place, one in state.items()]

    def load(self, data: list[Any]) -> dict[int, Reads]:
        """The state that ``dump`` wrote."""
        state = self.start()
        for place, count, epoch, position, step in data:
            reads = state[int(place)] = Reads(int(epoch))
            reads.count, reads.position, reads.step = int(count), position, step
        return state


def _position(seen: Observation) -> float | None:
    """Where in its target the call looks: the first position argument that holds a number."""
    value = seen.arguments
    if not isinstance(value, dict):
        return None
    for name in seen.profile.position:
        item = value.get(name)
        if isinstance(item, (int, float)) and not isinstance(item, bool):
            return float(item)
        if isinstance(item, str) and item.isdigit():
            return float(item)
    return None
