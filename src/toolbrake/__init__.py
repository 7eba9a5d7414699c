"""toolbrake notices when an agent is stuck repeating tool calls, and does something about it.

``Guard`` judges the calls of agents that you run yourself; ``toolbrake.adapters`` does it inside agent frameworks.
Names are loaded on first use, so that importing the package costs next to nothing.
"""

from __future__ import annotations

from toolbrake._version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from toolbrake.config import load_policy, normalize_max_repeats, resolve_max_repeats
    from toolbrake.core.canonical import canonical, fingerprint
    from toolbrake.core.decision import ALLOW, Decision, Finding, Note
    from toolbrake.core.events import MAIN, Call
    from toolbrake.core.policy import Policy
    from toolbrake.errors import (
        ConfigError,
        InvalidMaxRepeatsError,
        LoopBrakeError,
        LoopHalted,
        MissingExtraError,
        ToolbrakeError,
    )
    from toolbrake.guard import AsyncGuard, Attempt, Guard
    from toolbrake.loop_brake import (
        LoopBrake,
        attach,
        call_hash,
        canonical_json,
        decorate_tool,
        hash_prefix,
        session_key,
        wrap_execute,
    )
    from toolbrake.observers import Observer

_HOMES = {
    "ALLOW": "core.decision",
    "AsyncGuard": "guard",
    "Attempt": "guard",
    "Call": "core.events",
    "ConfigError": "errors",
    "Decision": "core.decision",
    "Finding": "core.decision",
    "Guard": "guard",
    "InvalidMaxRepeatsError": "errors",
    "LoopBrake": "loop_brake",
    "LoopBrakeError": "errors",
    "LoopHalted": "errors",
    "MAIN": "core.events",
    "MissingExtraError": "errors",
    "Note": "core.decision",
    "Observer": "observers",
    "Policy": "core.policy",
    "ToolbrakeError": "errors",
    "attach": "loop_brake",
    "call_hash": "loop_brake",
    "canonical": "core.canonical",
    "canonical_json": "loop_brake",
    "decorate_tool": "loop_brake",
    "fingerprint": "core.canonical",
    "hash_prefix": "loop_brake",
    "load_policy": "config",
    "normalize_max_repeats": "config",
    "resolve_max_repeats": "config",
    "session_key": "loop_brake",
    "wrap_execute": "loop_brake",
}
"""Which module each public name lives in."""

__all__ = [
    "ALLOW",
    "MAIN",
    "AsyncGuard",
    "Attempt",
    "Call",
    "ConfigError",
    "Decision",
    "Finding",
    "Guard",
    "InvalidMaxRepeatsError",
    "LoopBrake",
    "LoopBrakeError",
    "LoopHalted",
    "MissingExtraError",
    "Note",
    "Observer",
    "Policy",
    "ToolbrakeError",
    "__version__",
    "attach",
    "call_hash",
    "canonical",
    "canonical_json",
    "decorate_tool",
    "fingerprint",
    "hash_prefix",
    "load_policy",
    "normalize_max_repeats",
    "resolve_max_repeats",
    "session_key",
    "wrap_execute",
]


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'toolbrake' has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 - part of what is put off

    value = getattr(import_module(f"toolbrake.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
