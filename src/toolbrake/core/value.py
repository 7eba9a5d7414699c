"""The one helper behind every value in ``core`` and ``rules``: equality, repr, pickling, and immutability.

Written out instead of ``dataclasses``, whose import costs a short-lived hook process twice an empty interpreter.
``Value`` compares, prints and pickles by its slots. ``Frozen`` also refuses assignment; it is for values that are
shared or kept. Events are made once a call on the hot path and handed straight on: they stay plain ``Value``,
because freezing ten slots costs as much as hashing the call.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn


class Value:
    """Compared, printed and pickled by the fields named in ``__slots__``, base classes first."""

    __slots__ = ()

    @classmethod
    def fields(cls) -> tuple[str, ...]:
        """The names of all slots, base classes first."""
        return tuple(name for kind in reversed(cls.__mro__) for name in getattr(kind, "__slots__", ()))

    def values(self) -> tuple[object, ...]:
        """The fields' values, in the order of ``fields``."""
        return tuple(getattr(self, name) for name in self.fields())

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self.values() == other.values()

    __hash__ = None  # type: ignore[assignment]  # mutable: Frozen gives it back

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.fields() if name not in self.hidden())
        return f"{type(self).__name__}({shown})"

    @classmethod
    def hidden(cls) -> tuple[str, ...]:
        """Fields that may hold a secret: left out of ``repr``, so that no log or traceback shows them."""
        return ()

    def __getstate__(self) -> tuple[object, ...]:
        return self.values()

    def __setstate__(self, state: tuple[object, ...]) -> None:
        for name, value in zip(self.fields(), state, strict=True):
            object.__setattr__(self, name, value)

    def __reduce__(self) -> tuple[Any, tuple[type], tuple[object, ...]]:
        return object.__new__, (type(self),), self.values()


class Frozen(Value):
    """A ``Value`` whose fields are set once, in ``__init__``, through ``self._set``."""

    __slots__ = ()

    def _set(self, **fields: object) -> None:
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable: {name} cannot be set")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable: {name} cannot be deleted")

    def __hash__(self) -> int:  # type: ignore[override]  # mutable values above have none
        return hash((type(self), self.values()))
