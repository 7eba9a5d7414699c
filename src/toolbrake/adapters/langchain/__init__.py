"""LangChain and LangGraph: ``ToolbrakeMiddleware`` for ``create_agent``, and for a ``ToolNode`` on its own.

In ``create_agent`` the calls of one response are judged together and in order as soon as the model has spoken
(``after_model``). Denied calls are answered there, so a tool that returns directly cannot make a denial the run's
answer. Asking, running and recording happen around the tool. Reminders and halts wait for the whole batch and come
before the next model call. What must outlive the process, an interrupt above all, is in a private key of the graph's
state: which calls a person is asked about, and the reminders with their place in the conversation.

A ``ToolNode`` on its own calls ``wrap_tool_call`` only. The first call of a batch to arrive has the whole batch
judged, reminders are written below the result, and a halt can only deny or raise.
"""

from toolbrake.adapters._shared import needs

with needs("toolbrake.adapters.langchain", "langchain", packages=("langchain", "langchain_core", "langgraph")):
    from toolbrake.adapters.langchain._calls import GraphLoopHalted
    from toolbrake.adapters.langchain._middleware import ToolbrakeMiddleware

__all__ = ["GraphLoopHalted", "ToolbrakeMiddleware"]
