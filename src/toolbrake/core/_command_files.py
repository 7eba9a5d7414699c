"""Commands about files whose options decide what they read and change."""

from __future__ import annotations

from toolbrake.core._command_options import options
from toolbrake.core._command_table import CHANGES, FORMATTERS, ONLY_SHOWS, READS, names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from toolbrake.core._command_effects import Tally

_SCRIPT_FLAGS = ("-e", "-f", "--regexp", "--file", "--expression", "--from-file", "--files")
"""With one of these the first operand is a file, not a script or pattern."""

_FILE_TESTS = names("-a -b -c -d -e -f -g -h -k -L -p -r -s -S -u -w -x -N -O -G")
_SIZES = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


def reading(words: Sequence[str], tally: Tally) -> None:
    """A command of ``READS``."""
    skipped, valued, default = READS[words[0]]
    flags, operands = options(words, valued)
    files = _after_script(skipped, flags, operands)
    if not files and words[0] in _RECURSIVE and not flags.keys().isdisjoint(_RECURSIVE_FLAGS):
        files = ["."]
    tally.reads(files or [default])
    if skipped and "f" in valued:
        tally.reads([flags.get("-f", "")])


_RECURSIVE = frozenset({"grep", "egrep", "fgrep"})
_RECURSIVE_FLAGS = frozenset({"-r", "-R", "--recursive"})


def _after_script(skipped: int, flags: dict[str, str], operands: list[str]) -> list[str]:
    return operands if any(flag in flags for flag in _SCRIPT_FLAGS) else operands[skipped:]


def changing(words: Sequence[str], tally: Tally) -> None:
    """A command of ``CHANGES``."""
    name = words[0]
    skipped, valued, which = CHANGES[name]
    flags, operands = options(words, valued)
    if name == "chmod" and not _MODE_LETTERS.isdisjoint(flags):
        skipped = 0  # "-x" is a mode, not an option
    operands = operands[0 if "--reference" in flags else skipped :]
    if "--dry-run" in flags or any("-" + letter in flags for letter in ONLY_SHOWS.get(name, "")):
        tally.reads(operands)
        return
    folder = flags.get("--target-directory") or (flags.get("-t") if name in _INTO else None)
    sources, changed = _parted(operands, "all" if name == "install" and "-d" in flags else which, folder)
    tally.talks((word for word in operands if _is_remote(word)), bare=True)
    tally.reads(sources)
    tally.changes(changed)


_MODE_LETTERS = frozenset({"-r", "-s", "-t", "-w", "-x", "-X"})
_INTO = frozenset({"cp", "install", "ln", "mv"})


def _parted(operands: list[str], which: str, folder: str | None) -> tuple[list[str], list[str]]:
    """Operands that are only read, and those that change."""
    if which == "all":
        return [], [*operands, folder] if folder else operands
    if folder:
        return operands, [folder]
    return (operands[1:], operands[:1]) if which == "first" else (operands[:-1], operands[-1:])


def _is_remote(word: str) -> bool:
    """Whether an operand of a copy reads ``host:path``."""
    host, colon, _ = word.partition(":")
    return bool(colon and host) and "/" not in host


def formatting(words: Sequence[str], tally: Tally) -> None:
    """A linter or formatter of ``FORMATTERS``."""
    marks = FORMATTERS[words[0]].split()
    _, operands = options(words)
    checks = any(word in ("--check", "--diff", "--check-only", "-l", "--list-different") for word in words)
    writes = not checks and (not marks or any(mark in words for mark in marks))
    if writes:
        tally.changes([word for word in operands if word not in _FORMATTER_VERBS] or ["."])
    else:
        tally.runs(operands)


_FORMATTER_VERBS = frozenset({"check", "format", "fmt"})


def sed(words: Sequence[str], tally: Tally) -> None:
    """``sed``, ``yq``: a script, then files, which ``-i`` changes."""
    # BSD wants an empty word after -i.
    flags, operands = options([word for word in words if word], "efl", attached="i")
    files = _after_script(1, flags, operands)
    if "-i" in flags or "--in-place" in flags:
        tally.changes(files)
    else:
        tally.reads(files)


def awk(words: Sequence[str], tally: Tally) -> None:
    """``awk``: reads its files, unless the program prints into one or runs a command."""
    flags, operands = options(words, "Ffiv")
    in_file = "-f" in flags or "--file" in flags
    files = [word for word in operands[0 if in_file else 1 :] if "=" not in word]
    program = "" if in_file else "".join(operands[:1])
    if flags.get("-i") == "inplace":
        tally.changes(files)
        return
    tally.reads(files)
    if in_file or "system(" in program:
        tally.runs()
    if _prints_to_file(program):
        tally.changes_something()


def _prints_to_file(program: str) -> bool:
    """Whether an awk program has ``print ... > "name"``; in front of an action ``>`` compares."""
    printing = False
    # Every second part stands between double quotes.
    for code in program.split('"')[:-1:2]:
        ended, _, statement = code.replace("{", ";").replace("}", ";").rpartition(";")
        printing = "print" in statement or (printing and not ended)
        if printing and statement.rstrip().endswith(">"):
            return True
    return False


def perl(words: Sequence[str], tally: Tally) -> None:
    """Perl as a stream editor; with a program file it runs code."""
    flags, operands = options(words, "eEMmIFC", attached="i")
    if "-e" not in flags and "-E" not in flags:
        tally.runs(operands)
    elif "-i" in flags:
        tally.changes(operands)
    elif "-n" in flags or "-p" in flags:
        tally.reads(operands)
    else:
        tally.runs(operands)


def tail(words: Sequence[str], tally: Tally) -> None:
    flags, operands = options(words, "cns")
    tally.reads(operands)
    if "-f" in flags or "-F" in flags or "--follow" in flags or "--retry" in flags:
        tally.waits_for()


def sort(words: Sequence[str], tally: Tally) -> None:
    flags, operands = options(words, "koStT")
    tally.reads(operands)
    tally.changes(value for name, value in flags.items() if name in ("-o", "--output"))


def uniq(words: Sequence[str], tally: Tally) -> None:
    """``uniq``, ``xxd``: a second operand is written."""
    _, operands = options(words, "fsw" if words[0] == "uniq" else "clnogs")
    tally.reads(operands[:1])
    tally.changes(operands[1:2])


def dd(words: Sequence[str], tally: Tally) -> None:
    for word in words[1:]:
        name, _, value = word.partition("=")
        if name == "if":
            tally.reads([value])
        elif name == "of":
            tally.changes([value])


def patch(words: Sequence[str], tally: Tally) -> None:
    flags, operands = options(words, "pidoBDFrYz")
    if "--dry-run" in flags:
        tally.reads(operands)
        return
    tally.reads([flags.get("-i", ""), *operands[1:]])
    tally.changes(operands[:1])
    if not operands:
        tally.changes_something()


def tar(words: Sequence[str], tally: Tally) -> None:
    """``tar``: the first letters may come without a dash; ``x`` writes into a folder, ``c`` writes an archive."""
    flags, operands = options(_dashed(words), _TAR_VALUED)
    archive = [flags.get("-f", flags.get("--file", ""))]
    folder = flags.get("-C", flags.get("--directory", ""))
    if "-x" in flags or "--extract" in flags or "--get" in flags:
        tally.reads(archive)
        if "-O" not in flags and "--to-stdout" not in flags:
            tally.changes([folder or "."])
    elif "-t" in flags or "--list" in flags or "-d" in flags:
        tally.reads(archive)
    else:
        tally.reads([folder] if folder else operands)
        tally.changes(archive)


_TAR_VALUED = "fCTXIKbgHVL"


def _dashed(words: Sequence[str]) -> list[str]:
    """The old style, ``tar xfz a.tgz``, in the new one: each letter an option, the values behind in their order."""
    if len(words) < 2 or words[1].startswith("-"):  # noqa: PLR2004 - the command and its letters
        return list(words)
    told = [words[0]]
    at = 2
    for letter in words[1]:
        told.append("-" + letter)
        if letter in _TAR_VALUED:
            told += words[at : at + 1]
            at += 1
    return told + list(words[at:])


def unzip(words: Sequence[str], tally: Tally) -> None:
    flags, operands = options(words, "dxP")
    tally.reads(operands[:1])
    if not any(flag in flags for flag in ("-l", "-t", "-p", "-c", "-Z", "-v", "-z")):
        tally.changes([flags.get("-d") or "."])


def sevenzip(words: Sequence[str], tally: Tally) -> None:
    """``7z``, ``unrar``, ``unar``: a verb, an archive, files."""
    operands = [word for word in words[1:] if not word.startswith("-")]
    verb, files = operands[0] if operands else "", operands[1:]
    if verb in ("l", "t", "v", "lb"):
        tally.reads(files[:1])
    elif verb in ("x", "e"):
        tally.reads(files[:1])
        tally.changes([next((word[2:] for word in words if word.startswith("-o") and word[2:]), ".")])
    else:
        tally.reads(files[1:])
        tally.changes(files[:1])


def split(words: Sequence[str], tally: Tally) -> None:
    """``split``, ``csplit``: pieces land beside the prefix."""
    _, operands = options(words, "abClntf")
    tally.reads(operands[:1])
    tally.changes([(operands[1] if len(operands) > 1 else "").rpartition("/")[0] or "."])


def test(words: Sequence[str], tally: Tally) -> None:
    """``test``, ``[``, ``[[``: files behind a file test are read."""
    tally.reads(words[at + 1] for at in range(1, len(words) - 1) if words[at] in _FILE_TESTS)


def mktemp(words: Sequence[str], tally: Tally) -> None:
    flags, operands = options(words, "p")
    if "-u" not in flags:
        tally.changes([flags.get("-p") or (operands[0].rpartition("/")[0] if operands else "") or "/tmp"])  # noqa: S108


def sleep(words: Sequence[str], tally: Tally) -> None:
    tally.waits_for(sum(seconds(word) for word in words[1:]))


def seconds(word: str) -> float:
    """What a duration like ``90``, ``1.5`` or ``2m`` says; 0 if it says none or has no end."""
    unit = word[-1:] if word[-1:] in ("s", "m", "h", "d") else ""
    try:
        number = float(word.removesuffix(unit))
    except ValueError:
        return 0.0
    return number * _SIZES[unit] if 0 <= number < _FOREVER else 0.0


_FOREVER = 1e9

FILE_COMMANDS: dict[str, Callable[[Sequence[str], Tally], None]] = {
    "7z": sevenzip,
    "7za": sevenzip,
    "7zr": sevenzip,
    "[": test,
    "[[": test,
    "awk": awk,
    "bsdtar": tar,
    "csplit": split,
    "dd": dd,
    "gawk": awk,
    "gsed": sed,
    "gtar": tar,
    "mawk": awk,
    "mktemp": mktemp,
    "nawk": awk,
    "patch": patch,
    "perl": perl,
    "sed": sed,
    "sleep": sleep,
    "sort": sort,
    "split": split,
    "tail": tail,
    "tar": tar,
    "test": test,
    "uniq": uniq,
    "unrar": sevenzip,
    "unzip": unzip,
    "usleep": sleep,
    "xxd": uniq,
    "yq": sed,
}
"""Handlers by name."""
