"""From counts to figures: shares, medians, means over sources, and how sure a share is."""

from __future__ import annotations

from dataclasses import dataclass, fields
from math import sqrt
from statistics import fmean, median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolbrake.scan.evaluate.metrics import Level, Tally

LOST_WEIGHT = 5
"""A call lost in a run that was going well weighs as much as this many saved in one that failed."""

_Z = 1.959963984540054
"""The normal quantile of a 95% interval."""


@dataclass(frozen=True, slots=True)
class Rates:
    """A level's figures for one source, or their mean over sources. None where there is nothing to divide by.

    Shares lie between 0 and 1; ``delay`` is a median in calls; ``precision`` is loops found by fires on loops,
    polling and none, and ``precision_with_minor`` counts fires on minor too. ``per_1000`` are interventions (at the
    stop level: ended runs) for 1,000 calls of successful runs. ``score`` is ``saved`` minus ``LOST_WEIGHT`` times
    ``lost``.
    """

    found: float | None = None
    early: float | None = None
    delay: float | None = None
    onset_saved: float | None = None
    on_polling: float | None = None
    on_minor: float | None = None
    on_none: float | None = None
    precision: float | None = None
    precision_with_minor: float | None = None
    per_1000: float | None = None
    ok_fired: float | None = None
    lost: float | None = None
    failed_fired: float | None = None
    saved: float | None = None
    score: float | None = None


def rates(tally: Tally, level: Level) -> Rates:
    """The figures of one level of a tally."""
    false = level.on_polling + level.on_none
    saved = share(level.failed_saved, tally.failed_calls)
    lost = share(level.ok_lost, tally.ok_calls)
    per_call = share(level.ok_interventions, tally.ok_calls)
    return Rates(
        found=share(level.found, tally.loops),
        early=share(level.early, tally.loops),
        delay=median(level.delays) if level.delays else None,
        onset_saved=share(level.onset_saved, tally.onset_calls),
        on_polling=share(level.on_polling, tally.polling),
        on_minor=share(level.on_minor, tally.minor),
        on_none=share(level.on_none, tally.none),
        precision=share(level.found, level.found + false),
        precision_with_minor=share(level.found, level.found + false + level.on_minor),
        per_1000=None if per_call is None else 1000 * per_call,
        ok_fired=share(level.ok_fired, tally.ok_runs),
        lost=lost,
        failed_fired=share(level.failed_fired, tally.failed_runs),
        saved=saved,
        score=None if saved is None or lost is None else saved - LOST_WEIGHT * lost,
    )


def mean(several: Iterable[Rates]) -> Rates:
    """Each figure's mean over the sources that have it; every source weighs the same."""
    rows = list(several)
    columns = {each.name: [getattr(row, each.name) for row in rows] for each in fields(Rates)}
    known = {name: [value for value in values if value is not None] for name, values in columns.items()}
    return Rates(**{name: fmean(values) if values else None for name, values in known.items()})


def share(part: int, whole: int) -> float | None:
    """``part`` of ``whole``, None of nothing."""
    return part / whole if whole else None


def wilson(hits: int, trials: int) -> tuple[float, float] | None:
    """The 95% interval of a share by Wilson's score, which also holds for few trials; None without any."""
    if not trials:
        return None
    rate, spread = hits / trials, _Z * _Z / trials
    centre = (rate + spread / 2) / (1 + spread)
    half = _Z * sqrt(rate * (1 - rate) / trials + spread / (4 * trials)) / (1 + spread)
    return max(0.0, centre - half), min(1.0, centre + half)
