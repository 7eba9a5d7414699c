"""A registry's ``register``, given braked copies of what is registered."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Mapping
from typing import TYPE_CHECKING

from toolbrake.loop_brake._definitions import EXECUTE, is_definition, name_of, with_execute
from toolbrake.loop_brake._reading import TOOL_FIELDS, Parameters
from toolbrake.loop_brake._wrapping import body

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from toolbrake.loop_brake._calls import Seam
    from toolbrake.loop_brake._ledger import Ledger

    Method = Callable[..., Any]

DEFINITION_NAMES = ("definition", "tool", "execute", "function", "func", "fn", "handler", "callback")
"""Keyword arguments of ``register`` that may hold what is registered."""


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
            names = (named.get(field) or rest.get(field) for field in TOOL_FIELDS)
            alias = next((name for name in names if isinstance(name, str)), None)
            place = _place_of_definition(args, kwargs)
            if place is not None:
                return self._with_copy(register, args, kwargs, place, alias)
            returned = register(*args, **kwargs)
            is_decorator = inspect.isroutine(returned) and not any(returned is each for each in args)
            return self._decorator(returned, alias or _first_text(args)) if is_decorator else returned

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
        copied = self._copy(args[place], alias, otherwise=_first_text(args[:place]))
        return method(*args[:place], copied, *args[place + 1 :], **kwargs)

    def _copy(self, definition: object, alias: str | None, *, otherwise: str | None = None) -> object:
        """A braked copy, under the name the model will use: the alias, else its own, else any text before it."""
        own = name_of(definition)
        tool = alias or (own if _names_itself(definition) else otherwise or own)
        if tool is None:
            return definition  # nothing to call it by; what the registry's execute calls it, it is counted as there
        return with_execute(definition, lambda execute: body(execute, self._ledger, tool=tool, above=self._above))


def _place_of_definition(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> int | str | None:
    """Where among the arguments the definition is: an index, a keyword, or nowhere."""
    for index, value in enumerate(args):
        if is_definition(value):
            return index
    return next((name for name in DEFINITION_NAMES if is_definition(kwargs.get(name))), None)


def _names_itself(definition: object) -> bool:
    """Whether it has a name of its own; a function's is only where it was defined."""
    if isinstance(definition, Mapping):
        return True
    return isinstance(getattr(definition, "name", None), str) and hasattr(definition, EXECUTE)


def _first_text(args: tuple[Any, ...]) -> str | None:
    return next((value for value in args if isinstance(value, str)), None)
