"""Which rivals there are, and how each is driven."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rival:
    """A package in one version. ``variants`` name settings of its adapter; ``""`` are the defaults.

    ``per_run``: one detector for the whole run, where the others get one for each agent. ``history``: it learns from
    past runs. ``slow``: it gets the labelled runs only, and the whole of the ``SMALL`` sources.
    """

    name: str
    version: str
    licence: str
    python: str
    adapter: str
    driven: str
    variants: tuple[str, ...] = ("",)
    per_run: bool = False
    history: bool = False
    slow: bool = False

    @property
    def requirements(self) -> str:
        """The file that pins its environment."""
        return f"{self.name}.txt"

    def title(self, variant: str) -> str:
        """The name that results give a variant."""
        return f"{self.name} ({variant})" if variant else self.name


SMALL = ("tau2_activegraph", "tau_airline_gpt4o")
"""Sources that a slow rival gets in full."""

RIVALS = (
    Rival(
        "openhands-sdk",
        "1.58.2",
        "MIT",
        "3.12",
        "openhands",
        "StuckDetector, nudge and is_stuck after each step",
        ("", "agent-errors"),
    ),
    Rival(
        "loopbrake",
        "0.6.0",
        "MIT",
        "3.11",
        "loopbrake",
        "Brake.would_stop and step; calibrated on the successful runs of the other half of each source",
        per_run=True,
        history=True,
    ),
    Rival("agent-watchdog", "0.1.5", "MIT", "3.11", "agent_watchdog", "AgentWatchdog.record_tool_call"),
    Rival("agent-loop-guard", "0.1.1", "MIT", "3.11", "agent_loop_guard", "LoopGuard.check", ("", "calls"), slow=True),
    Rival(
        "loop-guardrail",
        "1.0.0",
        "Apache-2.0",
        "3.11",
        "loop_guardrail",
        "ToolCallGuardrailController.before_call and after_call",
        ("", "hard"),
    ),
    Rival("longguard", "0.1.4", "MIT", "3.11", "longguard", "CircuitBreaker.check"),
    Rival(
        "able-harness-kit",
        "0.2.0",
        "MIT",
        "3.11",
        "able_harness_kit",
        "LoopGuardMiddleware (LoopTracker) and ProgressAwareLoopGuardMiddleware",
        ("tracker", "progress"),
    ),
    Rival(
        "pydantic-deep",
        "0.3.50",
        "MIT",
        "3.11",
        "pydantic_deep",
        "StuckLoopDetection.after_tool_execute",
        ("", "error"),
    ),
    Rival("langchain", "1.5.2", "MIT", "3.11", "langchain", "ToolCallLimitMiddleware(thread_limit=20, run_limit=10)"),
)
BY_NAME = {rival.name: rival for rival in RIVALS}

OWN = ("standard", "unattended", "reminder", "breaker", "brake")
"""toolbrake's ready policies; the last three are the classic ones."""
