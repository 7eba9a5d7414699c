"""What a value that is no exact JSON type comes down to: a JSON value, or a tag and parts.

Types are known by module and name or by the attributes of their class, never by importing them, and looked up
along the method resolution order, so a subclass of a date is a date. Nothing is iterated that need not end, and no
``repr`` of an object is used, for it may show an address. The table of forms is in ``toolbrake.core.canonical``.
"""

from __future__ import annotations

from itertools import chain, islice

from toolbrake.core.forms import Hexed, Tagged, Unordered, class_name, is_enum, mro, own_vars, qualname

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import TypeVar

    Item = TypeVar("Item")

ENDLESS = 1_000_001
"""Items taken of a container that is not built in: one more than the node budget, in case it has no end."""

_Slot = type(Hexed.__dict__["view"])
_MISSING = object()


def lowered(value: object) -> object:
    """An exact ``str``, ``int``, ``float``, ``list``, ``tuple`` or ``dict``, or a form of ``toolbrake.core.forms``."""
    kind = type(value)
    try:
        return _enum(value, kind) if is_enum(kind) else _lowered(value, kind)
    except Exception:  # noqa: BLE001 - the value's own code ran (a property, keys, isoformat): it may raise anything
        return Tagged("opaque", class_name(kind))


def _lowered(value: object, kind: type) -> object:
    for base in mro(kind):
        rule = _NAMED.get(class_name(base))
        if rule is not None:
            return rule(value)
    for attributes, shaped in _SHAPED:
        if all(_has(kind, attribute) for attribute in attributes):
            return shaped(value, kind)
    return _by_state(value, kind)


def _has(kind: type, attribute: str) -> bool:
    return any(attribute in own_vars(base) for base in mro(kind))


def _enum(value: object, kind: type) -> Tagged:
    """Class and name; a combination of flags that has no name is known by its value."""
    own = _own(value)
    return Tagged("enum", class_name(kind), own["_value_"] if own["_name_"] is None else own["_name_"])


# Rules by the name of a class.


def _read(tag: str, *attributes: str) -> Callable[[object], Tagged]:
    return lambda value: Tagged(tag, *[getattr(value, attribute) for attribute in attributes])


def _told(tag: str, method: str) -> Callable[[object], Tagged]:
    return lambda value: Tagged(tag, getattr(value, method)())


def _octets(value: bytes | bytearray) -> Tagged:
    return Tagged("bytes", Hexed(memoryview(value)))


def _buffer(value: memoryview) -> Tagged:
    flat = value.cast("B") if value.c_contiguous else memoryview(value.tobytes())
    if value.format == "B" and value.ndim == 1:
        return Tagged("bytes", Hexed(flat))
    return Tagged("buffer", value.format, value.shape, Hexed(flat))


def _path(value: object) -> Tagged:
    """Neither its state, which holds what was computed so far, nor its module, which moved in Python 3.13."""
    return Tagged("path", qualname(type(value)), str(value))


def _code(value: object) -> Tagged:
    """A function by where it was defined, a method with what it is bound to."""
    function = getattr(value, "__func__", value)
    module, qualified = (getattr(function, attribute) for attribute in ("__module__", "__qualname__"))
    name = f"{module or 'builtins'}.{qualified}"
    owner = getattr(value, "__self__", None)
    if owner is None or class_name(type(owner)) == "builtins.module":
        return Tagged("function", name)
    return Tagged("method", name, owner)


def _exception(value: BaseException) -> Tagged:
    """The class, what it was raised with and what was set on it; not its traceback, cause or context."""
    kind = type(value)
    return Tagged("object", class_name(kind), *_pickled(value, kind))


def _content(method: str) -> Callable[[object], Tagged]:
    return lambda value: Tagged("object", class_name(type(value)), getattr(value, method)())


def _queue(value: Iterable[object]) -> Tagged:
    return Tagged("object", class_name(type(value)), [*_endless(value)])


def _endless(items: Iterable[Item]) -> Iterator[Item]:
    """As many items as any budget lets through."""
    return islice(items, ENDLESS)


_NAMED: dict[str, Callable[..., object]] = {
    "builtins.str": str.__str__,
    "builtins.int": int.__int__,
    "builtins.float": float.__float__,
    "builtins.list": list.copy,
    "builtins.tuple": lambda value: (*tuple.__iter__(value),),  # a named tuple is the tuple it equals
    "builtins.dict": dict.copy,
    "builtins.set": lambda value: Unordered(set.__iter__(value)),
    "builtins.frozenset": lambda value: Unordered(frozenset.__iter__(value)),
    "builtins.dict_keys": lambda value: Unordered(_endless(value)),
    "builtins.dict_items": lambda value: Unordered(_endless(value)),
    "builtins.dict_values": lambda value: [*_endless(value)],
    "builtins.bytes": _octets,
    "builtins.bytearray": _octets,
    "builtins.memoryview": _buffer,
    "builtins.complex": _read("complex", "real", "imag"),
    "builtins.type": lambda value: Tagged("class", class_name(value)),
    "builtins.module": _read("module", "__name__"),
    "builtins.function": _code,
    "builtins.builtin_function_or_method": _code,
    "builtins.method": _code,
    "builtins.BaseException": _exception,
    "_io.BytesIO": _content("getvalue"),
    "_io.StringIO": _content("getvalue"),
    "collections.deque": _queue,
    "datetime.datetime": _told("datetime", "isoformat"),
    "datetime.date": _told("date", "isoformat"),
    "datetime.time": _told("time", "isoformat"),
    "datetime.timedelta": _read("timedelta", "days", "seconds", "microseconds"),
    "decimal.Decimal": _told("decimal", "__str__"),
    "fractions.Fraction": _read("fraction", "numerator", "denominator"),
    "re.Pattern": _read("pattern", "pattern", "flags"),
    "uuid.UUID": _told("uuid", "__str__"),
    "functools.partial": _read("partial", "func", "args", "keywords"),
    "pathlib.PurePath": _path,
    "pathlib._local.PurePath": _path,
}


# Rules by what a class has.


def _fields(value: object, kind: type, names: Iterable[str]) -> Tagged:
    """Class and fields; a field that was never set is left out."""
    found = {name: getattr(value, name, _MISSING) for name in _endless(names)}
    return Tagged("object", class_name(kind), {name: held for name, held in found.items() if held is not _MISSING})


def _listed(attribute: str) -> Callable[[object, type], Tagged]:
    return lambda value, kind: _fields(value, kind, getattr(kind, attribute))


def _attrs(value: object, kind: type) -> Tagged:
    return _fields(value, kind, (field.name for field in getattr(kind, _ATTRS)))


def _pydantic(attribute: str) -> Callable[[object, type], Tagged]:
    """Declared fields and, where the model allows them, extra ones."""
    return lambda value, kind: _fields(
        value, kind, chain(getattr(kind, attribute), getattr(value, "__pydantic_extra__", None) or ())
    )


def _mapping(value: Mapping[object, object], _: type) -> dict[object, object]:
    return {key: value[key] for key in _endless(value.keys())}


_ATTRS = "__attrs_attrs__"
_SHAPED: tuple[tuple[tuple[str, ...], Callable[..., object]], ...] = (
    (("__dataclass_fields__",), _listed("__dataclass_fields__")),
    ((_ATTRS,), _attrs),
    (("__pydantic_fields__",), _pydantic("__pydantic_fields__")),
    (("model_fields",), _pydantic("model_fields")),
    (("__fields__", "__fields_set__"), lambda value, kind: Tagged("object", class_name(kind), _own(value))),
    (("__struct_fields__",), _listed("__struct_fields__")),
    (("keys", "__getitem__"), _mapping),
)


# What is left: objects by what they hold.


def _by_state(value: object, kind: type) -> Tagged:
    """Class and state. An iterator is not asked for more: what it would yield may have no end."""
    state = _state(value, kind)
    if state or _has(kind, "__next__"):
        return Tagged("object", class_name(kind), state)
    return Tagged("object", class_name(kind), *_built_in_state(value, kind))


def _state(value: object, kind: type) -> dict[str, object]:
    """What slots and instance dictionary hold, read past any ``__getattribute__`` of the class.

    Only slots that a class names itself: built-in types have members of the same kind that hold addresses.
    """
    found: dict[str, object] = {}
    for base in mro(kind):
        members = own_vars(base)
        for name, slot in members.items() if "__slots__" in members else ():
            held = _held(slot, value) if type(slot) is _Slot else _MISSING
            if held is not _MISSING:
                found[name] = held
    return found | _own(value)


def _held(slot: object, value: object) -> object:
    try:
        return _Slot.__get__(slot, value)
    except AttributeError:  # a slot that was never set
        return _MISSING


def _own(value: object) -> dict[str, object]:
    try:
        own = object.__getattribute__(value, "__dict__")
    except AttributeError:  # all in slots, or built in
        return {}
    return dict.copy(own)


def _built_in_state(value: object, kind: type) -> list[object]:
    """The bytes of a buffer (an array), else what pickling would keep."""
    try:
        return [_buffer(memoryview(value))]  # type: ignore[arg-type]  # the question is whether it is one
    except (TypeError, ValueError, BufferError):
        return _pickled(value, kind)


def _pickled(value: object, kind: type) -> list[object]:
    """Arguments and state; ``{}`` for an object that has none."""
    form = value.__reduce_ex__(2)
    if type(form) is not tuple:
        return [form]
    _, args, *rest = form
    parts = [part for part in rest if part is not None]
    return [args, *parts] if parts or args != (kind,) else [{}]
