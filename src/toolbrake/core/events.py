"""Events: all that a policy is ever told.

An event says what happened, to which scope (``session`` and ``agent``) and, where known, when (``at``, wall-clock
seconds). Missing facts stay ``None``: unknown, never guessed. ``agent=None`` is a call made by no agent at all;
the main agent and session are named ``MAIN``.

``from_mapping`` and ``to_mapping`` are the one translation between events and the mappings of the trace format.
Fields a type does not know are kept in ``extra``, so that converting a trace loses nothing.
"""

from __future__ import annotations

from toolbrake.core.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

MAIN = "main"


class Event(Value):
    """What every event carries.

    ``extra`` holds trace fields that this type gives no meaning. ``clocked`` says that ``at`` is a guard's time, not
    the host's: the same event object delivered again is given a new one.
    """

    __slots__ = ("agent", "at", "clocked", "extra", "session")
    type = ""

    def __init__(
        self,
        *,
        agent: object = MAIN,
        session: object = MAIN,
        at: float | None = None,
        extra: Mapping[str, object] | None = None,
    ) -> None:
        self.agent = agent
        self.session = session
        self.at = at
        self.clocked = False
        self.extra = extra

    @classmethod
    def hidden(cls) -> tuple[str, ...]:
        return ("clocked", "extra")


class User(Event):
    """A message from a person; ``synthetic`` marks one made by the host, which is no user turn."""

    __slots__ = ("content", "synthetic")
    type = "user"

    def __init__(self, content: object = None, *, synthetic: bool = False, **common: object) -> None:
        super().__init__(**common)  # type: ignore[arg-type]  # agent, session, at, extra
        self.content = content
        self.synthetic = synthetic

    @classmethod
    def hidden(cls) -> tuple[str, ...]:
        return ("clocked", "content", "extra")


class Assistant(Event):
    """The agent spoke beside its calls."""

    __slots__ = ("content",)
    type = "assistant"

    def __init__(self, content: object = None, **common: object) -> None:
        super().__init__(**common)  # type: ignore[arg-type]  # agent, session, at, extra
        self.content = content

    @classmethod
    def hidden(cls) -> tuple[str, ...]:
        return ("clocked", "content", "extra")


class Call(Event):
    """A call about to be made.

    ``args`` is the value the tool is given, or its JSON text. ``step`` names the model response it came in (any
    hashable); ``tokens`` is what that response cost. ``replayed`` and ``redelivered`` mark a call that the host
    shows again: it is not counted again.
    """

    __slots__ = ("args", "id", "redelivered", "replayed", "step", "tokens", "tool")
    type = "call"

    def __init__(  # noqa: PLR0913 - the fields of the format; all but two are keyword-only
        self,
        tool: str,
        args: object,
        *,
        id: str | None = None,
        agent: object = MAIN,
        session: object = MAIN,
        step: object = None,
        tokens: object = None,
        replayed: bool = False,
        redelivered: bool = False,
        at: float | None = None,
        extra: Mapping[str, object] | None = None,
    ) -> None:
        self.tool = tool
        self.args = args
        self.id = id
        self.agent = agent
        self.session = session
        self.step = step
        self.tokens = tokens
        self.replayed = replayed
        self.redelivered = redelivered
        self.at = at
        self.clocked = False
        self.extra = extra

    @classmethod
    def hidden(cls) -> tuple[str, ...]:
        return ("args", "clocked", "extra")


class Result(Event):
    """What came of a call.

    ``error`` is True, False or unknown (None). ``content`` is the result, or ``head`` and ``tail`` of it with the
    whole text's ``digest`` (see ``outcome.digest``) and ``length`` in characters. ``denied_by`` names who refused
    the call; it did not run then. ``call`` is the call itself where the caller still has it: rules that quote
    arguments need it, and a state does not keep it.
    """

    __slots__ = ("call", "content", "denied_by", "digest", "error", "head", "id", "length", "levelled", "tail")
    type = "result"

    def __init__(  # noqa: PLR0913 - the fields of the format; all but two are keyword-only
        self,
        id: str | None = None,
        content: object = None,
        *,
        error: bool | None = None,
        head: str | None = None,
        tail: str | None = None,
        digest: str | None = None,
        levelled: str | None = None,
        length: int | None = None,
        denied_by: str | None = None,
        call: Call | None = None,
        agent: object = MAIN,
        session: object = MAIN,
        at: float | None = None,
        extra: Mapping[str, object] | None = None,
    ) -> None:
        self.id = id
        self.content = content
        self.error = error
        self.head = head
        self.tail = tail
        self.digest = digest
        self.levelled = levelled
        self.length = length
        self.denied_by = denied_by
        self.call = call
        self.agent = agent
        self.session = session
        self.at = at
        self.clocked = False
        self.extra = extra

    @classmethod
    def hidden(cls) -> tuple[str, ...]:
        return ("call", "clocked", "content", "extra", "head", "tail")


class Approve(Event):
    """A person, or a policy of the host, let a call run. ``call`` is the call itself where the caller has it."""

    __slots__ = ("by", "call", "id")
    type = "approve"

    def __init__(
        self, id: str | None = None, *, by: str | None = None, call: Call | None = None, **common: object
    ) -> None:
        super().__init__(**common)  # type: ignore[arg-type]  # agent, session, at, extra
        self.id = id
        self.by = by
        self.call = call

    @classmethod
    def hidden(cls) -> tuple[str, ...]:
        return ("call", "clocked", "extra")


class Refuse(Approve):
    """A person, or a policy of the host, said no to a call; ``by`` names who."""

    __slots__ = ()
    type = "refuse"


class Compact(Event):
    """The history that the model sees was shortened."""

    __slots__ = ()
    type = "compact"


class Spawn(Event):
    """A sub-agent began; ``parent`` is the agent that started it."""

    __slots__ = ("parent",)
    type = "spawn"

    def __init__(self, *, parent: object = None, **common: object) -> None:
        super().__init__(**common)  # type: ignore[arg-type]  # agent, session, at, extra
        self.parent = parent


class AgentEnd(Spawn):
    """A sub-agent is gone; nothing of it is kept."""

    __slots__ = ()
    type = "agent_end"


class Run(Event):
    """A run of the same session begins; ``trigger`` says why.

    A run that the host began to go on with the same work, after a compaction, an automatic retry or a resume, is no
    new one: see ``SAME_WORK``.
    """

    __slots__ = ("trigger",)
    type = "run"

    def __init__(self, *, trigger: str | None = None, **common: object) -> None:
        super().__init__(**common)  # type: ignore[arg-type]  # agent, session, at, extra
        self.trigger = trigger


SAME_WORK = frozenset({"compaction", "retry", "resume"})
"""Triggers of a run that only continues the one before."""


class RunEnd(Event):
    """A run of the session is over."""

    __slots__ = ()
    type = "run_end"


class Session(Event):
    """The events that follow belong to ``session``."""

    __slots__ = ()
    type = "session"


class Unknown(Event):
    """An event of a type that has no meaning here: kept when a trace is converted, ignored by ``step``."""

    __slots__ = ("type",)

    def __init__(self, type: str, **common: object) -> None:
        super().__init__(**common)  # type: ignore[arg-type]  # agent, session, at, extra
        self.type = type


TYPES: dict[str, Callable[..., Event]] = {
    kind.type: kind
    for kind in (User, Assistant, Call, Result, Approve, Refuse, Compact, Spawn, AgentEnd, Run, RunEnd, Session)
}
"""Every event type that a policy understands, by its name in a trace."""

REQUIRED: dict[str, tuple[str, ...]] = {
    "call": ("tool",),
    "spawn": ("agent",),
    "agent_end": ("agent",),
    "session": ("session",),
}
"""Fields without which an event means nothing. A call without ``args`` has none: ``{}``."""

_LIVE_ONLY = frozenset({"call", "clocked", "extra"})


def from_mapping(fields: Mapping[str, object]) -> Event:
    """The event that a mapping of the trace format describes.

    Raises:
        ValueError: ``type`` is no text, a required field is missing, or a field holds the wrong kind of value.
    """
    name = fields.get("type")
    if not isinstance(name, str) or not name:
        raise ValueError(f"type must be a text (got {_kind(name)})")
    for field in REQUIRED.get(name, ()):
        if field not in fields:
            raise ValueError(f"{name} needs the field {field}")
    for field, check in _CHECKS.items():
        if field in fields and not check(fields[field]):
            raise ValueError(f"{name}.{field} must be {_ACCEPTED[field]} (got {_kind(fields[field])})")
    kind = TYPES.get(name)
    if kind is None:
        rest = {k: v for k, v in fields.items() if k not in _COMMON}
        return Unknown(name, **_common(fields), extra=rest or None)
    known = _slots(kind) - _LIVE_ONLY
    extra = {k: v for k, v in fields.items() if k not in known and k != "type"}
    given = {k: v for k, v in fields.items() if k in known}
    if name == "call":
        given.setdefault("args", {})
    return kind(**given, extra=extra or None)


def to_mapping(event: Event) -> dict[str, object]:
    """The mapping of the trace format for an event; fields at their default are left out."""
    out: dict[str, object] = {"type": event.type}
    always = _ALWAYS_WRITTEN.get(event.type, ())
    for name in event.fields():
        if name in _LIVE_ONLY or name == "type":
            continue
        value = getattr(event, name)
        if name in always or value != _DEFAULTS.get(name):
            out[name] = value
    out.update(event.extra or {})
    return out


_COMMON = ("agent", "session", "at", "type")
_DEFAULTS: dict[str, object] = {
    "agent": MAIN,
    "session": MAIN,
    "synthetic": False,
    "replayed": False,
    "redelivered": False,
}
_ALWAYS_WRITTEN = {"call": ("id", "tool", "args", "step"), "result": ("id", "error"), "spawn": ("agent",)} | {
    "agent_end": ("agent",),
    "session": ("session",),
    "approve": ("id",),
    "refuse": ("id",),
}


def _is_text_or_null(value: object) -> bool:
    return value is None or isinstance(value, str)


def _is_number_or_null(value: object) -> bool:
    return value is None or (isinstance(value, (int, float)) and not isinstance(value, bool))


def _is_flag_or_null(value: object) -> bool:
    return value is None or isinstance(value, bool)


_CHECKS: dict[str, Callable[[object], bool]] = {
    "tool": lambda value: isinstance(value, str),
    "id": _is_text_or_null,
    "agent": _is_text_or_null,
    "session": _is_text_or_null,
    "at": _is_number_or_null,
    "error": _is_flag_or_null,
    "synthetic": _is_flag_or_null,
    "replayed": _is_flag_or_null,
    "redelivered": _is_flag_or_null,
    "head": _is_text_or_null,
    "tail": _is_text_or_null,
    "digest": _is_text_or_null,
    "levelled": _is_text_or_null,
    "denied_by": _is_text_or_null,
}
_ACCEPTED = {
    "tool": "a text",
    "at": "a number of seconds or null",
    "error": "true, false or null",
    "synthetic": "true or false",
    "replayed": "true or false",
    "redelivered": "true or false",
}
_ACCEPTED.update({name: "a text or null" for name in _CHECKS if name not in _ACCEPTED})


def _slots(kind: Callable[..., Event]) -> frozenset[str]:
    assert isinstance(kind, type) and issubclass(kind, Event)  # noqa: S101, PT018 - TYPES holds nothing else
    return frozenset(kind.fields())


def _common(fields: Mapping[str, object]) -> dict[str, object]:
    return {name: fields[name] for name in ("agent", "session", "at") if name in fields}


def _kind(value: object) -> str:
    return "nothing" if value is None else type(value).__name__
