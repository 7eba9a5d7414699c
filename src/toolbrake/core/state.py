"""What is remembered of a scope: plain, bounded data that turns into bytes and back.

A ``State`` belongs to one scope, session and agent, and points at the tiny ``SessionRecord`` that the scopes of a
session share. A caller owns it and holds its lock; ``policy.step`` changes it in place. It holds no arguments and
no results: fingerprints, names and counts, apart from the quote that a rule was told to keep.

How deliveries become calls (*once*). A call is *open* from its first delivery to its result. A second delivery
with the same id and fingerprint is the same call while it is open, and while it is one of the last 64 closed in
the same step. An id met again with another fingerprint proves that the host reuses ids: from then on every
delivery counts and results go to the calls in order.
"""

from __future__ import annotations

from hashlib import sha256

from toolbrake.core.canonical import canonical
from toolbrake.core.progress import Progress
from toolbrake.core.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from toolbrake.core.decision import Finding

OPEN_CALLS = 64
"""Calls of one scope that wait for a result; the oldest is given up for a new one."""

CLOSED_CALLS = 64
"""Calls of the current step that are remembered after their result."""

APPROVED = 16
"""Fingerprints that a person let pass, until the next user turn; the oldest is asked about again."""


class SessionRecord(Value):
    """What the scopes of a session share. ``halted`` is the finding that ended the run."""

    __slots__ = ("epoch", "halted")

    def __init__(self, epoch: int = 0, halted: Finding | None = None) -> None:
        self.epoch = epoch
        self.halted = halted


class OpenCall(Value):
    """A call without a result so far.

    ``gap`` is the time since the scope's last result, ``key`` what the comparison rules know the call by, empty
    where none of them has asked. ``told`` says that one of them has reminded the model of this call. ``asked`` is the
    finding that a person has to answer before the call may run.
    """

    __slots__ = ("asked", "fingerprint", "gap", "key", "step", "told", "tool")

    def __init__(self, fingerprint: bytes, tool: str, step: object, gap: float | None = None, key: bytes = b"") -> None:
        self.fingerprint = fingerprint
        self.tool = tool
        self.step = step
        self.gap = gap
        self.key = key
        self.asked: Finding | None = None
        self.told = False


class State(Value):
    """One scope.

    ``rules`` holds each rule's own state, in the policy's order; ``at`` is the latest event's time, ``result_at`` the
    latest result's. ``hashed`` says
    that the calls are known by the digests of their ids: the state has been bytes.
    """

    __slots__ = (
        "approved",
        "at",
        "calls",
        "closed",
        "hashed",
        "held",
        "opened",
        "progress",
        "result_at",
        "rules",
        "serial",
        "session",
        "step",
        "steps",
        "trusted",
    )

    def __init__(self, rules: list[object], session: SessionRecord | None = None) -> None:
        self.rules = rules
        self.session = session if session is not None else SessionRecord()
        self.opened: dict[str | int, OpenCall] = {}
        self.closed: dict[str | int, ClosedCall] = {}
        self.approved: list[bytes] = []
        self.held: dict[str, Finding] = {}
        self.step: object = None
        self.steps = 0
        self.at: float | None = None
        self.result_at: float | None = None
        self.progress = Progress()
        self.serial = 0
        self.calls = 0
        self.trusted = True
        self.hashed = False

    def enter(self, step: object) -> bool:
        """Whether ``step`` is a new one.

        Calls of an earlier step that have no result by then will get none: neither success nor failure.
        """
        if step is None or step == self.step:
            return False
        self.step = step
        self.steps += 1
        self.closed.clear()
        if self.opened:
            for key in [key for key, call in self.opened.items() if call.step is not None]:
                del self.opened[key]
        return True

    def release(self) -> tuple[Finding, ...]:
        """Hand out the reminders held back, the last of each rule: a batch may have passed several counts."""
        due = tuple(self.held.values())
        self.held.clear()
        return due

    def seen(self, id: str | None, fingerprint: bytes, step: object) -> ClosedCall | OpenCall | None:
        """The call that this delivery repeats, or None: it is a new one. May find out that ids are reused.

        A call of another step than the current one repeats nothing, whatever its id: its step is over or has yet to
        be entered.
        """
        if id is None or not self.trusted or (step is not None and step != self.step):
            return None
        key = self._key(id)
        known = self.opened.get(key)
        if known is not None and known.fingerprint == fingerprint:
            return known
        done = self.closed.get(key)
        if done is not None and done.fingerprint == fingerprint:
            return done if step is not None else None
        if known is not None or done is not None:
            self.trusted = False
        return None

    def open(self, id: str | None, call: OpenCall) -> str | int:
        """Remember a new call; returns the key under which its result will find it."""
        key: str | int
        if id is None or not self.trusted:
            self.serial += 1
            key = self.serial
        else:
            key = self._key(id)
        self.calls += 1
        if len(self.opened) >= OPEN_CALLS:
            del self.opened[next(iter(self.opened))]
        self.opened[key] = call
        return key

    def find(self, id: str | None, fingerprint: bytes | None) -> str | int | None:
        """The key of the open call that a result answers.

        By id while ids can be trusted, else in order: the oldest open call, of this fingerprint where it is known.
        """
        if id is not None and self.trusted:
            key = self._key(id)
            return key if key in self.opened else None
        for place, call in self.opened.items():
            if (isinstance(place, int) or not self.trusted) and fingerprint in (None, call.fingerprint):
                return place
        return None

    def close(self, key: str | int, denial: Finding | None = None) -> OpenCall:
        """Take a call off the open ones and remember it for the rest of its step."""
        call = self.opened.pop(key)
        if len(self.closed) >= CLOSED_CALLS:
            del self.closed[next(iter(self.closed))]
        self.closed[key] = ClosedCall(call.fingerprint, denial)
        return call

    def waits_for_siblings(self, step: object) -> bool:
        """Whether calls of this step are still open, so that a text for the whole batch has to wait."""
        return step is not None and any(call.step == step for call in self.opened.values())

    def approve(self, fingerprint: bytes) -> None:
        """Let calls of this fingerprint pass until the next user turn."""
        if fingerprint in self.approved:
            return
        if len(self.approved) >= APPROVED:
            del self.approved[0]
        self.approved.append(fingerprint)

    def turn(self) -> None:
        """A new request: nothing is open, held back or approved any more."""
        self.opened.clear()
        self.closed.clear()
        self.approved.clear()
        self.held.clear()

    def _key(self, id: str) -> str:
        return id_digest(id) if self.hashed else id


class ClosedCall(Value):
    """A call that has its result; ``denial`` is the finding that stopped it, if we did."""

    __slots__ = ("denial", "fingerprint")

    def __init__(self, fingerprint: bytes, denial: Finding | None) -> None:
        self.fingerprint = fingerprint
        self.denial = denial


STEP_CHARACTERS = 64
"""A longer name of a step is known by its digest, and so is one that is neither text nor a number."""


def step_name(step: object) -> object:
    """A step's name as a state may keep it: small, and the same after it has been bytes."""
    if step is None or type(step) is int or (type(step) is str and len(step) <= STEP_CHARACTERS):
        return step
    return sha256(canonical(step)).hexdigest()[:16]


def id_digest(id: str) -> str:
    """What a state that has been bytes knows a call's id by: 64 bits, as ids of one scope need no more."""
    return sha256(id.encode("utf-8", "surrogatepass")).hexdigest()[:16]
