"""What a ``git`` command does.

The repository itself is one target, ``.git``, wherever the command stands: a commit and a status speak of the same
thing from every folder of it. Commands that rewrite the working tree change more than they name.
"""

from __future__ import annotations

from toolbrake.core._command_options import options
from toolbrake.core._command_table import names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from toolbrake.core._command_effects import Tally

REPOSITORY = ".git"

_GLOBAL_VALUED = frozenset({"-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--config-env"})

_READS = names("""
    annotate archive blame cat-file check-attr check-ignore check-ref-format cherry count-objects describe diff
    diff-files diff-index diff-tree for-each-ref fsck gitk grep help log ls-files ls-remote ls-tree merge-base
    merge-tree name-rev range-diff rev-list rev-parse shortlog show show-branch show-ref status var verify-commit
    verify-tag version whatchanged
    """)

_INDEX = names("""
    add commit commit-tree config fetch gc init maintenance notes pack-refs prune push remote repack replace
    symbolic-ref tag branch update-index update-ref write-tree hash-object reflog stage
    """)
"""Change the repository and leave the working tree alone."""

_TREE = names(
    """
    am apply bisect checkout cherry-pick clean filter-branch filter-repo lfs merge pull read-tree rebase reset restore
    revert sparse-checkout stash submodule subtree switch worktree
    """
)
"""Change the working tree too."""

# With these words, or without operands, a command of the tables above only looks.
_LOOKS = {
    "add": "-n --dry-run",
    "apply": "--check --stat --numstat --summary",
    "bisect": "log view visualize",
    "branch": "--list -l -a -r -v -vv --all --remotes --show-current --contains --merged --no-merged",
    "clean": "-n --dry-run",
    "commit": "--dry-run",
    "config": "--get --get-all --get-regexp -l --list list get",
    "fetch": "--dry-run",
    "lfs": "ls-files status",
    "notes": "show list",
    "push": "--dry-run -n",
    "reflog": "show exists",
    "remote": "-v --verbose show get-url",
    "stash": "list show",
    "submodule": "status summary",
    "tag": "-l --list -n --contains --points-at",
    "worktree": "list",
}
_LOOKS_BARE = frozenset({"branch", "config", "notes", "reflog", "remote", "submodule", "tag"})
"""Without any word these list something."""

_VALUED = {"commit": "mFCct", "log": "nLSG", "diff": "SGO", "archive": "o", "tag": "mFu"}


def git(words: Sequence[str], tally: Tally) -> None:
    """Any ``git`` command; ``-C`` counts for it alone."""
    cwd = tally.cwd
    at = 1
    while at < len(words) and words[at].startswith("-"):
        if words[at] == "-C" and at + 1 < len(words):
            tally.move(words[at + 1])
        at += 2 if words[at] == "-C" or words[at] in _GLOBAL_VALUED else 1
    _verb(words[at:], tally)
    tally.cwd = cwd


def _verb(words: Sequence[str], tally: Tally) -> None:
    verb = words[0] if words else "help"
    flags, operands = options(words, _VALUED.get(verb, ""))
    tally.read.add(REPOSITORY)
    tally.talks(operands)
    if verb in _READS or _only_looks(verb, words, flags, operands):
        _reading(verb, flags, operands, tally)
    elif verb in _BY_VERB:
        _BY_VERB[verb](words, tally)
    elif verb in _INDEX or (verb in ("reset", "stash") and _leaves_files(verb, words)):
        _repository(tally)
    elif verb in _TREE:
        _repository(tally)
        tally.changes_something()
    else:
        tally.runs()


def _only_looks(verb: str, words: Sequence[str], flags: dict[str, str], operands: list[str]) -> bool:
    if len(words) == 1:
        return verb in _LOOKS_BARE
    if verb == "config" and len(operands) == 1 and _CONFIG_CHANGES.isdisjoint(flags):
        return True
    return any(word in flags or word in words for word in _LOOKS.get(verb, "").split())


_CONFIG_CHANGES = frozenset({"--unset", "--unset-all", "--edit", "-e", "--remove-section"})
_LOOKS_AT_FILES = frozenset({"annotate", "blame", "diff", "diff-files", "diff-index", "grep", "ls-files", "status"})


def _reading(verb: str, flags: dict[str, str], operands: list[str], tally: Tally) -> None:
    """A command that only looks: at the repository, at the working tree, or at another repository."""
    output = flags.get("--output", "") or (flags.get("-o", "") if verb == "archive" else "")
    tally.changes([output])
    if verb == "ls-remote":
        tally.lost_read = True
        tally.talks((word for word in operands if "@" in word), bare=True)
    elif verb in _LOOKS_AT_FILES:
        files = [word for word in operands if "." in word or "/" in word]
        tally.reads(files)
        tally.lost_read = tally.lost_read or not files


def _repository(tally: Tally) -> None:
    tally.wrote = True
    tally.changed.add(REPOSITORY)


def _leaves_files(verb: str, words: Sequence[str]) -> bool:
    """Whether a reset only moves the index, or a stash only forgets."""
    if verb == "stash":
        return "drop" in words or "clear" in words
    return not any(word in ("--hard", "--merge", "--keep") for word in words)


def _files(words: Sequence[str], tally: Tally) -> None:
    """``restore``, ``rm``, ``mv``: operands are files."""
    _, operands = options(words, "s" if words[0] == "restore" else "")
    _repository(tally)
    tally.changes(operands)


def _checkout(words: Sequence[str], tally: Tally) -> None:
    """``checkout`` of files names them after ``--``; of a branch it may change any."""
    _repository(tally)
    named = words[words.index("--") + 1 :] if "--" in words else ()
    if named:
        tally.changes(named)
    elif _NEW_BRANCH.isdisjoint(words):
        tally.changes_something()


_NEW_BRANCH = frozenset({"-b", "-B", "-c", "-C", "--create", "--orphan"})


def _clone(words: Sequence[str], tally: Tally) -> None:
    """``clone``: makes a folder, named as the last part of the URL unless a name is given."""
    _, operands = options(words, "bcjou", longs=_CLONE_LONGS)
    urls = operands[:1]
    tally.talks((word for word in urls if "@" in word or "://" in word), bare=True)
    tally.changes(operands[1:2] or [url.rstrip("/").rpartition("/")[2].removesuffix(".git") for url in urls])


_CLONE_LONGS = frozenset({"--branch", "--depth", "--origin", "--config", "--reference", "--jobs", "--filter"})

_BY_VERB: dict[str, Callable[[Sequence[str], Tally], None]] = {
    "checkout": _checkout,
    "clone": _clone,
    "mv": _files,
    "restore": _files,
    "rm": _files,
    "switch": _checkout,
}
