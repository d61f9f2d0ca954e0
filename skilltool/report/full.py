"""The default: each finding with its line, carets under it and what to do; then the matrix and a summary."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from skilltool.files.paths import display_path
from skilltool.findings.diagnostic import Diagnostic, directory_of
from skilltool.lint.result import Report
from skilltool.lint.targets import Audience
from skilltool.report import finding_lines
from skilltool.report.finding_lines import closing, snippet
from skilltool.report.shown import Shown, select
from skilltool.report.style import BLUE, BOLD, OF_SEVERITY, PLAIN, Style
from skilltool.text.printable import display_width, printable


def render(report: Report, style: Style = PLAIN) -> str:
    """Return the report as text, its snippets cut to the width of `style`."""
    audiences = {directory_of(path, ""): audience for path, audience in report.audiences.items()}
    selection = select(report, style, lambda shown: list(_block(shown, report, audiences, style)))
    paragraphs = ["\n".join(lines) for _, lines in selection.findings]
    if report.matrix:
        from skilltool.report.matrix import legend, table

        paragraphs.append(table(report, style))
        words = "" if style.quiet else legend(report, style)
        paragraphs += [words] if words else []
    paragraphs += closing(report, selection, style)
    return "\n\n".join(paragraphs) + "\n" if paragraphs else ""


def _block(shown: Shown, report: Report, audiences: Mapping[str, Audience], style: Style) -> Iterator[str]:
    """Yield the lines of one finding; `audiences` are by the directories of the skills."""
    diagnostic = shown.diagnostic
    location = diagnostic.location
    number = str(location.start.line)
    margin = " " * len(number)
    bar = style.paint("|", BLUE)
    colon = style.paint(":", BOLD)
    message = finding_lines.message(diagnostic, style, bold=True)
    yield f"{finding_lines.severity_and_rule(diagnostic, style)}{colon} {message}"
    where = finding_lines.located(diagnostic, printable(diagnostic.path), style)
    yield f"{margin}{style.paint('-->', BLUE)} {where}"
    beside = ""
    if location.excerpt.text.strip():
        room = style.snippet_width - len(f"{number} | ")
        cut = snippet(location.excerpt, room)
        color = OF_SEVERITY[diagnostic.severity]
        beside = _beside(diagnostic, room - cut.indent - cut.carets - 1, style)
        label = f" {style.paint(beside, color)}" if beside else ""
        yield f"{margin} {bar}"
        yield f"{style.paint(number, BLUE)} {bar} {cut.line}"
        yield f"{margin} {bar} {' ' * cut.indent}{style.paint('^' * cut.carets, color)}{label}"
    equals = style.paint("=", BLUE)
    for names, note in diagnostic.notes:
        first, *others = note.split("\n")
        yield f"{margin} {equals} {', '.join(names)}: {printable(first)}"
        yield from (f"{margin}     {printable(line)}" for line in others)
    if shown.elsewhere:
        yield f"{margin} {equals} {shown.places}"
    for told in diagnostic.also:
        yield f"{margin} {equals} {told.rule}: {printable(told.message)}"
    if diagnostic.help and not beside:
        yield f"{margin} {equals} help: {printable(diagnostic.help)}"
    yield from (f"{margin} {equals} {line}" for line in _audience(diagnostic, report, audiences))


def _beside(diagnostic: Diagnostic, room: int, style: Style) -> str:
    """Return the remedy if it stands beside the carets: on a terminal, where it fits."""
    text = printable(diagnostic.help or "")
    return text if style.width is not None and display_width(text) <= room else ""


def _audience(diagnostic: Diagnostic, report: Report, audiences: Mapping[str, Audience]) -> Iterator[str]:
    """Yield for which runtimes a finding holds, where there are several, and the links to the skill."""
    audience = audiences.get(diagnostic.directory)
    if diagnostic.runtimes and len(report.runtimes if audience is None else audience.runtimes) > 1:
        yield f"for: {', '.join(diagnostic.runtimes)}"
    if audience is not None and audience.links:
        yield f"linked from: {', '.join(printable(display_path(link)) for link in audience.links)}"
