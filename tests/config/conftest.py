"""Files for the tests to load."""

import json
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """An empty folder, in which relative paths start."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DSH_LOOP_BRAKE_MAX_REPEATS", raising=False)
    return tmp_path


@pytest.fixture
def write(folder):
    """Writes a file: text and bytes as they are, anything else as JSON."""

    def write_file(name, content):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not isinstance(content, str | bytes):
            content = json.dumps(content)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return Path(name)

    return write_file
