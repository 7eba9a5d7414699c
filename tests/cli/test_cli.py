"""The command: what each subcommand prints, to which stream, and with what exit status it ends."""

from __future__ import annotations

import gzip
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import toolbrake
from toolbrake.cli import main

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(toolbrake.__file__).parents[1]), "PYTHONUNBUFFERED": ""}


def line(*tools, id="t1", **fields):
    """One line of a trace: calls of those tools, each with its result."""
    told = []
    for place, tool in enumerate(tools, 1):
        told.append({"type": "call", "id": f"c{place}", "tool": tool, "args": {"q": "x"}})
        told.append({"type": "result", "id": f"c{place}", "content": "text", "error": False})
    return json.dumps({"version": 1, "id": id, "events": told, **fields}) + "\n"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """An empty folder, in which relative paths start, and no settings in the environment."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DSH_LOOP_BRAKE_MAX_REPEATS", raising=False)
    return tmp_path


@pytest.fixture
def trace(folder):
    """A trace of a run that calls one tool three times, and of one that does not."""
    path = folder / "runs.jsonl"
    path.write_text(line("search", "search", "search") + line("read", "list", id="t2"))
    return "runs.jsonl"


def command(*arguments, **environment):
    """The command in a process of its own."""
    return subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "-m", "toolbrake", *arguments],
        capture_output=True,
        check=False,
        text=True,
        env=ENVIRONMENT | environment,
    )


# The command itself


def test_version(capsys):
    """--version prints name and version, and is fine."""
    with pytest.raises(SystemExit) as ended:
        main(["--version"])

    assert capsys.readouterr().out == f"toolbrake {toolbrake.__version__}\n"
    assert ended.value.code == 0


@pytest.mark.parametrize(
    "words", [[], ["replay"], ["convert"], ["eval"], ["config"], ["config", "check"]], ids=" ".join
)
def test_help(capsys, words):
    """Every subcommand explains itself and is fine."""
    with pytest.raises(SystemExit) as ended:
        main([*words, "--help"])

    assert capsys.readouterr().out.startswith(f"usage: {' '.join(['toolbrake', *words])}")
    assert ended.value.code == 0


def test_help_tells_the_exit_statuses(capsys):
    """The command's help holds the table of exit statuses."""
    with pytest.raises(SystemExit):
        main(["--help"])

    text = capsys.readouterr().out

    assert all(f"\n  {status}  " in text for status in (0, 1, 2, 3, 130))


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["nosuch"],
        ["replay"],
        ["convert"],
        ["config"],
        ["replay", "a", "--nosuch"],
        ["replay", "a", "--fail-on", "x"],
    ],
    ids=lambda words: " ".join(words) or "nothing",
)
def test_wrong_usage(capsys, words):
    """Wrong usage ends with 2 and says on the error stream how it is used."""
    with pytest.raises(SystemExit) as ended:
        main(words)

    said = capsys.readouterr()
    assert ended.value.code == 2
    assert (said.out, said.err.startswith("usage: toolbrake")) == ("", True)


def test_module_is_the_command(trace):
    """``python -m toolbrake`` is the command, exit status included."""
    ended = command("replay", trace, "--policy", "brake", "--fail-on", "deny")

    assert ended.returncode == 1
    assert ended.stdout.startswith("t1: 3 calls, deny 1\n")
    assert ended.stderr == ""


# replay


def test_replay(capsys, trace):
    """Replay prints a line a run, and one for each call that a rule spoke to."""
    status = main(["replay", trace, "--policy", "brake"])

    assert capsys.readouterr().out == (
        "t1: 3 calls, deny 1\n  call 3  deny    search  brake: count 3, denied from 3 on\nt2: 2 calls, nothing to say\n"
    )
    assert status == 0


def test_replay_of_a_ready_policy_by_default(capsys, trace):
    """Without --policy the standard one is replayed."""
    assert main(["replay", trace]) == 0
    assert capsys.readouterr().out.startswith("t1: 3 calls, ")


def test_replay_json(capsys, trace):
    """With --json there is one object a call, with the documented keys in their order."""
    main(["replay", trace, "--policy", "brake", "--json"])
    rows = [json.loads(text) for text in capsys.readouterr().out.splitlines()]

    assert [(row["trajectory"], row["call"]) for row in rows] == [("t1", 1), ("t1", 2), ("t1", 3), ("t2", 1), ("t2", 2)]
    assert list(rows[2]) == [
        "trajectory",
        "call",
        "id",
        "tool",
        "action",
        "phase",
        "rule",
        "count",
        "limit",
        "halted",
        "findings",
    ]
    assert set(rows[2]["findings"][0]) == {"rule", "action", "tool", "count", "limit", "period", "fingerprint"}


def test_json_row_of_a_denied_call(capsys, trace):
    """The object of a denied call holds the evidence."""
    main(["replay", trace, "--policy", "brake", "--json"])
    row = json.loads(capsys.readouterr().out.splitlines()[2])

    findings = row.pop("findings")

    assert row == {
        "trajectory": "t1",
        "call": 3,
        "id": "c3",
        "tool": "search",
        "action": "deny",
        "phase": "before",
        "rule": "brake",
        "count": 3,
        "limit": 3,
        "halted": False,
    }
    assert [finding["count"] for finding in findings] == [3]


def test_as_recorded(capsys, trace):
    """With --as-recorded the same is said, and nothing is changed by it."""
    main(["replay", trace, "--policy", "brake", "--as-recorded"])

    assert "call 3  deny" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("policy", "bar", "status"),
    [
        ("brake", None, 0),
        ("brake", "remind", 1),
        ("brake", "deny", 1),
        ("brake", "halt", 0),
        ("reminder", "remind", 1),
        ("reminder", "ask", 0),
        ("reminder", "deny", 0),
    ],
)
def test_fail_on(trace, policy, bar, status):
    """With --fail-on the command ends with 1 at that action or a stronger one, and only then."""
    assert main(["replay", trace, "--policy", policy, *(["--fail-on", bar] if bar else [])]) == status


def test_policy_from_a_file(folder, trace):
    """A policy can be a file."""
    (folder / "mine.json").write_text('{"rules": {"brake": {"max_repeats": 1}}}')

    assert main(["replay", trace, "--policy", "mine.json", "--fail-on", "deny"]) == 1


def test_policy_that_cannot_be_built(capsys, trace, folder):
    """A policy with problems ends with 2, every problem on the error stream, and nothing replayed."""
    (folder / "mine.json").write_text('{"rules": {"brake": {"max_repeats": 0}, "reminder": {"thresholds": []}}}')

    status = main(["replay", trace, "--policy", "mine.json"])

    said = capsys.readouterr()
    assert (status, said.out) == (2, "")
    assert "max_repeats" in said.err
    assert "thresholds" in said.err


# Input that cannot be read


def test_unreadable_line(capsys, folder):
    """A line that cannot be read is told on the error stream, the rest is done, and the status is 3."""
    (folder / "a.jsonl").write_text(line("read") + "{nope\n" + line("list", id="t2"))

    status = main(["replay", "a.jsonl", "--policy", "brake"])

    said = capsys.readouterr()
    assert status == 3
    assert said.out == "t1: 1 call, nothing to say\nt2: 1 call, nothing to say\n"
    assert said.err.startswith("a.jsonl:2: no JSON")


def test_unreadable_outranks_a_finding(folder):
    """Where something could not be read, a finding at the bar does not hide it."""
    (folder / "a.jsonl").write_text(line("x", "x", "x") + "{nope\n")

    assert main(["replay", "a.jsonl", "--policy", "brake", "--fail-on", "deny"]) == 3


@pytest.mark.parametrize("name", ["replay", "convert"])
def test_missing_file(capsys, trace, name):
    """A file that is not there is told, and the others are done."""
    status = main([name, "missing.jsonl", trace, *(["--policy", "brake"] if name == "replay" else [])])

    said = capsys.readouterr()
    assert status == 3
    assert said.err == "missing.jsonl: No such file or directory\n"
    assert "t1" in said.out


def test_folder(capsys, folder):
    """A folder stands for every trace in it, plain or packed."""
    (folder / "runs").mkdir()
    (folder / "runs" / "b.jsonl").write_text(line("x", id="b"))
    (folder / "runs" / "a.jsonl.gz").write_bytes(gzip.compress(line("x", id="a").encode()))
    main(["replay", "runs", "--policy", "brake"])

    assert [text.partition(":")[0] for text in capsys.readouterr().out.splitlines()] == ["a", "b"]


class Input:
    """A standard input that gives those bytes, and then what a ``fault`` is."""

    def __init__(self, data, fault=None):
        self.buffer = self
        self.data = io.BytesIO(data)
        self.fault = fault

    def __iter__(self):
        yield from self.data
        if self.fault is not None:
            raise self.fault


def test_standard_input(capsys, monkeypatch):
    """A dash stands for standard input."""
    monkeypatch.setattr(sys, "stdin", Input((line("x") + "{nope\n").encode()))

    status = main(["replay", "-", "--policy", "brake"])

    said = capsys.readouterr()
    assert status == 3
    assert said.out == "t1: 1 call, nothing to say\n"
    assert said.err.startswith("standard input:2: ")


def test_interrupt(capsys, monkeypatch):
    """Ctrl-C ends with 130, without a traceback, and what was printed stands."""
    monkeypatch.setattr(sys, "stdin", Input(line("x").encode(), KeyboardInterrupt()))

    status = main(["replay", "-", "--policy", "brake"])

    said = capsys.readouterr()
    assert (status, said.err) == (130, "")
    assert said.out == "t1: 1 call, nothing to say\n"


# Odd names


ODD = [
    ("lone surrogate", "a\ud800b"),
    ("line feed", "a\nt9: 9 calls, deny 9"),
    ("escape", "a\x1b[2Jb"),
    ("right to left", "a\u202eb"),
]


@pytest.mark.parametrize("name", [row[1] for row in ODD], ids=[row[0] for row in ODD])
def test_odd_tool_names(capsys, folder, name):
    """A tool's name cannot break a line of the report, or move the cursor in it."""
    (folder / "a.jsonl").write_text(line(name, name, name))

    status = main(["replay", "a.jsonl", "--policy", "brake"])

    lines = capsys.readouterr().out.split("\n")
    assert status == 0
    assert len(lines) == 3
    assert not set("".join(lines)) & set("\x1b\u202e\ud800")


@pytest.mark.parametrize("name", [row[1] for row in ODD], ids=[row[0] for row in ODD])
def test_odd_ids(capsys, folder, name):
    """A run's id cannot break a line of the report, or move the cursor in it, either."""
    (folder / "a.jsonl").write_text(line("x", id=name))

    status = main(["replay", "a.jsonl", "--policy", "brake"])

    text = capsys.readouterr().out
    assert status == 0
    assert text.count("\n") == 1
    assert not set(text) & set("\x1b\u202e\ud800")


@pytest.mark.parametrize("name", [row[1] for row in ODD], ids=[row[0] for row in ODD])
def test_odd_names_in_json(capsys, folder, name):
    """In the machine form a name comes back as it was."""
    (folder / "a.jsonl").write_text(line(name))
    main(["replay", "a.jsonl", "--policy", "brake", "--json"])

    assert json.loads(capsys.readouterr().out)["tool"] == name


# convert


def test_convert(capsys, trace):
    """A converted trace says the same, with the step of each call told from its place."""
    status = main(["convert", trace])

    first, _ = capsys.readouterr().out.splitlines()
    assert status == 0
    assert json.loads(first)["events"][0] == {
        "type": "call",
        "id": "c1",
        "tool": "search",
        "args": {"q": "x"},
        "step": "step 1",
    }


def test_convert_is_stable(capsys, folder, trace):
    """A converted trace converts to itself."""
    main(["convert", trace, "--out", "once.jsonl"])
    main(["convert", "once.jsonl", "--out", "twice.jsonl"])

    assert (folder / "twice.jsonl").read_bytes() == (folder / "once.jsonl").read_bytes()
    assert capsys.readouterr().out == ""


def test_convert_keeps_what_it_does_not_know(capsys, folder):
    """Unknown events and fields, big integers and lone surrogates come through."""
    events = [{"type": "x_notice", "n": 2**70}, {"type": "user", "content": "\ud800", "x_host": True}]
    (folder / "a.jsonl").write_text(json.dumps({"events": events, "x_cost": 1}))
    status = main(["convert", "a.jsonl"])
    said = json.loads(capsys.readouterr().out)

    assert status == 0
    assert (said["events"], said["x_cost"]) == (events, 1)


def test_convert_leaves_out_what_it_cannot_read(capsys, folder):
    """What cannot be read is told and left out, the rest is written, and the status is 3."""
    (folder / "a.jsonl").write_text("{nope\n" + line("x"))

    status = main(["convert", "a.jsonl", "--out", "b.jsonl"])

    assert status == 3
    assert capsys.readouterr().err.startswith("a.jsonl:1: ")
    assert len((folder / "b.jsonl").read_text().splitlines()) == 1


def test_convert_onto_itself(folder, trace):
    """Writing onto the file that is read does not lose its runs."""
    main(["convert", trace, "--out", trace])

    assert len((folder / trace).read_text().splitlines()) == 2


def test_convert_to_where_nothing_can_be_written(capsys, trace):
    """An output that cannot be written is wrong usage, told without a traceback."""
    status = main(["convert", trace, "--out", "missing/b.jsonl"])

    assert status == 2
    assert "missing/b.jsonl" in capsys.readouterr().err


# config check


def test_config_check(capsys):
    """A good policy is printed whole, as JSON that is a policy itself."""
    status = main(["config", "check", "brake"])

    said = capsys.readouterr()
    assert (status, said.err) == (0, "")
    assert json.loads(said.out)["rules"] == {"brake": {"max_repeats": 3}}


def test_config_check_of_what_it_printed(capsys, folder):
    """What is printed of a policy checks as the same policy."""
    main(["config", "check", "breaker"])
    first = capsys.readouterr().out
    (folder / "again.json").write_text(first)
    main(["config", "check", "again.json"])

    assert capsys.readouterr().out == first


def test_config_check_prints_every_problem(capsys, folder):
    """Every problem is printed at once, each on a line of its own, and the status is 2."""
    (folder / "bad.json").write_text('{"rules": {"brake": {"max_repeats": 0}, "nosuch": {}}, "on_error": "maybe"}')

    status = main(["config", "check", "bad.json"])

    said = capsys.readouterr()
    first, *problems = said.err.splitlines()
    assert (status, said.out, first) == (2, "", "bad.json: 3 problems")
    assert [word in said.err for word in ("max_repeats", "nosuch", "on_error")] == [True] * 3
    assert len(problems) == 3


def test_config_check_of_nothing(capsys):
    """A policy that is neither a file nor a ready one is a problem."""
    assert main(["config", "check", "missing.json"]) == 2
    assert "missing.json" in capsys.readouterr().err


# Pipes


def into_a_closed_pipe(*arguments):
    """The command whose output nobody reads any more."""
    reader, writer = os.pipe()
    os.close(reader)
    try:
        return subprocess.run(  # noqa: S603 - our own command
            [sys.executable, "-m", "toolbrake", *arguments],
            stdout=writer,
            stderr=subprocess.PIPE,
            check=False,
            text=True,
            env=ENVIRONMENT,
        )
    finally:
        os.close(writer)


@pytest.mark.parametrize("runs", [1, 5_000], ids=["little output", "much output"])
def test_broken_pipe(folder, runs):
    """A reader that goes away, as ``head`` does, is no error and draws no traceback."""
    (folder / "many.jsonl").write_text(line("x", "y") * runs)

    ended = into_a_closed_pipe("replay", "many.jsonl", "--policy", "brake", "--json")

    assert (ended.returncode, ended.stderr) == (0, "")


def test_output_in_another_encoding(folder):
    """A terminal that cannot show a character does not end the report."""
    (folder / "a.jsonl").write_text(line("søk", "søk", "søk"))

    ended = command("replay", "a.jsonl", "--policy", "brake", PYTHONIOENCODING="ascii")

    assert ended.returncode == 0
    assert "call 3  deny" in ended.stdout
