"""The default: each finding with its line, carets below it and what to do; then the matrix and a summary."""

from __future__ import annotations

from collections.abc import Iterator

from skilltool.findings.diagnostic import Diagnostic
from skilltool.lint.result import Report
from skilltool.report import headline
from skilltool.report.closing import closing
from skilltool.report.snippet import snippet
from skilltool.report.style import BLUE, BOLD, OF_SEVERITY, PLAIN, Style
from skilltool.text.printable import printable


def render(report: Report, style: Style = PLAIN) -> str:
    """Return the report as text, its snippets cut to the width of `style`."""
    several = len(report.runtimes) > 1
    paragraphs = [
        "\n".join(_block(each, several and _is_for_several(each, report), style))
        for each in report.diagnostics
    ]
    if report.matrix:
        from skilltool.report.matrix import legend, table

        paragraphs.append(table(report, style))
        words = "" if style.quiet else legend(report, style)
        paragraphs += [words] if words else []
    paragraphs += closing(report, style)
    return "\n\n".join(paragraphs) + "\n" if paragraphs else ""


def _is_for_several(diagnostic: Diagnostic, report: Report) -> bool:
    audience = report.audiences.get(diagnostic.path)
    return audience is None or len(audience.runtimes) > 1


def _block(diagnostic: Diagnostic, several: bool, style: Style) -> Iterator[str]:
    """Yield the lines of one finding; `several` adds for which runtimes it holds."""
    location = diagnostic.location
    number = str(location.start.line)
    margin = " " * len(number)
    bar = style.paint("|", BLUE)
    colon = style.paint(":", BOLD)
    message = headline.message(diagnostic, style, bold=True)
    yield f"{headline.severity_and_rule(diagnostic, style)}{colon} {message}"
    where = headline.located(diagnostic, printable(diagnostic.path), style)
    yield f"{margin}{style.paint('-->', BLUE)} {where}"
    if location.excerpt.text.strip():
        shown = snippet(location.excerpt, style.snippet_width - len(f"{number} | "))
        carets = style.paint("^" * shown.carets, OF_SEVERITY[diagnostic.severity])
        yield f"{margin} {bar}"
        yield f"{style.paint(number, BLUE)} {bar} {shown.line}"
        yield f"{margin} {bar} {' ' * shown.indent}{carets}"
    equals = style.paint("=", BLUE)
    for names, note in diagnostic.notes:
        first, *others = note.split("\n")
        yield f"{margin} {equals} {', '.join(names)}: {printable(first)}"
        yield from (f"{margin}     {printable(line)}" for line in others)
    if diagnostic.help:
        yield f"{margin} {style.paint('=', BLUE)} help: {printable(diagnostic.help)}"
    if several:
        yield f"{margin} {style.paint('=', BLUE)} for: {', '.join(diagnostic.runtimes)}"
