"""Attaching a brake to a tool registry, and leaving it as it was found.

Two methods of the registry are replaced on the object itself: ``register``, so that every definition registered from
then on carries a braked ``execute``, and ``execute`` where there is one, which also sees the tools registered before.
Whoever replaces them later, on top of ours, is left in peace: our method stays below and lets everything pass.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

from toolbrake.loop_brake._brake import LoopBrake, ledger_of
from toolbrake.loop_brake._calls import Seam
from toolbrake.loop_brake._reading import Execute
from toolbrake.loop_brake._registering import Registering
from toolbrake.loop_brake._wrapping import braked

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from toolbrake.loop_brake._ledger import Ledger, Passage

    Method = Callable[..., Any]

MARK = "__toolbrake_patch__"
"""Attribute of a method of ours: the patch that put it in place."""


def attach(
    registry: object,
    config: Mapping[str, object] | int | None = None,
    *,
    environ: Mapping[str, str] | None = None,
) -> LoopBrake:
    """Brake every tool of a registry until the brake that is returned is disposed of.

    ``registry`` has a method ``register`` and perhaps ``execute``, plain or ``async``. ``config`` and ``environ``
    are those of ``LoopBrake``, checked before the registry is touched.

    ``register`` may take a definition (see ``decorate_tool``), or a name and a definition or function, or be used as
    a decorator, with or without arguments; it returns what it returned before. The registry gets the braked copy,
    under the name it is registered by. What holds no ``execute`` is passed on as it is, and so is a class.

    ``execute`` may take ``(name, arguments, context)``, ``(name, **arguments)`` or ``(call, context)``, where a call
    is an object or a mapping with ``name`` or ``tool``; ``arguments``, ``args`` or ``input``; and, where the host
    has them, ``id``, ``call_id`` or ``callId`` and the caller's fields (see ``wrap_execute``), which may also stand
    in the context or in parameters of their own. The ``function`` inside a chat completion's tool call is read too,
    and instead of a name the tool itself. What stands beside name and arguments is no part of a call's identity. A
    call of any other shape, and an ``execute`` that is a generator, is left to the tool's own seam.

    One host call that passes both is counted once: by the id it has, else because the second runs inside the first.

    Raises:
        InvalidMaxRepeatsError: the limit is no integer of at least 1.
        TypeError: the registry has no ``register``, or its methods cannot be replaced.
    """
    brake = LoopBrake(config, environ=environ)
    ledger = ledger_of(brake)
    above = Seam(is_body=False)
    methods: dict[str, Method] = {"register": Registering(ledger, above).method(_method(registry, "register"))}
    execute = getattr(registry, "execute", None)
    if callable(execute) and not inspect.isgeneratorfunction(execute) and not inspect.isasyncgenfunction(execute):
        methods["execute"] = _executing(_method(registry, "execute"), ledger, above)
    patches = [Patch(registry, name, method, ledger) for name, method in methods.items()]
    try:
        for patch in patches:
            patch.apply()
    except (AttributeError, TypeError, ValueError) as error:
        brake.dispose()
        raise TypeError(f"a brake cannot be attached to {_shown(registry)}: {error}") from None
    return brake


class Patch:
    """One method of a registry, replaced until its brake is disposed of."""

    __slots__ = ("_found", "_is_own", "_name", "_registry", "ledger", "method")

    def __init__(self, registry: object, name: str, method: Method, ledger: Ledger) -> None:
        self._registry = registry
        self._name = name
        self.method = method
        self.ledger = ledger
        self._is_own, self._found = _own_attribute(registry, name)
        method.__dict__[MARK] = self

    def apply(self) -> None:
        """Put our method in place, and see to it that it is taken back."""
        is_class = isinstance(self._registry, type)
        setattr(self._registry, self._name, staticmethod(self.method) if is_class else self.method)
        self.ledger.undo.append(self._restore)

    def _restore(self) -> None:
        """Put back what was found, unless somebody has put something on top since."""
        if _plain(_own_attribute(self._registry, self._name)[1]) is not self.method:
            return
        is_own, found = self.before()
        if is_own:
            setattr(self._registry, self._name, found)
        else:
            delattr(self._registry, self._name)

    def before(self) -> tuple[bool, object]:
        """What was found, or what that one had found if it is a brake that is gone by now."""
        below = getattr(_plain(self._found), MARK, None)
        if isinstance(below, Patch) and below.method is _plain(self._found) and below.ledger.off:
            return below.before()
        return self._is_own, self._found


def _method(registry: object, name: str) -> Method:
    """The registry's method as it is called now."""
    method = getattr(registry, name, None)
    if not callable(method):
        raise TypeError(f"a brake needs a registry with a method {name} ({_shown(registry)} has none)")
    if isinstance(registry, type) and inspect.isfunction(inspect.getattr_static(registry, name)):
        raise TypeError(f"a brake needs a registry ({_shown(registry)} is the class of one: attach to its instance)")
    return method  # type: ignore[no-any-return]  # callable() tells mypy no signature


def _own_attribute(registry: object, name: str) -> tuple[bool, object]:
    """Whether an attribute is the registry's own rather than its class's, and what it is there."""
    own = getattr(registry, "__dict__", {})
    if name in own:
        return True, own[name]
    is_slot = hasattr(inspect.getattr_static(type(registry), name, None), "__set__")
    return is_slot, getattr(registry, name, None)


def _plain(value: object) -> object:
    return value.__func__ if isinstance(value, staticmethod) else value


def _executing(execute: Method, ledger: Ledger, seam: Seam) -> Method:
    """The registry's ``execute`` as a seam."""
    reader = Execute(execute)

    def enter(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Passage | None:
        seen = None if ledger.off else reader.seen(args, kwargs)
        return None if seen is None else ledger.enter(seen, seam)

    return braked(execute, enter)


def _shown(registry: object) -> str:
    return registry.__qualname__ if isinstance(registry, type) else f"a {type(registry).__qualname__}"
