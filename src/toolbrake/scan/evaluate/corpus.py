"""Policies over a folder of recorded runs: one run in memory at a time, in one process or several."""

from __future__ import annotations

import gzip
import heapq
import io
from collections import defaultdict
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from toolbrake.core.canonical import accelerate
from toolbrake.scan.evaluate.metrics import Tally, explained, interventions, of_label, of_run
from toolbrake.scan.model import Trajectory, Unreadable
from toolbrake.scan.trace import read_file, read_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from toolbrake.core.decision import Action
    from toolbrake.scan.evaluate.labels import Label
    from toolbrake.scan.evaluate.subject import Subject
    from toolbrake.scan.model import Row

UNNAMED = "(no source)"
_LABELS = "LABELS"
_SUFFIXES = (".jsonl", ".jsonl.gz")


@dataclass(frozen=True, slots=True)
class Intervention:
    """Something said in a successful run that no reader called a loop: a call by its number, without arguments."""

    source: str
    run: str
    call: int
    tool: str
    rule: str | None
    action: Action


@dataclass(frozen=True, slots=True)
class Extent:
    """Which runs are measured: of these sources (none = all), and of each ``sample`` runs beside the labelled ones.

    ``interventions``: whether those in successful runs are listed one by one.
    """

    sources: frozenset[str] = frozenset()
    sample: int | None = None
    interventions: bool = False


@dataclass(slots=True)
class Measured:
    """The tallies by policy and source, what was said where it should surprise, and what could not be read.

    ``labels`` is how many labels there were, also of runs that are not in the corpus.
    """

    tallies: dict[str, dict[str, Tally]] = field(default_factory=dict)
    interventions: dict[str, list[Intervention]] = field(default_factory=dict)
    unreadable: list[Unreadable] = field(default_factory=list)
    labels: int = 0

    def tally(self, policy: str, source: str) -> Tally:
        """The tally of a policy over a source, made where there is none."""
        return self.tallies.setdefault(policy, {}).setdefault(source, Tally())

    def add(self, other: Measured) -> None:
        """Take in what another process measured."""
        for policy, sources in other.tallies.items():
            for source, tally in sources.items():
                self.tally(policy, source).add(tally)
        for policy, said in other.interventions.items():
            self.interventions.setdefault(policy, []).extend(said)
        self.unreadable.extend(other.unreadable)


def runs_in(folder: str) -> list[str]:
    """The files of runs in a folder, by name. Label files lie beside them and are left out."""
    files = sorted(path for path in Path(folder).iterdir() if path.name.endswith(_SUFFIXES))
    return [str(path) for path in files if not path.name.startswith(_LABELS)]


def labels_in(folder: str) -> list[str]:
    """The label files of a folder, by name."""
    return sorted(str(path) for path in Path(folder).glob(f"{_LABELS}*.jsonl"))


def measure_files(
    files: Sequence[str],
    subjects: Sequence[Subject],
    labels: Mapping[str, Label],
    extent: Extent,
    *,
    jobs: int = 1,
) -> Measured:
    """Every policy over every run of the files, in ``jobs`` processes."""
    chosen = _sample(files, extent) if extent.sample is not None else None
    work = _Work(tuple(subjects), labels, extent, chosen)
    total = Measured(labels=len(labels))
    if jobs == 1:
        for file in files:
            total.add(work.measure(file, 0, 1))
    else:
        _measure_apart(work, files, jobs, total)
    for said in total.interventions.values():
        said.sort(key=lambda one: (one.source, one.run, one.call))
    return total


def _measure_apart(work: _Work, files: Sequence[str], jobs: int, total: Measured) -> None:
    """Each process takes every ``jobs``-th run of each file: most runs of a corpus may be in one file."""
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415 - only who asks for processes pays for them
    from multiprocessing import get_context  # noqa: PLC0415

    # Spawned, not forked: the same on every system, and safe where the caller has threads.
    with ProcessPoolExecutor(jobs, get_context("spawn"), accelerate) as pool:
        parts = [pool.submit(work.measure, file, part, jobs) for file in files for part in range(jobs)]
        for part in parts:
            total.add(part.result())


@dataclass(frozen=True, slots=True)
class _Work:
    """What a process needs to know. ``chosen`` are the ids of a sample, None without one."""

    subjects: tuple[Subject, ...]
    labels: Mapping[str, Label]
    extent: Extent
    chosen: frozenset[str] | None

    def measure(self, file: str, part: int, parts: int) -> Measured:
        """Measure the runs of a file whose line number leaves ``part`` over when divided by ``parts``."""
        out = Measured()
        for item in read_file(file) if parts == 1 else _read_part(file, part, parts):
            if isinstance(item, Unreadable):
                out.unreadable.append(item)
            elif not self.extent.sources or (item.source or UNNAMED) in self.extent.sources:
                self._take(item, out)
        return out

    def _take(self, run: Trajectory, out: Measured) -> None:
        """A labelled run outside the sample counts among the labelled ones only: those are no fair sample."""
        label = self.labels.get(run.id)
        sampled = self.chosen is None or run.id in self.chosen
        if not sampled and label is None:
            return
        for subject in self.subjects:
            rows = subject.rows(run)
            tally = out.tally(subject.name, run.source or UNNAMED)
            if label is not None:
                tally.add(of_label(rows, label))
            if sampled:
                tally.add(of_run(run, rows, label))
                self._list(subject, run, rows, out)

    def _list(self, subject: Subject, run: Trajectory, rows: list[Row], out: Measured) -> None:
        if not self.extent.interventions or run.success is not True or explained(self.labels.get(run.id)):
            return
        out.interventions.setdefault(subject.name, []).extend(
            Intervention(run.source or UNNAMED, run.id, row.call, row.tool, row.rule, row.action)
            for row in interventions(rows)
        )


def _read_part(file: str, part: int, parts: int) -> Iterator[Trajectory | Unreadable]:
    """Read a share of a file's lines; the others are not even parsed."""
    with Path(file).open("rb") as raw:
        packed = raw.peek(2)[:2] == b"\x1f\x8b"
        for number, line in enumerate(gzip.GzipFile(fileobj=raw) if packed else raw, 1):
            if number % parts != part:
                continue
            for item in read_lines(io.BytesIO(line), file):
                yield replace(item, line=number) if isinstance(item, Unreadable) else item


def _sample(files: Sequence[str], extent: Extent) -> frozenset[str]:
    """The ids of the runs of each source that come first by the digest of their id: the same on every machine."""
    size = extent.sample or 0
    first: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
    for file in files:
        for run in read_file(file):
            if isinstance(run, Trajectory):
                kept = first[run.source or UNNAMED]
                heapq.heappush(kept, (-int.from_bytes(sha256(run.id.encode()).digest()[:8]), run.id))
                if len(kept) > size:
                    heapq.heappop(kept)
    return frozenset(name for kept in first.values() for _, name in kept)
