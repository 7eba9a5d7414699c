"""The library half of ``brake``: for hosts that own their call sites, or a registry of tools.

    LoopBrake      counts calls by session and raises LoopBrakeError at the limit
    wrap_execute   brakes one callable
    decorate_tool  copies a tool definition with its execute braked
    attach         brakes a whole registry, and puts it back as it was

It adds no tool to any registry: a brake the model can call is a brake it can be talked into arguing with.
"""

from toolbrake.config import normalize_max_repeats, resolve_max_repeats
from toolbrake.errors import InvalidMaxRepeatsError, LoopBrakeError
from toolbrake.loop_brake._attaching import attach
from toolbrake.loop_brake._brake import LoopBrake, SessionStreak
from toolbrake.loop_brake._definitions import decorate_tool
from toolbrake.loop_brake._identity import call_hash, canonical_json, hash_prefix, session_key
from toolbrake.loop_brake._ledger import MAX_SESSIONS
from toolbrake.loop_brake._wrapping import wrap_execute

__all__ = [
    "MAX_SESSIONS",
    "InvalidMaxRepeatsError",
    "LoopBrake",
    "LoopBrakeError",
    "SessionStreak",
    "attach",
    "call_hash",
    "canonical_json",
    "decorate_tool",
    "hash_prefix",
    "normalize_max_repeats",
    "resolve_max_repeats",
    "session_key",
    "wrap_execute",
]
