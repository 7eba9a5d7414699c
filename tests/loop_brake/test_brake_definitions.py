"""``decorate_tool``: a braked copy of a definition, whatever kind of value it is."""

import collections
import collections.abc
import functools
from dataclasses import dataclass
from types import MappingProxyType, SimpleNamespace
from typing import NamedTuple

import pytest
from registries import Tool, outcome

from toolbrake.loop_brake import LoopBrake, decorate_tool


def brake_at(limit=2):
    """A brake that no environment has a say in."""
    return LoopBrake(limit, environ={})


def search(args):
    """A tool that is a function."""
    return "found"


@dataclass(frozen=True)
class FrozenTool:
    """A definition that cannot be changed."""

    name: str = "search"
    execute: object = search


@dataclass(frozen=True, slots=True)
class SlottedTool:
    """A definition without a ``__dict__``."""

    name: str = "search"
    execute: object = search


@dataclass(frozen=True)
class FrozenToolWithMethod:
    """A definition that cannot be changed, whose ``execute`` belongs to its class."""

    name: str = "search"

    def execute(self, args):
        return self.name


class SlottedToolWithMethod:
    """A definition whose ``execute`` belongs to its class and has no place on the object."""

    __slots__ = ("name",)

    def __init__(self):
        self.name = "search"

    def execute(self, args):
        return self.name


class ToolWithProperty:
    """A definition whose ``execute`` is computed."""

    name = "search"

    @property
    def execute(self):
        return search


class TupleTool(NamedTuple):
    """A definition that is a tuple."""

    name: str = "search"
    execute: object = search


class OwnDict(dict):
    """A mapping of the host's own type."""


FIELDS = {"name": "search", "execute": search, "schema": {}}
DEFINITIONS = [
    dict(FIELDS),
    OwnDict(FIELDS),
    collections.OrderedDict(FIELDS),
    collections.UserDict(FIELDS),
    MappingProxyType(FIELDS),
    SimpleNamespace(**FIELDS),
    Tool(),
    FrozenTool(),
    SlottedTool(),
    FrozenToolWithMethod(),
    SlottedToolWithMethod(),
    ToolWithProperty(),
    TupleTool(),
]


def execute_of(definition):
    """A definition's ``execute``."""
    return definition["execute"] if hasattr(definition, "keys") else definition.execute


@pytest.mark.parametrize("definition", DEFINITIONS, ids=lambda definition: type(definition).__name__)
def test_copy_is_braked(definition):
    """The copy refuses at the limit; the original never does."""
    braked = decorate_tool(definition, brake_at())
    through_copy = [outcome(execute_of(braked), {}) for _ in range(2)]

    assert through_copy == ["ok", 2]
    assert [outcome(execute_of(definition), {}) for _ in range(2)] == ["ok", "ok"]


@pytest.mark.parametrize("definition", DEFINITIONS, ids=lambda definition: type(definition).__name__)
def test_copy_is_of_the_same_type(definition):
    """The copy is another value of the same type, with the same result."""
    braked = decorate_tool(definition, brake_at())

    assert braked is not definition
    assert isinstance(braked, type(definition))
    assert type(braked).__name__ == type(definition).__name__
    assert execute_of(braked)({}) == execute_of(definition)({})


def test_mapping_that_cannot_be_made():
    """A mapping that neither changes nor is made from a mapping is copied to a dict."""

    class Row(collections.abc.Mapping):
        def __getitem__(self, key):
            return FIELDS[key]

        def __iter__(self):
            return iter(FIELDS)

        def __len__(self):
            return len(FIELDS)

    braked = decorate_tool(Row(), brake_at(1))

    assert braked.keys() == FIELDS.keys()
    assert outcome(braked["execute"], {}) == 1


def test_original_is_left_alone():
    """Nothing of the original is changed."""
    definition = dict(FIELDS)
    decorate_tool(definition, brake_at())

    assert definition == FIELDS


def test_method_is_bound_to_the_copy():
    """A method of the copy works on the copy."""
    tool = FrozenToolWithMethod()
    braked = decorate_tool(tool, brake_at())
    object.__setattr__(braked, "name", "copy")

    assert (braked.execute({}), tool.execute({})) == ("copy", "search")


def test_function():
    """A function is wrapped itself, under its own name."""
    brake = brake_at()
    braked = decorate_tool(search, brake)
    braked({})

    with pytest.raises(RuntimeError, match='tool "search" called 2 times'):
        braked({})
    assert search({}) == "found"


def test_function_with_attributes():
    """A function is wrapped itself, whatever hangs on it."""

    def find(args):
        return "found"

    find.execute = search
    braked = decorate_tool(find, brake_at(1))

    with pytest.raises(RuntimeError, match='tool "find"'):
        braked({})


def test_tuple():
    """A named tuple's copy holds the braked execute in its place."""
    braked = decorate_tool(TupleTool(), brake_at())

    assert braked == ("search", braked.execute)


def test_partial():
    """A partial has the name of its function."""
    braked = decorate_tool(functools.partial(search, {}), brake_at(1))

    with pytest.raises(RuntimeError, match='tool "search"'):
        braked()


def test_name_by_option():
    """A name given beats the definition's own."""
    braked = decorate_tool(Tool("search"), brake_at(1), tool="find")

    with pytest.raises(RuntimeError, match='tool "find"'):
        braked.execute({})


def test_session_by_option():
    """The options of ``wrap_execute`` are taken."""
    brake = brake_at()
    decorate_tool(Tool(), brake, session_id="s1").execute({})
    decorate_tool(Tool(), brake, session=lambda args: "s2").execute({})

    assert (brake.streak("s1").count, brake.streak("s2").count) == (1, 1)


@pytest.mark.parametrize("definition", [42, {"name": "search"}, SimpleNamespace(name="search"), Tool, "search"])
def test_no_definition(definition):
    """What holds nothing to brake is refused, by what it is."""
    with pytest.raises(TypeError, match="a tool definition must be a function, or a mapping or an object"):
        decorate_tool(definition, brake_at())


def test_no_name():
    """A definition without a name is refused, and the message says how to give one."""
    with pytest.raises(TypeError, match=r"needs a name .* pass tool="):
        decorate_tool({"execute": search}, brake_at())


def test_no_copy():
    """A definition that is copied as itself is refused, rather than changed."""

    class Only(Tool):
        def __copy__(self):
            return self

    with pytest.raises(TypeError, match="must be copyable"):
        decorate_tool(Only(), brake_at())
