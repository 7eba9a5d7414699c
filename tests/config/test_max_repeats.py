"""The brake's one setting, by itself."""

import pytest

from toolbrake.config import MAX_REPEATS_VARIABLE, compose, load_policy, normalize_max_repeats, resolve_max_repeats
from toolbrake.errors import ConfigError, InvalidMaxRepeatsError
from toolbrake.rules.brake import Brake


@pytest.mark.parametrize(("value", "limit"), [(1, 1), (5, 5), (4.0, 4), (10**30, 10**30)])
def test_a_limit(value, limit):
    """A whole number of at least 1 is a limit."""
    assert normalize_max_repeats(value) == limit


@pytest.mark.parametrize("value", [0, -1, 1.5, "3", "", None, True, [3], float("nan"), float("inf")])
def test_no_limit(value):
    """Anything else is refused, by the key's name."""
    with pytest.raises(InvalidMaxRepeatsError, match=r"^max_repeats must be an integer of at least 1 \(got "):
        normalize_max_repeats(value)


RESOLVED = [
    # Scenario 98.
    ({}, "5", 5),
    ({"maxRepeats": 2}, "5", 2),
    ({"max_repeats": 2}, "garbage", 2),
    (None, " 7\n", 7),
    (4, "5", 4),
]


@pytest.mark.parametrize(("config", "text", "limit"), RESOLVED)
def test_a_limit_is_resolved(config, text, limit):
    """A key that is there wins; else the environment's integer counts."""
    assert resolve_max_repeats(config, environ={MAX_REPEATS_VARIABLE: text}) == limit


def test_without_any_limit():
    """Where nothing names a limit it is the rule's default."""
    assert resolve_max_repeats(environ={}) == Brake().max_repeats


@pytest.mark.parametrize("text", ["garbage", "", "0", "-1", "1.5", "2.0", "3 4"])
def test_an_unusable_environment(text):
    """An unusable value in the environment is an error that names the variable."""
    with pytest.raises(InvalidMaxRepeatsError, match=r"^DSH_LOOP_BRAKE_MAX_REPEATS must be an integer of at least 1"):
        resolve_max_repeats({}, environ={MAX_REPEATS_VARIABLE: text})


def test_an_explicit_null_is_no_absent_key():
    """A key that is there wins even where its value is unusable."""
    with pytest.raises(InvalidMaxRepeatsError, match=r"\(got None\)$"):
        resolve_max_repeats({"maxRepeats": None}, environ={MAX_REPEATS_VARIABLE: "5"})


@pytest.mark.parametrize("config", [{"max_repeats": 2, "maxRepeats": 2}, {"limit": 3}])
def test_a_mapping_with_other_keys(config):
    """A mapping holds the one key, once."""
    with pytest.raises(ConfigError):
        resolve_max_repeats(config, environ={})


def test_the_environment_of_the_process(monkeypatch):
    """Where no environment is handed in, it is the process's own."""
    monkeypatch.setenv(MAX_REPEATS_VARIABLE, "6")

    assert resolve_max_repeats() == 6


@pytest.mark.parametrize("source", ["brake", {"rules": {"brake": {}}}, [{"id": "loop-brake"}]])
def test_the_environment_reaches_a_policy(source):
    """A brake without a limit takes the environment's, however it was configured."""
    assert compose(source, environ={MAX_REPEATS_VARIABLE: "6"})["rules"]["brake"] == {"max_repeats": 6}


@pytest.mark.parametrize(
    "source", ["reminder", {"extends": "brake", "rules": {"brake": "off"}}, {"rules": {"brake": {"max_repeats": 2}}}]
)
def test_the_environment_is_not_looked_at(source):
    """Without a brake, or with a limit, the environment may hold anything."""
    assert load_policy(source, environ={MAX_REPEATS_VARIABLE: "garbage"})


def test_an_unusable_environment_of_a_policy():
    """A policy whose brake needs the environment's limit is not built without a usable one."""
    with pytest.raises(InvalidMaxRepeatsError) as caught:
        load_policy("brake", environ={MAX_REPEATS_VARIABLE: "garbage"})

    assert (caught.value.value, caught.value.key) == ("garbage", MAX_REPEATS_VARIABLE)
