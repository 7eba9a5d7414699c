"""``denials``: a call is denied and made again, whoever denied it.

A denial alone does not redirect a model: refusals were ignored 185 times in a row. Denials of the same call, and of
one tool whatever the arguments, are counted until the tool is let through; calls of other tools in between do not
void a person's no. Our own denials are counted by the rule that made them, not here.
"""

from __future__ import annotations

from toolbrake.core.ladder import Ladder
from toolbrake.core.value import Value
from toolbrake.core.wording import DENIED
from toolbrake.core.wording import name as shown
from toolbrake.rules._base import OURSELVES, ComparingRule, name_key, nth, same_step

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from toolbrake.core.decision import Finding
    from toolbrake.core.observation import Observation

TOOLS = 4
"""Denied tools of a scope that are remembered; the one denied longest ago is forgotten for a new one."""

PEOPLE = frozenset({"user", "person", "human", "a person", "operator"})
"""Names under which hosts say that a person refused."""


class Denied(Value):
    """A tool's denials since it was last let through. ``weight`` counts a person's no twice."""

    __slots__ = ("count", "step", "weight")

    def __init__(self) -> None:
        self.count = 0
        self.weight = 0
        self.step: object = None


class Denials(ComparingRule):
    """``ladder``: denials of one tool in a row; a person's no counts for two."""

    __slots__ = ("ladder",)
    name = "denials"
    ladder: Ladder

    def __init__(self, *, ladder: Ladder | None = None) -> None:
        # 3: two noes of a policy can be a try and a check. 8: after seven the answer will not change.
        self._set(ladder=ladder or Ladder((3, 4), halt=8))

    def start(self) -> dict[bytes, Denied]:
        """A scope without a call."""
        return {}

    def before(self, state: dict[bytes, Denied], seen: Observation) -> Finding | None:
        """Stop a tool that has been refused for good."""
        denied = state.get(name_key(seen.tool))
        if denied is None or denied.weight == 0:
            return None
        own = 1 if same_step(denied.step, seen) else denied.weight // denied.count
        stop = self.ladder.stop(denied.weight + own)
        if stop is None:
            return None
        text = (
            f"{DENIED}: {shown(seen.tool)} has been refused {denied.count} times and is asked for the "
            f"{nth(denied.count + 1)} time. The call was not run. Accept the refusal: finish, and say what it prevents."
        )
        return self.finding(seen, stop[0], count=denied.weight + own, limit=stop[1], text=text)

    def after(self, state: dict[bytes, Denied], seen: Observation) -> Finding | None:
        """Count a denial; forget them once the tool is let through."""
        if seen.denied_by == OURSELVES:
            return None
        tool = name_key(seen.tool)
        if seen.denied_by is None:
            state.pop(tool, None)
            return None
        denied = state.pop(tool, None) or Denied()
        state[tool] = denied
        if len(state) > TOOLS:
            del state[next(iter(state))]
        if denied.count and same_step(denied.step, seen):
            return None
        before = denied.weight
        denied.step = seen.step
        denied.count += 1
        denied.weight += 2 if seen.denied_by in PEOPLE else 1
        if not any(self.ladder.reminds(weight) for weight in range(before + 1, denied.weight + 1)):
            return None
        text = (
            f"toolbrake: {shown(seen.tool)} was refused {denied.count} times. Asking again will not change the answer: "
            "find a way that does not need it, ask the person what to do, or finish and say what is missing."
        )
        return self.finding(seen, "remind", count=denied.weight, limit=denied.weight, text=text)

    def settings(self) -> dict[str, object]:
        """The settings by their key in a configuration."""
        return {"ladder": self.ladder.settings()}

    def dump(self, state: dict[bytes, Denied], *, quotes: bool) -> list[object]:  # noqa: ARG002 - nothing is quoted
        """The state as small values, the tool denied longest ago first."""
        return [[[tool, one.count, one.weight, one.step] for tool, one in state.items()]]

    def load(self, data: list[Any]) -> dict[bytes, Denied]:
        """The state that ``dump`` wrote."""
        (rows,) = data
        state = self.start()
        for tool, count, weight, step in rows:
            denied = state[tool] = Denied()
            denied.count, denied.weight, denied.step = count, weight, step
        return state
