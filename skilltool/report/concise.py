"""One line per finding, for terminals, logs and editors that read `path:line:column`."""

from __future__ import annotations

from skilltool.findings.diagnostic import Diagnostic
from skilltool.lint.result import Report
from skilltool.report import finding_lines
from skilltool.report.finding_lines import closing
from skilltool.report.shown import Shown, select
from skilltool.report.style import PLAIN, Style
from skilltool.text.printable import printable


def render(report: Report, style: Style = PLAIN) -> str:
    """Return the report as text; after many findings a table of rules stands between blank lines."""
    selection = select(report, style, lambda shown: [_shown_line(shown, style)])
    lines = [line for _, (line,) in selection.findings]
    paragraphs = closing(report, selection, style, hint=False)
    if len(paragraphs) > 1:
        paragraphs = ["", *(f"{text}\n" for text in paragraphs[:-1]), paragraphs[-1]]
    return "".join(f"{text}\n" for text in [*lines, *paragraphs])


def _shown_line(shown: Shown, style: Style) -> str:
    return line(shown.diagnostic, style) + (f" ({shown.places})" if shown.elsewhere else "")


def line(diagnostic: Diagnostic, style: Style = PLAIN) -> str:
    """Return one diagnostic as `path:line:column: severity[rule]: message`, `[*]` before a fixable one's."""
    where = finding_lines.located(diagnostic, printable(diagnostic.path), style)
    rule = finding_lines.severity_and_rule(diagnostic, style)
    return f"{where}: {rule}: {finding_lines.message(diagnostic, style)}"
