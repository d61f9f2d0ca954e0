"""One heading per file and its findings below, a line each, for reading file by file."""

from __future__ import annotations

from collections.abc import Iterator

from skilltool.lint.result import Report
from skilltool.report import finding_lines
from skilltool.report.finding_lines import closing
from skilltool.report.shown import Shown, select
from skilltool.report.style import CYAN, PLAIN, UNDERLINED, Style
from skilltool.text.printable import printable


def render(report: Report, style: Style = PLAIN) -> str:
    """Return the report as text; `line:column` is aligned at the colon within a file."""
    selection = select(report, style, lambda shown: [_message(shown, style)])
    files: dict[str, list[tuple[Shown, str]]] = {}
    for shown, (message,) in selection.findings:
        files.setdefault(shown.diagnostic.path, []).append((shown, message))
    groups = ["\n".join(_file(path, entries, style)) for path, entries in files.items()]
    paragraphs = [*groups, *closing(report, selection, style)]
    return "\n\n".join(paragraphs) + "\n" if paragraphs else ""


def _message(shown: Shown, style: Style) -> str:
    rule = finding_lines.severity_and_rule(shown.diagnostic, style)
    places = f" ({shown.places})" if shown.elsewhere else ""
    return f"{rule}: {finding_lines.message(shown.diagnostic, style)}{places}"


def _file(path: str, entries: list[tuple[Shown, str]], style: Style) -> Iterator[str]:
    yield f"{style.link(path, style.paint(printable(path), UNDERLINED))}:"
    starts = [shown.diagnostic.location.start for shown, _ in entries]
    line_width = max(len(str(start.line)) for start in starts)
    column_width = max(len(str(start.column)) for start in starts)
    colon = style.paint(":", CYAN)
    for (_, message), start in zip(entries, starts, strict=True):
        where = f"{start.line:>{line_width}}{colon}{start.column:<{column_width}}"
        yield f"  {where}  {message}"
