"""How a report looks to the person who reads it: colour, links, width, and how much of it.

Source: https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda, which terminals follow. The URI is
percent-encoded, so that no path can end the sequence or begin another. It names the host, because a terminal
may show the output of another machine.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple
from urllib.parse import quote

from skilltool.findings.finding import Severity


def relative(path: str) -> str:
    """Return a relative path with `/`, as reports print it, as a relative reference."""
    return quote(_raw(path))


def absolute(path: str, host: str = "") -> str:
    """Return a path as a `file:` URI on `host`; a relative one is resolved from the working directory."""
    whole = os.path.abspath(path).replace(os.sep, "/")
    return f"file://{quote(host)}{'' if whole.startswith('/') else '/'}{quote(_raw(whole), safe='/:')}"


def _raw(path: str) -> bytes:
    """Return the bytes of a path; on POSIX, lone surrogates stand for bytes that are not UTF-8."""
    try:
        return path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # other lone surrogates, which file names on Windows may contain
        return path.encode("utf-8", "surrogatepass")


# From https://github.com/Alhadis/OSC8-Adoption, by the variables that each terminal sets.
_PROGRAMS = frozenset(
    {
        "Hyper",
        "Tabby",
        "WarpTerminal",
        "WezTerm",
        "ghostty",
        "iTerm.app",
        "rio",
        "terminology",
        "vscode",
        "zed",
    }
)
_TERMS = ("alacritty", "contour", "foot", "wezterm", "xterm-ghostty", "xterm-kitty")
_SIGNS = ("DOMTERM", "KITTY_WINDOW_ID", "KONSOLE_VERSION", "WT_SESSION")
_OLDEST_VTE = 5001  # 0.50.0 crashes on links


def link(path: str, text: str) -> str:
    """Return `text`, which is printable, as a hyperlink to the file `path` (relative, or absolute)."""
    return f"\x1b]8;;{absolute(path, _host())}\x1b\\{text}\x1b]8;;\x1b\\"


def supported(environment: Mapping[str, str], terminal: bool) -> bool:
    """Return whether standard output shows hyperlinks; `terminal` says if it is one, `environment` which.

    `FORCE_HYPERLINK` overrides that: `0` is never, anything else always, as in other programs.
    """
    forced = environment.get("FORCE_HYPERLINK")
    if forced is not None:
        return forced.strip() != "0"
    term = environment.get("TERM", "")
    if not terminal or term == "dumb":
        return False
    vte = environment.get("VTE_VERSION", "")
    return (
        environment.get("TERM_PROGRAM") in _PROGRAMS
        or environment.get("COLORTERM") == "xfce4-terminal"
        or any(sign in environment for sign in _SIGNS)
        or term.startswith(_TERMS)
        or (vte.isdecimal() and int(vte) >= _OLDEST_VTE)
    )


@cache
def _host() -> str:
    from socket import gethostname

    return gethostname()


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
    `notes` shows notes one by one; `limit` leaves out what is more than a screen of one skill.
    """

    color: bool = False
    links: bool = False
    width: int | None = None
    quiet: bool = False
    notes: bool = False
    limit: bool = True

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
