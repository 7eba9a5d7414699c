"""The keys of a configuration: what may be written, and what each key accepts. Defaults stand in the rules."""

from __future__ import annotations

from collections.abc import Mapping

from toolbrake.config._brake import BRAKE_KEYS
from toolbrake.config._checks import (
    Keys,
    boolean,
    elements,
    integer,
    integer_or_null,
    names,
    one_of,
    regular_expressions,
    run_lengths,
    seconds,
    section,
    seed_keys,
    string,
    text,
    whole,
)
from toolbrake.config._ladders import ladder, ladders_by_tool, reminders
from toolbrake.config._later import instead
from toolbrake.core.profile import DOES, ToolProfile
from toolbrake.core.value import Frozen
from toolbrake.rules.brake import Brake
from toolbrake.rules.breaker import Breaker
from toolbrake.rules.budget import Budget
from toolbrake.rules.cycle import Cycle
from toolbrake.rules.denials import Denials
from toolbrake.rules.failures import Failures
from toolbrake.rules.reminder import Reminder
from toolbrake.rules.stagnation import Stagnation
from toolbrake.rules.stall import Stall
from toolbrake.rules.target import Target
from toolbrake.rules.waiting import Waiting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from toolbrake.config._problems import Problems
    from toolbrake.core.policy import Rule

VERSION = 1
"""Number of the layout that ``TOP`` describes."""


class RuleSchema(Frozen):
    """``make`` builds the rule from the values that ``keys`` let pass.

    ``later``: keys that a newer version of the seed has and the rule does not express. ``earlier``: keys that this
    newer version no longer has, so that a mapping with both is written for neither.
    """

    __slots__ = ("earlier", "keys", "later", "make")
    make: Callable[..., Rule]
    keys: Keys
    later: frozenset[str]
    earlier: frozenset[str]

    def __init__(
        self,
        make: Callable[..., Rule],
        keys: Keys,
        *,
        later: frozenset[str] = frozenset(),
        earlier: frozenset[str] = frozenset(),
    ) -> None:
        self._set(make=make, keys=keys, later=later, earlier=earlier)


RULES: dict[str, RuleSchema] = {
    "reminder": RuleSchema(
        Reminder,
        seed_keys(
            {
                "thresholds": run_lengths,
                "include": names,
                "exclude": names,
                "arguments_preview_chars": integer(1),
            }
        ),
    ),
    "breaker": RuleSchema(
        Breaker,
        seed_keys(
            {
                "deny_after": integer(2),
                "warn_after": integer_or_null(1),
                "register_advisory": boolean,
                "include": names,
                "exclude": names,
                "read_tools": names,
                "match_read_by_substring": boolean,
                "path_aliases": names,
                "max_same_path": integer_or_null(1),
                "preview_chars": integer(1),
                "result_preview_chars": integer(1),
            }
        ),
        later=frozenset(
            {
                *("window", "limits", "fail_limit", "failLimit", "on_limit", "onLimit"),
                *("warn_at", "warnAt", "summarize_at", "summarizeAt", "fail_warn_at", "failWarnAt"),
                *("local_hosts", "localHosts", "include_local", "includeLocal"),
                *("ignore_args", "ignoreArgs", "host_aliases", "hostAliases"),
            }
        ),
        earlier=frozenset(
            {
                *("deny_after", "denyAfter", "warn_after", "warnAfter", "register_advisory", "registerAdvisory"),
                *("read_tools", "readTools", "match_read_by_substring", "matchReadBySubstring"),
                *("max_same_path", "maxSamePath"),
            }
        ),
    ),
    "brake": RuleSchema(Brake, BRAKE_KEYS),
    "stall": RuleSchema(Stall, Keys({"window": integer(2), "ladder": ladder})),
    "cycle": RuleSchema(Cycle, Keys({"longest": integer(2), "ladder": ladder})),
    "failures": RuleSchema(Failures, Keys({"window": integer(1), "ladder": ladder})),
    "stagnation": RuleSchema(Stagnation, Keys({"ladder": ladder, "noops": ladder, "window": integer(2)})),
    "target": RuleSchema(Target, Keys({"ladder": reminders, "changing": reminders})),
    "waiting": RuleSchema(Waiting, Keys({"after": seconds, "ladder": ladder})),
    "denials": RuleSchema(Denials, Keys({"ladder": ladder})),
    "budget": RuleSchema(Budget, Keys({"ladder": reminders, "tools": ladders_by_tool})),
}
"""Every rule by name."""

EARLIER = "dsh-repeat-tool-breaker before 0.4"
LATER = "dsh-repeat-tool-breaker 0.4 and later"


def read_rule(name: str, settings: Mapping[Any, object], prefix: str, problems: Problems) -> dict[str, Any]:
    """The accepted settings of the rule of that name."""
    schema = RULES[name]
    later = [key for key in settings if key in schema.later]
    for key in later:
        what = f"{prefix}{key} belongs to {LATER}, which the `{name}` rule does not express"
        problems.add(f"{what}: {instead(key, settings[key])}")
    earlier = next((key for key in settings if key in schema.earlier), None)
    if later and earlier is not None:
        problems.add(f"{prefix}{earlier} belongs to {EARLIER} and {later[0]} to {LATER}; keep the keys of one version")
    return schema.keys.read({key: settings[key] for key in settings if key not in later}, prefix, problems)


def _rules(place: str, value: object, problems: Problems) -> dict[str, dict[str, Any] | None]:
    """The settings of each rule by name, None for a rule that is off."""
    if not isinstance(value, Mapping):
        problems.refuse(place, value, "a mapping of rule names")
        return {}
    rules: dict[str, dict[str, Any] | None] = {}
    for name, setting in value.items():
        if name in RULES:
            rules[name] = _rule(name, setting, f"{place}.{name}", problems)
        else:
            problems.unknown(f"{place}.{name}", "rule", name, RULES)
    return rules


def _rule(name: str, setting: object, place: str, problems: Problems) -> dict[str, Any] | None:
    if setting is False or setting == "off":
        return None
    if setting is None or setting is True or setting == "on":
        return {}
    if isinstance(setting, Mapping):
        return read_rule(name, setting, f"{place}.", problems)
    problems.refuse(place, setting, "a mapping of settings, on or off")
    return {}


def _version(place: str, value: object, problems: Problems) -> object:
    if whole(value) != VERSION:
        problems.refuse(place, value, f"{VERSION}")
    return value


def _extends(place: str, value: object, problems: Problems) -> str | None:
    if isinstance(value, str) and value:
        return value
    if value is not None:
        problems.refuse(place, value, "the name of a ready policy, the path of a file, or null for neither")
    return None


TOOL = Keys(
    {
        "match": text,
        "identity": names,
        "decoration": names,
        "does": one_of(*DOES),
        "paths": names,
        "position": names,
        "command": string,
        "level": boolean,
    }
)
"""What an entry of ``tools`` may hold."""


def _tools(place: str, value: object, problems: Problems) -> tuple[ToolProfile, ...]:
    entry = section(TOOL)
    profiles = []
    for at, element in elements(place, value, problems, "mappings, each with a match"):
        given = entry(at, element, problems)
        if isinstance(element, Mapping) and "match" not in given:
            problems.add(f"{at}.match is missing; it must be a pattern of tool names")
        for name in given.get("identity", ()):
            if name in given.get("decoration", ()):
                problems.add(f"{at} names {name!r} in identity and in decoration; an argument is one of them")
        profiles.append(ToolProfile(**{"match": "", **given}))
    return tuple(profiles)


TOP = Keys(
    {
        "version": _version,
        "extends": _extends,
        "on_error": one_of("allow", "deny"),
        "observes": boolean,
        "quote": section(Keys({"arguments": integer(0), "results": integer(0)})),
        "quote_in_store": boolean,
        "scope": section(Keys({"idle": seconds, "limit": integer(1)})),
        "rules": _rules,
        "tools": _tools,
        "redact": regular_expressions,
    }
)
"""What a configuration may hold."""
