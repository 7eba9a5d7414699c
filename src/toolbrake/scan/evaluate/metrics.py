"""How a policy does on recorded runs, in counts that add up.

Each run is looked at twice. At the *hint* level anything but ``allow`` is a fire, and a model that is told is taken
to obey. At the *stop* level only the end of the run is: a halt, or a denial that no later call of the run gets past
(the first of the denials that are the last calls). A run is over at its first halt.

What a fire saves are the calls that need not run after it: the call itself where it was denied, halted or held for
a person, and everything after it; after a reminder, the calls that follow. A result is known from the next call
on, so a reminder never saves the call that it is about.

On a loop that a reader marked, the delay is the number of calls from the onset to the fire. A fire before the onset
finds the loop with a delay of 0, and is also counted as early. Labels of ``unsure`` are left out.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolbrake.core.decision import Action
    from toolbrake.scan.evaluate.labels import Label
    from toolbrake.scan.model import Row, Trajectory


@dataclass(frozen=True, slots=True)
class Fire:
    """Where a policy first spoke (hint) or ended the run (stop). ``call`` is 1-based."""

    call: int
    action: Action

    @property
    def saves_from(self) -> int:
        """The first call that need not run."""
        return self.call + 1 if self.action == "remind" else self.call

    def saved(self, calls: int, since: int = 1) -> int:
        """How many of the calls from ``since`` to the end, ``calls``, come after the fire."""
        return max(0, calls + 1 - max(since, self.saves_from))


def live(rows: list[Row]) -> list[Row]:
    """The rows of a run up to its first halt, that one included: the run is over then."""
    ends = (index for index, row in enumerate(rows, 1) if row.action == "halt")
    return rows[: next(ends, len(rows))]


def interventions(rows: list[Row]) -> list[Row]:
    """Every call of a run that a policy did not simply let through."""
    return [row for row in live(rows) if row.action != "allow"]


def hint(rows: list[Row]) -> Fire | None:
    """The first intervention of a run."""
    return next((Fire(row.call, row.action) for row in rows if row.action != "allow"), None)


def stop(rows: list[Row]) -> Fire | None:
    """The call from which on no call of a run gets through."""
    last: Row | None = None
    for row in reversed(live(rows)):
        if row.action not in ("deny", "halt"):
            break
        last = row
    return None if last is None else Fire(last.call, last.action)


@dataclass(slots=True)
class Level:
    """What the fires of one level come to, summed over the runs of a source.

    ``ok_*`` are runs that succeeded, ``failed_*`` runs that failed. ``ok_unexplained`` are the interventions in
    successful runs that no reader called a loop or minor.
    """

    found: int = 0
    early: int = 0
    delays: list[int] = field(default_factory=list)
    onset_saved: int = 0
    on_polling: int = 0
    on_minor: int = 0
    on_none: int = 0
    ok_fired: int = 0
    ok_lost: int = 0
    ok_interventions: int = 0
    ok_unexplained: int = 0
    failed_fired: int = 0
    failed_saved: int = 0


@dataclass(slots=True)
class Tally:
    """The runs of one source under one policy, in sums. ``onset_calls`` are the calls of loops from their onset on."""

    runs: int = 0
    calls: int = 0
    ok_runs: int = 0
    ok_calls: int = 0
    failed_runs: int = 0
    failed_calls: int = 0
    loops: int = 0
    onset_calls: int = 0
    polling: int = 0
    minor: int = 0
    none: int = 0
    unsure: int = 0
    hint: Level = field(default_factory=Level)
    stop: Level = field(default_factory=Level)

    def add(self, other: Tally) -> None:
        """Take the sums of other runs in."""
        _add(self, other)


def _add(mine: Tally | Level, its: Tally | Level) -> None:
    for each in fields(mine):
        one, other = getattr(mine, each.name), getattr(its, each.name)
        if isinstance(one, Level):
            _add(one, other)
        else:
            setattr(mine, each.name, one + other)


def of_run(run: Trajectory, rows: list[Row], label: Label | None) -> Tally:
    """What a run counts for among all runs. ``rows`` is what the policy said to it, one row a call."""
    calls = len(rows)
    tally = Tally(runs=1, calls=calls)
    fires = ((tally.hint, hint(rows)), (tally.stop, stop(rows)))
    if run.success is True:
        tally.ok_runs, tally.ok_calls = 1, calls
        for level, fire in fires:
            level.ok_fired, level.ok_lost = int(fire is not None), _saved(fire, calls)
        tally.hint.ok_interventions = len(interventions(rows))
        tally.stop.ok_interventions = tally.stop.ok_fired
        for level, _ in fires:
            level.ok_unexplained = 0 if explained(label) else level.ok_interventions
    elif run.success is False:
        tally.failed_runs, tally.failed_calls = 1, calls
        for level, fire in fires:
            level.failed_fired, level.failed_saved = int(fire is not None), _saved(fire, calls)
    return tally


def of_label(rows: list[Row], label: Label) -> Tally:
    """What a run counts for among the labelled ones."""
    tally = Tally()
    if label.onset is None:
        setattr(tally, label.verdict, 1)
    else:
        tally.loops, tally.onset_calls = 1, max(0, len(rows) + 1 - label.onset)
    for level, fire in ((tally.hint, hint(rows)), (tally.stop, stop(rows))):
        if fire is not None:
            _count(level, fire, label, len(rows))
    return tally


def explained(label: Label | None) -> bool:
    """Whether a reader saw needless repeats in the run, so that an intervention there is no surprise."""
    return label is not None and label.verdict in ("loop", "minor")


def _count(level: Level, fire: Fire, label: Label, calls: int) -> None:
    if label.onset is None:
        if label.verdict != "unsure":
            setattr(level, f"on_{label.verdict}", 1)
        return
    level.found = 1
    level.early = int(fire.call < label.onset)
    level.delays = [max(0, fire.call - label.onset)]
    level.onset_saved = fire.saved(calls, label.onset)


def _saved(fire: Fire | None, calls: int) -> int:
    return 0 if fire is None else fire.saved(calls)
