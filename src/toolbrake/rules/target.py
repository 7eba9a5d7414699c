"""``target``: one file, host or resource is read again and again under different arguments, without moving forward.

Overlapping ranges of a file that has not changed. Forward paging is no such thing: a read whose position lies past the
one before starts the count over, and so does a change of the target. ``changing`` counts the reads that changes do not
excuse either: an agent that writes and reads one file a dozen times is trying its luck. Weak evidence, so the rule only
reminds.
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

TARGETS = 8
"""Targets of a scope that are counted; the one read longest ago is forgotten for a new one."""


class Reads(Value):
    """Calls about one target.

    ``count``: reads since it changed or the reading moved forward. ``total``: reads at all, a step of paging apart.
    """

    __slots__ = ("count", "epoch", "position", "step", "total")

    def __init__(self, epoch: int) -> None:
        self.count = 0
        self.total = 0
        self.epoch = epoch
        self.position: float | None = None
        self.step: object = None


class Target(ComparingRule):
    """``ladder``: reads of one target under different arguments. ``changing``: reads of one that changes meanwhile."""

    __slots__ = ("changing", "ladder")
    name = "target"
    changing: Ladder
    ladder: Ladder

    def __init__(self, *, ladder: Ladder | None = None, changing: Ladder | None = None) -> None:
        # 6: four or five views of one file are common in good runs.
        # 12 while it changes: every change is worth a look, but a dozen rounds are a search without a plan.
        self._set(ladder=ladder or Ladder((6, 12, 24)), changing=changing or Ladder((12, 24)))

    def start(self) -> dict[int, Reads]:
        """A scope without a call."""
        return {}

    def after(self, state: dict[int, Reads], seen: Observation) -> Finding | None:
        """Count a read of a target; a reminder at the ladders' counts."""
        if seen.denied_by is not None or not seen.profile.position or seen.targets is None:
            return None
        if len(seen.targets.own) != 1:
            return None
        reads = self._reads(state, seen)
        if same_step(reads.step, seen):
            return None
        reads.step = seen.step
        position = _position(seen)
        forward = position is not None and reads.position is not None and position > reads.position
        reads.position = position
        if forward:
            reads.count = 1
            return None
        reads.count += 1
        reads.total += 1
        return self._remind(seen, reads)

    def _reads(self, state: dict[int, Reads], seen: Observation) -> Reads:
        """What is known of the call's target; begun over where it has changed."""
        assert seen.targets is not None  # noqa: S101 - the caller has looked
        (place,) = seen.targets.own
        reads = state.pop(place, None) or Reads(seen.epoch)
        state[place] = reads
        if len(state) > TARGETS:
            del state[next(iter(state))]
        if seen.moved(reads.epoch):
            reads.count = 0
            reads.position = None
        reads.epoch = seen.epoch
        return reads

    def _remind(self, seen: Observation, reads: Reads) -> Finding | None:
        if self.ladder.reminds(reads.count):
            count, how = reads.count, "and no call has changed it in between. Work with what was read"
        elif self.changing.reminds(reads.total):
            count, how = reads.total, "with changes in between. Think about what is missing before the next one"
        else:
            return None
        tool = shown(seen.tool)
        text = f"toolbrake: {tool} has read one and the same target {count} times {how}, or look somewhere else."
        return self.finding(seen, "remind", count=count, limit=count, text=text)

    def settings(self) -> dict[str, object]:
        """The settings by their key in a configuration."""
        return {"ladder": self.ladder.settings(), "changing": self.changing.settings()}

    def dump(self, state: dict[int, Reads], *, quotes: bool) -> list[object]:  # noqa: ARG002 - nothing is quoted
        """The state as small values, the target read longest ago first."""
        return [[[place, one.count, one.total, one.epoch, one.position, one.step] for place, one in state.items()]]

    def load(self, data: list[Any]) -> dict[int, Reads]:
        """The state that ``dump`` wrote."""
        (rows,) = data
        state = self.start()
        for place, count, total, epoch, position, step in rows:
            reads = state[place] = Reads(epoch)
            reads.count, reads.total, reads.position, reads.step = count, total, position, step
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
