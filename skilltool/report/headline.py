"""The parts of a finding that every format for people prints alike: location, severity, rule, message."""

from __future__ import annotations

from skilltool.findings.diagnostic import Diagnostic
from skilltool.lint.result import FIX_MARK, is_fixable
from skilltool.report.style import BOLD, CYAN, OF_SEVERITY, Style
from skilltool.text.printable import printable


def severity_and_rule(diagnostic: Diagnostic, style: Style) -> str:
    """Return `severity[rule]`, in the colour of the severity."""
    return style.paint(f"{diagnostic.severity}[{diagnostic.rule}]", OF_SEVERITY[diagnostic.severity])


def message(diagnostic: Diagnostic, style: Style, bold: bool = False) -> str:
    """Return the message, after `[*]` where `--fix` fixes the finding."""
    text = printable(diagnostic.message)
    mark = f"{style.paint(FIX_MARK, CYAN)} " if is_fixable(diagnostic) else ""
    return mark + (style.paint(text, BOLD) if bold else text)


def located(diagnostic: Diagnostic, path: str, style: Style) -> str:
    """Return `path:line:column` as a link to the file; `path` is how it is printed."""
    start = diagnostic.location.start
    colon = style.paint(":", CYAN)
    where = f"{style.paint(path, BOLD)}{colon}{start.line}{colon}{start.column}"
    return style.link(diagnostic.path, where)
