"""Values: compared, printed and pickled by their fields; frozen ones cannot be changed."""

from __future__ import annotations

import copy
import pickle

import pytest

from toolbrake.core.value import Frozen, Value


class Point(Value):
    __slots__ = ("x", "y")

    def __init__(self, x, y):
        self.x = x
        self.y = y


class Secret(Point):
    __slots__ = ("word",)

    def __init__(self, x, y, word):
        super().__init__(x, y)
        self.word = word

    @classmethod
    def hidden(cls):
        return ("word",)


class Fixed(Frozen):
    __slots__ = ("x",)

    def __init__(self, x):
        self._set(x=x)


class OtherFixed(Frozen):
    __slots__ = ("x",)

    def __init__(self, x):
        self._set(x=x)


def test_equal_by_fields():
    """Two values of one class with equal fields are equal."""
    assert Point(1, [2]) == Point(1, [2])


def test_unequal_by_a_field():
    """One different field makes two values different."""
    assert Point(1, 2) != Point(1, 3)


@pytest.mark.parametrize("other", [(1, 2), Secret(1, 2, "x"), None], ids=["tuple", "subclass", "None"])
def test_unequal_to_another_class(other):
    """A value equals nothing of another class, a subclass included."""
    assert Point(1, 2) != other


def test_fields_begin_with_the_base_class():
    """The fields of a subclass are those of its base, then its own."""
    assert Secret.fields() == ("x", "y", "word")


def test_repr_names_the_fields():
    """The repr is the class and its fields."""
    assert repr(Point(1, "a")) == "Point(x=1, y='a')"


def test_repr_leaves_out_what_is_hidden():
    """A hidden field is in no repr."""
    assert repr(Secret(1, 2, "canary")) == "Secret(x=1, y=2)"


def test_value_is_not_hashable():
    """A value that can change has no hash."""
    with pytest.raises(TypeError, match="unhashable"):
        hash(Point(1, 2))


def test_frozen_hashes_by_fields():
    """Equal frozen values are one member of a set."""
    assert {Fixed(1), Fixed(1), Fixed(2)} == {Fixed(2), Fixed(1)}


def test_frozen_of_two_classes_differ():
    """Frozen values of two classes are two members of a set, whatever they hold."""
    assert len({Fixed(1), OtherFixed(1)}) == 2


def test_frozen_refuses_assignment():
    """Setting a field of a frozen value names the class and the field."""
    with pytest.raises(AttributeError, match="Fixed is immutable: x cannot be set"):
        Fixed(1).x = 2


def test_frozen_refuses_deletion():
    """Deleting a field of a frozen value names the class and the field."""
    with pytest.raises(AttributeError, match="Fixed is immutable: x cannot be deleted"):
        del Fixed(1).x


@pytest.mark.parametrize("value", [Point(1, [2]), Secret(1, 2, "w"), Fixed((1,))], ids=["value", "subclass", "frozen"])
@pytest.mark.parametrize(
    "again",
    [lambda value: pickle.loads(pickle.dumps(value)), copy.copy, copy.deepcopy],  # noqa: S301 - our own bytes
    ids=["pickle", "copy", "deepcopy"],
)
def test_copies_are_equal(again, value):
    """A value comes back equal from a pickle, a copy and a deep copy."""
    assert again(value) == value


def test_deep_copy_shares_nothing():
    """What a deep copy holds is its own."""
    value = Point(1, [2])

    copied = copy.deepcopy(value)

    copied.y.append(3)
    assert value.y == [2]
