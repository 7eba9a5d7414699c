"""``toolbrake config check``: what a configuration comes down to, and every problem in it."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from toolbrake.cli._status import FINE, USAGE
from toolbrake.config import load
from toolbrake.errors import ConfigError

if TYPE_CHECKING:
    import argparse


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand."""
    parser = commands.add_parser("config", help="check a policy file")
    parser.description = "Check a policy file, or see what a ready policy consists of."
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    check = actions.add_parser("check", help="print the composed policy, or every problem in it")
    check.description = "Build a policy and print it with every default filled in, or print every problem in it."
    check.add_argument("file", metavar="FILE", help="a policy file (.yaml, .toml, .json), or a ready policy's name")
    check.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the composed policy; the exit status."""
    try:
        loaded = load(arguments.file)
    except ConfigError as fault:
        count = len(fault.problems)
        print(f"{arguments.file}: {count} {'problem' if count == 1 else 'problems'}", file=sys.stderr)
        for problem in fault.problems:
            print(f"  {problem}", file=sys.stderr)
        return USAGE
    print(json.dumps(loaded.composed, indent=2, ensure_ascii=False))
    for row in loaded.ignored:
        print(f"not ours, ignored: {row}", file=sys.stderr)
    return FINE
