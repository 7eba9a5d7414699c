"""The command. One module a subcommand; each adds its own arguments and returns an exit status."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

from toolbrake._version import __version__
from toolbrake.cli import _config, _convert, _demo, _eval, _replay
from toolbrake.cli._output import prepare
from toolbrake.cli._status import INTERRUPTED, USAGE
from toolbrake.errors import ConfigError, MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Sequence

_EXIT_STATUSES = """exit statuses:
  0    fine
  1    a finding at or above --fail-on, or a failed check
  2    wrong usage or configuration, or an extra is missing
  3    some input could not be read; the rest was done
  130  interrupted
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit status."""
    arguments = _parser().parse_args(argv)
    prepare()
    try:
        return _run(arguments)
    except (ConfigError, MissingExtraError) as problem:
        print("toolbrake: " + str(problem).replace("\n", "\n  "), file=sys.stderr)
        return USAGE
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of our output went away. Python would complain once more when it closes standard output.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _run(arguments: argparse.Namespace) -> int:
    status = int(arguments.run(arguments))
    sys.stdout.flush()  # here, where a pipe that broke is still ours to tell
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="toolbrake",
        description="Notices when an LLM agent is stuck repeating tool calls.",
        epilog=_EXIT_STATUSES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"toolbrake {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for module in (_replay, _convert, _eval, _config, _demo):
        module.add(commands)
    return parser
