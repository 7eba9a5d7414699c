"""``toolbrake replay``: what a policy would have said to recorded runs."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from toolbrake.cli._output import Complaints, machine, shown
from toolbrake.cli._status import FINE, FOUND, UNREADABLE
from toolbrake.config import load
from toolbrake.core.canonical import accelerate
from toolbrake.core.decision import ACTIONS, RANK
from toolbrake.scan.model import Unreadable
from toolbrake.scan.replay import as_recorded, replay
from toolbrake.scan.trace import read_paths

if TYPE_CHECKING:
    import argparse

    from toolbrake.core.decision import Action
    from toolbrake.scan.model import Row

_DESCRIPTION = """Fold a policy over recorded runs and print what it says to each call.

A denied call gets the denial as its result, the recorded result is dropped, and the next recorded call is taken as
what the model did next. With --as-recorded all results are taken as they are."""


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand."""
    parser = commands.add_parser("replay", help="say what a policy would have done in recorded runs")
    parser.description = _DESCRIPTION
    parser.add_argument(
        "paths", nargs="+", metavar="PATH", help="a trace, plain or gzip; a folder of them; - for standard input"
    )
    parser.add_argument(
        "--policy",
        default="standard",
        metavar="NAME_OR_FILE",
        help="a ready policy or a policy file (default: %(default)s)",
    )
    parser.add_argument("--as-recorded", action="store_true", help="take all results as they are; only report")
    parser.add_argument(
        "--json", action="store_true", help="print one JSON object for each call, also for those let through"
    )
    parser.add_argument(
        "--fail-on",
        choices=[action for action in ACTIONS if action != "allow"],
        help="exit 1 at this action or a stronger one",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Replay every trajectory; the exit status."""
    accelerate()
    loaded = load(arguments.policy)
    policy = as_recorded(loaded.policy) if arguments.as_recorded else loaded.policy
    print_rows = _print_json if arguments.json else _print_text
    complaints, strongest = Complaints(), 0
    for item in read_paths(arguments.paths):
        complaints.hear(item)
        if isinstance(item, Unreadable):
            continue
        rows = replay(item, policy, idle=loaded.limits.idle)
        print_rows(item.id, rows)
        strongest = max([strongest, *(RANK[row.action] for row in rows)])
    if complaints.end():
        return UNREADABLE
    return FOUND if arguments.fail_on and strongest >= RANK[arguments.fail_on] else FINE


def _print_json(_: str, rows: list[Row]) -> None:
    for row in rows:
        print(machine(row.as_mapping()))


def _print_text(trajectory: str, rows: list[Row]) -> None:
    said = [row for row in rows if row.action != "allow"]
    print(f"{shown(trajectory)}: {len(rows)} {'call' if len(rows) == 1 else 'calls'}, {_summary(said)}")
    for row in said:
        when = "told with the result" if row.phase == "after" else f"{_DONE[row.action]} from {row.limit} on"
        print(f"  call {row.call}  {row.action:<6}  {shown(row.tool)}  {row.rule}: count {row.count}, {when}")


_DONE = {"remind": "told", "ask": "asked", "deny": "denied", "halt": "halted"}


def _summary(said: list[Row]) -> str:
    counts: Counter[Action] = Counter(row.action for row in said)
    return ", ".join(f"{action} {counts[action]}" for action in ACTIONS if counts[action]) or "nothing to say"
