"""The arguments of a refused call are in nothing that may be logged, shown or handed back to a model."""

import asyncio
import contextvars
import pickle
import sys
import traceback

import pytest
from registries import AsyncRegistry, Registry, Tool

from toolbrake.loop_brake import LoopBrake, LoopBrakeError, attach, wrap_execute

SECRET = "hunter2-canary"  # noqa: S105 - what must not show
ARGS = {"token": SECRET}


def refused(run):
    """The refusal of what is run until it is refused."""
    for _ in range(9):
        try:
            run()
        except LoopBrakeError as refusal:
            return refusal
    return None


def by_check():
    """A refusal by hand."""
    brake = LoopBrake(environ={})
    return refused(lambda: brake.check("login", ARGS))


def by_execute():
    """A refusal at a registry's execute."""
    registry = Registry()
    attach(registry, environ={})
    registry.register(Tool("login"))
    return refused(lambda: registry.execute("login", ARGS))


def by_body():
    """A refusal at a tool's body."""
    execute = wrap_execute(lambda args: None, LoopBrake(environ={}), tool="login")
    return refused(lambda: execute(ARGS))


def by_coroutine():
    """A refusal in an event loop."""
    registry = AsyncRegistry()
    attach(registry, environ={})
    registry.register(Tool("login"))
    return refused(lambda: asyncio.run(registry.execute("login", ARGS)))


def while_handling():
    """A refusal while the host is handling an error that quotes the arguments."""
    brake = LoopBrake(1, environ={})
    try:
        int(SECRET)
    except ValueError:
        return refused(lambda: brake.check("login", ARGS))


@pytest.mark.parametrize("refusal", [by_check, by_execute, by_body, by_coroutine, while_handling])
def test_canary(refusal):
    """A secret among the arguments appears nowhere in the error."""
    error = refusal()
    shown = [
        str(error),
        repr(error),
        repr(error.args),
        repr(vars(error)),
        repr(getattr(error, "__notes__", ())),
        "".join(traceback.format_exception(error)),
        repr(pickle.dumps(error)),
    ]

    assert error.tool_name == "login"
    assert not [text for text in shown if SECRET in text]
    assert (error.__cause__, error.__context__) == (None, None)


def test_a_tools_name_is_cleaned():
    """A tool's name, which may come from a server, is shown on one line and without markup."""
    brake = LoopBrake(1, environ={})

    with pytest.raises(LoopBrakeError) as caught:
        brake.check("a\nb<c>", {})
    assert "\n" not in str(caught.value)
    assert "<" not in str(caught.value)


def test_state_holds_no_arguments():
    """A brake keeps no arguments of the calls that are over."""
    brake = LoopBrake(environ={})
    args = {"token": object()}
    before = sys.getrefcount(args)
    wrap_execute(lambda args: None, brake, tool="login")(args)
    brake.check("login", args, call_id="c1")

    assert sys.getrefcount(args) == before


def test_context_holds_no_arguments():
    """A context that outlives a call, as a task's does, keeps none of its arguments."""
    args = {"token": object()}
    before = sys.getrefcount(args)
    kept = []
    wrap_execute(lambda args: kept.append(contextvars.copy_context()), LoopBrake(environ={}), tool="login")(args)

    assert sys.getrefcount(args) == before


def test_opens_nothing():
    """Counting, refusing, attaching and detaching open no file, socket or process."""
    opened = []
    watching = True

    def hook(event, args):
        if watching and event.partition(".")[0] in {"open", "os", "socket", "subprocess", "shutil", "sqlite3"}:
            opened.append(event)

    registry = Registry()
    attach(registry, environ={}).dispose()
    sys.addaudithook(hook)
    with attach(registry, environ={}) as brake:
        registry.register(Tool("login"))
        refused(lambda: registry.execute("login", ARGS))
        brake.reset()
    watching = False

    assert opened == []
