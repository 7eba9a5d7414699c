"""The demo on a terminal: two runs side by side, and a table of loops. Without a terminal there is no colour."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolbrake.adapters import _shared as shared

with shared.needs("toolbrake demo", "langchain,cli", packages=("rich",)):
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from toolbrake.demo.recorded import Loop, Replayed
    from toolbrake.demo.run import Run, Step, Told

_STYLES = {"remind": "yellow", "ask": "magenta", "deny": "red", "halt": "bold red"}
_LABELS = {"remind": "reminder", "deny": "denied"}


class _Output(Console):
    def on_broken_pipe(self) -> None:
        """Let the command say what a reader that went away means; rich would end the process with 1."""
        raise BrokenPipeError


def console() -> Console:
    """Standard output. rich takes the colours away for ``NO_COLOR`` and where no terminal is."""
    return _Output(highlight=False, markup=False, emoji=False)


def side_by_side(unguarded: Run, guarded: Run, policy: str) -> Table:
    """Both runs step by step; what only repeats itself to the end is one row."""
    runs = (unguarded, guarded)
    table = _table("step", "without toolbrake", f"with toolbrake, policy {policy}")
    for column in table.columns[1:]:
        column.ratio = 1
    shown = max(_last_news(run.steps) for run in runs)
    for place in range(shown):
        table.add_row(str(place + 1), *(_step(run.steps, place) for run in runs))
    longest = max(len(run.steps) for run in runs)
    if longest > shown:
        table.add_row(f"{shown + 1}-{longest}", *(_repetition(len(run.steps) - shown) for run in runs))
    table.add_section()
    table.add_row("end", *(_end(run) for run in runs))
    return table


def totals(unguarded: Run, guarded: Run) -> Table:
    """What both runs came to in numbers."""
    runs = (unguarded, guarded)
    table = _table("", "without", "with", right=("without", "with"))
    for name, counted in _TOTALS.items():
        table.add_row(name, *(f"{counted(run):,}" for run in runs))
    return table


def loops(runs: Iterable[Replayed]) -> Table:
    """Every call that a policy said something to, run by run."""
    table = _table("run", "call", "tool", "action", "rule", "count", right=("call", "count"))
    for run in runs:
        table.add_section()
        known: Loop | None = None
        for row in run.said:
            loop = run.loop_at(row.call)
            what = "" if loop is None or loop == known else f"{run.id}: {loop.what}"
            action = Text(row.action, _STYLES[row.action])
            table.add_row(what, str(row.call), row.tool, action, row.rule, str(row.count))
            known = loop
    return table


def _table(*headers: str, right: Iterable[str] = ()) -> Table:
    table = Table(box=box.SIMPLE_HEAD)
    for header in headers:
        table.add_column(header, justify="right" if header in right else "left", overflow="fold")
    return table


def _last_news(steps: list[Step]) -> int:
    """The number of the last step that is no mere repetition of an earlier one."""
    calls = [step.call for step in steps]
    return max(place for place, step in enumerate(steps) if step.told or step.call not in calls[:place]) + 1


def _step(steps: list[Step], place: int) -> Text:
    if place >= len(steps):
        return Text()
    step = steps[place]
    lines = [Text(step.said, "italic"), Text(step.call, "bold")]
    if step.result:
        lines.append(Text(f"-> {_result(steps, step.result, place)}", "dim"))
    return Text("\n").join([*lines, *map(_told, step.told)])


def _told(told: Told) -> Text:
    return Text.assemble((f"{_LABELS[told.action]}: ", f"bold {_STYLES[told.action]}"), told.text)


def _result(steps: list[Step], result: str, place: int) -> str:
    first = next(number for number, step in enumerate(steps) if step.result == result)
    return result.partition("\n")[0] if first == place else f"the same as in step {first + 1}"


def _repetition(steps: int) -> Text:
    return Text(f"the same again, {steps} steps more", "dim") if steps > 0 else Text()


def _end(run: Run) -> Text:
    return Text(f"answer: {run.end}", "green") if run.answered else Text(f"no answer. {run.end}", "red")


_TOTALS: dict[str, Callable[[Run], int]] = {
    "steps of the model": lambda run: len(run.turns),
    "calls executed": lambda run: run.executed,
    "reminders": lambda run: run.count("remind"),
    "calls denied": lambda run: run.count("deny"),
    "tokens sent (estimate)": lambda run: run.tokens,
}
"""What is counted of a run, by what the table calls it."""
