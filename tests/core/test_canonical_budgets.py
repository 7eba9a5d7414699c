"""Values without end or over a budget: cut at a known place, in bounded memory, and told."""

from __future__ import annotations

import tracemalloc

import pytest
from engines import by_orjson, by_stdlib, keep

from toolbrake.core import exact, fast, foreign, output
from toolbrake.core.canonical import canonical, canonicalise, fingerprint, fingerprint_cut

HERE = __name__


@pytest.fixture(params=[by_orjson, by_stdlib], autouse=True)
def _engine(request, monkeypatch):
    """Every test here runs with orjson and without."""
    keep(monkeypatch)
    request.param(int)


class EndlessKeys:
    def keys(self):
        number = 0
        while True:
            yield number
            number += 1

    def __getitem__(self, key):
        return key


class Nested:
    """A mapping that holds another one, for ever."""

    def keys(self):
        return ["a"]

    def __getitem__(self, key):
        return Nested()


@pytest.fixture
def budgets(monkeypatch):
    """Sets budgets everywhere they are read."""

    def setting(**values):
        for name, value in values.items():
            for place in (output, exact, fast):
                if hasattr(place, name):
                    monkeypatch.setattr(place, name, value)
            if name == "NODE_BUDGET":
                monkeypatch.setattr(foreign, "ENDLESS", value + 1)

    return setting


def test_the_bound_on_keys_is_past_the_node_budget():
    """A mapping without end is taken as one that no budget lets through."""
    assert foreign.ENDLESS == output.NODE_BUDGET + 1


class EndlessFields:
    """A field that is declared for ever."""

    a = 1

    class Names:
        def __iter__(self):
            while True:
                yield "a"

    __dataclass_fields__ = Names()


def test_endless_fields(budgets):
    """Declared fields are not read for ever."""
    budgets(NODE_BUDGET=500)

    assert canonical(EndlessFields()).decode() == f'!object("{HERE}.EndlessFields",{{"a":1}})'


@pytest.mark.parametrize("kind", [EndlessKeys, Nested])
def test_endless_mappings(budgets, kind):
    """A mapping without end, in breadth or in depth, is cut."""
    budgets(NODE_BUDGET=500, DEPTH_BUDGET=50)

    assert canonicalise(kind())[1]


# Budgets.


def test_over_the_byte_budget(budgets):
    """The first bytes are kept, a marker is appended, and the cut is told."""
    budgets(BYTE_BUDGET=10)

    assert canonicalise(["abc", "defghi", "j"]) == (b'["abc","de!cut', True)


@pytest.mark.parametrize("value", [["abcde"], {"a": 12}, "a" * 7, [[]] * 2, 123456789, [0.25, 0.5][:1]])
def test_at_the_byte_budget(budgets, value):
    """As many bytes as the budget are not cut, one more is."""
    whole = canonical(value)
    budgets(BYTE_BUDGET=len(whole))
    at = canonicalise(value)
    budgets(BYTE_BUDGET=len(whole) - 1)
    over = canonicalise(value)

    assert (at, over) == ((whole, False), (whole[:-1] + b"!cut", True))


WIDE = [
    lambda count: [1] * count,
    lambda count: (1,) * count,
    lambda count: [1.0] * count,
    lambda count: {str(number): 0.5 for number in range(count)},
    lambda count: dict.fromkeys(range(count)),
    lambda count: set(range(count)),
]


@pytest.mark.parametrize("make", WIDE[:4])
def test_at_the_node_budget(budgets, make):
    """As many values as the budget are not cut, one more is, on the fast path as on the exact one."""
    budgets(NODE_BUDGET=1_000)

    assert (canonicalise(make(999))[1], canonicalise(make(1_000))[1]) == (False, True)


@pytest.mark.parametrize("make", WIDE)
def test_containers_longer_than_the_node_budget(budgets, make):
    """A container that cannot fit is cut, whatever it is."""
    budgets(NODE_BUDGET=1_000)

    assert canonicalise([make(1_500)])[1]


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        (["a", {"bcdefghijkl", "mnopqrstuvw", 1}], b'["a",!set(!cut'),
        (["a", {1: "bcdefghijkl", 2: "mnopqrstuvw"}], b'["a",{!cut'),
        (["a", [{3: {("x" * 30, 1), 2}}]], b'["a",[{!cut'),
    ],
)
def test_a_cut_in_an_unordered_container(budgets, value, kept):
    """Of a container whose order means nothing no part is kept, for which part came first means nothing either."""
    budgets(BYTE_BUDGET=20)

    assert canonicalise(value) == (kept, True)


def test_a_cut_is_told_by_the_fingerprint(budgets):
    """``fingerprint_cut`` says that only the beginning of the arguments was compared."""
    budgets(BYTE_BUDGET=10)
    one, other = fingerprint_cut("t", {"a": "x" * 20}), fingerprint_cut("t", '{"a": "xxxxxxxxxxxxx different"}')

    assert (one, other) == ((fingerprint("t", {"a": "x" * 30}), True), (one[0], True))


def test_a_member_counts_once(budgets):
    """The bytes of nested unordered containers count once, however many levels sort them."""
    value = frozenset(["a"])
    for _ in range(50):
        value = frozenset([value])
    budgets(BYTE_BUDGET=500)

    assert canonicalise(value)[1] is False


@pytest.mark.parametrize("value", [1 << 200, bytes(30), {"a": bytes(30)}, memoryview(bytes(30))])
def test_cut_scalars(budgets, value):
    """Integers and bytes over the budget are cut as well."""
    budgets(BYTE_BUDGET=20)

    assert (canonicalise(value)[1], len(canonical(value)) <= 24) == (True, True)


def test_doubling(budgets):
    """Forty levels of a list that holds the one below twice are cut at the node budget instead of written out."""
    budgets(NODE_BUDGET=50_000)
    value = []
    for _ in range(40):
        value = [value, value]
    written, cut = canonicalise(value)

    assert (cut, len(written) < output.BYTE_BUDGET) == (True, True)


@pytest.mark.parametrize(
    "wrap",
    [lambda text: text, lambda text: {"a": 1.0, "b": text}, lambda text: {text: 1.0}, lambda text: [text] * 1_000],
)
def test_memory_of_a_large_string(wrap):
    """A string far over the budget is copied about twice at most, and not once for every time it occurs."""
    size = 3 * output.BYTE_BUDGET
    value = wrap("x" * size)
    tracemalloc.start()
    _, cut = canonicalise(value)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert (cut, peak < 2.5 * size) == (True, True)
