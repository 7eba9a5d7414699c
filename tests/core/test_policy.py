"""``policy.step``: how findings become one decision, and what each event does to a state."""

from __future__ import annotations

import copy

import pytest
from hypothesis import given

from core.strategies import PROPERTY, Lasting, Scripted, events, policies, runs
from toolbrake.core.decision import ALLOW, RANK
from toolbrake.core.events import (
    MAIN,
    Approve,
    Assistant,
    Call,
    Refuse,
    Result,
    Run,
    RunEnd,
    Session,
    Spawn,
    Unknown,
    User,
)
from toolbrake.core.exact import BYTE_BUDGET
from toolbrake.core.policy import Policy
from toolbrake.rules._base import Rule
from toolbrake.rules.brake import Brake
from toolbrake.rules.reminder import Reminder


class Denials(Rule):
    """Writes down who denied each result it is shown."""

    __slots__ = ()
    name = "denials-seen"

    def start(self):
        return []

    def after(self, state, seen):
        state.append(seen.denied_by)


class Play:
    """A policy, the state of one scope, and short words for the events of it. Each call is a step of its own."""

    def __init__(self, *rules, **settings):
        self.policy = Policy(rules, **settings)
        self.state = self.policy.start()
        self.serial = 0

    def tell(self, event):
        return self.policy.step(self.state, event)

    def call(self, tool="search", args=None, *, step=None, id=None):
        self.serial += 1
        name = id or f"c{self.serial}"
        return self.tell(Call(tool, args or {}, id=name, step=step or name))

    def result(self, id=None, **said):
        return self.tell(Result(id or f"c{self.serial}", "text", **said))

    def both(self, tool="search", args=None):
        """The actions on a call and on its result."""
        return self.call(tool, args).action, self.result().action


# Findings and the decision.


def test_nobody_minds():
    """A call and a result that no rule minds are answered with the one preset object."""
    play = Play(Scripted())

    assert play.call() is ALLOW
    assert play.result() is ALLOW


@pytest.mark.parametrize("action", ["remind", "ask", "deny", "halt"])
def test_the_finding_acts(action):
    """The action of the only finding is the decision's, and its text what the model is told."""
    decision = Play(Scripted({1: action})).call()

    assert (decision.action, decision.text) == (action, f"{action} at 1")


@pytest.mark.parametrize(("action", "runs"), [("remind", True), ("ask", False), ("deny", False), ("halt", False)])
def test_what_runs(action, runs):
    """A body runs at allow and remind, and waits or does not run at all else."""
    assert Play(Scripted({1: action})).call().runs == runs


@pytest.mark.parametrize("order", [1, -1], ids=["weaker first", "stronger first"])
def test_strongest_finding_acts(order):
    """Of two findings the stronger acts, whatever the order of the rules, and both are told."""
    decision = Play(*[Scripted({1: "remind"}), Lasting({1: "deny"})][::order]).call()

    assert (decision.action, decision.text) == ("deny", "deny at 1")
    assert {finding.rule for finding in decision.findings} == {"scripted", "lasting"}


def test_first_rule_acts_among_equals():
    """Of two equally strong findings the first rule's acts."""
    play = Play(Lasting({1: "deny"}), Scripted({1: "deny"}))

    assert play.call().findings[0].rule == "lasting"


def test_every_rule_sees_every_call():
    """A rule counts a call that another rule denies."""
    play = Play(Brake(max_repeats=1), Scripted({2: "remind"}))
    play.call()

    assert [finding.rule for finding in play.call().findings] == ["brake", "scripted"]


def test_reminders_are_notes():
    """A reminder before the body is also a note with its source, beside the result."""
    (note,) = Play(Scripted({1: "remind"})).call().notes

    assert (note.text, note.source) == ("remind at 1", "toolbrake/scripted")


def test_reminder_beside_a_denial_is_a_note():
    """A reminder that is not the strongest finding is delivered beside the denial."""
    decision = Play(Scripted({1: "deny"}), Lasting({1: "remind"})).call()

    assert [note.source for note in decision.notes] == ["toolbrake/lasting"]


def test_reminder_after_the_body():
    """A reminder that a result draws is a decision to remind, with the note."""
    play = Play(Scripted(results={1: "remind"}))
    play.call()

    decision = play.result()

    assert (decision.action, len(decision.notes)) == ("remind", 1)


def test_finding_names_the_call():
    """A finding names rule, tool, count, limit, period and the first 12 digits of the fingerprint."""
    (finding,) = Play(Brake(max_repeats=1)).call("list", {}).findings

    assert finding.as_mapping() == {
        "rule": "brake",
        "action": "deny",
        "tool": "list",
        "count": 1,
        "limit": 1,
        "period": 1,
        "fingerprint": "0845dded7e7e",
    }


def test_cut_arguments_degrade_the_decision():
    """A call whose arguments are over the budget is judged by their beginning, and the decision says so."""
    decision = Play(Brake()).call(args={"text": "x" * (BYTE_BUDGET + 1)})

    assert (decision.action, decision.degraded) == ("allow", ("arguments-cut",))


# Denials.


def test_own_denial_is_the_result():
    """A denial of ours is folded in at once: every rule sees it as the call's result."""
    play = Play(Scripted({1: "deny"}), Denials())
    play.call()

    assert play.state.rules[1] == ["toolbrake"]


def test_result_of_a_denied_call_changes_nothing():
    """A result that a host reports for a call we denied leaves the state as it is."""
    play = Play(Scripted({1: "deny"}, {1: "remind", 2: "remind"}))
    play.call()
    before = copy.deepcopy(play.state)

    decision = play.result()

    assert decision is ALLOW
    assert play.state == before


def test_denial_brings_the_notes_of_both_sides():
    """The decision that denies holds the reminders of the attempt and those of the denial."""
    play = Play(Scripted({1: "remind"}), Lasting({1: "deny"}, {1: "remind"}))

    decision = play.call()

    assert decision.action == "deny"
    assert [note.text for note in decision.notes] == ["remind at 1", "remind at 1"]


def test_denial_by_others_is_seen():
    """A result that was denied by somebody else reaches the rules with that name."""
    play = Play(Denials())
    play.call()
    play.result(error=True, denied_by="hook")

    assert play.state.rules[0] == ["hook"]


def test_denial_by_others_counts_for_the_reminder():
    """Calls that somebody else denies draw the reminder like calls that ran."""
    play = Play(Reminder(thresholds=(2,)))
    actions = []
    for _ in range(2):
        play.call()
        actions.append(play.result(error=True, denied_by="hook").action)

    assert actions == ["allow", "remind"]


# Batches.


def test_text_of_a_batch_waits_for_its_last_result():
    """A reminder drawn within a batch comes with the last result of the batch."""
    play = Play(Scripted(results={1: "remind"}))
    for name in ("a", "b", "c"):
        play.call(id=name, step="s")

    said = [len(play.result(name).notes) for name in ("c", "a", "b")]

    assert said == [0, 0, 1]


def test_text_of_a_batch_comes_once():
    """A batch that passes several counts draws the last one's text alone."""
    play = Play(Scripted(results={1: "remind", 2: "remind"}))
    for name in ("a", "b"):
        play.call(id=name, step="s")
    play.result("a")

    decision = play.result("b")

    assert [note.text for note in decision.notes] == ["remind at 2"]


def test_texts_of_two_rules_both_come():
    """A batch that two rules remind of draws a text of each."""
    play = Play(Scripted(results={1: "remind"}), Lasting(results={2: "remind"}))
    for name in ("a", "b"):
        play.call(id=name, step="s")
    play.result("a")

    decision = play.result("b")

    assert [note.source for note in decision.notes] == ["toolbrake/scripted", "toolbrake/lasting"]


def test_held_text_is_released_at_the_next_step():
    """A text that waited for a sibling that never returned comes with the next step's call."""
    play = Play(Scripted(results={1: "remind"}))
    for name in ("a", "b"):
        play.call(id=name, step="s")
    play.result("a")

    decision = play.call(step="t")

    assert (decision.action, [note.text for note in decision.notes]) == ("remind", ["remind at 1"])


def test_released_text_comes_beside_a_denial():
    """A text released at a step whose call is denied is delivered with the denial."""
    play = Play(Scripted({3: "deny"}, {1: "remind"}))
    for name in ("a", "b"):
        play.call(id=name, step="s")
    play.result("a")

    decision = play.call(step="t")

    assert (decision.action, [note.text for note in decision.notes]) == ("deny", ["remind at 1"])


def test_held_text_survives_a_replayed_call():
    """A replayed call in between does not swallow a text that waits for the next step."""
    play = Play(Scripted(results={1: "remind"}))
    for name in ("a", "b"):
        play.call(id=name, step="s")
    play.result("a")
    play.tell(Call("search", {}, id="c", step="t", replayed=True))

    decision = play.call(step="t", id="d")

    assert [note.text for note in decision.notes] == ["remind at 1"]


def test_held_text_is_dropped_at_a_user_turn():
    """A text about what a person has moved on from is not delivered any more."""
    play = Play(Scripted(results={1: "remind"}))
    for name in ("a", "b"):
        play.call(id=name, step="s")
    play.result("a")
    play.tell(User("something else"))

    assert play.call(step="t") is ALLOW


def test_text_of_a_denial_waits_for_its_siblings():
    """The note that a denied call draws waits for a sibling that runs."""
    play = Play(Scripted({2: "deny"}, {1: "remind"}))
    play.call(id="a", step="s")
    denied = play.call(id="b", step="s")

    late = play.result("a")

    assert [denied.action, len(denied.notes), len(late.notes)] == ["deny", 0, 1]


def test_call_without_a_step_waits_for_nobody():
    """A text for a call of unknown step comes with its own result."""
    play = Play(Scripted(results={1: "remind"}))
    play.tell(Call("search", {}, id="a"))
    play.tell(Call("search", {}, id="b"))

    assert len(play.result("a").notes) == 1


# Ask, approve, refuse.


def test_question_leaves_the_call_open():
    """A call that is asked about and approved takes its result like any other."""
    play = Play(Scripted({1: "ask"}, {1: "remind"}), Denials())
    play.call()
    play.tell(Approve("c1"))
    play.result()

    assert play.state.rules[1] == [None]


def test_approved_call_passes_again():
    """Equal calls pass until the next user turn, whatever the rules say to them."""
    play = Play(Scripted({1: "ask", 2: "ask", 3: "deny", 4: "halt"}))
    play.call()
    play.tell(Approve("c1"))

    assert [play.call().action for _ in range(3)] == ["allow", "allow", "allow"]


def test_approval_is_for_equal_calls_only():
    """A call with other arguments is asked about for itself."""
    play = Play(Scripted(always="ask"))
    play.call(args={"q": "a"})
    play.tell(Approve("c1"))

    assert play.call(args={"q": "b"}).action == "ask"


def test_approval_silences_reminders():
    """What a person has approved draws no reminder after it has run."""
    play = Play(Scripted({1: "ask"}, {1: "remind"}))
    play.call()
    play.tell(Approve("c1"))

    assert play.result() is ALLOW


def test_approval_ends_with_a_user_turn():
    """After a user turn the same call is asked about again."""
    play = Play(Lasting(always="ask"))
    play.call()
    play.tell(Approve("c1"))
    play.tell(User("go on"))

    assert play.call().action == "ask"


def test_approval_of_nothing():
    """An approval of a call that nothing waits for approves nothing."""
    play = Play(Scripted(always="ask"))
    play.tell(Approve("c9"))

    assert play.call().action == "ask"


def test_refusal_is_a_denial():
    """A refused call is denied in words that name the tool and who refused."""
    play = Play(Scripted({1: "ask"}))
    play.call("deploy")

    decision = play.tell(Refuse("c1", by="ann"))

    assert decision.action == "deny"
    assert decision.text.startswith("toolbrake: ann refused this call to deploy.")


def test_refusal_by_nobody_in_particular():
    """A refusal that does not say by whom is a person's."""
    play = Play(Scripted({1: "ask"}))
    play.call()

    assert play.tell(Refuse("c1")).text.startswith("toolbrake: a person refused")


def test_refusal_is_the_result():
    """The rules see a refusal as a denial by whoever refused."""
    play = Play(Scripted({1: "ask"}), Denials())
    play.call()
    play.tell(Refuse("c1", by="ann"))

    assert play.state.rules[1] == ["ann"]


def test_refusal_draws_its_reminder():
    """The note that a refused call draws comes with the refusal."""
    play = Play(Scripted({1: "ask"}, {1: "remind"}))
    play.call()

    assert len(play.tell(Refuse("c1")).notes) == 1


def test_refusal_of_nothing():
    """A refusal of a call that nothing waits for is no denial."""
    assert Play(Scripted()).tell(Refuse("c9")) is ALLOW


def test_refused_call_is_not_asked_about_again_in_its_step():
    """A refused call that is delivered again in its step does not run."""
    play = Play(Scripted({1: "ask"}))
    play.call(id="a", step="s")
    play.tell(Refuse("a"))

    assert not play.call(id="a", step="s").runs


# Halt.


def test_halt_is_sticky():
    """After a halt every call is answered with it, whatever the tool, and the decision says halted."""
    play = Play(Scripted({1: "halt"}))
    play.call()

    decision = play.call("other", {"x": 1})

    assert (decision.action, decision.halted, decision.text) == ("halt", True, "halt at 1")


def test_halting_decision_says_halted():
    """The decision that ends the run says so itself."""
    assert Play(Scripted({1: "halt"})).call().halted


def test_halted_calls_are_not_judged():
    """While the session is halted the rules are not asked about attempts."""
    play = Play(Scripted({1: "halt"}))
    play.call()
    play.call()

    assert play.state.rules[0].attempts == 1


@pytest.mark.parametrize(
    "event", [User("go on"), Run(), Run(trigger="user")], ids=["user turn", "new run", "run with another trigger"]
)
def test_halt_ends(event):
    """A user turn or a new run ends a halt."""
    play = Play(Lasting({1: "halt"}))
    play.call()
    play.tell(event)

    assert play.call() is ALLOW


@pytest.mark.parametrize(
    "event",
    [User("notice", synthetic=True), Assistant("sorry"), RunEnd()]
    + [Run(trigger=trigger) for trigger in ("compaction", "retry", "resume")],
    ids=["host's message", "agent's words", "end of the run", "compaction", "retry", "resume"],
)
def test_halt_stays(event):
    """Nothing but a person or a new request ends a halt."""
    play = Play(Scripted({1: "halt"}))
    play.call()
    play.tell(event)

    assert play.call().action == "halt"


# What starts over.

STARTS_OVER = [
    ("user turn", User("go on"), True),
    ("new run", Run(), True),
    ("host's message", User("notice", synthetic=True), False),
    ("automatic retry", Run(trigger="retry"), False),
    ("end of a run", RunEnd(), False),
    ("agent's words", Assistant("thinking"), False),
]


@pytest.mark.parametrize(("event", "over"), [row[1:] for row in STARTS_OVER], ids=[row[0] for row in STARTS_OVER])
def test_starts_over(event, over):
    """A rule starts over at the events it names, and at no others."""
    play = Play(Scripted())
    play.call()
    play.tell(event)

    assert play.state.rules[0].attempts == (0 if over else 1)


def test_rule_that_names_no_event_goes_on():
    """A rule that resets at nothing counts on through user turns and runs."""
    play = Play(Lasting())
    play.call()
    play.tell(User("go on"))
    play.tell(Run())

    assert play.state.rules[0].attempts == 1


@pytest.mark.parametrize(
    "event",
    [Assistant("text"), Session(session=MAIN), Spawn(agent="w"), Unknown("x_notice", extra={"a": 1})],
    ids=["assistant", "session", "spawn", "unknown"],
)
def test_event_without_effect(event):
    """An event that means nothing to a scope leaves its state as it is."""
    play = Play(Scripted())
    play.call()
    before = copy.deepcopy(play.state)

    decision = play.tell(event)

    assert decision is ALLOW
    assert play.state == before


# A policy that only observes.


@pytest.mark.parametrize("action", ["remind", "ask", "deny", "halt"])
def test_observing_policy_allows(action):
    """A policy that observes lets the call run, tells the model nothing, and reports what it would have done."""
    decision = Play(Scripted({1: action}), observes=True).call()

    assert (decision.action, decision.text, decision.notes, decision.halted) == ("allow", "", (), False)
    assert (decision.proposed, len(decision.findings)) == (action, 1)


def test_observing_policy_does_not_remind():
    """A reminder after the body is reported under a policy that observes, and not delivered."""
    play = Play(Scripted(results={1: "remind"}), observes=True)
    play.call()

    decision = play.result()

    assert (decision.action, decision.notes, decision.proposed) == ("allow", (), "remind")


def test_observing_policy_takes_the_result_of_what_it_would_have_denied():
    """Under a policy that observes a call that would have been denied has its own result."""
    play = Play(Scripted({1: "deny"}), Denials(), observes=True)
    play.call()
    play.result()

    assert play.state.rules[1] == [None]


def test_observing_policy_halts_nobody():
    """A halt that was only proposed is not sticky."""
    play = Play(Scripted({1: "halt"}), observes=True)
    play.call()

    assert play.call().proposed == "allow"


def test_observing_policy_adds_nothing_to_a_refusal():
    """Under a policy that observes a refusal brings no note of ours."""
    play = Play(Scripted(results={1: "remind"}), observes=True)
    play.call()

    assert play.tell(Refuse("c1")).notes == ()


# Properties.


def decisions(policy, told):
    state = policy.start()
    return [policy.step(state, event) for event in told]


@PROPERTY
@given(policies(), runs())
def test_decision_is_coherent(policy, told):
    """The action is the strongest finding's, the notes are the reminders among them, and a plain allow is ALLOW."""
    for event, decision in zip(told, decisions(policy, told), strict=True):
        strongest = max((RANK[finding.action] for finding in decision.findings), default=0)
        reminders = [finding.text for finding in decision.findings if finding.action == "remind"]
        assert RANK[decision.proposed] == strongest
        assert [note.text for note in decision.notes] == ([] if policy.observes else reminders)
        assert decision.action == ("allow" if policy.observes else decision.proposed)
        assert decision.findings or decision is ALLOW
        assert event.type == "call" or decision.action in ("allow", "remind")


@PROPERTY
@given(policies(), runs())
def test_events_are_not_changed(policy, told):
    """Taking an event in leaves it as it was."""
    before = copy.deepcopy(told)

    decisions(policy, told)

    assert told == before


@PROPERTY
@given(policies(), events())
def test_any_event_is_answered(policy, event):
    """Whatever a trace can hold, a policy answers it."""
    state = policy.start()

    assert policy.step(state, event).action in RANK
