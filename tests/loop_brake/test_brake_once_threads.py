"""One host call whose body runs in another thread, which knows nothing of the caller's context, is counted once."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from registries import FutureRegistry, PooledRegistry, Tool

from toolbrake.loop_brake import attach, call_hash, hash_prefix, wrap_execute


def attached(registry, limit=3):
    """The brake of a registry, that no environment has a say in."""
    return attach(registry, limit, environ={})


@pytest.fixture
def pool():
    """Two worker threads."""
    with ThreadPoolExecutor(2) as made:
        yield made


@pytest.mark.parametrize("kind", [PooledRegistry, FutureRegistry])
def test_worker_threads(pool, kind):
    """A body in a worker thread, which knows no context, is the call that waits for it."""
    registry = kind(pool)
    brake = attached(registry, 10)
    registry.register(Tool())
    for _ in range(4):
        result = registry.execute("search", {"q": 1})
        _ = result if isinstance(result, str) else result.result()

    assert brake.streak().count == 4


def test_worker_threads_at_once(pool):
    """Two calls that wait for their bodies at once are each counted once, and no body is counted for a third."""
    meet = threading.Barrier(2)

    class Waiting(Tool):
        def execute(self, args, context=None):
            meet.wait()

    registry = FutureRegistry(pool)
    brake = attached(registry, 10)
    registry.register(Waiting())
    for future in [registry.execute("search", {"q": 1}), registry.execute("search", {"q": 1})]:
        future.result()

    assert brake.streak().count == 2


def test_a_body_that_is_taken(pool):
    """A call whose body is running already is not taken for another body of the same tool."""
    running, done = threading.Event(), threading.Event()

    class Waiting(Tool):
        def execute(self, args, context=None):
            if args["waits"]:
                running.set()
                done.wait()

    registry = FutureRegistry(pool)
    brake = attached(registry, 10)
    registry.register(Waiting())
    future = registry.execute("search", {"waits": True})
    running.wait()
    registry.tools["search"].execute({"waits": False})
    latest = brake.streak().hash_prefix
    done.set()
    future.result()

    assert latest == hash_prefix(call_hash("search", {"waits": False}))


@pytest.mark.parametrize("kind", [PooledRegistry, FutureRegistry])
def test_retry_in_worker_threads(pool, kind):
    """A body that the host tries again in another worker thread is counted once."""

    class Retrying(kind):
        def execute(self, name, args=None):
            for _ in range(2):
                result = super().execute(name, args)
                _ = result if isinstance(result, str) else result.result()
            return result

    registry = Retrying(pool)
    brake = attached(registry)
    registry.register(Tool())
    registry.execute("search", {})

    assert brake.streak().count == 1


class Delayed(FutureRegistry):
    """Bodies run when the test says so."""

    def __init__(self, pool):
        super().__init__(pool)
        self.go = threading.Event()

    def execute(self, name, args=None, context=None):
        return self.pool.submit(lambda: self.go.wait() and self.tools[name].execute(args, context))


@pytest.mark.parametrize(("context", "count"), [({"call_id": "c1"}, 1), ({"call_id": "c2"}, 2), ({}, 2)])
def test_another_wrapper_meanwhile(pool, context, count):
    """While a call waits for its body, another wrapper of the tool is on its way only under the same id."""
    registry = Delayed(pool)
    brake = attached(registry, 10)
    registry.register(Tool())
    future = registry.execute("search", {}, {"call_id": "c1"})
    wrap_execute(lambda args, context: None, brake, tool="search")({}, context)
    counted = brake.streak().count
    registry.go.set()
    future.result()

    assert counted == count


def test_same_id_meanwhile(pool):
    """Two calls at once under one id, as from a model whose ids repeat, are two."""
    registry = Delayed(pool)
    brake = attached(registry, 10)
    registry.register(Tool())
    futures = [registry.execute("search", {}, {"call_id": "call_0"}) for _ in range(2)]
    registry.go.set()
    for future in futures:
        future.result()

    assert brake.streak().count == 2


def test_another_session_meanwhile(pool):
    """While a call waits for its body, a body of another session is another call."""
    registry = Delayed(pool)
    brake = attached(registry, 10)
    registry.register(Tool())
    future = registry.execute("search", {}, {"session_id": "s1"})
    registry.tools["search"].execute({}, {"session_id": "s2"})
    registry.go.set()
    future.result()

    assert (brake.streak("s1").count, brake.streak("s2").count) == (1, 1)
