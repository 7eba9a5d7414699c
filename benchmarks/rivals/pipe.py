"""A rival in a process of its own, asked run by run, and what it says as the rows that the evaluation takes.

A rival that ends a run after a call's result let that call run: in recorded runs the end counts from the next call
on, and where none follows only as a word that came too late. In cases and probes the end counts at the call itself.
"""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Self

from benchmarks.rivals.environments import HERE
from toolbrake.core.decision import RANK
from toolbrake.core.events import Call, Result, User
from toolbrake.scan.model import Row

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from types import TracebackType

    from benchmarks.rivals.catalogue import Rival
    from toolbrake.core.events import Event
    from toolbrake.scan.model import Trajectory

_SET = {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "OPENHANDS_SUPPRESS_BANNER": "1"}
"""Packages that OpenHands brings ask the network or greet at import."""


class CrashedError(Exception):
    """The rival raised in the middle of a run."""


class Child:
    """The process of one variant of a rival; ``calls`` and ``seconds`` are what it was asked and how long it took."""

    def __init__(self, rival: Rival, variant: str, python: Path) -> None:
        self.rival = rival
        self.name = rival.title(variant)
        self.calls = 0
        self.seconds = 0.0
        self.crashes: list[str] = []
        self._process = subprocess.Popen(  # noqa: S603 - an environment made here
            [str(python), "-m", "adapters.serve", rival.adapter, variant],
            cwd=HERE,
            env={**os.environ, **_SET},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, at: TracebackType | None) -> None:
        self._process.communicate()

    def ask(self, given: dict[str, Any]) -> dict[str, Any]:
        """One line there, one line back. Raises EOFError where the process is gone."""
        assert self._process.stdin is not None  # noqa: S101 - piped above
        assert self._process.stdout is not None  # noqa: S101
        self._process.stdin.write(json.dumps(given, default=repr) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise EOFError(f"{self.name} ended with status {self._process.wait()}")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def said(self, run: Trajectory, *, project: str = "") -> tuple[list[Row], str | None]:
        """A row a call as the rival said it, and how it crashed, if it did: the calls after that got no word."""
        rows, events = _told(run, per_run=self.rival.per_run)
        answer = self.ask({"id": run.id, "project": project, "events": events})
        self.calls += len(rows)
        self.seconds += answer["seconds"]
        for number, action, phase, why in answer["said"]:
            row = rows[number - 1]
            if RANK[action] > RANK[row.action]:
                rows[number - 1] = replace(row, action=action, phase=phase, rule=why, halted=action == "halt")
        return rows, answer["crash"]


@dataclass(frozen=True, slots=True)
class OverRuns:
    """The rival as a subject of the evaluation of recorded runs."""

    name: str
    child: Child

    def rows(self, run: Trajectory) -> list[Row]:
        """What it says to each call; a crash is kept, and the rest of the run gets no word."""
        rows, crash = self.child.said(run, project=half_of(run) if self.child.rival.history else "")
        if crash is not None:
            self.child.crashes.append(f"{run.source}/{run.id}: {crash}")
        return _as_it_cost(rows)


@dataclass(frozen=True, slots=True)
class OverCases:
    """The rival as a subject of the cases and the probes, where a crash is a miss."""

    name: str
    child: Child

    def rows(self, run: Trajectory) -> list[Row]:
        """What it says to each call."""
        rows, crash = self.child.said(run)
        if crash is not None:
            raise CrashedError(crash)
        return rows


def half_of(run: Trajectory) -> str:
    """The half of its source that a run is in."""
    return f"{run.source}-{sha256(run.id.encode()).digest()[0] % 2}"


def carried(run: Trajectory) -> bool:
    """Whether the run fits through the pipe: values without end or bottom do not."""
    try:
        json.dumps([event.args for event in run.events if isinstance(event, Call)], default=repr)
    except (ValueError, TypeError, RecursionError):
        return False
    return True


def _as_it_cost(rows: list[Row]) -> list[Row]:
    ended = [index for index, row in enumerate(rows) if row.action == "halt" and row.phase == "after"]
    over = [index for index, row in enumerate(rows) if row.phase == "over"]
    for index in ended:
        late = not any(later > index for later in over)
        rows[index] = replace(rows[index], action="remind" if late else "allow", halted=False)
    return rows


def _told(run: Trajectory, *, per_run: bool) -> tuple[list[Row], list[dict[str, Any]]]:
    """The run as rows without a word, and as the events that the process is given."""
    telling = _Telling(run.id, per_run=per_run)
    return telling.rows, [told for event in run.events for told in telling.tell(event)]


class _Telling:
    """Numbers calls and matches results to them; history that is shown again is told to nobody."""

    def __init__(self, trajectory: str, *, per_run: bool) -> None:
        self.rows: list[Row] = []
        self._trajectory = trajectory
        self._per_run = per_run
        self._scopes: dict[tuple[object, object], int] = {}
        self._waiting: dict[tuple[object, object, str | None], list[int]] = {}

    def tell(self, event: Event) -> Iterator[dict[str, Any]]:
        if isinstance(event, Call):
            yield from self._call(event)
        elif isinstance(event, Result):
            waiting = self._waiting.get((event.session, event.agent, event.id))
            if waiting:
                told = {"kind": "result", "scope": self._scope(event), "number": waiting.pop(0)}
                yield {**told, "text": _text(event), "error": event.error}
        elif isinstance(event, User) and not event.synthetic:
            yield {"kind": "user", "scope": self._scope(event)}

    def _call(self, call: Call) -> Iterator[dict[str, Any]]:
        if call.replayed or call.redelivered:
            return
        number = len(self.rows) + 1
        self.rows.append(Row(trajectory=self._trajectory, call=number, id=call.id, tool=call.tool))
        self._waiting.setdefault((call.session, call.agent, call.id), []).append(number)
        told = {"kind": "call", "scope": self._scope(call), "number": number, "tool": call.tool}
        yield {**told, "id": f"call_{number}", "args": _args(call.args)}

    def _scope(self, event: Event) -> int:
        if self._per_run:
            return 0
        return self._scopes.setdefault((event.session, event.agent), len(self._scopes))


def _args(args: object) -> dict[str, object]:
    """Arguments as the mapping that hosts hand on: JSON text is read, anything else is named."""
    if isinstance(args, str):
        try:
            args = json.loads(args)
        except (ValueError, RecursionError):
            return {"input": args}
    return {str(key): value for key, value in args.items()} if isinstance(args, dict) else {"input": args}


def _text(result: Result) -> str:
    """A result as text; one that was cut carries the digest of the whole, so that equality holds."""
    if isinstance(result.content, str):
        return result.content
    if result.content is None and result.head is not None:
        return f"{result.head}\n[{result.length} characters, {result.digest}]\n{result.tail or ''}"
    return "" if result.content is None else json.dumps(result.content, default=repr)
