"""The guard: a policy, the states of all its scopes, a clock, and a lock around each decision."""

from toolbrake.guard._asynchronous import AsyncGuard
from toolbrake.guard._attempt import Attempt
from toolbrake.guard._synchronous import Guard

__all__ = ["AsyncGuard", "Attempt", "Guard"]
