"""A virtual environment for each rival, outside the tree."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchmarks.rivals.catalogue import Rival

HERE = Path(__file__).parent
_DONE = "requirements.installed"


def python_of(rival: Rival, folder: Path) -> Path:
    """The interpreter of the rival's environment, made where it is missing or was made from other requirements."""
    requirements = HERE / "requirements" / rival.requirements
    home = folder / rival.name
    python = home / "bin" / "python"
    done = home / _DONE
    if done.is_file() and done.read_bytes() == requirements.read_bytes():
        return python
    shutil.rmtree(home, ignore_errors=True)
    subprocess.run([_interpreter(rival.python), "-m", "venv", str(home)], check=True, timeout=120)  # noqa: S603
    install = [str(python), "-m", "pip", "install", "--quiet", "--no-input", "--no-deps", "--require-hashes", "-r"]
    subprocess.run([*install, str(requirements)], check=True, timeout=1200)  # noqa: S603 - our own pinned list
    shutil.copyfile(requirements, done)
    return python


def _interpreter(version: str) -> str:
    """A Python of that version: the one on the path, else one that pyenv has."""
    installed = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
    for found in (shutil.which(f"python{version}"), *installed):
        if found is not None and _says(str(found)) == version:
            return str(found)
    raise FileNotFoundError(f"python{version} must be on the path or in ~/.pyenv/versions")


def _says(python: str) -> str | None:
    """The version that an interpreter gives itself; None where it does not start, as pyenv's shims may."""
    ask = "import sys; print('%d.%d' % sys.version_info[:2])"
    told = subprocess.run([python, "-c", ask], capture_output=True, text=True, timeout=60, check=False)  # noqa: S603
    return told.stdout.strip() if told.returncode == 0 else None
