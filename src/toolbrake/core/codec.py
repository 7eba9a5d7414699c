"""A scope's state and a session's record as bytes, and back.

The bytes are canonical JSON. They hold fingerprints, names and counts; what a rule quotes only where the policy
says ``quote_in_store``. Ids of calls are kept as digests, so that a state stays small whatever ids a host uses.
Where it would pass ``STATE_BYTES``, what is remembered longest is left out: calls, then rows of the rules. Bytes of
another schema, or damaged ones, raise ``ValueError``: the caller starts fresh and says so. Under another policy
digest every rule that is still there keeps what it saw, as far as it can read it, and the reminders and denials of
the calls at hand are forgotten.
"""

from __future__ import annotations

from hashlib import sha256

from toolbrake.core.canonical import canonical
from toolbrake.core.decision import ACTIONS, Finding
from toolbrake.core.packing import pack, unpack
from toolbrake.core.state import ClosedCall, OpenCall, SessionRecord, State, id_digest
from toolbrake.core.wording import again

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from toolbrake.core.policy import Policy

SCHEMA = 1
"""Number of the layout below; bytes of another number are not read."""

STATE_BYTES = 2048
"""What the bytes of a scope may weigh: small enough that a store's round trip does not notice."""


SESSION_BYTES = 64
"""What a session's record may weigh: it is read and written beside every scope of the session."""

LARGEST = 2**53
"""Counts and times below it are read; what is above is damage."""

TOOL_CHARACTERS = 64
"""How much of a tool's name a finding in bytes keeps; providers allow no longer names."""

_DAMAGE = (KeyError, IndexError, TypeError, AttributeError, OverflowError)


def dump_state(policy: Policy, state: State, digest: str) -> bytes:
    """The state as bytes; ``digest`` is the policy's."""
    opened = [_open_call(_name(state, key), call) for key, call in state.opened.items()]
    closed = [[_name(state, key), call.fingerprint.hex(), _finding(call.denial)] for key, call in state.closed.items()]
    approved = [fingerprint.hex() for fingerprint in state.approved]
    changes = state.progress.dump()
    rules = _dump_rules(policy, state)
    while True:
        fields = {
            "approved": approved,
            "at": state.at,
            "closed": closed,
            "held": [_finding(finding) for finding in state.held.values()],
            "opened": opened,
            "result_at": state.result_at,
            "rules": pack([changes, list(rules), list(rules.values())]),
            "serial": state.serial,
            "step": state.step,
            "steps": state.steps,
            "trusted": state.trusted,
        }
        data = _sealed(digest, fields)
        rows = closed or opened or approved or max([changes, *map(_rows, rules.values())], key=len)
        if len(data) <= STATE_BYTES or not rows:
            return data
        del rows[0]


def load_state(policy: Policy, data: bytes, digest: str, session: SessionRecord) -> State:
    """The state that ``dump_state`` wrote.

    Raises:
        ValueError: the bytes are damaged, or of another schema.
    """
    written_under, fields = _read(data)
    state = State([], session)
    try:
        packed: Any = unpack(_text(fields["rules"]))
        changes, names, dumps = packed
        state.rules = _load_rules(policy, dict(zip(names, dumps, strict=True)))
        state.at = _time(fields["at"])
        state.result_at = _time(fields["result_at"])
        state.progress.load(changes)
        state.step = fields["step"]
        state.steps = _whole(fields["steps"])
        state.serial = _whole(fields["serial"])
        state.trusted = bool(fields["trusted"])
        state.hashed = True
        for name, fingerprint, tool, step, gap, key, told, asked in fields["opened"]:
            call = OpenCall(bytes.fromhex(fingerprint), _text(tool), step, _time(gap), bytes.fromhex(key))
            call.told = told is True
            call.asked = _finding_of(asked)
            state.opened[name] = call
        if written_under == digest:
            state.approved = [bytes.fromhex(fingerprint) for fingerprint in fields["approved"]]
            state.held = {finding.rule: finding for finding in map(_finding_of, fields["held"]) if finding is not None}
            for key, fingerprint, denial in fields["closed"]:
                state.closed[key] = ClosedCall(bytes.fromhex(fingerprint), _finding_of(denial))
    except _DAMAGE as damage:
        raise ValueError(f"the state is damaged: {type(damage).__name__}") from damage
    return state


def dump_session(record: SessionRecord) -> bytes:
    """A session's record as at most ``SESSION_BYTES``; without the tool that a halt was about where it has no room."""
    data = _sealed("", [record.epoch, _finding(record.halted)])
    return data if len(data) <= SESSION_BYTES else _sealed("", [record.epoch, _finding(record.halted, tool=False)])


def load_session(data: bytes) -> SessionRecord:
    """The record that ``dump_session`` wrote. Raises ValueError as ``load_state`` does."""
    _, fields = _read(data)
    try:
        epoch, halted = fields
        return SessionRecord(_whole(epoch), _finding_of(halted))
    except _DAMAGE as damage:
        raise ValueError(f"the session's record is damaged: {type(damage).__name__}") from damage


def _read(data: bytes) -> tuple[str, Any]:
    import json  # noqa: PLC0415 - a process without a store never needs it

    try:
        schema, digest, fields, seal = json.loads(data)
    except (TypeError, RecursionError) as damage:
        raise ValueError(f"the state is damaged: {type(damage).__name__}") from damage
    if schema != SCHEMA:
        raise ValueError(f"the state has schema {schema!r}; this version reads {SCHEMA}")
    if seal != _seal(digest, fields):
        raise ValueError("the state is damaged: its check does not fit")
    return digest, fields


def _sealed(digest: str, fields: object) -> bytes:
    return canonical([SCHEMA, digest, fields, _seal(digest, fields)])


def _seal(digest: str, fields: object) -> str:
    """A check over what is written: damage that is still JSON would otherwise decide."""
    return sha256(canonical([digest, fields])).hexdigest()[:8]


def _rows(dumped: list[object]) -> list[object]:
    """What a rule's dump may lose, oldest first: by agreement its first item, where that is a list."""
    return dumped[0] if dumped and isinstance(dumped[0], list) else []


def _dump_rules(policy: Policy, state: State) -> dict[str, list[object]]:
    rules = zip(policy.rules, state.rules, strict=True)
    return {rule.name: rule.dump(own, quotes=policy.quote_in_store) for rule, own in rules}


def _load_rules(policy: Policy, written: dict[str, list[Any]]) -> list[object]:
    return [rule.load(written[rule.name]) if rule.name in written else rule.start() for rule in policy.rules]


def _name(state: State, key: str | int) -> str | int:
    return key if state.hashed or isinstance(key, int) else id_digest(key)


def _open_call(name: str | int, call: OpenCall) -> list[object]:
    return [
        name,
        call.fingerprint.hex(),
        call.tool,
        call.step,
        call.gap,
        call.key.hex(),
        call.told,
        _finding(call.asked),
    ]


def _finding(finding: Finding | None, *, tool: bool = True) -> list[object] | None:
    """A finding without its text, which may quote."""
    if finding is None:
        return None
    name = finding.tool[:TOOL_CHARACTERS] if tool else ""
    return [finding.rule, ACTIONS.index(finding.action), name, finding.count, finding.limit, finding.period]


def _finding_of(data: list[Any] | None) -> Finding | None:
    if data is None:
        return None
    rule, action, tool, *numbers = data
    count, limit, period = map(_whole, numbers)
    text = again(_text(rule), ACTIONS[action], _text(tool), count)
    return Finding(rule=rule, action=ACTIONS[action], tool=tool, count=count, limit=limit, period=period, text=text)


def _text(value: object) -> str:
    if type(value) is not str:
        raise TypeError("no text")
    return value


def _whole(value: object) -> int:
    if type(value) is not int or not 0 <= value < LARGEST:
        raise TypeError("no count")
    return value


def _time(value: Any) -> float | None:
    if value is None:
        return None
    if type(value) not in (int, float) or not abs(value) < LARGEST:
        raise TypeError("no time")
    return float(value)
