"""longguard: the circuit breaker, one step a call with its observation.

The thought of a step is what LangChain logs for a tool call where the model says nothing beside it; tokens are
estimated from it as longguard's LangChain adapter does. Its default limit of 30 steps is left on.
"""

from __future__ import annotations

from longguard import AgentStep, CircuitBreaker  # type: ignore[import-not-found,unused-ignore]

from .detector import Call, Detector, Word, halt, remind


class _Breaker(Detector):
    def __init__(self) -> None:
        self._breaker = CircuitBreaker()
        self._steps = 0

    def after(self, call: Call, text: str, error: bool | None) -> Word | None:  # noqa: ARG002 - it takes no error
        self._steps += 1
        thought = f"\nInvoking: `{call.tool}` with `{call.args}`\n\n\n"
        step = AgentStep(
            step_number=self._steps,
            thought=thought,
            action=call.tool,
            action_input=call.args,
            observation=text,
            tokens_used=max(len(thought) // 4, 1),
        )
        decision = self._breaker.check(step)
        if decision.action == "kill":
            return halt(decision.reason)
        return remind(decision.reason) if decision.action == "reflect" else None


def detector(variant: str, project: str) -> Detector:  # noqa: ARG001 - every adapter has this shape
    """A detector for one scope of a run."""
    return _Breaker()
