"""By what command lines are compared: what makes no difference, and what does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.strategies import PROPERTY
from toolbrake.core.commands import identity, judge
from toolbrake.core.shell import parse


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ls  -la   src", "ls -la src"),
        (" ls\n", "ls"),
        ("ls; pwd", "ls\npwd"),
        ("ls;", "ls"),
        ("ls # look again", "ls"),
        ("# first\nls", "ls"),
        (": # step 3", ":"),
        ("ls \\\n  src", "ls src"),
        ("grep 'word' a", "grep word a"),
        ('grep "two words" a', "grep 'two words' a"),
        ("cat a>b", "cat a > b"),
        ("cd app&&ls", "cd app && ls"),
        ("make 2>&1", "make"),
        ("make 2>&1 | tail -5", "make | tail -5"),
        ("make 2>/dev/null", "make"),
        ("make || true", "make"),
        ("make || :", "make"),
        ("make; echo $?", "make"),
        ('make; echo "exit: $?"', "make"),
        ("make 2>&1 || true; echo $?", "make"),
        ("timeout 5 make", "make"),
        ("timeout -k 5 -s KILL 10 make", "timeout 60 make"),
        ("curl -s -m 5 http://a", "curl http://a"),
        ("curl -sSL http://a", "curl -L http://a"),
        ("curl --max-time 5 --retry=3 http://a", "curl http://a"),
        ("curl -sm5 http://a", "curl http://a"),
        ("curl http://a -v", "curl http://a"),
        ("curl -so out http://a", "curl -o out http://a"),
        ("wget -q --timeout=5 -t 3 http://a", "wget http://a"),
        ("wget -nv http://a", "wget http://a"),
        ("wget -qO- http://a", "wget -O- http://a"),
        ("pytest -q a.py", "pytest a.py"),
        ("pytest -vv --tb=short a.py", "pytest a.py"),
        ("python -m pytest -v a.py", "python -m pytest a.py"),
        ("pip install -q x", "pip install x"),
        ("python3 -m pip install --quiet x", "python3 -m pip install x"),
        ("apt-get install -y -qq x", "apt-get install x"),
        ("npm ci --silent", "npm ci"),
        ("make -s all", "make all"),
    ],
)
def test_what_makes_no_difference(one, other):
    """White space, quotes, comments, and what only says how to run or show a command."""
    assert identity(one) == identity(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("cat a", "cat b"),
        ("cat a b", "cat b a"),
        ("cat 'a b'", "cat a b"),
        ("cat '*'", "cat *"),
        ("cat '$x'", "cat $x"),
        ('cat "$x"', "cat $x"),
        ("cat '~/a'", "cat ~/a"),
        ("cat '{a,b}'", "cat {a,b}"),
        ("cat ''", "cat"),
        ("cat '>' a", "cat > a"),
        ("'x=1' a", "x=1 a"),
        ("echo 2 > a", "echo 2> a"),
        ("cat a > b", "cat a >> b"),
        ("a && b", "a; b"),
        ("a | b", "a || b"),
        ("a &", "a"),
        ("cd app && ls", "ls"),
        ("cd app && ls", "cd lib && ls"),
        ("X=1 make", "make"),
        ("X=1 make", "X=2 make"),
        ("sudo make", "make"),
        ("make | head -5", "make | head -50"),
        ("make > a 2>&1", "make > b 2>&1"),
        ("make > a 2>&1", "make > a"),
        ("make 2> log", "make"),
        ("make; echo $PATH", "make"),
        ("make && echo $?", "make"),
        ("make || false", "make"),
        ("cat <<E\none\nE", "cat <<E\ntwo\nE"),
        ("cat <<E\n$x\nE", "cat <<'E'\n$x\nE"),
        ("cat <<E\none\nE\nls", "cat <<E\none\nls\nE"),
        ("cat <<< a", "cat <<< b"),
        ("curl -d -s http://a", "curl -d http://a"),
        ("curl -o -s http://a", "curl -o http://a"),
        ("curl -X POST http://a", "curl http://a"),
        ("curl --data -s http://a", "curl --data http://a"),
        ("curl -H 'a: b' http://a", "curl -H 'a: c' http://a"),
        ("pytest -k -v", "pytest -k"),
        ("pytest --tb a.py", "pytest"),
        ("curl -m $x http://a", "curl http://a"),
        ("timeout 5 x=1 make", "x=1 make"),
        ("pytest -x a.py", "pytest a.py"),
        ("pytest -- -v", "pytest --"),
        ("npm test -- -s", "npm test --"),
        ("grep -v word a", "grep word a"),
        ("grep -q word a", "grep word a"),
        ("timeout 5", "timeout 6"),
        ("! grep a b", "grep a b"),
        ("a (b", "a  (b"),
        ("while a; do b; done", "while  a; do b; done"),
    ],
)
def test_what_makes_a_difference(one, other):
    """Operands, patterns, operators, targets and bodies; and any line that is not followed word by word."""
    assert identity(one) != identity(other)


@pytest.mark.parametrize("command", ["echo 'a  ", "for x in a; do  ls; done", "select x in  a; do ls; done"])
def test_what_is_not_followed_stays_as_it_is(command):
    """A line with loops, or one that cannot be followed, loses only white space at its ends."""
    assert identity(f"\n {command} ") == command.strip()


def test_an_empty_line():
    """Lines without a command are all the same."""
    assert identity("") == identity(" # nothing") == ""


def test_a_script_may_be_read_before():
    """A script that has been read has the identity of its text."""
    assert identity(parse("ls  a")) == identity("ls  a")


COMMAND = st.lists(
    st.sampled_from(
        ["cat", "rm", "curl", "-s", "-o", "-m", "5", "a", "'b c'", "> a", "2>&1", "|", "&&", ";", "\n", "# x"]
    )
    | st.sampled_from(["timeout 5", "|| true", "; echo $?", "$x", "*.py", "X=1", "pytest", "-q", "--tb", "make", "--"]),
    min_size=1,
    max_size=8,
).map(" ".join)
"""Command lines made of what the identity treats in its own way."""


@PROPERTY
@given(COMMAND)
def test_identity_is_its_own_identity(command):
    """One spelling has itself as its spelling."""
    once = identity(command)

    assert identity(once) == once


@PROPERTY
@given(COMMAND)
def test_identity_keeps_the_effects(command):
    """What is left out changes nothing that a command is known to do to its targets."""
    whole, kept = judge(command), judge(identity(command))

    assert (kept.changed, kept.reads, kept.hosts) == (whole.changed, whole.reads, whole.hosts)


@PROPERTY
@given(st.text(alphabet="ab \t\n'\"\\$`(){}<>|&;#=~*-", max_size=40))
def test_never_raises(text):
    """Any text has an identity."""
    assert isinstance(identity(text), str)
