"""Invented calls and results of the sizes that the bars name."""

from __future__ import annotations

TYPICAL: dict[str, object] = {
    "query": "open invoices of the last quarter by customer and currency",
    "filters": {"status": ["open", "overdue"], "region": "north", "limit": 50, "archived": False},
    "columns": ["id", "customer", "amount", "currency", "due", "owner"],
    "sort": {"by": "due", "descending": True},
    "page": 3,
    "note": "",
    "locale": "en-GB",
    "path": "reports/finance/quarterly/overview.md",
    "tags": ["finance", "weekly", "draft"],
    "text": "Please keep the order of the columns, and leave out customers without any open position. " * 2,
}
"""Ten keys, nested, 500 to 550 bytes of JSON."""

RESULT = ("row 17: customer 4711, amount 320.50 EUR, due 2031-05-01, owner north\n" * 29)[:2048]
"""A successful answer of 2 KB."""

ERROR = (
    "Traceback (most recent call last):\n"
    + '  File "report.py", line 42, in build\n    rows = load(path, limit=50)\n' * 24
    + "ValueError: cannot parse the date '2031-05-0x' in column due of reports/finance/quarterly/overview.md\n"
)[-2048:]
"""A failed answer of 2 KB."""


def body(size: int) -> dict[str, object]:
    """A call that writes ``size`` bytes of text."""
    line = "Every line of this text is alike, and that is all there is to say about it.\n"
    return {"path": "docs/notes.md", "content": (line * (size // len(line) + 1))[:size]}
