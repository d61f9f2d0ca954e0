"""Whether to colour standard output, and results for people in colour: manuals, tables, outlines and diffs.

Text of a skill is escaped before it is painted (`output.exact_or_escaped`), so every escape sequence is from
here. Patterns are compiled only where there is colour: this module is imported at every start.
"""

from __future__ import annotations

import os
import re
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


_RED, _GREEN, _YELLOW, _CYAN = "31", "32", "33", "36"
_SEVERITY = {"error": "1;31", "warning": "1;33", "info": "1;36"}
_STATE = {"loaded": _GREEN, "shadowed": _YELLOW, "warning": _YELLOW, "skipped": _RED, "loading failed": _RED}
_DIFF = {"diff": BOLD, "---": BOLD, "+++": BOLD, "@@": _CYAN, "+": _GREEN, "-": _RED}

_FENCE = r"(?:`{3,}|~{3,})"
# `warning[broken-link]` in a report, and the severity at the start of a page's second paragraph
_SEVERITY_OF_RULE = r"\b(error|warning|info)\[[\w-]+\]|^(error|warning|info)(?=, group )"
_ROW = r"(?m)^(\S+)( +)(error|warning|info)?\b"
_LABEL = r"(?m)^(\S.*?)(?=: |:$| \(|  |$)"
_CHANGE = r"(?m)^(diff(?= )|---(?= )|\+\+\+(?= )|@@|\+|-).*$"
_SECTION = r"(?m)^(==>|\* ).*$"
_OF_SECTION = {"==>": BOLD, "* ": _YELLOW}


def painted_page(markdown: str) -> str:
    """Return a page of a manual with its headings and the severities in its reports in colour."""
    lines, fence = [], ""
    for line in markdown.split("\n"):
        opened = re.match(_FENCE, line)
        if opened and (not fence or line.strip() == fence):
            fence = "" if fence else opened[0]
        is_heading = line.startswith("#") and not fence
        lines.append(painted(line, BOLD) if is_heading else re.sub(_SEVERITY_OF_RULE, _severity, line))
    return "\n".join(lines)


def painted_table(table: str) -> str:
    """Return a table whose first column holds names, and perhaps its second one severities, in colour."""

    def row(match: re.Match[str]) -> str:
        name, gap, severity = match.groups()
        return painted(name, TERM) + gap + (painted(severity, _SEVERITY[severity]) if severity else "")

    return re.sub(_ROW, row, table)


def painted_outline(text: str) -> str:
    """Return text whose unindented lines begin with a label, `loaded: 3`, with the labels in colour."""
    return re.sub(_LABEL, lambda match: painted(match[0], _STATE.get(match[0], BOLD)), text)


def painted_diff(diff: str) -> str:
    """Return a unified diff with its headers and the changed lines in colour, as git shows it."""
    return re.sub(_CHANGE, lambda match: painted(match[0], _DIFF[match[1]]), diff)


def painted_sections(text: str) -> str:
    """Return sections of texts with their headings, and the lines that differ, in colour."""
    return re.sub(_SECTION, lambda match: painted(match[0], _OF_SECTION[match[1]]), text)


def _severity(match: re.Match[str]) -> str:
    return painted(match[0], _SEVERITY[match[1] or match[2]])
