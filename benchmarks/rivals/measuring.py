"""A rival, or toolbrake's own policies, through the metrics of ``toolbrake eval``."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from benchmarks.rivals.catalogue import SMALL
from benchmarks.rivals.pipe import Child, OverCases, OverRuns, carried, half_of
from toolbrake.config import load
from toolbrake.core.events import Call
from toolbrake.scan.evaluate.cases import packaged, trajectory
from toolbrake.scan.evaluate.corpus import Extent, Measured, labels_in, measure_files, runs_in
from toolbrake.scan.evaluate.document import as_mapping
from toolbrake.scan.evaluate.judging import ASPECTS, judge
from toolbrake.scan.evaluate.labels import read_labels
from toolbrake.scan.evaluate.probes import probe
from toolbrake.scan.evaluate.report import Evaluation
from toolbrake.scan.evaluate.subject import Subject
from toolbrake.scan.model import Trajectory
from toolbrake.scan.trace import read_file

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from benchmarks.rivals.catalogue import Rival
    from toolbrake.scan.evaluate.judging import Judgement

EVERYTHING, LABELLED = "all runs", "labelled runs"


@dataclass(frozen=True, slots=True)
class Measurement:
    """What came out for one subject, as JSON values."""

    name: str
    fields: dict[str, Any]


def rival(rival: Rival, python: Path, corpus: str) -> list[Measurement]:
    """Every variant of a rival."""
    return [_variant(rival, variant, python, corpus) for variant in rival.variants]


def own(names: Sequence[str], corpus: str) -> list[Measurement]:
    """Ready policies of toolbrake, over the same runs and cases."""
    out = []
    for name in names:
        loaded = load(name)
        subject = Subject(f"toolbrake {name}", loaded.policy, loaded.limits.idle)
        began = time.perf_counter()
        measured = _measured(corpus, subject, Extent())
        fields = {"runs measured": EVERYTHING, "seconds": round(time.perf_counter() - began, 1)}
        out.append(Measurement(subject.name, {**fields, **_figures(subject, subject, measured)}))
    return out


def _variant(rival: Rival, variant: str, python: Path, corpus: str) -> Measurement:
    began = time.perf_counter()
    with Child(rival, variant, python) as child:
        learnt = child.ask({"history": _lengths(corpus)}) if rival.history else {}
        runs, cases = cast("Subject", OverRuns(child.name, child)), cast("Subject", OverCases(child.name, child))
        measured = _measured(corpus, runs, Extent(sample=0) if rival.slow else Extent())
        if rival.slow:
            _take_small(measured, corpus, runs)
        took, calls = child.seconds, child.calls
        fields = {
            "runs measured": f"{LABELLED}, and all of {', '.join(SMALL)}" if rival.slow else EVERYTHING,
            "seconds": round(time.perf_counter() - began, 1),
            "microseconds a call": round(1e6 * took / calls, 1),
            "calls": calls,
            "crashes": len(child.crashes),
            "first crash": child.crashes[0] if child.crashes else None,
            **learnt,
            **_figures(runs, cases, measured),
        }
    described = {"version": rival.version, "licence": rival.licence, "driven": rival.driven, "variant": variant}
    return Measurement(child.name, {**described, **fields})


def _measured(corpus: str, subject: Subject, extent: Extent) -> Measured:
    return measure_files(runs_in(corpus), [subject], read_labels(labels_in(corpus)), extent)


def _take_small(measured: Measured, corpus: str, subject: Subject) -> None:
    """The small sources in full, in place of their labelled runs."""
    full = _measured(corpus, subject, Extent(frozenset(SMALL)))
    measured.tallies[subject.name].update(full.tallies[subject.name])


def _lengths(corpus: str) -> dict[str, dict[str, int]]:
    """Calls of the successful runs of each source, by the half that may learn from them: the other one."""
    out: dict[str, dict[str, int]] = {}
    for file in runs_in(corpus):
        for run in read_file(file):
            if isinstance(run, Trajectory) and run.success is True:
                half = half_of(run)
                other = half[:-1] + "10"[int(half[-1])]
                out.setdefault(other, {})[run.id] = sum(isinstance(event, Call) for event in run.events)
    return out


def _figures(runs: Subject, cases: Subject, measured: Measured) -> dict[str, Any]:
    """The document of ``toolbrake eval`` for one subject, without what is listed case by case."""
    given = packaged()
    fitting = [case for case in given if carried(trajectory(case))]
    judgements = [judge(case, cases, halts=False) for case in fitting]
    evaluation = Evaluation((runs.name,), {runs.name: probe(cases)}, measured=measured)
    policy = cast("dict[str, Any]", as_mapping(evaluation)["policies"])[runs.name]
    return {**_slim(policy), "cases": _cases(judgements, len(given) - len(fitting))}


_COUNTS = ("group", "runs", "calls", "ok_runs", "ok_calls", "failed_runs", "failed_calls")
_RATES = {"hint": ("per_1000", "ok_fired", "saved"), "stop": ("ok_fired", "saved", "lost", "score")}


def _slim(policy: dict[str, Any]) -> dict[str, Any]:
    """The document's part on one policy, of each source only counts and the rates over all its runs."""
    sources = {
        name: {key: source[key] for key in _COUNTS}
        | {at: {key: _rounded(source[at]["rates"][key]) for key in keys} for at, keys in _RATES.items()}
        for name, source in policy["sources"].items()
    }
    groups = {
        group: {at: {key: _rounded(levels[at][key]) for key in keys} for at, keys in _RATES.items()}
        for group, levels in policy["groups"].items()
    }
    return {"sample": policy["sample"], "groups": groups, "sources": sources, "probes": policy["probes"]}


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)


def _cases(judgements: list[Judgement], left_out: int) -> dict[str, Any]:
    points = [point for judgement in judgements for point in judgement.points]
    aspects = {aspect: [point.good for point in points if point.aspect == aspect] for aspect in ASPECTS}
    return {
        "judged": len(judgements),
        "left out": left_out,
        "good": sum(judgement.good for judgement in judgements),
        "aspects": {aspect: {"good": sum(good), "of": len(good)} for aspect, good in aspects.items() if good},
        "missed": sorted(judgement.case for judgement in judgements if not judgement.good),
    }
