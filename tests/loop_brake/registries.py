"""Stand-ins for hosts: registries of the shapes that Python hosts have."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

from toolbrake.loop_brake import LoopBrakeError


class Tool:
    """A definition as an object; ``ran`` collects the arguments of every call that reached the body."""

    def __init__(self, name="search", ran=None):
        self.name = name
        self.ran = [] if ran is None else ran

    def execute(self, args, context=None):
        self.ran.append(args)
        return f"ran {self.name}"


class Registry:
    """Knows its tools by name; ``execute`` takes name, arguments and context."""

    def __init__(self):
        self.tools = {}

    def register(self, definition):
        self.tools[definition.name] = definition
        return "registered"

    def execute(self, name, args=None, context=None):
        return self.tools[name].execute(args, context)


class NamedRegistry(Registry):
    """``register`` takes a name and a function, or is a decorator with or without a name."""

    def register(self, name=None, function=None):
        if callable(name):
            name, function = name.__name__, name
        if function is None:
            return lambda later: self.register(name or later.__name__, later)
        self.tools[name] = function
        return function

    def execute(self, name, **arguments):
        return self.tools[name](**arguments)


class CallRegistry(Registry):
    """``execute`` takes one call, an object or a mapping, and passes the arguments on as a copy."""

    def execute(self, call, context=None):
        read = call.get if isinstance(call, dict) else lambda key: getattr(call, key)
        return self.tools[read("name")].execute(dict(read("arguments")), SimpleNamespace(call_id=read("id")))


class AsyncRegistry(Registry):
    """``execute`` is a coroutine function."""

    async def execute(self, name, args=None, context=None):
        await asyncio.sleep(0)
        result = self.tools[name].execute(args, context)
        return await result if asyncio.iscoroutine(result) else result


class PooledRegistry(Registry):
    """Bodies run in worker threads, which know nothing of the caller's context; ``execute`` waits for them."""

    def __init__(self, pool: ThreadPoolExecutor):
        super().__init__()
        self.pool = pool

    def execute(self, name, args=None, context=None):
        return self.pool.submit(self.tools[name].execute, args, context).result()


class FutureRegistry(PooledRegistry):
    """``execute`` returns a future at once."""

    def execute(self, name, args=None, context=None):
        return self.pool.submit(self.tools[name].execute, args, context)


class TranslatingRegistry(Registry):
    """Fills arguments up, or gives tools other names, before the body sees them."""

    def __init__(self, *, defaults=(), prefix=""):
        super().__init__()
        self.defaults = dict(defaults)
        self.prefix = prefix

    def execute(self, name, args=None, context=None):
        return super().execute(name.removeprefix(self.prefix), {**self.defaults, **args}, context)


def outcome(run, *args, **kwargs):
    """``"ok"`` for a call that ran, the refusal's count for one that did not."""
    try:
        run(*args, **kwargs)
    except LoopBrakeError as refusal:
        return refusal.count
    return "ok"
