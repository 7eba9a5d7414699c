"""loopbrake: a limit on the length of a run, learnt from past successful runs of the same project.

Without at least 19 of those it only watches. ``learn`` writes them as runs files and calibrates one project each. As
its wrapped tools do, the call that would pass the line is refused and the run is over.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import loopbrake  # type: ignore[import-not-found,unused-ignore]

from .detector import Call, Detector, Word, halt

_HOME = Path(tempfile.mkdtemp(prefix="loopbrake-"))


class _Brake(Detector):
    def __init__(self, project: str) -> None:
        self._brake = loopbrake.start(project=project, home=_HOME)

    def before(self, call: Call) -> Word | None:  # noqa: ARG002 - it counts calls and looks at none
        return halt("past the stop line") if self._brake.would_stop(1) else None

    def after(self, call: Call, text: str, error: bool | None) -> Word | None:
        action = f"{call.tool} {json.dumps(call.args, sort_keys=True, ensure_ascii=False)}"
        decision = self._brake.step(action, text[:4000], tool=call.tool, error=error)
        return halt(decision.reason) if decision.stop else None

    def close(self) -> None:
        self._brake.end()


def learn(history: dict[str, dict[str, int]]) -> dict[str, Any]:
    """Calibrate each project from the number of calls of its past successful runs; the lines in force."""
    lines = {}
    for project, lengths in history.items():
        file = _HOME / f"{project}.jsonl"
        file.write_text("".join(_run(project, run, calls) for run, calls in lengths.items()), encoding="utf-8")
        lines[project] = loopbrake.calibrate(file, project=project, home=_HOME)["stop_line"]
    return {"stop lines": lines}


def _run(project: str, run: str, calls: int) -> str:
    step = {"action": "call", "observation": "", "error": None, "tokens": 0}
    fields = {"group": project, "dataset": project, "task": run, "run": run, "success": True}
    return json.dumps({**fields, "exit": None, "tokens_measured": False, "steps": [step] * calls}) + "\n"


def detector(variant: str, project: str) -> Detector:  # noqa: ARG001 - every adapter has this shape
    """A detector for a whole run."""
    return _Brake(project or "default")
