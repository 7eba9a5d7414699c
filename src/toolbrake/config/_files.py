"""Files into data: YAML, TOML and JSON. Nothing here knows what the data means.

No format may hold a key twice: readers differ in which of the two they would drop.
"""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

from toolbrake.errors import ConfigError, MissingExtraError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def is_file_name(text: str, folder: Path) -> bool:
    """Whether ``text`` means a file: it has a suffix or a separator, or ``folder`` holds a file of that name."""
    path = Path(text)
    return bool(path.suffix) or path.name != text or (folder / path).is_file()


def read_file(path: Path) -> object:
    """The data in a file; None for an empty one.

    Raises:
        ConfigError: the file cannot be read, or is not what its suffix says. Each problem begins with ``path``.
        MissingExtraError: it is YAML, and the package that reads YAML is not installed.
    """
    parse = _FORMATS.get(path.suffix.lower())
    if parse is None:
        raise ConfigError((f"{path}: the file's name must end in {', '.join(_FORMATS)} (got {path.suffix!r})",))
    try:
        return parse(_text(path), str(path))
    except RecursionError:
        raise ConfigError((f"{path}: nested too deeply for a configuration",)) from None


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError((f"{path}: not UTF-8 text (byte {error.start + 1})",)) from error
    except OSError as error:
        raise ConfigError((f"{path}: cannot be read: {error.strerror}",)) from error
    except ValueError as error:  # a NUL in the name
        raise ConfigError((f"{str(path)!r}: cannot be read: {error}",)) from error


def _json(text: str, name: str) -> object:
    twice: list[str] = []

    def members(pairs: list[tuple[str, object]]) -> dict[str, object]:
        keys = [key for key, _ in pairs]
        twice.extend(key for index, key in enumerate(keys) if key in keys[:index])
        return dict(pairs)

    try:
        data = json.loads(text, object_pairs_hook=members) if text.strip() else None
    except json.JSONDecodeError as error:
        raise ConfigError((f"{name}, line {error.lineno}, column {error.colno}: {error.msg}",)) from error
    if twice:
        raise ConfigError(f"{name}: the key {key!r} is written twice" for key in twice)
    return data


def _toml(text: str, name: str) -> object:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError((f"{name}: {error}",)) from error


def _yaml(text: str, name: str) -> object:
    try:
        import yaml  # noqa: F401, PLC0415 - an extra: only who has a YAML file needs it
    except ModuleNotFoundError as error:
        raise MissingExtraError("reading YAML", "yaml") from error
    from toolbrake.config._yaml import read  # noqa: PLC0415 - imports yaml at its top

    return read(text, name)


_FORMATS: dict[str, Callable[[str, str], object]] = {
    ".yaml": _yaml,
    ".yml": _yaml,
    ".toml": _toml,
    ".json": _json,
}
"""The reader of each suffix."""
