"""Eleven short runs, invented here: seven loops that any guard should see, four that it should leave alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolbrake.core.events import Call, Result, User
from toolbrake.scan.model import Trajectory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from toolbrake.core.events import Event
    from toolbrake.scan.evaluate.subject import Subject
    from toolbrake.scan.model import Row

    Said = tuple[str, object, str, bool]

ROUNDS = 12
"""How often a probe goes round: long enough for any window, far past patience."""

SECONDS = 20
"""Between the calls of a probe."""


@dataclass(frozen=True, slots=True)
class Probe:
    """A run and whether it is a loop."""

    name: str
    loop: bool
    run: Trajectory


@dataclass(frozen=True, slots=True)
class Probed:
    """What a policy did with a probe: the first intervention, if any."""

    name: str
    loop: bool
    first: Row | None

    @property
    def good(self) -> bool:
        """Whether a loop was caught, and anything else left alone."""
        return self.loop == (self.first is not None)


def probes() -> list[Probe]:
    """All eleven, loops first."""
    return [
        *(Probe(name, True, _run(name, make)) for name, make in _LOOPS.items()),
        *(Probe(name, False, _run(name, make)) for name, make in _WORK.items()),
    ]


def probe(subject: Subject) -> list[Probed]:
    """What a policy does with each."""
    return [Probed(each.name, each.loop, _first(subject.rows(each.run))) for each in probes()]


def _first(rows: Iterable[Row]) -> Row | None:
    return next((row for row in rows if row.action != "allow"), None)


def _run(name: str, make: Callable[[int], Iterable[Said]]) -> Trajectory:
    """A request, then the rounds; every call is a step of its own."""
    events: list[Event] = [User("Please finish the task.", at=0.0)]
    for number, (tool, args, content, error) in enumerate(_rounds(make), 1):
        name, at = f"c{number}", float(number * SECONDS)
        events.append(Call(tool, args, id=name, step=name, at=at))
        events.append(Result(name, content, error=error, at=at + 1))
    return Trajectory(id=name, events=events, source="probes")


def _rounds(make: Callable[[int], Iterable[Said]]) -> Iterator[Said]:
    for turn in range(1, ROUNDS + 1):
        yield from make(turn)


def _same_call(_: int) -> Iterator[Said]:
    yield "search", {"query": "open invoices"}, "2 matches: INV-7, INV-9", False


def _two_tools(_: int) -> Iterator[Said]:
    yield "read_file", {"path": "app.py"}, "import shop\n", False
    yield "run_tests", {"target": "tests/test_shop.py"}, "1 failed: test_total", True


def _two_files(_: int) -> Iterator[Said]:
    yield "read_file", {"path": "app.py"}, "import shop\n", False
    yield "read_file", {"path": "shop.py"}, "def total(items): ...\n", False


def _three_calls(_: int) -> Iterator[Said]:
    yield "list_files", {"path": "src"}, "app.py\nshop.py", False
    yield "read_file", {"path": "src/app.py"}, "import shop\n", False
    yield "search", {"query": "def total"}, "shop.py:1", False


def _key_order(turn: int) -> Iterator[Said]:
    fields = [("table", "orders"), ("limit", 20), ("where", "state = 'open'")]
    turned = fields[turn % 3 :] + fields[: turn % 3]
    yield "query", dict(turned), "0 rows", False


def _volatile_argument(turn: int) -> Iterator[Said]:
    args = {"query": "open invoices", "request_id": f"req-{turn * 7919:08x}"}
    yield "search", args, "2 matches: INV-7, INV-9", False


def _same_error(turn: int) -> Iterator[Said]:
    yield "get_order", {"order_id": f"A-{100 + turn}"}, "401 unauthorized: the token has expired", True


def _moving_poll(turn: int) -> Iterator[Said]:
    state = "done" if turn == ROUNDS else "running"
    yield "job_status", {"job": "export-1"}, f"{state}, {turn * 100 // ROUNDS}% of 4,812 rows written", False


def _edit_and_test(turn: int) -> Iterator[Said]:
    edit = {"path": "shop.py", "old": f"rate = {turn - 1}", "new": f"rate = {turn}"}
    yield "edit_file", edit, "edited shop.py", False
    left = ROUNDS - turn
    yield "run_tests", {"target": "tests/test_shop.py"}, f"{left} failed, {ROUNDS - left} passed", left > 0


def _distinct_reads(turn: int) -> Iterator[Said]:
    yield "read_file", {"path": f"src/part_{turn}.py"}, f"def part_{turn}():\n    return {turn * turn}\n", False


def _acknowledged_writes(turn: int) -> Iterator[Said]:
    yield "write_file", {"path": f"out/page_{turn}.html", "content": f"<h1>Page {turn}</h1>"}, "ok", False


_LOOPS: dict[str, Callable[[int], Iterable[Said]]] = {
    "same call": _same_call,
    "A-B-A-B, two tools": _two_tools,
    "A-B-A-B, one tool on two files": _two_files,
    "A-B-C": _three_calls,
    "same call, keys in another order": _key_order,
    "same call, one volatile argument": _volatile_argument,
    "same error, other arguments": _same_error,
}
_WORK: dict[str, Callable[[int], Iterable[Said]]] = {
    "poll that changes": _moving_poll,
    "edit and test": _edit_and_test,
    "distinct reads": _distinct_reads,
    "distinct writes, all ok": _acknowledged_writes,
}
