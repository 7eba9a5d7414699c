"""``attach``: every tool of a registry is braked, however it is registered and executed."""

import asyncio
import functools
from types import SimpleNamespace

import pytest
from registries import AsyncRegistry, NamedRegistry, Registry, Tool, outcome

from toolbrake.loop_brake import LoopBrakeError, attach


def attached(registry, limit=3):
    """The brake of a registry, that no environment has a say in."""
    return attach(registry, limit, environ={})


def search(**arguments):
    """A tool that is a function."""
    return "found"


class Recording:
    """A registry that keeps what it is given, and answers what it is told to."""

    def __init__(self, answer=None):
        self.given = []
        self.answer = answer

    def register(self, *args, **kwargs):
        self.given.append((args, kwargs))
        return self.answer


class CallableTool(Tool):
    """A tool that is run by calling it, and shows its schema."""

    args = {"q": {"type": "integer"}}  # noqa: RUF012 - as frameworks have it
    execute = None

    def __call__(self, args):
        """Nothing is done."""


SHAPES = [
    ("a definition", lambda register: register(Tool()), lambda args, kwargs: args[0].execute),
    ("a mapping", lambda register: register({"name": "search", "execute": search}), lambda a, k: a[0]["execute"]),
    ("a function", lambda register: register(search), lambda args, kwargs: args[0]),
    ("a name and a definition", lambda register: register("search", Tool("old")), lambda a, k: a[1].execute),
    ("a name and a function", lambda register: register("search", lambda q: q), lambda args, kwargs: args[1]),
    ("texts and a function", lambda register: register("search", "Finds.", lambda q: q), lambda a, k: a[2]),
    ("by keyword", lambda register: register(name="search", execute=search, schema={}), lambda a, k: k["execute"]),
    ("a definition by keyword", lambda register: register(definition=Tool()), lambda a, k: k["definition"].execute),
    ("a name by keyword", lambda register: register(Tool("old"), name="search"), lambda a, k: a[0].execute),
    ("a partial", lambda register: register(functools.partial(search, page=1)), lambda args, kwargs: args[0]),
]


@pytest.mark.parametrize(("register", "pick"), [row[1:] for row in SHAPES], ids=[row[0] for row in SHAPES])
def test_register_shapes(register, pick):
    """However a tool is registered, the registry gets it braked under the name that the model will use."""
    registry = Recording()
    attached(registry, 1)
    register(registry.register)

    with pytest.raises(LoopBrakeError) as caught:
        pick(*registry.given[0])({})
    assert caught.value.tool_name == "search"


def test_register_by_category():
    """A text that is no name, as its parameter says, does not make one tool of all that are registered with it."""

    class Sorted(Recording):
        def register(self, category, definition):
            self.given.append(definition)

    registry = Sorted()
    attached(registry, 1)
    registry.register("web", Tool("search"))

    with pytest.raises(LoopBrakeError, match='tool "search"'):
        registry.given[0].execute({})


@pytest.mark.parametrize("given", [("search",), ({"name": "search"},), (Tool,), ()])
def test_register_passes_on_what_it_cannot_brake(given):
    """A text, a declaration without a body and a class are registered as they are."""
    registry = Recording()
    attached(registry)
    registry.register(*given)

    assert registry.given == [(given, {})]


@pytest.mark.parametrize("answer", ["token", None, Tool, 42])
def test_register_returns_what_it_returned(answer):
    """What ``register`` returns is passed on."""
    registry = Recording(answer)
    attached(registry)

    assert registry.register(Tool()) is answer
    assert registry.register({"name": "declared"}) is answer


def test_register_passes_on_what_has_no_name():
    """Something to call that has no name is registered as it is: only execute knows what to count it as."""

    class Nameless:
        def __call__(self, args):
            """Nothing is done."""

    registry = Recording()
    attached(registry)
    registry.register(nameless := Nameless())

    assert registry.given == [((nameless,), {})]


def test_register_returns_a_way_back():
    """A function that takes the registration back works as before."""
    taken_back = []
    registry = Recording(lambda: taken_back.append(True))
    attached(registry)
    registry.register({"name": "declared"})()

    assert taken_back == [True]


def test_register_as_decorator():
    """``register`` as a decorator registers the braked function."""
    registry = NamedRegistry()
    attached(registry)

    @registry.register
    def find(query):
        return query

    assert [outcome(registry.tools["find"], "x") for _ in range(3)] == ["ok", "ok", 3]


def test_register_as_decorator_with_a_name():
    """``register`` as a decorator with a name registers the braked function under it."""
    registry = NamedRegistry()
    attached(registry, 1)

    @registry.register("search")
    def find(query):
        return query

    with pytest.raises(LoopBrakeError, match='tool "search"'):
        registry.tools["search"]("x")


def test_decorator_kept_past_the_end():
    """A decorator that was asked for while the brake was attached registers what it is given once it is gone."""
    registry = NamedRegistry()
    with attached(registry):
        register = registry.register("search")
    register(search)

    assert registry.tools["search"] is search


def test_registered_original_runs_without_limit():
    """The definition that was registered is left alone."""
    registry = Registry()
    attached(registry, 1)
    tool = Tool()
    registry.register(tool)

    assert [outcome(tool.execute, {}) for _ in range(3)] == ["ok"] * 3


EXECUTE_SHAPES = [
    ("name, arguments", lambda execute: execute("search", {"q": 1})),
    ("name, JSON text", lambda execute: execute("search", '{"q": 1}')),
    ("name, arguments, context", lambda execute: execute("search", {"q": 1}, {"call_id": "c"})),
    ("by keyword", lambda execute: execute(name="search", args={"q": 1}, context=None)),
    ("in any order", lambda execute: execute(args={"q": 1}, tool="search")),
    ("a call that is a mapping", lambda execute: execute({"name": "search", "arguments": {"q": 1}})),
    ("a call that names a tool", lambda execute: execute({"tool": "search", "args": {"q": 1}})),
    ("a call with an input", lambda execute: execute({"name": "search", "input": {"q": 1}, "id": "c"})),
    ("a call that is an object", lambda execute: execute(SimpleNamespace(name="search", arguments={"q": 1}))),
    ("a call by keyword", lambda execute: execute(call={"name": "search", "arguments": {"q": 1}})),
    (
        "a chat completion's tool call",
        lambda execute: execute({"id": "c", "function": {"name": "search", "arguments": '{"q": 1}'}}),
    ),
    ("a tool to call and arguments", lambda execute: execute(CallableTool(), {"q": 1})),
    ("arguments by keyword", lambda execute: execute("search", q=1)),
    ("a tool and arguments", lambda execute: execute(Tool(), {"q": 1})),
    (
        "a tool that shows its schema",
        lambda execute: execute({"name": "search", "args": {}, "execute": 1}, args={"q": 1}),
    ),
]


class Executing:
    """A registry whose ``execute`` takes anything."""

    def register(self, definition):
        """Nothing is kept."""

    def execute(self, *args, **kwargs):
        return "ran"


@pytest.mark.parametrize("execute", [row[1] for row in EXECUTE_SHAPES], ids=[row[0] for row in EXECUTE_SHAPES])
def test_execute_shapes(execute):
    """However a call is passed to execute, it is the same call."""
    registry = Executing()
    brake = attached(registry)
    brake.check("search", {"q": 1})

    assert execute(registry.execute) == "ran"
    assert brake.streak().count == 2


UNREAD = [
    ("nothing", lambda execute: execute()),
    ("a number", lambda execute: execute(42, {"q": 1})),
    ("an object without arguments", lambda execute: execute(SimpleNamespace(name="agent"), {"q": 1})),
    ("the host's words among a tool's", lambda execute: execute("search", q=1, call_id="c1")),
    ("two values", lambda execute: execute("search", {"q": 1}, args={"q": 2})),
    ("more beside one value", lambda execute: execute("search", {"q": 1}, q=2)),
]


@pytest.mark.parametrize("execute", [row[1] for row in UNREAD], ids=[row[0] for row in UNREAD])
def test_execute_leaves_what_it_cannot_read(execute):
    """A call of a shape that may mean two things runs uncounted."""
    registry = Executing()
    brake = attached(registry, 1)

    assert execute(registry.execute) == "ran"
    assert brake.streak().count == 0


def test_arguments_left_out():
    """Arguments by keyword are read beside a parameter for them that holds None."""

    class Host(Executing):
        def execute(self, name, args=None, **rest):
            """Nothing is run."""

    registry = Host()
    brake = attached(registry)
    registry.execute("search", None, q=1)
    registry.execute("search", {"q": 1})

    assert brake.streak().count == 2


SESSIONS = [
    (lambda self, name, args, context: None, ("search", {}, {"session_id": "s1"}), {}),
    (lambda self, name, args, context: None, ("search", {}, SimpleNamespace(agent={"id": "s1"})), {}),
    (lambda self, name, args, session_id: None, ("search", {}, "s1"), {}),
    (lambda self, agent_id, name, args: None, ("s1", "search", {}), {}),
    (lambda self, name, args, **rest: None, ("search", {}), {"session_id": "s1"}),
    (lambda self, name, **rest: None, ("search",), {"args": {}, "session_id": "s1"}),
    (lambda self, call, context=None: None, ({"name": "search", "args": {}, "agent": "s1"},), {}),
    (lambda self, call, context: None, ({"name": "search", "args": {}, "agent": "a1"}, {"session_id": "s1"}), {}),
]


@pytest.mark.parametrize(("execute", "args", "kwargs"), SESSIONS)
def test_session_of_execute(execute, args, kwargs):
    """The session stands in the context, in the call, or in a parameter of its own."""
    registry = type("Host", (Executing,), {"execute": execute})()
    brake = attached(registry)
    registry.execute(*args, **kwargs)

    assert brake.streak("s1").count == 1


def test_async_execute():
    """An execute that is a coroutine function stays one, and refuses when it is awaited."""
    registry = AsyncRegistry()
    attached(registry, 2)
    registry.register(Tool())

    assert asyncio.iscoroutinefunction(registry.execute)
    assert asyncio.run(registry.execute("search", {})) == "ran search"
    with pytest.raises(LoopBrakeError):
        asyncio.run(registry.execute("search", {}))


def test_generator_execute():
    """An execute that is a generator is left as it is; the tool's body counts."""

    class Streaming(Registry):
        def execute(self, name, args=None):
            yield self.tools[name].execute(args)

    registry = Streaming()
    attached(registry)
    registry.register(Tool())

    assert [outcome(lambda: list(registry.execute("search", {}))) for _ in range(3)] == ["ok", "ok", 3]
