"""A registry's ``register``, given braked copies of what is registered."""

from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING

from toolbrake.core.functions import Parameters
from toolbrake.loop_brake._definitions import is_definition, name_of, with_execute
from toolbrake.loop_brake._reading import TOOL_FIELDS
from toolbrake.loop_brake._wrapping import body

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from toolbrake.loop_brake._calls import Seam
    from toolbrake.loop_brake._ledger import Ledger

    Method = Callable[..., Any]

DEFINITION_NAMES = ("definition", "tool", "execute", "function", "func", "fn", "handler", "callback")
"""Keyword arguments of ``register`` that may hold what is registered."""

ALIAS_NAMES = (*TOOL_FIELDS, "key", "id", "0")
"""Parameters of ``register`` that may hold the name to register by; "0" is the first where names cannot be read."""


class Registering:
    """Brakes what is registered. ``above``: the seam of the registry's ``execute``."""

    __slots__ = ("_above", "_ledger")

    def __init__(self, ledger: Ledger, above: Seam) -> None:
        self._ledger = ledger
        self._above = above

    def method(self, register: Method) -> Method:
        """``register``, also where it is used as a decorator that takes arguments."""
        parameters = Parameters(register)

        @functools.wraps(register)
        def registering(*args: Any, **kwargs: Any) -> Any:
            if self._ledger.off:
                return register(*args, **kwargs)
            named, rest = parameters.named(args, kwargs)
            names = ((named | rest).get(field) for field in ALIAS_NAMES)
            alias = next((name for name in names if isinstance(name, str)), None)
            place = _place_of_definition(args, kwargs)
            if place is not None:
                return self._with_copy(register, args, kwargs, place, alias)
            returned = register(*args, **kwargs)
            return self._decorator(returned, alias) if inspect.isroutine(returned) else returned

        return registering

    def _decorator(self, decorate: Method, alias: str | None) -> Method:
        """What ``register`` returned for want of a definition. Given none either, it is left to itself."""

        @functools.wraps(decorate)
        def decorating(*args: Any, **kwargs: Any) -> Any:
            place = None if self._ledger.off else _place_of_definition(args, kwargs)
            if place is None:
                return decorate(*args, **kwargs)
            return self._with_copy(decorate, args, kwargs, place, alias)

        return decorating

    def _with_copy(
        self, method: Method, args: tuple[Any, ...], kwargs: dict[str, Any], place: int | str, alias: str | None
    ) -> Any:
        """Call a method with the braked copy of the definition that is among its arguments."""
        if isinstance(place, str):
            return method(*args, **{**kwargs, place: self._copy(kwargs[place], alias)})
        return method(*args[:place], self._copy(args[place], alias), *args[place + 1 :], **kwargs)

    def _copy(self, definition: object, alias: str | None) -> object:
        """A braked copy, under the name that it is registered by, else its own."""
        tool = alias or name_of(definition)
        if tool is None:
            return definition  # nothing to call it by; what the registry's execute calls it, it is counted as there
        return with_execute(definition, lambda execute: body(execute, self._ledger, tool=tool, above=self._above))


def _place_of_definition(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> int | str | None:
    """Where among the arguments the definition is: an index, a keyword, or nowhere."""
    for index, value in enumerate(args):
        if is_definition(value):
            return index
    return next((name for name in DEFINITION_NAMES if is_definition(kwargs.get(name))), None)
