"""``Guard``: for hosts that call their tools in plain functions and threads."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from toolbrake.core.events import MAIN, AgentEnd, Approve, Compact, Refuse, Run, RunEnd, Spawn, User
from toolbrake.guard._attempt import Attempt, outcome_of
from toolbrake.guard._engine import Engine
from toolbrake.guard._wrapping import Wrapping, wrapped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from toolbrake.core.decision import Decision, Finding
    from toolbrake.core.events import Call
    from toolbrake.core.policy import Policy
    from toolbrake.observers import Observer

F = TypeVar("F", bound="Callable[..., object]")


class Guard:
    """Watches the tool calls of any number of agents.

    ``policy`` is a ready policy's name, a configuration file's path, a mapping, or a built policy; ``clock`` gives
    wall-clock seconds for events that carry no time. One guard serves all threads of a process; deciding about a
    call and counting it is one atomic step. A deep copy is the same guard, because agents are copied and their
    counts must not be; a pickle holds the policy and no counts.

    Raises:
        ConfigError: the policy cannot be built.
    """

    def __init__(
        self,
        policy: object = "standard",
        *,
        observers: Iterable[Observer] = (),
        clock: Callable[[], float] | None = None,
    ) -> None:
        self._engine = Engine(policy, observers=observers, clock=clock)

    @property
    def policy(self) -> Policy:
        """The policy that decides."""
        return self._engine.policy

    @property
    def faults(self) -> int:
        """How often toolbrake or an observer failed, and the policy's ``on_error`` or nobody decided."""
        return self._engine.faults

    def check(self, call: Call) -> Decision:
        """Judge a call before its body runs, and count it.

        Unless ``decision.runs``, the body must not run: ``decision.text`` goes to the model as the call's result.
        ``decision.notes`` go to it beside the result either way.
        """
        return self._engine.apply(call)

    def record(self, call: Call, content: object = None, *, error: bool | None = None) -> Decision:
        """Take in what came of a call; ``error`` None means that nobody knows.

        The decision's notes go to the model beside the result. For a call that was denied this does nothing.
        """
        return self._engine.apply(outcome_of(call, content, error=error))

    def denied(self, call: Call, text: str = "", *, by: str) -> Decision:
        """Take in that somebody else, ``by``, refused a call: it did not run."""
        return self._engine.apply(outcome_of(call, text, error=True, denied_by=by))

    def approve(self, call: Call, *, by: str | None = None) -> Decision:
        """A person let the call run; equal calls pass until the next user turn."""
        return self._engine.apply(Approve(call.id, by=by, call=call, agent=call.agent, session=call.session))

    def refuse(self, call: Call, *, by: str | None = None) -> Decision:
        """A person said no, or nobody was there to ask: the call is denied, and the text goes to the model."""
        return self._engine.apply(Refuse(call.id, by=by, call=call, agent=call.agent, session=call.session))

    def user_turn(self, content: object = None, *, session: object = MAIN, agent: object = MAIN) -> None:
        """A person spoke to the agent: what came before counts no more, and a halt is over."""
        self._engine.apply(User(content, session=session, agent=agent))

    def compacted(self, *, session: object = MAIN, agent: object = MAIN) -> None:
        """The history that the model sees was shortened."""
        self._engine.apply(Compact(session=session, agent=agent))

    def run_started(self, *, session: object = MAIN, trigger: str | None = None) -> None:
        """A run of the session begins: a halt is over, unless ``trigger`` says that it is the same work.

        ``compaction``, ``retry`` and ``resume`` do.
        """
        self._engine.apply(Run(session=session, trigger=trigger))

    def run_ended(self, *, session: object = MAIN) -> None:
        """A run of the session is over: no call of it waits for a result any more."""
        self._engine.apply(RunEnd(session=session))

    def spawned(self, agent: object, *, parent: object = MAIN, session: object = MAIN) -> None:
        """A sub-agent began."""
        self._engine.apply(Spawn(parent=parent, agent=agent, session=session))

    def agent_ended(self, agent: object, *, session: object = MAIN) -> None:
        """A sub-agent is gone: nothing of it is kept."""
        self._engine.apply(AgentEnd(agent=agent, session=session))

    def forget(self, *, session: object = MAIN, agent: object = MAIN) -> None:
        """Drop all that is known of a scope."""
        self._engine.forget(session, agent)

    def forget_session(self, session: object) -> None:
        """Drop all that is known of a session, its halt included."""
        self._engine.forget_session(session)

    def halted(self, session: object = MAIN) -> bool:
        """Whether the session was ended and nobody has spoken since."""
        return self.halt(session) is not None

    def halt(self, session: object = MAIN) -> Finding | None:
        """The finding that ended the session; None for one that goes on."""
        return self._engine.halt(session)

    def around(self, call: Call) -> Attempt:
        """Both sides of a call as a context manager; see ``Attempt``."""
        return Attempt(self, call)

    def wrap(self, function: F, *, tool: str | None = None, session: object = MAIN, agent: object = MAIN) -> F:
        """``function`` as a guarded tool, called ``tool`` or by its own name; also as a decorator.

        ``session`` and ``agent`` are identities, or functions without parameters that give one at each call. A call
        that is denied gives the denial's text back, and one that needs a person is refused. Reminders are put below
        a result that is text; a result of another type stays what it is, and they reach observers only.

        Raises:
            LoopHalted: from the guarded function, when the run was ended.
        """
        return wrapped(self, function, Wrapping(function, tool, session, agent))

    def __deepcopy__(self, memo: dict[int, object]) -> Guard:
        return self
