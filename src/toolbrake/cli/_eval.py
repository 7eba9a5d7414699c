"""``toolbrake eval``: what policies find, save and disturb, on recorded runs, cases and probes."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from toolbrake.cli._status import FINE, UNREADABLE, USAGE
from toolbrake.config import load
from toolbrake.core.canonical import accelerate
from toolbrake.policies import READY
from toolbrake.scan.evaluate.cases import packaged, read_cases
from toolbrake.scan.evaluate.corpus import Extent, labels_in, measure_files, runs_in
from toolbrake.scan.evaluate.document import as_mapping
from toolbrake.scan.evaluate.judging import judge
from toolbrake.scan.evaluate.labels import read_labels
from toolbrake.scan.evaluate.layout import markdown, text
from toolbrake.scan.evaluate.probes import probe
from toolbrake.scan.evaluate.report import Evaluation, tables
from toolbrake.scan.evaluate.subject import Subject

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolbrake.scan.evaluate.cases import Case
    from toolbrake.scan.evaluate.corpus import Measured
    from toolbrake.scan.evaluate.judging import Judgement

NONE = "none"
_BESIDE = Path(__file__).resolve().parents[3].parent / "shared" / "corpus"
"""Where a checkout has the corpus: beside it. An installed package has nothing there."""

HALTING = frozenset({"unattended"})
"""Ready policies that, alone or extended, must end the runs that cases want ended; --halt asks it of all."""

_DESCRIPTION = """Measure policies on recorded runs and their labels, on cases, and on eleven probes.

Without --policy all ready policies are measured, observe apart, which decides what standard does. The corpus is a
folder of traces; label files in it are named LABELS*.jsonl. It is no part of the package: without --corpus a folder
shared/corpus beside the checkout is taken. Shares of a source are averaged over sources, weak and strong agents
apart, and never pooled; only the labelled sample is also shown as a whole."""


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand."""
    parser = commands.add_parser("eval", help="measure policies on recorded runs, cases and probes")
    parser.description = _DESCRIPTION
    parser.add_argument(
        "--policy", nargs="+", action="extend", metavar="NAME_OR_FILE", help="ready policies or policy files"
    )
    parser.add_argument("--corpus", metavar="DIR", help="a folder of traces, or none")
    parser.add_argument(
        "--labels", nargs="+", action="extend", metavar="FILE", help="label files (default: the corpus's own)"
    )
    parser.add_argument("--cases", metavar="FILE", help="a file of cases, or none (default: those of the package)")
    parser.add_argument("--source", nargs="+", action="extend", default=[], metavar="NAME", help="only these sources")
    parser.add_argument("--sample", type=_count, metavar="N", help="N runs of each source, and all that are labelled")
    parser.add_argument("--jobs", type=_count, default=1, metavar="N", help="processes (default: %(default)s)")
    parser.add_argument(
        "--halt", action="store_true", help="ask every policy to end the runs of cases that must be ended"
    )
    parser.add_argument(
        "--list",
        action="store_true",
        help="list the interventions in successful runs that no reader called loop or minor",
    )
    formats = parser.add_mutually_exclusive_group()
    formats.add_argument(
        "--output", choices=("table", "markdown", "json"), default="table", help="the report (default: %(default)s)"
    )
    formats.add_argument(
        "--markdown", dest="output", action="store_const", const="markdown", help="short for --output markdown"
    )
    formats.add_argument("--json", dest="output", action="store_const", const="json", help="short for --output json")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Measure, print the report; the exit status."""
    accelerate()
    wanted = list(dict.fromkeys(arguments.policy or _ready()))
    loaded = [load(source) for source in wanted]
    subjects = [Subject(name, each.policy, each.limits.idle) for name, each in zip(wanted, loaded, strict=True)]
    halts = {subject.name for subject in subjects if arguments.halt or subject.policy.name in HALTING}
    folder = _folder(arguments.corpus)
    try:
        cases = _cases(arguments.cases)
        measured = None if folder is None else _measured(arguments, subjects, folder)
    except (OSError, ValueError) as fault:
        print(f"toolbrake: {fault}", file=sys.stderr)
        return USAGE
    evaluation = Evaluation(
        policies=tuple(wanted),
        probes={subject.name: probe(subject) for subject in subjects},
        judgements={subject.name: _judged(cases, subject, halts) for subject in subjects} if cases else {},
        halts=frozenset(halts),
        measured=measured,
    )
    print(_REPORTS[arguments.output](evaluation))
    if measured is None:
        return FINE if arguments.corpus == NONE else USAGE
    return _told(measured, arguments.source)


def _ready() -> list[str]:
    return [name for name in READY if name != "observe"]


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number from 1 (got {text!r})")
    return int(text)


def _folder(asked: str | None) -> str | None:
    """The folder of the corpus; None, and why on standard error, where there is none."""
    if asked == NONE:
        return None
    folder = Path(asked) if asked is not None else _BESIDE
    if folder.is_dir() and runs_in(str(folder)):
        return str(folder)
    problem = "holds no traces (.jsonl, .jsonl.gz)" if folder.is_dir() else "is no folder"
    print(f"toolbrake: no corpus: {folder} {problem}; name one with --corpus DIR, or --corpus none", file=sys.stderr)
    return None


def _cases(asked: str | None) -> list[Case]:
    if asked == NONE:
        return []
    return packaged() if asked is None else read_cases(asked)


def _judged(cases: list[Case], subject: Subject, halts: set[str]) -> list[Judgement]:
    return [judge(case, subject, halts=subject.name in halts) for case in cases]


def _measured(arguments: argparse.Namespace, subjects: list[Subject], folder: str) -> Measured:
    labels = read_labels(arguments.labels or labels_in(folder))
    extent = Extent(frozenset(arguments.source), arguments.sample, arguments.list)
    return measure_files(runs_in(folder), subjects, labels, extent, jobs=arguments.jobs)


def _told(measured: Measured, sources: list[str]) -> int:
    """Name what could not be read and what was not there; the exit status."""
    for item in measured.unreadable:
        print(item, file=sys.stderr)
    known = {source for tallies in measured.tallies.values() for source in tallies}
    absent = [source for source in sources if source not in known]
    if absent:
        print(f"toolbrake: the corpus has no run of {', '.join(absent)}", file=sys.stderr)
        return USAGE
    return UNREADABLE if measured.unreadable else FINE


def _json(evaluation: Evaluation) -> str:
    return json.dumps(as_mapping(evaluation), ensure_ascii=False)


_REPORTS: dict[str, Callable[[Evaluation], str]] = {
    "table": lambda evaluation: text(tables(evaluation)),
    "markdown": lambda evaluation: markdown(tables(evaluation)),
    "json": _json,
}
