"""What a configuration says beside the policy: how many scopes may live, and how much a model may be shown."""

from __future__ import annotations

from toolbrake.core.scopes import IDLE
from toolbrake.core.value import Frozen


class ScopeLimits(Frozen):
    """``idle``: seconds after which an unused scope is forgotten. ``limit``: scopes in memory at a time."""

    __slots__ = ("idle", "limit")
    idle: float
    limit: int

    # 10 000 scopes of at most 6 KB each are 60 MB, which a server does not notice.
    def __init__(self, *, idle: float = IDLE, limit: int = 10_000) -> None:
        self._set(idle=idle, limit=limit)

    def settings(self) -> dict[str, object]:
        """The limits by their key in a configuration."""
        return {"idle": int(self.idle) if self.idle == int(self.idle) else self.idle, "limit": self.limit}


class QuoteLimits(Frozen):
    """Characters of a call's arguments and of its result that a text for the model may hold; 0 = none.

    The classic rules have keys of their own for this.
    """

    __slots__ = ("arguments", "results")
    arguments: int
    results: int

    # 0: arguments and results are the likeliest place for a secret, and the model has both in its history.
    def __init__(self, *, arguments: int = 0, results: int = 0) -> None:
        self._set(arguments=arguments, results=results)

    def settings(self) -> dict[str, object]:
        """The limits by their key in a configuration."""
        return {"arguments": self.arguments, "results": self.results}
