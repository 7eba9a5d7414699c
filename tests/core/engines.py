"""Canonical bytes with orjson, without it, and on the exact path alone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from hypothesis import HealthCheck, settings

from toolbrake.core import fast
from toolbrake.core.canonical import accelerate
from toolbrake.core.exact import exact

SOURCE = Path(fast.__file__).parents[2]
PROPERTY = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])


def keep(monkeypatch):
    """Whatever the test switches on or off is as before after it."""
    for name in ("_dumps", "_loads", "_options"):
        monkeypatch.setattr(fast, name, getattr(fast, name))


def by_orjson(function, *args):
    assert accelerate()
    return function(*args)


def by_stdlib(function, *args):
    fast._decelerate()
    return function(*args)


def by_exact(_, value):
    return exact(value)[0]


def run(code, *flags, **environment):
    """What a fresh interpreter prints for the code."""
    code = f"import sys; sys.path.insert(0, {str(SOURCE)!r})\n{code}"
    command = [sys.executable, *flags, "-c", code]
    done = subprocess.run(command, env=environment, capture_output=True, check=True, text=True)  # noqa: S603 - our own
    return done.stdout.strip()
