"""Labels: what a reader said of a recorded run, and where its loop began."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

if TYPE_CHECKING:
    from collections.abc import Iterable

Verdict = Literal["loop", "minor", "polling", "none", "unsure"]
VERDICTS: tuple[str, ...] = get_args(Verdict)


@dataclass(frozen=True, slots=True)
class Label:
    """A reader's verdict on one run. ``onset`` is the 1-based number of a loop's first needless call."""

    trajectory: str
    source: str | None
    verdict: Verdict
    onset: int | None = None


def read_labels(paths: Iterable[str]) -> dict[str, Label]:
    """The labels of all files by the id of their run.

    The files count calls from 0 in ``onset_call``; everything here counts from 1.

    Raises:
        ValueError: a line is no label, or two lines speak of one run.
        OSError: a file cannot be read.
    """
    labels: dict[str, Label] = {}
    for path in paths:
        for number, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), 1):
            if not line.strip():
                continue
            try:
                label = _label(json.loads(line))
            except ValueError as fault:
                raise ValueError(f"{path}:{number}: {fault}") from fault
            if label.trajectory in labels:
                raise ValueError(f"{path}:{number}: {label.trajectory} has a label already")
            labels[label.trajectory] = label
    return labels


def _label(fields: object) -> Label:
    if not isinstance(fields, dict) or not isinstance(fields.get("trajectory_id"), str):
        raise ValueError("a label is an object with a trajectory_id")  # noqa: TRY004 - told like any other bad line
    verdict = fields.get("verdict")
    if verdict not in VERDICTS:
        raise ValueError(f"verdict must be one of {', '.join(VERDICTS)} (got {verdict!r})")
    return Label(
        trajectory=fields["trajectory_id"],
        source=fields.get("source"),
        verdict=verdict,
        onset=_onset(fields.get("onset_call")) if verdict == "loop" else None,
    )


def _onset(index: object) -> int:
    if type(index) is not int or index < 0:
        raise ValueError(f"a loop needs onset_call, a whole number from 0 (got {index!r})")
    return index + 1
