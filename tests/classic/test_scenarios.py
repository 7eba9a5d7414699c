"""The seeds' scenarios, row by row. Numbers are those of the behaviour report the seeds were studied in."""

from __future__ import annotations

import pytest
from seed import run

REMINDER = [
    (1, {}, "A A A A A", "- - g - d"),
    (2, {}, "A A A A A A A A A", "- - g - d - - d -"),
    (3, {"thresholds": [4, 2]}, "A A A A", "- g - d"),
    (4, {"thresholds": [2]}, "A A A A", "- g - -"),
    (5, {}, "A A B A A A", "- - - - - g"),
    (6, {"exclude": ["other"]}, "A other A other A", "- - - - g"),
    (7, {"include": ["pro*"]}, "other other other probe probe probe", "- - - - - g"),
    (8, {"exclude": ["pr.be"]}, "probe probe probe", "- - g"),
    (9, {}, "A A' A", "- - g"),
    (10, {}, "A A A-order", "- - -"),
    (11, {}, "A A A-blank", "- - -"),
    (12, {}, "int exp float", "- - g"),
    (13, {}, "empty braces spaced", "- - g"),
    (14, {}, "A@2 A@1 A@2 A@1 A@2", "- - - - g"),
    (15, {}, "A A U A", "- - -"),
    (16, {}, "A A N A", "- - g"),
    (18, {"thresholds": [2]}, "A! A!", "- g"),
    (19, {"thresholds": [2]}, "A@- A", "- -"),
    (28, {"exclude": ["BASH"]}, "bash bash bash", "- - g"),
    (29, {"include": ["bash"], "exclude": ["*"]}, "bash bash bash", "- - -"),
    (30, {"exclude": ["no_such_tool_anywhere"]}, "A A A", "- - g"),
    ("32 unknown tool", {}, "unknown unknown unknown", "- - g"),
    ("32 invalid arguments", {}, "invalid invalid invalid", "- - g"),
    (33, {}, "A A? A", "- - -"),
    (35, {}, "A B A B A B", "- - - - - -"),
    (36, {}, "A A A A U A A A", "- - g - - - g"),
    (37, {"thresholds": [1_000_000]}, "A A A A A A A A", "- - - - - - - -"),
]

BREAKER = [
    (38, {}, "A A", "- D"),
    (39, {}, "A A A A", "- D D D"),
    (40, {}, "A A'", "- D"),
    (41, {}, "Ra Rb", "- -"),
    (42, {}, "W W", "- D"),
    ("43 excluded", {}, "X X", "- -"),
    ("43 transparent", {}, "A X A", "- - D"),
    (44, {}, "A B A B", "- - - -"),
    (45, {}, "A A B A", "- D - -"),
    (46, {}, "A@1 A@2 A@2", "- - D"),
    ("47 user", {}, "A U A", "- -"),
    ("47 notice", {}, "A N A", "- D"),
    (48, {}, "R1 R2 R3 R4", "- - - P"),
    (49, {}, "R1 B R2 C R3 B R4", "- - - - - - P"),
    (50, {}, "R1 R2 R3 R4 R3", "- - - P D"),
    (51, {}, "R1 R1 R2 R2 R3 R4", "- D - D - P"),
    (52, {}, "F1 F2 F3 F4", "- - - -"),
    ("53 substring", {}, "L1 L2 L3 L4", "- - - P"),
    ("53 off", {"match_read_by_substring": False}, "L1 L2 L3 L4", "- - - -"),
    (54, {"deny_after": 3, "warn_after": 2}, "A A A", "- w D"),
    (55, {}, "A", "-"),
    ("56 at deny", {"deny_after": 3, "warn_after": 3}, "A A A", "- - D"),
    ("56 at one", {"deny_after": 3, "warn_after": 1}, "A A A", "- - D"),
    (57, {"deny_after": 3, "warn_after": 2, "register_advisory": False}, "A A A", "- - D"),
    (63, {}, "A@- A@-", "- -"),
    ("max_same_path off", {"max_same_path": None}, "R1 R2 R3 R4 R1 R2", "- - - - - -"),
]

BRAKE = [
    (91, {}, "A A A", "- - D"),
    ("92 one", {"max_repeats": 1}, "A", "D"),
    ("92 five", {"max_repeats": 5}, "A A A A A", "- - - - D"),
    ("93 other call between", {}, "A A B A A", "- - - - -"),
    ("93 alternating", {}, "A B A B A B", "- - - - - -"),
    ("94 key order", {}, "A A' A", "- - D"),
    ("94 blank", {}, "A A A-blank", "- - -"),
    ("95 two scopes", {}, "A@1 A@2 A@1 A@2", "- - - -"),
    ("95 no agent", {}, "A@- A@- A@-", "- - D"),
    (101, {}, "A A A A B A", "- - D D - -"),
    (105, {}, "A A U A", "- - D"),
]


def _rows(rule, table):
    return [pytest.param(rule, settings, script, words, id=f"{rule} {n}") for n, settings, script, words in table]


@pytest.mark.parametrize(
    ("rule", "settings", "script", "words"),
    _rows("reminder", REMINDER) + _rows("breaker", BREAKER) + _rows("brake", BRAKE),
)
def test_scenario(rule, settings, script, words):
    """A classic rule says to each call of a scenario what its seed says."""
    said = run({"rules": {rule: settings}}, script)

    assert said == words


COMPOSED = [
    ("denied calls draw reminders", "A A A A A", "- D Dg D Dd"),
    ("a reminder of a call that runs", "A B A B", "- - - -"),
]


@pytest.mark.parametrize(("script", "words"), [row[1:] for row in COMPOSED], ids=[row[0] for row in COMPOSED])
def test_composition(script, words):
    """In one policy a call that the breaker denies still counts for the reminder, and draws its note."""
    said = run({"rules": {"reminder": {}, "breaker": {}}}, script)

    assert said == words
