"""Results for people in colour: pages of the manual, tables, outlines and diffs.

Text of a skill is escaped before it is painted (`output.escaped`), so every escape sequence is from here.
"""

from __future__ import annotations

import re

from skilltool.cli.color import BOLD, TERM, painted

_RED, _GREEN, _YELLOW, _CYAN = "31", "32", "33", "36"
_SEVERITY = {"error": "1;31", "warning": "1;33", "info": "1;36"}
_STATE = {"loaded": _GREEN, "shadowed": _YELLOW, "warning": _YELLOW, "skipped": _RED, "loading failed": _RED}
_DIFF = {"diff": BOLD, "---": BOLD, "+++": BOLD, "@@": _CYAN, "+": _GREEN, "-": _RED}

_FENCE = re.compile(r"^(?:`{3,}|~{3,})")
# `warning[broken-link]` in a report, and the severity at the start of a page's second paragraph
_SEVERITY_OF_RULE = re.compile(r"\b(error|warning|info)\[[\w-]+\]|^(error|warning|info)(?=, group )")
_ROW = re.compile(r"^(\S+)( +)(error|warning|info)?\b", re.MULTILINE)
_LABEL = re.compile(r"^(\S.*?)(?=: |:$| \(|  |$)", re.MULTILINE)
_CHANGE = re.compile(r"^(diff(?= )|---(?= )|\+\+\+(?= )|@@|\+|-).*$", re.MULTILINE)
_SECTION = re.compile(r"^(==>|\* ).*$", re.MULTILINE)
_OF_SECTION = {"==>": BOLD, "* ": _YELLOW}


def painted_page(markdown: str) -> str:
    """Return a page of a manual with its headings and the severities in its reports in colour."""
    lines, fence = [], ""
    for line in markdown.split("\n"):
        opened = _FENCE.match(line)
        if opened and (not fence or line.strip() == fence):
            fence = "" if fence else opened[0]
        is_heading = line.startswith("#") and not fence
        lines.append(painted(line, BOLD) if is_heading else _SEVERITY_OF_RULE.sub(_severity, line))
    return "\n".join(lines)


def painted_table(table: str) -> str:
    """Return a table whose first column holds names, and perhaps its second one severities, in colour."""

    def row(match: re.Match[str]) -> str:
        name, gap, severity = match.groups()
        return painted(name, TERM) + gap + (painted(severity, _SEVERITY[severity]) if severity else "")

    return _ROW.sub(row, table)


def painted_outline(text: str) -> str:
    """Return text whose unindented lines begin with a label, `loaded: 3`, with the labels in colour."""
    return _LABEL.sub(lambda match: painted(match[0], _STATE.get(match[0], BOLD)), text)


def painted_diff(diff: str) -> str:
    """Return a unified diff with its headers and the changed lines in colour, as git shows it."""
    return _CHANGE.sub(lambda match: painted(match[0], _DIFF[match[1]]), diff)


def painted_sections(text: str) -> str:
    """Return sections of texts with their headings, and the lines that differ, in colour."""
    return _SECTION.sub(lambda match: painted(match[0], _OF_SECTION[match[1]]), text)


def _severity(match: re.Match[str]) -> str:
    return painted(match[0], _SEVERITY[match[1] or match[2]])
