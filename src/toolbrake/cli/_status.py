"""Exit statuses: one table for all commands, and a promise about each."""

FINE = 0
"""All was done and nothing was found that the caller asked to be told of."""

FOUND = 1
"""A finding at or above ``--fail-on``, a missed bar, or a failed check."""

USAGE = 2
"""Wrong usage or configuration; argparse exits so by itself."""

UNREADABLE = 3
"""Some input could not be read; everything else was done."""

INTERRUPTED = 130
"""Ctrl-C; what was printed so far stands."""
