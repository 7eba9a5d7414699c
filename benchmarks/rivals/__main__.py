"""``python -m benchmarks.rivals run NAME...``: measure rivals and put what came out into the results file."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.rivals import measuring
from benchmarks.rivals.catalogue import BY_NAME, OWN
from benchmarks.rivals.environments import HERE, python_of
from benchmarks.rivals.table import markdown
from toolbrake.core.canonical import accelerate

RESULTS = HERE / "results.json"
_CORPUS = HERE.parents[2] / "shared" / "corpus"
_ENVIRONMENTS = Path(tempfile.gettempdir()) / "toolbrake-rivals"
_TOOLBRAKE = "toolbrake"
VERSION = 1


def main(arguments: list[str]) -> int:
    """Run the command; the exit status."""
    given = _parser().parse_args(arguments)
    if given.command == "run":
        unknown = [name for name in given.names if name not in (*BY_NAME, _TOOLBRAKE, "all")]
        if unknown:
            print(f"no rival {', '.join(unknown)}; there are {', '.join(BY_NAME)}, {_TOOLBRAKE}, all", file=sys.stderr)
            return 2
        _run([*BY_NAME, _TOOLBRAKE] if "all" in given.names else given.names, given)
    print(markdown(_read(given.results)), end="")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rivals", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run", help="measure and keep the results")
    run.add_argument("names", nargs="+", metavar="NAME", help=f"{', '.join(BY_NAME)}, {_TOOLBRAKE} or all")
    run.add_argument("--corpus", default=str(_CORPUS), metavar="DIR", help="default: %(default)s")
    run.add_argument("--environments", type=Path, default=_ENVIRONMENTS, metavar="DIR", help="default: %(default)s")
    table = commands.add_parser("table", help="print the kept results")
    for each in (run, table):
        each.add_argument("--results", type=Path, default=RESULTS, metavar="FILE", help="default: %(default)s")
    return parser


def _run(names: list[str], given: argparse.Namespace) -> None:
    accelerate()
    for name in names:
        if name == _TOOLBRAKE:
            measured = measuring.own(OWN, given.corpus)
        else:
            python = python_of(BY_NAME[name], given.environments)
            measured = measuring.rival(BY_NAME[name], python, given.corpus)
        _keep(given.results, measured)


def _keep(file: Path, measured: list[measuring.Measurement]) -> None:
    """Replace what the file says about these subjects; the others stay."""
    results = _read(file)
    results["subjects"].update({each.name: each.fields for each in measured})
    results["subjects"] = dict(sorted(results["subjects"].items()))
    file.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _read(file: Path) -> dict[str, Any]:
    if not file.exists():
        return {"version": VERSION, "subjects": {}}
    results: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return results


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
