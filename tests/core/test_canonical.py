"""Canonical bytes of what JSON carries, arguments that are texts, and fingerprints."""

from __future__ import annotations

import json
import math
import struct
from collections import OrderedDict, defaultdict, namedtuple

import pytest
import rfc8785
from engines import PROPERTY, by_exact, by_orjson, by_stdlib, keep, run
from hypothesis import given
from hypothesis import strategies as st

from toolbrake.core import canonical as module
from toolbrake.core.canonical import arguments, canonical, fingerprint, fingerprint_cut
from toolbrake.core.exact import exact

Point = namedtuple("Point", "x y")  # noqa: PYI024 - the class under test is the plain one

EXACT_INTEGERS = st.integers(-(2**53) + 1, 2**53 - 1)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
ANY_TEXTS = st.text(st.characters())


def documents(numbers, texts):
    """JSON values of these numbers and texts, nested in lists and objects."""
    leaves = st.none() | st.booleans() | numbers | texts
    return st.recursive(leaves, lambda inner: st.lists(inner) | st.dictionaries(texts, inner), max_leaves=30)


RFC_DOCUMENTS = documents(EXACT_INTEGERS | st.floats(allow_nan=False, allow_infinity=False), TEXTS)
ANY_DOCUMENTS = documents(st.integers() | st.floats(), ANY_TEXTS)


@pytest.fixture(autouse=True)
def _engine(monkeypatch):
    keep(monkeypatch)


ENGINES = pytest.mark.parametrize("engine", [by_orjson, by_stdlib])
PATHS = pytest.mark.parametrize("path", [by_orjson, by_stdlib, by_exact])


# RFC 8785, appendix B, and the halves of it that are refused there.
NUMBERS = [
    ("0000000000000000", "0"),
    ("8000000000000000", "0"),
    ("0000000000000001", "5e-324"),
    ("8000000000000001", "-5e-324"),
    ("7fefffffffffffff", "1.7976931348623157e+308"),
    ("ffefffffffffffff", "-1.7976931348623157e+308"),
    ("4340000000000000", "9007199254740992"),
    ("c340000000000000", "-9007199254740992"),
    ("4430000000000000", "295147905179352830000"),
    ("44b52d02c7e14af5", "9.999999999999997e+22"),
    ("44b52d02c7e14af6", "1e+23"),
    ("44b52d02c7e14af7", "1.0000000000000001e+23"),
    ("444b1ae4d6e2ef4e", "999999999999999700000"),
    ("444b1ae4d6e2ef4f", "999999999999999900000"),
    ("444b1ae4d6e2ef50", "1e+21"),
    ("3eb0c6f7a0b5ed8c", "9.999999999999997e-7"),
    ("3eb0c6f7a0b5ed8d", "0.000001"),
    ("41b3de4355555553", "333333333.3333332"),
    ("41b3de4355555554", "333333333.33333325"),
    ("41b3de4355555555", "333333333.3333333"),
    ("41b3de4355555556", "333333333.3333334"),
    ("41b3de4355555557", "333333333.33333343"),
    ("becbf647612f3696", "-0.0000033333333333333333"),
    ("43143ff3c1cb0959", "1424953923781206.2"),
    ("7fffffffffffffff", '!float("nan")'),
    ("7ff0000000000000", '!float("inf")'),
    ("fff0000000000000", '!float("-inf")'),
]


@PATHS
@pytest.mark.parametrize(("bits", "text"), NUMBERS)
def test_number_vectors(path, bits, text):
    """Floats are printed as RFC 8785's appendix B lists them; what it refuses has a tagged form."""
    (number,) = struct.unpack(">d", bytes.fromhex(bits))

    assert path(canonical, number) == text.encode()


@PATHS
@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.0, "1"),
        (-0.0, "0"),
        (0.1, "0.1"),
        (1e16, "10000000000000000"),
        (1e-4, "0.0001"),
        (1e-5, "0.00001"),
        (1e-6, "0.000001"),
        (1e-7, "1e-7"),
        (1.5e-7, "1.5e-7"),
        (123456789012345.6, "123456789012345.6"),
        (2**53 + 1, "9007199254740993"),
        (2**64, "18446744073709551616"),
        (-(2**70), "-1180591620717411303424"),
        (True, "true"),
        (False, "false"),
        (None, "null"),
    ],
)
def test_scalars(path, value, text):
    """Numbers print as ECMAScript prints them, but integers keep every digit."""
    assert path(canonical, value) == text.encode()


@PATHS
def test_key_order_of_the_rfc(path):
    """Keys are sorted by UTF-16 code units (section 3.2.3), where code points would put the emoji last."""
    keys = ["\u20ac", "\r", "\ufb33", "1", "\U0001f600", "\x80", "\u00f6"]
    sorted_keys = ["\r", "1", "\x80", "\u00f6", "\u20ac", "\U0001f600", "\ufb33"]

    found = json.loads(path(canonical, dict.fromkeys(keys)))

    assert list(found) == sorted_keys


@PATHS
def test_sample_of_the_rfc(path):
    """Section 3.2.4's sample input gives its output, escapes included."""
    text = r"""{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }"""

    written = path(canonical, arguments(text))

    assert written.decode() == (
        '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],'
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'
    )


@PATHS
def test_escapes(path):
    """Control characters take the short escape if there is one, else four lower-case digits; nothing else does."""
    text = "".join(map(chr, range(0x20))) + '"\\/\x7f\u2028é\U0001f600'

    written = path(canonical, text)

    assert written.decode() == (
        '"'
        "\\u0000\\u0001\\u0002\\u0003\\u0004\\u0005\\u0006\\u0007\\b\\t\\n\\u000b\\f\\r\\u000e\\u000f"
        "\\u0010\\u0011\\u0012\\u0013\\u0014\\u0015\\u0016\\u0017\\u0018\\u0019\\u001a\\u001b\\u001c\\u001d\\u001e\\u001f"
        '\\"\\\\/\x7f\u2028é\U0001f600"'
    )


@PATHS
def test_strings_are_not_normalised(path):
    """A composed and a decomposed letter are two strings."""
    assert path(canonical, "\u00e9") != path(canonical, "e\u0301")


@PROPERTY
@given(RFC_DOCUMENTS)
def test_agrees_with_the_oracle(document):
    """On all that RFC 8785 accepts, the bytes are those of the rfc8785 package."""
    assert canonical(document) == rfc8785.dumps(document)


@PROPERTY
@given(ANY_DOCUMENTS)
def test_every_path_gives_the_same_bytes(document):
    """orjson, the C encoder of the stdlib and the exact path agree, also on surrogates, NaN and large integers."""
    written = {path(canonical, document) for path in (by_orjson, by_stdlib, by_exact)}

    assert len(written) == 1


@PROPERTY
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_path_prints_the_same_float(number):
    """A float that takes the fast path is printed there as on the exact path."""
    assert by_orjson(canonical, [number]) == by_stdlib(canonical, [number]) == by_exact(canonical, [number])


@PROPERTY
@given(st.dictionaries(ANY_TEXTS, st.integers()), st.randoms(use_true_random=False))
def test_key_order_changes_nothing(document, chance):
    """An object's bytes do not depend on the order of its keys."""
    keys = list(document)
    chance.shuffle(keys)

    assert canonical({key: document[key] for key in keys}) == canonical(document)


class Text(str):
    __slots__ = ()


class Whole(int):
    pass


class Real(float):
    pass


class Keyed(dict):
    def __iter__(self):
        raise RuntimeError("a subclass is read as the dict it is")


class Listed(list):
    def __iter__(self):
        raise RuntimeError("a subclass is read as the list it is")


@ENGINES
@pytest.mark.parametrize(
    ("value", "plain"),
    [
        ((1, (2,)), [1, [2]]),
        (OrderedDict(b=1, a=2), {"a": 2, "b": 1}),
        (defaultdict(int, a=1), {"a": 1}),
        (Keyed(a=1), {"a": 1}),
        (Listed([1]), [1]),
        (Text("a"), "a"),
        (Whole(7), 7),
        (Real(0.5), 0.5),
        (Real("nan"), math.nan),
        (Point(1, 2), [1, 2]),
        ({Text("a!"): 1, "a": 2}, {"a": 2, "a!": 1}),
    ],
)
def test_subclasses_are_their_base(engine, value, plain):
    """A subclass of a JSON type, named tuples included, is the plain value it stands for."""
    assert engine(canonical, value) == engine(canonical, plain)


@ENGINES
@pytest.mark.parametrize("count", [1, 200, 5_000])
def test_large_documents(engine, count):
    """Values on both sides of the size from which they are measured are written as the exact path writes them."""
    document = [{"id": number, "name": "n" * 20, "part": (0.5, None, [True])} for number in range(count)]

    assert engine(canonical, document) == exact(document)[0]


@ENGINES
@pytest.mark.parametrize("odd", [1.0, {1: 1}, {"\U0001f600": 1, "\ufb33": 2}, "\ud800", {1}, 2**64], ids=ascii)
def test_large_documents_with_one_odd_part(engine, odd):
    """One value that the C encoders would write otherwise is seen at the end of a large document too."""
    document = [*({"id": number} for number in range(2_000)), odd]

    assert engine(canonical, document) == exact(document)[0]


# Arguments.


@ENGINES
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": [1, "x", null, true]}', {"a": [1, "x", None, True]}),
        (' {"a":1}\r\n', {"a": 1}),
        ("", {}),
        (" \n\t", {}),
        ("null", None),
        ("1", 1),
        ('"text"', "text"),
        ('{"a":1,"a":2}', {"a": 2}),
        ("18446744073709551616", 2**64),
        ("-9223372036854775809", -(2**63) - 1),
        ("[1180591620717411303424]", [2**70]),
        ("1e400", math.inf),
        ("[Infinity,-Infinity]", [math.inf, -math.inf]),
        (r'"\ud83d\ude00"', "\U0001f600"),
        (r'"\ud800"', "\ud800"),
        ('"\ud800"', "\ud800"),
        (Text('{"a":1}'), {"a": 1}),
        ("ls -la", "ls -la"),
        ("{", "{"),
        ("{} {}", "{} {}"),
        ("{'a': 1}", "{'a': 1}"),
        ("\ufeff{}", "\ufeff{}"),
        ("\xa0{}", "\xa0{}"),
        ('"a\tb"', '"a\tb"'),
        ("[" * 100_000, "[" * 100_000),
        ("[" * 100_000 + "]" * 100_000, "[" * 100_000 + "]" * 100_000),
        ("1" * 5_000, "1" * 5_000),
    ],
    ids=lambda value: ascii(value)[:20],
)
def test_texts(engine, text, value):
    """A JSON text is its value, a blank one the empty object, and any other text itself."""
    assert engine(arguments, text) == value


@ENGINES
def test_nan_in_a_text(engine):
    """NaN is read as the stdlib reads it."""
    assert math.isnan(engine(arguments, "NaN"))


@pytest.mark.parametrize("value", [b'{"a":1}', bytearray(b"{}"), {"a": "1"}, ["{}"], None])
def test_only_strings_are_parsed(value):
    """Arguments that are no string are the value that came."""
    assert arguments(value) is value


@ENGINES
@pytest.mark.parametrize("document", [{"a": 1.0}, {"a": 2**70}, {"a": [0.5, "\U0001f600"]}, {"a": "\ud800"}, {}])
def test_a_text_and_its_value_are_one(engine, document):
    """A call has one fingerprint, whether its arguments come parsed or as text."""
    text = json.dumps(document, indent=2)

    assert engine(fingerprint, "tool", text) == engine(fingerprint, "tool", document)


@PROPERTY
@given(ANY_DOCUMENTS)
def test_a_text_is_read_alike_by_both_engines(document):
    """The bytes of a JSON text do not depend on the parser."""
    text = json.dumps(document)

    assert by_orjson(fingerprint, "tool", text) == by_stdlib(fingerprint, "tool", text)


@ENGINES
@pytest.mark.parametrize("levels", [200, 300, 800])
def test_a_deep_text_is_read_alike_by_both_engines(engine, levels):
    """Past the depth that orjson writes, the stdlib parser decides with orjson too."""
    text = "[" * levels + "]" * levels

    assert engine(canonical, engine(arguments, text)) == text.encode()


# Fingerprints.


@ENGINES
def test_fingerprint_is_sha256_of_name_and_arguments(engine):
    """The digest is that of ``search``, a newline and ``{"a":1,"b":[true]}``, as sha256sum gives it."""
    digest = "2a44c4326c5c9f1deefa3c5332780d90be09440fb2e01fcf341a85ea5f5c110c"

    assert engine(fingerprint, "search", {"b": [True], "a": 1.0}).hex() == digest


@pytest.mark.parametrize("args", [{"a": 1}, {"a": 1.0}, '{"a":1}', "no JSON", object(), {1: 2}])
def test_the_two_fingerprints_agree(args):
    """``fingerprint_cut`` gives the same digest, and False for arguments within the budgets."""
    assert fingerprint_cut("tool", args) == (fingerprint("tool", args), False)


def test_tools_differ():
    """The same arguments of two tools are two calls."""
    assert fingerprint("read", {}) != fingerprint("write", {})


def test_tool_with_a_lone_surrogate():
    """Names that UTF-8 cannot hold are told apart like any others."""
    assert len({fingerprint(tool, {}) for tool in ("\ud800", "\ud801", "?", "")}) == 4


def test_name_and_arguments_do_not_run_together():
    """A newline in a tool's name cannot stand for the one between name and arguments."""
    assert fingerprint("a\n1", 2) != fingerprint("a", "1\n2")


def test_made_up_names_do_not_pile_up():
    """However many tool names come, few are kept, and a name met again has its fingerprint of before."""
    first = fingerprint("tool 0", {})
    for number in range(2_000):
        fingerprint(f"tool {number}", {})

    assert (len(module._heads) <= 256, fingerprint("tool 0", {})) == (True, first)


# Processes.


SAMPLES = '[{"b": [1, "é\\n", None], "a": 0.5}, {1: 1.0}, "\\ud800", {1, "a"}, 2**70, float("nan")]'
SHOW = f"""
from toolbrake.core.canonical import arguments, canonical
print(ascii([canonical(value) for value in {SAMPLES}]))
print(arguments('{{"a": [1e3, NaN, "x"]}}'), arguments("no JSON"), arguments("[1] 2"))
"""


def test_a_hook_process_imports_nothing_dear():
    """Without ``accelerate`` nothing is imported that costs a short-lived process milliseconds."""
    dear = "re json enum typing dataclasses inspect decimal datetime orjson"

    loaded = run(
        "from toolbrake.core.canonical import arguments, canonical, fingerprint\n"
        'fingerprint("tool", {"a": {"b": [1.5, "x"]}}); canonical({1: 2.0, "s": {1}}); arguments(\'{"a": 1e3}\')\n'
        f'print([name for name in "{dear}".split() if name in sys.modules])',
        "-I",
        "-S",
    )

    assert loaded == "[]"


@pytest.mark.parametrize("missing", ["orjson", "_json"])
def test_with_a_part_missing(missing):
    """Without orjson, or without the C parts of ``json``, the bytes and values are the same."""
    without = run(
        f"sys.modules[{missing!r}] = None\nfrom toolbrake.core.canonical import accelerate\naccelerate()" + SHOW
    )

    assert without == run(SHOW)


def test_accelerate_says_whether_orjson_is_used():
    """Without orjson ``accelerate`` is False and harmless."""
    code = "from toolbrake.core.canonical import accelerate; print(accelerate())"

    assert (run(code), run("sys.modules['orjson'] = None\n" + code)) == ("True", "False")
