"""What one run of the demo's agent came to, step by step, seen from the model's side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Literal

# Usual tokenizers take three to five characters of English a token. The demo compares two runs; it bills nobody.
CHARACTERS_A_TOKEN = 4


@dataclass(frozen=True, slots=True)
class Told:
    """What toolbrake told the model: beside a result (``remind``) or in its place (``deny``)."""

    action: Literal["remind", "deny"]
    text: str


@dataclass(frozen=True, slots=True)
class Turn:
    """One response of the model.

    ``characters``: the length of all it was sent for it. ``result`` and ``told``: what came of its last call.
    ``said`` and ``call``: its response, without a call the answer.
    """

    characters: int
    result: str
    told: tuple[Told, ...]
    said: str
    call: str


@dataclass(frozen=True, slots=True)
class Step:
    """A call with what came of it; empty where the run ended before the model was told."""

    said: str
    call: str
    result: str = ""
    told: tuple[Told, ...] = ()


@dataclass(frozen=True, slots=True)
class Run:
    """All turns of a run. ``executed``: tool bodies that ran. ``end``: the run's last message."""

    turns: tuple[Turn, ...]
    executed: int
    end: str

    @property
    def steps(self) -> list[Step]:
        """Every turn with a call, each with what the next turn was told of it."""
        steps = [
            Step(turn.said, turn.call, after.result, after.told)
            for turn, after in zip(self.turns, self.turns[1:], strict=False)
        ]
        return steps if self.answered else [*steps, Step(self.turns[-1].said, self.turns[-1].call)]

    @property
    def answered(self) -> bool:
        """Whether the model ended the run itself."""
        return not self.turns[-1].call

    @property
    def tokens(self) -> int:
        """An estimate of what the model was sent over all turns."""
        return sum(turn.characters for turn in self.turns) // CHARACTERS_A_TOKEN

    def count(self, action: str) -> int:
        """How often toolbrake took an action."""
        return sum(told.action == action for turn in self.turns for told in turn.told)
