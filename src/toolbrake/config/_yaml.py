"""YAML by PyYAML's safe loader. Imported when the first YAML file is read, because PyYAML is an extra."""

from __future__ import annotations

from typing import TYPE_CHECKING

import yaml

from toolbrake.core.value import Frozen
from toolbrake.errors import ConfigError

if TYPE_CHECKING:
    from typing import Any

STANDARD = "tag:yaml.org,2002:"
"""What ``!!`` is short for."""


class Expression(Frozen):
    """What stands for a value under a tag that is no data: harness files hold JavaScript expressions.

    No check accepts one, so only the keys that are read complain of it, and rows of other plugins may hold them.
    Its repr, which messages show, says what it is and where it stands.
    """

    __slots__ = ("line", "tag")
    tag: str
    line: int

    def __init__(self, tag: str, line: int) -> None:
        self._set(tag=tag, line=line)

    def __repr__(self) -> str:
        return f"{self.tag} on line {self.line}, which is not evaluated"


class Loader(yaml.SafeLoader):
    """The safe loader, which also notes keys that are written twice."""

    def __init__(self, stream: str) -> None:
        super().__init__(stream)
        self.twice: list[tuple[int, str]] = []

    # At composition, not at construction: merge keys (<<) change the nodes in between.
    def compose_mapping_node(self, anchor: dict[Any, yaml.Node]) -> yaml.MappingNode:
        node = super().compose_mapping_node(anchor)
        met = set()
        for key, _ in node.value:
            name = (key.tag, key.value) if isinstance(key, yaml.ScalarNode) else None
            if name is not None and name in met:
                self.twice.append((key.start_mark.line + 1, key.value))
            met.add(name)
        return node

    def expression(self, node: yaml.Node) -> Expression:
        """What stands for a value under a tag that is no data."""
        return Expression(node.tag.replace(STANDARD, "!!"), node.start_mark.line + 1)


Loader.add_constructor(None, Loader.expression)  # None is PyYAML's word for any other tag


def read(text: str, name: str) -> object:
    """The data in a YAML document; None for an empty one. ``name`` is what errors call it."""
    try:
        loader = Loader(text)
        data = loader.get_single_data()
    except yaml.MarkedYAMLError as error:
        raise ConfigError((f"{name}{_place(error.problem_mark)}: {error.problem}",)) from error
    except yaml.YAMLError as error:
        raise ConfigError((f"{name}: {' '.join(str(error).split())}",)) from error
    except (ValueError, LookupError, AttributeError) as error:  # what PyYAML lets through: a 13th month, !!bool maybe
        raise ConfigError((f"{name}: a value is not what its tag or form says: {error}",)) from error
    if loader.twice:
        raise ConfigError(f"{name}, line {line}: the key {key!r} is written twice" for line, key in loader.twice)
    return data


def _place(mark: yaml.Mark | None) -> str:
    return "" if mark is None else f", line {mark.line + 1}, column {mark.column + 1}"
