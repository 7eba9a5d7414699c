"""What a command prints: text that any terminal can show, and JSON that any program can read."""

from __future__ import annotations

import json
import sys

from toolbrake.core.wording import name
from toolbrake.scan.model import Unreadable


def prepare() -> None:
    """Let standard output and error take any text: what their encoding cannot hold is escaped."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def shown(text: str) -> str:
    """Somebody's text on one line, without control characters, as a terminal may show it."""
    return name(text)


class Complaints:
    """Tells what could not be read, on standard error; equal complaints about lines in a row are told as one."""

    def __init__(self) -> None:
        self._first: Unreadable | None = None
        self._last = 0
        self._any = False

    def hear(self, item: object) -> None:
        """Take note of an item of the input; tell what its predecessors had in common, once they are over."""
        first = self._first
        if not isinstance(item, Unreadable):
            self._tell()
        elif first is not None and (first.file, first.reason) == (item.file, item.reason) and item.line > first.line:
            self._last = item.line
        else:
            self._tell()
            self._first, self._last, self._any = item, item.line, True

    def end(self) -> bool:
        """Tell what is left; whether there was anything to tell at all."""
        self._tell()
        return self._any

    def _tell(self) -> None:
        first, self._first = self._first, None
        if first is None:
            return
        if self._last > first.line:
            print(f"{shown(first.file)}:{first.line}-{self._last}: {shown(first.reason)}", file=sys.stderr)
        else:
            print(first, file=sys.stderr)


def machine(value: object) -> str:
    """One line of JSON; characters outside ASCII only where standard output can hold them."""
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return json.dumps(value)
    return text
