"""Shell commands as they are read once: what they do, and by what they are compared.

Reading a command costs a hundred times what a decision about it does, and an agent in a loop sends the same ones over
and over. So the last few readings are kept, by the fingerprint of their call: a command is an argument, and no
argument is kept.
"""

from __future__ import annotations

from toolbrake.core.commands import identity, judge
from toolbrake.core.shell import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from toolbrake.core.commands import Effects

REMEMBERED = 64
"""Readings kept by a policy: more than the different calls of any loop."""


class Reading:
    """One command line.

    ``effects``: what it does. ``identity``: the spelling that the comparison rules compare. ``program``: the name of
    its first command, empty where there is none.
    """

    __slots__ = ("effects", "identity", "program")

    def __init__(self, command: str) -> None:
        script = parse(command)
        self.effects: Effects = judge(script)
        self.identity = identity(script)
        self.program = next((command.words[0] for command in script.commands if command.words), "")


class Readings:
    """The last readings, by the fingerprint of the call they came in."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[bytes, Reading] = {}

    def read(self, fingerprint: bytes, command: str) -> Reading:
        """The reading of a call's command."""
        known = self._known.get(fingerprint)
        if known is None:
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            known = self._known[fingerprint] = Reading(command)
        return known
