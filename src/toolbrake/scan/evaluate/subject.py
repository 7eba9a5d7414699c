"""What is measured: a policy under a name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolbrake.core.scopes import IDLE
from toolbrake.scan.replay import replay

if TYPE_CHECKING:
    from toolbrake.core.policy import Policy
    from toolbrake.scan.model import Row, Trajectory


@dataclass(frozen=True, slots=True)
class Subject:
    """A policy, the name that reports give it, and the seconds after which a silent scope starts over."""

    name: str
    policy: Policy
    idle: float = IDLE

    def rows(self, run: Trajectory) -> list[Row]:
        """What the policy says to each call of a run, call by call as a guard would."""
        return replay(run, self.policy, idle=self.idle)
