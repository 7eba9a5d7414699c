"""``budget``: how often a tool has run at all since the last user turn.

The bluntest rule: low caps stop normal work, since six saves, fifteen listings or fifty shell calls are normal. So it
only reminds, and high.
"""

from __future__ import annotations

from toolbrake.core.ladder import Ladder
from toolbrake.core.wording import name as shown
from toolbrake.rules._base import ComparingRule, tool_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from toolbrake.core.decision import Finding
    from toolbrake.core.observation import Observation

TOOLS = 32
"""Tools of a scope that are counted; the one used longest ago is forgotten for a new one."""


class Budget(ComparingRule):
    """``ladder``: runs of one tool; only its ``remind`` rungs are used."""

    __slots__ = ("ladder",)
    name = "budget"
    ladder: Ladder

    def __init__(self, *, ladder: Ladder | None = None) -> None:
        # 200: no tool ran so often in a recorded run that succeeded.
        self._set(ladder=ladder or Ladder((200, 400, 800)))

    def start(self) -> dict[bytes, int]:
        """A scope without a call."""
        return {}

    def after(self, state: dict[bytes, int], seen: Observation) -> Finding | None:
        """Count a run of a tool; a reminder at the ladder's counts."""
        if seen.denied_by is not None:
            return None
        tool = tool_key(seen)
        count = state.pop(tool, 0) + 1
        state[tool] = count
        if len(state) > TOOLS:
            del state[next(iter(state))]
        if not self.ladder.reminds(count):
            return None
        text = (
            f"toolbrake: {shown(seen.tool)} has run {count} times for this request. If the end is not in sight, stop "
            "and report what is done and what is left."
        )
        return self.finding(seen, "remind", count=count, limit=count, text=text)

    def settings(self) -> dict[str, object]:
        """The settings by their key in a configuration."""
        return {"ladder": self.ladder.settings()}

    def dump(self, state: dict[bytes, int], *, quotes: bool) -> list[object]:  # noqa: ARG002 - nothing is quoted
        """The state as JSON values."""
        return [[tool.hex(), count] for tool, count in state.items()]

    def load(self, data: list[Any]) -> dict[bytes, int]:
        """The state that ``dump`` wrote."""
        return {bytes.fromhex(tool): int(count) for tool, count in data}
