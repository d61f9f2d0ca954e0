"""Whether to colour standard output, and how a piece of text is coloured; imported at every start."""

from __future__ import annotations

import os
import sys

BOLD = "1"
HEADING, TERM, METAVAR = "1;32", "1;36", "36"  # green and cyan, as in the help of ruff and cargo


def use_color(color: str) -> bool:
    """Return whether to colour standard output; `color` is the value of `--color`.

    NO_COLOR wins over FORCE_COLOR (https://no-color.org, https://force-color.org).
    """
    if color != "auto":
        return color == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def painted(text: str, code: str) -> str:
    """Return `text` in the colour of the ANSI code `code`, such as `1;31`."""
    return f"\x1b[{code}m{text}\x1b[0m"
