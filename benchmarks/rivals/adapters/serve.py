"""Runs in a rival's environment: a run a line comes in, what the rival said to its calls goes out.

    python -m adapters.serve ADAPTER VARIANT

A run is ``{"id", "project", "events": [...]}``, an event ``{"kind": "user" | "call" | "result", "scope", ...}``: calls
carry ``number``, ``id``, ``tool`` and ``args``, results ``number`` and ``text`` and ``error``. A line that holds
``history`` goes to the adapter's ``learn``. The answer is ``{"said": [[number, action, phase, why], ...], "seconds",
"crash"}`` with toolbrake's actions; the phase is ``over`` for calls of a run that the rival ended before.
"""

from __future__ import annotations

import importlib
import json
import logging
import os
import sys
import time
from typing import TYPE_CHECKING, Any

from .detector import Call

if TYPE_CHECKING:
    from collections.abc import Callable

    from .detector import Detector, Word

    Make = Callable[[str], Detector]


def main(adapter: str, variant: str) -> None:
    """Answer line by line until standard input ends. What the rival prints or logs goes nowhere."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115 - for the life of the process
    logging.disable(logging.CRITICAL)
    module: Any = importlib.import_module(f"adapters.{adapter}")
    for line in sys.stdin:
        given = json.loads(line)
        if "history" in given:
            answer = module.learn(given["history"])
        else:
            answer = _Following(lambda project: module.detector(variant, project), given["project"]).answer(given)
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


class _Following:
    """One run: a detector for each scope, made when its first event comes."""

    def __init__(self, make: Make, project: str) -> None:
        self._make = make
        self._project = project
        self._detectors: dict[int, Detector] = {}
        self._calls: dict[int, Call] = {}
        self._open: dict[int, set[int]] = {}
        self._over: set[int] = set()
        self._said: list[tuple[int, str, str, str]] = []

    def answer(self, run: dict[str, Any]) -> dict[str, Any]:
        """Follow the run to its end or to the rival's first exception."""
        crash = None
        began = time.perf_counter()
        try:
            for event in run["events"]:
                self._take(event)
        except Exception as fault:  # noqa: BLE001 - whatever a rival raises is told, and the next run is asked for
            crash = f"{type(fault).__name__}: {fault}"[:300]
        seconds = time.perf_counter() - began
        for detector in self._detectors.values():
            detector.close()
        return {"said": self._said, "seconds": seconds, "crash": crash}

    def _take(self, event: dict[str, Any]) -> None:
        scope = event["scope"]
        if scope not in self._detectors:
            self._detectors[scope] = self._make(self._project)
        if event["kind"] == "call":
            self._call(scope, event)
        elif event["kind"] == "result":
            self._result(scope, event)
        else:
            self._over.discard(scope)
            self._detectors[scope].user()

    def _call(self, scope: int, event: dict[str, Any]) -> None:
        number = event["number"]
        if scope in self._over:
            self._said.append((number, "halt", "over", ""))
            return
        call = self._calls[number] = Call(number, event["id"], event["tool"], event["args"])
        word = self._detectors[scope].before(call)
        self._hear(scope, number, "before", word)
        if word is not None and word.action in ("deny", "halt"):
            del self._calls[number]  # it does not run: its recorded result never came
        else:
            self._open.setdefault(scope, set()).add(number)

    def _result(self, scope: int, event: dict[str, Any]) -> None:
        call = self._calls.pop(event["number"], None)
        if call is None or scope in self._over:
            return
        waiting = self._open[scope]
        waiting.discard(call.number)
        call.last_of_step = not waiting
        self._hear(scope, call.number, "after", self._detectors[scope].after(call, event["text"], event["error"]))

    def _hear(self, scope: int, number: int, phase: str, word: Word | None) -> None:
        if word is None:
            return
        self._said.append((number, word.action, phase, word.why))
        if word.action == "halt":
            self._over.add(scope)


if __name__ == "__main__":
    main(*sys.argv[1:])
