"""The facts that hold for every adapter."""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path

import pytest
from conformance import DELEGATE, RIGS, Broken, counted, from_, unpaired

from toolbrake import Guard, LoopHalted
from toolbrake.core.decision import RANK
from toolbrake.core.policy import Policy
from toolbrake.scan.replay import replay
from toolbrake.testing import FakeClock, Recorder

REQUIRED = "TOOLBRAKE_RIGS"
"""Environment variable: the rigs, separated by commas, whose framework must be installed; the others may be skipped."""

DOCS = Path(__file__).parents[2] / "docs" / "adapters"
SEARCH = [("search", {"q": "x"})]
OTHER = [("search", {"q": "y"})]


@pytest.fixture(params=RIGS)
def rig(request):
    module, name = RIGS[request.param]
    try:
        rig = getattr(import_module(module), name)()
    except ImportError:
        if request.param in os.environ.get(REQUIRED, "").split(","):
            raise
        pytest.skip(f"the framework of {module} is not installed")
    reason = rig.limits.get(request.function.__name__)
    if reason is not None:
        request.node.add_marker(pytest.mark.xfail(reason=reason, strict=True))
    return rig


class Bodies(dict):
    """Tools that note that they ran. ``search`` finds, ``fail`` raises."""

    def __init__(self):
        self.ran = []
        super().__init__(search=self.search, other=self.other, fail=self.fail)

    def search(self, q):
        self.ran.append(f"search {q}")
        return f"found {q}"

    def other(self, q):
        self.ran.append(f"other {q}")
        return f"other {q}"

    def fail(self, q):
        self.ran.append(f"fail {q}")
        raise ValueError("kaput")


class Setup:
    """A guarded agent and what can be seen of it."""

    def __init__(self, rig, policy, **options):
        self.bodies = Bodies()
        self.recorder = Recorder()
        self.policy = policy
        self.guard = Guard(policy, observers=[self.recorder], clock=FakeClock())
        self.agent = rig.agent(self.guard, self.bodies, **options)
        self.run = self.agent.run

    @property
    def ran(self):
        return self.bodies.ran

    def results(self):
        """The results that the guard was told, denials by itself apart."""
        return [event for event in self.recorder.events if event.type == "result"]


def test_an_unremarkable_run_is_left_alone(rig):
    """Without a loop every body runs, and nothing of ours is said."""
    setup = Setup(rig, counted(deny=from_(2)))
    outcome = setup.run([SEARCH, OTHER])

    assert setup.ran == ["search x", "search y"]
    assert [entry.text for entry in outcome.results()] == ["found x", "found y"]
    assert outcome.final == "done"


def test_a_denied_body_does_not_run(rig):
    """The third call is denied: two bodies have run."""
    setup = Setup(rig, counted(deny=from_(3)))
    setup.run([SEARCH] * 3)

    assert setup.ran == ["search x"] * 2


def test_a_denial_is_the_result_of_its_call(rig):
    """The model reads why in place of the result, marked as an error where there is such a mark."""
    setup = Setup(rig, counted(deny=from_(2)))
    outcome = setup.run([SEARCH] * 2)

    denied = outcome.views[-1][-1]
    assert denied.kind == "result"
    assert denied.text == "toolbrake: deny at 2"
    assert denied.error is not False


def test_every_call_has_exactly_one_result(rig):
    """In every request to the model, and in what is stored, each call's one result is directly behind it."""
    setup = Setup(rig, counted(remind=(2, 3), deny=from_(4)))
    outcome = setup.run([SEARCH, SEARCH * 3, [*SEARCH, *OTHER], OTHER])

    assert [unpaired(view) for view in outcome.views] == [[]] * 5
    assert unpaired(outcome.stored) == []


def test_siblings_of_a_denied_call_run(rig):
    """Of a batch whose first call is denied, the second runs."""
    setup = Setup(rig, counted(deny=from_(2)))
    setup.run([SEARCH, [*SEARCH, ("other", {"q": "x"})]])

    assert setup.ran == ["search x", "other x"]


def test_a_reminder_reaches_the_model(rig):
    """The note is in the next request to the model, with its source."""
    setup = Setup(rig, counted(remind=(2,)))
    outcome = setup.run([SEARCH] * 2)

    assert "[toolbrake/counted] toolbrake: remind at 2" in outcome.shown


def test_a_reminder_is_not_in_the_stored_result(rig):
    """What the framework stores and streams as the tool's result is the tool's own."""
    setup = Setup(rig, counted(remind=(2,)))
    outcome = setup.run([SEARCH] * 2)

    assert [entry.text for entry in outcome.results()] == ["found x"] * 2


def test_a_batch_is_one_observation(rig):
    """A batch that passes two thresholds brings one note."""
    setup = Setup(rig, counted(remind=(2, 4)))
    outcome = setup.run([SEARCH * 5])

    assert outcome.shown.count("[toolbrake/") == 1


def test_a_note_comes_after_its_batch(rig):
    """No result of the batch comes after the note."""
    if test_a_reminder_is_not_in_the_stored_result.__name__ in rig.limits:
        pytest.skip("the note is part of a result, and any of a batch can be the last to finish")
    setup = Setup(rig, counted(remind=(2,)))
    outcome = setup.run([SEARCH * 4])

    assert ["[toolbrake/" in entry.text for entry in outcome.views[-1]][:-1] == [False] * (len(outcome.views[-1]) - 1)


def test_calls_of_a_batch_are_judged_in_order(rig):
    """Whatever runs first, the later of two equal calls is the denied one."""
    setup = Setup(rig, counted(deny=from_(2)))
    outcome = setup.run([[*SEARCH, *OTHER, *SEARCH]])

    calls = next(entry.calls for entry in outcome.stored if entry.calls)
    assert [entry.id for entry in outcome.results() if "deny" in entry.text] == [calls[2]]


def test_a_halt_denies_the_call(rig):
    """The call that ends the run does not run itself, nor do those after it."""
    setup = Setup(rig, counted(halt=from_(2)))
    setup.run([SEARCH, [*SEARCH, *OTHER], OTHER])

    assert setup.ran == ["search x"]


def test_a_halt_stops_before_the_next_request(rig):
    """After the batch that was halted the model is not asked again."""
    setup = Setup(rig, counted(halt=from_(2)))
    outcome = setup.run([SEARCH] * 5)

    assert len(outcome.views) == 2


def test_a_halted_run_says_why(rig):
    """The last words name the tool, the rule and the count."""
    setup = Setup(rig, counted(halt=from_(2)))
    outcome = setup.run([SEARCH] * 5)

    assert outcome.final == (
        "toolbrake: this run was stopped at search (counted, count 2). A new message starts it again."
    )


def test_a_halted_run_leaves_complete_pairs(rig):
    """What is stored of a halted run can be sent to any provider."""
    setup = Setup(rig, counted(halt=from_(2)))
    outcome = setup.run([SEARCH, SEARCH * 3])

    assert unpaired(outcome.stored) == []


def test_a_session_goes_on_after_a_halt(rig):
    """A new message starts the session again, with nothing missing in the history."""
    setup = Setup(rig, counted(halt=from_(2)))
    setup.run([SEARCH] * 2)
    outcome = setup.run([SEARCH], text="go on")

    assert setup.ran == ["search x"] * 2
    assert unpaired(outcome.views[-1]) == []
    assert outcome.final == "done"


def test_a_halt_can_be_raised(rig):
    """``on_halt="raise"`` ends the run with ``LoopHalted``, which holds the decision."""
    setup = Setup(rig, counted(halt=from_(2)), on_halt="raise")
    outcome = setup.run([SEARCH] * 5)

    assert isinstance(outcome.raised, LoopHalted)
    assert outcome.raised.decision.findings[0].count == 2


def test_a_raised_halt_leaves_complete_pairs(rig):
    """It is raised once every call has its result."""
    setup = Setup(rig, counted(halt=from_(2)), on_halt="raise")
    outcome = setup.run([SEARCH, SEARCH * 3, SEARCH])

    assert unpaired(outcome.stored) == []


def test_sessions_are_apart(rig):
    """Calls of one session do not count in another."""
    setup = Setup(rig, counted(deny=from_(2)))
    setup.run([SEARCH], session="T1")
    setup.run([SEARCH], session="T2")

    assert setup.ran == ["search x"] * 2


def test_runs_without_a_session_are_apart(rig):
    """Two runs that nobody gave a session do not share counts."""
    setup = Setup(rig, counted(deny=from_(2)))
    setup.run([SEARCH], session=None)
    setup.run([SEARCH], session=None)

    assert setup.ran == ["search x"] * 2


def test_a_run_without_a_session_is_guarded(rig):
    """The calls of one run count together all the same."""
    setup = Setup(rig, counted(deny=from_(2)))
    setup.run([SEARCH] * 3, session=None)

    assert setup.ran == ["search x"]


def test_a_new_message_of_a_person_resets(rig):
    """What was repeated before it counts no more."""
    setup = Setup(rig, counted(deny=from_(2)))
    setup.run([SEARCH])
    setup.run([SEARCH], text="once more")

    assert setup.ran == ["search x"] * 2


def test_a_sub_agent_has_its_own_counts(rig):
    """The sub-agent makes the call that its caller has made, and may."""
    setup = Setup(rig, counted(deny=from_(2)), delegate=[SEARCH])
    setup.run([SEARCH, [(DELEGATE, {"q": "a"})], [(DELEGATE, {"q": "b"})]])

    assert setup.ran == ["search x"] * 3


def test_a_sub_agent_is_guarded(rig):
    """A loop inside the sub-agent is denied there."""
    setup = Setup(rig, counted(deny=from_(2)), delegate=[SEARCH] * 3)
    setup.run([[(DELEGATE, {"q": "a"})]])

    assert setup.ran == ["search x"]


def test_a_halt_in_a_sub_agent_stops_its_caller(rig):
    """No error handling in between swallows it: no further body runs in the session."""
    setup = Setup(rig, counted(halt=from_(2)), delegate=[SEARCH] * 3)
    setup.run([[(DELEGATE, {"q": "a"})], OTHER, OTHER])

    assert setup.ran == ["search x"]


def test_a_raised_halt_in_a_sub_agent_leaves_the_caller_complete(rig):
    """The call that ran the sub-agent has a result, too."""
    setup = Setup(rig, counted(halt=from_(2)), delegate=[SEARCH] * 3, on_halt="raise")
    outcome = setup.run([[(DELEGATE, {"q": "a"})], OTHER, OTHER])

    assert isinstance(outcome.raised, LoopHalted)
    assert unpaired(outcome.stored) == []


def test_a_person_is_asked_without_the_arguments(rig):
    """The question holds the tool, the count and the text, and no argument."""
    setup = Setup(rig, counted(ask=(2,)))
    outcome = setup.run([SEARCH] * 2, answer=True)

    question = dict(outcome.questions[0])
    call_id = question.pop("call_id")
    assert call_id == [entry.calls for entry in outcome.stored if entry.calls][1][0]
    assert question == {"type": "toolbrake", "tool": "search", "count": 2, "text": "toolbrake: ask at 2"}


@pytest.mark.parametrize("answer", [True, "approve", {"approve": True}])
def test_an_approved_call_runs(rig, answer):
    """Yes in any of its spellings lets the body run."""
    setup = Setup(rig, counted(ask=(2,)))
    setup.run([SEARCH] * 2, answer=answer)

    assert setup.ran == ["search x"] * 2


@pytest.mark.parametrize("answer", [False, "no", {"approve": False}, {"approve": "yes"}, 1])
def test_a_refused_call_does_not_run(rig, answer):
    """Anything else is no, and the model reads who refused."""
    setup = Setup(rig, counted(ask=(2,)))
    outcome = setup.run([SEARCH] * 2, answer=answer)

    assert setup.ran == ["search x"]
    assert "a person refused this call to search" in outcome.results()[-1].text


def test_an_asked_call_counts_once(rig):
    """The call that comes again with the answer is the same call: the next one is the third."""
    setup = Setup(rig, counted(ask=(2,), deny=from_(3)))
    outcome = setup.run([SEARCH] * 3, answer=False)

    assert outcome.results()[-1].text == "toolbrake: deny at 3"
    assert len(outcome.questions) == 1


def test_where_nobody_can_be_asked_the_call_is_denied(rig):
    """A run that cannot be interrupted does not let the call through."""
    setup = Setup(rig, counted(ask=(2,)))
    outcome = setup.run([SEARCH] * 2, session=None)

    assert setup.ran == ["search x"]
    assert "nobody can be asked here" in outcome.results()[-1].text


def test_a_fault_of_ours_lets_the_call_through(rig):
    """A rule that raises stops nobody's agent, and is reported."""
    setup = Setup(rig, Policy([Broken()]))
    outcome = setup.run([SEARCH] * 2)

    assert setup.ran == ["search x"] * 2
    assert outcome.final == "done"
    assert len(setup.recorder.faults) == 2


def test_a_result_is_recorded_as_the_tool_gave_it(rig):
    """The guard sees the tool's own words, and that it did not fail."""
    setup = Setup(rig, counted(remind=(1,)))
    setup.run([SEARCH])

    assert [(event.content, event.error) for event in setup.results()] == [("found x", False)]


def test_what_a_body_raises_is_recorded_as_a_failure(rig):
    """An exception is a failed call, by its type and text."""
    setup = Setup(rig, counted())
    setup.run([[("fail", {"q": "x"})]])

    assert [event.error for event in setup.results()] == [True]
    assert "kaput" in str(setup.results()[0].content)


def test_an_unknown_tool_is_a_failed_call(rig):
    """A name that the model made up is judged and recorded like a call that failed."""
    setup = Setup(rig, counted(deny=from_(3)))
    outcome = setup.run([[("serach", {"q": "x"})]] * 3)

    assert [event.error for event in setup.results()] == [True] * 2
    assert outcome.results()[-1].text == "toolbrake: deny at 3"


def test_invalid_arguments_are_a_failed_call(rig):
    """Arguments that the tool does not take are judged and recorded like a call that failed."""
    setup = Setup(rig, counted(deny=from_(3)))
    outcome = setup.run([[("search", {"z": 1})]] * 3)

    assert [event.error for event in setup.results()] == [True] * 2
    assert outcome.results()[-1].text == "toolbrake: deny at 3"


def test_a_replay_decides_the_same(rig):
    """What the guard was told, replayed offline, brings the same actions."""
    setup = Setup(rig, counted(remind=(2, 6), deny=(3, 4, 5), halt=from_(8)))
    setup.run([SEARCH, SEARCH * 2, [*OTHER, *SEARCH], SEARCH, SEARCH, SEARCH])
    setup.run([SEARCH], text="go on")

    rows = replay(setup.recorder.trajectory(), setup.policy)
    assert [row.action for row in rows] == _actions(setup.recorder)
    assert {row.action for row in rows} == {"allow", "remind", "deny"}


def test_limits_are_in_the_docs(rig):
    """The adapter's page says what does not hold there, in the words of the rig."""
    page = " ".join((DOCS / rig.page).read_text(encoding="utf-8").split())

    assert [reason for reason in rig.limits.values() if reason not in page] == []


def _actions(recorder):
    """The stronger action on each call, in the order of the calls."""
    actions: dict[str, str] = {}
    for event, decision in zip(recorder.events, recorder.decisions, strict=True):
        if event.type in ("call", "result"):
            actions[event.id] = max(actions.get(event.id, "allow"), decision.action, key=RANK.__getitem__)
    return list(actions.values())
