"""Attaching leaves no trace: the registry is put back as it was found, whoever else has patched it."""

import functools
from types import SimpleNamespace

import pytest
from registries import Registry, Tool, outcome

from toolbrake.loop_brake import LoopBrake, attach


def attached(registry, limit=3):
    """The brake of a registry, that no environment has a say in."""
    return attach(registry, limit, environ={})


def search(**arguments):
    """A tool that is a function."""
    return "found"


def test_no_tool_is_added():
    """Attaching and detaching register nothing."""
    registry = Registry()
    with attached(registry):
        during = dict(registry.tools)

    assert (during, registry.tools) == ({}, {})


def replaced(registry):
    """A method of a registry's own, as another library may have put it there."""
    registry.register = functools.partial(type(registry).register, registry)
    registry.execute = functools.partial(type(registry).execute, registry)
    return registry


class SlottedMethods:
    """A registry whose methods are values in slots."""

    __slots__ = ("execute", "register")

    def __init__(self):
        self.register = lambda definition: None
        self.execute = lambda name, args: "ran"


@pytest.mark.parametrize("registry", [Registry(), replaced(Registry()), SimpleNamespace(register=search, other=1)])
def test_restored(registry):
    """A registry is left exactly as it was found: an own method is put back, an inherited one uncovered."""
    before = dict(vars(registry))
    brake = attached(registry)
    during = dict(vars(registry))
    brake.dispose()

    assert during != before
    assert vars(registry) == before
    assert list(vars(registry)) == list(before)


def test_restored_in_slots():
    """Methods in slots are put back as well."""
    registry = SlottedMethods()
    before = (registry.register, registry.execute)
    attached(registry).dispose()

    assert (registry.register, registry.execute) == before


def test_restored_class():
    """A class whose register is a class method is a registry too, and gets its own attribute back."""

    class Host:
        tools = {}  # noqa: RUF012 - hosts do that

        @classmethod
        def register(cls, definition):
            cls.tools[definition.name] = definition

    before = dict(vars(Host))
    brake = attached(Host, 1)
    Host().register(Tool())
    refused = outcome(Host.tools["search"].execute, {})
    brake.dispose()

    assert refused == 1
    assert dict(vars(Host)) == before


def test_disposed_twice():
    """Disposing again does not touch a registry that has been patched since."""
    registry = Registry()
    brake = attached(registry)
    brake.dispose()
    registry.register = search
    brake.dispose()

    assert registry.register is search


def test_foreign_patch_stays():
    """What somebody else put on top stays where it is, and our method below lets everything pass."""
    registry = Registry()
    brake = attached(registry, 1)
    below = registry.register

    @functools.wraps(below)
    def foreign(definition):
        return below(definition)

    registry.register = foreign
    brake.dispose()
    registry.register(tool := Tool())

    assert registry.register is foreign
    assert registry.tools["search"] is tool


def test_registered_while_attached():
    """A definition registered while the brake was attached runs as it is once the brake is disposed of."""
    registry = Registry()
    with attached(registry, 1):
        registry.register(Tool())
        inside = outcome(registry.tools["search"].execute, {})

    assert (inside, outcome(registry.tools["search"].execute, {})) == (1, "ok")


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_two_brakes(order):
    """Two brakes on one registry count each call once each, and may be disposed of in any order."""
    registry = Registry()
    before = dict(vars(registry))
    brakes = [attached(registry, 3), attached(registry, 5)]
    registry.register(Tool())
    for _ in range(2):
        registry.execute("search", {})
    counts = [brake.streak().count for brake in brakes]
    for index in order:
        brakes[index].dispose()

    assert counts == [2, 2]
    assert vars(registry) == {**before, "tools": registry.tools}


def test_foreign_patch_between_two_brakes():
    """What somebody put between two brakes is put back, though it carries what functools.wraps copies."""
    registry = Registry()
    first = attached(registry)
    below = registry.register
    registry.register = foreign = functools.wraps(below)(functools.partial(below))
    second = attached(registry)
    first.dispose()
    second.dispose()

    assert registry.register is foreign


def test_one_of_two_brakes():
    """A brake keeps working when the one that was attached before it is disposed of."""
    registry = Registry()
    first, second = attached(registry, 5), attached(registry, 3)
    registry.register(Tool())
    first.dispose()

    assert [outcome(registry.execute, "search", {}) for _ in range(3)] == ["ok", "ok", 3]
    assert second.streak().count == 3


def test_other_of_two_brakes():
    """A brake keeps working when the one that was attached after it is disposed of."""
    registry = Registry()
    first, second = attached(registry, 3), attached(registry, 5)
    second.dispose()
    registry.register(Tool())

    assert [outcome(registry.execute, "search", {}) for _ in range(3)] == ["ok", "ok", 3]
    assert first.streak().count == 3


class Slotted:
    """A registry whose attributes cannot be set."""

    __slots__ = ()

    def register(self, definition):
        """Nothing is kept."""


class Model:
    """A registry that names its fields, as pydantic models do."""

    def register(self, definition):
        """Nothing is kept."""

    def __setattr__(self, name, value):
        raise ValueError(f'"Model" object has no field "{name}"')


class HalfSettable:
    """A registry that lets only ``register`` be replaced."""

    def register(self, definition):
        """Nothing is kept."""

    def execute(self, name, args):
        """Nothing is run."""

    def __setattr__(self, name, value):
        if name == "execute":
            raise AttributeError("execute is fixed")
        super().__setattr__(name, value)


@pytest.mark.parametrize("registry", [Slotted(), Model(), HalfSettable()])
def test_registry_that_cannot_be_patched(registry):
    """A registry whose methods cannot be replaced is named in the error, and left as it was."""
    with pytest.raises(TypeError, match=f"cannot be attached to a {type(registry).__name__}: .+"):
        attached(registry)
    assert vars(registry) == {} if hasattr(registry, "__dict__") else True


@pytest.mark.parametrize("registry", [object(), SimpleNamespace(register=None), {}])
def test_no_registry(registry):
    """Something without ``register`` is no registry."""
    with pytest.raises(TypeError, match="needs a registry with a method register"):
        attached(registry)


def test_class_of_a_registry():
    """A class whose instances are registries is not one."""
    with pytest.raises(TypeError, match="Registry is the class of one: attach to its instance"):
        attached(Registry)


def test_attach_returns_the_brake():
    """The brake can be inspected and reset."""
    registry = Registry()
    brake = attached(registry)
    registry.register(Tool())
    registry.execute("search", {})
    seen = brake.streak().count
    brake.reset()

    assert isinstance(brake, LoopBrake)
    assert (seen, brake.streak().count) == (1, 0)
