"""What an adapter makes of a rival: something that hears calls and results, and says a word or nothing."""

from __future__ import annotations

from typing import Any, NamedTuple


class Word(NamedTuple):
    """What a rival said: an action of toolbrake's (remind, deny, halt) and the rival's reason, cut short."""

    action: str
    why: str


class Call:
    """A call about to be made. ``last_of_step`` is set with its result: no other call of its scope is open."""

    __slots__ = ("args", "id", "last_of_step", "number", "tool")

    def __init__(self, number: int, id: str, tool: str, args: dict[str, Any]) -> None:
        self.number = number
        self.id = id
        self.tool = tool
        self.args = args
        self.last_of_step = True


class Detector:
    """Hears nothing and says nothing; adapters override what their rival takes."""

    def user(self) -> None:
        """A person spoke."""

    def before(self, call: Call) -> Word | None:
        """A call is about to run; ``deny`` and ``halt`` keep it from that."""

    def after(self, call: Call, text: str, error: bool | None) -> Word | None:
        """A call ran; ``error`` is None where the record does not say."""

    def close(self) -> None:
        """The run is over."""


def remind(why: object) -> Word:
    """The agent is told, or the host is warned; the call runs."""
    return Word("remind", str(why)[:80])


def deny(why: object) -> Word:
    """This call does not run, the agent goes on."""
    return Word("deny", str(why)[:80])


def halt(why: object) -> Word:
    """The run is ended."""
    return Word("halt", str(why)[:80])
