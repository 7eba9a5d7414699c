"""What the adapters share: how decisions are put before a model or a person, and what their answers mean."""

from __future__ import annotations

from collections import OrderedDict
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING, Generic, TypeVar

from toolbrake.core.decision import Decision, strongest
from toolbrake.core.wording import name
from toolbrake.errors import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator

    from toolbrake.core.decision import Note
    from toolbrake.core.events import Call

SOURCE = "toolbrake"
"""Who speaks, where a framework's message can say so."""

NOBODY = "the policy (nobody can be asked here)"
"""Who refuses a call that a person should have been asked about, where there is no way to ask."""

# More runs than one process drives at once; what is kept of each is gone when its step is over.
RUNS = 4096

Key = TypeVar("Key", bound="Hashable")
Kept = TypeVar("Kept")


@contextmanager
def needs(what: str, extra: str, *, packages: tuple[str, ...]) -> Iterator[None]:
    """Around an adapter's imports: a framework's package that is missing becomes the command that installs it.

    Raises:
        MissingExtraError: one of ``packages`` is not there, or too old to have what ``what`` needs.
    """
    try:
        yield
    except ImportError as cause:
        if (cause.name or "").partition(".")[0] not in packages:
            raise
        raise MissingExtraError(what, extra) from cause


def one_of(option: str, value: str, accepted: tuple[str, ...]) -> str:
    """An option's value, if it is one of those accepted.

    Raises:
        ValueError: it is another.
    """
    if value not in accepted:
        raise ValueError(f"{option} must be {' or '.join(map(repr, accepted))} (got {value!r})")
    return value


def labelled(notes: Iterable[Note]) -> list[str]:
    """Reminders as a model reads them: each says first who speaks, so that none passes for the tool's output."""
    return [f"[{note.source}] {note.text}" for note in notes]


def beside(content: object, texts: list[str]) -> object:
    """A result's content with ``texts`` after it: more text for a text, more blocks of the same kind for a list.

    Any other content cannot carry a text and is handed back as it is.
    """
    if isinstance(content, str):
        return "\n\n".join([content, *texts] if content else texts)
    if not isinstance(content, list):
        return content
    if content and all(isinstance(block, str) for block in content):
        return [*content, *texts]
    return [*content, *({"type": "text", "text": text} for text in texts)]


def question(call: Call, decision: Decision) -> dict[str, object]:
    """What a person is asked about a call, as JSON values: which tool, how often, why. Not the arguments."""
    finding = strongest(decision.findings)
    return {
        "type": SOURCE,
        "tool": call.tool,
        "call_id": call.id,
        "count": None if finding is None else finding.count,
        "text": decision.text,
    }


def approved(answer: object) -> bool:
    """Whether a person's answer lets the call run: true, ``"approve"`` or ``{"approve": true}``, nothing else."""
    if isinstance(answer, dict):
        return answer.get("approve") is True
    return answer is True or answer == "approve"


def ending(halt: Decision) -> str:
    """Why a run was stopped, for the person who reads its last message."""
    finding = strongest(halt.findings)
    if finding is None:
        return "toolbrake: this run was stopped, because its session was halted. A new message starts it again."
    return (
        f"toolbrake: this run was stopped at {name(finding.tool)} ({finding.rule}, count {finding.count}). "
        "A new message starts it again."
    )


class Recent(Generic[Key, Kept]):
    """What an adapter keeps between two hooks of one step, for any number of threads.

    At most ``limit`` entries, the oldest dropped.
    """

    def __init__(self, limit: int = RUNS) -> None:
        self._limit = limit
        self._kept: OrderedDict[Key, Kept] = OrderedDict()
        self._lock = Lock()

    def change(self, key: Key, change: Callable[[Kept | None], Kept]) -> Kept:
        """Replace what is kept by what ``change`` makes of it, in one atomic step; the new value."""
        with self._lock:
            self._kept[key] = kept = change(self._kept.pop(key, None))
            if len(self._kept) > self._limit:
                self._kept.popitem(last=False)
            return kept

    def peek(self, key: Key) -> Kept | None:
        """What is kept, left in place."""
        with self._lock:
            return self._kept.get(key)

    def take(self, key: Key) -> Kept | None:
        """What is kept, and no longer."""
        with self._lock:
            return self._kept.pop(key, None)
