"""Commands with verbs, and those that talk to hosts and databases."""

from __future__ import annotations

from toolbrake.core._command_options import options
from toolbrake.core._command_sql import SQL_CLIENTS, sql
from toolbrake.core._command_table import names
from toolbrake.core._command_verbs import CLOUD_READS, FOLLOWS, RUN_VERBS, VERB_VALUED, VERBS, WAIT_VERBS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from toolbrake.core._command_effects import Tally


def verbal(words: Sequence[str], tally: Tally) -> None:
    """A command of ``VERBS``."""
    name = words[0]
    _, operands = options(words, VERB_VALUED.get(name, ""), longs=_VERB_LONGS)
    kind = _kind(name, operands, words)
    if kind == "write":
        tally.changes_something()
    elif kind == "run":
        tally.runs(operands[1:])
    else:
        tally.lost_read = True
    if _follows(name, operands, words):
        tally.waits_for()


def _kind(name: str, operands: list[str], words: Sequence[str]) -> str:
    """Whether a command reads, writes or runs code, by its verb."""
    reads, writes, other = VERBS[name]
    if not _DRY.isdisjoint(words):
        return "read"
    if name == "service":
        return "read" if "status" in operands[1:2] or "--status-all" in words else "write"
    phrases = {" ".join(operands[:2]), *operands[:1], *words[1:2]}
    for kind, verbs in (("run", RUN_VERBS.get(name, _NONE)), ("write", writes), ("read", reads)):
        if not phrases.isdisjoint(verbs):
            return kind
    if name == "yarn" and not operands:
        return "write"
    return "run" if other == "write" and not operands and name not in _BARE else other


_NONE: frozenset[str] = frozenset()
_BARE = frozenset({"dpkg", "emerge", "pacman", "rpm"})
"""Their options are the verbs."""
_DRY = frozenset({"--dry-run", "--dry-run=client", "--dry-run=server", "--simulate"})
_VERB_LONGS = frozenset({"--context", "--kubeconfig", "--namespace", "--prefix", "--project", "--repo"})


def _follows(name: str, operands: list[str], words: Sequence[str]) -> bool:
    """Whether it goes on until something happens."""
    if (name, "".join(operands[:1])) in WAIT_VERBS:
        return True
    verb, flags = FOLLOWS.get(name, ("-", ""))
    return (not verb or verb in operands) and (not flags or any(flag in words for flag in flags.split()))


def github(words: Sequence[str], tally: Tally) -> None:
    """``gh``: ``api`` asks unless it is given fields or a method."""
    if "".join(words[1:2]) == "api":
        if any(word.startswith(("-f", "-F", "-X", "--field", "--raw-field", "--method", "--input")) for word in words):
            tally.changes_something()
        tally.lost_read = True
    else:
        verbal(words, tally)


def cloud(words: Sequence[str], tally: Tally) -> None:
    """A provider's command line: a verb that reads is among its first three operands."""
    operands = [word for word in words[1:] if not word.startswith("-")]
    if any(word.startswith(CLOUD_READS) for word in operands[:3]):
        tally.lost_read = True
    else:
        tally.changes_something()


def networking(words: Sequence[str], tally: Tally) -> None:
    """A command of ``NETWORK``: its operands are hosts and URLs, but for ports, methods and record types."""
    operands = [word for word in words[1:] if not word.startswith(("-", "+", "@")) and "=" not in word]
    tally.talks((word for word in operands if "." in word or not (word.isupper() or word[:1].isdigit())), bare=True)
    tally.lost_read = True
    if not _CHANGING_METHODS.isdisjoint(operands):
        tally.changes_something()


_CHANGING_METHODS = frozenset({"DELETE", "PATCH", "POST", "PUT"})


def curl(words: Sequence[str], tally: Tally) -> None:
    """``curl``: sending data or naming another method than ``GET`` changes what the URL names."""
    flags, urls = options(words, "AbcCdDeEFhHKmoPQrtTuUwxXyYz", longs=_CURL_LONGS)
    urls += [flags["--url"]] if "--url" in flags else []
    method = flags.get("-X", flags.get("--request", "")).upper()
    sends = not _CURL_SENDS.isdisjoint(flags) and "-G" not in flags and "--get" not in flags
    for url in urls:
        tally.fetches(url, changed=sends if not method else method not in _SAFE_METHODS)
    tally.changes(value for name, value in flags.items() if name in _CURL_FILES)
    if "-O" in flags or "--remote-name" in flags:
        tally.changes(_saved_as(url) for url in urls)


_SAFE_METHODS = frozenset({"", "GET", "HEAD", "OPTIONS"})
_CURL_SENDS = names(
    "-d --data --data-raw --data-binary --data-urlencode --data-ascii --json -F --form -T --upload-file"
)
_CURL_FILES = frozenset({"-o", "--output", "-D", "--dump-header", "-c", "--cookie-jar"})
_CURL_LONGS = names("""
    --cacert --cert --config --connect-timeout --cookie --cookie-jar --data --data-ascii --data-binary --data-raw
    --data-urlencode --dump-header --form --header --interface --json --key --limit-rate --max-redirs --max-time
    --oauth2-bearer --output --proxy --range --referer --request --resolve --retry --retry-delay --retry-max-time
    --unix-socket --upload-file --url --user --user-agent --write-out
    """)


def wget(words: Sequence[str], tally: Tally) -> None:
    """``wget``: keeps what it fetches in a file, unless told to print it."""
    flags, urls = options(words, "aeioOPtTUlADIQRXBw", longs=_WGET_LONGS)
    method = flags.get("--method", "").upper()
    for url in urls:
        tally.fetches(url, changed=method not in _SAFE_METHODS or "--post-data" in flags or "--post-file" in flags)
    saved = flags.get("-O", flags.get("--output-document", ""))
    folder = flags.get("-P", flags.get("--directory-prefix", ""))
    if saved or "--spider" in flags:
        tally.changes([saved])
    elif not _WGET_TREES.isdisjoint(flags):
        tally.changes([folder or "."])
    else:
        tally.changes(f"{folder}/{_saved_as(url)}" if folder else _saved_as(url) for url in urls)


_WGET_TREES = frozenset({"-r", "-m", "-i", "--recursive", "--mirror", "--input-file"})
_WGET_LONGS = names(
    "--directory-prefix --header --input-file --method --output-document --password --post-data --post-file --timeout "
    "--tries --user --user-agent"
)


def _saved_as(url: str) -> str:
    """The name under which a URL is kept."""
    return url.partition("?")[0].rstrip("/").rpartition("/")[2] or "index.html"


TOOL_COMMANDS: dict[str, Callable[[Sequence[str], Tally], None]] = {
    "curl": curl,
    "gh": github,
    "wget": wget,
    "wget2": wget,
    **dict.fromkeys(SQL_CLIENTS, sql),
}
"""Handlers by name."""
