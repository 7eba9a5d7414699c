"""Folders of runs, label files, samples and processes."""

import gzip
import json
from collections import Counter

import pytest

from toolbrake.core.policy import Policy
from toolbrake.rules.brake import Brake
from toolbrake.rules.reminder import Reminder
from toolbrake.scan.evaluate.corpus import UNNAMED, Extent, Intervention, labels_in, measure_files, runs_in
from toolbrake.scan.evaluate.labels import Label, read_labels
from toolbrake.scan.evaluate.rates import rates
from toolbrake.scan.evaluate.subject import Subject

SUBJECTS = [Subject("reminder", Policy([Reminder()])), Subject("brake", Policy([Brake()]))]


def line(name, calls, *, success=None, source="invented"):
    """A run in which one call is made again and again."""
    events = []
    for number in range(1, calls + 1):
        events.append({"type": "call", "id": f"c{number}", "tool": "search", "args": {"q": "x"}})
        events.append({"type": "result", "id": f"c{number}", "error": False, "content": "none"})
    return json.dumps({"id": name, "source": source, "success": success, "events": events})


@pytest.fixture
def folder(tmp_path):
    """Two files of four and three runs, one packed, and a label file between them."""
    runs = [line("a/1", 6, success=False), line("a/2", 2, success=True), line("a/3", 4, success=True), line("a/4", 1)]
    (tmp_path / "a.jsonl").write_text("\n".join(runs))
    packed = "\n".join([line(f"b/{number}", number, source="other", success=True) for number in (2, 3, 5)])
    (tmp_path / "b.jsonl.gz").write_bytes(gzip.compress(packed.encode()))
    labels = [
        {"trajectory_id": "a/1", "source": "invented", "verdict": "loop", "onset_call": 1},
        {"trajectory_id": "a/3", "source": "invented", "verdict": "minor", "onset_call": None},
        {"trajectory_id": "gone", "source": "lost", "verdict": "none", "onset_call": None},
    ]
    (tmp_path / "LABELS.x.jsonl").write_text("\n".join(json.dumps(label) for label in labels))
    return tmp_path


def measured(folder, *, jobs=1, subjects=SUBJECTS, **extent):
    labels = read_labels(labels_in(str(folder)))
    return measure_files(runs_in(str(folder)), subjects, labels, Extent(**extent), jobs=jobs)


def test_label_files_are_no_runs(folder):
    """They lie in the same folder and are told by their name."""
    (folder / "README.md").write_text("about")

    assert [file.rpartition("/")[2] for file in runs_in(str(folder))] == ["a.jsonl", "b.jsonl.gz"]
    assert [file.rpartition("/")[2] for file in labels_in(str(folder))] == ["LABELS.x.jsonl"]


def test_labels_count_from_one_here(folder):
    """Their files count calls from 0."""
    labels = read_labels(labels_in(str(folder)))

    assert labels["a/1"] == Label("a/1", "invented", "loop", onset=2)
    assert labels["a/3"].onset is None


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"verdict": "loop"}, "an object with a trajectory_id"),
        ({"trajectory_id": "x", "verdict": "yes"}, "verdict must be one of loop, minor, polling, none, unsure"),
        ({"trajectory_id": "x", "verdict": "loop", "onset_call": None}, "a loop needs onset_call"),
        ({"trajectory_id": "x", "verdict": "loop", "onset_call": -1}, "a loop needs onset_call"),
        ({"trajectory_id": "x", "verdict": "loop", "onset_call": True}, "a loop needs onset_call"),
    ],
)
def test_a_line_that_is_no_label_says_why(tmp_path, fields, message):
    """With the file and the line."""
    file = tmp_path / "LABELS.jsonl"
    file.write_text("\n" + json.dumps(fields))

    with pytest.raises(ValueError, match=rf"LABELS.jsonl:2: .*{message}"):
        read_labels([str(file)])


def test_two_labels_of_one_run_are_refused(tmp_path):
    """Which of two readers is right is not for a program to say."""
    file = tmp_path / "LABELS.jsonl"
    file.write_text(json.dumps({"trajectory_id": "x", "verdict": "none"}))

    with pytest.raises(ValueError, match="x has a label already"):
        read_labels([str(file), str(file)])


def test_tallies_by_policy_and_source(folder):
    """Six equal calls are reminded of at the third and denied from it on; onset at the second."""
    out = measured(folder)
    reminder, brake = out.tallies["reminder"]["invented"], out.tallies["brake"]["invented"]

    assert (reminder.runs, reminder.calls, reminder.ok_runs, reminder.failed_calls) == (4, 13, 2, 6)
    assert (reminder.loops, reminder.minor, reminder.onset_calls) == (1, 1, 5)
    assert (reminder.hint.delays, reminder.hint.onset_saved, reminder.stop.found) == ([1], 3, 0)
    assert (brake.hint.delays, brake.hint.onset_saved, brake.stop.onset_saved) == ([1], 4, 4)
    assert (brake.hint.on_minor, brake.stop.ok_fired, brake.stop.ok_lost) == (1, 1, 2)
    assert out.tallies["brake"]["other"].calls == 10
    assert out.labels == 3


def test_interventions_are_listed_where_they_should_surprise(folder):
    """In successful runs that no reader called loop or minor; without arguments."""
    out = measured(folder, interventions=True)

    assert out.interventions == {
        "reminder": [
            Intervention("other", "b/3", 3, "search", "reminder", "remind"),
            Intervention("other", "b/5", 3, "search", "reminder", "remind"),
            Intervention("other", "b/5", 5, "search", "reminder", "remind"),
        ],
        "brake": [
            Intervention("other", "b/3", 3, "search", "brake", "deny"),
            Intervention("other", "b/5", 3, "search", "brake", "deny"),
            Intervention("other", "b/5", 4, "search", "brake", "deny"),
            Intervention("other", "b/5", 5, "search", "brake", "deny"),
        ],
    }


def test_only_the_sources_asked_for(folder):
    """The rest is not measured."""
    assert list(measured(folder, sources=frozenset({"other"})).tallies["brake"]) == ["other"]


def test_a_run_without_a_source_is_kept_apart(tmp_path):
    """It is in no group of a name."""
    (tmp_path / "a.jsonl").write_text(line("a", 1, source=None))

    assert list(measured(tmp_path).tallies["brake"]) == [UNNAMED]


def test_a_sample_is_so_many_of_each_source_and_all_labels(folder):
    """Labelled runs outside the sample count among the labelled ones only."""
    out = measured(folder, sample=1)
    tallies = out.tallies["reminder"]

    assert (tallies["invented"].runs, tallies["other"].runs) == (1, 1)
    assert (tallies["invented"].loops, tallies["invented"].minor) == (1, 1)
    assert measured(folder, sample=100) == measured(folder)


def test_a_sample_is_the_same_every_time(folder):
    """It is drawn by the digest of the runs' ids."""
    assert measured(folder, sample=2) == measured(folder, sample=2)


def test_processes_make_no_difference(folder):
    """Each takes a part of every file, and the parts add up."""
    with (folder / "a.jsonl").open("a") as out:
        out.write("\n{broken\n" + line("a/5", 9, success=False) + "\n")
    one, two = measured(folder, interventions=True), measured(folder, interventions=True, jobs=2)

    assert two.interventions == one.interventions
    assert [str(item) for item in two.unreadable] == [str(item) for item in one.unreadable]
    for policy, sources in one.tallies.items():
        for source, tally in sources.items():
            other = two.tallies[policy][source]
            assert (rates(other, other.hint), rates(other, other.stop)) == (
                rates(tally, tally.hint),
                rates(tally, tally.stop),
            )


def test_what_cannot_be_read_is_told_and_the_rest_measured(folder):
    """With file and line."""
    (folder / "c.jsonl").write_text("{broken\n" + line("c/1", 1, source="third"))
    out = measured(folder)

    assert [(item.file.rpartition("/")[2], item.line) for item in out.unreadable] == [("c.jsonl", 1)]
    assert out.tallies["brake"]["third"].runs == 1


def test_one_run_is_in_memory_at_a_time(tmp_path):
    """A corpus may be larger than the machine: a run is replayed before the next line is read."""
    alive = Counter()

    class Watched(Subject):
        def rows(self, run):
            alive["runs"] += 1
            if alive["runs"] == 1:
                with (tmp_path / "a.jsonl").open("a") as file:
                    file.write("{broken, written while the first run was measured\n")
            return super().rows(run)

    (tmp_path / "a.jsonl").write_text((line("a", 200) + "\n") * 20)
    out = measured(tmp_path, subjects=[Watched("brake", Policy([Brake()]))])

    assert (alive["runs"], len(out.unreadable)) == (20, 1)
