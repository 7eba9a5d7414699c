"""What a policy answers: the action, the text meant for the model, and the evidence behind both."""

from __future__ import annotations

from toolbrake.core.value import Frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    Action: TypeAlias = Literal["allow", "remind", "ask", "deny", "halt"]

ACTIONS: tuple[Action, ...] = ("allow", "remind", "ask", "deny", "halt")
"""Every action, weakest first."""

RANK: dict[Action, int] = {action: rank for rank, action in enumerate(ACTIONS)}
"""How strong an action is; the strongest finding acts."""


class Finding(Frozen):
    """A rule's evidence.

    ``count`` is where in its series the call stands, that call included; ``limit`` the count at which ``action``
    is taken; ``period`` the length of the repeated sequence (1 for one call); ``fingerprint`` the first 12 hex
    digits of the call's fingerprint. ``text`` is what the model is told; it may quote, so ``repr`` leaves it out.
    """

    __slots__ = ("action", "count", "fingerprint", "limit", "period", "rule", "text", "tool")

    def __init__(  # noqa: PLR0913 - the fields of the format, all keyword-only
        self,
        *,
        rule: str,
        action: Action,
        tool: str,
        count: int,
        limit: int,
        text: str,
        period: int = 1,
        fingerprint: str = "",
    ) -> None:
        self._set(
            rule=rule,
            action=action,
            tool=tool,
            count=count,
            limit=limit,
            text=text,
            period=period,
            fingerprint=fingerprint,
        )

    rule: str
    action: Action
    tool: str
    count: int
    limit: int
    text: str
    period: int
    fingerprint: str

    @classmethod
    def hidden(cls) -> tuple[str, ...]:
        return ("text",)

    def as_mapping(self) -> dict[str, object]:
        """The machine-readable evidence, without the text."""
        return {name: getattr(self, name) for name in self.fields() if name != "text"}


class Note(Frozen):
    """A reminder for the model, delivered beside a call's result; ``source`` is who speaks: ``toolbrake/RULE``."""

    __slots__ = ("source", "text")

    def __init__(self, text: str, source: str) -> None:
        self._set(text=text, source=source)

    text: str
    source: str

    @classmethod
    def hidden(cls) -> tuple[str, ...]:
        return ("text",)


class Decision(Frozen):
    """The answer to one event.

    ``action`` is what the host must do, ``text`` what the model is told in place of the result when the call does
    not run, ``notes`` what it is told beside the result, ``findings`` the evidence of every rule that spoke.
    ``halted`` says that the session is over until a person speaks; ``degraded`` why the decision may know less
    than usual. ``proposed`` is what the rules asked for: under a policy that only observes it can be stronger
    than ``action``.
    """

    __slots__ = ("action", "degraded", "findings", "halted", "notes", "proposed", "text")

    def __init__(  # noqa: PLR0913 - the fields of the answer, all keyword-only but one
        self,
        action: Action = "allow",
        *,
        text: str = "",
        findings: tuple[Finding, ...] = (),
        notes: tuple[Note, ...] = (),
        halted: bool = False,
        degraded: tuple[str, ...] = (),
        proposed: Action | None = None,
    ) -> None:
        self._set(
            action=action,
            text=text,
            findings=findings,
            notes=notes,
            halted=halted,
            degraded=degraded,
            proposed=proposed or action,
        )

    action: Action
    text: str
    findings: tuple[Finding, ...]
    notes: tuple[Note, ...]
    halted: bool
    degraded: tuple[str, ...]
    proposed: Action

    @classmethod
    def hidden(cls) -> tuple[str, ...]:
        return ("text",)

    @property
    def runs(self) -> bool:
        """Whether the body may run without asking anybody."""
        return self.action in ("allow", "remind")


ALLOW = Decision()
"""The one answer for a call that nobody minds."""


def strongest(findings: tuple[Finding, ...]) -> Finding | None:
    """The finding that acts: the strongest action, the first rule among equals; None when nobody spoke."""
    return max(findings, key=_rank, default=None)


def _rank(finding: Finding) -> int:
    return RANK[finding.action]
