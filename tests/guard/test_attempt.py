"""``around``: both sides of a call in one block."""

from __future__ import annotations

import asyncio

import pytest

from core.strategies import Scripted
from toolbrake import AsyncGuard, Call, Guard, Policy
from toolbrake.core.events import Result
from toolbrake.testing import Recorder

CALL = Call("search", {"q": "weather"}, id="c1")


def guarded(*rules):
    """A guard, and the recorder that hears it."""
    recorder = Recorder()
    return Guard(Policy(rules), observers=[recorder]), recorder


def results(recorder):
    """What was recorded of calls: content and error."""
    return [(event.content, event.error) for event in recorder.events if isinstance(event, Result)]


def test_success():
    """What the body brought is recorded as a success."""
    guard, recorder = guarded()
    with guard.around(CALL) as attempt:
        attempt.succeed("rain")

    assert results(recorder) == [("rain", False)]


def test_failure():
    """What the body says of its failure is recorded as one."""
    guard, recorder = guarded()
    with guard.around(CALL) as attempt:
        attempt.fail("no such city")

    assert results(recorder) == [("no such city", True)]


def test_nothing_said():
    """A block that says nothing of its outcome leaves it unknown."""
    guard, recorder = guarded()
    with guard.around(CALL):
        pass

    assert results(recorder) == [(None, None)]


def test_exception():
    """An exception that leaves the block is recorded as a failure, by its type and text, and goes on."""
    guard, recorder = guarded()
    with pytest.raises(KeyError), guard.around(CALL):
        raise KeyError("city")

    assert results(recorder) == [("KeyError: 'city'", True)]


def test_exception_after_success():
    """An exception after a success is what came of the call."""
    guard, recorder = guarded()
    with pytest.raises(ValueError, match="late"), guard.around(CALL) as attempt:  # noqa: PT012 - the block is tested
        attempt.succeed("rain")
        raise ValueError("late")

    assert results(recorder) == [("ValueError: late", True)]


@pytest.mark.parametrize("interrupt", [KeyboardInterrupt, SystemExit, GeneratorExit, asyncio.CancelledError])
def test_interrupt(interrupt):
    """An interrupt says nothing about the call, is not recorded, and goes on."""
    guard, recorder = guarded()
    with pytest.raises(interrupt), guard.around(CALL) as attempt:  # noqa: PT012 - the block is tested
        attempt.succeed("rain")
        raise interrupt

    assert results(recorder) == []


def test_exception_without_a_text():
    """An exception whose text cannot be had goes on as it is, and is recorded as a failure."""

    class Hostile(Exception):  # noqa: N818 - it is one
        def __str__(self):
            raise RuntimeError("no text")

    guard, recorder = guarded()
    with pytest.raises(Hostile), guard.around(CALL):
        raise Hostile

    assert [error for _, error in results(recorder)] == [True]


def test_denied():
    """A denied call must not run: the block has the text for the model, and nothing is recorded."""
    guard, recorder = guarded(Scripted({1: "deny"}))
    with guard.around(CALL) as attempt:
        pass

    assert (attempt.runs, attempt.text, attempt.after) == (False, "deny at 1", None)
    assert results(recorder) == []


def test_body_that_ignores_a_denial():
    """What a body that should not have run says is not recorded."""
    guard, recorder = guarded(Scripted({1: "deny"}))
    with guard.around(CALL) as attempt:
        attempt.succeed("rain")

    assert results(recorder) == []


def test_exception_in_the_place_of_a_denied_call():
    """A host that raises where the call was denied records nothing by it."""
    guard, recorder = guarded(Scripted({1: "deny"}))
    with pytest.raises(PermissionError), guard.around(CALL) as attempt:
        raise PermissionError(attempt.text)

    assert results(recorder) == []


def test_notes_of_both_sides():
    """Once the block has been left, the notes are those of the attempt and of the result."""
    guard, _ = guarded(Scripted({1: "remind"}, {1: "remind"}))
    with guard.around(CALL) as attempt:
        early = [note.text for note in attempt.notes]

    assert early == ["remind at 1"]
    assert [note.text for note in attempt.notes] == ["remind at 1", "remind at 1"]


def test_before_the_block():
    """An attempt that was not begun does not run and has nothing to say."""
    guard, _ = guarded()
    attempt = guard.around(CALL)

    assert (attempt.runs, attempt.text, attempt.notes) == (False, "", ())


def test_approved_in_the_block():
    """A body whose call is approved in the block runs, and its result is recorded."""
    guard, recorder = guarded(Scripted({1: "ask"}))
    with guard.around(CALL) as attempt:
        asked = attempt.runs
        attempt.approve(by="ann")
        attempt.succeed("rain")

    assert (asked, attempt.runs) == (False, True)
    assert results(recorder) == [("rain", False)]


def late_note_beside_a_question():
    """An attempt that is asked about, and brings a reminder left over from the batch before it."""
    guard, _ = guarded(Scripted({3: "ask"}, {1: "remind"}))
    batch = [Call("list", {}, id=name, step="s") for name in ("a", "b")]
    for call in batch:
        guard.check(call)
    guard.record(batch[0], "files")
    return guard.around(Call("search", {}, id="c", step="t"))


def test_approval_keeps_the_notes():
    """Notes that came with the question are still delivered when it was approved."""
    with late_note_beside_a_question() as attempt:
        attempt.approve()
        attempt.succeed("rain")

    assert [note.text for note in attempt.notes] == ["remind at 1"]


def test_refusal_keeps_the_notes():
    """Notes that came with the question are still delivered when it was refused."""
    with late_note_beside_a_question() as attempt:
        attempt.refuse()

    assert [note.text for note in attempt.notes] == ["remind at 1"]


def test_refused_in_the_block():
    """A body whose call is refused in the block does not run, and the text says who refused."""
    guard, recorder = guarded(Scripted({1: "ask"}))
    with guard.around(CALL) as attempt:
        attempt.refuse(by="ann")

    assert not attempt.runs
    assert "ann" in attempt.text
    assert results(recorder) == []


# In coroutines


def within(work, *rules):
    """Run a coroutine function on an async guard; the attempt it hands back, and what was recorded."""
    recorder = Recorder()
    guard = AsyncGuard(Policy(rules), observers=[recorder])
    return asyncio.run(work(guard)), results(recorder)


def test_async_success():
    """What the body brought is recorded as a success."""

    async def work(guard):
        async with guard.around(CALL) as attempt:
            attempt.succeed("rain")
        return attempt

    attempt, recorded = within(work, Scripted({1: "remind"}, {1: "remind"}))

    assert recorded == [("rain", False)]
    assert len(attempt.notes) == 2


def test_async_exception():
    """An exception that leaves the block is recorded as a failure, and goes on."""

    async def work(guard):
        with pytest.raises(ValueError, match="no"):
            async with guard.around(CALL):
                raise ValueError("no")

    _, recorded = within(work)

    assert recorded == [("ValueError: no", True)]


def test_async_cancellation():
    """A cancelled body says nothing about the call."""

    async def work(guard):
        with pytest.raises(asyncio.CancelledError):
            async with guard.around(CALL):
                raise asyncio.CancelledError

    _, recorded = within(work)

    assert recorded == []


def test_async_denied():
    """A denied call must not run, and nothing is recorded."""

    async def work(guard):
        async with guard.around(CALL) as attempt:
            pass
        return attempt

    attempt, recorded = within(work, Scripted({1: "deny"}))

    assert (attempt.runs, attempt.text, recorded) == (False, "deny at 1", [])


@pytest.mark.parametrize(("answer", "runs"), [("approve", True), ("refuse", False)])
def test_async_answer(answer, runs):
    """A person's answer in the block decides whether the body runs."""

    async def work(guard):
        async with guard.around(CALL) as attempt:
            await getattr(attempt, answer)(by="ann")
        return attempt

    attempt, _ = within(work, Scripted({1: "ask"}))

    assert attempt.runs == runs
