"""What a command line does as a whole: nothing, waiting, the strongest of its parts; hosts and targets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.strategies import PROPERTY
from toolbrake.core.commands import judge
from toolbrake.core.shell import parse

DOES = {"read", "write", "run", "wait", "unknown"}

UNKNOWN = [
    "eval " * 20 + "ls",
    "echo 'a",
    "$TOOL a",
    "$(which tool) a",
    'eval "$x"',
    "sudo $TOOL",
    "select x in a; do ls; done",
    "find . -exec " * 20 + "ls",
    "bash -c 'echo \"a'",
]

NOOPS = [
    "",
    "   \n",
    "# only a comment",
    ":",
    ": a word",
    "true",
    "false",
    "exit 0",
    "cd src",
    "cd",
    "echo done",
    "echo 'a $b'",
    "printf 'x\\n'",
    "echo a; echo b",
    "true && echo ok",
    "echo x > /dev/null",
    "echo x >&2",
    "if true; then echo a; fi",
    "bash -c 'echo a'",
    "sudo true",
    "cat <<E\nsome thoughts\nE",
]

NO_NOOPS = [
    "echo x > a",
    "echo $?",
    "echo $(cat a)",
    "echo *",
    "echo a | tee b",
    "pwd",
    "sleep 1",
    "export X=1",
    "X=1",
    "ls",
    "cd src && ls",
    "cat",
    "tool",
    "echo 'a",
    ": > a",
    "cat < a",
    "test -f a",
]


@pytest.mark.parametrize("command", UNKNOWN)
def test_commands_that_cannot_be_followed(command):
    """Nothing is claimed of a line, or of a command in it, that cannot be followed."""
    effects = judge(command)

    assert (effects.does, effects.changes, effects.changed_known) == ("unknown", None, False)


@pytest.mark.parametrize("command", NOOPS)
def test_commands_that_do_nothing(command):
    """They change nothing and tell only what the caller wrote."""
    effects = judge(command)

    assert effects.noop
    assert (effects.does, effects.changes) == ("read", False)


@pytest.mark.parametrize("command", NO_NOOPS)
def test_commands_that_do_something(command):
    """What tells anything new, waits, or changes a file or the shell, does something."""
    assert not judge(command).noop


@pytest.mark.parametrize(
    ("command", "seconds"),
    [
        ("sleep 5", 5),
        ("sleep 0.5", 0.5),
        ("sleep 2m", 120),
        ("sleep 1h 30m", 5400),
        ("sleep 5 && sleep 10; ls", 15),
        ("while true; do sleep 3; ls; done", 3),
        ("timeout 60 bash -c 'until ls a; do sleep 2; done'", 2),
        ("sleep $x", 0),
        ("sleep infinity", 0),
        ("sleep nan", 0),
        ("wait", 0),
        ("tail -f log", 0),
        ("tail -100F log", 0),
        ("timeout 60 tail -f log", 0),
        ("watch -n 5 ls", 0),
        ("inotifywait log", 0),
        ("kubectl wait --for=condition=ready pod/x", 0),
        ("docker logs -f x", 0),
        ("journalctl -f", 0),
        ("gh run watch 1", 0),
        ("sleep 5; curl -s https://example.com/status", 5),
    ],
)
def test_commands_that_wait(command, seconds):
    """They let time pass, and of sleeps it is known how much; what they read besides does not count."""
    effects = judge(command)

    assert (effects.does, effects.waits) == ("wait", True)
    assert effects.seconds == seconds


@pytest.mark.parametrize(
    ("command", "does"),
    [
        ("sleep 5; touch a", "write"),
        ("sleep 5; make", "run"),
        ("make; touch a", "write"),
        ("python -c 'import time; time.sleep(30)'", "run"),
        ("touch a; ls 'b", "unknown"),
    ],
)
def test_the_strongest_part_decides(command, does):
    """Writing outweighs running, running waiting, waiting reading; what cannot be followed outweighs all."""
    assert judge(command).does == does


@pytest.mark.parametrize(
    ("command", "hosts"),
    [
        ("curl https://me:pw@Example.com:8443/a?b=c", {"example.com"}),
        ("curl example.com/a", {"example.com"}),
        ("curl 'http://[::1]:80/'", {"::1"}),
        ("wget http://a.example http://b.example", {"a.example", "b.example"}),
        ("git clone git@example.com:a/b.git", {"example.com"}),
        ("git fetch https://example.com/a", {"example.com"}),
        ("git ls-remote git@example.com:a/b.git", {"example.com"}),
        ("ssh -p 22 me@example.com ls", {"example.com"}),
        ("scp a me@example.com:b", {"example.com"}),
        ("rsync -a example.com:a b", {"example.com"}),
        ("ping -c 3 example.com", {"example.com"}),
        ("dig +short example.com MX", {"example.com"}),
        ("nc -z db 5432", {"db"}),
        ("tool --url https://example.com/a", {"example.com"}),
        ("python a.py https://example.com/a", {"example.com"}),
        ("python -c \"import requests; requests.get('https://example.com/a')\"", {"example.com"}),
        ("echo x > /dev/tcp/example.com/80", {"example.com"}),
        ("curl https://$host/a", set()),
        ("tool file:///a", set()),
        ("grep https://example.com a", set()),
        ("echo https://example.com", set()),
        ("git commit -m 'see https://example.com'", set()),
        ("cat > a <<E\nhttps://example.com\nE", set()),
        ("python -c \"print('https://example.com')\"", set()),
    ],
)
def test_hosts(command, hosts):
    """Hosts are those that are talked to, not those that a text merely mentions."""
    assert judge(command).hosts == hosts


@pytest.mark.parametrize(
    ("command", "targets"),
    [
        ("cd src && cat a", {"src/a"}),
        ("cd /app; cd lib; cat ../a /b ~/c", {"/app/a", "/b", "~/c"}),
        ("(cd src && touch a); touch b", {"src/a", "b"}),
        ("pushd src && cat a", {"src/a"}),
        ("git -C src rm a; cat a", {".git", "src/a", "a"}),
        ("cd src && git log", {".git"}),
        ("cat a 2> /dev/null", {"a"}),
        ("sort a > b", {"a", "b"}),
        ("cat /srv/$x/a", {"/srv"}),
        ("cd $x && cat a", set()),
        ("cd - && cat a", set()),
        ("pushd src; popd; cat a", set()),
        ("cat $x a", set()),
        ("ls", set()),
        ("pytest a.py", set()),
        ("curl https://example.com/a", {"https://example.com/a"}),
        ("curl http://localhost:80/a", set()),
        ("ls 'a", set()),
    ],
)
def test_targets(command, targets):
    """Targets are all that is read or changed, as seen from where the line begins; none where that is not known."""
    assert judge(command).targets == targets


def test_running_code_beside_a_change():
    """What a redirection changes is known though the program may change more: only certain changes are spoken of."""
    effects = judge("pytest tests > log")

    assert (effects.changes, effects.changed, effects.changed_known) == (True, {"log"}, True)
    assert not effects.reads_known


@pytest.mark.parametrize(
    "wrapper", ["sudo", "env X=1", "nohup", "time -p", "nice -n 5", "timeout 5", "exec", "stdbuf -oL"]
)
@pytest.mark.parametrize("command", ["touch a", "cat a", "make", "sleep 1"])
def test_wrappers_are_looked_through(wrapper, command):
    """A wrapped command does what it does alone."""
    assert judge(f"{wrapper} {command}") == judge(command)


def test_effects_show_no_secrets():
    """The representation of effects shows no path, URL or host."""
    assert "s3cret" not in repr(judge("cat s3cret > s3cret; curl http://s3cret/s3cret"))


def test_a_script_may_be_read_before():
    """A script that has been read is judged like its text."""
    assert judge(parse("touch a; ls")) == judge("touch a; ls")


@pytest.mark.parametrize("command", ["find a -exec " * 900, "xargs " * 2_000, "sudo " * 3_000, "bash -c 'a" * 1_000])
def test_commands_inside_commands_end(command):
    """However many commands are inside each other, judging ends without an error."""
    assert judge(command).does in DOES


WORDS = ["a ", "a=b ", "cat ", "cd ", "curl ", "env ", "find ", "git ", "rm ", "sed ", "sleep ", "tar ", "xargs "]
WORDS += ["bash -c ", "python -c ", "-exec ", "-f ", "-n ", "-C ", "-I", "-i ", "--", "1m ", "http://a ", "{} "]
SIGNS = list("|&;<>(){}'\"$`\\\n -")


@PROPERTY
@given(st.lists(st.sampled_from(WORDS) | st.sampled_from(SIGNS), max_size=10).map("".join))
def test_never_raises(text):
    """Any text can be judged, and does one of five things."""
    assert judge(text).does in DOES
