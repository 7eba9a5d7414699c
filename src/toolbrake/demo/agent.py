"""The demo's agent: LangChain's ``create_agent`` with two tools, with and without the middleware."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolbrake.adapters import _shared as shared
from toolbrake.demo.run import Run
from toolbrake.guard import Guard

with shared.needs(
    "toolbrake demo", "langchain,cli", packages=("langchain", "langchain_core", "langgraph", "langsmith")
):
    from langchain.agents import create_agent
    from langchain.agents.middleware import ModelCallLimitMiddleware
    from langchain_core.messages import HumanMessage
    from langchain_core.tools import tool
    from langsmith import tracing_context

    from toolbrake.adapters.langchain import ToolbrakeMiddleware
    from toolbrake.demo.model import QUESTION, StuckModel

if TYPE_CHECKING:
    from typing import Any

    from langchain.agents.middleware import AgentMiddleware
    from langchain_core.tools import BaseTool

# LangChain's own limit is in the thousands, which nobody would wait for.
STEPS = 25

FOUND = """lisbon.example: Weather in Lisbon
Hourly forecast, rain radar and warnings for Lisbon and its surroundings.
travel.example: A week in Lisbon
When to go, what to see, and which hills to avoid in August."""

PAGE = """Loading the forecast ...
lisbon.example uses cookies. Accept all, or choose which. Cities, radar, warnings, about us, privacy, imprint."""


def run_unguarded() -> Run:
    """The agent as it is, until the limit."""
    return _run([])


def run_guarded(policy: object) -> Run:
    """The same agent and the same limit, with a guard for ``policy``."""
    # A clock that stands still: on a slow machine a pause between two calls would look like waiting.
    return _run([ToolbrakeMiddleware(Guard(policy, clock=lambda: 0.0))])


def _run(middleware: list[AgentMiddleware[Any, Any, Any]]) -> Run:
    model = StuckModel()
    ran: list[str] = []
    limit: ModelCallLimitMiddleware[Any, Any] = ModelCallLimitMiddleware(run_limit=STEPS, exit_behavior="end")
    agent = create_agent(model, _tools(ran), middleware=[*middleware, limit])
    with tracing_context(enabled=False):  # somebody's LANGSMITH_TRACING would send the demo over the network
        state = agent.invoke({"messages": [HumanMessage(QUESTION)]})
    return Run(model.turns, len(ran), state["messages"][-1].text)


def _tools(ran: list[str]) -> list[BaseTool]:
    """The tools; each notes in ``ran`` that its body was executed."""

    @tool
    def search(query: str) -> str:
        """Search the web."""
        ran.append(query)
        return FOUND

    @tool
    def read(page: str) -> str:
        """Open a page."""
        ran.append(page)
        return PAGE

    return [search, read]
