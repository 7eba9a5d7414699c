"""The forms of what JSON cannot carry: each is written as documented, and no two values share one."""

from __future__ import annotations

import array
import collections
import dataclasses
import datetime as dt
import decimal
import enum
import fractions
import functools
import io
import itertools
import pathlib
import re
import types
import uuid

import attrs
import pydantic
import pydantic.v1
import pytest

from toolbrake.core.canonical import canonical

UTC = dt.UTC
NOON = dt.datetime(2026, 12, 1, 12, 0, 0, 5)  # noqa: DTZ001 - a naive time is a value of its own


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


class Level(enum.IntEnum):
    LOW = 1


class Name(enum.StrEnum):
    A = "a"


class Right(enum.Flag):
    READ = 1
    WRITE = 2


@dataclasses.dataclass
class Data:
    a: int
    b: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass(slots=True)
class SlottedData:
    a: int
    unset: int = dataclasses.field(init=False)


@attrs.define
class Attrs:
    a: int


@attrs.define(slots=False)
class DictAttrs:
    a: int


class Model(pydantic.BaseModel):
    a: int
    b: list[int] = []


class OpenModel(pydantic.BaseModel, extra="allow"):
    a: int


class OldModel(pydantic.v1.BaseModel):
    a: int
    b: int = 2


class EarlyModel:
    """As pydantic 2 was before ``__pydantic_fields__``."""

    model_fields = types.MappingProxyType({"a": None})

    def __init__(self, a):
        self.a = a
        self.cached = object()


class Struct:
    """As msgspec's."""

    __slots__ = ("a",)
    __struct_fields__ = ("a",)

    def __init__(self, a):
        self.a = a


class Bare:
    pass


class Holder:
    def __init__(self, **state):
        self.__dict__.update(state)

    def method(self):
        """Bound in the table below."""


class Slots:
    __slots__ = ("__hidden", "shown", "unset")

    def __init__(self):
        self.__hidden = 1
        self.shown = 2


class MoreSlots(Slots):
    __slots__ = ("more",)

    def __init__(self):
        super().__init__()
        self.more = 3


class Row:
    """A mapping by shape only."""

    def __init__(self, **columns):
        self._columns = columns

    def keys(self):
        return self._columns.keys()

    def __getitem__(self, key):
        return self._columns[key]


class Counter:
    """An iterator without end."""

    def __init__(self):
        self.n = 0

    def __iter__(self):
        return self

    def __next__(self):
        self.n += 1
        return self.n


class RefusedError(Exception):
    pass


def function():
    """Named in the table below."""


def kind(value):
    """The id of a parameter: a ``repr`` may show an address, or fail."""
    return type(value).__name__


def with_note(error, note):
    error.add_note(note)
    return error


HERE = __name__

FORMS = [
    (float("nan"), '!float("nan")'),
    ([float("inf"), float("-inf")], '[!float("inf"),!float("-inf")]'),
    ("\ud800", r'"\ud800"'),
    ({"\udfff": "a\ud801"}, r'{"\udfff":"a\ud801"}'),
    ({1: "a", "1": "b", (1, 2): "c", None: "d", 0.5: "e"}, '{"1":"b",0.5:"e",1:"a",[1,2]:"c",null:"d"}'),
    ({True: 1}, "{true:1}"),
    ({Name.A: 1}, f'{{!enum("{HERE}.Name","A"):1}}'),
    ({1, "a", (2,)}, '!set("a",1,[2])'),
    (frozenset(), "!set()"),
    ({"b": 1, "a": 2}.keys(), '!set("a","b")'),
    ({"b": 1}.items(), '!set(["b",1])'),
    ({"b": 1, "a": 2}.values(), "[1,2]"),
    (collections.OrderedDict(a=1).keys(), '!set("a")'),
    (b"\x00\xff", '!bytes("00ff")'),
    (bytearray(b"a"), '!bytes("61")'),
    (memoryview(b"abc")[::2], '!bytes("6163")'),
    (memoryview(array.array("h", [1, 2])), '!buffer("h",[2],"01000200")'),
    (array.array("h", [1]), '!object("array.array",!buffer("h",[1],"0100"))'),
    (NOON, '!datetime("2026-12-01T12:00:00.000005")'),
    (NOON.replace(tzinfo=UTC), '!datetime("2026-12-01T12:00:00.000005+00:00")'),
    (NOON.date(), '!date("2026-12-01")'),
    (NOON.time(), '!time("12:00:00.000005")'),
    (dt.timedelta(1, 2, 3), "!timedelta(1,2,3)"),
    (UTC, '!object("datetime.timezone",[!timedelta(0,0,0)])'),
    (decimal.Decimal("1.10"), '!decimal("1.10")'),
    (decimal.Decimal("sNaN"), '!decimal("sNaN")'),
    (fractions.Fraction(1, 3), "!fraction(1,3)"),
    (complex(1, float("nan")), '!complex(1,!float("nan"))'),
    (uuid.UUID(int=10), '!uuid("00000000-0000-0000-0000-00000000000a")'),
    (pathlib.PurePosixPath("a") / "b", '!path("PurePosixPath","a/b")'),
    (pathlib.PureWindowsPath("a") / "b", r'!path("PureWindowsPath","a\\b")'),
    (re.compile("a+", re.IGNORECASE), '!pattern("a+",34)'),
    (Colour.RED, f'!enum("{HERE}.Colour","RED")'),
    (Level.LOW, f'!enum("{HERE}.Level","LOW")'),
    (Name.A, f'!enum("{HERE}.Name","A")'),
    (Right.READ | Right.WRITE, f'!enum("{HERE}.Right","READ|WRITE")'),
    (Right(0), f'!enum("{HERE}.Right",0)'),
    (Data(1), f'!object("{HERE}.Data",{{"a":1,"b":[]}})'),
    (SlottedData(1), f'!object("{HERE}.SlottedData",{{"a":1}})'),
    (Attrs(1), f'!object("{HERE}.Attrs",{{"a":1}})'),
    (DictAttrs(1), f'!object("{HERE}.DictAttrs",{{"a":1}})'),
    (Model(a=1), f'!object("{HERE}.Model",{{"a":1,"b":[]}})'),
    (OpenModel(a=1, z=2), f'!object("{HERE}.OpenModel",{{"a":1,"z":2}})'),
    (OldModel(a=1), f'!object("{HERE}.OldModel",{{"a":1,"b":2}})'),
    (EarlyModel(1), f'!object("{HERE}.EarlyModel",{{"a":1}})'),
    (Struct(1), f'!object("{HERE}.Struct",{{"a":1}})'),
    (Bare(), f'!object("{HERE}.Bare",{{}})'),
    (Holder(b=1, a=[2]), f'!object("{HERE}.Holder",{{"a":[2],"b":1}})'),
    (MoreSlots(), f'!object("{HERE}.MoreSlots",{{"_Slots__hidden":1,"more":3,"shown":2}})'),
    (object(), '!object("builtins.object",{})'),
    (types.MappingProxyType({"a": 1}), '{"a":1}'),
    (collections.ChainMap({"a": 1}, {"b": 2}), '{"a":1,"b":2}'),
    (Row(b=1, a=2), '{"a":2,"b":1}'),
    (collections.deque([1, 2]), '!object("collections.deque",[1,2])'),
    (range(1, 9, 2), '!object("builtins.range",[1,9,2])'),
    (..., '!object("builtins.ellipsis","Ellipsis")'),
    (io.BytesIO(b"a"), '!object("_io.BytesIO",!bytes("61"))'),
    (io.StringIO("a"), '!object("_io.StringIO","a")'),
    (ValueError("a", 1), '!object("builtins.ValueError",["a",1])'),
    (FileNotFoundError(2, "no", "f"), '!object("builtins.FileNotFoundError",[2,"no","f"])'),
    (with_note(RefusedError("a"), "n"), f'!object("{HERE}.RefusedError",["a"],{{"__notes__":["n"]}})'),
    (Colour, f'!class("{HERE}.Colour")'),
    (int, '!class("builtins.int")'),
    (itertools, '!module("itertools")'),
    (function, f'!function("{HERE}.function")'),
    (len, '!function("builtins.len")'),
    ([1].append, '!method("builtins.list.append",[1])'),
    (Holder(a=1).method, f'!method("{HERE}.Holder.method",!object("{HERE}.Holder",{{"a":1}}))'),
    (functools.partial(len, [1], b=2), '!partial(!function("builtins.len"),[[1]],{"b":2})'),
    ((number for number in [1]), '!object("builtins.generator",{})'),
    (itertools.count(), '!object("itertools.count",{})'),
    (Counter(), f'!object("{HERE}.Counter",{{"n":0}})'),
]


@pytest.mark.parametrize(("value", "form"), FORMS, ids=kind)
def test_form(value, form):
    """A value that JSON cannot carry has the form that the table in ``canonical`` gives it."""
    assert canonical(value).decode() == form


@pytest.mark.parametrize(("value", "form"), FORMS, ids=kind)
def test_form_inside_a_container(value, form):
    """The form is the same wherever the value stands."""
    assert canonical({"a": [value]}).decode() == f'{{"a":[{form}]}}'


def test_integer_without_decimal_digits():
    """An integer of more digits than the interpreter converts is written in hex, sign included."""
    assert (canonical(1 << 20_000), canonical(-(1 << 20_000))) == (
        b'!int("0x1' + b"0" * 5_000 + b'")',
        b'!int("-0x1' + b"0" * 5_000 + b'")',
    )


def test_long_member_of_a_set():
    """A member of more than 4,096 bytes is written as the digest of its bytes."""
    assert canonical({"a" * 5_000, 1}).decode() == (
        "!set(!sha256(59f569f1cb4a006580f388daf3f886b87e0bed545e06037fba04513a8498949e),1)"
    )


def test_entry_order_of_keys_that_are_no_strings():
    """A dict with such keys has the same bytes whatever order they came in."""
    keys = [1, "1", None, (1, 2), 0.5, frozenset("a"), "\ud800", Colour.RED]

    assert canonical(dict.fromkeys(keys)) == canonical(dict.fromkeys(reversed(keys)))


def test_path_that_was_used():
    """What a path object has computed so far is no part of it."""
    used = pathlib.PurePosixPath("a", "b")
    hash(used), str(used), used.parts, used.suffixes

    assert canonical(used) == canonical(pathlib.PurePosixPath("a/b"))


def test_generator_is_not_consumed():
    """A generator still yields all it has."""
    numbers = (number for number in [1, 2])
    canonical([numbers])

    assert list(numbers) == [1, 2]


class Loud(str):
    __slots__ = ()

    def __str__(self):
        return "loud"


EQUAL = [
    (1, 1.0),
    (0, -0.0),
    (10**20, 1e20),
    ([1, 2], (1, 2)),
    ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
    (b"a", bytearray(b"a")),
    (b"a", memoryview(b"a")),
    ({1, 2}, frozenset([2, 1])),
    (set("abcdefgh"), set("hgfedcba")),
    ({1: 2}, {1.0: 2.0}),
    ("a", Loud("a")),
    (Holder(a=1, b=2), Holder(b=2, a=1)),
    (Bare(), Bare()),
    ({Bare(), Bare()}, {Bare(), Bare()}),
    ({Bare(): 1, Bare(): 2}, {Bare(): 2, Bare(): 1}),
    (object(), object()),
    (Data(1, [2]), Data(1.0, [2])),
    (Model(a=1), Model(a=1, b=[])),
    (OldModel(a=1), OldModel(a=1, b=2)),
    (Holder().method, Holder().method),
    (ValueError("a"), ValueError("a")),
    (NOON.replace(fold=1), NOON),
    (float("nan"), float("-nan")),
    (types.MappingProxyType({"a": 1}), {"a": 1}),
]


@pytest.mark.parametrize(("one", "other"), EQUAL, ids=kind)
def test_equal(one, other):
    """Values that mean the same have the same bytes."""
    assert canonical(one) == canonical(other)


SHARED = [1]
DISTINCT = [
    None, True, False, 0, 1, 2, -1, 0.5, 2**53, 2**53 + 1, 10**20 + 1, 10**5_000, 10**5_000 + 1,
    float("nan"), float("inf"), float("-inf"),
    "", "null", "true", "0", "1", "nan", "NaN", "\ud800", "\ud801", "\ud83d\ude00", "\U0001f600", r"\ud800",
    "\u00e9", "e\u0301", '!float("nan")', '"', "a\x00", "a",
    [], [None], [[]], [1], ["1"], [1, 2], [2, 1], [[1], 2], [[1, 2]], ["a,b"], ["a", "b"],
    {}, {"a": 1}, {"a": "1"}, {"A": 1}, {"a": None}, {"\ud800": 1}, {"\ud801": 1}, {'a":1,"b': 1},
    {1: 1}, {"1": 1}, {True: 1}, {"true": 1}, {None: 1}, {"null": 1}, {(1, 2): 1}, {"[1,2]": 1}, {1: 1, "1": 1},
    {frozenset(): 1}, {b"a": 1}, {Colour.RED: 1},
    b"", b"a", b"61", memoryview(array.array("h", [1])), array.array("h", [1]), array.array("H", [1]),
    set(), {1}, {"1"}, {1, 2}, {(1, 2)}, {frozenset()}, {Bare(), Bare()}, {Bare()}, [{1}, 2], [{1, 2}],
    NOON, NOON.replace(tzinfo=UTC), NOON.date(), NOON.time(), NOON.isoformat(), dt.timedelta(1),
    dt.timedelta(seconds=1), decimal.Decimal(1), decimal.Decimal("1.0"), decimal.Decimal("NaN"),
    fractions.Fraction(1), fractions.Fraction(1, 2), complex(1), complex(0, 1), complex(-0.0, 2),
    uuid.UUID(int=1), str(uuid.UUID(int=1)), pathlib.PurePosixPath("a"), pathlib.PureWindowsPath("a"),
    Colour.RED, Colour.BLUE, Level.LOW, Name.A, Right.READ, Right(0), Right.READ | Right.WRITE,
    Data(1), Data(2), Data(1, [1]), SlottedData(1), Attrs(1), DictAttrs(1), Model(a=1), Model(a=2), OldModel(a=1),
    OpenModel(a=1), OpenModel(a=1, z=1), EarlyModel(1), EarlyModel(2), Struct(1), Struct(2),
    Bare(), Holder(), Holder(a=1), Holder(a="1"), Holder(b=1), Slots(), MoreSlots(), object(),
    collections.deque(), collections.deque([1]), range(3), range(4), slice(3), re.compile("a"), re.compile(b"a"),
    io.BytesIO(b"a"), io.BytesIO(b"b"), io.StringIO("a"), ValueError("a"), ValueError("b"), TypeError("a"),
    ValueError(), FileNotFoundError(2, "no", "f"), FileNotFoundError(2, "no", "g"),
    Colour, Data, int, itertools, function, len, [].append, [1].append, [].pop, Holder().method, Holder(a=1).method,
    functools.partial(len), functools.partial(len, 1), ..., NotImplemented, list[int], list[str],
]  # fmt: skip


def test_distinct():
    """No two of these values share their bytes."""
    bytes_of = [canonical(value) for value in DISTINCT]

    assert [bytes_ for bytes_, times in collections.Counter(bytes_of).items() if times > 1] == []


def test_no_form_can_be_forged_by_a_string():
    """The bytes of any value, given as a string, are other bytes: quoted, they are never a form."""
    written = [canonical(value) for value in DISTINCT if not isinstance(value, str)]
    forged = [canonical(bytes_.decode()) for bytes_ in written]

    assert set(written).isdisjoint(forged)


@pytest.mark.parametrize("value", DISTINCT, ids=kind)
def test_bytes_are_text(value):
    """Canonical bytes are UTF-8, so a result without JSON form still has a text."""
    assert canonical(value).decode().encode() == canonical(value)
