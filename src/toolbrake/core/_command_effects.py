"""What a command does, and the tally that is kept while its parts are judged.

Paths are taken as written, with one exception: what a ``cd`` in the same script says is put in front of a relative
path. A folder stands for all that lies in it. A pattern stands for the folder it looks in. What an expansion stands
for is not known before it runs, so a path that begins with one is none.
"""

from __future__ import annotations

from toolbrake.core._command_table import names
from toolbrake.core.value import Frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

READ, WRITE, RUN, WAIT, UNKNOWN = "read", "write", "run", "wait", "unknown"

_NO_FILES = names("- /dev/null /dev/stdin /dev/stdout /dev/stderr /dev/tty /dev/zero /dev/random /dev/urandom") | {""}
_PROCESSES = frozenset({"<(", ">("})
_EXPANDS = frozenset("$`<>*?[{")
_UNTOLD = frozenset("$`<>")
_HOST_ENDS = frozenset("/?#\\\"' \t\n")


class Effects(Frozen):
    """What a command line does.

    ``does`` is the strongest of what its parts do: ``write`` if anything is certainly changed, ``run`` if code runs of
    which no more is known, ``wait`` if it lets time pass, else ``read``, which includes commands that do nothing; and
    ``unknown`` where the line, or a command in it, cannot be followed.

    ``changes`` is None where something may change and nothing certainly does: code that runs (builds, tests, scripts)
    counts as no progress by itself. ``changed`` are the paths that change; while ``changed_known`` is False, more may,
    or none is named (an install, a checkout). It speaks only of certain changes: ``make > log`` changes ``log``.
    ``reads`` are the paths and URLs read; while ``reads_known`` is False the answer may depend on more.
    ``hosts`` are those talked to. ``seconds`` is the sum of the sleeps, each taken once, however often a loop runs it.
    ``noop``: it changes nothing and tells only what the caller wrote.
    """

    __slots__ = (
        "changed",
        "changed_known",
        "changes",
        "does",
        "hosts",
        "noop",
        "reads",
        "reads_known",
        "seconds",
        "waits",
    )
    changed: frozenset[str]
    changed_known: bool
    changes: bool | None
    does: str
    hosts: frozenset[str]
    noop: bool
    reads: frozenset[str]
    reads_known: bool
    seconds: float
    waits: bool

    def __init__(self, tally: Tally, *, unknown: bool) -> None:
        self._set(
            changed=frozenset(tally.changed),
            changed_known=not (tally.lost_change or unknown),
            changes=None if unknown else (True if tally.wrote else None if tally.ran else False),
            does=tally.summary(unknown=unknown),
            hosts=frozenset(tally.hosts),
            noop=tally.idle and not unknown,
            reads=frozenset(tally.read),
            reads_known=not (tally.lost_read or tally.ran or unknown),
            seconds=tally.seconds,
            waits=tally.waits,
        )

    @classmethod
    def hidden(cls) -> tuple[str, ...]:
        return "changed", "hosts", "reads"

    @property
    def targets(self) -> frozenset[str]:
        """All paths and URLs that it reads or changes.

        Empty where it may read or change others than it names, and where it looks at all of the current folder.
        """
        named = self.reads | self.changed
        return named if self.reads_known and self.changed_known and "." not in named else frozenset()


class Tally:
    """What has been seen of a command line so far; ``live`` are the present command's words without known value.

    ``cwd`` is what to put in front of a relative path: empty at the start, None where a ``cd`` led to an unknown place.
    ``body`` is the text that the present command gets as its input, None where there is none at hand.
    """

    __slots__ = (
        "body",
        "changed",
        "cwd",
        "depth",
        "hosts",
        "idle",
        "live",
        "lost_change",
        "lost_read",
        "ran",
        "read",
        "seconds",
        "unknown",
        "waits",
        "wrote",
    )

    def __init__(self) -> None:
        self.body: str | None = None
        self.changed: set[str] = set()
        self.cwd: str | None = ""
        self.depth = 0
        self.hosts: set[str] = set()
        self.idle = True
        self.live: frozenset[str] = frozenset()
        self.lost_change = False
        self.lost_read = False
        self.ran = False
        self.read: set[str] = set()
        self.seconds = 0.0
        self.unknown = False
        self.waits = False
        self.wrote = False

    def command(self, words: Sequence[str]) -> None:
        """Judges a command by its words."""
        raise NotImplementedError

    def script(self, text: str) -> None:
        """Judges the commands of a text."""
        raise NotImplementedError

    def summary(self, *, unknown: bool) -> str:
        """What it all comes down to, in a word."""
        seen = ((unknown, UNKNOWN), (self.wrote, WRITE), (self.ran, RUN), (self.waits, WAIT))
        return next((word for holds, word in seen if holds), READ)

    def reads(self, words: Iterable[str]) -> None:
        """Files are read; the name ``-`` is no file."""
        for word in words:
            if self._is_none(word):
                continue
            place = self.place(word)
            if place is None:
                self.lost_read = True
            else:
                self.read.add(place)

    def changes(self, words: Iterable[str]) -> None:
        """Files are changed; writing to a device is no change."""
        for word in words:
            if self._is_none(word):
                continue
            self.wrote = True
            place = self.place(word)
            if place is None:
                self.lost_change = True
            else:
                self.changed.add(place)

    def _is_none(self, word: str) -> bool:
        """Whether a word names no file: the input or output itself, a device, a substituted process."""
        return word in _NO_FILES or word.startswith("/dev/fd/") or (word[:2] in _PROCESSES and word in self.live)

    def changes_something(self) -> None:
        """Something changes that no path names."""
        self.wrote = self.lost_change = True

    def runs(self, words: Sequence[str] = ()) -> None:
        """Code runs; of its words those that look like paths are read."""
        self.ran = True
        self.idle = False
        self.reads(word for word in words if _is_path(word))
        self.talks(words)

    def waits_for(self, seconds: float = 0.0) -> None:
        """Time is let pass."""
        self.waits = True
        self.seconds += seconds

    def fetches(self, url: str, *, changed: bool = False) -> None:
        """A URL is asked for; what a server of this machine answers may depend on any file."""
        self.talks([url], bare=True)
        self.wrote = self.wrote or changed
        if url not in self.live or _UNTOLD.isdisjoint(url):
            (self.changed if changed else self.read).add(url)
        elif changed:
            self.lost_change = True
        else:
            self.lost_read = True

    def talks(self, words: Iterable[str], *, bare: bool = False) -> None:
        """Notes the hosts of URLs, or of any words where they are ``bare``."""
        for word in words:
            host = host_of(word, bare=bare)
            if host:
                self.hosts.add(host)
                self.lost_read = self.lost_read or is_local(host)

    def place(self, word: str) -> str | None:
        """The path that a word names; None where that is not known."""
        if word in self.live:
            at = next((at for at, char in enumerate(word) if char in _EXPANDS), len(word))
            folder = word[: word.rfind("/", 0, at) + 1]
            if not folder and word[at : at + 1] in _UNTOLD:
                return None
            word = folder or "."
        return joined(self.cwd, word)

    def move(self, word: str) -> None:
        """Goes to another folder; ``-`` is one that the line does not name."""
        self.cwd = None if word == "-" or word in self.live else joined(self.cwd, word)


def joined(folder: str | None, path: str) -> str | None:
    """A path as seen from where a folder's name begins, without detours; None if that is not known."""
    if "://" in path:
        return path
    rooted = path.startswith(("/", "~"))
    if folder is None and not rooted:
        return None
    parts: list[str] = []
    for part in (path if rooted or not folder else folder + "/" + path).split("/"):
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    absolute = path.startswith("/") or (not rooted and (folder or "").startswith("/"))
    return ("/" if absolute else "") + "/".join(parts) or "."


def host_of(word: str, *, bare: bool = False) -> str:
    """The host that a URL or an address like ``git@host:path`` names; empty if it names none."""
    scheme, mark, rest = word.partition("://")
    if not mark and not bare:
        return ""
    if mark and scheme.rpartition("=")[2].rpartition('"')[2] in ("file", "data", "sqlite"):
        return ""
    rest = rest if mark else word
    size = next((at for at, char in enumerate(rest) if char in _HOST_ENDS), len(rest))
    name = rest[:size].rpartition("@")[2]
    name = name[1:].partition("]")[0] if name.startswith("[") else name.partition(":")[0]
    return "" if any(char in name for char in "$`{}") else name.lower()


def is_local(host: str) -> bool:
    """Whether a host is this machine, or has a name that only a private network knows."""
    return host in ("localhost", "::1", "0.0.0.0") or host.startswith("127.") or "." not in host  # noqa: S104


def _is_path(word: str) -> bool:
    """Whether a word of some program looks like the name of a file."""
    if word.startswith("-") or "://" in word or "\n" in word or " " in word:
        return False
    _, dot, ending = word.rpartition(".")
    return "/" in word or (bool(dot) and ending.isalnum() and not ending.isdigit())
