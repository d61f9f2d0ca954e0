"""Findings as diagnostics of the protocol."""

from __future__ import annotations

from lsprotocol import types as lsp

from skilltool.findings.diagnostic import Diagnostic
from skilltool.findings.finding import Severity
from skilltool.lint import given_up
from skilltool.server.analysis import Analysis
from skilltool.text.printable import printable

SOURCE = "skilltool"
_SEVERITIES = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.INFO: lsp.DiagnosticSeverity.Information,
}


def lsp_diagnostics(analysis: Analysis) -> list[lsp.Diagnostic]:
    """Convert the findings of a document, in the order of the text; one mistake is told once.

    A note that a rule has for some clients is left out where the rule has a worse finding in the same line.
    """
    worse = {
        (found.rule, found.location.start.line)
        for found in analysis.diagnostics
        if found.severity > Severity.INFO
    }
    return [
        lsp_diagnostic(analysis, found)
        for found in analysis.diagnostics
        if found.severity > Severity.INFO or (found.rule, found.location.start.line) not in worse
    ]


def published(analysis: Analysis) -> tuple[list[lsp.Diagnostic], tuple[str, ...]]:
    """Return what is published for a document, and sentences for the log about what could not be read."""
    return lsp_diagnostics(analysis), analysis.report.problems


def given_up_diagnostic(reason: str) -> lsp.Diagnostic:
    """Return the only finding for a document that was given up, at its beginning."""
    start = lsp.Position(0, 0)
    return lsp.Diagnostic(
        range=lsp.Range(start, start),
        message=printable(given_up.message(reason)),
        severity=lsp.DiagnosticSeverity.Error,
        code=given_up.rule_of(reason),
        source=SOURCE,
        data={"runtimes": [], "fix": None},
    )


def _manual_of(rule: str, scheme: str) -> lsp.CodeDescription | None:
    return lsp.CodeDescription(f"{scheme}:/rules/{rule}.md") if scheme else None


def lsp_diagnostic(analysis: Analysis, diagnostic: Diagnostic) -> lsp.Diagnostic:
    """Convert one finding; its help is the message's second line, since the protocol has no field for it.

    `codeDescription` leads to the rule's manual if the editor shows manuals. `data` holds the ids of the
    runtimes concerned, and `fix`: `safe`, `unsafe` or None.
    """
    fix = diagnostic.fix
    data = {
        "runtimes": list(diagnostic.runtimes),
        "fix": None if fix is None else "safe" if fix.safe else "unsafe",
    }
    lines = [diagnostic.statement, *([diagnostic.help] if diagnostic.help else [])]
    return lsp.Diagnostic(
        range=analysis.positions.range(analysis.positions.span(diagnostic.location)),
        message="\n".join(map(printable, lines)),
        severity=_SEVERITIES[diagnostic.severity],
        code=diagnostic.rule,
        code_description=_manual_of(diagnostic.rule, analysis.editor.manuals),
        source=SOURCE,
        data=data,
    )
