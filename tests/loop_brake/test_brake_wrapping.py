"""``wrap_execute``: one callable, whatever it is, counted and refused before it runs."""

import asyncio
import functools
import inspect
from types import SimpleNamespace

import pytest
from registries import outcome

from toolbrake.loop_brake import LoopBrake, LoopBrakeError, call_hash, hash_prefix, wrap_execute


def brake_at(limit=3):
    """A brake that no environment has a say in."""
    return LoopBrake(limit, environ={})


def seen(execute, *args, **kwargs):
    """The prefix under which a call is counted, and its session."""
    brake = brake_at()
    wrap_execute(execute, brake, tool="search")(*args, **kwargs)
    sessions = [name for name in ("default", "s1", "a1") if brake.streak(name).count]
    return brake.streak(sessions[0]).hash_prefix, sessions


def prefix(args):
    """The prefix of a call of ``search``."""
    return hash_prefix(call_hash("search", args))


def whole(args, context=None):
    """Takes its arguments whole, and an execution input."""


def spread(query, limit=10, *, exact=False):
    """Takes its arguments one by one."""


def with_context(query, ctx):
    """Takes its arguments one by one, and an execution input."""


def with_tool_context(question, context=""):
    """Takes a ``context`` that is an argument of the tool."""


class Search:
    """A callable object with a method that is one too."""

    def __init__(self):
        self.ran = []

    def __call__(self, args):
        self.ran.append(args)

    def execute(self, args):
        self.ran.append(args)


class AsyncSearch:
    """An object whose call is a coroutine function."""

    async def __call__(self, args):
        return args


ARGUMENTS = [
    ("one whole value", whole, ({"q": 1},), {}, {"q": 1}),
    ("a whole value by keyword", whole, (), {"args": {"q": 1}}, {"q": 1}),
    ("a whole value that is JSON text", whole, ('{"q": 1}',), {}, {"q": 1}),
    ("a whole value beside no input", whole, ({"q": 1}, None), {}, {"q": 1}),
    ("a whole value beside an input", whole, ({"q": 1}, {"session_id": "default"}), {}, {"q": 1}),
    ("an input after args, whatever its name", lambda args, call: None, ({"q": 1}, {"call_id": "c1"}), {}, {"q": 1}),
    ("an input by keyword", whole, ({"q": 1},), {"context": object()}, {"q": 1}),
    ("no input after args, whatever its name", lambda args, call: None, ({"q": 1}, None), {}, {"q": 1}),
    (
        "a mapping further on",
        lambda args, ctx, options: None,
        ({"q": 1}, None, {"agent": "a1"}),
        {},
        {"args": {"q": 1}, "options": {"agent": "a1"}},
    ),
    ("one mapping under any name", lambda query: None, ({"q": 1},), {}, {"q": 1}),
    ("one text", lambda query: None, ("x",), {}, {"query": "x"}),
    ("positional", spread, ("x", 5), {}, {"query": "x", "limit": 5}),
    ("by keyword", spread, (), {"limit": 5, "query": "x"}, {"query": "x", "limit": 5}),
    ("keyword-only", spread, ("x",), {"exact": True}, {"query": "x", "exact": True}),
    ("beside an input", with_context, ("x", object()), {}, {"query": "x"}),
    ("beside no input", with_context, ("x", None), {}, {"query": "x"}),
    ("a tool's own context", with_tool_context, ("x", "y"), {}, {"question": "x", "context": "y"}),
    (
        "a tool's own context that is a mapping",
        with_tool_context,
        ("x", {"k": 1}),
        {},
        {"question": "x", "context": {"k": 1}},
    ),
    ("anything by keyword", lambda **given: None, (), {"q": 1}, {"q": 1}),
    ("anything by position", lambda *given: None, ("x", "y"), {}, {"0": "x", "1": "y"}),
    ("a whole value by position", lambda *given: None, ({"q": 1}, {"agent": "default"}), {}, {"q": 1}),
    ("nothing", lambda: None, (), {}, {}),
    ("a partial's own arguments apart", functools.partial(spread, limit=5), ("x",), {}, {"query": "x"}),
    ("no signature to read", dict, (), {"q": 1}, {"q": 1}),
    ("no signature, a mapping", dict, ({"q": 1},), {}, {"q": 1}),
]


@pytest.mark.parametrize(
    ("execute", "args", "kwargs", "expected"), [row[1:] for row in ARGUMENTS], ids=[row[0] for row in ARGUMENTS]
)
def test_arguments(execute, args, kwargs, expected):
    """A call is identified by what its tool is given, however it is passed."""
    assert seen(execute, *args, **kwargs) == (prefix(expected), ["default"])


SESSIONS = [
    ({"session_id": "s1"}, "s1"),
    ({"sessionId": "s1", "agent": "a1"}, "s1"),
    ({"agent": "a1"}, "a1"),
    ({"agent": {"id": "a1"}}, "a1"),
    ({"agent": SimpleNamespace(id="a1")}, "a1"),
    ({"agent_id": "a1"}, "a1"),
    ({"agentId": "a1"}, "a1"),
    (SimpleNamespace(session_id="s1"), "s1"),
    (SimpleNamespace(session_id=None, agent=SimpleNamespace(id="a1")), "a1"),
    (SimpleNamespace(session_id=object()), "default"),
    (object(), "default"),
]


@pytest.mark.parametrize(("context", "session"), SESSIONS)
def test_session_of_the_execution_input(context, session):
    """The session is the one that the execution input names, else its agent's."""
    assert seen(whole, {"q": 1}, context)[1] == [session]


def test_explicit_session():
    """A session given when wrapping is the session of every call."""
    brake = brake_at()
    wrap_execute(whole, brake, tool="search", session_id="s1")({}, {"session_id": "s2"})

    assert (brake.streak("s1").count, brake.streak("s2").count) == (1, 0)


def test_empty_session():
    """An empty session id is none."""
    brake = brake_at()
    wrap_execute(whole, brake, tool="search", session_id="")({}, {"session_id": "s2"})
    wrap_execute(whole, brake, tool="search", session=lambda *_: "")({}, {"session_id": "s2"})

    assert brake.streak("s2").count == 2


def test_asked_session():
    """A session that is asked for is told the call's arguments; without an answer the execution input is read."""
    brake = brake_at()
    execute = wrap_execute(whole, brake, tool="search", session=lambda args, context: args.get("user"))
    execute({"user": "s1"}, {"session_id": "s2"})
    execute({}, {"session_id": "s2"})

    assert (brake.streak("s1").count, brake.streak("s2").count) == (1, 1)


def test_positional_and_keyword_are_equal():
    """The same call spelled in two ways is the same call."""
    execute = wrap_execute(spread, brake_at(), tool="search")

    assert [outcome(execute, "x", 5), outcome(execute, query="x", limit=5), outcome(execute, "x", limit=5)] == [
        "ok",
        "ok",
        3,
    ]


def test_a_left_out_default_is_another_call():
    """Nothing is added to a call: a default that was left out is not one that was passed."""
    execute = wrap_execute(spread, brake_at(2), tool="search")

    assert [outcome(execute, "x"), outcome(execute, "x", 10)] == ["ok", "ok"]


def test_plain_function():
    """A plain function runs as before, and not when it is refused."""
    ran = []
    execute = wrap_execute(lambda args: ran.append(args) or "done", brake_at(2), tool="search")

    assert execute({}) == "done"
    assert outcome(execute, {}) == 2
    assert len(ran) == 1


def test_coroutine_function():
    """A coroutine function stays one, and its body does not run when it is refused."""
    ran = []

    async def execute(args):
        ran.append(args)
        return "done"

    braked = wrap_execute(execute, brake_at(2), tool="search")

    assert inspect.iscoroutinefunction(braked)
    assert asyncio.run(braked({})) == "done"
    with pytest.raises(LoopBrakeError):
        asyncio.run(braked({}))
    assert len(ran) == 1


def test_function_that_returns_an_awaitable():
    """What a plain function returns may be awaited; the refusal comes before there is anything to await."""

    async def later(args):
        return args

    def execute(args):
        return later(args)

    braked = wrap_execute(execute, brake_at(2), tool="search")

    assert asyncio.run(braked({"q": 1})) == {"q": 1}
    with pytest.raises(LoopBrakeError):
        braked({"q": 1})


@pytest.mark.parametrize("execute", [AsyncSearch(), functools.partial(AsyncSearch()), AsyncSearch().__call__])
def test_async_callables(execute):
    """Callable objects, partials and methods with a coroutine behind them are awaited as before."""
    braked = wrap_execute(execute, brake_at(2), tool="search")

    assert inspect.iscoroutinefunction(braked)
    assert asyncio.run(braked({"q": 1})) == {"q": 1}


@pytest.mark.parametrize("pick", [lambda tool: tool, lambda tool: tool.execute, functools.partial])
def test_callables(pick):
    """Callable objects, methods and partials are counted as functions are."""
    tool = Search()
    braked = wrap_execute(pick(tool), brake_at(2), tool="search")

    assert [outcome(braked, {}), outcome(braked, {})] == ["ok", 2]
    assert tool.ran == [{}]


def test_keeps_name_and_original():
    """The braked callable has the name of the original, which it refers to."""
    braked = wrap_execute(spread, brake_at(), tool="search")

    assert (braked.__name__, braked.__wrapped__) == ("spread", spread)
    assert inspect.signature(braked) == inspect.signature(spread)


def test_a_call_that_does_not_fit():
    """A call that the body will not take is counted, and fails as it would without a brake."""
    execute = wrap_execute(spread, brake_at(), tool="search")
    for _ in range(2):
        with pytest.raises(TypeError, match="unexpected keyword argument 'page'"):
            execute("x", page=2)

    assert outcome(execute, "x", page=2) == 3


def test_a_body_that_fails():
    """A call that raises is over all the same, and counted."""

    def fail(args):
        raise ValueError("no answer")

    execute = wrap_execute(fail, brake_at(), tool="search")
    for _ in range(2):
        with pytest.raises(ValueError, match="no answer"):
            execute({})

    assert outcome(execute, {}) == 3


def test_two_callables_share_a_streak():
    """Two callables of one brake are counted together where tool and session are the same."""
    brake = brake_at()
    one, other = (wrap_execute(lambda args: None, brake, tool="search") for _ in range(2))

    assert [outcome(one, {}), outcome(other, {}), outcome(one, {})] == ["ok", "ok", 3]


def test_dispose_makes_transparent():
    """What a brake wrapped runs as it is once the brake is disposed of."""
    brake = brake_at(1)
    execute = wrap_execute(whole, brake, tool="search")
    brake.dispose()

    assert outcome(execute, {}) == "ok"


def test_dispose_makes_transparent_to_await():
    """The same holds for a coroutine function."""

    async def execute(args):
        return args

    brake = brake_at(1)
    braked = wrap_execute(execute, brake, tool="search")
    brake.dispose()

    assert asyncio.run(braked({"q": 1})) == {"q": 1}


def test_not_callable():
    """Something that cannot be called cannot be braked."""
    with pytest.raises(TypeError, match="execute of 'search' must be callable"):
        wrap_execute("search", brake_at(), tool="search")


def test_tasks():
    """Identical calls of concurrent tasks are each counted once, and as many run as the limit lets through."""
    ran = []

    async def execute(args):
        await asyncio.sleep(0)
        ran.append(args)

    async def run():
        braked = wrap_execute(execute, brake_at(4), tool="search")
        return await asyncio.gather(*(braked({}) for _ in range(8)), return_exceptions=True)

    refusals = [result for result in asyncio.run(run()) if isinstance(result, LoopBrakeError)]

    assert sorted(refusal.count for refusal in refusals) == [4, 5, 6, 7, 8]
    assert len(ran) == 3
