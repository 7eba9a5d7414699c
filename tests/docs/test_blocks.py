"""Every page's blocks run, in the order they stand in, and do what the page says.

Blocks of ``python`` share the namespace of their page, blocks of ``console`` hold command lines and may show what
these print. A comment before a block changes what is done with it:

    <!-- file: NAME -->        the block is the content of a file
    <!-- output: -->           the block is what the page's Python has printed since the last such block
    <!-- not run: REASON -->   the block installs or fetches something

``<!-- setup: ... -->`` on lines of its own is Python that a reader need not see.
"""

from __future__ import annotations

import re
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest

from toolbrake.cli import main
from toolbrake.errors import MissingExtraError

ROOT = Path(__file__).parents[2]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(
    r"^<!-- setup:\n(?P<setup>.*?)^-->$"
    r"|(?:^<!-- (?P<mark>file|output|not run): ?(?P<said>[^\n]*?) ?-->\n)?^```(?P<language>\w*)\n(?P<body>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
ELSEWHERE = ("$ make ", "$ pip install ", "$ git clone ", "$ cd ")
"""How the commands begin that a block may hold which is not run."""

each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


@dataclass
class Block:
    kind: str
    said: str
    body: str
    line: int


def blocks(page):
    """The blocks of a page in order, each of the kind that says what is done with it."""
    text = page.read_text(encoding="utf-8")
    for found in BLOCK.finditer(text):
        setup = found["setup"] is not None
        group = "setup" if setup else "body"
        kind = "python" if setup else found["mark"] or found["language"]
        yield Block(kind, found["said"] or "", found[group], text.count("\n", 0, found.start(group)))


class Reader:
    """Somebody who does what a page says, in an empty folder."""

    def __init__(self, page, capsys):
        self.page = page
        self.capsys = capsys
        self.module = ModuleType(f"page_{page.stem.lower()}")
        self.printed = ""
        self.ways = {
            "python": self.python,
            "console": self.console,
            "file": self.file,
            "output": self.output,
        }

    def read(self):
        for block in blocks(self.page):
            self.ways.get(block.kind, lambda block: None)(block)

    def python(self, block):
        code = compile("\n" * block.line + block.body, str(self.page), "exec")
        exec(code, self.module.__dict__)  # noqa: S102 - our own pages
        self.printed += self.capsys.readouterr().out

    def file(self, block):
        Path(block.said).write_text(block.body, encoding="utf-8")

    def output(self, block):
        assert block.body.split() == self.printed.split(), self.place(block)
        self.printed = ""

    def console(self, block):
        for command, shown in commands(block.body):
            line, _, status = command.partition("  # exit ")
            ended, said = self.run(shlex.split(line), self.place(block))
            assert ended == int(status or 0), f"{self.place(block)}: {command}\n{said}"
            assert not shown or matches(shown, said), f"{self.place(block)}: {command}\n{said}"

    def run(self, words, place):
        """The exit status of a command line of ours, and what it printed, ``> FILE`` apart."""
        assert words[0] == "toolbrake", f"{place}: only commands of toolbrake are run (got {words[0]})"
        into = words[-1] if ">" in words else None
        ended = main(words[1:-2] if into else words[1:])
        said = self.capsys.readouterr()
        if into:
            Path(into).write_text(said.out, encoding="utf-8")
        return ended, said.err if into else said.out + said.err

    def place(self, block):
        return f"{self.page.relative_to(ROOT)}:{block.line}"


def commands(body):
    """The command lines of a block, each with the lines that it is shown to print."""
    for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        command, *shown = part.rstrip("\n").split("\n")
        yield command, shown


def matches(shown, said):
    """Whether a command printed what is shown; a line of three dots stands for any lines."""
    parts = "\n".join(shown).split("...\n") if "..." in shown else ["\n".join(shown)]
    return re.fullmatch(r"(?:.*\n)*?".join(map(re.escape, parts)), said.rstrip("\n")) is not None


@each_page
def test_blocks_run(page, tmp_path, monkeypatch, capsys):
    """What a page tells its reader to run does what the page says."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TOOLBRAKE_OFF", raising=False)
    reader = Reader(page, capsys)
    monkeypatch.setitem(sys.modules, reader.module.__name__, reader.module)

    try:
        reader.read()
    except ImportError as missing:
        framework = (missing.name or "toolbrake").partition(".")[0]
        if isinstance(missing, MissingExtraError) or framework != "toolbrake":
            pytest.skip(f"not installed: {missing}")
        raise


@each_page
def test_blocks_that_are_not_run(page):
    """A block that is not run says why, and only installs or fetches something."""
    left_out = [block for block in blocks(page) if block.kind == "not run"]

    assert all(block.said for block in left_out)
    assert [line for block in left_out for line in block.body.splitlines() if not line.startswith(ELSEWHERE)] == []


@each_page
def test_commands_are_in_console_blocks(page):
    """No command line hides in a block of another kind, where nothing would run it."""
    hidden = [block for block in blocks(page) if block.kind not in ("console", "not run", "file", "output", "python")]

    assert [line for block in hidden for line in block.body.splitlines() if line.startswith(("$ ", "toolbrake "))] == []


@each_page
def test_every_fence_is_read(page):
    """Every block begins at the first column, so that none is missed."""
    text = page.read_text(encoding="utf-8")
    read = sum(found["setup"] is None for found in BLOCK.finditer(text))

    assert len(re.findall(r"^[ \t]*```", text, flags=re.MULTILINE)) == 2 * read


@each_page
def test_links_lead_somewhere(page):
    """Every relative link of a page leads to a file that is there."""
    text = re.sub(BLOCK, "", page.read_text(encoding="utf-8"))
    links = [link.partition("#")[0] for link in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in link]

    assert [link for link in links if link and not (page.parent / link).exists()] == []


def test_index_names_every_page():
    """The documentation's first page links to all others."""
    docs = ROOT / "docs"
    linked = set(re.findall(r"\]\(([^)#\s]+)", (docs / "index.md").read_text(encoding="utf-8")))

    assert {str(page.relative_to(docs)) for page in docs.rglob("*.md")} - {"index.md"} <= linked
