"""``cycle``: a sequence of two to eight steps is run again and again with the same outcomes.

A-B-A-B is where every counter of one call is blind. The unit is the step: calls issued together are one observation,
in any order. For each period p the rule counts how many steps in a row equalled the step p before; two rounds of a
sequence with the same outcomes are rare in working agents, and the third is told. A change made inside the cycle
does not excuse it, since the same sequence made it before; a result that moved, a new call or a user turn ends it.
A denial of ours stands for the outcome that the call had a round ago, or else last, so that denying one call of a
pair does not hide the pair.
"""

from __future__ import annotations

from toolbrake.core.ladder import Ladder
from toolbrake.core.observation import SHORT
from toolbrake.core.value import Value
from toolbrake.core.wording import DENIED
from toolbrake.core.wording import name as shown
from toolbrake.rules._base import OURSELVES, ComparingRule, nth

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from toolbrake.core.decision import Action, Finding
    from toolbrake.core.observation import Observation


class Beat(Value):
    """One step: the calls it held, and what became of them, both as order-free sums of digests.

    ``first`` is the call it began with, and ``answer`` what became of that one.
    """

    __slots__ = ("answer", "calls", "first", "outcomes")

    def __init__(self) -> None:
        self.answer = 0
        self.calls = 0
        self.outcomes = 0
        self.first = 0


class CycleState(Value):
    """The last beats, newest last; ``runs[p]`` beats in a row equalled the one p before."""

    __slots__ = ("beats", "current", "runs", "step")

    def __init__(self, longest: int) -> None:
        self.beats: list[Beat] = []
        self.runs = [0] * (longest + 1)
        self.current: Beat | None = None
        self.step: object = None


class Cycle(ComparingRule):
    """``longest``: the longest period looked for. ``ladder``: rounds of the sequence, the one begun included."""

    __slots__ = ("ladder", "longest")
    name = "cycle"
    ladder: Ladder
    longest: int

    # 8: periods 6 and 7 occur in recorded loops, longer ones were not seen.
    def __init__(self, *, longest: int = 8, ladder: Ladder | None = None) -> None:
        # Rounds. 3: two equal rounds happen, a third is a loop. 5 and 7: the reminder, then denials, were ignored.
        self._set(longest=longest, ladder=ladder or Ladder(3, deny=5, halt=7))

    def start(self) -> CycleState:
        """A scope without a call."""
        return CycleState(self.longest)

    def before(self, state: CycleState, seen: Observation) -> Finding | None:
        """Judge an attempt that begins or goes on with one more round."""
        if seen.step is None or seen.step != state.step:
            self._close(state)
            state.step = seen.step
        if seen.waits:
            return None
        call = _number(seen.key)
        period = self._period(state, call)
        if not period or (state.runs[1] and state.beats[-1].first == call):
            return None  # one call over and over is for ``stall``
        rounds = state.runs[period] // period + 2
        begins = state.runs[period] % period == 0 and (state.current is None or not state.current.calls)
        stop = self.ladder.stop(rounds)
        if stop is not None:
            return self._found(seen, stop[0], rounds, stop[1], period)
        if begins and self.ladder.reminds(rounds):
            return self._found(seen, "remind", rounds, rounds, period)
        return None

    def after(self, state: CycleState, seen: Observation) -> None:
        """Add what became of a call to its step."""
        if seen.denied_by != OURSELVES and seen.denied_by is None and seen.outcome.stub:
            return
        beat = state.current
        if beat is None:
            beat = state.current = Beat()
        call = _number(seen.key)
        outcome = self._outcome(state, seen, call)
        if not beat.first:
            beat.first, beat.answer = call, outcome
        beat.calls = (beat.calls + call) % _MODULUS
        beat.outcomes = (beat.outcomes + outcome) % _MODULUS
        if seen.step is None:
            self._close(state)

    def _outcome(self, state: CycleState, seen: Observation, call: int) -> int:
        if seen.denied_by == OURSELVES:
            period = self._period(state, call)
            past = state.beats[-period:] if period else reversed(state.beats)
            return next((beat.answer for beat in past if beat.first == call), 0)
        if seen.denied_by is not None:
            return 1
        return _number(seen.key + seen.same)

    def _close(self, state: CycleState) -> None:
        """The current step is over: compare it with those before."""
        beat = state.current
        if beat is None:
            return
        state.current = None
        for period in range(1, self.longest + 1):
            past = state.beats[-period] if period <= len(state.beats) else None
            equal = past is not None and past.calls == beat.calls and past.outcomes == beat.outcomes
            state.runs[period] = state.runs[period] + 1 if equal else 0
        state.beats.append(beat)
        del state.beats[: -self.longest]

    def _period(self, state: CycleState, call: int) -> int:
        """The shortest period that two rounds have followed and this call goes on with; 0 for none."""
        for period in range(2, len(state.beats) + 1):
            if state.runs[period] >= period and state.beats[-period].first == call:
                return period
        return 0

    def _found(self, seen: Observation, action: Action, rounds: int, limit: int, period: int) -> Finding:
        what = f"The last calls are a cycle of {period} steps, run {rounds - 1} times with the same outcomes"
        if action == "remind":
            text = (
                f"toolbrake: {what}; {shown(seen.tool)} begins it for the {nth(rounds)} time. Going round again will "
                "bring the same. Step out of it: use what the round told you, do something new, or finish."
            )
        else:
            text = (
                f"{DENIED}: {what}, and {shown(seen.tool)} would go on with it. The call was not run. Every call of "
                "the cycle is stopped, any other is not: do something new, or finish and report what is known."
            )
        return self.finding(seen, action, count=rounds, limit=limit, text=text, period=period)

    def settings(self) -> dict[str, object]:
        """The settings by their key in a configuration."""
        return {"longest": self.longest, "ladder": self.ladder.settings()}

    def dump(self, state: CycleState, *, quotes: bool) -> list[object]:  # noqa: ARG002 - nothing is quoted
        """The state as small values, oldest beat first."""
        current = None if state.current is None else _sums(state.current)
        return [[_sums(beat) for beat in state.beats], state.runs, current, state.step]

    def load(self, data: list[Any]) -> CycleState:
        """The state that ``dump`` wrote."""
        beats, runs, current, step = data
        state = self.start()
        state.beats = [_beat(sums) for sums in beats][-self.longest :]
        state.runs[: len(runs)] = runs[: len(state.runs)]
        state.current = None if current is None else _beat(current)
        state.step = step
        return state


_MODULUS = 1 << 48


def _number(digest: bytes) -> int:
    """A digest as a number that can be summed; a longer one is folded into the same range."""
    return int.from_bytes(digest[:SHORT], "big") ^ (int.from_bytes(digest[SHORT:], "big") * 0x9E3779B97F4B % _MODULUS)


def _sums(beat: Beat) -> list[bytes]:
    """A beat as bytes: a third shorter than its numbers."""
    return [number.to_bytes(SHORT, "big") for number in (beat.answer, beat.calls, beat.first, beat.outcomes)]


def _beat(sums: list[bytes]) -> Beat:
    beat = Beat()
    beat.answer, beat.calls, beat.first, beat.outcomes = (int.from_bytes(number, "big") for number in sums)
    return beat
