"""Parts of YAML with which the errors of the npm package `yaml` are found: plain scalars and stray brackets.

Offsets are UTF-16 units.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_BLANKS = re.compile(r"[ \t]*")
_SPACES = re.compile(" *")
_BLANK_LINE = re.compile(r"\n[ \t]*\r?(?=\n|\Z)")
_END = re.compile(r":(?=[ \t\r]|$)|(?:(?<=[ \t])|^)#")
_CLOSING = {"]": "flow-seq-end", "}": "flow-map-end"}
_STARTS = {
    "@": "reserved character @",
    "`": "reserved character `",
    "%": "directive indicator character %",
    ",": "flow indicator character ,",
}


class Found(NamedTuple):
    """An error and the offsets of what is at fault; one without a message is not known.

    `stop` is where a scalar that has no place ends, which may be some lines below.
    """

    message: str
    start: int
    end: int
    stop: int = 0


class Plain(NamedTuple):
    """A plain scalar: where it ends, over how many lines, and whether a colon makes a key of it."""

    end: int
    lines: int
    has_colon: bool


def start_problem(text: str, at: int) -> Found | None:
    """Return the error for a plain scalar that begins with a sign of YAML."""
    what = _STARTS.get(text[at])
    return Found(f"Plain value cannot start with {what}", at, at + 1) if what else None


def stray_bracket(text: str, at: int, column: int) -> Found | None:
    """Return the error for a closing bracket where none is open, in a block at `column`."""
    sign = text[at]
    if sign not in _CLOSING:
        return None
    after = after_blanks(text, at + 1)
    stop = plain_end(text, after, column + 1).end if line_end(text, at) > after else after
    return Found(f'Unexpected {_CLOSING[sign]} token in YAML stream: "{sign}"', at, at + 1, stop)


def after_blanks(text: str, at: int) -> int:
    """Return the offset after the spaces and tabs at an offset."""
    found = _BLANKS.match(text, at)
    return found.end() if found else at


def line_end(text: str, at: int) -> int:
    """Return the offset of the next line end, or of the end of the text."""
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def plain_end(text: str, at: int, indent: int | None) -> Plain:
    """Return the extent of a plain scalar; lines indented by `indent` continue it, with None none do."""
    lines, end = 1, at
    while True:
        stop = line_end(text, at)
        line = text[at:stop]
        found = _END.search(line)
        content = (line[: found.start()] if found else line).rstrip(" \t\r")
        if content:
            end = at + len(content)
        if found is not None:
            return Plain(end, lines, found[0] == ":")
        while (blank := _BLANK_LINE.match(text, stop)) is not None and blank.end() > stop:
            stop = blank.end()
        spaces = _SPACES.match(text, stop + 1) if stop + 1 < len(text) else None
        if indent is None or spaces is None or len(spaces[0]) < indent:
            return Plain(end, lines, False)
        at, lines = after_blanks(text, stop + 1), lines + 1
        if text.startswith("#", at):
            return Plain(end, lines - 1, False)
