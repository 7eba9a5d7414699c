"""What a database client does, by the first words of its statements."""

from __future__ import annotations

from toolbrake.core._command_options import options
from toolbrake.core._command_table import names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolbrake.core._command_effects import Tally

SQL_READS = names(
    "select show explain describe desc values table with pragma analyze list help use set begin end commit rollback"
)
"""First words of statements that change no data; ``with`` and ``pragma`` are looked at more closely."""

SQL_WRITES = names("""
    insert update delete create drop alter truncate replace merge grant revoke vacuum reindex copy load attach detach
    call do comment refresh rename upsert lock import
    """)

SQL_CLIENTS = {
    "clickhouse-client": ("hudq", ""),
    "duckdb": ("", ""),
    "mariadb": ("ehPuDS", "p"),
    "mysql": ("ehPuDS", "p"),
    "psql": ("cdefhpUvFPRT", ""),
    "sqlite": ("", ""),
    "sqlite3": ("", ""),
}
"""Database clients: options that take the next word, options whose value is attached. Without the former the second
operand holds the statements.
"""


def sql(words: Sequence[str], tally: Tally) -> None:
    """A database client: its statements say what it does, wherever they come from."""
    name = words[0]
    valued, attached = SQL_CLIENTS[name]
    flags, operands = options(words, valued, attached=attached)
    if not valued:
        operands = [word for word in words[1:] if not word.startswith("-")]
    given = [flags[flag] for flag in ("-c", "-e", "-q", "--command", "--execute", "--query") if flags.get(flag)]
    statements = ";".join(given or ([] if valued else operands[1:])) or tally.body or ""
    base = [flags.get("-d", "") or flags.get("-D", "")] if flags.get("-d") or flags.get("-D") else operands[:1]
    kind = "read" if "-l" in flags and not statements else sql_kind(statements)
    tally.reads(base)
    if kind == "write":
        tally.changes(base)
        tally.lost_change = tally.lost_change or not base
        tally.wrote = True
    elif kind == "run":
        tally.runs()
    elif not base:
        tally.lost_read = True


def sql_kind(statements: str) -> str:
    """Whether statements ``read`` or ``write``; ``run`` where that cannot be told."""
    kinds = {_statement_kind(statement.split()) for statement in statements.split(";")}
    kinds.discard("")
    return next((kind for kind in ("write", "run", "read") if kind in kinds), "run")


def _statement_kind(words: list[str]) -> str:
    if not words:
        return ""
    lowered = [word.lower().lstrip("(") for word in words]
    first = lowered[0]
    if first.startswith((".", "\\")):
        return "write" if first in (".import", ".restore", ".read", "\\i", "\\copy") else "read"
    if first in SQL_WRITES or (first == "with" and not SQL_WRITES.isdisjoint(lowered)):
        return "write"
    if first == "pragma" and any("=" in word for word in words):
        return "write"
    if first in SQL_READS:
        return "write" if first == "select" and "into" in lowered else "read"
    return "run"
