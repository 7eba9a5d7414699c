"""What the rules share: the streak that all three classic rules count."""

from __future__ import annotations

from hashlib import sha256

from toolbrake.core.decision import Finding
from toolbrake.core.observation import SHORT
from toolbrake.core.patterns import MEMORY
from toolbrake.core.value import Frozen, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from toolbrake.core.decision import Action
    from toolbrake.core.observation import Observation


class Rule(Frozen):
    """Defaults for a rule that looks at one side of a call only. Subclasses are compared by their settings."""

    __slots__ = ()
    name = ""
    resets: frozenset[str] = frozenset()
    compares = False

    def before(self, state: Any, seen: Observation) -> Finding | None:  # noqa: ARG002 - see policy.Rule
        """Judge a call that is about to run. The default says nothing."""
        return None

    def after(self, state: Any, seen: Observation) -> Finding | None:  # noqa: ARG002 - see policy.Rule
        """Take in what came of a call. The default says nothing."""
        return None

    before.idle = after.idle = True  # type: ignore[attr-defined]  # see policy: a default need not be called

    def compacted(self, state: Any) -> None:
        """The history that the model sees was shortened. The default takes no notice."""

    def finding(  # noqa: PLR0913 - the fields of a finding
        self, seen: Observation, action: Action, *, count: int, limit: int, text: str, period: int = 1
    ) -> Finding:
        """Evidence of this rule about the call at hand."""
        return Finding(
            rule=self.name,
            action=action,
            tool=seen.tool,
            count=count,
            limit=limit,
            text=text,
            period=period,
            fingerprint=seen.prefix,
        )


class Streak(Value):
    """How many times in a row the same fingerprint has come: one slot, whatever the length of the run."""

    __slots__ = ("count", "fingerprint")

    def __init__(self, fingerprint: bytes = b"", count: int = 0) -> None:
        self.fingerprint = fingerprint
        self.count = count

    def advance(self, fingerprint: bytes) -> int:
        """Count a call; its place in the streak, 1 for a new one."""
        if fingerprint == self.fingerprint:
            self.count += 1
        else:
            self.fingerprint = fingerprint
            self.count = 1
        return self.count

    def dump(self) -> list[object]:
        """The streak as two small values."""
        return [self.fingerprint, self.count]

    @classmethod
    def load(cls, data: list[Any]) -> Streak:
        """The streak that ``dump`` wrote. Raises ValueError or TypeError for anything else."""
        fingerprint, count = data
        if type(count) is not int or count < 0:
            raise ValueError(f"a streak's count must be a whole number (got {count!r})")
        return cls(bytes(fingerprint), count)


OURSELVES = "toolbrake"
"""Who denied a call, when it was us; see ``policy.OURSELVES``."""


class ComparingRule(Rule):
    """A rule that looks at outcomes. It starts over at a user turn and in a new run."""

    __slots__ = ()
    resets = frozenset({"user", "run"})
    compares = True

    def finding(  # noqa: PLR0913 - the fields of a finding
        self, seen: Observation, action: Action, *, count: int, limit: int, text: str, period: int = 1
    ) -> Finding:
        """Evidence of this rule about the call at hand, with the quotes that the policy allows."""
        text += seen.evidence()
        return super().finding(seen, action, count=count, limit=limit, text=text, period=period)


def name_key(name: str) -> bytes:
    """A name as a window holds it: that of a tool, or of the program that a shell runs."""
    key = _keys.get(name)
    if key is None:
        if len(_keys) >= MEMORY:
            _keys.clear()
        key = _keys[name] = sha256(name.encode("utf-8", "surrogatepass")).digest()[:SHORT]
    return key


_keys: dict[str, bytes] = {}
"""Digests of the last names: a host has few tools, and hashing their names would cost as much as the calls."""


def same_step(step: object, seen: Observation) -> bool:
    """Whether the call came in the model response that ``step`` names: calls of one batch are one observation."""
    return seen.step is not None and seen.step == step


def nth(count: int) -> str:
    """An ordinal number: 1st, 2nd, 3rd, 4th."""
    ending = "th" if count % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(count % 10, "th")
    return f"{count}{ending}"
