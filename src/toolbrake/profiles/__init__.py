"""What is known about the tools that people really have.

Exact names first, then patterns from particular to general; the first that covers a name speaks for it, and a
policy's own ``tools`` come before all of these. A name that nothing covers is an unknown tool: all its arguments
identify a call, and it neither reads, writes nor waits as far as anybody knows.
"""

from __future__ import annotations

from toolbrake.profiles._generic import GENERIC
from toolbrake.profiles._named import NAMED

SHIPPED = NAMED + GENERIC
"""Every profile that comes with toolbrake, most particular first."""
