"""Which profile speaks for a tool, and what the comparison key makes of one."""

from __future__ import annotations

import pytest

from rules.notation import told
from toolbrake.core.ladder import Ladder
from toolbrake.core.profile import UNKNOWN, Profiles, ToolProfile
from toolbrake.rules.stall import Stall


def does(*profiles, tool):
    """What the profile that speaks for a tool says it does."""
    return Profiles([ToolProfile(match, does=what) for match, what in profiles]).of(tool).does


ROWS = [
    ("the only one", [("read", "read")], "read", "read"),
    ("none", [("read", "read")], "reader", "unknown"),
    ("none at all", [], "read", "unknown"),
    ("the first of two patterns", [("re*", "read"), ("*d", "write")], "read", "read"),
    ("the first of two names", [("read", "read"), ("read", "write")], "read", "read"),
    ("a pattern before the name", [("re*", "write"), ("read", "read")], "read", "write"),
    ("the name before a pattern", [("read", "read"), ("re*", "write")], "read", "read"),
    ("a later pattern where the first covers nothing", [("x*", "write"), ("re*", "read")], "read", "read"),
    ("letter case counts", [("Read", "read")], "read", "unknown"),
    ("a dot is a dot", [("a.b", "read")], "axb", "unknown"),
]


@pytest.mark.parametrize(("profiles", "tool", "what"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_first_covers(profiles, tool, what):
    """The first profile that covers a name speaks for it."""
    assert does(*profiles, tool=tool) == what


def test_unknown_tool():
    """Of a tool that no profile covers nothing is known."""
    assert Profiles().of("anything") is UNKNOWN


def test_many_names():
    """Names beyond those remembered are looked up again, and nothing grows."""
    profiles = Profiles([ToolProfile("read*", does="read")])

    assert {profiles.of(f"read{number}").does for number in range(2000)} == {"read"}
    assert len(profiles._known) < 300


CALLS = {"V": lambda n: ("view", {"id": 1, "tag": f"tag {n}", "at": f"./x/../a{'/' * n}"})}

KEYS = [
    ("nothing is known", {}, "- -"),
    ("decoration", {"decoration": ["tag"], "paths": ["at"]}, "- r"),
    ("identity", {"identity": ["id"]}, "- r"),
    ("identity that differs", {"identity": ["tag"]}, "- -"),
    ("paths alone", {"paths": ["at"]}, "- -"),
    ("another argument's decoration", {"decoration": ["id"]}, "- -"),
]


@pytest.mark.parametrize(("facts", "words"), [row[1:] for row in KEYS], ids=[row[0] for row in KEYS])
def test_key(facts, words):
    """A profile says by which arguments the comparison rules know a call."""
    profiles = Profiles([ToolProfile("view", does="read", **facts)])

    assert told("V1=a V2=a", Stall(ladder=Ladder(2)), calls=CALLS, profiles=profiles) == words


def test_levelled_successes():
    """A tool that stamps its successes is compared without the stamps where its profile says so."""
    stamped = [Profiles([ToolProfile("thing", level=level)]) for level in (False, True)]

    heard = [told("T=sent_at_12:01 T=sent_at_12:02", Stall(ladder=Ladder(2)), profiles=known) for known in stamped]

    assert heard == ["- -", "- r"]


def test_settings():
    """A profile by its keys in a configuration builds an equal one."""
    profile = ToolProfile("a*", identity=["id"], paths=["path"], does="read", command="cmd", level=True)

    assert ToolProfile(**profile.settings()) == profile
