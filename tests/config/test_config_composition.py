"""What a configuration comes down to: defaults, extending, rules off and on, digests."""

import json
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from toolbrake.config import ScopeLimits, compose, digest, load, load_policy
from toolbrake.core.policy import Policy
from toolbrake.errors import ConfigError
from toolbrake.policies import READY
from toolbrake.rules.brake import Brake
from toolbrake.rules.reminder import Reminder

BREAKER = {
    "deny_after": 2,
    "warn_after": 2,
    "register_advisory": True,
    "include": [],
    "exclude": ["todo_write"],
    "read_tools": ["Read", "file-read", "fs-read", "read", "read-file", "read_file"],
    "match_read_by_substring": True,
    "path_aliases": ["path", "filePath", "file", "target_file"],
    "max_same_path": 3,
    "preview_chars": 400,
    "result_preview_chars": 800,
}
REMINDER = {
    "thresholds": [3, 5, 8],
    "include": [],
    "exclude": ["todo_write"],
    "arguments_preview_chars": 500,
}
PROFILE = {
    "identity": [],
    "decoration": [],
    "does": "unknown",
    "paths": [],
    "position": [],
    "command": "",
    "level": False,
}

DEFAULTS = [
    ({}, "version", 1),
    ({}, "extends", None),
    ({}, "on_error", "allow"),
    ({}, "observes", False),
    ({}, "quote", {"arguments": 0, "results": 0}),
    ({}, "quote_in_store", False),
    ({}, "scope", {"idle": 3600, "limit": 10_000}),
    ({}, "rules", {}),
    ({}, "tools", []),
    ({}, "redact", []),
    ({"tools": [{"match": "*"}]}, "tools", [{"match": "*", **PROFILE}]),
    ({"rules": {"reminder": {}}}, "rules", {"reminder": REMINDER}),
    ({"rules": {"breaker": {}}}, "rules", {"breaker": BREAKER}),
    ({"rules": {"brake": {}}}, "rules", {"brake": {"max_repeats": 3}}),
]


@pytest.mark.parametrize(("written", "key", "value"), DEFAULTS)
def test_defaults(written, key, value):
    """Every default is the one that is documented."""
    assert compose(written)[key] == value


def test_the_order_of_the_keys():
    """The composed mapping has its keys in the order of the documentation."""
    assert list(compose({"redact": [], "rules": {}})) == [
        "version",
        "extends",
        "on_error",
        "observes",
        "quote",
        "quote_in_store",
        "scope",
        "rules",
        "tools",
        "redact",
    ]


@pytest.mark.parametrize("name", READY)
def test_a_ready_policy_by_name(name):
    """A ready policy's name, and a mapping that extends it, are the same policy."""
    assert compose(name) == compose({"extends": name})


@pytest.mark.parametrize("name", READY)
def test_a_ready_policy_lends_its_name(name):
    """A policy is named after the ready policy it is or extends."""
    assert load_policy({"extends": name}).name == name


@pytest.mark.parametrize("off", ["off", False])
def test_a_rule_is_switched_off(off):
    """``off``, and what YAML makes of it, takes a rule out."""
    assert load_policy({"extends": "brake", "rules": {"brake": off}}).rules == ()


def test_a_rule_that_is_off_is_shown():
    """The composed mapping says which of the ready policy's rules are off."""
    assert compose({"extends": "brake", "rules": {"brake": "off"}})["rules"] == {"brake": "off"}


def test_a_rule_that_nobody_switched_on_may_be_switched_off():
    """Switching off what is not there leaves no trace."""
    assert compose({"rules": {"brake": "off"}})["rules"] == {}


@pytest.mark.parametrize("on", ["on", True, None, {}])
def test_a_rule_is_switched_on(on):
    """``on``, what YAML makes of it, and nothing at all are the rule with its defaults."""
    assert compose({"rules": {"reminder": on}})["rules"] == {"reminder": REMINDER}


LAYERS = [
    # A rule replaces the one below whole: exclude is the default again.
    (
        {"rules": {"reminder": {"thresholds": [9], "exclude": ["x"]}}},
        {"rules": {"reminder": {"thresholds": [4]}}},
        "rules",
        {"reminder": {**REMINDER, "thresholds": [4]}},
    ),
    # So does every other key: limit is the default again.
    ({"scope": {"limit": 5}}, {"scope": {"idle": 60}}, "scope", {"idle": 60, "limit": 10_000}),
    ({"quote": {"arguments": 5}}, {"quote": {"results": 6}}, "quote", {"arguments": 0, "results": 6}),
    ({"on_error": "deny"}, {"on_error": "allow"}, "on_error", "allow"),
    # What the upper layer does not say shows through.
    ({"scope": {"limit": 5}}, {}, "scope", {"idle": 3600, "limit": 5}),
    ({"on_error": "deny"}, {"observes": True}, "on_error", "deny"),
    ({"rules": {"brake": {"max_repeats": 7}}}, {"rules": {}}, "rules", {"brake": {"max_repeats": 7}}),
    # A rule that was off below can be switched on, and the other way round.
    ({"rules": {"reminder": "off"}}, {"rules": {"reminder": "on"}}, "rules", {"reminder": REMINDER}),
    ({"rules": {"reminder": "on"}}, {"rules": {"reminder": "off"}}, "rules", {}),
    # Lists are put before those below, each entry once.
    ({"redact": ["a", "b"]}, {"redact": ["c", "a"]}, "redact", ["c", "a", "b"]),
    (
        {"tools": [{"match": "b*", "does": "read"}]},
        {"tools": [{"match": "bash", "does": "run"}]},
        "tools",
        [
            {"match": "bash", **PROFILE, "does": "run"},
            {"match": "b*", **PROFILE, "does": "read"},
        ],
    ),
]


@pytest.mark.parametrize(("below", "above", "key", "value"), LAYERS)
def test_a_layer_upon_another(below, above, key, value, write):
    """What a file says, and what shows through of the file that it extends."""
    write("below.json", below)
    path = write("above.json", {"extends": "below.json", **above})

    assert compose(path)[key] == value


def test_the_order_of_the_rules(write):
    """Rules keep the place they have below; new ones follow as written."""
    write("below.json", {"extends": "breaker", "rules": {"brake": {}}})
    path = write("above.json", {"extends": "below.json", "rules": {"reminder": {}, "brake": {"max_repeats": 9}}})

    assert list(compose(path)["rules"]) == ["breaker", "brake", "reminder"]


def test_paths_start_at_the_file_that_names_them(write):
    """A file extends a file beside it, wherever the process runs."""
    write("team/base/base.json", {"observes": True})
    write("team/policy.json", {"extends": "base/base.json"})

    assert compose("team/policy.json")["observes"] is True


def test_a_mapping_extends_a_file(write):
    """Paths in a mapping in code start in the current folder."""
    write("base.json", {"observes": True})

    assert compose({"extends": "base.json"})["observes"] is True


def test_sources(write):
    """A loaded policy knows every file and ready policy it came from, nearest first."""
    write("base.json", {"extends": "brake"})
    path = write("team/policy.json", {"extends": "../base.json"})

    assert load(path).sources == (str(path), str(Path("team/../base.json")), "brake")


def test_a_circle(write):
    """Files that extend each other are an error that shows the circle."""
    write("a.json", {"extends": "b.json"})
    write("b.json", {"extends": "./a.json"})

    with pytest.raises(ConfigError) as caught:
        load_policy("a.json")

    assert str(caught.value) == "b.json: extends goes in a circle: a.json -> b.json -> a.json"


def test_a_file_that_extends_itself(write):
    """The smallest circle is one, too."""
    write("a.json", {"extends": "a.json"})

    with pytest.raises(ConfigError, match=r"^a\.json: extends goes in a circle: a\.json -> a\.json$"):
        load_policy("a.json")


def test_problems_of_every_layer(write):
    """One error holds the problems of all files of a chain, each with its file."""
    write("below.json", {"observes": 1})
    write("above.json", {"extends": "below.json", "rules": {"reminder": {"thresholds": []}}})

    with pytest.raises(ConfigError) as caught:
        load_policy("above.json")

    assert caught.value.problems == (
        "above.json: rules.reminder.thresholds must be a list of at least one integer (got [])",
        "below.json: observes must be true or false (got 1)",
    )


def test_what_is_extended_is_missing(write):
    """A name that is neither a ready policy nor a file is an error beside the file's own."""
    write("a.json", {"extends": "breakr", "observes": 1})

    with pytest.raises(ConfigError) as caught:
        load_policy("a.json")

    assert caught.value.problems == (
        "a.json: observes must be true or false (got 1)",
        (
            f"a.json: extends: 'breakr' is no ready policy ({', '.join(READY)}), "
            "and there is no file of that name; did you mean breaker?"
        ),
    )


def test_a_policy_is_handed_back():
    """A policy that was built in code is used as it is."""
    policy = Policy([Brake()])

    assert load_policy(policy) is policy


def test_a_policy_built_in_code_is_described():
    """A policy that no configuration described can be printed as one."""
    policy = Policy([Brake(max_repeats=4), Reminder()], name="mine", on_error="deny", redact=str.lower)

    assert compose(policy) == {
        **compose({"on_error": "deny", "rules": {"brake": {"max_repeats": 4}, "reminder": {}}}),
        "redact": "str.lower",
    }


def test_a_policy_built_in_code_has_the_default_limits():
    """A policy says nothing about scopes; the guard's limits are the default ones."""
    assert load(Policy([])).limits == ScopeLimits()


def test_the_example_of_the_documentation(write):
    """The documented example loads and comes down to what it says."""
    path = write(
        "toolbrake.yaml",
        """\
version: 1
extends: breaker                   # a ready policy or a file; none = empty
on_error: allow                    # allow | deny
quote: {arguments: 0, results: 0}  # characters the model may be shown; classic rules have their own keys
scope: {idle: 3600, limit: 10000}  # seconds; live scopes in memory
rules:
  reminder: {thresholds: [3, 5, 8]}      # classic rules keep the seeds' keys
  brake: off
tools:
  - match: "mcp__github__*"
    identity: [owner, repo, path]
    decoration: [title]
    does: read                     # read | write | run | wait | spawn | think | unknown
redact: ["sk-[A-Za-z0-9]+"]
""",
    )

    assert compose(path) == {
        "version": 1,
        "extends": "breaker",
        "on_error": "allow",
        "observes": False,
        "quote": {"arguments": 0, "results": 0},
        "quote_in_store": False,
        "scope": {"idle": 3600, "limit": 10_000},
        "rules": {"breaker": BREAKER, "reminder": REMINDER},
        "tools": [
            {
                "match": "mcp__github__*",
                **PROFILE,
                "identity": ["owner", "repo", "path"],
                "decoration": ["title"],
                "does": "read",
            }
        ],
        "redact": ["sk-[A-Za-z0-9]+"],
    }


def test_a_digest_of_a_composed_mapping():
    """A digest is the same on every machine and in every version that composes the same."""
    assert digest({"version": 1, "rules": {}}) == "599604859c1002a8"


def test_a_digest_of_a_policy():
    """A policy and what it comes down to have one digest."""
    source = {"extends": "brake", "rules": {"reminder": {}}, "redact": ["a"]}

    assert digest(load_policy(source)) == digest(compose(source))


def test_another_setting_is_another_digest():
    """Two policies that differ in one setting differ in their digest."""
    one, other = (load_policy({"rules": {"brake": {"max_repeats": limit}}}) for limit in (3, 4))

    assert digest(one) != digest(other)


NAMES = st.lists(st.sampled_from(["bash", "read*", "mcp__*", "todo_write", "ünï"]), max_size=3, unique=True)
"""Lists of tool patterns."""

RULES = st.fixed_dictionaries(
    {},
    optional={
        "reminder": st.one_of(
            st.sampled_from(["on", "off", None, True, False]),
            st.fixed_dictionaries(
                {},
                optional={
                    "thresholds": st.none() | st.lists(st.integers(2, 99), min_size=1, max_size=4, unique=True),
                    "exclude": NAMES,
                    "argumentsPreviewChars": st.integers(1, 999),
                },
            ),
        ),
        "breaker": st.one_of(
            st.just("off"),
            st.fixed_dictionaries(
                {},
                optional={
                    "deny_after": st.integers(2, 9),
                    "warnAfter": st.none() | st.integers(1, 9),
                    "max_same_path": st.none() | st.integers(1, 9),
                    "readTools": NAMES,
                    "register_advisory": st.booleans(),
                },
            ),
        ),
        "brake": st.fixed_dictionaries({}, optional={"max_repeats": st.integers(1, 9) | st.just(4.0)}),
    },
)
"""Rules, off, on, or with settings of either spelling."""

CONFIGURATIONS = st.fixed_dictionaries(
    {},
    optional={
        "extends": st.none() | st.sampled_from(sorted(READY)),
        "on_error": st.sampled_from(["allow", "deny"]),
        "observes": st.booleans(),
        "quote_in_store": st.booleans(),
        "quote": st.fixed_dictionaries({}, optional={"arguments": st.integers(0, 99)}),
        "scope": st.fixed_dictionaries({}, optional={"idle": st.floats(0.5, 1e6), "limit": st.integers(1, 99)}),
        "rules": RULES,
        "tools": st.lists(st.fixed_dictionaries({"match": st.sampled_from(["a", "b*"])}, optional={"identity": NAMES})),
        "redact": st.lists(st.sampled_from(["sk-.*", "[0-9]+", "x"])),
    },
)
"""Every configuration that is right, with few values for each key."""


@given(CONFIGURATIONS)
def test_a_composed_mapping_composes_to_itself(source):
    """Loading what ``compose`` prints gives the same again, order included."""
    composed = compose(source, environ={})

    assert json.dumps(compose(json.loads(json.dumps(composed)), environ={})) == json.dumps(composed)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(below=CONFIGURATIONS, above=CONFIGURATIONS)
def test_a_composed_chain_composes_to_itself(below, above, write):
    """So does what a file and the file it extends come down to."""
    write("below.json", below)
    composed = compose({**above, "extends": "below.json"}, environ={})

    assert json.dumps(compose(composed, environ={})) == json.dumps(composed)


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.just("off"),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["rules", "brake", "breaker", "reminder", "tools", "redact", "scope", "id", "config", "insert"]
            )
            | st.text(max_size=5),
            inner,
            max_size=3,
        )
    ),
    max_leaves=8,
)
"""What JSON can hold, with a liking for words that a configuration knows."""


@given(ANYTHING)
def test_anything_is_loaded_or_refused(source):
    """Whatever is handed in, the answer is a policy or a ConfigError."""
    with suppress(ConfigError):
        load(source, environ={})
