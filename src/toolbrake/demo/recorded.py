"""The recorded runs that come with toolbrake: an invented coding agent, at work and going in circles."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING

from toolbrake.scan.model import Trajectory
from toolbrake.scan.replay import replay
from toolbrake.scan.trace import read_lines

if TYPE_CHECKING:
    from toolbrake.config import Loaded
    from toolbrake.scan.model import Row

TRACE = "demo.jsonl"


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop that the trace's author put in: calls ``first`` to ``last``, and what the agent does in them."""

    first: int
    last: int
    what: str


@dataclass(frozen=True, slots=True)
class Replayed:
    """One run, its loops, and what a policy said to each of its calls."""

    id: str
    loops: tuple[Loop, ...]
    rows: tuple[Row, ...]

    @property
    def said(self) -> list[Row]:
        """The calls that the policy said something to."""
        return [row for row in self.rows if row.action != "allow"]

    def loop_at(self, call: int) -> Loop | None:
        """The loop that a call is part of."""
        return next((loop for loop in self.loops if loop.first <= call <= loop.last), None)


def trace() -> str:
    """The trace, as it is on disk."""
    return (resources.files("toolbrake") / "data" / TRACE).read_text(encoding="utf-8")


def replay_trace(loaded: Loaded) -> list[Replayed]:
    """What a policy says to every run of the trace."""
    runs = [item for item in read_lines(trace().encode().splitlines(), TRACE) if isinstance(item, Trajectory)]
    return [Replayed(run.id, _loops(run), tuple(replay(run, loaded.policy, idle=loaded.limits.idle))) for run in runs]


def _loops(run: Trajectory) -> tuple[Loop, ...]:
    spans = run.labels["loops"]
    assert isinstance(spans, list)  # noqa: S101 - the trace is ours
    return tuple(Loop(span["from"], span["to"], span["what"]) for span in spans)
