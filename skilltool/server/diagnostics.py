"""Findings as the protocol has them."""

from __future__ import annotations

from lsprotocol import types as lsp

from skilltool.findings.diagnostic import Diagnostic
from skilltool.findings.finding import Severity
from skilltool.report.printable import printable
from skilltool.server.document import Analysis

SOURCE = "skilltool"
_SEVERITIES = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.INFO: lsp.DiagnosticSeverity.Information,
}


def published(analysis: Analysis) -> list[lsp.Diagnostic]:
    """Return all findings of a document, in the order of the text."""
    return [shown(analysis, each) for each in analysis.diagnostics]


def shown(analysis: Analysis, diagnostic: Diagnostic) -> lsp.Diagnostic:
    """Return one finding; its help is the message's second line, since the protocol has no field for it.

    The rule's manual has no address, so there is none in `codeDescription`. `data` has the targets
    concerned, and whether a fix is `safe`, `unsafe` or None.
    """
    fix = diagnostic.fix
    data = {
        "runtimes": list(diagnostic.runtimes),
        "fix": None if fix is None else "safe" if fix.safe else "unsafe",
    }
    lines = [diagnostic.message, *([diagnostic.help] if diagnostic.help else [])]
    return lsp.Diagnostic(
        range=analysis.positions.range(analysis.positions.span(diagnostic.location)),
        message="\n".join(map(printable, lines)),
        severity=_SEVERITIES[diagnostic.severity],
        code=diagnostic.rule,
        source=SOURCE,
        data=data,
    )
