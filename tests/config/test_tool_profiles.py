"""Tool profiles of a configuration."""

from toolbrake.config import compose, load
from toolbrake.core.profile import ToolProfile

ENTRY = {
    "match": "mcp__github__*",
    "identity": ["owner", "repo", "path"],
    "decoration": ["title"],
    "does": "read",
    "paths": ["path"],
    "position": ["page"],
    "command": "cmd",
    "level": True,
}


def test_profiles_are_loaded():
    """The entries of ``tools`` are profiles, in the order written."""
    loaded = load({"tools": [{"match": "bash", "does": "run"}, {"match": "b*"}]})

    assert loaded.tools == (ToolProfile("bash", does="run"), ToolProfile("b*"))


def test_every_fact_of_a_profile_can_be_written():
    """An entry may hold every fact that a profile knows."""
    assert compose({"tools": [ENTRY]})["tools"] == [ENTRY]
