"""What a command prints: text that any terminal can show, and JSON that any program can read."""

from __future__ import annotations

import json
import sys

from toolbrake.core.wording import name


def prepare() -> None:
    """Let standard output and error take any text: what their encoding cannot hold is escaped."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def shown(text: str) -> str:
    """Somebody's text on one line, without control characters, as a terminal may show it."""
    return name(text)


def machine(value: object) -> str:
    """One line of JSON; characters outside ASCII only where standard output can hold them."""
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return json.dumps(value)
    return text
