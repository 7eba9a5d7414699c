"""An evaluation as tables, for a person."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from toolbrake.scan.evaluate.groups import grouped, level, mean_rates, whole
from toolbrake.scan.evaluate.judging import ASPECTS
from toolbrake.scan.evaluate.layout import Table
from toolbrake.scan.evaluate.rates import LOST_WEIGHT, rates, wilson

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from toolbrake.scan.evaluate.corpus import Measured
    from toolbrake.scan.evaluate.judging import Judgement
    from toolbrake.scan.evaluate.metrics import Tally
    from toolbrake.scan.evaluate.probes import Probed
    from toolbrake.scan.evaluate.rates import Rates

NOTHING = "-"
LEVELS = ("hint", "stop")
_MEANING = {"hint": "any intervention", "stop": "the run is ended"}


@dataclass(frozen=True, slots=True)
class Evaluation:
    """All that was measured, by policy. ``measured`` is None without a corpus, ``judgements`` are empty without cases.

    ``halts`` names the policies that had to end the runs of cases that must be ended.
    """

    policies: tuple[str, ...]
    probes: dict[str, list[Probed]]
    judgements: dict[str, list[Judgement]] = field(default_factory=dict)
    halts: frozenset[str] = frozenset()
    measured: Measured | None = None


def tables(evaluation: Evaluation) -> Iterator[Table]:
    """Every table that there is something for, the corpus first."""
    if evaluation.measured is not None:
        for policy in evaluation.policies:
            yield from _corpus(policy, evaluation.measured)
    yield _probes(evaluation)
    if evaluation.judgements:
        yield _aspects(evaluation)
        yield _needs(evaluation)
        for policy in evaluation.policies:
            yield from _misses(policy, evaluation.judgements[policy])


def _corpus(policy: str, measured: Measured) -> Iterator[Table]:
    tallies = measured.tallies.get(policy, {})
    labelled = {source: tally for source, tally in tallies.items() if _labels_used(tally)}
    if labelled:
        for name in LEVELS:
            yield _labelled(policy, name, labelled, measured.labels)
    if tallies:
        yield _runs(policy, tallies)
    said = measured.interventions.get(policy)
    if said:
        rows = tuple((one.source, one.run, str(one.call), one.tool, one.action, one.rule or NOTHING) for one in said)
        title = f"{policy}: interventions in successful runs that no reader called loop or minor"
        yield Table(title, ("source", "run", "call", "tool", "action", "rule"), rows)


def _labelled(policy: str, name: str, tallies: dict[str, Tally], labels: int) -> Table:
    rows: list[tuple[str, ...]] = []
    sample = whole(tallies.values())
    for group, members in grouped(tallies):
        rows.extend(_labelled_row(source, tally, name) for source, tally in members.items())
        figures = mean_rates(members.values(), name)
        rows.append((f"= {group}, mean of {len(members)}", *_labelled_rates(figures), *_labelled_tail(figures)))
    rows.append(_labelled_row("the sample as a whole", sample, name))
    return Table(
        f"{policy}: labelled runs, {name} ({_MEANING[name]})",
        ("source", "found", "95%", "early", "polling", "minor", "none", "delay", "saved", "precision", "+minor"),
        tuple(rows),
        note=f"{_labels_used(sample)} of {labels} labels have their run here; {sample.unsure} unsure left out",
    )


def _labels_used(sample: Tally) -> int:
    return sample.loops + sample.polling + sample.minor + sample.none + sample.unsure


def _labelled_row(source: str, tally: Tally, name: str) -> tuple[str, ...]:
    at = level(tally, name)
    return (
        source,
        _part(at.found, tally.loops),
        _interval(at.found, tally.loops),
        str(at.early) if tally.loops else NOTHING,
        _part(at.on_polling, tally.polling),
        _part(at.on_minor, tally.minor),
        _part(at.on_none, tally.none),
        *_labelled_tail(rates(tally, at)),
    )


def _labelled_rates(figures: Rates) -> tuple[str, ...]:
    shares = (figures.early, figures.on_polling, figures.on_minor, figures.on_none)
    return (_percent(figures.found), NOTHING, *(_percent(value) for value in shares))


def _labelled_tail(figures: Rates) -> tuple[str, ...]:
    return (
        _number(figures.delay),
        _percent(figures.onset_saved),
        _ratio(figures.precision),
        _ratio(figures.precision_with_minor),
    )


def _runs(policy: str, tallies: dict[str, Tally]) -> Table:
    rows: list[tuple[str, ...]] = []
    for group, members in grouped(tallies):
        rows.extend(_runs_row(source, tally) for source, tally in members.items())
        hint, stop = (mean_rates(members.values(), name) for name in LEVELS)
        ended = (_percent(stop.ok_fired), NOTHING)
        rows.append((f"= {group}, mean of {len(members)}", *_blank(5), *_runs_rates(hint, stop, ended)))
    columns = ("runs", "calls", "ok runs", "ok told", "unlabelled", "per 1,000", "could save")
    return Table(
        f"{policy}: all runs",
        ("source", *columns, "ok ended", "95%", "saves", "loses", "score"),
        tuple(rows),
        note=(
            "ok told, per 1,000: successful runs told anything; interventions for 1,000 of their calls (unlabelled: "
            "those in runs no reader called loop or minor)\n"
            "could save: share of failed runs' calls after the first hint. The stop: ok ended, saves (share of failed "
            f"runs' calls), loses (of successful runs' calls), score = saves - {LOST_WEIGHT} x loses"
        ),
    )


def _runs_row(source: str, tally: Tally) -> tuple[str, ...]:
    hint, stop = rates(tally, tally.hint), rates(tally, tally.stop)
    ended = (_part(tally.stop.ok_fired, tally.ok_runs), _interval(tally.stop.ok_fired, tally.ok_runs))
    told = _part(tally.hint.ok_fired, tally.ok_runs)
    unlabelled = str(tally.hint.ok_unexplained) if tally.ok_runs else NOTHING
    counts = (str(tally.runs), str(tally.calls), str(tally.ok_runs), told, unlabelled)
    return (source, *counts, *_runs_rates(hint, stop, ended))


def _runs_rates(hint: Rates, stop: Rates, ended: tuple[str, str]) -> tuple[str, ...]:
    score = NOTHING if stop.score is None else f"{stop.score:+.3f}"
    per_1000 = NOTHING if hint.per_1000 is None else f"{hint.per_1000:.1f}"
    return (per_1000, _percent(hint.saved), *ended, _percent(stop.saved), _percent(stop.lost), score)


def _blank(cells: int) -> tuple[str, ...]:
    return (NOTHING,) * cells


def _probes(evaluation: Evaluation) -> Table:
    columns = [evaluation.probes[policy] for policy in evaluation.policies]
    rows = tuple(
        (first.name, "a loop" if first.loop else "work", *(_probed(each) for each in across))
        for across in zip(*columns, strict=True)
        for first in across[:1]
    )
    good = tuple(_part(sum(each.good for each in column), len(column)) for column in columns)
    return Table(
        "Probes: loops that must be caught, work that must be left alone (call of the first intervention)",
        ("probe", "is", *evaluation.policies),
        (*rows, ("= as it should be", "", *good)),
    )


def _probed(probed: Probed) -> str:
    said = "nothing" if probed.first is None else f"{probed.first.action} at {probed.first.call}"
    return said if probed.good else f"{said} (!)"


def _aspects(evaluation: Evaluation) -> Table:
    rows = [
        (aspect, *(_count(evaluation, policy, _aspect_of(aspect)) for policy in evaluation.policies))
        for aspect in ASPECTS
    ]
    every = tuple(_count(evaluation, policy, _all) for policy in evaluation.policies)
    halted = [policy for policy in evaluation.policies if policy in evaluation.halts]
    note = f"halts are asked of: {', '.join(halted) or 'nobody'}"
    return Table("Cases: what was asked", ("aspect", *evaluation.policies), (*rows, ("= all of it", *every)), note=note)


def _needs(evaluation: Evaluation) -> Table:
    first = evaluation.judgements[evaluation.policies[0]]
    counts = Counter(need for judgement in first for need in judgement.needs)
    rows = tuple(
        (need, *(_count(evaluation, policy, _need_of(need)) for policy in evaluation.policies))
        for need in sorted(counts, key=lambda need: (-counts[need], need))
    )
    return Table("Cases by need", ("need", *evaluation.policies), rows)


def _count(evaluation: Evaluation, policy: str, goods: Callable[[Judgement], Sequence[bool]]) -> str:
    answers = [good for judgement in evaluation.judgements[policy] for good in goods(judgement)]
    return _part(sum(answers), len(answers))


def _all(judgement: Judgement) -> Sequence[bool]:
    return [judgement.good]


def _need_of(need: str) -> Callable[[Judgement], Sequence[bool]]:
    return lambda judgement: [judgement.good] if need in judgement.needs else []


def _aspect_of(aspect: str) -> Callable[[Judgement], Sequence[bool]]:
    return lambda judgement: [point.good for point in judgement.points if point.aspect == aspect]


def _misses(policy: str, judgements: list[Judgement]) -> Iterator[Table]:
    rows = tuple(
        (judgement.case, point.aspect, point.expected, point.happened)
        for judgement in judgements
        for point in judgement.misses
    )
    if rows:
        yield Table(f"{policy}: cases missed", ("case", "aspect", "expected", "happened"), rows)


def _part(hits: int, trials: int) -> str:
    return f"{hits}/{trials}" if trials else NOTHING


def _interval(hits: int, trials: int) -> str:
    bounds = wilson(hits, trials)
    return NOTHING if bounds is None else f"{bounds[0]:.0%}-{bounds[1]:.0%}"


def _percent(value: float | None) -> str:
    return NOTHING if value is None else f"{value:.1%}"


def _ratio(value: float | None) -> str:
    return NOTHING if value is None else f"{value:.2f}"


def _number(value: float | None) -> str:
    return NOTHING if value is None else f"{round(value, 1):g}"
