"""What the properties draw from, and the one stand-in rule that says what a test tells it to."""

from __future__ import annotations

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from toolbrake.core.events import (
    MAIN,
    AgentEnd,
    Approve,
    Assistant,
    Call,
    Compact,
    Refuse,
    Result,
    Run,
    RunEnd,
    Session,
    Spawn,
    Unknown,
    User,
)
from toolbrake.core.value import Value
from toolbrake.rules._base import Rule

PROPERTY = settings(deadline=None, max_examples=100, suppress_health_check=[HealthCheck.too_slow])
"""For every property: nothing in it may depend on how fast the machine is."""


class Tally(Value):
    """How many attempts and results a ``Scripted`` rule has seen."""

    __slots__ = ("attempts", "results")

    def __init__(self, attempts=0, results=0):
        self.attempts = attempts
        self.results = results


class Scripted(Rule):
    """Counts attempts and results, and takes the action that stands at a number; ``always`` before all others.

    A finding's ``count`` is the number, so a decision shows whether a call was counted.
    """

    __slots__ = ("always", "attempts", "results")
    name = "scripted"
    resets = frozenset({"user", "run"})

    def __init__(self, attempts=None, results=None, *, always=None):
        self._set(attempts=dict(attempts or {}), results=dict(results or {}), always=always)

    def start(self):
        return Tally()

    def before(self, state, seen):
        state.attempts += 1
        return self._say(seen, self.attempts.get(state.attempts, self.always), state.attempts)

    def after(self, state, seen):
        state.results += 1
        return self._say(seen, self.results.get(state.results), state.results)

    def dump(self, state, *, quotes):
        return [state.attempts, state.results]

    def load(self, data):
        attempts, results = data
        return Tally(int(attempts), int(results))

    def settings(self):
        return {"attempts": self.attempts, "results": self.results, "always": self.always}

    def _say(self, seen, action, number):
        if action is None:
            return None
        return self.finding(seen, action, count=number, limit=number, text=f"{action} at {number}")


class Lasting(Scripted):
    """A ``Scripted`` rule that a user turn and a new run do not reset."""

    __slots__ = ()
    name = "lasting"
    resets = frozenset()


def texts():
    """Any text, lone surrogates and control characters included."""
    return st.text(st.characters(), max_size=20)


def json_values():
    """Every value that a JSON text can hold, and what Python's parser lets in beside: big integers, NaN, surrogates."""
    scalars = st.none() | st.booleans() | st.integers() | st.floats() | texts()
    return st.recursive(
        scalars,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts(), inner, max_size=4),
        max_leaves=10,
    )


def _fields(**optional):
    """Keyword arguments, each of which may be left out."""
    return st.fixed_dictionaries({}, optional=optional)


def _names():
    return st.sampled_from([MAIN, "worker", "", "\ud800"]) | st.none()


def events():
    """One event of any type with any mix of its fields, as a trace can hold it. NaN is left out: it equals nothing."""
    values = json_values().filter(lambda value: "nan" not in repr(value))
    ids = st.none() | texts()
    flags = st.none() | st.booleans()
    common = {
        "agent": _names(),
        "session": st.sampled_from([MAIN, "other"]),
        "at": st.floats(0, 1e10) | st.integers(0, 10**12),
        "extra": st.dictionaries(st.sampled_from(["x_host", "note", "call"]), values, min_size=1, max_size=2),
    }
    call = common | {
        "id": ids,
        "step": values,
        "tokens": values,
        "replayed": st.booleans(),
        "redelivered": st.booleans(),
    }
    call["extra"] = st.dictionaries(st.sampled_from(["x_host", "note"]), values, min_size=1, max_size=2)
    result = common | {
        "error": flags,
        "head": ids,
        "tail": ids,
        "digest": ids,
        "levelled": ids,
        "length": st.integers(0, 10**6),
        "denied_by": ids,
    }
    user = common | {"synthetic": st.booleans()}
    return st.one_of(
        st.builds(lambda tool, args, rest: Call(tool, args, **rest), texts(), values, _fields(**call)),
        st.builds(lambda name, content, rest: Result(name, content, **rest), ids, values, _fields(**result)),
        st.builds(lambda content, rest: User(content, **rest), values, _fields(**user)),
        st.builds(lambda content, rest: Assistant(content, **rest), values, _fields(**common)),
        st.builds(lambda name, rest: Approve(name, **rest), ids, _fields(by=ids, **common)),
        st.builds(lambda name, rest: Refuse(name, **rest), ids, _fields(by=ids, **common)),
        st.builds(lambda rest: Compact(**rest), _fields(**common)),
        st.builds(lambda rest: Spawn(**rest), _fields(parent=_names(), **common)),
        st.builds(lambda rest: AgentEnd(**rest), _fields(parent=_names(), **common)),
        st.builds(lambda rest: Run(**rest), _fields(trigger=ids, **common)),
        st.builds(lambda rest: RunEnd(**rest), _fields(**common)),
        st.builds(lambda rest: Session(**rest), _fields(**common)),
        st.builds(lambda rest: Unknown("x_notice", **rest), _fields(**common)),
    )


CALLS = [
    ("search", {"q": "weather", "at": {"city": "Oslo", "days": [1, 2]}}),
    ("search", {"q": "news"}),
    ("read", {"path": "a.txt"}),
    ("read", {"path": "a.txt", "offset": 2}),
    ("read", '{"path": "a.txt"}'),
    ("write", {"path": "a.txt", "text": "hello"}),
    ("todo_write", {"items": ["one"]}),
]
"""Few calls, so that random runs repeat them; the fifth is the third as JSON text."""

CONTENTS = ["rain", "sun", "", [{"type": "text", "text": "rain"}], {"rows": []}, None]

IDS = ("unique", "per step", "none")

MOVES = ["call"] * 10 + ["result"] * 8 + ["denied", "lose", "again", "user", "run", "run_end", "compact", "end", "wait"]


@st.composite
def runs(
    draw,
    *,
    sessions=(MAIN, "other"),
    agents=(MAIN, "worker", None),
    ids=IDS,
    steps=(True, False),
    repeats=True,
    longest=40,
):
    """The events of a run by a host without a guard, in the order it would tell them.

    Sequential calls and, where steps are known, batches of up to three; results in any order, some of them never;
    denials by others; user turns, runs, compactions, agents that end; pauses longer than the idle time, and clocks
    set back. Ids of calls are unique, reused in every step, or missing. ``repeats``: some calls are delivered again,
    marked or not.
    """
    teller = _Teller(draw(st.sampled_from(ids)), steps=draw(st.sampled_from(steps)))
    moves = [move for move in MOVES if repeats or move != "again"]
    for _ in range(draw(st.integers(1, longest))):
        scope = (draw(st.sampled_from(sessions)), draw(st.sampled_from(agents)))
        teller.tell(draw, draw(st.sampled_from(moves)), scope)
    return teller.events


class _Teller:
    """What a run being drawn has told so far, and the calls that wait for a result."""

    def __init__(self, ids, *, steps):
        self.ids = ids
        self.steps = steps
        self.serial = 0
        self.turn = 0
        self.at = 1_000_000.0
        self.events = []
        self.waiting = []
        self.recent = []

    def tell(self, draw, move, scope):
        self.at += 1
        getattr(self, f"_{move}")(draw, {"session": scope[0], "agent": scope[1], "at": self.at})

    def _call(self, draw, common):
        self.turn += 1
        self.recent = []
        if self.ids == "per step":
            # Nobody could tell a late result from one of the new call with its id.
            self.waiting = [call for call in self.waiting if (call.session, call.agent) != tuple(common.values())[:2]]
        for place in range(draw(st.integers(1, 3)) if self.steps else 1):
            self.serial += 1
            tool, args = draw(st.sampled_from(CALLS))
            name = {"unique": f"c{self.serial}", "per step": f"call_{place}", "none": None}[self.ids]
            call = Call(tool, args, id=name, step=f"s{self.turn}" if self.steps else None, **common)
            self.events.append(call)
            self.waiting.append(call)
            self.recent.append(call)

    def _result(self, draw, common):
        self._settle(draw, common, error=draw(st.sampled_from([False, False, True, None])))

    def _denied(self, draw, common):
        self._settle(draw, common, error=True, denied_by="policy")

    def _settle(self, draw, common, **said):
        if not self.waiting:
            return
        call = self.waiting.pop(draw(st.integers(0, len(self.waiting) - 1)))
        common |= {"session": call.session, "agent": call.agent}
        self.events.append(Result(call.id, draw(st.sampled_from(CONTENTS)), call=call, **said, **common))

    def _lose(self, draw, common):
        if self.waiting:
            self.waiting.pop(draw(st.integers(0, len(self.waiting) - 1)))

    def _again(self, draw, common):
        if not self.recent:
            return
        call = draw(st.sampled_from(self.recent))
        mark = draw(st.sampled_from([{}, {"replayed": True}, {"redelivered": True}]))
        common |= {"session": call.session, "agent": call.agent}
        self.events.append(Call(call.tool, call.args, id=call.id, step=call.step, **mark, **common))

    def _user(self, draw, common):
        self.events.append(User("go on", synthetic=draw(st.booleans()), **common))

    def _run(self, draw, common):
        self.events.append(Run(trigger=draw(st.sampled_from([None, "retry"])), **common))

    def _run_end(self, draw, common):
        self.events.append(RunEnd(**common))

    def _compact(self, draw, common):
        self.events.append(Compact(**common))

    def _end(self, draw, common):
        self.events.append(AgentEnd(**common))

    def _wait(self, draw, common):
        self.at += draw(st.sampled_from([60, 4000, -500]))


def policies():
    """Policies of the three classic rules and of ``Scripted`` ones that ask, deny, halt and remind."""
    from toolbrake.core.policy import Policy  # noqa: PLC0415 - drawn lazily, so that a broken policy fails its tests alone
    from toolbrake.rules.brake import Brake  # noqa: PLC0415
    from toolbrake.rules.breaker import Breaker  # noqa: PLC0415
    from toolbrake.rules.reminder import Reminder  # noqa: PLC0415

    actions = st.dictionaries(st.integers(1, 12), st.sampled_from(["remind", "ask", "deny", "halt"]), max_size=4)
    notes = st.dictionaries(st.integers(1, 12), st.just("remind"), max_size=4)
    scripted = st.builds(Scripted, actions, notes)
    classic = st.sampled_from([Reminder(thresholds=(2, 3)), Breaker(deny_after=3), Brake()])
    rules = st.lists(classic | scripted, min_size=1, max_size=3, unique_by=lambda rule: rule.name)
    return st.builds(Policy, rules, observes=st.sampled_from([False, False, False, True]))


def tell(guard, event):
    """Call a guard's verb for an event of a run; what the verb gives back. A message of the host's own has no verb."""
    return _VERBS[event.type](guard, event)


def _tell_result(guard, event):
    if event.denied_by is not None:
        return guard.denied(event.call, str(event.content), by=event.denied_by)
    return guard.record(event.call, event.content, error=event.error)


def _tell_user(guard, event):
    return None if event.synthetic else guard.user_turn(event.content, session=event.session, agent=event.agent)


_VERBS = {
    "call": lambda guard, event: guard.check(event),
    "result": _tell_result,
    "user": _tell_user,
    "run": lambda guard, event: guard.run_started(session=event.session, trigger=event.trigger),
    "run_end": lambda guard, event: guard.run_ended(session=event.session),
    "compact": lambda guard, event: guard.compacted(session=event.session, agent=event.agent),
    "agent_end": lambda guard, event: guard.agent_ended(event.agent, session=event.session),
}
