"""Rows of DeepSeek Harness: a ``cordis.patch.yml`` that mounts the seeds, read as it stands.

A row names a plugin by ``name``, by ``id``, or both; ``insert`` holds rows to add, and a group's ``config`` holds
rows too. As there, a row changes the ``config`` or ``disabled`` of the plugin it names, and replaces its whole
config. Rows of other plugins are passed over, whatever is in them.
"""

from __future__ import annotations

from collections.abc import Mapping

from toolbrake.config._layer import Layer
from toolbrake.config._problems import nearest
from toolbrake.config._schema import read_rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from toolbrake.config._problems import Problems

PACKAGES = {
    "@deepseek-ai/dsh-repeat-tool-guard": "reminder",
    "@deepseek-ai/dsh-repeat-tool-reminder": "reminder",
    "dsh-repeat-tool-breaker": "breaker",
    "dsh-loop-brake": "brake",
}
"""The rule behind every package name, old and new."""

IDS = {
    "repeat-tool-guard": "reminder",
    "repeat-tool-reminder": "reminder",
    "repeat-tool-breaker": "breaker",
    "loop-brake": "brake",
}
"""The rule behind the id that each package's own patch file gives its row."""

FOLDERS = IDS | {package.rpartition("/")[2]: rule for package, rule in PACKAGES.items()}
"""The rule behind the name of a checkout's or an installed package's folder."""

ROW_KEYS = ("id", "name", "config", "disabled", "insert")
"""The keys of a row that are read. Others are the harness's own, so only a near miss of a setting is refused."""


class Mount:
    """What the rows so far say about one plugin."""

    __slots__ = ("disabled", "settings")

    def __init__(self) -> None:
        self.disabled = False
        self.settings: dict[str, Any] = {}


def read_rows(rows: Sequence[object], prefix: str, problems: Problems) -> Layer:
    """The layer that a list of rows describes. ``prefix`` is what every problem begins with."""
    mounts: dict[str, Mount] = {}
    ids = dict(IDS)
    ignored: list[str] = []
    for number, row in enumerate(_flat(rows), 1):
        label = _label(row)
        if not isinstance(row, Mapping) or not label:
            problems.add(f"{prefix}row {number} has no id, no name and no list of rows to insert")
            continue
        rule = _rule_of(row, ids)
        if rule is None:
            ignored.append(label)
        else:
            mount = mounts.setdefault(rule, Mount())
            _apply(row, rule, mount, f"{prefix}row {number} ({label}): ", problems)
    if not mounts:
        problems.add(f"{prefix}no row is one of {', '.join(PACKAGES)} (rows: {', '.join(ignored) or 'none'})")
    return Layer(
        rules={rule: None if mount.disabled else mount.settings for rule, mount in mounts.items()},
        ignored=tuple(ignored),
    )


def _flat(rows: Sequence[object]) -> Iterator[object]:
    """The rows that name a plugin, in the order they are read."""
    for row in rows:
        inner = _inner(row)
        if inner is None:
            yield row
        else:
            yield from _flat(inner)


def _inner(row: object) -> Sequence[object] | None:
    """The rows inside of a row that only holds others."""
    if not isinstance(row, Mapping):
        return None
    name, config = row.get("name"), row.get("config")
    if isinstance(row.get("insert"), list | tuple):
        return row["insert"]  # type: ignore[no-any-return]  # the line above says what it is
    if isinstance(name, str) and name.endswith("group") and isinstance(config, list | tuple):
        return () if row.get("disabled") is True else config
    return None


def _label(row: object) -> str:
    """What a person calls the row: its id, else its name; empty where it has neither as text."""
    given = (row.get("id"), row.get("name")) if isinstance(row, Mapping) else ()
    return next((text for text in given if isinstance(text, str) and text), "")


def _rule_of(row: Mapping[Any, object], ids: dict[str, str]) -> str | None:
    """The rule that a row is about. A row that names a package lends its id to the rows after it."""
    own, name = row.get("id"), row.get("name")
    rule = rule_of_package(name) if isinstance(name, str) else None
    if isinstance(own, str):
        rule = rule or ids.get(own)
        if rule is not None:
            ids[own] = rule
    return rule


def rule_of_package(name: str) -> str | None:
    """The rule behind a package name, a ``github:owner/package`` or the path of a checkout; None for any other."""
    if name in PACKAGES:
        return PACKAGES[name]
    parts = name.replace("\\", "/").split("/")
    if name.startswith("github:"):
        return PACKAGES.get(parts[-1].partition("#")[0])
    if parts[0] in ("", ".", "..") or parts[0].endswith(":"):
        return next((FOLDERS[part] for part in reversed(parts) if part in FOLDERS), None)
    return None


def _apply(row: Mapping[Any, object], rule: str, mount: Mount, prefix: str, problems: Problems) -> None:
    """Take over what a row says. A key it does not hold stays as the rows before it left it."""
    for key in row:
        near = nearest(str(key), ("config", "disabled")) if key not in ROW_KEYS else ""
        if near:
            problems.add(f"{prefix}{key} is not a known key; did you mean {near}?")
    disabled = row.get("disabled", mount.disabled)
    if isinstance(disabled, bool | None):
        mount.disabled = bool(disabled)
    else:
        problems.refuse(f"{prefix}disabled", disabled, "true or false")
    if "config" in row:
        config = row["config"]
        mount.settings = {}
        if isinstance(config, Mapping):
            mount.settings = read_rule(rule, config, prefix, problems)
        elif config is not None:
            problems.refuse(f"{prefix}config", config, "a mapping of settings")
