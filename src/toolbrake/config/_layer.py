"""One layer of a configuration, checked, and how a layer lies upon the one that it extends."""

from __future__ import annotations

from toolbrake.config._limits import QuoteLimits, ScopeLimits
from toolbrake.config._schema import TOP
from toolbrake.core.value import Frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from toolbrake.config._problems import Problems
    from toolbrake.core.profile import ToolProfile

    Rules = Mapping[str, Mapping[str, Any] | None]

POLICY_KEYS = ("on_error", "observes", "quote_in_store")
"""The keys that are settings of the policy itself."""


class Layer(Frozen):
    """What one document says. Keys it does not hold are None or empty, so that the layer below shows through.

    ``rules`` maps names to the settings that were written, None for a rule that is off. ``ignored`` names rows of a
    DeepSeek Harness file that are other plugins' own.
    """

    __slots__ = ("extends", "ignored", "quote", "redact", "rules", "scope", "settings", "tools")
    extends: str | None
    ignored: tuple[str, ...]
    quote: QuoteLimits | None
    redact: tuple[str, ...]
    rules: Rules
    scope: ScopeLimits | None
    settings: Mapping[str, Any]
    tools: tuple[ToolProfile, ...]

    def __init__(  # noqa: PLR0913 - what a document can say, all keyword-only
        self,
        *,
        extends: str | None = None,
        settings: Mapping[str, Any] | None = None,
        quote: QuoteLimits | None = None,
        scope: ScopeLimits | None = None,
        rules: Rules | None = None,
        tools: tuple[ToolProfile, ...] = (),
        redact: tuple[str, ...] = (),
        ignored: tuple[str, ...] = (),
    ) -> None:
        self._set(
            extends=extends,
            settings=settings or {},
            quote=quote,
            scope=scope,
            rules=rules or {},
            tools=tools,
            redact=redact,
            ignored=ignored,
        )

    def upon(self, below: Layer) -> Layer:
        """Both layers as one.

        A key of this layer replaces the one below whole, a rule the rule of its name, in its place. ``tools`` and
        ``redact`` come before those below, each entry once.
        """
        return Layer(
            settings={**below.settings, **self.settings},
            quote=self.quote or below.quote,
            scope=self.scope or below.scope,
            rules={**below.rules, **self.rules},
            tools=tuple(dict.fromkeys(self.tools + below.tools)),
            redact=tuple(dict.fromkeys(self.redact + below.redact)),
            ignored=self.ignored + below.ignored,
        )


def read_layer(data: Mapping[Any, object], prefix: str, problems: Problems) -> Layer:
    """The layer that a mapping describes. ``prefix`` is what every problem begins with."""
    given = TOP.read(data, prefix, problems)
    return Layer(
        extends=given.get("extends"),
        settings={key: given[key] for key in POLICY_KEYS if key in given},
        quote=QuoteLimits(**given["quote"]) if "quote" in given else None,
        scope=ScopeLimits(**given["scope"]) if "scope" in given else None,
        rules=given.get("rules"),
        tools=given.get("tools", ()),
        redact=given.get("redact", ()),
    )
