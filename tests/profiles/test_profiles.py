"""What the shipped profiles say of tools that people have."""

from __future__ import annotations

import pytest

from toolbrake.core.profile import DOES, UNKNOWN, Profiles
from toolbrake.profiles import SHIPPED
from toolbrake.profiles._named import NAMED

PROFILES = Profiles(SHIPPED)

DOING = {
    "run": "Bash bash run_shell_command exec_command execute_bash powershell python run_cell",
    "wait": "BashOutput write_stdin wait sleep wait_for_build poll_job mcp__ci__wait_for job.poll",
    "read": (
        "Read read_file view Grep Glob list_directory WebFetch WebSearch browser_snapshot git_log read_query "
        "get_user_details search_direct_flight mcp__github__get_issue list_issues check_status user_lookup"
    ),
    "write": (
        "Write Edit apply_patch str_replace create_file git_commit write_query create_issue mcp__jira__update_ticket "
        "delete-branch cancel_reservation send_email slack.post_message browser_click"
    ),
    "spawn": "Task Agent spawn_agent transfer_to_billing_agent ask_agent_two",
    "think": "think sequentialthinking TodoWrite update_plan exit_plan_mode",
    "unknown": "zorp run_everything process manage_things browser do_it getter mylist",
}


@pytest.mark.parametrize(("does", "tool"), [(does, tool) for does, names in DOING.items() for tool in names.split()])
def test_does(does, tool):
    """What a tool does, by its name."""
    assert PROFILES.of(tool).does == does


def test_facts():
    """Every profile says something that a rule knows, and calls no argument both identity and decoration."""
    odd = [
        profile
        for profile in SHIPPED
        if profile.does not in DOES or profile == UNKNOWN or set(profile.identity) & set(profile.decoration)
    ]

    assert odd == []


def test_names_are_told_once():
    """A tool's name is in one row: the second would say nothing."""
    names = [profile.match for profile in NAMED]

    assert [name for name in names if names.count(name) > 1] == []


def test_names_come_before_patterns():
    """No pattern speaks for a tool that has a row of its own."""
    assert [profile for profile in NAMED if PROFILES.of(profile.match) != profile] == []


@pytest.mark.parametrize("tool", ["Bash", "bash", "shell", "run_shell_command", "execute_bash"])
def test_shells(tool):
    """A shell's command is judged by what it says, and its labels and time limits are decoration."""
    profile = PROFILES.of(tool)

    assert profile.command == "command"
    assert {"description", "timeout"} <= set(profile.decoration)


@pytest.mark.parametrize("tool", ["exec_command", "unified_exec", "shell_command"])
def test_shells_of_codex(tool):
    """Codex names the command ``cmd``."""
    assert PROFILES.of(tool).command == "cmd"


@pytest.mark.parametrize("tool", ["Read", "read_file", "view", "get_file", "mcp__fs__read_file"])
def test_file_readers(tool):
    """A reader of files names its target and where in it it looks."""
    profile = PROFILES.of(tool)

    assert "path" in profile.paths
    assert "offset" in profile.position


def test_stamped():
    """Senders stamp their acknowledgements, so those are compared levelled; readers are not."""
    assert PROFILES.of("send_message").level
    assert not PROFILES.of("get_message_list").level
