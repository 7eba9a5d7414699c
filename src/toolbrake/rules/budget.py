"""``budget``: how often a tool has run at all since the last user turn.

The bluntest rule: low caps stop normal work, since six saves, fifteen listings or fifty shell calls are normal. So it
only reminds, and high. ``tools`` sets other ladders by name pattern, for tools of which fewer runs are too many: what
a person sees, say, or what costs money.
"""

from __future__ import annotations

from toolbrake.core.ladder import Ladder
from toolbrake.core.patterns import matches
from toolbrake.core.wording import name as shown
from toolbrake.rules._base import ComparingRule, name_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from toolbrake.core.decision import Finding
    from toolbrake.core.observation import Observation

TOOLS = 16
"""Tools of a scope that are counted; the one used longest ago is forgotten for a new one."""


class Budget(ComparingRule):
    """``ladder``: runs of one tool. ``tools``: ladders of their own for the tools that a pattern covers."""

    __slots__ = ("ladder", "lowest", "tools")
    name = "budget"
    ladder: Ladder
    lowest: int
    tools: dict[str, Ladder]

    def __init__(self, *, ladder: Ladder | None = None, tools: Mapping[str, Ladder] | None = None) -> None:
        # 200: no tool ran so often in a recorded run that succeeded.
        # Messages to a person. 5: one request is answered in fewer.
        own = {"message": Ladder((5, 10, 20)), "*send_message*": Ladder((5, 10, 20))}
        tools = own if tools is None else dict(tools)
        ladder = ladder or Ladder((200, 400, 800))
        lowest = min(one.first for one in (ladder, *tools.values()))
        self._set(ladder=ladder, tools=tools, lowest=lowest)

    def start(self) -> dict[bytes, int]:
        """A scope without a call."""
        return {}

    def after(self, state: dict[bytes, int], seen: Observation) -> Finding | None:
        """Count a run of a tool; a reminder at the ladder's counts."""
        if seen.denied_by is not None:
            return None
        tool = name_key(seen.tool)
        count = state.pop(tool, 0) + 1
        state[tool] = count
        if len(state) > TOOLS:
            del state[next(iter(state))]
        if count < self.lowest or not self._ladder(seen.tool).reminds(count):
            return None
        text = (
            f"toolbrake: {shown(seen.tool)} has run {count} times for this request. If the end is not in sight, stop "
            "and report what is done and what is left."
        )
        return self.finding(seen, "remind", count=count, limit=count, text=text)

    def _ladder(self, tool: str) -> Ladder:
        return next((own for pattern, own in self.tools.items() if matches(pattern, tool)), self.ladder)

    def settings(self) -> dict[str, object]:
        """The settings by their key in a configuration."""
        tools = {pattern: own.settings() for pattern, own in self.tools.items()}
        return {"ladder": self.ladder.settings(), "tools": tools}

    def dump(self, state: dict[bytes, int], *, quotes: bool) -> list[object]:  # noqa: ARG002 - nothing is quoted
        """The state as small values, the tool used longest ago first."""
        return [[[tool, count] for tool, count in state.items()]]

    def load(self, data: list[Any]) -> dict[bytes, int]:
        """The state that ``dump`` wrote."""
        (rows,) = data
        return dict(rows)
