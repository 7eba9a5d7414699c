"""Copies of tool definitions whose ``execute`` is braked."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Mapping, MutableMapping
from typing import TYPE_CHECKING, TypeVar, cast

from toolbrake.loop_brake._brake import ledger_of
from toolbrake.loop_brake._wrapping import body, known_session

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from toolbrake.loop_brake._brake import LoopBrake

    Wrap = Callable[[Callable[..., Any]], Callable[..., Any]]

D = TypeVar("D")

EXECUTE = "execute"


def decorate_tool(
    definition: D,
    brake: LoopBrake,
    *,
    tool: str | None = None,
    session_id: object = None,
    session: Callable[..., object] | None = None,
) -> D:
    """A copy of a tool definition whose ``execute`` is braked; the original is left alone and runs without limit.

    A definition is a mapping with ``name`` and ``execute``, an object with these attributes, or a function. The copy
    is of the same type; a method is bound to the copy. ``tool`` overrides the name. The other options, and what a
    call's arguments are, stand at ``wrap_execute``.

    Raises:
        TypeError: it is none of these, has no name, or cannot be copied.
    """
    name = tool or name_of(definition)
    if not is_definition(definition):
        raise TypeError(
            "a tool definition must be a function, or a mapping or an object with name and execute "
            f"(got {_shown(definition)})"
        )
    if name is None:
        raise TypeError(f"a tool definition needs a name ({_shown(definition)} has none; pass tool=)")
    known = known_session(session_id, session)
    copied = with_execute(definition, lambda execute: body(execute, ledger_of(brake), tool=name, session=known))
    return cast("D", copied)


def is_definition(value: object) -> bool:
    """Whether there is something in it to brake. A class is none: its instances are."""
    return not isinstance(value, type) and (callable(value) or callable(_execute_of(value)))


def name_of(definition: object) -> str | None:
    """The name that a definition gives itself; for a function, its ``__name__``."""
    name = definition.get("name") if isinstance(definition, Mapping) else getattr(definition, "name", None)
    if isinstance(name, str):
        return name
    function = getattr(definition, "func", definition)  # a partial has no name of its own
    name = getattr(function, "__name__", None)
    return name if isinstance(name, str) else None


def with_execute(definition: object, wrap: Wrap) -> object:
    """A copy of a definition with its ``execute`` wrapped; a function is wrapped itself."""
    if isinstance(definition, Mapping):
        return _mapping_with(definition, wrap(definition[EXECUTE]))
    if inspect.isroutine(definition) or not callable(_execute_of(definition)):
        return wrap(cast("Callable[..., Any]", definition))  # is_definition: it can be called then
    return _object_with(definition, wrap)


def _execute_of(definition: object) -> object:
    return definition.get(EXECUTE) if isinstance(definition, Mapping) else getattr(definition, EXECUTE, None)


def _mapping_with(definition: Mapping[Any, Any], execute: object) -> object:
    if isinstance(definition, MutableMapping):
        copied = copy.copy(definition)
        copied[EXECUTE] = execute
        return copied
    items = {**definition, EXECUTE: execute}
    try:
        return type(definition)(items)  # type: ignore[call-arg]  # mappings are made from mappings, most of them
    except TypeError:
        return items


def _object_with(definition: object, wrap: Wrap) -> object:
    if isinstance(definition, tuple) and hasattr(definition, "_replace"):
        return definition._replace(execute=wrap(getattr(definition, EXECUTE)))
    copied = copy.copy(definition)
    if copied is definition:
        raise TypeError(f"a tool definition must be copyable ({_shown(definition)} is copied as itself)")
    execute = getattr(definition, EXECUTE)
    if getattr(execute, "__self__", None) is definition:
        execute = execute.__func__.__get__(copied)
    wrapped = wrap(execute)
    try:
        object.__setattr__(copied, EXECUTE, wrapped)  # frozen definitions too: the copy is not out of our hands yet
    except AttributeError:
        kind = type(copied)
        names = {"__slots__": (), "__module__": kind.__module__, "__qualname__": kind.__qualname__}
        object.__setattr__(copied, "__class__", type(kind.__name__, (kind,), {**names, EXECUTE: staticmethod(wrapped)}))
    return copied


def _shown(definition: object) -> str:
    return definition.__qualname__ if isinstance(definition, type) else f"a {type(definition).__qualname__}"
