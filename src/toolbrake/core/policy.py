"""The one idea: ``decision = policy.step(state, event)``.

A policy is a list of rules and constant. Everything that changes is in the state it is handed, and everything it
knows about time comes in with the event, so a guard, a hook process, a proxy and a replay of a transcript decide
the same for the same events.

For a call, every rule judges the attempt (``before``), the strongest finding acts, and a denial is folded in at
once as that call's result: rules that count denials see it, and a later result for that call changes nothing.
For a result, every rule takes it in (``after``); reminders that come of a batch wait for the last call of the
batch and are then delivered once.
"""

from __future__ import annotations

from toolbrake.core.canonical import fingerprint_cut
from toolbrake.core.decision import ALLOW, Decision, Finding, Note, strongest
from toolbrake.core.events import SAME_WORK, Result
from toolbrake.core.observation import KEY_BYTES, Observation
from toolbrake.core.profile import Profiles
from toolbrake.core.reading import Readings
from toolbrake.core.state import ClosedCall, OpenCall, State, step_name
from toolbrake.core.wording import name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, Literal, Protocol

    from toolbrake.core.events import Approve, Call, Event, Refuse, Run, User
    from toolbrake.core.state import SessionRecord
    from toolbrake.core.wording import Redact

    class Rule(Protocol):
        """One way to see a loop. Constant; what it remembers of a scope is the state that ``start`` makes."""

        name: str
        resets: frozenset[str]
        """Event types after which the rule starts over."""
        compares: bool
        """Whether the rule looks at outcomes and needs to be told what was changed."""

        def start(self) -> Any: ...
        def before(self, state: Any, seen: Observation) -> Finding | None: ...
        def after(self, state: Any, seen: Observation) -> Finding | None: ...
        def compacted(self, state: Any) -> None: ...
        def dump(self, state: Any, *, quotes: bool) -> list[object]:
            """The state as values that ``packing`` takes; first a list of the rows that may be lost, oldest first."""
            ...

        def load(self, data: list[Any]) -> Any: ...
        def settings(self) -> dict[str, object]: ...


ARGUMENTS_CUT = "arguments-cut"
"""Why a decision is degraded: the arguments were over a budget, and only their beginning was compared."""

REFUSAL = "refusal"
"""The rule behind a denial that a person, or a policy of the host, spoke when asked."""

OURSELVES = "toolbrake"
"""Who denied a call, when it was us."""


class Policy:
    """Rules and how their findings become decisions.

    ``observes``: decide and report, but never intervene; the decision's ``proposed`` says what would have come.
    ``on_error`` is what a guard does when toolbrake itself fails. ``redact`` is applied to every quote. ``profiles``
    say what is known about tools. ``quote`` is how many characters of arguments and of results the newer rules may
    show the model; ``quote_in_store`` whether a store may keep what the classic breaker quotes.
    """

    __slots__ = (
        "_judges",
        "_listeners",
        "commands",
        "compares",
        "name",
        "observes",
        "on_error",
        "profiles",
        "quote",
        "quote_in_store",
        "redact",
        "rules",
    )

    def __init__(  # noqa: PLR0913 - a policy's settings, all keyword-only but one
        self,
        rules: Iterable[Rule],
        *,
        name: str = "",
        observes: bool = False,
        on_error: Literal["allow", "deny"] = "allow",
        redact: Redact | None = None,
        profiles: Profiles | None = None,
        quote: tuple[int, int] = (0, 0),
        quote_in_store: bool = False,
    ) -> None:
        self.rules = tuple(rules)
        self.name = name
        self.observes = observes
        self.on_error: Literal["allow", "deny"] = on_error
        self.redact = redact
        self.profiles = Profiles() if profiles is None else profiles
        # Rules that look at one side of a call only are not asked about the other.
        self._judges = [(place, rule) for place, rule in enumerate(self.rules) if _looks(rule, "before")]
        self._listeners = [(place, rule) for place, rule in enumerate(self.rules) if _looks(rule, "after")]
        self.commands = Readings()
        self.compares = any(rule.compares for rule in self.rules)
        self.quote = quote
        self.quote_in_store = quote_in_store

    def start(self, session: SessionRecord | None = None) -> State:
        """The state of a scope that nothing is known of."""
        return State([rule.start() for rule in self.rules], session)

    def step(self, state: State, event: Event) -> Decision:
        """Take one event in and answer it. Changes ``state`` in place."""
        take = _STEPS.get(event.type)
        return ALLOW if take is None else take(self, state, event)

    def _call(self, state: State, call: Call) -> Decision:
        digest, cut = fingerprint_cut(call.tool, call.args)
        fingerprint = digest[:KEY_BYTES]
        step = step_name(call.step)
        known = state.seen(call.id, fingerprint, step)
        if known is not None or call.replayed or call.redelivered:
            return _again(known)
        fresh = state.enter(step)
        opened = OpenCall(fingerprint, call.tool, None if step is None else state.steps, _gap(state.result_at, call.at))
        key = state.open(call.id, opened)
        seen = Observation(opened, call.agent, call, call.at, self, state)
        halted = state.session.halted
        findings = self._judge(state, opened, seen) if halted is None else (halted,)
        late = state.release() if fresh and state.held else ()
        if not findings and not late and not cut:
            return ALLOW
        return self._answer(state, key, seen, (late, findings), (ARGUMENTS_CUT,) if cut else ())

    def _judge(self, state: State, opened: OpenCall, seen: Observation) -> tuple[Finding, ...]:
        """What the rules say to an attempt, in the policy's order."""
        findings: tuple[Finding, ...] = ()
        states = state.rules
        for place, rule in self._judges:
            finding = rule.before(states[place], seen)
            if finding is None:
                continue
            if rule.compares and finding.action == "remind":
                if opened.told:
                    continue
                opened.told = True  # one loop is one reminder, however many rules see it
            findings = (*findings, finding)
        return findings if not findings or seen.fingerprint not in state.approved else ()

    def _answer(
        self,
        state: State,
        key: str | int,
        seen: Observation,
        heard: tuple[tuple[Finding, ...], tuple[Finding, ...]],
        degraded: tuple[str, ...],
    ) -> Decision:
        """The decision on an attempt. ``heard``: reminders left from the step before, and what the rules say now."""
        late, findings = heard
        acting = strongest(findings) or strongest(late)
        action = "allow" if acting is None else acting.action
        if self.observes:
            return Decision(findings=late + findings, degraded=degraded, proposed=action)
        if acting is not None and action in ("deny", "halt"):
            findings += self._deny(state, key, seen, acting)
        elif acting is not None and action == "ask":
            state.opened[key].asked = acting
        return Decision(
            action,
            text="" if acting is None else acting.text,
            findings=late + findings,
            notes=_notes(late + findings),
            halted=state.session.halted is not None,
            degraded=degraded,
        )

    def _deny(self, state: State, key: str | int, seen: Observation, acting: Finding) -> tuple[Finding, ...]:
        """Fold our own denial in as the call's result; the findings that the result brings."""
        if acting.action == "halt":
            state.session.halted = acting
        denial = Result(None, acting.text, error=True, denied_by=OURSELVES, call=seen.call, at=seen.at)
        return self._settle(state, state.close(key, acting), denial, seen.agent)

    def _result(self, state: State, result: Result) -> Decision:
        key = _answered(state, result)
        if key is None:
            return ALLOW
        findings = self._settle(state, state.close(key), result, result.agent)
        if not findings:
            return ALLOW
        if self.observes:
            return Decision(findings=findings, proposed="remind")
        return Decision("remind", text=findings[-1].text, findings=findings, notes=_notes(findings))

    def _settle(self, state: State, call: OpenCall, result: Result, agent: object) -> tuple[Finding, ...]:
        """Let every rule take a result in; the reminders that are due now."""
        seen = Observation(call, agent, result.call, result.at, self, state)
        seen.result = result
        seen.denied_by = result.denied_by
        if self.compares and seen.changes:
            state.progress.note(state.session, seen.key, seen.changed)
        if result.at is not None:
            state.result_at = result.at
        states = state.rules
        for place, rule in self._listeners:
            finding = rule.after(states[place], seen)
            if finding is None or call.fingerprint in state.approved or (rule.compares and call.told):
                continue
            call.told = call.told or rule.compares
            state.held[finding.rule] = finding
        if not state.held or state.waits_for_siblings(call.step):
            return ()
        return state.release()

    def _user(self, state: State, event: User) -> Decision:
        if not event.synthetic:
            self._start_over(state, event)
        return ALLOW

    def _run(self, state: State, event: Run) -> Decision:
        return ALLOW if event.trigger in SAME_WORK else self._start_over(state, event)

    def _start_over(self, state: State, event: Event) -> Decision:
        state.session.halted = None
        state.turn()
        for index, rule in enumerate(self.rules):
            if event.type in rule.resets:
                state.rules[index] = rule.start()
        return ALLOW

    def _run_end(self, state: State, event: Event) -> Decision:  # noqa: ARG002 - every entry of the table takes it
        state.turn()
        return ALLOW

    def _compact(self, state: State, event: Event) -> Decision:  # noqa: ARG002 - as above
        for rule, own in zip(self.rules, state.rules, strict=True):
            rule.compacted(own)
        return ALLOW

    def _approve(self, state: State, event: Approve) -> Decision:
        key = _answered(state, event)
        if key is not None:
            state.opened[key].asked = None
            state.approve(state.opened[key].fingerprint)
        return ALLOW

    def _refuse(self, state: State, event: Refuse) -> Decision:
        key = _answered(state, event)
        if key is None:
            return ALLOW
        by = event.by or "a person"
        tool = state.opened[key].tool
        text = f"toolbrake: {by} refused this call to {name(tool)}. Do not repeat it; do something else or finish."
        refusal = Finding(rule=REFUSAL, action="deny", tool=tool, count=1, limit=1, text=text)
        closed = state.close(key, refusal)
        findings = self._settle(state, closed, Result(event.id, text, error=True, denied_by=by), event.agent)
        notes = () if self.observes else _notes(findings)
        return Decision("deny", text=text, findings=(refusal, *findings), notes=notes)


def _again(known: OpenCall | ClosedCall | None) -> Decision:
    """The answer to a call that was delivered before: what it was told then, without the notes."""
    finding = None
    if known is not None:
        finding = known.denial if isinstance(known, ClosedCall) else known.asked
    if finding is None:
        return ALLOW
    return Decision(finding.action, text=finding.text, findings=(finding,), halted=finding.action == "halt")


def _looks(rule: Rule, side: str) -> bool:
    """Whether a rule does anything on that side of a call; one that inherits the default does not."""
    return not getattr(getattr(type(rule), side, None), "idle", False)


def _gap(since: float | None, at: float | None) -> float | None:
    """Seconds between two times; unknown where one is, or where the clock ran backwards."""
    return None if since is None or at is None or at < since else at - since


def _answered(state: State, event: Result | Approve) -> str | int | None:
    """The key of the open call that an event is about: by its id, or in order, equal calls first."""
    fingerprint = None
    if event.call is not None and (event.id is None or not state.trusted):
        fingerprint = fingerprint_cut(event.call.tool, event.call.args)[0][:KEY_BYTES]
    return state.find(event.id, fingerprint)


def _notes(findings: Iterable[Finding]) -> tuple[Note, ...]:
    return tuple(Note(f.text, f"{OURSELVES}/{f.rule}") for f in findings if f.action == "remind")


_STEPS: dict[str, Callable[[Policy, State, Any], Decision]] = {
    "call": Policy._call,  # noqa: SLF001 - the table of this class
    "result": Policy._result,  # noqa: SLF001
    "user": Policy._user,  # noqa: SLF001
    "run": Policy._run,  # noqa: SLF001
    "run_end": Policy._run_end,  # noqa: SLF001
    "compact": Policy._compact,  # noqa: SLF001
    "approve": Policy._approve,  # noqa: SLF001
    "refuse": Policy._refuse,  # noqa: SLF001
}
"""What each event type does. A type that is not here leaves the state as it is."""
