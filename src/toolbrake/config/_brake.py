"""The brake's one setting: checked, and read from the environment where no configuration names it."""

from __future__ import annotations

import os
from collections.abc import Mapping

from toolbrake.config._checks import seed_keys, whole
from toolbrake.config._problems import Problems
from toolbrake.errors import InvalidMaxRepeatsError
from toolbrake.rules.brake import Brake

MAX_REPEATS_VARIABLE = "DSH_LOOP_BRAKE_MAX_REPEATS"
"""Environment variable, read only where a configuration does not hold the key."""


def normalize_max_repeats(value: object, *, key: str = "max_repeats") -> int:
    """The limit that ``value`` is; a float that equals an integer is one. ``key`` names it in the error.

    Raises:
        InvalidMaxRepeatsError: it is no integer of at least 1. Text is none, and no boolean is.
    """
    number = whole(value)
    if number is None or number < 1:
        raise InvalidMaxRepeatsError(value, key=key)
    return number


def resolve_max_repeats(
    config: Mapping[str, object] | int | None = None, *, environ: Mapping[str, str] | None = None
) -> int:
    """The limit that is in force: the configuration's, else the environment's, else the rule's default.

    ``config`` is the limit itself or a mapping with ``max_repeats`` or ``maxRepeats``. A key that is there wins, and
    then the environment is not looked at. ``environ`` stands in for the process's environment.

    Raises:
        InvalidMaxRepeatsError: the value in force is no integer of at least 1.
        ConfigError: the mapping holds another key, or the same key in both spellings.
    """
    if config is not None and not isinstance(config, Mapping):
        return normalize_max_repeats(config)
    problems = Problems()
    given = BRAKE_KEYS.read(config or {}, "", problems)
    problems.raise_any()
    if given:
        return int(given["max_repeats"])
    text = (os.environ if environ is None else environ).get(MAX_REPEATS_VARIABLE)
    return Brake().max_repeats if text is None else normalize_max_repeats(_number(text), key=MAX_REPEATS_VARIABLE)


def _number(text: str) -> object:
    """The integer written in ``text``, or the text where there is none."""
    try:
        return int(text)
    except ValueError:
        return text


def _max_repeats(place: str, value: object, problems: Problems) -> int | None:
    try:
        return normalize_max_repeats(value, key=place)
    except InvalidMaxRepeatsError as error:
        problems.take(error)
        return None


BRAKE_KEYS = seed_keys({"max_repeats": _max_repeats})
"""What the ``brake`` rule accepts."""
