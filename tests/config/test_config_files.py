"""Reading policy files."""

import sys

import pytest

from toolbrake.config import compose, load_policy
from toolbrake.errors import ConfigError, MissingExtraError
from toolbrake.policies import READY

FORMATS = [
    ("policy.yaml", "rules:\n  brake: {max_repeats: 7}\n"),
    ("policy.yml", "rules: {brake: {maxRepeats: 7}}"),
    ("policy.YAML", "rules: {brake: {max_repeats: 7}}"),
    ("policy.toml", "[rules.brake]\nmax_repeats = 7\n"),
    ("policy.json", '{"rules": {"brake": {"max_repeats": 7}}}'),
    ("bom.yaml", "\ufeffrules: {brake: {max_repeats: 7}}"),
    ("windows.toml", "[rules.brake]\r\nmax_repeats = 7\r\n"),
]


@pytest.mark.parametrize(("name", "text"), FORMATS)
def test_a_file_is_read(name, text, write):
    """YAML, TOML and JSON say the same thing in their own words."""
    assert compose(write(name, text))["rules"] == {"brake": {"max_repeats": 7}}


@pytest.mark.parametrize("name", ["policy.yaml", "policy.toml", "policy.json"])
def test_an_empty_file_is_an_empty_policy(name, write):
    """A file without content has no rules, and that is no error."""
    assert compose(write(name, "\n")) == compose({})


def test_off_in_yaml_needs_no_quotes(write):
    """YAML reads ``off`` as a boolean, and that is off."""
    path = write("policy.yaml", "extends: brake\nrules: {brake: off, reminder: on}\n")

    assert [rule.name for rule in load_policy(path).rules] == ["reminder"]


def test_a_file_by_its_path_as_text(write):
    """A name with a suffix or a separator is a path."""
    write("conf/policy.json", {"observes": True})

    assert compose("conf/policy.json")["observes"] is True


def test_an_absolute_path(folder, write):
    """A path may start at the root."""
    write("policy.json", {"observes": True})

    assert compose(str(folder / "policy.json"))["observes"] is True


def test_merge_keys_are_no_duplicates(write):
    """A YAML mapping may take over keys from another and write some of them again."""
    path = write("policy.yaml", "rules:\n  breaker: {<<: &base {deny_after: 3, preview_chars: 9}, deny_after: 5}\n")

    assert compose(path)["rules"]["breaker"]["deny_after"] == 5


REFUSED = [
    ("policy.yaml", "rules: {\n", "policy.yaml, line 2, column 1: expected the node content, but found '<stream end>'"),
    (
        "policy.yaml",
        "rules:\n  brake: {max_repeats: *x}\n",
        "policy.yaml, line 2, column 24: found undefined alias 'x'",
    ),
    ("policy.yaml", "version: 1\nrules: {}\nversion: 1\n", "policy.yaml, line 3: the key 'version' is written twice"),
    (
        "policy.yaml",
        "rules:\n  brake:\n    max_repeats: 3\n    max_repeats: 4\n",
        "policy.yaml, line 4: the key 'max_repeats' is written twice",
    ),
    (
        "policy.yaml",
        "rules:\n  brake:\n    max_repeats: !!js/eval 3\n",
        (
            "policy.yaml: rules.brake.max_repeats must be an integer of at least 1 "
            "(got !!js/eval on line 3, which is not evaluated)"
        ),
    ),
    (
        "policy.yaml",
        "rules: !expr |\n  process.env\n",
        "policy.yaml: rules must be a mapping of rule names (got !expr on line 1, which is not evaluated)",
    ),
    (
        "policy.yaml",
        "on_error: !!python/object/apply:os.getcwd []\n",
        (
            "policy.yaml: on_error must be allow or deny "
            "(got !!python/object/apply:os.getcwd on line 1, which is not evaluated)"
        ),
    ),
    ("policy.yaml", "observes: !!bool maybe\n", "policy.yaml: a value is not what its tag or form says: 'maybe'"),
    ("policy.yaml", "a: \x07\n", "policy.yaml: unacceptable character #x0007: special characters are not allowed"),
    ("policy.yaml", "hello", "policy.yaml: the file must hold a mapping, or a list of DeepSeek Harness rows (got str)"),
    ("policy.toml", "rules = {\n", "policy.toml: "),
    ("policy.toml", "version = 1\nversion = 1\n", "policy.toml: Cannot overwrite a value (at line 2, column 12)"),
    ("policy.json", '{"rules": }', "policy.json, line 1, column 11: Expecting value"),
    ("policy.json", '{"version": 1, "version": 1}', "policy.json: the key 'version' is written twice"),
    ("policy.json", "[" * 100_000, "policy.json: nested too deeply for a configuration"),
    ("policy.json", b"\xff\xfe", "policy.json: not UTF-8 text (byte 1)"),
    ("policy.ini", "", "policy.ini: the file's name must end in .yaml, .yml, .toml, .json (got '.ini')"),
    ("policy", "", "policy: the file's name must end in .yaml, .yml, .toml, .json (got '')"),
]


@pytest.mark.parametrize(("name", "content", "problem"), REFUSED)
def test_a_file_is_refused(name, content, problem, write):
    """The problem names the file and, where the format knows it, the line."""
    write(name, content)

    with pytest.raises(ConfigError) as caught:
        load_policy(name)

    assert str(caught.value).startswith(problem)


def test_every_key_that_is_written_twice(write):
    """All duplicates of a file are in one error."""
    write("policy.yaml", "rules: {}\nrules: {}\nscope: {}\nscope: {}\n")

    with pytest.raises(ConfigError) as caught:
        load_policy("policy.yaml")

    assert caught.value.problems == (
        "policy.yaml, line 2: the key 'rules' is written twice",
        "policy.yaml, line 4: the key 'scope' is written twice",
    )


def test_a_file_that_is_not_there():
    """The problem names the file."""
    with pytest.raises(ConfigError, match=r"^no/such\.yaml: cannot be read: No such file or directory$"):
        load_policy("no/such.yaml")


def test_a_folder(folder):
    """A folder is no file, whatever its name."""
    (folder / "policy.yaml").mkdir()

    with pytest.raises(ConfigError, match=r"^policy\.yaml: cannot be read: Is a directory$"):
        load_policy("policy.yaml")


def test_a_name_that_no_file_can_have():
    """A path that the system refuses is a problem like any other."""
    with pytest.raises(ConfigError, match=r"cannot be read: embedded null byte"):
        load_policy("a\0.yaml")


def test_a_name_of_nothing():
    """The ready policies are listed, the nearest proposed, and it is said that a file was looked for."""
    with pytest.raises(ConfigError) as caught:
        load_policy("braker")

    assert str(caught.value) == (
        f"policy: 'braker' is no ready policy ({', '.join(READY)}), and there is no file of that name; "
        "did you mean breaker?"
    )


def test_yaml_without_its_extra(monkeypatch, write):
    """Without the package that reads YAML, the error is the command that installs it."""
    monkeypatch.setitem(sys.modules, "yaml", None)
    path = write("policy.yaml", "observes: true")

    with pytest.raises(MissingExtraError, match=r"^reading YAML needs: pip install 'toolbrake\[yaml\]'$"):
        load_policy(path)
