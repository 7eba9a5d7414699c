"""A decision opens nothing and starts nothing: the interpreter's own audit events say so."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import toolbrake
from toolbrake.policies import READY

SCRIPT = """
import json, sys
from datetime import datetime, timezone
from decimal import Decimal
from toolbrake import Call, Guard

policy = sys.argv[1]
guard = Guard(policy)
heard = set()
listening = False

def hook(event, args):
    if listening and event.partition(".")[0] in WATCHED:
        heard.add(f"{event} {args[0]}" if event in ("import", "open") else event)

WATCHED = {"open", "import", "exec", "compile", "marshal", "os", "socket", "subprocess", "shutil", "sqlite3",
           "urllib", "http", "ftplib", "smtplib", "tempfile", "glob", "pathlib", "ctypes", "mmap", "fcntl", "pty",
           "signal", "time", "winreg", "webbrowser", "syslog", "code", "pickle"}

class Thing:
    def __init__(self):
        self.x = 1

ERROR = "Traceback (most recent call last):\\n  File 'a.py', line 7, in f\\nKeyError: 'x' at 0x7f3a, 12:30:05\\n" * 20
ARGUMENTS = [
    {"q": "weather", "at": {"city": "Oslo", "days": [1, 2.5, None, True]}},
    '{"q": "weather", "n": 1e3}',
    "{not json",
    "",
    {"when": datetime(2026, 1, 1, tzinfo=timezone.utc), "price": Decimal("1.10"), "set": {1, 2}},
    {"thing": Thing(), 1: "mixed keys"},
    {"text": "\\ud800 \\U0001f600", "n": 2**70, "f": float("nan")},
    [1, 2, 3],
    None,
    {"text": "x" * 10_000},
]
TOOLS = [
    ("search", None), ("read", {"path": "src/a.py", "offset": 3}), ("Write", {"file_path": "a.py", "content": "x"}),
    ("Bash", {"command": "cd src && git status --short | head -3; sleep 2 > out.txt"}),
    ("bash", {"command": "for f in *; do cat $f; done"}), ("shell", {"command": ["bash", "-lc", "make test"]}),
    ("WebFetch", {"url": "https://example.com/a?b=c"}), ("todo_write", {"items": ["one"]}), ("unknown_tool", {}),
]
RESULTS = [
    ("rain", False), (ERROR, True), ("", False), (None, None), ([{"type": "text", "text": "rain"}], False),
    ({"isError": True, "content": [{"type": "text", "text": ERROR}]}, True), ({"rows": []}, False), (b"\\xff", False),
    ("x" * 20_000, False), (Thing(), False), (ValueError("no"), True),
]

sys.addaudithook(hook)
listening = True
decisions = 0
for number in range(500):
    tool, args = TOOLS[number // 3 % len(TOOLS)]
    args = ARGUMENTS[number // 7 % len(ARGUMENTS)] if args is None else args
    content, error = RESULTS[number // 5 % len(RESULTS)]
    fresh = {"n": number} if number % 4 == 0 else args
    call = Call(tool, fresh, id=f"c{number}" if number % 3 else None, step=number if number % 2 else None)
    before = guard.check(call)
    if before.runs:
        if number % 11 == 0:
            guard.denied(call, "no", by="hook")
        else:
            guard.record(call, content, error=error)
        decisions += 1
    decisions += 1
    if number % 50 == 0:
        guard.user_turn("go on")
        guard.compacted()
        guard.run_started()
while decisions < 1000:
    guard.check(Call("search", {"q": decisions}))
    decisions += 1
listening = False
print(json.dumps({"heard": sorted(heard), "decisions": decisions, "faults": guard.faults}))
"""


def decide(policy):
    """What a process hears of itself in 1,000 decisions of a guard that was only constructed."""
    environment = {**os.environ, "PYTHONPATH": str(Path(toolbrake.__file__).parents[1])}
    environment.pop("TOOLBRAKE_OFF", None)
    ended = subprocess.run(  # noqa: S603 - our own code
        [sys.executable, "-c", SCRIPT, policy], capture_output=True, check=True, text=True, env=environment
    )
    return json.loads(ended.stdout)


@pytest.mark.parametrize("policy", READY)
def test_decisions_are_pure(policy):
    """A thousand decisions of every kind open no file, socket or process, and import, compile and run nothing new."""
    told = decide(policy)

    assert told == {"heard": [], "decisions": told["decisions"], "faults": 0}
    assert told["decisions"] >= 1000
