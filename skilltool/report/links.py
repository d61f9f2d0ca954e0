"""Clickable paths: hyperlinks for terminals (OSC 8).

Source: https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda, which terminals follow. The URI is
percent-encoded, so that no path can end the sequence or begin another. It names the host, because a terminal
may show the output of another machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

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
    from skilltool.report import uris

    return f"\x1b]8;;{uris.absolute(path, _host())}\x1b\\{text}\x1b]8;;\x1b\\"


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
