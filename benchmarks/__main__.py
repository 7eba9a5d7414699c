"""``make bench``: one JSON object a bar, then a table; exit status 1 where a bar is missed."""

from __future__ import annotations

import itertools
import json
import sys
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import orjson

from benchmarks.payloads import ERROR, RESULT, TYPICAL, body
from benchmarks.rounds import Ratio, ratios
from toolbrake import Call, Guard

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from benchmarks.rounds import Work

CALLS = 4096
"""Calls made before the clock runs and used in turn: far more than any window remembers."""

SORTED = orjson.OPT_SORT_KEYS


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: what was measured, in which unit, and what it may be."""

    bar: str
    value: float
    limit: float
    unit: str
    ok: bool
    low: float
    high: float


def main() -> int:
    """Measure and print every bar; the exit status."""
    bars = [*decisions(), *bodies()]
    for bar in bars:
        print(json.dumps(asdict(bar)))
    print()
    print("| bar | value | limit | unit | low to high | ok |\n| --- | ---: | ---: | --- | --- | --- |")
    for bar in bars:
        spread = f"{bar.low:.1f} to {bar.high:.1f}"
        print(f"| {bar.bar} | {bar.value:.1f} | {bar.limit:g} | {bar.unit} | {spread} | {'yes' if bar.ok else 'no'} |")
    return 0 if all(bar.ok for bar in bars) else 1


def decisions() -> Iterator[Bar]:
    """Fresh calls of 500 B, with a successful and a failed result."""
    limits = {
        "check and record, standard, 500 B, 2 KB result": 20.0,
        "check, brake, 500 B": 8.0,
        "check and record, standard, 500 B, 2 KB error": 150.0,
    }
    good, brake, bad = limits
    cases = {
        good: _both("standard", TYPICAL, RESULT, error=False),
        brake: _check("brake", TYPICAL),
        bad: _both("standard", TYPICAL, ERROR, error=True),
    }
    yield from _bars(ratios(lambda: orjson.dumps(TYPICAL, option=SORTED), cases), limits)


def bodies() -> Iterator[Bar]:
    """Calls that carry one long string, against the dump of the same call."""
    for size, name in ((10_000, "10 KB"), (100_000, "100 KB")):
        case = f"check and record, standard, {name} body"
        measured = ratios(
            lambda size=size: orjson.dumps(body_of(size), option=SORTED),  # type: ignore[misc]  # a bound lambda
            {case: _both("standard", body_of(size), "ok", error=False)},
        )
        yield from _bars(measured, {case: 4.0})


_BODIES = {size: body(size) for size in (10_000, 100_000)}


def body_of(size: int) -> dict[str, object]:
    """The call with a body of that size, made once."""
    return _BODIES[size]


def _bars(measured: Mapping[str, Ratio], limits: Mapping[str, float]) -> Iterator[Bar]:
    for name, ratio in measured.items():
        limit = limits[name]
        yield Bar(name, round(ratio.median, 2), limit, "dumps", ratio.median <= limit, ratio.low, ratio.high)


def _both(policy: str, args: dict[str, object], content: str, *, error: bool) -> Work:
    """Both sides of a call that has not been made before, with an answer that has not been given before."""
    guard = Guard(policy)
    fresh = _fresh(args)

    def work() -> None:
        call = next(fresh)
        if not guard.check(call).runs:
            raise RuntimeError("a fresh call was denied: this would measure a halt")
        guard.record(call, f"{content}{call.id}", error=error)

    return work


def _check(policy: str, args: dict[str, object]) -> Work:
    guard = Guard(policy)
    fresh = _fresh(args)
    return lambda: guard.check(next(fresh))


def _fresh(args: dict[str, object]) -> Iterator[Call]:
    """Calls that differ in one number, each with an id of its own."""
    calls = [Call("report", {**args, "page": n}, id=f"call_{_letters(n)}", step=n) for n in range(CALLS)]
    return itertools.cycle(calls)


def _letters(number: int) -> str:
    """A number in letters: digits in an error are levelled, and equal errors are no fresh ones."""
    return "".join(chr(97 + int(digit)) for digit in f"{number:012d}")


if __name__ == "__main__":
    sys.exit(main())
