"""Fires, tallies and rates, on runs small enough to count by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolbrake.core.decision import ACTIONS, RANK
from toolbrake.scan.evaluate.groups import OTHER, STRONG, WEAK, group_of, grouped, mean_rates, whole
from toolbrake.scan.evaluate.labels import VERDICTS, Label
from toolbrake.scan.evaluate.metrics import Fire, Tally, hint, interventions, of_label, of_run, stop
from toolbrake.scan.evaluate.rates import mean, rates, wilson
from toolbrake.scan.model import Row, Trajectory

SHORT = {action[0]: action for action in ACTIONS if action != "allow"} | {".": "allow", "k": "ask"}


def rows(said):
    """One row a letter: . allow, r remind, k ask, d deny, h halt."""
    return [
        Row(trajectory="t", call=number, id=None, tool="search", action=SHORT[letter])
        for number, letter in enumerate(said, 1)
    ]


def run(success=None):
    return Trajectory(id="t", events=[], source="invented", success=success)


def loop(onset):
    return Label(trajectory="t", source="invented", verdict="loop", onset=onset)


def verdict(name):
    return Label(trajectory="t", source="invented", verdict=name)


runs = st.text(alphabet=".rkdh", max_size=30).map(rows)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("", None),
        ("....", None),
        ("..r.d", Fire(3, "remind")),
        (".d..", Fire(2, "deny")),
        ("k", Fire(1, "ask")),
    ],
)
def test_hint_is_the_first_call_that_is_not_simply_let_through(said, expected):
    """Whatever the action, the first one counts."""
    assert hint(rows(said)) == expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("..r.r", None),
        ("..dd.", None),
        ("..d.dd", Fire(5, "deny")),
        ("....d", Fire(5, "deny")),
        ("..h", Fire(3, "halt")),
        (".ddh", Fire(2, "deny")),
        (".d.hh", Fire(4, "halt")),
        ("..h..", Fire(3, "halt")),
        ("kk", None),
    ],
)
def test_stop_is_a_halt_or_a_denial_that_nothing_gets_past(said, expected):
    """A denial that a later call gets past is no stop; a halt is one even where a person spoke afterwards."""
    assert stop(rows(said)) == expected


@pytest.mark.parametrize(("action", "saved"), [("remind", 7), ("ask", 8), ("deny", 8), ("halt", 8)])
def test_a_reminder_does_not_save_its_own_call(action, saved):
    """Of ten calls, a fire at the third saves the third only where that call did not run."""
    assert Fire(3, action).saved(10) == saved


def test_saved_counts_from_the_later_of_onset_and_fire():
    """What runs before the loop begins is not the loop's."""
    assert (Fire(3, "deny").saved(10, since=6), Fire(8, "deny").saved(10, since=6)) == (5, 3)


def test_a_run_is_over_at_its_first_halt():
    """Calls that the halt keeps from running are no further interventions."""
    assert [row.call for row in interventions(rows("r.dhhh"))] == [1, 3, 4]


def test_a_loop_is_found_with_its_delay_and_savings():
    """Onset at call 3 of 10, a reminder at 5: two calls late, and 6 to 10 are saved out of 3 to 10."""
    tally = of_label(rows("....r....."), loop(3))

    assert (tally.loops, tally.onset_calls) == (1, 8)
    assert (tally.hint.found, tally.hint.early, tally.hint.delays, tally.hint.onset_saved) == (1, 0, [2], 5)
    assert tally.stop.found == 0


def test_a_fire_before_the_onset_finds_the_loop_early():
    """It counts as found without delay and saves the whole loop, but is told apart."""
    tally = of_label(rows("r........."), loop(3))

    assert (tally.hint.found, tally.hint.early, tally.hint.delays, tally.hint.onset_saved) == (1, 1, [0], 8)


def test_a_denial_that_holds_counts_at_both_levels():
    """Denied from call 4 to the end, 6: three of the five calls from the onset on are saved at either level."""
    tally = of_label(rows("...ddd"), loop(2))

    assert (tally.hint.onset_saved, tally.stop.onset_saved, tally.onset_calls) == (3, 3, 5)


@pytest.mark.parametrize("name", ["polling", "minor", "none"])
def test_a_fire_on_no_loop_is_counted_by_verdict(name):
    """Each verdict has its own count, and finds nothing."""
    tally = of_label(rows(".r"), verdict(name))

    assert (getattr(tally, name), getattr(tally.hint, f"on_{name}"), tally.hint.found) == (1, 1, 0)


def test_unsure_is_left_out_of_everything_but_its_own_count():
    """A fire there is neither right nor wrong."""
    tally = of_label(rows("rdh"), verdict("unsure"))

    assert tally == Tally(unsure=1)


def test_a_successful_run_loses_what_a_stop_keeps_from_running():
    """Seven calls, denied for good from the sixth: two lost at the stop, six after the first hint."""
    tally = of_run(run(success=True), rows("r....dd"), None)

    assert (tally.ok_runs, tally.ok_calls) == (1, 7)
    assert (tally.stop.ok_fired, tally.stop.ok_lost) == (1, 2)
    assert (tally.hint.ok_lost, tally.hint.ok_interventions, tally.hint.ok_unexplained) == (6, 3, 3)


@pytest.mark.parametrize(("name", "unexplained"), [("minor", 0), ("polling", 1), ("none", 1), ("unsure", 1)])
def test_an_intervention_is_explained_where_a_reader_saw_needless_calls(name, unexplained):
    """Only a loop and minor repeats explain it."""
    tally = of_run(run(success=True), rows(".r"), verdict(name))

    assert (tally.hint.ok_interventions, tally.hint.ok_unexplained) == (1, unexplained)


def test_a_failed_run_is_saved_what_comes_after_the_fire():
    """Reminded at 1, halted at 4 of 6: five could have been saved, three are."""
    tally = of_run(run(success=False), rows("r..hhh"), None)

    assert (tally.failed_runs, tally.failed_calls) == (1, 6)
    assert (tally.hint.failed_saved, tally.stop.failed_saved) == (5, 3)


def test_a_run_of_unknown_success_counts_as_a_run_only():
    """It is neither saved nor lost."""
    assert of_run(run(), rows("d"), None) == Tally(runs=1, calls=1)


def test_rates_by_hand():
    """Two loops of three found, a fire on one poll, and one successful run of two ended."""
    tally = whole(
        [
            of_label(rows(".r.."), loop(2)),
            of_label(rows("....r"), loop(1)),
            of_label(rows("...."), loop(3)),
            of_label(rows("r"), verdict("polling")),
            of_label(rows("r"), verdict("minor")),
            of_label(rows("."), verdict("none")),
            of_run(run(success=True), rows(".........."), None),
            of_run(run(success=True), rows("...d......" + "d" * 10), None),
            of_run(run(success=False), rows("....dddd"), None),
        ]
    )
    at_hint, at_stop = rates(tally, tally.hint), rates(tally, tally.stop)

    assert at_hint.found == pytest.approx(2 / 3)
    assert at_hint.delay == 2  # delays 0 and 4
    assert at_hint.onset_saved == pytest.approx(2 / 10)  # 2 of 3, 0 of 5, 0 of 2
    assert (at_hint.on_polling, at_hint.on_minor, at_hint.on_none) == (1, 1, 0)
    assert at_hint.precision == pytest.approx(2 / 3)
    assert at_hint.precision_with_minor == pytest.approx(2 / 4)
    assert at_hint.per_1000 == pytest.approx(1000 * 11 / 30)
    assert (at_stop.ok_fired, at_stop.saved) == (0.5, 0.5)
    assert at_stop.lost == pytest.approx(10 / 30)
    assert at_stop.score == pytest.approx(0.5 - 5 * 10 / 30)


def test_nothing_to_divide_by_is_no_figure():
    """A source without loops has no share of loops found, rather than 0 or 1."""
    figures = rates(Tally(), Tally().hint)

    assert (figures.found, figures.precision, figures.delay, figures.score) == (None, None, None, None)


def test_every_source_weighs_the_same_in_a_mean():
    """A thousand failed runs beside one do not decide; a source without the figure is left out."""
    big = Tally(failed_runs=1000, failed_calls=1000)
    small = whole([of_run(run(success=False), rows("h"), None)])

    assert mean_rates([big, small, Tally()], "stop").saved == 0.5


def test_the_mean_of_nothing_is_nothing():
    """No source, no figure."""
    assert mean([]).found is None


def test_groups_keep_weak_and_strong_agents_apart():
    """A source that is not known is in neither."""
    tallies = {name: Tally() for name in ("mine", "claudecode_tbench", "intercode", "claudecode_kimi")}

    assert [(group, list(members)) for group, members in grouped(tallies)] == [
        (WEAK, ["claudecode_kimi", "intercode"]),
        (STRONG, ["claudecode_tbench"]),
        (OTHER, ["mine"]),
    ]
    assert group_of("mine") == OTHER


@pytest.mark.parametrize(
    ("hits", "trials", "low", "high"),
    [
        (8, 12, 0.391, 0.862),  # the example of the corpus: 67%, 95% interval about 39 to 86%
        (0, 7, 0.0, 0.354),
        (5, 5, 0.566, 1.0),
    ],
)
def test_wilson_by_the_book(hits, trials, low, high):
    """Bounds to three places, worked out apart from the code."""
    assert wilson(hits, trials) == (pytest.approx(low, abs=5e-4), pytest.approx(high, abs=5e-4))


@given(st.integers(1, 500).flatmap(lambda trials: st.tuples(st.integers(0, trials), st.just(trials))))
def test_wilson_holds_the_share_within_0_and_1(sample):
    """The interval is around what was seen."""
    hits, trials = sample
    low, high = wilson(hits, trials)

    assert 0 <= low <= hits / trials + 1e-12
    assert hits / trials - 1e-12 <= high <= 1


@given(runs)
def test_a_stop_is_never_before_the_first_hint(said):
    """Whoever ends a run has intervened by then."""
    ended, told = stop(said), hint(said)

    assert ended is None or (told is not None and told.call <= ended.call)


@given(runs)
def test_nothing_gets_past_a_stop(said):
    """From the stop to the first halt, or to the end, no call is let through."""
    ended = stop(said)
    halted = next((row.call for row in said if row.action == "halt"), len(said))

    assert ended is None or all(RANK[row.action] >= RANK["deny"] for row in said[ended.call - 1 : halted])


@given(runs, st.integers(1, 30), st.booleans())
def test_no_more_is_saved_than_there_was(said, onset, success):
    """Shares stay within 0 and 1, wherever the onset is said to be."""
    tally = whole([of_run(run(success=success), said, None), of_label(said, loop(onset))])

    for level in (tally.hint, tally.stop):
        assert level.onset_saved <= tally.onset_calls
        assert level.failed_saved <= tally.failed_calls
        assert level.ok_lost <= tally.ok_calls


@given(st.lists(st.tuples(runs, st.sampled_from(VERDICTS)), max_size=6), st.randoms())
def test_tallies_add_up_in_any_order(parts, random):
    """So a corpus may be measured in pieces, by several processes."""
    tallies = [of_label(said, loop(1) if name == "loop" else verdict(name)) for said, name in parts]
    shuffled = random.sample(tallies, len(tallies))

    for level in ("hint", "stop"):
        one, other = whole(tallies), whole(shuffled)
        assert rates(one, getattr(one, level)) == rates(other, getattr(other, level))
