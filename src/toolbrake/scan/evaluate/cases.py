"""Cases: small invented runs with what a good policy does with them.

``at`` is the call at which a policy may first intervene and ``by`` the one at which it must have (1-based, over all
agents); ``halt_by`` must see the run ended, from ``allow_from`` on calls run again, ``max_action`` is the strongest
action that fits, and ``tolerates: remind`` says that a reminder is no error where nothing should be said.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolbrake.core.decision import ACTIONS
from toolbrake.core.events import from_mapping
from toolbrake.scan.evaluate.expand import decode, expand
from toolbrake.scan.model import Trajectory

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolbrake.core.decision import Action

VERDICTS = (
    "loop",
    "not-loop",
    "must-halt",
    "must-not-crash",
    "must-pair",
    "must-not-leak",
    "must-deliver",
    "must-report-stop",
    "must-isolate",
    "must-count-once",
    "must-bound",
)
PACKAGED = "cases-1.jsonl"


@dataclass(frozen=True, slots=True)
class Expected:
    """What a good policy does. ``at`` is None where nothing should be said."""

    verdict: str
    at: int | None
    why: str
    by: int | None = None
    halt_by: int | None = None
    allow_from: int | None = None
    max_action: Action | None = None
    tolerates: Action | None = None

    def __post_init__(self) -> None:
        if self.verdict not in VERDICTS:
            raise ValueError(f"verdict must be one of {', '.join(VERDICTS)} (got {self.verdict!r})")
        for name in ("max_action", "tolerates"):
            if getattr(self, name) not in (None, *ACTIONS):
                raise ValueError(f"{name} must be one of {', '.join(ACTIONS)} (got {getattr(self, name)!r})")
        for name in ("at", "by", "halt_by", "allow_from"):
            number = getattr(self, name)
            if number is not None and (type(number) is not int or number < 1):
                raise ValueError(f"{name} must be the number of a call, from 1 (got {number!r})")


@dataclass(frozen=True, slots=True)
class Case:
    """One case; ``events`` are still in shorthand. ``needs`` name what a policy must be able to do."""

    id: str
    kind: str
    needs: tuple[str, ...]
    expected: Expected
    events: tuple[Mapping[str, Any], ...] = field(repr=False)
    summary: str = ""
    origin: str = ""


def packaged() -> list[Case]:
    """The cases that come with toolbrake."""
    return parse((resources.files("toolbrake") / "data" / PACKAGED).read_text(encoding="utf-8"), PACKAGED)


def read_cases(path: str) -> list[Case]:
    """The cases of a JSON Lines file. Raises ValueError for a line that is no case, OSError for no file."""
    return parse(Path(path).read_text(encoding="utf-8"), path)


def parse(text: str, name: str) -> list[Case]:
    """The cases of a text, one a line; ``name`` is what errors call it."""
    cases: dict[str, Case] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            case = _case(json.loads(line))
        except (ValueError, TypeError, KeyError) as fault:
            raise ValueError(f"{name}:{number}: no case: {fault}") from fault
        if case.id in cases:
            raise ValueError(f"{name}:{number}: no case: {case.id} is there already")
        cases[case.id] = case
    return list(cases.values())


def trajectory(case: Case) -> Trajectory:
    """The case as a run, with the values that JSON cannot carry. Raises ValueError where it cannot be expanded."""
    return Trajectory(id=case.id, source="cases", events=[from_mapping(_event(event)) for event in expand(case.events)])


def _case(fields: Mapping[str, Any]) -> Case:
    return Case(
        id=fields["id"],
        kind=fields["kind"],
        needs=tuple(fields["needs"]),
        expected=Expected(**fields["expected"]),
        events=tuple(fields["events"]),
        summary=fields.get("summary", ""),
        origin=fields.get("origin", ""),
    )


def _event(event: Mapping[str, Any]) -> dict[str, object]:
    """An expanded event in the words of the trace format."""
    renamed = _RENAMED | _CONTENT.get(event["type"], {})
    out = {renamed.get(name, name): value for name, value in event.items() if name != "n"}
    for name in ("args", "content"):
        if name in out:
            out[name] = decode(out[name])
    return out


_RENAMED = {"t": "at"}
_CONTENT = {"result": {"result": "content"}, "user": {"text": "content"}, "assistant": {"text": "content"}}
