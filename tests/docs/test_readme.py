"""What the README says in tables is what the code does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from toolbrake.cli import _status, main
from toolbrake.config import load
from toolbrake.policies import READY

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


def rows(first):
    """The rows of the table whose first column is headed so, as tuples of cells."""
    table = re.search(rf"^\| {first} \|.*\n\|.*\n((?:\|.*\n)+)", README, flags=re.MULTILINE)
    return [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in table[1].splitlines()]


def standard():
    """Every ladder of the policy ``standard``, by the rule's name; a second one by its key behind it."""
    rules = load("standard").composed["rules"]
    return {
        rule if key == "ladder" else f"{rule}.{key}": value
        for rule, settings in rules.items()
        for key, value in settings.items()
        if isinstance(value, dict) and key != "tools"
    }


def cells(ladder):
    """A ladder as the table writes it."""
    reminders = ", ".join(map(str, ladder.get("remind", [])))
    return reminders, str(ladder.get("deny", "")), str(ladder.get("halt", ""))


def test_ladders():
    """The table of rules holds every ladder of the default policy, in its order, with its counts."""
    assert [(row[0].strip("`"), row[2:]) for row in rows("rule")] == [
        (name, cells(ladder)) for name, ladder in standard().items()
    ]


def test_waiting():
    """The number of minutes after which a poll draws a reminder is the rule's own."""
    minutes = load("standard").composed["rules"]["waiting"]["after"] / 60

    assert f"`waiting` also reminds after {minutes:.0f} minutes without news" in README


def test_policies():
    """The table of policies names every ready one."""
    assert [name for row in rows("policy") for name in re.findall(r"`(\w+)`", row[0])] == list(READY)


def test_commands(capsys):
    """The table of commands names every subcommand."""
    with pytest.raises(SystemExit):
        main(["--help"])
    known = re.findall(r"^    (\w+) ", capsys.readouterr().out, flags=re.MULTILINE)

    assert sorted(row[0].strip("`").split()[1] for row in rows("command")) == sorted(known)


def test_exit_statuses():
    """The table of exit statuses holds every status that a command ends with."""
    known = [value for name, value in vars(_status).items() if name.isupper()]

    assert [int(row[0]) for row in rows("exit status")] == sorted(known)
