"""How a report looks to the person who reads it: colour, links, width, and how much of it."""

from __future__ import annotations

import sys
from typing import NamedTuple

from skilltool.findings.finding import Severity
from skilltool.report.links import link

BOLD, UNDERLINED, DIM = "1", "4", "2"
GREEN, YELLOW, RED, CYAN, BLUE = "32", "33", "31", "36", "1;34"
OF_SEVERITY = {Severity.ERROR: "1;31", Severity.WARNING: "1;33", Severity.INFO: "1;36"}

# Files and pipes get this width on every machine: it fits beside the time stamps of a CI log.
_WIDTH_ELSEWHERE = 100
# A narrower terminal wraps; below this a snippet would be all ellipsis.
_NARROWEST = 40


class Style(NamedTuple):
    """What the reader can see and wants to see; formats for programs ignore it.

    `color` adds ANSI colours and `links` makes hyperlinks of paths. `width` is that of the terminal in cells,
    None for a file or a pipe. `quiet` leaves findings only: no legend, table of rules, summary or hint.
    """

    color: bool = False
    links: bool = False
    width: int | None = None
    quiet: bool = False

    @property
    def snippet_width(self) -> int:
        """The number of cells that a snippet may take, its line number included."""
        return _WIDTH_ELSEWHERE if self.width is None else max(self.width, _NARROWEST)

    def paint(self, text: str, code: str) -> str:
        """Return `text` in the colour that the ANSI parameters `code` select, as it is without colour."""
        return f"\x1b[{code}m{text}\x1b[0m" if self.color and text else text

    def link(self, path: str, text: str) -> str:
        """Return `text`, which is printable, as a hyperlink to the file `path`, as it is without links."""
        return link(path, text) if self.links else text


PLAIN = Style()


def terminal_width() -> int | None:
    """Return the width in cells of the terminal that standard output is, or None if it is not a terminal.

    `COLUMNS` overrides what the terminal says, as in other programs.
    """
    if not sys.stdout.isatty():
        return None
    from shutil import get_terminal_size

    return get_terminal_size().columns
