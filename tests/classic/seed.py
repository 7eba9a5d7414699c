"""The seeds' scenarios in a small notation, and what runs it.

A script is a string of words, one a call or an event:

    A B C      three different calls; A' is A with its keys in another order, nested ones too
    X          a call of the excluded tool todo_write
    U N        a user turn; a message made by the host
    A@2        the call made by agent "2"; A@- by no agent
    A!         denied by somebody else
    A?         a call whose result never comes
    A#text     a call with that text as its result (underscores are blanks)

What is expected is a word a call: ``-`` nothing, ``g`` and ``d`` the gentle and the detailed reminder, ``w`` the
breaker's warning, ``D`` denied as a repeat, ``P`` denied for its path.
"""

from __future__ import annotations

from toolbrake import Call
from toolbrake.core.wording import BRAKE, DENIED, PATH_DENIED
from toolbrake.testing import FakeClock, Recorder, ScriptedRun

TOOLS: dict[str, tuple[str, object]] = {
    "A": ("search", {"q": "weather", "at": {"city": "Oslo", "days": [1, 2]}}),
    "A'": ("search", {"at": {"days": [1, 2], "city": "Oslo"}, "q": "weather"}),
    "A-order": ("search", {"q": "weather", "at": {"city": "Oslo", "days": [2, 1]}}),
    "A-blank": ("search", {"q": "weather ", "at": {"city": "Oslo", "days": [1, 2]}}),
    "B": ("fetch", {"url": "https://example.com"}),
    "C": ("list", {}),
    "X": ("todo_write", {"items": ["one"]}),
    "other": ("other", {}),
    "probe": ("probe", {}),
    "bash": ("bash", {"command": "ls"}),
    "W": ("write", {"path": "a.txt", "text": "hello"}),
    "Ra": ("read", {"path": "a.txt"}),
    "Rb": ("read", {"path": "b.txt"}),
    "L": ("thread_list", {}),
    "unknown": ("no_such_tool", {"x": 1}),
    "invalid": ("search", "{not json"),
    "int": ("page", '{"size": 1000}'),
    "exp": ("page", '{"size": 1e3}'),
    "float": ("page", '{"size": 1000.0}'),
    "empty": ("page", ""),
    "braces": ("page", "{}"),
    "spaced": ("page", "{ }"),
}
for _limit in range(1, 5):
    TOOLS[f"R{_limit}"] = ("read", {"path": "a.txt", "limit": _limit})
    TOOLS[f"F{_limit}"] = ("read", {"file_path": "a.txt", "limit": _limit})
    TOOLS[f"L{_limit}"] = ("thread_list", {"path": "a.txt", "limit": _limit})


def run(policy: object, script: str) -> str:
    """What a guard with ``policy`` says to the calls of ``script``, a word a call."""
    return " ".join(word for word, _ in steps(policy, script))


def steps(policy: object, script: str) -> list[tuple[str, object]]:
    """The word and the ``Step`` of every call."""
    play = ScriptedRun(policy)
    out: list[tuple[str, object]] = []
    for word in script.split():
        if word == "U":
            play.user()
            continue
        if word == "N":
            synthetic(play)
            continue
        name, _, content = word.partition("#")
        name, _, agent = name.partition("@")
        denied_by = "policy" if name.endswith("!") else None
        lost = name.endswith("?")
        tool, args = TOOLS[name.rstrip("!?")]
        whose = None if agent == "-" else agent or "main"
        if lost:
            play.guard.check(Call(tool, args, id="lost", step="lost", agent=whose))
            out.append(("-", None))
            continue
        step = play.call(tool, args, content.replace("_", " "), denied_by=denied_by, agent=whose)
        out.append((_word(step), step))
    return out


def synthetic(play: ScriptedRun) -> None:
    """A message that the host made enters the conversation."""
    from toolbrake.core.events import User  # noqa: PLC0415 - hosts reach it through their trace

    play.guard._engine.apply(User("notice", synthetic=True))


def _word(step: object) -> str:
    before = step.before  # type: ignore[attr-defined]
    notes = "".join(_note(note.text) for note in step.notes)  # type: ignore[attr-defined]
    if before.action == "deny":
        if before.text.startswith(PATH_DENIED):
            return "P" + notes
        assert before.text.startswith((DENIED, BRAKE))
        return "D" + notes
    return notes or "-"


def _note(text: str) -> str:
    if text.startswith("toolbrake:"):
        return "w"
    return "d" if "consecutive calls:" in text else "g"


__all__ = ["TOOLS", "FakeClock", "Recorder", "run", "steps"]
