"""What a key accepts: small functions that return the value a rule takes, or note a problem.

A check is given the full name of the place, the value found there and the problems noted so far. Nothing is
converted on the way: text is no number and ``True`` is none either; only a whole float is taken for the integer
that it equals. What a check returns after it noted a problem is never used.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from toolbrake.core.value import Frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from toolbrake.config._problems import Problems

    Check = Callable[[str, object, Problems], Any]

DEFAULT = object()
"""What a check returns for a value that stands for the key's default."""


class Keys(Frozen):
    """The keys that a mapping may hold: the check of each, and the key behind every spelling."""

    __slots__ = ("checks", "spellings")
    checks: Mapping[str, Check]
    spellings: Mapping[str, str]

    def __init__(self, checks: Mapping[str, Check], spellings: Mapping[str, str] | None = None) -> None:
        self._set(checks=checks, spellings={key: key for key in checks} if spellings is None else spellings)

    def read(self, data: Mapping[Any, object], prefix: str, problems: Problems) -> dict[str, Any]:
        """The accepted values by key. ``prefix`` is what the place of each key begins with."""
        given: dict[str, Any] = {}
        written_as: dict[str, object] = {}
        for written, value in data.items():
            key = self.spellings.get(written)
            if key is None:
                problems.unknown(f"{prefix}{written}", "key", written, self.checks, spellings=self.spellings)
            elif key in written_as:
                problems.add(f"{prefix}{written_as[key]} and {written} are the same key; write one of them")
            else:
                written_as[key] = written
                given[key] = self.checks[key](f"{prefix}{written}", value, problems)
        return {key: value for key, value in given.items() if value is not DEFAULT}


def seed_keys(checks: Mapping[str, Check]) -> Keys:
    """Keys that are also accepted as the seeds spell them, in camelCase."""
    return Keys(checks, {key: key for key in checks} | {camel(key): key for key in checks})


def camel(key: str) -> str:
    """``deny_after`` as the seeds spell it: ``denyAfter``."""
    first, *rest = key.split("_")
    return first + "".join(word.capitalize() for word in rest)


def section(keys: Keys) -> Check:
    """A mapping of ``keys``."""

    def check(place: str, value: object, problems: Problems) -> dict[str, Any]:
        if isinstance(value, Mapping):
            return keys.read(value, f"{place}.", problems)
        problems.refuse(place, value, f"a mapping of {', '.join(keys.checks)}")
        return {}

    return check


def boolean(place: str, value: object, problems: Problems) -> object:
    """A boolean; no number and no text stands for one."""
    if not isinstance(value, bool):
        problems.refuse(place, value, "true or false")
    return value


def one_of(*choices: str) -> Check:
    """One of a few words."""

    def check(place: str, value: object, problems: Problems) -> object:
        if not isinstance(value, str) or value not in choices:
            problems.refuse(place, value, f"{', '.join(choices[:-1])} or {choices[-1]}")
        return value

    return check


def integer(least: int) -> Check:
    """An integer of at least ``least``."""

    def check(place: str, value: object, problems: Problems) -> int:
        return _bounded(place, value, problems, least, "")

    return check


def integer_or_null(least: int) -> Check:
    """An integer of at least ``least``, or null for off."""

    def check(place: str, value: object, problems: Problems) -> int | None:
        return None if value is None else _bounded(place, value, problems, least, "null (off) or ")

    return check


def _bounded(place: str, value: object, problems: Problems, least: int, otherwise: str) -> int:
    number = whole(value)
    if number is None or number < least:
        problems.refuse(place, value, f"{otherwise}an integer of at least {least}")
        return least
    return number


def whole(value: object) -> int | None:
    """The integer that ``value`` is or, as a float, equals; None for everything else."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def seconds(place: str, value: object, problems: Problems) -> object:
    """A positive, finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < math.inf:
        problems.refuse(place, value, "a positive number of seconds")
        return value
    return value if whole(value) is None else whole(value)


def text(place: str, value: object, problems: Problems) -> object:
    """Text with something in it."""
    if not isinstance(value, str) or not value:
        problems.refuse(place, value, "a non-empty string")
    return value


def string(place: str, value: object, problems: Problems) -> object:
    """Text, the empty one included."""
    if not isinstance(value, str):
        problems.refuse(place, value, "a string")
    return value


def names(place: str, value: object, problems: Problems) -> tuple[object, ...]:
    """A list of non-empty strings. A string is no list of its letters."""
    return tuple(text(at, element, problems) for at, element in elements(place, value, problems, "non-empty strings"))


def elements(place: str, value: object, problems: Problems, what: str) -> list[tuple[str, object]]:
    """The elements of a list, each with its place; none where ``value`` is no list."""
    if not isinstance(value, list | tuple):
        problems.refuse(place, value, f"a list of {what}")
        return []
    return [(f"{place}[{index}]", element) for index, element in enumerate(value)]


def run_lengths(place: str, value: object, problems: Problems) -> object:
    """A list of different integers of at least 2, in any order; null for the default."""
    if value is None:
        return DEFAULT
    if isinstance(value, list | tuple) and not value:
        problems.refuse(place, value, "a list of at least one integer")
    lengths: list[int] = []
    for at, element in elements(place, value, problems, "integers of at least 2"):
        length = whole(element)
        if length is None or length < 2:  # noqa: PLR2004 - a first call repeats nothing
            problems.refuse(at, element, "an integer of at least 2")
        elif length in lengths:
            problems.refuse(at, element, "a run length that is not in the list yet")
        else:
            lengths.append(length)
    return lengths


def regular_expression(place: str, value: object, problems: Problems) -> object:
    """Text that compiles as a regular expression."""
    if not isinstance(value, str) or not value:
        problems.refuse(place, value, "a regular expression")
        return value
    try:
        re.compile(value)
    except (re.error, OverflowError, RecursionError) as error:
        problems.add(f"{place} must be a regular expression (got {value!r}): {error}")
    return value


def regular_expressions(place: str, value: object, problems: Problems) -> tuple[object, ...]:
    """A list of regular expressions."""
    found = elements(place, value, problems, "regular expressions")
    return tuple(regular_expression(at, element, problems) for at, element in found)
