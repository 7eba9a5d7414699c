"""``toolbrake demo``: a stuck agent with and without a guard, and the loops of a recorded run."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from toolbrake.cli._status import FINE
from toolbrake.config import load
from toolbrake.errors import MissingExtraError

if TYPE_CHECKING:
    import argparse

    from rich.console import Console

_DESCRIPTION = """Run a scripted LangChain agent that is stuck, once without a guard and once with one, and show both.
Then replay recorded runs of a coding agent, which are invented, and list the loops in them.

Nothing leaves the machine and no model is asked: the model is a script that reads what it is sent."""

_SCRIPT = """The scripted model reads what it is sent, ignores reminders and obeys the first denial; a real model may do
either with both. The estimate of tokens is all characters that the model was sent, step by step, divided by 4."""


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand."""
    parser = commands.add_parser("demo", help="show a stuck agent with and without a guard")
    parser.description = _DESCRIPTION
    parser.add_argument(
        "--policy",
        default="standard",
        metavar="NAME_OR_FILE",
        help="a ready policy or a policy file (default: %(default)s)",
    )
    parser.add_argument("--trace", action="store_true", help="print the recorded runs instead, as a trace")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Show both halves; the exit status. Without LangChain the second half is shown before the error is raised."""
    from toolbrake.demo.recorded import trace  # noqa: PLC0415 - no other command needs the demo

    if arguments.trace:
        sys.stdout.write(trace())
        return FINE
    load(arguments.policy)
    from toolbrake.demo.drawing import console  # noqa: PLC0415 - rich is an extra

    out = console()
    try:
        _show_agents(out, arguments.policy)
    except MissingExtraError:
        _show_recorded(out, arguments.policy)
        raise
    _show_recorded(out, arguments.policy)
    return FINE


def _show_agents(out: Console, policy: str) -> None:
    from toolbrake.demo.agent import run_guarded, run_unguarded  # noqa: PLC0415 - LangChain is an extra
    from toolbrake.demo.drawing import side_by_side, totals  # noqa: PLC0415 - rich is an extra
    from toolbrake.demo.model import QUESTION  # noqa: PLC0415 - LangChain is an extra

    unguarded, guarded = run_unguarded(), run_guarded(policy)
    out.rule("An agent that is stuck")
    out.print(f'\nBoth are asked: "{QUESTION}"')
    out.print(side_by_side(unguarded, guarded, policy))
    out.print(totals(unguarded, guarded))
    out.print(" ".join(_SCRIPT.split()) + "\n")


def _show_recorded(out: Console, policy: str) -> None:
    from toolbrake.demo.drawing import loops  # noqa: PLC0415 - rich is an extra
    from toolbrake.demo.recorded import replay_trace  # noqa: PLC0415 - as above

    runs = replay_trace(load(policy))
    calls, said = sum(len(run.rows) for run in runs), sum(len(run.said) for run in runs)
    out.rule(f"Recorded runs, replayed with the policy {policy}")
    out.print(loops(runs))
    out.print(f"{calls - said} of the {calls} calls would have been let through without a word.")
    out.print("toolbrake demo --trace prints the runs; toolbrake replay FILE replays any such file.")
