"""What a policy did with a case, held against what a good one does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from toolbrake.core.decision import RANK
from toolbrake.scan.evaluate.cases import trajectory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from toolbrake.core.decision import Action
    from toolbrake.scan.evaluate.cases import Case, Expected
    from toolbrake.scan.evaluate.subject import Subject
    from toolbrake.scan.model import Row

Aspect = Literal["acts in time", "leaves alone", "ends the run", "allows again", "stays mild"]
ASPECTS: tuple[Aspect, ...] = ("acts in time", "leaves alone", "ends the run", "allows again", "stays mild")
"""What can be asked of a policy in one case: each is fulfilled or not."""


@dataclass(frozen=True, slots=True)
class Point:
    """One aspect of one case. ``expected`` and ``happened`` are for a person; the latter names call and rule."""

    aspect: Aspect
    good: bool
    expected: str
    happened: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """All that was asked of a policy in one case."""

    case: str
    needs: tuple[str, ...]
    points: tuple[Point, ...]

    @property
    def good(self) -> bool:
        """Whether the policy did all of it."""
        return all(point.good for point in self.points)

    @property
    def misses(self) -> tuple[Point, ...]:
        """What it did not do."""
        return tuple(point for point in self.points if not point.good)


def judge(case: Case, subject: Subject, *, halts: bool) -> Judgement:
    """Run a case and judge it. ``halts``: whether the run must be ended where the case says so."""
    try:
        rows = subject.rows(trajectory(case))
    except Exception as fault:  # noqa: BLE001 - cases hold hostile values: any crash is a finding about the policy
        crash = f"{type(fault).__name__}: {fault}"
        points = tuple(Point(aspect, False, "no exception", crash) for aspect in asked(case.expected, halts=halts))
        return Judgement(case.id, case.needs, points)
    return Judgement(case.id, case.needs, tuple(_points(case.expected, rows, halts=halts)))


def asked(expected: Expected, *, halts: bool) -> list[Aspect]:
    """The aspects that a case asks about."""
    aspects: list[Aspect] = ["leaves alone" if expected.at is None else "acts in time"]
    if halts and expected.halt_by is not None:
        aspects.append("ends the run")
    if expected.allow_from is not None:
        aspects.append("allows again")
    if expected.max_action is not None:
        aspects.append("stays mild")
    return aspects


def _points(expected: Expected, rows: list[Row], *, halts: bool) -> Iterator[Point]:
    said = [row for row in rows if row.action != "allow"]
    for aspect in asked(expected, halts=halts):
        match aspect:
            case "acts in time":
                yield _acts(expected, said, len(rows))
            case "leaves alone":
                yield _leaves(expected, said)
            case "ends the run":
                yield _ends(expected, said)
            case "allows again":
                yield _allows(expected, said)
            case "stays mild":
                yield _mild(expected, said)


def _acts(expected: Expected, said: list[Row], calls: int) -> Point:
    """An intervention before ``at`` is premature, unless it is a reminder and those are tolerated."""
    at, by = expected.at or 1, expected.by or calls
    early = _first(said, lambda row: row.call < at and not _within(row, expected.tolerates))
    first = early or (said[0] if said else None)
    good = early is None and first is not None and first.call <= by
    return Point("acts in time", good, f"first at call {at} to {by}", _told(first))


def _leaves(expected: Expected, said: list[Row]) -> Point:
    first = _first(said, lambda row: not _within(row, expected.tolerates))
    limit = "a reminder at most" if expected.tolerates == "remind" else "nothing"
    return Point("leaves alone", first is None, limit, _told(first))


def _ends(expected: Expected, said: list[Row]) -> Point:
    limit = expected.halt_by or 0
    halt = _first(said, lambda row: row.action == "halt")
    happened = _told(halt) if halt else f"no halt; {_told(said[-1] if said else None)}"
    return Point("ends the run", halt is not None and halt.call <= limit, f"halt by call {limit}", happened)


def _allows(expected: Expected, said: list[Row]) -> Point:
    since = expected.allow_from or 1
    blocked = _first(said, lambda row: row.call >= since and not _within(row, "remind"))
    return Point("allows again", blocked is None, f"calls run from call {since} on", _told(blocked))


def _mild(expected: Expected, said: list[Row]) -> Point:
    strong = _first(said, lambda row: not _within(row, expected.max_action))
    return Point("stays mild", strong is None, f"{expected.max_action} at most", _told(strong))


def _within(row: Row, limit: Action | None) -> bool:
    """Whether the row's action is no stronger than ``limit``; nothing is within no limit."""
    return limit is not None and RANK[row.action] <= RANK[limit]


def _told(row: Row | None) -> str:
    return "nothing" if row is None else f"{row.action} at call {row.call} ({row.rule})"


def _first(rows: list[Row], fits: Callable[[Row], bool]) -> Row | None:
    return next((row for row in rows if fits(row)), None)
