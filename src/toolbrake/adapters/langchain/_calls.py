"""One guarded call in a LangGraph tool node: asked about, run and recorded; and what is kept until its batch is over.

Sync tool nodes run each call of a batch in a thread of its own, async ones in one loop. So a decision never waits:
judging a batch is one atomic step, and nothing is kept across an await but in the attempt itself.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

from langgraph.errors import GraphBubbleUp
from langgraph.types import interrupt

from toolbrake.adapters import _shared as shared
from toolbrake.adapters.langchain._messages import denial, result_in, with_texts
from toolbrake.errors import LoopHalted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from langchain_core.runnables import RunnableConfig

    from toolbrake.adapters.langchain._messages import Answer
    from toolbrake.core.decision import Decision
    from toolbrake.core.events import Call
    from toolbrake.guard import Guard

# LangGraph has no public way to ask whether an interrupted run can go on. Should the key go away, nobody can be
# asked, and what a person should have decided is denied.
_CHECKPOINTER = "__pregel_checkpointer"


class GraphLoopHalted(LoopHalted, GraphBubbleUp):
    """The run was ended. No error handling of a tool node turns it into a result, and no retry repeats it."""


class Scope(NamedTuple):
    """Whose calls are counted together."""

    session: str
    agent: str


class Batch(NamedTuple):
    """The decisions on the calls of one message, by call id. ``halted``: the session was over before them."""

    step: object
    decisions: dict[str | None, Decision]
    halted: bool


class Memory:
    """What is kept beside a guard between the hooks of a run, by scope or session.

    ``notes`` wait for the end of their batch, ``batches`` for the rest of their calls. ``halts`` are the decisions
    that ended sessions, ``turns`` the ids of the messages with which people last spoke in them.
    """

    def __init__(self) -> None:
        self.notes: shared.Recent[Scope, list[str]] = shared.Recent()
        self.batches: shared.Recent[Scope, Batch] = shared.Recent()
        self.halts: shared.Recent[object, Decision] = shared.Recent()
        self.turns: shared.Recent[str, str | None] = shared.Recent()


_MEMORIES: WeakKeyDictionary[Guard, Memory] = WeakKeyDictionary()


class Keeper:
    """A guard with its memory: all middlewares that share a guard share what is kept beside it."""

    def __init__(self, guard: Guard) -> None:
        self.guard = guard

    @property
    def memory(self) -> Memory:
        """What is kept beside the guard as long as it lives, and never copied."""
        known = _MEMORIES.get(self.guard)
        return _MEMORIES.setdefault(self.guard, Memory()) if known is None else known

    def check(self, call: Call) -> Decision:
        """Judge a call and count it."""
        decision = self.guard.check(call)
        if decision.action == "halt":
            self.memory.halts.change(call.session, lambda _: decision)
        return decision

    def batch(self, scope: Scope, calls: Sequence[Call]) -> Batch:
        """The decisions on the calls of one message, judged once and in order, whichever of them comes first.

        Calls of no known step are judged each time they come.
        """
        step = calls[0].step

        def judge(known: Batch | None) -> Batch:
            if known is None or step is None or known.step != step:
                known = Batch(step, {}, self.guard.halted(scope.session))
            fresh = {call.id: self.check(call) for call in calls if call.id not in known.decisions}
            return known._replace(decisions=known.decisions | fresh)

        return self.memory.batches.change(scope, judge)


class Caller(NamedTuple):
    """The guarded call whose body runs in this context; ``agents`` are those that began inside it."""

    guard: Guard
    scope: Scope
    thread: str | None
    agents: set[str]


CALLER: ContextVar[Caller | None] = ContextVar("toolbrake_caller", default=None)


class Attempt:
    """One call on its way through the tool node. ``answer`` is what the node is handed; None: the body may run.

    ``holds``: reminders wait for the hook before the next model call. Without that hook they go below the result.
    """

    def __init__(self, keeper: Keeper, call: Call, caller: Caller, *, holds: bool) -> None:
        self.call = call
        self.answer: Answer | None = None
        self._guard = keeper.guard
        self._memory = keeper.memory
        self._caller = caller
        self._holds = holds
        self._texts: list[str] = []

    @property
    def scope(self) -> Scope:
        """Whose call it is."""
        return self._caller.scope

    def hear(self, decision: Decision) -> None:
        """Take the reminders of a decision."""
        texts = shared.labelled(decision.notes)
        if not self._holds:
            self._texts += texts
        elif texts:
            self._memory.notes.change(self.scope, lambda held: (held or []) + texts)

    def deny(self, text: str) -> None:
        """The body does not run; the model reads ``text`` instead."""
        self.answer = denial(self.call, text)

    def ask(self, question: dict[str, object], config: RunnableConfig, *, alone: bool) -> None:
        """Interrupt the graph with the question, or act on the answer it was resumed with.

        Only one call of a task can ask (``alone``): LangGraph hands answers out in the order of the questions, which
        is no order among threads.
        """
        if not alone or config.get("configurable", {}).get(_CHECKPOINTER) is None:
            refused = self._guard.refuse(self.call, by=shared.NOBODY)
        elif shared.approved(interrupt(question)):
            self._guard.approve(self.call)
            return
        else:
            refused = self._guard.refuse(self.call)
        self.hear(refused)
        self.deny(refused.text or str(question["text"]))

    @contextmanager
    def body(self) -> Iterator[None]:
        """Around the body: agents that begin inside know who called them, and what it raises is recorded.

        An interrupt is no outcome: the call stays open, and is the same call when it comes again. A halt of this
        session inside the body becomes the call's result, so that the pairs are complete when the run is ended.
        """
        token = CALLER.set(self._caller)
        try:
            yield
        except Exception as fault:
            if isinstance(fault, LoopHalted) and self._guard.halted(self.scope.session):
                self.take(denial(self.call, str(fault)))
            else:
                self._failed(fault)
                raise
        finally:
            CALLER.reset(token)

    def take(self, answer: Answer) -> None:
        """What came of the body; the agents that began in it are gone."""
        for agent in self._caller.agents:
            self._guard.agent_ended(agent, session=self.scope.session)
        self.answer = answer
        message = result_in(answer, self.call.id)
        content = None if message is None else message.content
        failed = message is not None and message.status == "error"
        self.hear(self._guard.record(self.call, content, error=failed))

    def told(self) -> Answer:
        """The answer as the tool node is handed it."""
        assert self.answer is not None  # noqa: S101 - it was denied, or its body has run
        return with_texts(self.answer, self.call.id, self._texts) if self._texts else self.answer

    def _failed(self, fault: Exception) -> None:
        if not isinstance(fault, GraphBubbleUp):
            self.hear(self._guard.record(self.call, f"{type(fault).__name__}: {fault}", error=True))
