"""The ready policies, as the configuration a user could have written."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

READY: dict[str, Mapping[str, object]] = {
    "reminder": {"version": 1, "rules": {"reminder": {}}},
    "breaker": {"version": 1, "rules": {"breaker": {}}},
    "brake": {"version": 1, "rules": {"brake": {}}},
}
"""Every ready policy by name: the three classic systems, each alone."""
