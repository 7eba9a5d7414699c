"""``toolbrake eval``: arguments in, report and exit status out."""

import argparse
import json

import pytest

from toolbrake.cli import _eval

RUN = {
    "id": "r/1",
    "source": "invented",
    "success": True,
    "events": [
        event
        for number in range(1, 5)
        for event in (
            {"type": "call", "id": f"c{number}", "tool": "search", "args": {"q": "canary"}},
            {"type": "result", "id": f"c{number}", "error": False, "content": "canary"},
        )
    ],
}


def evaluate(*arguments):
    parser = argparse.ArgumentParser()
    _eval.add(parser.add_subparsers())
    parsed = parser.parse_args(["eval", *arguments])
    return parsed.run(parsed)


@pytest.fixture
def corpus(tmp_path):
    (tmp_path / "runs.jsonl").write_text(json.dumps(RUN))
    return tmp_path


def test_a_corpus_that_is_measured_whole_is_fine(corpus, capsys):
    """Exit 0, with the corpus, the probes and the cases."""
    status = evaluate("--policy", "brake", "--corpus", str(corpus))
    out = capsys.readouterr().out

    assert status == 0
    assert "brake: all runs" in out
    assert "Probes:" in out
    assert "Cases by need" in out


@pytest.mark.parametrize("folder", ["nowhere", "."])
def test_without_a_corpus_the_rest_is_measured_and_the_status_2(tmp_path, monkeypatch, capsys, folder):
    """The message names the folder and the way out."""
    monkeypatch.chdir(tmp_path)
    status = evaluate("--policy", "brake", "--corpus", folder, "--cases", "none")
    printed = capsys.readouterr()

    assert status == 2
    assert f"no corpus: {folder}" in printed.err
    assert "--corpus none" in printed.err
    assert "Probes:" in printed.out


def test_no_corpus_wanted_is_fine(capsys):
    """Cases and probes need none."""
    assert evaluate("--policy", "brake", "--corpus", "none", "--cases", "none") == 0
    assert "Cases" not in capsys.readouterr().out


def test_unreadable_lines_are_told_and_the_status_3(corpus, capsys):
    """The rest was measured."""
    (corpus / "more.jsonl").write_text("{broken")

    assert evaluate("--policy", "brake", "--corpus", str(corpus), "--cases", "none") == 3
    assert "more.jsonl:1: no JSON" in capsys.readouterr().err


def test_a_source_that_is_not_there_is_wrong_usage(corpus, capsys):
    """A slip of the pen must not look like a source without runs."""
    assert evaluate("--policy", "brake", "--corpus", str(corpus), "--cases", "none", "--source", "invent") == 2
    assert "no run of invent" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--labels", "--cases"])
def test_files_that_are_no_labels_or_cases_are_wrong_usage(corpus, capsys, option):
    """Named with their line."""
    (corpus / "bad.txt").write_text("{}")

    assert evaluate("--policy", "brake", "--corpus", str(corpus), option, str(corpus / "bad.txt")) == 2
    assert "bad.txt:1: " in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--jobs", "--sample"])
@pytest.mark.parametrize("value", ["0", "-1", "many"])
def test_counts_are_whole_numbers_from_one(capsys, option, value):
    """The parser says so and exits 2."""
    with pytest.raises(SystemExit, match="2"):
        evaluate(option, value)

    assert f"must be a whole number from 1 (got '{value}')" in capsys.readouterr().err


def test_json_is_one_document_without_arguments_or_results(corpus, capsys):
    """Also where interventions are listed."""
    evaluate("--policy", "reminder", "brake", "--corpus", str(corpus), "--cases", "none", "--json", "--list")
    out = capsys.readouterr().out
    document = json.loads(out)

    assert list(document["policies"]) == ["reminder", "brake"]
    assert document["policies"]["brake"]["interventions"][0] == {
        "source": "invented",
        "run": "r/1",
        "call": 3,
        "tool": "search",
        "rule": "brake",
        "action": "deny",
    }
    assert "canary" not in out


def test_markdown_has_headings(capsys):
    """Short for --output markdown."""
    evaluate("--policy", "brake", "--corpus", "none", "--cases", "none", "--markdown")

    assert capsys.readouterr().out.startswith("### Probes")


@pytest.mark.parametrize(("arguments", "asked"), [([], False), (["--halt"], True)])
def test_halts_are_asked_of_unattended_and_of_all_with_halt(capsys, arguments, asked):
    """Other policies are not meant to end runs."""
    evaluate("--policy", "brake", "--corpus", "none", "--json", *arguments)
    (policy,) = json.loads(capsys.readouterr().out)["policies"].values()

    assert policy["halts"] is asked
    assert any(point["aspect"] == "ends the run" for case in policy["cases"] for point in case["points"]) is asked


def test_a_policy_file_is_measured_under_its_path(tmp_path, capsys):
    """A policy named twice is measured once."""
    file = tmp_path / "mine.json"
    file.write_text(json.dumps({"version": 1, "rules": {"brake": {"max_repeats": 2}}}))
    evaluate("--policy", str(file), "--policy", "brake", str(file), "--corpus", "none", "--cases", "none", "--json")
    policies = json.loads(capsys.readouterr().out)["policies"]

    assert list(policies) == [str(file), "brake"]
    assert [policy["probes"][0]["call"] for policy in policies.values()] == [2, 3]
