"""What each key accepts, and what is said where it does not."""

import re

import pytest

from toolbrake.config import compose, load, load_policy
from toolbrake.errors import ConfigError, InvalidMaxRepeatsError


def problems(source, environ=()):
    """What is wrong with a configuration, in the order it is told."""
    with pytest.raises(ConfigError) as caught:
        load_policy(source, environ=dict(environ))
    return caught.value.problems


def settings(rule, written):
    """A rule's settings once ``written`` was read."""
    return compose({"rules": {rule: written}}, environ={})["rules"][rule]


REFUSED = [
    # Seed scenario 24.
    ("reminder", {"thresholds": []}, "thresholds must be a list of at least one integer (got [])"),
    ("reminder", {"thresholds": [1, 3]}, "thresholds[0] must be an integer of at least 2 (got 1)"),
    ("reminder", {"thresholds": [3, 2.5]}, "thresholds[1] must be an integer of at least 2 (got 2.5)"),
    (
        "reminder",
        {"thresholds": [3, 5, 3]},
        "thresholds[2] must be a run length that is not in the list yet (got 3)",
    ),
    (
        "reminder",
        {"thresholds": [2, 2.0]},
        "thresholds[1] must be a run length that is not in the list yet (got 2.0)",
    ),
    ("reminder", {"thresholds": "3"}, "thresholds must be a list of integers of at least 2 (got '3')"),
    ("reminder", {"thresholds": ["3"]}, "thresholds[0] must be an integer of at least 2 (got '3')"),
    ("reminder", {"thresholds": 3}, "thresholds must be a list of integers of at least 2 (got 3)"),
    ("reminder", {"thresholds": [3, None]}, "thresholds[1] must be an integer of at least 2 (got None)"),
    ("reminder", {"thresholds": [True]}, "thresholds[0] must be an integer of at least 2 (got True)"),
    ("reminder", {"thresholds": [float("inf")]}, "thresholds[0] must be an integer of at least 2 (got inf)"),
    # 26.
    ("reminder", {"arguments_preview_chars": 0}, "arguments_preview_chars must be an integer of at least 1 (got 0)"),
    (
        "reminder",
        {"arguments_preview_chars": 12.5},
        "arguments_preview_chars must be an integer of at least 1 (got 12.5)",
    ),
    (
        "reminder",
        {"argumentsPreviewChars": "500"},
        "argumentsPreviewChars must be an integer of at least 1 (got '500')",
    ),
    # 27. The seed ignores a key it does not know; here it is an error.
    ("reminder", {"exclude": "bash"}, "exclude must be a list of non-empty strings (got 'bash')"),
    ("reminder", {"include": [""]}, "include[0] must be a non-empty string (got '')"),
    ("reminder", {"include": None}, "include must be a list of non-empty strings (got None)"),
    ("reminder", {"treshold": [3]}, "treshold is not a known key; did you mean thresholds?"),
    (
        "reminder",
        {"colour": 1},
        "colour is not a known key; accepted: thresholds, include, exclude, arguments_preview_chars",
    ),
    (
        "reminder",
        {"argumentsPreviewChars": 9, "arguments_preview_chars": 9},
        "argumentsPreviewChars and arguments_preview_chars are the same key; write one of them",
    ),
    # 58.
    ("breaker", {"deny_after": 1}, "deny_after must be an integer of at least 2 (got 1)"),
    ("breaker", {"denyAfter": 2.5}, "denyAfter must be an integer of at least 2 (got 2.5)"),
    ("breaker", {"deny_after": None}, "deny_after must be an integer of at least 2 (got None)"),
    ("breaker", {"warnAfter": 0}, "warnAfter must be null (off) or an integer of at least 1 (got 0)"),
    ("breaker", {"maxSamePath": 0}, "maxSamePath must be null (off) or an integer of at least 1 (got 0)"),
    ("breaker", {"exclude": ["a", 5]}, "exclude[1] must be a non-empty string (got 5)"),
    ("breaker", {"readTools": "read"}, "readTools must be a list of non-empty strings (got 'read')"),
    ("breaker", {"pathAliases": [""]}, "pathAliases[0] must be a non-empty string (got '')"),
    ("breaker", {"previewChars": 0}, "previewChars must be an integer of at least 1 (got 0)"),
    ("breaker", {"resultPreviewChars": True}, "resultPreviewChars must be an integer of at least 1 (got True)"),
    ("breaker", {"registerAdvisory": "yes"}, "registerAdvisory must be true or false (got 'yes')"),
    ("breaker", {"matchReadBySubstring": 1}, "matchReadBySubstring must be true or false (got 1)"),
    ("breaker", {"denyafter": 3}, "denyafter is not a known key; did you mean deny_after?"),
    # 97.
    ("brake", {"maxRepeats": 0}, "maxRepeats must be an integer of at least 1 (got 0)"),
    ("brake", {"max_repeats": 1.5}, "max_repeats must be an integer of at least 1 (got 1.5)"),
    ("brake", {"max_repeats": "3"}, "max_repeats must be an integer of at least 1 (got '3')"),
    ("brake", {"max_repeats": -1}, "max_repeats must be an integer of at least 1 (got -1)"),
    ("brake", {"max_repeats": True}, "max_repeats must be an integer of at least 1 (got True)"),
    ("brake", {"max_repeats": None}, "max_repeats must be an integer of at least 1 (got None)"),
    ("brake", {"max_repeat": 3}, "max_repeat is not a known key; did you mean max_repeats?"),
]


@pytest.mark.parametrize(("rule", "written", "problem"), REFUSED)
def test_a_rules_key_refuses(rule, written, problem):
    """A value that a rule's key does not accept is the one problem, by the key's full name."""
    found = problems({"rules": {rule: written}})

    assert found == (f"rules.{rule}.{problem}",)


READ = [
    # Seed scenarios 3, 25, 30, 37: any order, null and whole floats, patterns of no tool, no upper bound.
    ("reminder", {"thresholds": [4, 2]}, "thresholds", [2, 4]),
    ("reminder", {"thresholds": [2.0]}, "thresholds", [2]),
    ("reminder", {"thresholds": (7, 9)}, "thresholds", [7, 9]),
    ("reminder", {"thresholds": [1_000_000]}, "thresholds", [1_000_000]),
    ("reminder", {"exclude": ["no_such_tool*"]}, "exclude", ["no_such_tool*"]),
    ("reminder", {"exclude": []}, "exclude", []),
    ("reminder", {"argumentsPreviewChars": 24}, "arguments_preview_chars", 24),
    ("breaker", {"denyAfter": 3}, "deny_after", 3),
    ("breaker", {"warnAfter": None}, "warn_after", None),
    ("breaker", {"warnAfter": 1}, "warn_after", 1),
    ("breaker", {"registerAdvisory": False}, "register_advisory", False),
    ("breaker", {"readTools": ["cat"]}, "read_tools", ["cat"]),
    ("breaker", {"matchReadBySubstring": False}, "match_read_by_substring", False),
    ("breaker", {"pathAliases": ["file_path"]}, "path_aliases", ["file_path"]),
    ("breaker", {"maxSamePath": None}, "max_same_path", None),
    ("breaker", {"previewChars": 1}, "preview_chars", 1),
    ("breaker", {"resultPreviewChars": 1}, "result_preview_chars", 1),
    ("brake", {"maxRepeats": 1}, "max_repeats", 1),
    ("brake", {"max_repeats": 5.0}, "max_repeats", 5),
]


@pytest.mark.parametrize(("rule", "written", "key", "value"), READ)
def test_a_rules_key_reads(rule, written, key, value):
    """A value that a rule's key accepts is what the rule is built with."""
    assert settings(rule, written)[key] == value


def test_thresholds_null_is_the_default():
    """Null for all thresholds asks for the default ones."""
    written = settings("reminder", {"thresholds": None})

    assert written == settings("reminder", {})


@pytest.mark.parametrize("key", ["window", "limits", "failLimit", "fail_limit", "onLimit", "on_limit", "warnAt"])
def test_keys_of_the_later_breaker(key):
    """A key of the breaker's later version is refused with the reason, not as an unknown one."""
    found = problems({"rules": {"breaker": {key: 5}}})

    (sentence,) = found
    assert sentence.startswith(
        f"rules.breaker.{key} belongs to dsh-repeat-tool-breaker 0.4 and later, "
        "which the `breaker` rule does not express: "
    )


def test_keys_of_both_breakers():
    """Keys of both versions in one mapping are a problem of their own."""
    found = problems({"rules": {"breaker": {"denyAfter": 3, "exclude": [], "onLimit": "ask"}}})

    assert found[1] == (
        "rules.breaker.denyAfter belongs to dsh-repeat-tool-breaker before 0.4 and onLimit to "
        "dsh-repeat-tool-breaker 0.4 and later; keep the keys of one version"
    )


def test_a_bad_row_of_the_later_breaker():
    """Every key of scenario 89 is named."""
    later = {"window": 3, "limits": {"x": 1}, "failLimit": 1, "onLimit": "block", "includeLocal": 1}

    found = problems({"rules": {"breaker": later}})

    assert [re.match(r"rules\.breaker\.(\w+) belongs", problem)[1] for problem in found] == list(later)


TOP = [
    ({"version": 2}, "version must be 1 (got 2)"),
    ({"version": "1"}, "version must be 1 (got '1')"),
    ({"version": True}, "version must be 1 (got True)"),
    ({"on_error": "raise"}, "on_error must be allow or deny (got 'raise')"),
    ({"observes": "yes"}, "observes must be true or false (got 'yes')"),
    ({"quote": 3}, "quote must be a mapping of arguments, results (got 3)"),
    ({"quote": {"arguments": -1}}, "quote.arguments must be an integer of at least 0 (got -1)"),
    ({"quote": {"result": 1}}, "quote.result is not a known key; did you mean results?"),
    ({"quote_in_store": 0}, "quote_in_store must be true or false (got 0)"),
    ({"scope": {"idle": 0}}, "scope.idle must be a positive number of seconds (got 0)"),
    ({"scope": {"idle": True}}, "scope.idle must be a positive number of seconds (got True)"),
    ({"scope": {"idle": float("nan")}}, "scope.idle must be a positive number of seconds (got nan)"),
    ({"scope": {"idle": float("inf")}}, "scope.idle must be a positive number of seconds (got inf)"),
    ({"scope": {"limit": 0}}, "scope.limit must be an integer of at least 1 (got 0)"),
    ({"rules": ["brake"]}, "rules must be a mapping of rule names (got ['brake'])"),
    ({"rules": {"brakes": {}}}, "rules.brakes is not a known rule; did you mean brake?"),
    ({"rules": {"brake": 3}}, "rules.brake must be a mapping of settings, on or off (got 3)"),
    (
        {"tools": {"match": "a"}},
        "tools must be a list of mappings, each with a match (got {'match': 'a'})",
    ),
    (
        {"tools": ["a"]},
        "tools[0] must be a mapping of match, identity, decoration, does, paths, position, command, level (got 'a')",
    ),
    ({"tools": [{"does": "read"}]}, "tools[0].match is missing; it must be a pattern of tool names"),
    ({"tools": [{"match": ""}]}, "tools[0].match must be a non-empty string (got '')"),
    (
        {"tools": [{"match": "a", "does": "eat"}]},
        "tools[0].does must be read, write, run, wait, spawn, think or unknown (got 'eat')",
    ),
    (
        {"tools": [{"match": "a", "identity": "path"}]},
        "tools[0].identity must be a list of non-empty strings (got 'path')",
    ),
    (
        {"tools": [{"match": "a", "identity": ["x"], "decoration": ["x"]}]},
        "tools[0] names 'x' in identity and in decoration; an argument is one of them",
    ),
    (
        {"tools": [{"match": "a", "decorations": []}]},
        "tools[0].decorations is not a known key; did you mean decoration?",
    ),
    ({"tools": [{"match": "a", "command": 5}]}, "tools[0].command must be a string (got 5)"),
    ({"tools": [{"match": "a", "level": 1}]}, "tools[0].level must be true or false (got 1)"),
    ({"redact": "sk-"}, "redact must be a list of regular expressions (got 'sk-')"),
    (
        {"redact": ["a", "["]},
        "redact[1] must be a regular expression (got '['): unterminated character set at position 0",
    ),
    ({"redact": [""]}, "redact[0] must be a regular expression (got '')"),
    ({"extends": 5}, "extends must be the name of a ready policy, the path of a file, or null for neither (got 5)"),
    ({"extend": "brake"}, "extend is not a known key; did you mean extends?"),
    (
        {True: 1},
        (
            "True is not a known key; accepted: version, extends, on_error, observes, quote, quote_in_store, scope, "
            "rules, tools, redact"
        ),
    ),
]


@pytest.mark.parametrize(("written", "problem"), TOP)
def test_a_top_key_refuses(written, problem):
    """A value that a key of the whole does not accept is the one problem."""
    assert problems(written) == (problem,)


def test_version_1_may_be_left_out_or_written():
    """The version changes nothing, whether it is there or not."""
    written = compose({"version": 1.0})

    assert written == compose({})


def test_all_problems_at_once():
    """One error holds every problem, in the order in which they are written, the environment's last."""
    with pytest.raises(ConfigError) as caught:
        load_policy(
            {
                "version": 3,
                "rules": {
                    "reminder": {"thresholds": [3, 1, "x"], "exclude": "bash"},
                    "breaker": {"denyAfter": 1, "warnAfter": -1},
                    "brake": {},
                },
                "redact": ["("],
                "api_key": "sk-canary",
            },
            environ={"DSH_LOOP_BRAKE_MAX_REPEATS": "many"},
        )

    assert str(caught.value) == (
        "version must be 1 (got 3)\n"
        "rules.reminder.thresholds[1] must be an integer of at least 2 (got 1)\n"
        "rules.reminder.thresholds[2] must be an integer of at least 2 (got 'x')\n"
        "rules.reminder.exclude must be a list of non-empty strings (got 'bash')\n"
        "rules.breaker.denyAfter must be an integer of at least 2 (got 1)\n"
        "rules.breaker.warnAfter must be null (off) or an integer of at least 1 (got -1)\n"
        "redact[0] must be a regular expression (got '('): missing ), unterminated subpattern at position 0\n"
        "api_key is not a known key; accepted: version, extends, on_error, observes, quote, quote_in_store, scope, "
        "rules, tools, redact\n"
        "DSH_LOOP_BRAKE_MAX_REPEATS must be an integer of at least 1 (got 'many')"
    )


def test_the_brakes_own_error():
    """An unusable limit that is the only problem raises the error that is made for it."""
    with pytest.raises(InvalidMaxRepeatsError) as caught:
        load_policy({"rules": {"brake": {"maxRepeats": 0}}})

    assert (caught.value.value, caught.value.key) == (0, "rules.brake.maxRepeats")


def test_the_brakes_error_among_others():
    """Beside another problem the limit is one of the problems."""
    found = problems({"rules": {"brake": {"maxRepeats": 0}}, "observes": 1})

    assert found == (
        "rules.brake.maxRepeats must be an integer of at least 1 (got 0)",
        "observes must be true or false (got 1)",
    )


def test_a_long_value_is_cut():
    """A message shows the beginning and the end of a value that would fill the screen."""
    (problem,) = problems({"rules": {"reminder": {"thresholds": "3" * 10_000}}})

    assert len(problem) < 200


def test_a_callers_list_stays_the_callers():
    """A list that was configured may change afterwards, and the policy does not (scenario 59)."""
    exclude = ["a"]
    policy = load_policy({"rules": {"breaker": {"exclude": exclude}}})

    exclude.append("b")

    assert policy.rules[0].settings()["exclude"] == ["a"]


def test_a_source_of_another_kind():
    """What is no source at all is told what would be one."""
    assert problems(5) == (
        "policy must be a Policy, a ready policy's name, the path of a file, a mapping or a list of rows (got 5)",
    )


def test_on_error_observes_and_quote_in_store_reach_the_policy():
    """The settings of the policy itself are what the configuration says."""
    policy = load_policy({"on_error": "deny", "observes": True, "quote_in_store": True})

    assert (policy.on_error, policy.observes, policy.quote_in_store) == ("deny", True, True)


def test_scope_limits_are_loaded():
    """The guard's limits are what the configuration says."""
    limits = load({"scope": {"idle": 90.5, "limit": 7}}).limits

    assert (limits.idle, limits.limit) == (90.5, 7)


def test_quote_limits_are_loaded():
    """How much a model may be shown is what the configuration says."""
    quote = load({"quote": {"arguments": 10, "results": 20.0}}).quote

    assert (quote.arguments, quote.results) == (10, 20)
