"""The format for other programs; `schemas/report.schema.json` describes it."""

from __future__ import annotations

from skilltool import __version__
from skilltool.findings.diagnostic import Diagnostic
from skilltool.findings.finding import Fix, Severity
from skilltool.lint.result import Report
from skilltool.report.as_json import dumps
from skilltool.report.audience_entries import audience_entries

SCHEMA_VERSION = 1


def render(report: Report) -> str:
    """Return the report as JSON in ASCII, so that no character of a skill reaches a terminal unescaped."""
    data: dict[str, object] = {
        "schema_version": SCHEMA_VERSION,
        "tool": {"name": "skilltool", "version": __version__},
        "summary": {
            "skills": report.skills,
            "errors": report.number(Severity.ERROR),
            "warnings": report.number(Severity.WARNING),
            "infos": report.number(Severity.INFO),
            "suppressed": len(report.suppressed),
            "skills_ignored": report.skills_ignored,
        },
        "diagnostics": [entry(diagnostic) for diagnostic in report.diagnostics],
    }
    if report.audiences:
        data["audiences"] = audience_entries(report)
    if report.matrix:
        data["matrix"] = [
            {**row._asdict(), "cells": {target: cell._asdict() for target, cell in row.cells.items()}}
            for row in report.matrix
        ]
    return dumps(data)


def entry(diagnostic: Diagnostic) -> dict[str, object]:
    """Return an entry of `diagnostics`, as a dictionary of JSON values."""
    location = diagnostic.location
    found: dict[str, object] = {
        "rule": diagnostic.rule,
        "severity": str(diagnostic.severity),
        "message": diagnostic.message,
        "help": diagnostic.help,
        "path": diagnostic.path,
        "skill": diagnostic.skill,
        "line": location.start.line,
        "column": location.start.column,
        "end_line": location.end.line,
        "end_column": location.end.column,
        "runtimes": list(diagnostic.runtimes),
        "fingerprint": diagnostic.fingerprint,
    }
    if diagnostic.notes:
        found["notes"] = [{"runtimes": list(names), "text": text} for names, text in diagnostic.notes]
    if diagnostic.also:
        found["also"] = [{"rule": told.rule, "message": told.message} for told in diagnostic.also]
    if diagnostic.fix is not None:
        found["fix"] = _fix(diagnostic.fix)
    return found


def _fix(fix: Fix) -> dict[str, object]:
    edits = [{"start": edit.start, "end": edit.end, "text": edit.text} for edit in fix.edits]
    found: dict[str, object] = {"safe": fix.safe, "edits": edits}
    if fix.rename is not None:
        found["rename"] = list(fix.rename)
    return found
