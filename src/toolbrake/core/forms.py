"""Forms for what JSON cannot carry, and the names of classes."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

# Read through ``type`` itself: a metaclass may answer these attributes with anything.
mro: Callable[[type], tuple[type, ...]] = type.__dict__["__mro__"].__get__
own_vars: Callable[[type], Mapping[str, object]] = type.__dict__["__dict__"].__get__
_module: Callable[[type], object] = type.__dict__["__module__"].__get__
qualname: Callable[[type], str] = type.__dict__["__qualname__"].__get__


class Tagged:
    """``!tag(part,...)``; there is at least one part."""

    __slots__ = ("parts", "tag")

    def __init__(self, tag: str, *parts: object) -> None:
        self.tag = tag
        self.parts = parts


class Unordered:
    """Members whose order means nothing."""

    __slots__ = ("members",)

    def __init__(self, members: Iterable[object]) -> None:
        self.members = list(members)


class Hexed:
    """Bytes, to be written as hex digits."""

    __slots__ = ("view",)

    def __init__(self, view: memoryview) -> None:
        self.view = view


def class_name(kind: type) -> str:
    """Module and qualified name of a class, whatever its metaclass says."""
    module = _module(kind)
    return f"{module if type(module) is str else '?'}.{qualname(kind)}"


def is_text(value: object) -> bool:
    """Whether a value is a string, also of a subclass; members of string enums are not."""
    kind = type(value)
    return kind is str or (issubclass(kind, str) and not is_enum(kind))


def is_enum(kind: type) -> bool:
    return any(class_name(base) == "enum.Enum" for base in mro(kind))
