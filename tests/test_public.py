"""The public names, and what importing the package costs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import toolbrake

PUBLIC = [
    "ALLOW",
    "MAIN",
    "AsyncGuard",
    "Attempt",
    "Call",
    "ConfigError",
    "Decision",
    "Finding",
    "Guard",
    "InvalidMaxRepeatsError",
    "LoopBrake",
    "LoopBrakeError",
    "LoopHalted",
    "MissingExtraError",
    "Note",
    "Observer",
    "Policy",
    "ToolbrakeError",
    "__version__",
    "attach",
    "call_hash",
    "canonical",
    "canonical_json",
    "decorate_tool",
    "fingerprint",
    "hash_prefix",
    "load_policy",
    "normalize_max_repeats",
    "resolve_max_repeats",
    "session_key",
    "wrap_execute",
]


def test_public_names():
    """The names that users may rely on are these."""
    assert toolbrake.__all__ == PUBLIC


def test_public_names_are_sorted():
    """The list is in order: constants, then classes, then the rest."""
    kinds = {True: 0, False: 1}

    def place(name):
        return kinds[name.isupper()], not name[0].isupper(), name

    assert sorted(PUBLIC, key=place) == PUBLIC


@pytest.mark.parametrize("name", PUBLIC)
def test_every_name_is_there(name):
    """Every public name can be imported, and says by its own name what it is."""
    value = getattr(toolbrake, name)

    assert getattr(value, "__name__", name) == name


def test_dir_lists_the_public_names():
    """``dir`` shows the public names and no others."""
    assert dir(toolbrake) == sorted(PUBLIC)


def test_unknown_name():
    """A name that is not there is an AttributeError, as of any module."""
    with pytest.raises(AttributeError, match="module 'toolbrake' has no attribute 'nosuch'"):
        _ = toolbrake.nosuch


def test_version_has_three_numbers():
    """The version is three numbers, with at most a suffix of a pre-release."""
    assert [part.isdigit() for part in toolbrake.__version__.split(".")[:2]] == [True, True]


def imported_by(statement):
    """What a fresh interpreter imports for a statement."""
    code = f"import sys; before = set(sys.modules); {statement}; print(*sorted(set(sys.modules) - before))"
    environment = {**os.environ, "PYTHONPATH": str(Path(toolbrake.__file__).parents[1])}
    ended = subprocess.run(  # noqa: S603 - our own code
        [sys.executable, "-c", code], capture_output=True, check=True, text=True, env=environment
    )
    return ended.stdout.split()


def test_import_costs_nothing():
    """Importing the package imports nothing but the package itself."""
    assert imported_by("import toolbrake") == ["__future__", "toolbrake", "toolbrake._version"]


HEAVY = {
    "asyncio",
    "attrs",
    "dataclasses",
    "inspect",
    "langchain",
    "langchain_core",
    "logging",
    "orjson",
    "pydantic",
    "rich",
    "ssl",
    "yaml",
}


@pytest.mark.parametrize("name", [name for name in PUBLIC if name != "__version__"])
def test_no_name_brings_a_framework(name):
    """No public name imports orjson, a framework or asyncio."""
    found = {module.partition(".")[0] for module in imported_by(f"from toolbrake import {name}")}

    assert not found & (HEAVY - {"dataclasses", "inspect", "logging"})


@pytest.mark.parametrize("name", ["ALLOW", "Call", "Decision", "Policy", "canonical", "fingerprint"])
def test_core_brings_nothing_heavy(name):
    """What lives in the core brings in none of the modules that a short-lived process would notice."""
    found = {module.partition(".")[0] for module in imported_by(f"from toolbrake import {name}")}

    assert not found & (HEAVY | {"json", "re", "enum", "typing", "threading", "weakref"})
