"""From the shorthand of a case file to plain events.

    {"repeat": n, "events": [...]}         the events n times; may be nested
    {"type": "replay", "events": [...]}    history shown again: the events come out with ``replayed``, without a number

Inside a repeat, texts may hold ``${i}`` (the 1-based round of the innermost repeat), ``${o}`` (of the one around it),
whole-number arithmetic on them (``${i*40+1}``), ``${pick i a|b|c}`` (in turn), ``${hex i}`` (12 hex digits) and
``${times i text}``. A text that is nothing but arithmetic or a numeric pick becomes a number.

Fields that are left out: ``agent`` a1, ``session`` s1 or that of the last ``session`` event, ``error`` false, and
``t``, the time of the event before plus ``dt`` (1 where there is none). A call gets ``n``, its number, an ``id``, and
a ``step`` that it shares with a call of its scope right before it. A result answers the oldest open call of its scope.
"""

from __future__ import annotations

import ast
import base64
import copy
import decimal
import hashlib
import operator
import re
from collections import defaultdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

_TEMPLATE = re.compile(r"\$\{([^{}]+)\}")
_NUMBER = re.compile(r"-?\d+")


def expand(events: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The events in full.

    Raises:
        ValueError: a template cannot be read, or a result answers no call.
    """
    expansion = _Expansion()
    return [expansion.complete(event) for event in _unrolled(events, {})]


class _Expansion:
    """Fills in what events leave out. A scope is a session and an agent."""

    def __init__(self) -> None:
        self._time: float = 0
        self._session = "s1"
        self._calls = 0
        self._steps = 0
        self._open: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
        self._last: dict[tuple[str, str], str] = {}

    def complete(self, event: dict[str, Any]) -> dict[str, Any]:
        kind = event["type"]
        if kind == "session":
            self._session = event["session"]
        event.setdefault("session", self._session)
        event.setdefault("agent", "a1")
        passed = event.pop("dt", 1)
        event["t"] = self._time = event.get("t", self._time + passed)
        scope = (event["session"], event["agent"])
        again = bool(event.get("replayed") or event.get("redelivered"))
        if kind == "call":
            event.setdefault("args", {})
            if not again:
                self._number(event, scope)
        elif kind == "result":
            self._answer(event, scope, again=again)
        if not again:
            self._last[scope] = kind
        return event

    def _number(self, call: dict[str, Any], scope: tuple[str, str]) -> None:
        self._calls += 1
        call["n"] = self._calls
        call.setdefault("id", f"c{self._calls}")
        self._open[scope].append(call["id"])
        if "step" in call:
            return
        if self._last.get(scope) != "call":
            self._steps += 1
        call["step"] = self._steps

    def _answer(self, result: dict[str, Any], scope: tuple[str, str], *, again: bool) -> None:
        waiting = self._open[scope]
        if "id" not in result:
            if not waiting:
                raise ValueError("a result answers no call")
            result["id"] = waiting.pop(0)
        elif not again and result["id"] in waiting:
            waiting.remove(result["id"])
        result.setdefault("error", False)


def _unrolled(events: Iterable[Mapping[str, Any]], rounds: dict[str, int]) -> Iterator[dict[str, Any]]:
    for event in events:
        if "repeat" in event:
            for number in range(1, event["repeat"] + 1):
                yield from _unrolled(event["events"], {"i": number, "o": rounds.get("i", 0)})
        elif event["type"] == "replay":
            for inner in _unrolled(event["events"], rounds):
                yield {**inner, "replayed": True}
        else:
            yield _filled(event, rounds) if rounds else copy.deepcopy(dict(event))


def _filled(value: Any, rounds: dict[str, int]) -> Any:
    """The value with every template in it filled in."""
    if isinstance(value, str):
        return _text(value, rounds) if "${" in value else value
    if isinstance(value, list):
        return [_filled(item, rounds) for item in value]
    if isinstance(value, dict):
        return {key: _filled(item, rounds) for key, item in value.items()}
    return value


def _text(text: str, rounds: dict[str, int]) -> str | int:
    out = _TEMPLATE.sub(lambda match: _template(match[1], rounds), text)
    whole = _TEMPLATE.fullmatch(text)
    if whole and _NUMBER.fullmatch(out) and not whole[1].startswith("hex "):
        return int(out)
    return out


def _template(body: str, rounds: dict[str, int]) -> str:
    word, _, rest = body.partition(" ")
    make = _WORDS.get(word)
    if make is None:
        return str(_number(body, rounds))
    expression, _, given = rest.partition(" ")
    return make(_number(expression, rounds), given)


def _pick(number: int, given: str) -> str:
    options = given.split("|")
    return options[(number - 1) % len(options)]


def _hex(number: int, _: str) -> str:
    return hashlib.sha256(str(number).encode()).hexdigest()[:12]


def _times(number: int, given: str) -> str:
    return given * number


_WORDS: dict[str, Callable[[int, str], str]] = {"pick": _pick, "hex": _hex, "times": _times}


def _number(expression: str, rounds: dict[str, int]) -> int:
    """Whole-number arithmetic on the rounds."""
    try:
        return _worth(ast.parse(expression.strip(), mode="eval").body, rounds)
    except (SyntaxError, KeyError) as fault:
        raise ValueError(f"a template holds arithmetic on i and o (got {expression!r})") from fault


def _worth(node: ast.expr, rounds: dict[str, int]) -> int:
    match node:
        case ast.Constant(value=int(value)):
            return value
        case ast.Name(id=name):
            return rounds[name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_worth(operand, rounds)
        case ast.BinOp(left=left, op=op, right=right):
            return _OPERATORS[type(op)](_worth(left, rounds), _worth(right, rounds))
    raise KeyError(type(node).__name__)


_OPERATORS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
}


class Opaque:
    """An argument that is no JSON value. Its repr shows its address, like that of most objects."""

    def __init__(self, name: str, state: Mapping[str, object]) -> None:
        self.__dict__.update(state)
        self._name = name

    def __repr__(self) -> str:
        return f"<{self._name} object at {id(self):#x}>"


def decode(value: object) -> Any:
    """The value with ``{"$float": "nan"}`` and its like made into the values that JSON cannot carry."""
    if isinstance(value, list):
        return [decode(item) for item in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 1:
        ((key, given),) = value.items()
        make = _VALUES.get(key)
        if make is not None:
            return make(given)
    return {key: decode(item) for key, item in value.items()}


def _circular(_: object) -> dict[str, object]:
    node: dict[str, object] = {"name": "node"}
    node["self"] = node
    return node


def _deep(levels: int) -> dict[str, Any]:
    root: dict[str, Any] = {}
    leaf = root
    for _ in range(levels):
        leaf["next"] = {}
        leaf = leaf["next"]
    return root


def _characters(given: list[str | int]) -> str:
    return "".join(item if isinstance(item, str) else chr(item) for item in given)


_VALUES: dict[str, Callable[[Any], object]] = {
    "$float": float,
    "$decimal": decimal.Decimal,
    "$bytes": base64.b64decode,
    "$chars": _characters,
    "$repeat": lambda given: given[0] * given[1],
    "$object": lambda given: Opaque(given["class"], decode(given["state"])),
    "$circular": _circular,
    "$deep": _deep,
}
