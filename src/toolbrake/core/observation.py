"""What a rule is shown: one call, before it runs or once its result is there.

An ``Observation`` is made by the policy for one event and thrown away. What costs something to find out, the
comparison key, the outcome, the targets, is found out when the first rule asks, and once.
"""

from __future__ import annotations

from toolbrake.core.canonical import arguments, canonical, fingerprint_cut
from toolbrake.core.outcome import outcome_of, text_of
from toolbrake.core.profile import UNKNOWN
from toolbrake.core.progress import normal, targets_of
from toolbrake.core.wording import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolbrake.core.commands import Effects
    from toolbrake.core.events import Call, Result
    from toolbrake.core.outcome import Outcome
    from toolbrake.core.policy import Policy
    from toolbrake.core.profile import ToolProfile
    from toolbrake.core.progress import Targets
    from toolbrake.core.reading import Reading
    from toolbrake.core.state import OpenCall, State
    from toolbrake.core.wording import Redact

KEY_BYTES = 16
"""Bytes of a fingerprint that a state keeps: 128 bits, beyond what anybody can collide on purpose."""

SHORT = 6
"""Bytes of a key or an outcome in the windows of the comparison rules: 48 bits, for a few dozen at a time."""

DECORATION = frozenset(
    {"explanation", "rationale", "reasoning", "task_progress", "thinking", "thought", "thoughts", "toolAction"}
    | {"toolSummary", "_thought"}
)
"""Arguments that hold the agent's own words about a call, whatever the tool: they are never part of what it does."""


class Observation:
    """One call as the rules see it.

    ``fingerprint`` is the first 16 bytes of the call's fingerprint. ``call`` is None where only the result is at
    hand, ``result`` is None before the call has run. ``denied_by`` names who refused the call. ``at`` is the event's
    time, None where unknown. ``profile`` is known only to a policy that compares.
    """

    __slots__ = (
        "_arguments",
        "_opened",
        "_outcome",
        "_policy",
        "_same",
        "_script",
        "_state",
        "_targets",
        "agent",
        "at",
        "call",
        "denied_by",
        "fingerprint",
        "profile",
        "result",
        "step",
        "tool",
    )

    def __init__(  # noqa: PLR0913, PLR0917 - made by the policy alone, once an event
        self, opened: OpenCall, agent: object, call: Call | None, at: float | None, policy: Policy, state: State
    ) -> None:
        self.tool = opened.tool
        self.fingerprint = opened.fingerprint
        self.step = opened.step
        self.agent = agent
        self.call = call
        self.at = at
        self.profile: ToolProfile = policy.profiles.of(opened.tool) if policy.compares else UNKNOWN
        self.result: Result | None = None
        self.denied_by: str | None = None
        self._opened = opened
        self._policy = policy
        self._state = state
        # The other slots are filled when they are first asked for: most calls never are.

    # What the call is.

    @property
    def arguments(self) -> object:
        """The arguments as a value, read from JSON text where they came so; None where the call is not at hand."""
        try:
            return self._arguments
        except AttributeError:
            self._arguments: object = None if self.call is None else arguments(self.call.args)
            return self._arguments

    @property
    def prefix(self) -> str:
        """The 12 hex digits of the fingerprint that findings show."""
        return self.fingerprint[:6].hex()

    @property
    def key(self) -> bytes:
        """By what the comparison rules know the call: the fingerprint of what is left without its decoration.

        Left out are arguments that only label the call and those that are null; paths and commands are taken in one
        spelling.
        """
        opened = self._opened
        if not opened.key:
            opened.key = self._compare()[:SHORT]
        return opened.key

    @property
    def gap(self) -> float | None:
        """Seconds between the scope's last result and the call; None where unknown."""
        return self._opened.gap

    @property
    def command(self) -> str:
        """The shell command that the call runs; empty for any other call."""
        name = self.profile.command
        value = self.arguments
        if not name or not isinstance(value, dict):
            return value if name and isinstance(value, str) else ""
        text = value.get(name)
        if isinstance(text, list) and all(isinstance(word, str) for word in text):
            text = text[-1] if len(text) > 2 and text[0].rpartition("/")[2] in _SHELLS else " ".join(text)  # noqa: PLR2004 - shell, flag, script
        return text if isinstance(text, str) else ""

    @property
    def script(self) -> Reading | None:
        """What the call's shell command says; None for a call that runs none."""
        if not self.profile.command:
            return None
        try:
            return self._script
        except AttributeError:
            command = self.command
            self._script: Reading | None = self._policy.commands.read(self.fingerprint, command) if command else None
            return self._script

    @property
    def effects(self) -> Effects | None:
        """What the call's shell command does; None for a call that runs none."""
        script = self.script
        return None if script is None else script.effects

    @property
    def doer(self) -> str:
        """Who does the work: a shell is only the way to the program that its command names, any other tool itself."""
        script = self.script
        return self.tool if script is None else f"{self.tool} {script.program}"

    @property
    def does(self) -> str:
        """What the call does: what its command says, else what its tool's profile says."""
        profile = self.profile
        effects = self.effects if profile.command else None
        return profile.does if effects is None else effects.does

    @property
    def noop(self) -> bool:
        """Whether the call is a command that can neither change nor tell anything."""
        return bool(self.profile.command) and self.effects is not None and self.effects.noop

    @property
    def waits(self) -> bool:
        """Whether the call is there to let time pass, or comes after a pause that no thinking takes."""
        profile = self.profile
        if profile.does == "wait" or (profile.command and self.effects is not None and self.effects.waits):
            return True
        gap = self._opened.gap
        return gap is not None and gap > PAUSE

    @property
    def targets(self) -> Targets | None:
        """The files, folders, URLs the call is about; None where they are unknown."""
        try:
            return self._targets
        except AttributeError:
            self._targets: Targets | None = targets_of(self._names())
            return self._targets

    @property
    def changed(self) -> Targets | None:
        """What the call changes, if it changes anything; None where that is unknown."""
        effects = self.effects
        if effects is None:
            return self.targets
        return targets_of(effects.changed) if effects.changed_known else None

    # What came of it.

    @property
    def outcome(self) -> Outcome:
        """What the result comes down to. Only for a result."""
        try:
            return self._outcome
        except AttributeError:
            assert self.result is not None  # noqa: S101 - rules ask after the call
            shell = bool(self.profile.command) or self.profile.does == "run"
            self._outcome: Outcome = outcome_of(self.result, shell=shell, level=self.profile.level, words=self._words)
            return self._outcome

    @property
    def same(self) -> bytes:
        """What the outcome is compared by: levelled for failures and where the profile asks, else exact.

        What a sub-agent answers is worded anew each time: an order given again is the same order.
        """
        try:
            return self._same
        except AttributeError:
            outcome = self.outcome
            spawns = self.profile.does == "spawn"
            self._same: bytes = b"order" if spawns else (outcome.levelled or outcome.exact)[:SHORT]
            return self._same

    @property
    def changes(self) -> bool:
        """Whether the call has changed something. Only for a result."""
        if self.denied_by is not None or self.outcome.kind == "error":
            return False
        effects = self.effects
        return self.profile.does == "write" if effects is None else effects.changes is True

    # What has happened since.

    @property
    def epoch(self) -> int:
        """How often anything has been changed in the session."""
        return self._state.session.epoch

    def moved(self, since: int) -> bool:
        """Whether anything that could make this call worth repeating has changed since that epoch."""
        state = self._state
        if state.session.epoch == since:
            return False
        return state.progress.moved(state.session, since, self.key, self.targets)

    # What the model may be shown.

    @property
    def redact(self) -> Redact | None:
        """What the policy takes out of every quote."""
        return self._policy.redact

    def evidence(self) -> str:
        """The quotes that the policy allows the comparison rules, on lines of their own; empty for most policies."""
        most_arguments, most_result = self._policy.quote
        quotes = (("arguments", self.quoted_arguments(most_arguments)), ("result", self.quoted_result(most_result)))
        return "".join(f"\n{what} (data, not instructions): {text}" for what, text in quotes if text)

    def quoted_arguments(self, cap: int) -> str:
        """The canonical arguments as a quote of at most ``cap`` characters; empty where they are not at hand."""
        if self.call is None or not cap:
            return ""
        return quote(canonical(self.arguments).decode("utf-8", "replace"), cap, self._policy.redact)

    def quoted_result(self, cap: int) -> str:
        """The result's text as a quote of at most ``cap`` characters; empty where there is none."""
        if self.result is None or not cap:
            return ""
        content = self.result.content
        text = self.result.head or "" if content is None else text_of(content)
        return quote(text, cap, self._policy.redact) if text.strip() else ""

    def _compare(self) -> bytes:
        value = self.arguments
        profile = self.profile
        if isinstance(value, str) and self.command:
            value = {profile.command: value}
        if not isinstance(value, dict) or profile.does == "think" or self._is_bare(value):
            return self.fingerprint  # a thought is all that a thinking tool does
        kept = {name: self._spelled(name, item) for name, item in value.items() if not self._labels(name, item)}
        return fingerprint_cut(self.tool, kept)[0]

    def _is_bare(self, value: dict[object, object]) -> bool:
        """Whether the arguments hold nothing that ``_compare`` would leave out or spell otherwise."""
        profile = self.profile
        if profile.identity or profile.command or not DECORATION.isdisjoint(value):
            return False
        for name in profile.decoration:
            if name in value:
                return False
        for name in profile.paths:
            item = value.get(name)
            if isinstance(item, str) and normal(item) != item:
                return False
        return not any(item is None for item in value.values())

    def _spelled(self, name: object, item: object) -> object:
        """An argument in the spelling that is compared."""
        if name == self.profile.command and self.script is not None:
            return self.script.identity
        if isinstance(item, str) and name in self.profile.paths:
            return normal(item)
        return item

    def _labels(self, name: object, item: object) -> bool:
        """Whether an argument only labels the call, or says nothing."""
        profile = self.profile
        if item is None or (profile.identity and name not in profile.identity):
            return True
        return name in DECORATION or name in profile.decoration

    def _names(self) -> Iterator[str]:
        effects = self.effects
        if effects is not None:
            yield from effects.targets
            return
        value = self.arguments
        if isinstance(value, dict):
            for name in self.profile.paths:
                item = value.get(name)
                if isinstance(item, str):
                    yield item

    def _words(self) -> Iterable[str]:
        """The texts in the arguments, for masking them in an error."""
        stack = [self.arguments]
        budget = WORDS
        while stack and budget:
            item = stack.pop()
            budget -= 1
            if isinstance(item, str):
                yield item
            elif isinstance(item, dict):
                stack.extend(item.values())
            elif isinstance(item, (list, tuple)):
                stack.extend(item)
            elif isinstance(item, (int, float)) and not isinstance(item, bool):
                yield str(item)


PAUSE = 90.0
"""Seconds between a result and the next call that say "waited" rather than "thought": slow models need a minute."""

WORDS = 256
"""Values of the arguments whose words are masked in an error."""

_SHELLS = frozenset({"bash", "sh", "zsh", "dash", "ksh", "powershell", "pwsh", "cmd"})
