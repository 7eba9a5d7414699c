"""Interleaved, shuffled rounds: a ratio a round against a baseline, then the median and its spread."""

from __future__ import annotations

import random
import statistics
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Work = Callable[[], object]

ROUNDS = 31
"""Rounds a measurement: an odd number, so that the median was measured."""

SECONDS = 0.004
"""What one case of one round takes, about: long against the clock's resolution, short against the machine's moods."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """How often the baseline fits into a piece of work: the median over all rounds, the lowest and the highest."""

    median: float
    low: float
    high: float


def ratios(baseline: Work, cases: Mapping[str, Work]) -> dict[str, Ratio]:
    """Measure every case against the baseline of the same round."""
    work: dict[str, Work] = {"": baseline, **cases}
    times = {name: _repeats(one) for name, one in work.items()}
    found: dict[str, list[float]] = {name: [] for name in cases}
    order = list(work)
    for _ in range(ROUNDS):
        random.shuffle(order)
        took = {name: _measure(work[name], times[name]) for name in order}
        for name in cases:
            found[name].append(took[name] / took[""])
    return {name: Ratio(statistics.median(values), min(values), max(values)) for name, values in found.items()}


def _repeats(work: Work) -> int:
    work()
    took = max(_measure(work, 20), 1e-9)
    return max(1, int(SECONDS / took))


def _measure(work: Work, repeats: int) -> float:
    """Seconds a repeat."""
    clock = time.perf_counter
    start = clock()
    for _ in range(repeats):
        work()
    return (clock() - start) / repeats
