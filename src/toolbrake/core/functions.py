"""How the functions of a host are called: their parameters, and whether they are awaited."""

from __future__ import annotations

import functools
import inspect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class Parameters:
    """A function's parameters, where they can be read."""

    __slots__ = ("_signature",)

    def __init__(self, function: Callable[..., object]) -> None:
        self._signature: inspect.Signature | None = None
        try:
            self._signature = inspect.signature(function)
        except (TypeError, ValueError):
            return  # written in C, or callable in ways of its own

    def named(self, args: tuple[object, ...], kwargs: dict[str, object]) -> tuple[dict[str, object], dict[str, object]]:
        """What was passed, by parameter; and apart from it what a ``**`` parameter takes.

        By position where there is no name, also for a call that does not fit: the function will say so itself.
        """
        nameless: dict[str, object] = {str(index): value for index, value in enumerate(args)}
        if self._signature is None:
            return nameless | kwargs, {}
        try:
            bound = self._signature.bind(*args, **kwargs)
        except TypeError:
            return nameless | kwargs, {}
        named: dict[str, object] = {}
        rest: dict[str, object] = {}
        for name, value in bound.arguments.items():
            kind = self._signature.parameters[name].kind
            if kind is inspect.Parameter.VAR_KEYWORD:
                rest = value
            elif kind is inspect.Parameter.VAR_POSITIONAL:
                named.update({str(index): each for index, each in enumerate(value)})
            else:
                named[name] = value
        return named, rest


def is_async(function: Callable[..., object]) -> bool:
    """Whether calling the function gives a coroutine; partials and callable objects are looked into."""
    if isinstance(function, functools.partial):
        return is_async(function.func)
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(
        inspect.getattr_static(function, "__call__", None)
    )
