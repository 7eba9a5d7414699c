"""What toolbrake raises.

    ToolbrakeError
    ├── ConfigError              (ValueError)    a policy could not be built
    │   └── InvalidMaxRepeatsError               the brake's one setting is unusable
    ├── LoopBrakeError           (RuntimeError)  the brake refused a call before it ran
    ├── LoopHalted               (RuntimeError)  the run is over until a person speaks
    └── MissingExtraError        (ImportError)   an optional package is not installed

Decisions are values; only the brake's own library half, and hosts that have no other way to stop, raise.
No error carries arguments or results of a call.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

PACKAGE = "toolbrake"


class ToolbrakeError(Exception):
    """Root of every error that toolbrake raises on purpose."""


class ConfigError(ToolbrakeError, ValueError):
    """A policy could not be built; ``problems`` holds one sentence for each thing to mend."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))

    def __reduce__(self) -> tuple[type[ConfigError], tuple[tuple[str, ...]]]:
        return type(self), (self.problems,)


class InvalidMaxRepeatsError(ConfigError):
    """``max_repeats`` is no integer of at least 1; ``value`` is what was given."""

    def __init__(self, value: object, *, key: str = "max_repeats") -> None:
        self.value = value
        self.key = key
        super().__init__((f"{key} must be an integer of at least 1 (got {value!r})",))

    def __reduce__(self) -> tuple[type[InvalidMaxRepeatsError], tuple[object], dict[str, object]]:  # type: ignore[override]  # state carries the key
        return type(self), (self.value,), {"key": self.key, "problems": self.problems, "args": self.args}


class LoopBrakeError(ToolbrakeError, RuntimeError):
    """The brake refused a call before it ran.

    ``count`` is the call's place in its streak, this call included; ``hash_prefix`` the first 12 hex digits of
    its fingerprint. The arguments are in no attribute and in no text.
    """

    code = "LOOP_BRAKE"
    plugin = PACKAGE

    def __init__(self, *, tool_name: str, count: int, max_repeats: int, hash_prefix: str, session_id: str) -> None:
        self.tool_name = tool_name
        self.count = count
        self.max_repeats = max_repeats
        self.hash_prefix = hash_prefix[:12]
        self.session_id = session_id
        super().__init__(
            brake_text(tool_name=tool_name, count=count, max_repeats=max_repeats, hash_prefix=self.hash_prefix)
        )

    def __reduce__(self) -> tuple[object, tuple[type[LoopBrakeError], dict[str, object]]]:
        return _rebuild, (
            type(self),
            {
                "tool_name": self.tool_name,
                "count": self.count,
                "max_repeats": self.max_repeats,
                "hash_prefix": self.hash_prefix,
                "session_id": self.session_id,
            },
        )


def brake_text(*, tool_name: str, count: int, max_repeats: int, hash_prefix: str) -> str:
    """The brake's refusal in words: the same whether it is raised or returned as a decision's text."""
    times = "1 time" if count == 1 else f"{count} times"
    return (
        f'loop brake: tool "{tool_name}" called {times} in a row with identical arguments '
        f"(call {hash_prefix}, limit {max_repeats}); the call was denied before it ran. "
        "Change the arguments, call a different tool, or stop."
    )


class LoopHalted(ToolbrakeError, RuntimeError):  # noqa: N818 - it names a state of the run, not a fault
    """The run was ended; ``decision`` says why. The session goes on after a user turn or an explicit resume."""

    def __init__(self, decision: object, text: str = "") -> None:
        self.decision = decision
        super().__init__(text or str(getattr(decision, "text", "")))

    def __reduce__(self) -> tuple[type[LoopHalted], tuple[object, str]]:
        return type(self), (self.decision, str(self))


class MissingExtraError(ToolbrakeError, ImportError):
    """An optional package is not installed; the message is the command that installs it."""

    def __init__(self, what: str, extra: str) -> None:
        self.extra = extra
        super().__init__(f"{what} needs: pip install '{PACKAGE}[{extra}]'")

    def __reduce__(self) -> tuple[type[ImportError], tuple[str]]:
        return ImportError, (str(self),)


def _rebuild(kind: type[LoopBrakeError], fields: dict[str, object]) -> LoopBrakeError:
    return kind(**fields)  # type: ignore[arg-type]  # written by __reduce__ above, field for field
