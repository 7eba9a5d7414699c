"""Tables, the document, and the probes they tell of."""

import json

import pytest

from toolbrake.core.policy import Policy
from toolbrake.rules.brake import Brake
from toolbrake.rules.reminder import Reminder
from toolbrake.scan.evaluate.cases import packaged
from toolbrake.scan.evaluate.corpus import Intervention, Measured
from toolbrake.scan.evaluate.document import as_mapping
from toolbrake.scan.evaluate.judging import judge
from toolbrake.scan.evaluate.layout import Table, markdown, text
from toolbrake.scan.evaluate.metrics import Level, Tally
from toolbrake.scan.evaluate.probes import ROUNDS, probe, probes
from toolbrake.scan.evaluate.report import Evaluation, tables
from toolbrake.scan.evaluate.subject import Subject

REMINDER = Subject("reminder", Policy([Reminder()]))
BRAKE = Subject("brake", Policy([Brake()]))


def evaluation(measured=None, cases=()):
    subjects = (REMINDER, BRAKE) if cases else ()
    return Evaluation(
        policies=("reminder", "brake"),
        probes={subject.name: probe(subject) for subject in (REMINDER, BRAKE)},
        judgements={subject.name: [judge(case, subject, halts=False) for case in cases] for subject in subjects},
        measured=measured,
    )


def measured():
    """Two sources of one group and one of the other, under one policy that says the same of both."""
    hint = Level(found=3, delays=[0, 2, 9], onset_saved=10, on_polling=1, failed_fired=2, failed_saved=30)
    weak = Tally(runs=8, calls=100, failed_runs=4, failed_calls=60, loops=4, onset_calls=40, polling=1, hint=hint)
    strong = Tally(runs=2, calls=20, ok_runs=2, ok_calls=20)
    tallies = {"intercode": weak, "claudecode_kimi": Tally(loops=1, onset_calls=5), "miniswe_gemini3": strong}
    said = Intervention("miniswe_gemini3", "run/7", 4, "bash", "reminder", "remind")
    return Measured(tallies={"reminder": tallies, "brake": tallies}, interventions={"reminder": [said]}, labels=9)


def named(shown, title):
    (table,) = [table for table in shown if table.title.startswith(title)]
    return {row[0]: dict(zip(table.columns, row, strict=True)) for row in table.rows}


def test_eleven_probes_seven_of_them_loops():
    """Every name is there once, and every loop goes round often enough for any window."""
    all_of_them = probes()

    assert [each.loop for each in all_of_them] == [True] * 7 + [False] * 4
    assert len({each.name for each in all_of_them}) == 11
    assert all(len(each.run.events) >= 1 + 2 * ROUNDS for each in all_of_them)


def test_what_an_exact_counter_does_with_the_probes():
    """It sees the same call, also with its keys in another order, and takes a poll for a loop."""
    caught = {each.name: each.first.call for each in probe(BRAKE) if each.first is not None}

    assert caught == {"same call": 3, "same call, keys in another order": 3, "poll that changes": 3}
    assert sum(each.good for each in probe(BRAKE)) == 5


def test_the_labelled_table():
    """Counts for a source, shares for a mean, and the sample as a whole in counts again."""
    rows = named(tables(evaluation(measured())), "reminder: labelled runs, hint")

    assert rows["intercode"] == {
        "source": "intercode",
        "found": "3/4",
        "95%": "30%-95%",
        "early": "0",
        "polling": "1/1",
        "minor": "-",
        "none": "-",
        "delay": "2",
        "saved": "25.0%",
        "precision": "0.75",
        "+minor": "0.75",
    }
    assert rows["= weak agents, mean of 2"]["found"] == "37.5%"
    assert rows["the sample as a whole"]["found"] == "3/5"
    assert "miniswe_gemini3" not in rows


def test_the_table_of_all_runs():
    """Weak and strong agents have a mean each; there is no total."""
    rows = named(tables(evaluation(measured())), "reminder: all runs")

    assert list(rows) == [
        "claudecode_kimi",
        "intercode",
        "= weak agents, mean of 2",
        "miniswe_gemini3",
        "= strong agents, mean of 1",
    ]
    assert rows["intercode"]["could save"] == "50.0%"
    assert rows["miniswe_gemini3"]["ok told"] == "0/2"


def test_listed_interventions():
    """Run, call, tool, action and rule."""
    shown = [table for table in tables(evaluation(measured())) if "interventions in" in table.title]

    assert [table.rows for table in shown] == [(("miniswe_gemini3", "run/7", "4", "bash", "remind", "reminder"),)]


def test_cases_by_aspect_and_need_and_every_miss():
    """A column a policy, and the misses of each."""
    some = [case for case in packaged() if case.id in {"same-dir-listing", "counter-tool", "key-order-swap"}]
    shown = list(tables(evaluation(cases=some)))

    assert named(shown, "Cases: what was asked")["= all of it"] == {
        "aspect": "= all of it",
        "reminder": "2/3",
        "brake": "2/3",
    }
    assert named(shown, "Cases by need").keys() == {"canonical-args", "exact-repeat", "result-aware"}
    assert named(shown, "brake: cases missed") == {
        "counter-tool": {
            "case": "counter-tool",
            "aspect": "leaves alone",
            "expected": "nothing",
            "happened": "deny at call 3 (brake)",
        }
    }


def test_without_a_corpus_and_cases_there_are_the_probes():
    """One table is left."""
    assert [table.title.split(":")[0] for table in tables(evaluation())] == ["Probes"]


@pytest.mark.parametrize("form", [text, markdown])
def test_both_forms_show_every_cell(form):
    """Whatever is in a table is on the page."""
    shown = list(tables(evaluation(measured(), packaged()[:20])))
    page = form(shown)

    assert all(cell in page for table in shown for row in table.rows for cell in row)


def test_text_sets_numbers_to_the_right():
    """The column of words stays on the left."""
    table = Table("T", ("name", "n", "said"), (("a", "5", "no"), ("bb", "12", "nothing")))

    assert text([table]).splitlines() == ["T", "  name   n  said", "  a      5  no", "  bb    12  nothing"]


def test_markdown_keeps_bars_in_a_cell():
    """A bar would end the cell."""
    assert markdown([Table("T", ("a",), (("x|y",),), note="n")]) == "### T\n\nn\n\n| a |\n| --- |\n| x\\|y |"


def test_the_document_is_json_with_counts_rates_and_intervals():
    """One entry a policy, and numbers rather than texts."""
    document = json.loads(json.dumps(as_mapping(evaluation(measured(), packaged()[:2]))))
    policy = document["policies"]["reminder"]

    assert (document["version"], document["unreadable"]) == (1, [])
    assert policy.keys() == {"sources", "groups", "sample", "interventions", "probes", "cases", "halts"}
    assert policy["sources"]["intercode"]["group"] == "weak agents"
    assert policy["sources"]["intercode"]["hint"]["rates"]["found"] == 0.75
    assert policy["sources"]["intercode"]["hint"]["found_95"] == pytest.approx([0.301, 0.954], abs=5e-4)
    assert policy["groups"]["weak agents"]["hint"]["found"] == 0.375
    assert policy["sample"]["hint"]["counts"]["delays"] == [0, 2, 9]
    assert policy["probes"][0] == {
        "name": "same call",
        "loop": True,
        "good": True,
        "call": 3,
        "action": "remind",
        "rule": "reminder",
    }


def test_the_sample_as_a_whole_holds_labelled_figures_only():
    """All runs are never pooled."""
    sample = as_mapping(evaluation(measured()))["policies"]["reminder"]["sample"]

    assert "saved" not in sample["hint"]["rates"]
    assert "runs" not in sample


def test_the_document_without_corpus_and_cases():
    """What was not measured is not there."""
    policy = as_mapping(evaluation())["policies"]["brake"]

    assert policy.keys() == {"probes"}
