"""What a call's arguments are, read from how a host calls its functions.

Two kinds of functions are read. A *body* runs one tool; it takes the arguments spread over its parameters, or whole
as one value, and often the host's *execution input* beside them: an object or mapping that says who calls. A
registry's ``execute`` runs any tool; it takes a tool's name with its arguments, or a call that holds both.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from toolbrake.core.functions import Parameters
from toolbrake.loop_brake._calls import Seen
from toolbrake.loop_brake._identity import AGENT_FIELDS, SESSION_FIELDS, field, session_of, usable_id

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

TOOL_FIELDS = ("tool_name", "toolName", "tool", "name")
CALL_ARGUMENT_FIELDS = ("arguments", "args", "input")
ARGUMENT_FIELDS = (*CALL_ARGUMENT_FIELDS, "params", "parameters", "tool_args", "tool_input")
CALL_FIELDS = ("call", "tool_call", "toolCall")
CALL_ID_FIELDS = ("call_id", "callId", "tool_call_id", "toolCallId")
INPUT_NAMES = frozenset({"", "context", "ctx", "execution", "exec", "run_context", "tool_context", "runtime"})
"""Parameters that hold the execution input, leading and trailing underscores aside."""

HOST_FIELDS = frozenset({*SESSION_FIELDS, *AGENT_FIELDS, *CALL_ID_FIELDS})

PLAIN = (str, bytes, int, float, list, tuple, set, frozenset, type(None))
"""Never an execution input."""


class Body:
    """Reads the calls of one tool's body.

    The arguments are ``{parameter: value}``, without defaults that were left out and without the execution input.
    Where one value is left, and it is a mapping or its parameter is called ``args``, ``arguments``, ``input`` or the
    like, that value is the arguments.
    """

    __slots__ = ("_parameters",)

    def __init__(self, execute: Callable[..., object]) -> None:
        self._parameters = Parameters(execute)

    def read(self, args: tuple[object, ...], kwargs: dict[str, object]) -> tuple[object, list[object]]:
        """The arguments of a call, and what it says about its caller."""
        named, rest = self._parameters.named(args, kwargs)
        given = named | rest
        is_whole = bool(given) and _is_whole(*next(iter(given.items())))
        inputs = [name for index, name in enumerate(given) if _is_input(index, name, given[name], is_whole=is_whole)]
        sources = [given.pop(name) for name in inputs]
        if len(given) == 1:
            ((name, value),) = given.items()
            if name in ARGUMENT_FIELDS or isinstance(value, Mapping):
                return value, sources
        return given, sources

    def seen(self, tool: str, args: tuple[object, ...], kwargs: dict[str, object], *, session: str | None) -> Seen:
        """A call of the body; ``session`` where it is known better than the execution input knows it."""
        arguments, sources = self.read(args, kwargs)
        return Seen(tool, arguments, session=session or session_of(sources), call_id=_call_id(sources))


class Execute:
    """Reads the calls of a registry's ``execute``.

    Understood are ``(name, arguments, context, ...)``, ``(name, **arguments)`` and ``(call, context, ...)``, in any
    order where the parameters' names say which is which; instead of the name there may be the tool itself.
    """

    __slots__ = ("_parameters",)

    def __init__(self, execute: Callable[..., object]) -> None:
        self._parameters = Parameters(execute)

    def seen(self, args: tuple[object, ...], kwargs: dict[str, object]) -> Seen | None:
        """The call; None where it cannot be told, so that only the tool's body counts it."""
        named, rest = self._parameters.named(args, kwargs)
        if not named:
            named, rest = {**rest}, {}
        if not named:
            return None
        head = next((name for name in (*TOOL_FIELDS, *CALL_FIELDS) if name in named), next(iter(named)))
        first = named.pop(head)
        if not isinstance(first, str) and not _is_tool(first, named | rest):
            return _by_call(first, _sources(named, rest))
        tool = first if isinstance(first, str) else field(first, TOOL_FIELDS)
        return _by_name(tool, named, rest) if isinstance(tool, str) else None


def _is_tool(first: object, beside: dict[str, object]) -> bool:
    """Whether what comes first is the tool itself, whose ``args`` would be a schema, rather than a call of it."""
    return callable(first) or callable(field(first, ("execute",))) or any(name in beside for name in ARGUMENT_FIELDS)


def _by_name(tool: str, named: dict[str, object], rest: dict[str, object]) -> Seen | None:
    arguments = _arguments(named, rest)
    if arguments is _UNREAD:
        return None
    return _seen(tool, arguments, _sources(named, rest))


def _arguments(named: dict[str, object], rest: dict[str, object]) -> object:
    """The arguments beside a tool's name, taken out of ``named``; ``_UNREAD`` where they cannot be told.

    Read wrongly, equal calls would differ, or worse, different ones be equal.
    """
    known = next((name for name in ARGUMENT_FIELDS if named.get(name) is not None), None)
    if known is not None:
        return named.pop(known)
    guess = next((name for name in named if not _is_hosts(name)), None)
    value = None if guess is None else named.pop(guess)
    if not rest:
        return value
    own = [name for name in rest if not _is_hosts(name)]
    if value is None and len(own) == 1 and own[0] in ARGUMENT_FIELDS:
        return rest[own[0]]
    return rest if value is None and len(own) == len(rest) else _UNREAD


def _by_call(call: object, sources: list[object]) -> Seen | None:
    function = field(call, ("function",))  # as in chat completions
    holder = call if field(function, TOOL_FIELDS) is None else function
    tool = field(holder, TOOL_FIELDS)
    if not isinstance(tool, str) or not _has_any(holder, CALL_ARGUMENT_FIELDS):
        return None
    return _seen(tool, field(holder, CALL_ARGUMENT_FIELDS), [call, *sources], own_id=field(call, ("id",)))


def _seen(tool: str, arguments: object, sources: list[object], *, own_id: object = None) -> Seen:
    call_id = _call_id(sources) or usable_id(own_id)
    return Seen(tool, {} if arguments is None else arguments, session=session_of(sources), call_id=call_id)


def _sources(named: dict[str, object], rest: dict[str, object]) -> list[object]:
    """All that may say who calls, beside the call itself."""
    return [*(value for value in named.values() if not isinstance(value, PLAIN)), *filter(None, (named, rest))]


def _call_id(sources: list[object]) -> str | None:
    ids = (usable_id(field(source, (name,))) for source in sources for name in CALL_ID_FIELDS)
    return next(filter(None, ids), None)


def _has_any(source: object, names: Iterable[str]) -> bool:
    return any(name in source if isinstance(source, Mapping) else hasattr(source, name) for name in names)


def _is_input_name(name: str) -> bool:
    return name.strip("_").lower() in INPUT_NAMES


def _is_hosts(name: str) -> bool:
    return name in HOST_FIELDS or _is_input_name(name)


def _is_whole(name: str, value: object) -> bool:
    """Whether a first parameter takes the arguments whole."""
    return name in ARGUMENT_FIELDS or (name.isdigit() and isinstance(value, Mapping))


def _is_input(index: int, name: str, value: object, *, is_whole: bool) -> bool:
    """Whether a value passed to a body is the execution input: the name says so, or its place beside whole arguments.

    A plain value or a mapping without a caller's fields is an argument, whatever its name: tools do take a
    ``context`` of their own. A lone None under such a name is no argument.
    """
    is_named = _is_input_name(name)
    is_beside = index == 1 and is_whole
    if value is None:
        return is_named or is_beside
    if isinstance(value, PLAIN) or not (is_named or is_beside):
        return False
    if is_named and (is_whole or not isinstance(value, Mapping)):
        return True
    return _has_any(value, HOST_FIELDS)


_UNREAD = object()
