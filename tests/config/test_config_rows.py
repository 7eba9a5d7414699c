"""Rows of DeepSeek Harness."""

import pytest

from toolbrake.config import compose, load, load_policy
from toolbrake.errors import ConfigError, InvalidMaxRepeatsError

PATCH = """\
- insert:
    - id: repeat-tool-breaker
      name: dsh-repeat-tool-breaker
      config:
        denyAfter: 2          # identical (tool + canonical args) call #2 is denied (>=2)
        warnAfter: 2          # advisory tier; inert unless 2 <= warnAfter < denyAfter
        registerAdvisory: true
        exclude: [todo_write] # never count/reset these tools (include/exclude are *-wildcards)
        include: []           # non-empty = ONLY these tools are tracked
        readTools: [read, Read, read_file, read-file, file-read, fs-read]
        matchReadBySubstring: true
        pathAliases: [path, filePath, file, target_file]
        maxSamePath: 3
        previewChars: 400
        resultPreviewChars: 800
- id: repeat-tool-guard
  name: '@deepseek-ai/dsh-repeat-tool-guard'
  config:
    thresholds: [3, 5, 8]        # default; consecutive counts that trigger a reminder
    include: []                  # tool-name patterns to track; empty ⇒ all tools
    exclude: [todo_write]        # tool-name patterns transparent to the chain
    argumentsPreviewChars: 500   # default; cap on arguments quoted in the detailed reminder
- id: loop-brake
  config:
    maxRepeats: 5
"""
"""The three rows as the seeds document them."""


def problems(rows):
    """What is wrong with rows."""
    with pytest.raises(ConfigError) as caught:
        load_policy(rows, environ={})
    return caught.value.problems


def rules(rows):
    """What rows come down to."""
    return compose(rows, environ={})["rules"]


def test_the_seeds_own_rows(write):
    """A patch file with the documented rows of all three seeds loads unchanged."""
    path = write("cordis.patch.yml", PATCH)

    assert compose(path) == compose({"rules": {"breaker": {}, "reminder": {}, "brake": {"max_repeats": 5}}})


NAMED = [
    ({"name": "@deepseek-ai/dsh-repeat-tool-guard"}, "reminder"),
    ({"name": "@deepseek-ai/dsh-repeat-tool-reminder"}, "reminder"),
    ({"name": "dsh-repeat-tool-breaker"}, "breaker"),
    ({"name": "dsh-loop-brake"}, "brake"),
    ({"name": "github:jwilson411/dsh-loop-brake"}, "brake"),
    ({"name": "github:jwilson411/dsh-loop-brake#v1"}, "brake"),
    ({"name": "/home/ada/dsh-repeat-tool-breaker/index.js"}, "breaker"),
    ({"name": "/home/ada/deepseek-harness/packages/guard/repeat-tool-guard/src/index.ts"}, "reminder"),
    ({"name": "/opt/node_modules/@deepseek-ai/dsh-repeat-tool-reminder/lib/index.js"}, "reminder"),
    ({"name": "C:\\work\\dsh-loop-brake\\index.js"}, "brake"),
    ({"name": "file:///home/ada/dsh-loop-brake/index.js"}, "brake"),
    ({"id": "repeat-tool-guard"}, "reminder"),
    ({"id": "repeat-tool-reminder"}, "reminder"),
    ({"id": "repeat-tool-breaker"}, "breaker"),
    ({"id": "loop-brake"}, "brake"),
    ({"id": "mine", "name": "dsh-loop-brake"}, "brake"),
    ({"id": "repeat-tool-breaker", "name": "/home/ada/checkout/index.js"}, "breaker"),
]


@pytest.mark.parametrize(("row", "rule"), NAMED)
def test_a_row_names_a_rule(row, rule):
    """A package's name, old or new, its checkout's folder, or its known id is the rule."""
    assert list(rules([row])) == [rule]


OTHERS = [
    {"id": "agent-default-model", "config": {"provider": "mock"}},
    {"name": "@somebody/dsh-loop-brake"},
    {"name": "/home/ada/other/index.js"},
    {"name": "dsh-loop-brake-extras"},
]


@pytest.mark.parametrize("row", OTHERS)
def test_a_row_of_another_plugin(row):
    """Rows of other plugins are passed over and listed."""
    loaded = load([{"id": "repeat-tool-guard"}, row])

    assert loaded.ignored == (row.get("id") or row["name"],)


def test_rows_of_nobody_we_know():
    """Rows of which none is ours are an error that lists them."""
    assert problems([{"id": "a"}, {"insert": [{"name": "b"}]}]) == (
        (
            "no row is one of @deepseek-ai/dsh-repeat-tool-guard, @deepseek-ai/dsh-repeat-tool-reminder, "
            "dsh-repeat-tool-breaker, dsh-loop-brake (rows: a, b)"
        ),
    )


def test_no_rows_at_all():
    """An empty list is no policy."""
    assert problems([])[0].endswith("(rows: none)")


FOLDED = [
    # A later row replaces the whole config: the exclude of the first is gone.
    (
        [{"id": "repeat-tool-guard", "config": {"exclude": []}}, {"id": "repeat-tool-guard", "config": {}}],
        {"reminder": {}},
    ),
    # The two names of one plugin are one plugin.
    (
        [
            {"id": "repeat-tool-guard", "config": {"thresholds": [9]}},
            {"id": "repeat-tool-reminder", "config": {"thresholds": [4]}},
        ],
        {"reminder": {"thresholds": [4]}},
    ),
    # An id that a row gave itself is known to the rows after it.
    (
        [{"id": "mine", "name": "dsh-loop-brake"}, {"id": "mine", "config": {"maxRepeats": 8}}],
        {"brake": {"max_repeats": 8}},
    ),
    ([{"id": "loop-brake"}, {"id": "loop-brake", "disabled": True}], {}),
    # What a row does not say stays.
    (
        [{"id": "loop-brake", "config": {"maxRepeats": 8}}, {"id": "loop-brake", "disabled": False}],
        {"brake": {"max_repeats": 8}},
    ),
    ([{"id": "loop-brake", "disabled": True}, {"id": "loop-brake", "config": {"maxRepeats": 8}}], {}),
    ([{"id": "loop-brake", "disabled": True}, {"id": "loop-brake", "disabled": None}], {"brake": {}}),
    ([{"id": "loop-brake", "config": None}], {"brake": {}}),
    # Rows inside of rows.
    ([{"insert": [{"insert": [{"id": "loop-brake"}]}]}], {"brake": {}}),
    ([{"id": "g", "name": "@cordisjs/plugin-group", "config": [{"id": "loop-brake"}]}], {"brake": {}}),
    (
        [{"name": "group", "disabled": True, "config": [{"id": "loop-brake"}]}, {"id": "repeat-tool-guard"}],
        {"reminder": {}},
    ),
    # Keys of the harness are the harness's.
    ([{"id": "loop-brake", "inject": ["tools"], "label": "x", "isolate": {}}], {"brake": {}}),
]


@pytest.mark.parametrize(("rows", "expected"), FOLDED)
def test_rows_are_folded(rows, expected):
    """Rows about one plugin come down to one rule."""
    assert rules(rows) == rules({"rules": expected})


def test_rows_keep_their_order():
    """Rules come in the order in which their plugins are first named."""
    rows = [{"id": "loop-brake"}, {"id": "repeat-tool-guard"}, {"id": "loop-brake", "config": {}}]

    assert list(rules(rows)) == ["brake", "reminder"]


REFUSED = [
    (
        [{"id": "x"}, {"id": "repeat-tool-breaker", "config": {"denyAfter": 1}}],
        "row 2 (repeat-tool-breaker): denyAfter must be an integer of at least 2 (got 1)",
    ),
    (
        [{"insert": [{"id": "x"}, {"name": "dsh-loop-brake", "config": {"maxRepeat": 1}}]}],
        "row 2 (dsh-loop-brake): maxRepeat is not a known key; did you mean maxRepeats?",
    ),
    ([{"id": "loop-brake", "config": [1]}], "row 1 (loop-brake): config must be a mapping of settings (got [1])"),
    ([{"id": "loop-brake", "disabled": "yes"}], "row 1 (loop-brake): disabled must be true or false (got 'yes')"),
    ([{"id": "loop-brake", "confg": {}}], "row 1 (loop-brake): confg is not a known key; did you mean config?"),
    (
        [{"id": "loop-brake", "enabled": False}],
        "row 1 (loop-brake): enabled is not a known key; did you mean disabled?",
    ),
    (
        [{"id": "repeat-tool-breaker", "config": {"onLimit": "deny"}}],
        (
            "row 1 (repeat-tool-breaker): onLimit belongs to dsh-repeat-tool-breaker 0.4 and later, "
            "which the `breaker` rule does not express: "
            "write the rung `ask` or `deny` in a ladder, `stall: {ladder: {ask: N}}`"
        ),
    ),
    (
        [{"id": "loop-brake"}, {"config": {"key": "sk-canary"}}],
        "row 2 has no id, no name and no list of rows to insert",
    ),
    ([{"id": "loop-brake"}, 5], "row 2 has no id, no name and no list of rows to insert"),
]


@pytest.mark.parametrize(("rows", "problem"), REFUSED)
def test_a_row_is_refused(rows, problem):
    """A problem names the row, by its number among all rows and by what it is called."""
    assert problems(rows) == (problem,)


def test_a_row_in_a_file_is_refused(write):
    """A problem in a file names the file as well."""
    path = write("cordis.patch.yml", "- id: repeat-tool-guard\n  config: {thresholds: []}\n")

    assert problems(path) == (
        "cordis.patch.yml: row 1 (repeat-tool-guard): thresholds must be a list of at least one integer (got [])",
    )


def test_the_brakes_own_error_in_a_row():
    """An unusable limit that is the only problem raises the error that is made for it."""
    with pytest.raises(InvalidMaxRepeatsError, match=r"^row 1 \(loop-brake\): maxRepeats must be"):
        load_policy([{"id": "loop-brake", "config": {"maxRepeats": 0}}])


def test_an_expression_in_a_row_of_ours(write):
    """An expression that the harness would evaluate is a problem that names its line."""
    path = write("cordis.patch.yml", "- id: repeat-tool-breaker\n  config:\n    denyAfter: !expr 1 + 1\n")

    assert problems(path) == (
        (
            "cordis.patch.yml: row 1 (repeat-tool-breaker): denyAfter must be an integer of at least 2 "
            "(got !expr on line 3, which is not evaluated)"
        ),
    )


def test_an_expression_in_a_row_of_another_plugin(write):
    """Expressions in rows that are not ours are not our affair."""
    path = write("cordis.patch.yml", "- id: model\n  config: {key: !!js/eval process.env.KEY}\n- id: loop-brake\n")

    assert list(rules(path)) == ["brake"]


def test_a_policy_file_extends_rows(write):
    """A patch file of the harness can be built upon."""
    write("cordis.patch.yml", PATCH)
    path = write("policy.yaml", "extends: cordis.patch.yml\nrules: {breaker: off, reminder: off}\n")

    assert compose(path)["rules"] == {"brake": {"max_repeats": 5}}


def test_the_default_exclude_holds_for_rows():
    """Where a row of the reminder names no exclude, to-do lists are left out (scenario 31)."""
    assert rules([{"id": "repeat-tool-guard"}])["reminder"]["exclude"] == ["todo_write"]
