"""The trace: JSON Lines, one trajectory a line, the public format of version 1.

    {"version": 1, "id": ..., "source": ..., "success": ..., "labels": {...}, "events": [...]}

Reading streams: one line is in memory at a time. A line or an event that cannot be read becomes an ``Unreadable``
value in the same stream, and everything else is read. A call without ``step`` gets one from its place: calls that
follow each other without a result, a user turn or the agent's words between came in one model response.
"""

from __future__ import annotations

import contextlib
import gzip
import json
import re
import sys
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

from toolbrake.core.events import MAIN, Call, Event, Session, from_mapping, to_mapping
from toolbrake.scan.model import Trajectory, Unreadable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import TextIO

VERSION = 1
STDIN = "-"
_GZIP = b"\x1f\x8b"
_SUFFIXES = (".jsonl", ".jsonl.gz")
_FIELDS = frozenset({"version", "id", "source", "success", "labels", "events"})


def read_paths(paths: Iterable[str]) -> Iterator[Trajectory | Unreadable]:
    """Read files, folders (every ``.jsonl`` and ``.jsonl.gz`` below, in order of name) and ``-``, standard input."""
    for path in paths:
        if path == STDIN:
            yield from read_lines(sys.stdin.buffer, "standard input")
            continue
        if Path(path).is_dir():
            found = sorted(file for file in Path(path).rglob("*") if file.name.endswith(_SUFFIXES))
            if not found:
                yield Unreadable(path, 0, f"the folder holds no {' or '.join(_SUFFIXES)} file")
            for file in found:
                yield from read_file(str(file))
            continue
        yield from read_file(path)


def read_file(path: str) -> Iterator[Trajectory | Unreadable]:
    """Read one file, gzip or plain, told apart by its first bytes."""
    try:
        with Path(path).open("rb") as file:
            if file.peek(2)[:2] == _GZIP:
                with gzip.open(file) as unpacked:
                    yield from read_lines(unpacked, path)
            else:
                yield from read_lines(file, path)
    except (OSError, EOFError, zlib.error) as fault:
        yield Unreadable(path, 0, getattr(fault, "strerror", None) or str(fault))


def read_lines(lines: Iterable[bytes], name: str) -> Iterator[Trajectory | Unreadable]:
    """Read the lines of a trace; ``name`` is what reports call it."""
    loads = _loads()
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            fields = loads(line)
        except (ValueError, RecursionError) as fault:
            yield Unreadable(name, number, f"no JSON: {fault}")
            continue
        yield from _trajectory(fields, name, number)


def write(trajectories: Iterable[Trajectory], out: TextIO) -> None:
    """Write trajectories as a trace."""
    out.writelines(dumps(trajectory) + "\n" for trajectory in trajectories)


def dumps(trajectory: Trajectory) -> str:
    """One line of a trace, without its line feed."""
    fields = {
        "version": VERSION,
        "id": trajectory.id,
        "source": trajectory.source,
        "success": trajectory.success,
        "labels": dict(trajectory.labels),
        **trajectory.extra,
        "events": list(_mappings(trajectory.events)),
    }
    text = json.dumps(fields, ensure_ascii=False, separators=(",", ":"), default=str)
    if _SURROGATE.search(text) is None:
        return text
    return json.dumps(fields, separators=(",", ":"), default=str)


def _mappings(events: Iterable[Event]) -> Iterator[dict[str, object]]:
    """The events as mappings; the main session is named where another one is the current."""
    current: object = MAIN
    for event in events:
        fields = to_mapping(event)
        if isinstance(event, Session):
            current = event.session
        elif current != MAIN:
            fields["session"] = event.session
        yield fields


def _trajectory(fields: object, name: str, number: int) -> Iterator[Trajectory | Unreadable]:
    problem = _problem(fields)
    if problem is not None:
        yield Unreadable(name, number, problem)
        return
    assert isinstance(fields, dict)  # noqa: S101 - _problem says so
    events, problems = _events(fields["events"])
    for place, reason in problems:
        yield Unreadable(name, number, f"event {place}: {reason}")
    yield Trajectory(
        id=f"{name}:{number}" if fields.get("id") is None else str(fields["id"]),
        source=fields.get("source"),
        success=fields.get("success"),
        labels=fields.get("labels") or {},
        events=events,
        extra={key: value for key, value in fields.items() if key not in _FIELDS},
    )


def _problem(fields: object) -> str | None:
    """Why a line is no trajectory."""
    if not isinstance(fields, dict):
        return f"a trajectory is an object (got {type(fields).__name__})"
    if fields.get("version", VERSION) != VERSION:
        return f"version must be {VERSION} (got {fields['version']!r})"
    if not isinstance(fields.get("events"), list):
        return "events must be a list"
    if not isinstance(fields.get("labels") or {}, dict):
        return "labels must be an object"
    return None


def _events(items: list[object]) -> tuple[list[Event], list[tuple[int, str]]]:
    """The events that can be read, and the 1-based places and reasons of those that cannot."""
    events: list[Event] = []
    problems: list[tuple[int, str]] = []
    steps = Steps()
    session: object = None
    for place, item in enumerate(items, 1):
        if not isinstance(item, dict):
            problems.append((place, f"an event is an object (got {type(item).__name__})"))
            continue
        placed = item if session is None or "session" in item else {**item, "session": session}
        try:
            event = from_mapping(placed)
        except ValueError as fault:
            problems.append((place, str(fault)))
            continue
        if isinstance(event, Session):
            session = event.session
        if isinstance(event, Call) and "step" in item:
            steps.leave(event)
        else:
            steps.place(event)
        events.append(event)
    return events, problems


class Steps:
    """Which model response a call came in, told from its place among the events of its scope."""

    def __init__(self) -> None:
        self._count = 0
        self._current: dict[tuple[object, object], str] = {}

    def place(self, event: Event) -> None:
        """Give a call its step; take note of everything that ends one."""
        scope = (event.session, event.agent)
        if not isinstance(event, Call):
            self._current.pop(scope, None)
            return
        if scope not in self._current:
            self._count += 1
            self._current[scope] = f"step {self._count}"
        event.step = self._current[scope]

    def leave(self, call: Call) -> None:
        """A call that names its step ends one that was told from its place."""
        self._current.pop((call.session, call.agent), None)


def _loads() -> Callable[[bytes], object]:
    """The fastest parser at hand that loses nothing.

    orjson reads integers past 64 bits as floats and refuses lone surrogates and NaN, all of which real traces hold:
    such lines go to the standard library.
    """
    try:
        import orjson  # noqa: PLC0415 - an extra
    except ImportError:
        return json.loads

    def loads(line: bytes) -> object:
        if _LONG_NUMBER.search(line) is None:
            with contextlib.suppress(orjson.JSONDecodeError):
                return orjson.loads(line)
        return json.loads(line)

    return loads


_SURROGATE = re.compile("[\ud800-\udfff]")
_LONG_NUMBER = re.compile(rb"[0-9]{19}")
