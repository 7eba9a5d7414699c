"""The scenarios of dsh-repeat-tool-breaker 0.4 and later: expressed with other rules, or refused with a reason.

Numbers are those of the behaviour report. ``EXPRESSED`` holds the equivalent of a row's config and what it says;
``REFUSED`` what is said to a row that has none; ``GRADED`` which results count as failures.
"""

from __future__ import annotations

import pytest

from rules.notation import WORDS, Play
from toolbrake.config import load_policy
from toolbrake.errors import ConfigError

CALLS = {
    # One command under two labels, two time limits, two orders of flags, and another one.
    "A": lambda n: ("bash", {"command": "make check", "description": f"try {n}", "timeout": n * 1000}),
    "B": lambda n: ("bash", {"command": "make docs"}),
    "C": lambda n: ("bash", {"command": f"curl -s https://host{n}.example/a"}),
    "D": lambda n: ("bash", {"command": f"curl -s https://one.example/list?page={n}"}),
    "E": lambda n: ("edit", {"path": "a.py", "old_string": f"old {n}", "new_string": f"new {n}"}),
    "G": lambda n: ("bash", {"command": f"curl -s https://one.example/{n} -o /dev/null"}),
    "H": lambda n: ("web_fetch", {"url": f"https://one.example/{n}"}),
    "J": lambda n: ("web_fetch", {"url": f"https://two.example/{n}"}),
    "L": lambda n: ("web_fetch", {"url": "http://127.0.0.1:8000/health"}),
    "S": lambda n: ("grep", {"pattern": "word", "path": "src"}),
}

STALL = {"stall": {"window": 16, "ladder": {"remind": [7, 11], "deny": 12}}}
ASKS = {"stall": {"ladder": {"remind": 3, "ask": 4}}}
FAILS = {"failures": {"ladder": {"remind": 3, "deny": 6}}}

EXPRESSED = [
    # The numbers of 0.5.2 as a ladder: labels and time limits are decoration.
    (66, STALL, " ".join(f"A{n}=same" for n in range(1, 15)), "- - - - - - r - - - r D D D"),
    # A window sees A B A B: the second of each is told, the third denied.
    (67, {"stall": {"ladder": {"remind": 2, "deny": 3}}}, "A B A B A B", "- - r r D D"),
    # No rung, no word.
    (68, {"stall": {"ladder": {}}}, "A " * 20, "- " * 20),
    ("69 no first stage", {"stall": {"ladder": {"remind": 3, "deny": 4}}}, "A A A A", "- - r D"),
    # Other hosts and other pages are other calls with other answers.
    (72, STALL, " ".join(f"C{n}" for n in range(12)), "- " * 12),
    ("73 pages", STALL, " ".join(f"D{n}" for n in range(16)), "- " * 16),
    (74, STALL, "G1= G2= G3= G4=", "- - - -"),
    ("75 forward", STALL, "R1 R2 R3", "- - -"),
    ("75 same offset", STALL, "R1 " * 12, "- - - - - - r - - - r D"),
    (76, STALL, " ".join(f"E{n}=done" for n in range(8)), "- " * 8),
    # A denied call charges nothing but itself: the next fetch of that page runs.
    (77, {"stall": {"ladder": {"deny": 2}}}, "G1= G1= H1", "- D -"),
    # Approved is approved until the next user turn; then counting starts over.
    (78, ASKS, "A A A A& A A user A A A", "- - r a - - - - r"),
    # A person's no is for ``denials``, where it weighs two: the next attempt would be at four.
    (79, ASKS | {"denials": {"ladder": {"deny": 4}}}, "A A A A A user A A A A", "- - r a D - - r a"),
    (80, ASKS, "H1 J1 H1 J1 H1 J1 H1& J1 H1", "- - - - r r a a -"),
    (81, FAILS, "A! A! A!", "- - r"),
    # Another tool runs. Another host does not: failures are counted by tool, and only its success ends the count.
    (82, FAILS, " ".join(f"H{n}!HTTP_404_Not_Found" for n in range(1, 6)) + " S H6 J1", "- - r - - - D D"),
    # A success in between leaves the count of a window alone, and another tool's success does too.
    ("83 foreign success", FAILS, "A! S A! A!", "- - - r"),
    # Our own denials are attempts, no failures: the count of failures told stays what it was.
    ("85 never gated", {"failures": {"ladder": {"remind": 3}}}, "A! A! A!", "- - r"),
    ("85 gate only", {"failures": {"ladder": {"deny": 4}}}, "A! A! A! A!", "- - - D"),
    ("90 allowed", {"waiting": {}}, "L=* " * 12, "- " * 12),
    ("90 denied", {"stall": {"ladder": {"deny": 12}}}, "L=up " * 12, "- " * 11 + "D"),
    # Both tracks and a reminder in one policy: one loop is one text, then the stop.
    (106, STALL | {"failures": {"ladder": {"remind": 3, "deny": 6}}}, "A! " * 8, "- - r - - D D D"),
]


def _ids(rows):
    return [f"scenario {row[0]}" for row in rows]


@pytest.mark.parametrize(("number", "rules", "script", "words"), EXPRESSED, ids=_ids(EXPRESSED))
def test_expressed(number, rules, script, words):
    """A scenario of the later breaker, said with the comparison rules."""
    play = Play(load_policy({"rules": rules}), calls=CALLS)

    heard = play.tell(script)

    assert " ".join(WORDS[one.action] for one in heard) == words.strip()


def test_own_denials_fed_back():
    """84: twenty denials of ours are no failures: the errors counted stay what they were."""
    play = Play(load_policy({"rules": {"failures": {"ladder": {"deny": 6}}}}), calls=CALLS)
    play.tell("A! A! A! A! A!")

    denied = play.tell("A! " * 20)

    assert {heard.action for heard in denied} == {"deny"}
    assert {heard.findings[-1].count for heard in denied} == {6}


GRADED = [
    ("86 traceback", "A=Traceback_(most_recent_call_last):|__File_'a.py'|ValueError:_no", True),
    ("86 prose", "A=The_guide_says_that_a_SyntaxError_is_raised.", False),
    ("86 not a shell", "H1=Traceback_(most_recent_call_last):|__File_'a.py'|ValueError:_no", False),
    ("87 a background start", "A=Command_is_running_in_the_background_with_ID:_7", False),
]


@pytest.mark.parametrize(("number", "call", "fails"), GRADED, ids=_ids(GRADED))
def test_graded(number, call, fails):
    """86, 87: what a shell prints can be a failure; what other tools return, and prose, is none."""
    play = Play(load_policy({"rules": FAILS}), calls=CALLS)

    heard = [play.tell(call)[0] for _ in range(3)]

    assert (heard[-1].action == "remind") is fails


EXACT = "for exact, write `stall: {ladder: {deny: N}}`"
HOST = "not supported: hosts are never a reason to deny a call; `target` reminds of reads of one URL"
LOCAL = f"{HOST}, so local ones need no exception"
NET = "not supported: `stall` counts calls that bring the same outcome, `target` reminds of reads of one URL"
ON_LIMIT = "write the rung `ask` or `deny` in a ladder, `stall: {ladder: {ask: N}}`"
WINDOW = "write `stall: {window: N}`, the calls within which equal outcomes are counted"

REFUSED = [
    (66, {"window": 16}, [WINDOW]),
    (67, {"onLimit": "deny", "limits": {"exact": 3}}, [ON_LIMIT, EXACT]),
    (
        "67 commands",
        {"limits": {"exact": 3, "cmd": 3}},
        [f"{EXACT}; for cmd, write `stall: {{ladder: {{deny: N}}}}`, which compares commands in one spelling"],
    ),
    (69, {"warnAt": 0}, ["write `stall: {ladder: {remind: N}}`"]),
    (
        "69 second stage",
        {"summarizeAt": 20},
        ["write it as a second count, `stall: {ladder: {remind: [N, M]}}`; no text demands a summary"],
    ),
    (70, {"hostAliases": {"w.example": "example"}}, ["not supported: URLs are compared as they are written"]),
    (71, {"limits": {"net": 12}}, [f"for net, {NET}"]),
    (
        "71 sinks",
        {"limits": {"sink": 12}},
        [
            "for sink, not supported: what is written to one file is progress, and `stall` counts where it is not",
        ],
    ),
    (73, {"limits": {"host": 16}}, [f"for host, {HOST}"]),
    ("73 sites", {"limits": {"site": 20}}, [f"for site, {HOST}"]),
    (
        "73 programs",
        {"limits": {"verb:curl": 20, "family:http-fetch": 20}},
        [
            (
                "for verb:curl, not supported: how often a program runs is for `budget`, which counts tools and only "
                "reminds; for family:http-fetch, not supported: how often a kind of tool runs is for `budget`, which "
                "only reminds"
            ),
        ],
    ),
    (78, {"onLimit": "ask"}, [ON_LIMIT]),
    (
        85,
        {"failLimit": None, "failWarnAt": 3},
        [
            "write `failures: {ladder: {deny: N}}`, where N is the attempt that is denied, one more than here",
            "write `failures: {ladder: {remind: N}}`",
        ],
    ),
    (88, {"localHosts": "ask"}, [LOCAL]),
    (
        89,
        {"window": 3, "limits": {"x": 1}, "failLimit": 1, "onLimit": "block", "includeLocal": 1},
        [
            WINDOW,
            "for x, not supported: no version has such a measure",
            "write `failures: {ladder: {deny: N}}`, where N is the attempt that is denied, one more than here",
            ON_LIMIT,
            LOCAL,
        ],
    ),
    (90, {"localHosts": "allow", "includeLocal": False}, [LOCAL, LOCAL]),
    ("66 labels", {"ignoreArgs": {"*": ["note"]}}, ["write `tools: [{match: NAME, decoration: [...]}]`"]),
    ("snake case", {"host_aliases": {}, "limits": 12}, ["not supported: URLs are compared as they are written", EXACT]),
]


@pytest.mark.parametrize(("number", "row", "reasons"), REFUSED, ids=_ids(REFUSED))
def test_refused(number, row, reasons):
    """A row of the later breaker does not load: one problem a key, which says what to write or why not."""
    with pytest.raises(ConfigError) as caught:
        load_policy([{"id": "repeat-tool-breaker", "config": row}])

    expected = [
        f"row 1 (repeat-tool-breaker): {key} belongs to dsh-repeat-tool-breaker 0.4 and later, which the `breaker` "
        f"rule does not express: {reason}"
        for key, reason in zip(row, reasons, strict=True)
    ]
    assert list(caught.value.problems) == expected


def test_old_keys_load():
    """88: the keys that 0.4 removed are the seed's own; a row that has none of 0.4 loads as it did then."""
    policy = load_policy([{"id": "repeat-tool-breaker", "config": {"denyAfter": 3, "maxSamePath": 4}}])

    assert [rule.name for rule in policy.rules] == ["breaker"]


def test_every_scenario_has_a_row():
    """No scenario of the later breaker is passed over."""
    tables = [*EXPRESSED, *REFUSED, *GRADED]
    numbers = {int(str(row[0]).split()[0]) for row in tables if str(row[0])[0].isdigit()}

    assert numbers | {84} == {*range(66, 91), 106}
