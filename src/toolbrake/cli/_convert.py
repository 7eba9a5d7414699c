"""``toolbrake convert``: recorded runs as traces."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from toolbrake.cli._output import Complaints
from toolbrake.cli._status import FINE, UNREADABLE, USAGE
from toolbrake.scan.model import Unreadable
from toolbrake.scan.trace import dumps, read_paths

if TYPE_CHECKING:
    import argparse

    from _typeshed import SupportsWrite

_DESCRIPTION = """Read recorded runs and write them as a trace, one trajectory a line.

Calls get the step that their place in the run tells; events of unknown types and unknown fields are kept."""


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand."""
    parser = commands.add_parser("convert", help="write recorded runs as a trace")
    parser.description = _DESCRIPTION
    parser.add_argument(
        "paths", nargs="+", metavar="PATH", help="a trace, plain or gzip; a folder of them; - for standard input"
    )
    parser.add_argument(
        "--from", dest="reader", choices=["trace"], default="trace", help="format of the input; so far only trace"
    )
    parser.add_argument("--to", choices=["trace"], default="trace", help="format of the output; so far only trace")
    parser.add_argument("--out", metavar="FILE", help="where to write (default: standard output)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Convert every trajectory; the exit status."""
    if arguments.out is None:
        return _convert(arguments.paths, sys.stdout)
    out = Path(arguments.out)
    try:
        # Written beside and put in place at the end, so that a file can be converted onto itself.
        with tempfile.NamedTemporaryFile("w", dir=out.parent, delete=False, encoding="utf-8") as beside:
            status = _convert(arguments.paths, beside)
        Path(beside.name).replace(out)
    except OSError as fault:
        print(f"toolbrake: {arguments.out} cannot be written: {fault.strerror}", file=sys.stderr)
        return USAGE
    return status


def _convert(paths: list[str], out: SupportsWrite[str]) -> int:
    complaints = Complaints()
    for item in read_paths(paths):
        complaints.hear(item)
        if not isinstance(item, Unreadable):
            print(dumps(item), file=out)
    return UNREADABLE if complaints.end() else FINE
