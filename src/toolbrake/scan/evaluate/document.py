"""An evaluation as one mapping of JSON values, for a program."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from toolbrake.scan.evaluate.groups import group_of, grouped, level, mean_rates, whole
from toolbrake.scan.evaluate.rates import rates, wilson
from toolbrake.scan.evaluate.report import LEVELS

if TYPE_CHECKING:
    from toolbrake.scan.evaluate.corpus import Measured
    from toolbrake.scan.evaluate.judging import Judgement
    from toolbrake.scan.evaluate.metrics import Tally
    from toolbrake.scan.evaluate.probes import Probed
    from toolbrake.scan.evaluate.report import Evaluation

VERSION = 1


def as_mapping(evaluation: Evaluation) -> dict[str, object]:
    """Counts, rates and intervals by policy; shares are between 0 and 1, a missing figure is null."""
    measured = evaluation.measured
    return {
        "version": VERSION,
        "policies": {policy: _policy(evaluation, policy) for policy in evaluation.policies},
        "unreadable": [] if measured is None else [str(item) for item in measured.unreadable],
    }


def _policy(evaluation: Evaluation, policy: str) -> dict[str, object]:
    out: dict[str, object] = {} if evaluation.measured is None else _corpus(policy, evaluation.measured)
    out["probes"] = [_probed(probed) for probed in evaluation.probes[policy]]
    if evaluation.judgements:
        out["cases"] = [_judgement(judgement) for judgement in evaluation.judgements[policy]]
        out["halts"] = policy in evaluation.halts
    return out


def _corpus(policy: str, measured: Measured) -> dict[str, object]:
    tallies = measured.tallies.get(policy, {})
    return {
        "sources": {source: {"group": group_of(source), **_tally(tally)} for source, tally in sorted(tallies.items())},
        "groups": {
            group: {name: asdict(mean_rates(members.values(), name)) for name in LEVELS}
            for group, members in grouped(tallies)
        },
        "sample": _tally(whole(tallies.values()), labelled=True),
        "interventions": [asdict(one) for one in measured.interventions.get(policy, [])],
    }


_LABELLED = ("found", "early", "delay", "onset_saved", "on_polling", "on_minor", "on_none")
_LABELLED_RATES = (*_LABELLED, "precision", "precision_with_minor")
_LABELLED_COUNTS = ("loops", "onset_calls", "polling", "minor", "none", "unsure")


def _tally(tally: Tally, *, labelled: bool = False) -> dict[str, object]:
    """Counts, and by level counts, rates and intervals; only those of the labelled runs where so asked."""
    counts = {name: value for name, value in asdict(tally).items() if name not in LEVELS}
    out: dict[str, object] = {name: counts[name] for name in _LABELLED_COUNTS} if labelled else dict(counts)
    for name in LEVELS:
        at = level(tally, name)
        figures = asdict(rates(tally, at))
        out[name] = {
            "counts": {**asdict(at), "delays": sorted(at.delays)},
            "rates": {key: figures[key] for key in _LABELLED_RATES} if labelled else figures,
            "found_95": wilson(at.found, tally.loops),
            "ok_fired_95": wilson(at.ok_fired, tally.ok_runs),
        }
    return out


def _probed(probed: Probed) -> dict[str, object]:
    first = probed.first
    return {
        "name": probed.name,
        "loop": probed.loop,
        "good": probed.good,
        "call": None if first is None else first.call,
        "action": None if first is None else first.action,
        "rule": None if first is None else first.rule,
    }


def _judgement(judgement: Judgement) -> dict[str, object]:
    return {
        "id": judgement.case,
        "needs": list(judgement.needs),
        "good": judgement.good,
        "points": [asdict(point) for point in judgement.points],
    }
