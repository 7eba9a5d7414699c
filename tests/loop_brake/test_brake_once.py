"""One host call passes several seams and is counted once; another call never passes as the same."""

import asyncio
import contextvars
from types import SimpleNamespace

import pytest
from registries import (
    AsyncRegistry,
    CallRegistry,
    NamedRegistry,
    Registry,
    Tool,
    TranslatingRegistry,
    outcome,
)

from toolbrake.loop_brake import LoopBrake, attach, call_hash, decorate_tool, hash_prefix, wrap_execute


def attached(registry, limit=3):
    """The brake of a registry, that no environment has a say in."""
    return attach(registry, limit, environ={})


def test_by_context():
    """Without an id the body knows the call by running inside execute."""
    registry = Registry()
    attached(registry)
    registry.register(Tool())

    assert [outcome(registry.execute, "search", {"q": 1}) for _ in range(3)] == ["ok", "ok", 3]


def test_by_context_in_a_coroutine():
    """The same holds where execute is a coroutine function."""
    registry = AsyncRegistry()
    attached(registry)
    registry.register(Tool())
    run = lambda: asyncio.run(registry.execute("search", {"q": 1}))  # noqa: E731 - what is tried

    assert [outcome(run) for _ in range(3)] == ["ok", "ok", 3]


def test_by_context_in_an_awaitable():
    """The same holds where a plain execute returns what has to be awaited."""

    class Lazy(Registry):
        def execute(self, name, args=None):
            async def later():
                return self.tools[name].execute(args)

            return later()

    registry = Lazy()
    attached(registry)
    registry.register(Tool())
    run = lambda: asyncio.run(registry.execute("search", {"q": 1}))  # noqa: E731 - what is tried

    assert [outcome(run) for _ in range(3)] == ["ok", "ok", 3]


def test_concurrent_tasks():
    """Calls of concurrent tasks are each counted once, whatever their bodies wait for."""

    class AsyncTool(Tool):
        async def execute(self, args, context=None):
            await asyncio.sleep(0)
            self.ran.append(args)

    registry = AsyncRegistry()
    brake = attached(registry, 10)
    registry.register(AsyncTool(ran=(ran := [])))

    async def run():
        await asyncio.gather(*(registry.execute("search", {"q": 1}) for _ in range(5)))

    asyncio.run(run())

    assert (brake.streak().count, len(ran)) == (5, 5)


def test_futures_of_the_event_loop():
    """A future that execute returns is returned as it is, and the call is open until it is done."""

    class Tasks(Registry):
        def execute(self, name, args=None):
            async def later():
                return self.tools[name].execute(args)

            return asyncio.ensure_future(later())

    async def run():
        registry = Tasks()
        brake = attached(registry)
        registry.register(Tool())
        task = registry.execute("search", {})
        await task
        return task, brake.streak().count

    task, count = asyncio.run(run())

    assert (isinstance(task, asyncio.Task), count) == (True, 1)


def test_arguments_filled_up():
    """A registry that fills arguments up on the way does not make two calls of one."""
    registry = TranslatingRegistry(defaults={"limit": 10})
    attached(registry)
    registry.register(Tool())

    assert [outcome(registry.execute, "search", {"q": 1}) for _ in range(3)] == ["ok", "ok", 3]


def test_name_translated():
    """A registry that knows tools by another name than the model does not make two calls of one."""
    registry = TranslatingRegistry(prefix="web.")
    attached(registry)
    registry.register(Tool())

    assert [outcome(registry.execute, "web.search", {"q": 1}) for _ in range(3)] == ["ok", "ok", 3]


def test_spread_arguments():
    """A registry that spreads arguments over the body's parameters does not make two calls of one."""
    registry = NamedRegistry()
    brake = attached(registry)
    registry.register("search", lambda query, limit=10: query)
    registry.execute("search", query="x")

    assert brake.streak().count == 1


def test_retry_of_the_host():
    """A body that the host tries again within one call is counted once."""

    class Retrying(Registry):
        def execute(self, name, args=None):
            self.tools[name].execute(args)
            return self.tools[name].execute(args)

    registry = Retrying()
    brake = attached(registry)
    registry.register(tool := Tool())
    registry.execute("search", {})

    assert (brake.streak().count, len(tool.ran)) == (1, 2)


def test_execute_that_calls_itself():
    """An execute that brings its arguments into shape by calling itself is passed once."""

    class Reshaping(Registry):
        def execute(self, name, args=None):
            if isinstance(name, dict):
                return self.execute(name["name"], name["arguments"])
            return super().execute(name, args)

    registry = Reshaping()
    brake = attached(registry)
    registry.register(Tool())
    registry.execute({"name": "search", "arguments": {"q": 1}})

    assert brake.streak().count == 1


def test_braked_twice():
    """A definition that the same brake has braked before is counted once."""
    registry = Registry()
    brake = attached(registry)
    registry.register(decorate_tool(Tool(), brake))
    registry.execute("search", {})

    assert brake.streak().count == 1


def test_check_inside_execute():
    """A host that also checks by hand, under the call's id, counts once."""

    class Checking(Registry):
        def execute(self, name, args=None, context=None):
            self.brake.check(name, args, call_id=context["call_id"])
            return super().execute(name, args, context)

    registry = Checking()
    registry.brake = attached(registry)
    registry.register(Tool())
    for number in range(2):
        registry.execute("search", {}, {"call_id": f"c{number}"})

    assert registry.brake.streak().count == 2


def test_check_inside_a_body():
    """The same holds for a callable that is braked by itself."""
    brake = LoopBrake(5, environ={})
    execute = wrap_execute(
        lambda args, context: brake.check("search", args, call_id=context["call_id"]), brake, tool="search"
    )

    assert [execute({}, {"call_id": "c1"}), execute({}, {"call_id": "c2"})] == [1, 2]


def test_check_before_a_call():
    """The id of a call is the one that it brings itself, where the host passes no other."""
    registry = CallRegistry()
    brake = attached(registry)
    registry.register(Tool())
    brake.check("search", {}, call_id="c1")
    registry.execute({"name": "search", "arguments": {}, "id": "c1"})

    assert brake.streak().count == 1


def test_check_before_execute():
    """A host that checks by hand before it executes, under the call's id, counts once."""
    registry = Registry()
    brake = attached(registry)
    registry.register(Tool())
    for number in range(2):
        brake.check("search", {}, call_id=f"c{number}")
        registry.execute("search", {}, {"call_id": f"c{number}"})

    assert brake.streak().count == 2


def test_ids_that_repeat():
    """A model whose ids never change is stopped at the limit."""
    registry = Registry()
    attached(registry)
    registry.register(Tool())

    assert [outcome(registry.execute, "search", {}, {"call_id": "call_0"}) for _ in range(3)] == ["ok", "ok", 3]


def test_tool_that_calls_another():
    """A call that a body makes is a call of its own."""

    class Asking(Tool):
        def execute(self, args, context=None):
            return registry.execute("search", args)

    registry = Registry()
    attached(registry)
    registry.register(Tool())
    registry.register(Asking("ask"))
    registry.execute("ask", {})

    assert [outcome(registry.execute, "search", {}) for _ in range(2)] == ["ok", 3]


def test_tool_that_calls_itself():
    """A tool that calls itself with the same arguments is stopped at the limit, like an agent that does."""

    class Endless(Tool):
        def execute(self, args, context=None):
            super().execute(args)
            return registry.execute("search", args)

    registry = Registry()
    attached(registry)
    registry.register(tool := Endless(ran=[]))

    assert outcome(registry.execute, "search", {}) == 3
    assert len(tool.ran) == 2


def test_body_that_calls_itself():
    """A body that calls itself without a registry is counted each time."""
    ran = []

    def execute(args):
        ran.append(args)
        braked(args)

    braked = wrap_execute(execute, LoopBrake(3, environ={}), tool="search")

    assert outcome(braked, {}) == 3
    assert len(ran) == 2


def test_body_that_calls_a_namesake():
    """A body that calls another of its name with other arguments makes another call."""
    brake = LoopBrake(5, environ={})
    inner = wrap_execute(lambda args: None, brake, tool="search")
    outer = wrap_execute(lambda args: inner({"page": 2}), brake, tool="search")
    outer({"page": 1})
    inner({"page": 2})

    assert brake.streak().count == 2


def test_same_id_inside():
    """A body that fills arguments up for another of its name is one call with it, if both know the id."""
    brake = LoopBrake(5, environ={})
    inner = wrap_execute(lambda args, context: None, brake, tool="search")
    outer = wrap_execute(lambda args, context: inner({**args, "limit": 10}, context), brake, tool="search")
    outer({"q": 1}, {"call_id": "c1"})

    assert brake.streak().hash_prefix == hash_prefix(call_hash("search", {"q": 1}))


def test_two_brakes_in_turn():
    """Calls that pass the bodies of two brakes by turns are counted once by each."""
    one, other = LoopBrake(5, environ={}), LoopBrake(5, environ={})
    execute = lambda args: None  # noqa: E731 - what is wrapped
    for brake in (one, other, one, other):
        execute = wrap_execute(execute, brake, tool="search")
    execute({})

    assert (one.streak().count, other.streak().count) == (1, 1)


def test_other_session_inside():
    """A sub-agent that makes the call its parent is making is counted in its own session."""
    brake = LoopBrake(3, environ={})
    inner = wrap_execute(lambda args, context: None, brake, tool="search")
    outer = wrap_execute(lambda args, context: inner(args, {"agent": "child"}), brake, tool="search")
    outer({}, {"agent": "parent"})

    assert (brake.streak("parent").count, brake.streak("child").count) == (1, 1)


def test_other_id_inside():
    """A call under another id is another call, though it is equal and made inside."""
    brake = LoopBrake(5, environ={})
    inner = wrap_execute(lambda args, context: None, brake, tool="search")
    outer = wrap_execute(lambda args, context: inner(args, {"call_id": "c2"}), brake, tool="search")
    outer({}, {"call_id": "c1"})

    assert brake.streak().count == 2


def test_task_left_behind():
    """A task that a body leaves behind makes calls of its own, though it carries the context of a call that is over."""

    async def run():
        registry = AsyncRegistry()
        brake = attached(registry, 10)
        started = asyncio.Event()
        tasks = []

        class Spawning(Tool):
            async def execute(self, args, context=None):
                async def later():
                    await started.wait()
                    registry.tools["search"].execute(args)

                tasks.append(asyncio.create_task(later()))

        registry.register(Tool())
        registry.register(Spawning("spawn"))
        await registry.execute("spawn", {})
        registry.tools["search"].execute({})
        started.set()
        await tasks[0]
        return brake.streak().count

    assert asyncio.run(run()) == 2


def test_task_left_behind_that_calls_again():
    """A task that a body leaves behind to make the same call again is counted, though it carries the old context."""

    async def run():
        registry = AsyncRegistry()
        over = asyncio.Event()
        tasks = []

        class Polling(Tool):
            async def execute(self, args, context=None):
                async def later():
                    await over.wait()
                    await registry.execute("poll", args)

                if not tasks:
                    tasks.append(asyncio.create_task(later()))

        registry.register(Polling("poll"))
        brake = attached(registry, 10)
        await registry.execute("poll", {})
        over.set()
        await tasks[0]
        return brake.streak().count

    assert asyncio.run(run()) == 2


def test_context_left_behind():
    """A call that is over awaits no body, though a context that was copied from it is still there."""
    kept = []
    registry = Registry()
    registry.tools["search"] = SimpleNamespace(execute=lambda *_: kept.append(contextvars.copy_context()))
    brake = attached(registry, 10)
    registry.execute("search", {})
    registry.register(Tool())
    registry.tools["search"].execute({})

    assert brake.streak().count == 2


@pytest.mark.filterwarnings("ignore:coroutine .* was never awaited")
def test_coroutine_that_nobody_awaits():
    """A call that was never awaited does not stay open for another one's body to be taken for it."""

    class Lazy(Registry):
        def execute(self, name, args=None):
            async def later():
                return self.tools[name].execute(args)

            return later()

    registry = Lazy()
    brake = attached(registry, 10)
    registry.register(Tool())
    registry.execute("search", {})
    registry.tools["search"].execute({})

    assert brake.streak().count == 2


def test_coroutine_closed_elsewhere():
    """A coroutine that is closed half-way, while another call runs, ends its call and not that of the other."""

    async def waiting(args):
        await asyncio.sleep(0)

    brake = LoopBrake(5, environ={})
    coroutine = wrap_execute(waiting, brake, tool="wait")({})
    contextvars.copy_context().run(coroutine.send, None)
    inner = wrap_execute(lambda args: None, brake, tool="search")
    outer = wrap_execute(lambda args: coroutine.close() or inner(args), brake, tool="search")
    outer({})

    assert brake.streak().count == 1
