"""``LoopBrake``: its sessions, its ids, its end."""

import copy
import pickle
import threading
from collections import defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st
from registries import outcome

from toolbrake.errors import ConfigError
from toolbrake.loop_brake import (
    MAX_SESSIONS,
    InvalidMaxRepeatsError,
    LoopBrake,
    SessionStreak,
    call_hash,
    hash_prefix,
    wrap_execute,
)


def brake_at(limit=3):
    """A brake that no environment has a say in."""
    return LoopBrake(limit, environ={})


def test_check_returns_the_place():
    """A call that may run is told its place in the streak."""
    brake = brake_at()

    assert [brake.check("search", {}), brake.check("search", {}), brake.check("read", {})] == [1, 2, 1]


def test_limit_by_keyword():
    """The limit may be given by keyword; the environment has no say then."""
    brake = LoopBrake(max_repeats=4, environ={"DSH_LOOP_BRAKE_MAX_REPEATS": "9"})

    assert brake.max_repeats == 4


def test_limit_by_keyword_is_checked():
    """A limit given by keyword is held to the same rule."""
    with pytest.raises(InvalidMaxRepeatsError):
        LoopBrake(max_repeats=0)


def test_limit_given_twice():
    """A limit in two places is misuse."""
    with pytest.raises(TypeError, match="given twice"):
        LoopBrake({"max_repeats": 2}, max_repeats=3)


def test_unknown_key():
    """A configuration with a key that is none is an error that names it."""
    with pytest.raises(ConfigError, match="maxRepeat"):
        LoopBrake({"maxRepeat": 2}, environ={})


def test_streak():
    """A streak is a count and a hash's prefix; the arguments are not kept."""
    brake = brake_at()
    brake.check("search", {"q": "weather"}, session_id="s1")

    assert brake.streak("s1") == SessionStreak(1, hash_prefix(call_hash("search", {"q": "weather"})))


def test_streak_of_nobody():
    """A session without a call has an empty streak, and asking for it makes none."""
    brake = brake_at()

    assert brake.streak("s1") == SessionStreak(0, "")


def test_streak_counts_refusals():
    """Refused calls are part of the streak."""
    brake = brake_at(2)
    for _ in range(4):
        outcome(brake.check, "search", {})

    assert brake.streak().count == 4


def test_reset_one():
    """Resetting a session leaves the others."""
    brake = brake_at()
    brake.check("search", {}, session_id="s1")
    brake.check("search", {})
    brake.reset("default")

    assert (brake.streak("s1").count, brake.streak().count) == (1, 0)


def test_reset_all():
    """Resetting without a name forgets every session."""
    brake = brake_at()
    brake.check("search", {}, session_id="s1")
    brake.check("search", {})
    brake.reset()

    assert (brake.streak("s1").count, brake.streak().count) == (0, 0)


def test_session_limit():
    """Past the limit of sessions the one that called least recently is forgotten."""
    brake = brake_at()
    for number in range(MAX_SESSIONS):
        brake.check("search", {}, session_id=number)
    brake.check("search", {}, session_id=0)
    brake.check("search", {}, session_id="one more")

    assert (brake.streak("0").count, brake.streak("1").count, brake.streak("2").count) == (2, 0, 1)


def test_brakes_share_nothing():
    """Two brakes count apart."""
    one, other = brake_at(), brake_at()
    one.check("search", {})

    assert other.check("search", {}) == 1


def test_same_id_at_two_places():
    """A call that a host passes by two places under one id is counted once."""
    brake = brake_at()
    counts = [brake.check("search", {}, call_id=call_id) for call_id in ("c1", "c1", "c2", "c2")]

    assert counts == [1, 1, 2, 2]


def test_same_id_at_two_places_in_a_batch():
    """Calls of a batch that pass the first place together keep their places at the second."""
    brake = brake_at()
    outcomes = [outcome(brake.check, "search", {}, call_id=call_id) for call_id in ("c1", "c2", "c3", "c1", "c2", "c3")]

    assert outcomes == ["ok", "ok", 3, "ok", "ok", 3]


def test_refused_at_both_places():
    """A call refused at the first place is refused with the same count at the second."""
    brake = brake_at(1)

    assert [outcome(brake.check, "search", {}, call_id="c1") for _ in range(2)] == [1, 1]


def test_ids_that_repeat():
    """A model whose ids never change is stopped all the same."""
    brake = brake_at()
    outcomes = [outcome(brake.check, "search", {}, call_id="call_0") for _ in range(6)]

    assert outcomes == ["ok", "ok", "ok", "ok", 3, 3]


def test_empty_id():
    """An empty id is none."""
    brake = brake_at()

    assert [brake.check("search", {}, call_id="") for _ in range(2)] == [1, 2]


def test_id_of_another_call():
    """An id that comes with other arguments is another call."""
    brake = brake_at()
    counts = [brake.check("search", {"page": page}, call_id="c1") for page in (1, 2, 2)]

    assert counts == [1, 1, 1]
    assert brake.check("search", {"page": 2}, call_id="c1") == 2


def test_id_of_an_earlier_streak():
    """An id is forgotten when its streak ends."""
    brake = brake_at()
    brake.check("search", {}, call_id="c1")
    brake.check("read", {})
    brake.check("search", {}, call_id="c2")

    assert brake.check("search", {}, call_id="c1") == 2


def test_remembered_ids_are_bounded():
    """A session remembers 64 ids, whatever the length of its streak."""
    brake = brake_at(1000)
    for number in range(65):
        brake.check("search", {}, call_id=f"c{number}")

    assert brake.check("search", {}, call_id="c1") == 2
    assert brake.check("search", {}, call_id="c0") == 66


def test_dispose_turns_off():
    """A brake that was disposed of counts nothing, as often as it is disposed of."""
    brake = brake_at(1)
    brake.dispose()
    brake.dispose()

    assert brake.check("search", {}) == 0
    assert brake.streak() == SessionStreak()


def test_context_manager():
    """A brake used as a context manager is disposed of at its end."""
    with brake_at(1) as brake:
        inside = outcome(brake.check, "search", {})

    assert (inside, outcome(brake.check, "search", {})) == (1, "ok")


def test_a_persons_way_past():
    """A brake made while TOOLBRAKE_OFF is 1 refuses nothing."""
    brake = LoopBrake(1, environ={"TOOLBRAKE_OFF": "1"})

    assert outcome(brake.check, "search", {}) == "ok"


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_copy(copied):
    """A copy is the same brake: an agent that is copied goes on where it was."""
    brake = brake_at()

    assert copied(brake) is brake


def test_pickle():
    """A pickle holds the limit and no counts."""
    brake = brake_at(5)
    brake.check("search", {})
    loaded = pickle.loads(pickle.dumps(brake))  # noqa: S301 - our own

    assert (loaded.max_repeats, loaded.streak().count) == (5, 0)


def test_repr():
    """A brake shows its limit and nothing that was called."""
    brake = brake_at()
    brake.check("search", {"q": "weather"})

    assert repr(brake) == "LoopBrake(max_repeats=3)"


def test_threads():
    """Calls of many threads are each counted once."""
    brake = brake_at(10_000)
    start = threading.Barrier(8)
    places = []

    def call():
        start.wait()
        places.extend(brake.check("search", {}) for _ in range(200))

    threads = [threading.Thread(target=call) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(places) == list(range(1, 1601))


def test_threads_refuse_exactly():
    """Of many identical calls at once, as many run as the limit lets through."""
    brake = brake_at(4)
    start = threading.Barrier(8)
    ran = []
    execute = wrap_execute(ran.append, brake, tool="search")

    def call():
        start.wait()
        outcome(execute, {})

    threads = [threading.Thread(target=call) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(ran) == 3


CALLS = st.tuples(
    st.sampled_from([None, "s1", "s2"]), st.sampled_from(["search", "read"]), st.sampled_from([{}, {"q": 1}, {"q": 2}])
)
"""A session, a tool and arguments: few of each, so that runs are common."""


@given(st.lists(CALLS, max_size=60), st.integers(1, 4))
def test_counts_are_run_lengths(calls, limit):
    """Every call's place is the length of the run of equal calls that ends with it in its session."""
    brake = brake_at(limit)
    made = defaultdict(list)
    for session, tool, args in calls:
        history = made[session]
        history.append((tool, args))
        run = 0
        while run < len(history) and history[-1 - run] == history[-1]:
            run += 1
        place = outcome(brake.check, tool, args, session_id=session)

        assert brake.streak(session).count == run
        assert place == (run if run >= limit else "ok")
