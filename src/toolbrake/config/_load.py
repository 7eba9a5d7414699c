"""From a source to a policy, and from a policy back to the mapping that would build it."""

from __future__ import annotations

from hashlib import sha256

from toolbrake.config._brake import resolve_max_repeats
from toolbrake.config._compose import compose_source
from toolbrake.config._limits import QuoteLimits, ScopeLimits
from toolbrake.config._problems import Problems
from toolbrake.config._redaction import Redaction
from toolbrake.config._schema import RULES, VERSION
from toolbrake.core.canonical import canonical
from toolbrake.core.policy import Policy
from toolbrake.core.profile import Profiles
from toolbrake.core.value import Frozen
from toolbrake.errors import InvalidMaxRepeatsError
from toolbrake.policies import READY
from toolbrake.profiles import SHIPPED

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence

    from toolbrake.config._layer import Layer
    from toolbrake.core.policy import Rule
    from toolbrake.core.profile import ToolProfile

    Source = str | os.PathLike[str] | Mapping[str, object] | Sequence[object] | Policy


class Loaded(Frozen):
    """A policy and what its configuration says beside it.

    ``composed``: the configuration as one mapping, every default filled in; loading it gives the same policy.
    ``sources``: the files and ready policies it came from, nearest first. ``ignored``: rows of a DeepSeek Harness
    file that are other plugins' own, by id or name.
    """

    __slots__ = ("composed", "ignored", "limits", "policy", "quote", "sources", "tools")
    composed: dict[str, object]
    ignored: tuple[str, ...]
    limits: ScopeLimits
    policy: Policy
    quote: QuoteLimits
    sources: tuple[str, ...]
    tools: tuple[ToolProfile, ...]

    def __init__(  # noqa: PLR0913 - made here only, all keyword-only but one
        self,
        policy: Policy,
        *,
        limits: ScopeLimits | None = None,
        quote: QuoteLimits | None = None,
        tools: tuple[ToolProfile, ...] = (),
        sources: tuple[str, ...] = (),
        ignored: tuple[str, ...] = (),
    ) -> None:
        limits = limits or ScopeLimits()
        quote = quote or QuoteLimits()
        self._set(
            policy=policy,
            limits=limits,
            quote=quote,
            tools=tools,
            sources=sources,
            ignored=ignored,
            composed=_mapping(policy, limits, quote, tools),
        )


def load(source: object, *, environ: Mapping[str, str] | None = None) -> Loaded:
    """The policy that ``source`` describes, with everything its configuration says.

    ``source``: a policy, a ready policy's name, the path of a YAML, TOML or JSON file, the same as a mapping, or
    rows of DeepSeek Harness. ``environ`` stands in for the process's environment, which only a brake without a
    limit reads.

    Raises:
        ConfigError: something is wrong; ``problems`` holds all that is. When it is the brake's limit alone, it is
            an ``InvalidMaxRepeatsError``.
        MissingExtraError: the file is YAML, and the package that reads YAML is not installed.
    """
    if isinstance(source, Policy):
        return Loaded(source)
    problems = Problems()
    composition = compose_source(source, problems)
    layer = composition.layer
    _check_environment(layer, environ, problems)
    problems.raise_any()
    quote = layer.quote or QuoteLimits()
    policy = Policy(
        _rules(layer, environ),
        name=composition.ready,
        redact=Redaction(layer.redact) if layer.redact else None,
        profiles=Profiles(layer.tools + SHIPPED),
        quote=(quote.arguments, quote.results),
        **layer.settings,
    )
    return Loaded(
        policy,
        limits=layer.scope,
        quote=quote,
        tools=layer.tools,
        sources=composition.sources,
        ignored=layer.ignored,
    )


def load_policy(source: Source, *, environ: Mapping[str, str] | None = None) -> Policy:
    """The policy that ``source`` describes; see ``load`` for the sources and the errors."""
    return load(source, environ=environ).policy


def compose(source: Source, *, environ: Mapping[str, str] | None = None) -> dict[str, object]:
    """What ``source`` describes as one mapping of JSON values, every default filled in, the keys in a fixed order.

    A rule that the ready policy has and this one has not is shown as ``off``. Raises what ``load`` raises.
    """
    return load(source, environ=environ).composed


def digest(policy: Policy | Mapping[str, object]) -> str:
    """16 hex digits for a policy or what ``compose`` made of one: equal for equal settings, on every machine.

    They are the first of sha256 of the canonical bytes of the composed mapping. A policy itself does not know its
    ``scope``, ``tools`` and ``quote``: where a configuration sets them, take the digest of ``Loaded.composed``.
    """
    composed = Loaded(policy).composed if isinstance(policy, Policy) else policy
    return sha256(canonical(composed)).hexdigest()[:16]


def _check_environment(layer: Layer, environ: Mapping[str, str] | None, problems: Problems) -> None:
    """Note what is wrong with the environment, beside what is wrong with the configuration."""
    brake = layer.rules.get("brake")
    if brake is None or "max_repeats" in brake:
        return
    try:
        resolve_max_repeats(environ=environ)
    except InvalidMaxRepeatsError as error:
        problems.take(error)


def _rules(layer: Layer, environ: Mapping[str, str] | None) -> list[Rule]:
    """The rules that are on, in the layer's order."""
    rules = []
    for name, settings in layer.rules.items():
        if settings is None:
            continue
        given = {"max_repeats": resolve_max_repeats(settings, environ=environ)} if name == "brake" else settings
        rules.append(RULES[name].make(**given))
    return rules


def _mapping(
    policy: Policy, limits: ScopeLimits, quote: QuoteLimits, tools: tuple[ToolProfile, ...]
) -> dict[str, object]:
    """The configuration of a policy, in the order of the documentation."""
    return {
        "version": VERSION,
        "extends": policy.name if policy.name in READY else None,
        "on_error": policy.on_error,
        "observes": policy.observes,
        "quote": quote.settings(),
        "quote_in_store": policy.quote_in_store,
        "scope": limits.settings(),
        "rules": _rule_settings(policy),
        "tools": [profile.settings() for profile in tools],
        "redact": _patterns(policy),
    }


def _rule_settings(policy: Policy) -> dict[str, object]:
    """The settings of every rule by name, and ``off`` for each that the ready policy has and this one has not."""
    own: dict[str, object] = {rule.name: rule.settings() for rule in policy.rules}
    if policy.name not in READY:
        return own
    ready = compose_source(policy.name, Problems()).layer.rules
    inherited = {name: own.get(name, "off") for name, settings in ready.items() if name in own or settings is not None}
    return inherited | own


def _patterns(policy: Policy) -> object:
    """What a policy redacts: the patterns, or the name of a function that somebody wrote."""
    redact = policy.redact
    if redact is None:
        return []
    if isinstance(redact, Redaction):
        return list(redact.patterns)
    return getattr(redact, "__qualname__", type(redact).__qualname__)
