"""Tables as plain text and as Markdown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


@dataclass(frozen=True, slots=True)
class Table:
    """A title, a line that says how to read it (or none), the columns' names and rows of as many cells."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


def text(tables: Iterable[Table]) -> str:
    """Columns side by side, the first one to the left, the others to the right where they hold numbers."""
    return "\n\n".join(_text(table) for table in tables)


def markdown(tables: Iterable[Table]) -> str:
    """A heading and a table each."""
    return "\n\n".join(_markdown(table) for table in tables)


def _text(table: Table) -> str:
    lines = [table.columns, *table.rows]
    widths = [max(len(line[place]) for line in lines) for place in range(len(table.columns))]
    right = [place > 0 and _numeric(row[place] for row in table.rows) for place in range(len(table.columns))]
    body = [_line(line, widths, right) for line in lines]
    return "\n".join([table.title, *([table.note] if table.note else []), *(f"  {line}".rstrip() for line in body)])


def _line(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    return "  ".join(
        cell.rjust(width) if to_right else cell.ljust(width)
        for cell, width, to_right in zip(cells, widths, right, strict=True)
    )


def _numeric(cells: Iterable[str]) -> bool:
    return all(cell[:1] in "0123456789-+" for cell in cells)


def _markdown(table: Table) -> str:
    rule = " | ".join("---" for _ in table.columns)
    rows = [_row(row) for row in table.rows]
    head = [f"### {table.title}", "", *([table.note, ""] if table.note else [])]
    return "\n".join([*head, _row(table.columns), f"| {rule} |", *rows])


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
