"""What a rig is: one small class that puts a scripted agent of a real framework under a guard.

``test_conformance.py`` states the facts once; every rig is held to all of them. A fact that a framework cannot keep
is a row of the rig's ``limits``, with the reason in a sentence that is also in the adapter's docs page; the suite
checks that the limit is real. To plug an adapter in, write ``rig_NAME.py`` with its rigs and add them to ``RIGS``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from toolbrake.core.policy import Policy
from toolbrake.rules._base import Rule

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping, Sequence

    from toolbrake import Guard

    Wanted = tuple[str, dict[str, object]]
    Step = Sequence[Wanted]
    Body = Callable[..., object]

RIGS = {
    "langchain": ("rig_langchain", "SyncRig"),
    "langchain-async": ("rig_langchain", "AsyncRig"),
    "langchain-stream": ("rig_langchain", "StreamRig"),
    "langchain-message": ("rig_langchain", "MessageRig"),
    "langgraph-toolnode": ("rig_langchain", "ToolNodeRig"),
    "langgraph-toolnode-async": ("rig_langchain", "AsyncToolNodeRig"),
}
"""Every rig by name: its module and its class."""

DELEGATE = "delegate"
"""The tool of an agent whose body runs a sub-agent."""


@dataclass(frozen=True)
class Entry:
    """One message as a model sees it, or as the framework stores it.

    ``kind`` is ``user``, ``assistant``, ``result`` or ``note`` (a reminder in a message of its own); ``calls`` are the
    ids of the calls an assistant's message makes, ``id`` the one a result answers. ``error`` None: the framework has
    no such flag.
    """

    kind: str
    text: str = ""
    id: str | None = None
    calls: tuple[str, ...] = ()
    error: bool | None = None


@dataclass
class Outcome:
    """What came of one run: what each request to the model held, what is stored at the end, what a person was asked."""

    views: list[list[Entry]] = field(default_factory=list)
    stored: list[Entry] = field(default_factory=list)
    questions: list[Mapping[str, object]] = field(default_factory=list)
    raised: BaseException | None = None

    @property
    def final(self) -> str:
        """The last words of the run."""
        return self.stored[-1].text

    @property
    def shown(self) -> str:
        """All text of the last request to the model."""
        return "\n".join(entry.text for entry in self.views[-1])

    def results(self) -> list[Entry]:
        """The results that are stored."""
        return [entry for entry in self.stored if entry.kind == "result"]


class Agent(Protocol):
    """An agent whose model does what it is told."""

    def run(
        self, steps: Sequence[Step], *, session: str | None = "T1", text: str = "go", answer: object = None
    ) -> Outcome:
        """One message of a person, and what the agent does with it: one response a step, then the word "done".

        Without a session nobody can be asked. ``answer`` is what a person says to every question.
        """


class Rig(Protocol):
    """A framework under test.

    ``limits`` says why a fact does not hold there, by the name of its test, and in words of ``page`` in docs/adapters.
    """

    page: str
    limits: Mapping[str, str]

    def agent(
        self, guard: Guard, bodies: Mapping[str, Body], *, on_halt: str = "finish", delegate: Sequence[Step] = ()
    ) -> Agent:
        """An agent with a tool ``NAME(q: str)`` for each body. ``delegate``: the tool of that name runs a sub-agent,
        guarded by the same guard and with the same bodies, that does these steps.
        """


class Counted(Rule):
    """A rule for tests: counts equal calls since the last user turn, and acts at the counts it is given."""

    __slots__ = ("ladder", "remind")
    name = "counted"
    resets = frozenset({"user", "run"})

    def __init__(
        self,
        *,
        remind: Container[int] = (),
        ask: Container[int] = (),
        deny: Container[int] = (),
        halt: Container[int] = (),
    ) -> None:
        self._set(remind=remind, ladder={"halt": halt, "deny": deny, "ask": ask})

    def start(self):
        return {"before": {}, "after": {}}

    def before(self, state, seen):
        count = state["before"][seen.fingerprint] = state["before"].get(seen.fingerprint, 0) + 1
        action = next((action for action, counts in self.ladder.items() if count in counts), None)
        return None if action is None else self._finding(seen, action, count)

    def after(self, state, seen):
        count = state["after"][seen.fingerprint] = state["after"].get(seen.fingerprint, 0) + 1
        return self._finding(seen, "remind", count) if count in self.remind else None

    def dump(self, state, *, quotes):
        return []

    def load(self, data):
        return self.start()

    def settings(self):
        return {}

    def _finding(self, seen, action, count):
        return self.finding(seen, action, count=count, limit=count, text=f"toolbrake: {action} at {count}")


class Broken(Counted):
    """A rule that fails."""

    __slots__ = ()
    name = "broken"

    def before(self, state, seen):
        raise ZeroDivisionError("a bug of ours")


def counted(**ladder):
    """A policy of that rule alone."""
    return Policy([Counted(**ladder)])


def from_(count):
    """Every count from ``count`` on."""
    return range(count, 1000)


def unpaired(entries):
    """What is wrong with the pairs of calls and results: ids without exactly one result directly behind their call."""
    problems = []
    waiting: list[str] = []
    for entry in entries:
        if entry.kind == "result" and entry.id in waiting:
            waiting.remove(entry.id)
        elif entry.kind == "result":
            problems.append(f"{entry.id} has a result too many")
        elif waiting:
            problems.append(f"{entry.kind} stands between {waiting} and their results")
            waiting = []
        if entry.kind == "assistant":
            waiting = list(entry.calls)
    return problems + [f"{call} has no result" for call in waiting]
