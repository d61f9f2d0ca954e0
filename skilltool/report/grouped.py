"""One heading per file and its findings below, a line each, for reading file by file."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from skilltool.findings.diagnostic import Diagnostic
from skilltool.lint.result import Report
from skilltool.report import finding_lines
from skilltool.report.finding_lines import closing
from skilltool.report.style import CYAN, PLAIN, UNDERLINED, Style
from skilltool.text.printable import printable


def render(report: Report, style: Style = PLAIN) -> str:
    """Return the report as text; `line:column` is aligned at the colon within a file."""
    files = groupby(report.diagnostics, key=lambda diagnostic: diagnostic.path)
    groups = ["\n".join(_file(path, list(diagnostics), style)) for path, diagnostics in files]
    paragraphs = [*groups, *closing(report, style)]
    return "\n\n".join(paragraphs) + "\n" if paragraphs else ""


def _file(path: str, diagnostics: list[Diagnostic], style: Style) -> Iterator[str]:
    yield f"{style.link(path, style.paint(printable(path), UNDERLINED))}:"
    starts = [diagnostic.location.start for diagnostic in diagnostics]
    line_width = max(len(str(start.line)) for start in starts)
    column_width = max(len(str(start.column)) for start in starts)
    colon = style.paint(":", CYAN)
    for diagnostic, start in zip(diagnostics, starts, strict=True):
        where = f"{start.line:>{line_width}}{colon}{start.column:<{column_width}}"
        rule = finding_lines.severity_and_rule(diagnostic, style)
        yield f"  {where}  {rule}: {finding_lines.message(diagnostic, style)}"
