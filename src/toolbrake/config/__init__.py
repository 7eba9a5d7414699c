"""Configuration: from a name, a file, a mapping or rows of DeepSeek Harness to a policy."""

from toolbrake.config._brake import MAX_REPEATS_VARIABLE, normalize_max_repeats, resolve_max_repeats
from toolbrake.config._limits import QuoteLimits, ScopeLimits
from toolbrake.config._load import Loaded, compose, digest, load, load_policy

__all__ = [
    "MAX_REPEATS_VARIABLE",
    "Loaded",
    "QuoteLimits",
    "ScopeLimits",
    "compose",
    "digest",
    "load",
    "load_policy",
    "normalize_max_repeats",
    "resolve_max_repeats",
]
