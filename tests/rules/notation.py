"""Runs of an agent in a small notation, and what plays them.

A script is a string of words, one a step or an event:

    T Q1 Q2      calls by letter, see ``CALLS``; the number makes other arguments of the same kind
    Q1+Q1+F2     calls of one step, issued together
    Q1=text      the result's text; ``=`` alone an empty one, ``=*`` a text that never came before
    Q1!text      an error with that text; ``!`` alone a standing one
    Q1%somebody  denied by somebody
    Q1&          where a person is asked, they approve; without it they refuse
    Q1@two       the call made by agent "two" of the same session
    user notice  a user turn; a message that the host made
    compact      the history was shortened
    run run:why  a new run; one with a trigger
    wait:900     that many seconds pass

A result without a text of its own is the same for equal words. In texts underscores are blanks and bars end lines.

What is expected is a word a step: ``-`` nothing, ``r`` a reminder, ``a`` asked, ``D`` denied, ``H`` halted; the
strongest of its calls, but asked whatever the answer was.
"""

from __future__ import annotations

import re

from toolbrake.core.decision import RANK
from toolbrake.core.events import Approve, Call, Compact, Refuse, Result, Run, User
from toolbrake.core.policy import Policy
from toolbrake.core.profile import Profiles
from toolbrake.core.state import SessionRecord
from toolbrake.profiles import SHIPPED

CALLS = {
    "T": lambda n: ("thing", {"id": n}),
    "F": lambda n: ("read", {"path": f"src/{n}.py"}),
    "R": lambda n: ("read", {"path": "src/0.py", "offset": n * 100}),
    "W": lambda n: ("write", {"path": f"src/{n}.py", "text": "new"}),
    "Q": lambda n: ("web_search", {"query": f"words {n}"}),
    "P": lambda n: ("bash_output", {"id": n}),
    "K": lambda n: ("think", {"thought": f"thought {n}"}),
    "M": lambda n: ("message", {"text": f"hello {n}"}),
    "B": lambda n: ("bash", {"command": f"cat src/{n}.py"}),
}
"""What a letter calls: a tool that nothing is known of, a file, a range of one file, a write, a search, a poll, a
thought, a message, a command that reads."""

WORDS = {"allow": "-", "remind": "r", "ask": "a", "deny": "D", "halt": "H"}

_CALL = re.compile(r"(?P<name>[A-Z][A-Za-z']*)(?P<n>\d*)(?:@(?P<agent>\w+))?(?P<how>[=!%&].*)?$")


class Heard:
    """What was said to one step: the decisions on its calls and results, in order."""

    def __init__(self, word):
        self.word = word
        self.decisions = []

    @property
    def action(self):
        actions = [decision.action for decision in self.decisions]
        return "ask" if "ask" in actions else max(actions, key=RANK.__getitem__)

    @property
    def findings(self):
        return [finding for decision in self.decisions for finding in decision.findings]

    @property
    def notes(self):
        return [note for decision in self.decisions for note in decision.notes]


class Play:
    """A policy and the scopes of one session, told a script. ``timed`` events carry a clock that ``wait`` moves."""

    def __init__(self, *rules, calls=(), timed=True, **settings):
        self.policy = rules[0] if isinstance(rules[0], Policy) else policy(*rules, **settings)
        self.calls = CALLS | dict(calls)
        self.session = SessionRecord()
        self.states = {}
        self.now = 0.0 if timed else None
        self.serial = 0

    def tell(self, script):
        """What was heard at each step of the script."""
        heard = []
        for word in script.split():
            if word[0].islower():
                self._happen(word)
            else:
                heard.append(self._step(word))
        return heard

    def _happen(self, word):
        kind, _, rest = word.partition(":")
        if kind == "wait":
            self.now += float(rest)
            return
        event = {
            "user": lambda: User("go on"),
            "notice": lambda: User("keep going", synthetic=True),
            "compact": Compact,
            "run": lambda: Run(trigger=rest or None),
        }[kind]()
        self._hand("main", event)

    def _step(self, word):
        heard = Heard(word)
        self.serial += 1
        opened = [self._call(part, place, heard) for place, part in enumerate(word.split("+"))]
        for call, part in opened:
            if call is not None:
                self._result(call, part, heard)
        return heard

    def _call(self, part, place, heard):
        seen = _CALL.match(part)
        tool, args = self.calls[seen["name"]](int(seen["n"] or 0))
        agent = seen["agent"] or "main"
        call = Call(tool, args, id=f"c{self.serial}.{place}", step=self.serial, agent=agent, at=self.now)
        decision = self._hand(agent, call)
        heard.decisions.append(decision)
        if decision.action == "ask":
            answer = Approve if seen["how"] == "&" else Refuse
            heard.decisions.append(self._hand(agent, answer(call.id, agent=agent)))
            return (call if answer is Approve else None), part
        return (call if decision.runs else None), part

    def _result(self, call, part, heard):
        how = _CALL.match(part)["how"] or ""
        text = how[1:].replace("_", " ").replace("|", "\n")
        said = {"agent": call.agent, "call": call, "at": self.now}
        if how[:1] == "=":
            result = Result(call.id, f"text {self.serial}" if text == "*" else text, error=False, **said)
        elif how[:1] == "!":
            result = Result(call.id, text or "Error: it cannot be done", error=True, **said)
        elif how[:1] == "%":
            result = Result(call.id, "not allowed", error=True, denied_by=text, **said)
        else:
            result = Result(call.id, f"what {call.tool} {call.args} says", error=False, **said)
        heard.decisions.append(self._hand(call.agent, result))

    def _hand(self, agent, event):
        state = self.states.get(agent)
        if state is None:
            state = self.states[agent] = self.policy.start(self.session)
        return self.policy.step(state, event)


def policy(*rules, **settings):
    """A policy of these rules that knows the shipped profiles."""
    return Policy(rules, **({"profiles": Profiles(SHIPPED)} | settings))


def told(script, *rules, **settings):
    """What a policy of these rules says to the steps of a script, a word a step."""
    return " ".join(WORDS[heard.action] for heard in Play(*rules, **settings).tell(script))


def finding(script, *rules, **settings):
    """The last finding on the last step of a script."""
    return Play(*rules, **settings).tell(script)[-1].findings[-1]
