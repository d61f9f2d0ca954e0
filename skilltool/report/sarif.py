"""SARIF 2.1.0, which GitHub code scanning and editors read.

Source: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html. GitHub takes 25,000 results in a run
("SARIF support for code scanning" in its documentation); what is beyond is left out, and that is said.
"""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

from skilltool import __version__
from skilltool.diagnostic import Diagnostic, Fix, Severity
from skilltool.report.base import Report
from skilltool.rules import manual

_LEVEL = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
MOST_RESULTS = 25_000


def render(report: Report, color: bool = False) -> str:
    """Return the report as one run; columns and offsets count code points, as the run declares."""
    rules = sorted({diagnostic.rule for diagnostic in report.diagnostics})
    index = {rule: number for number, rule in enumerate(rules)}
    shown = report.diagnostics[:MOST_RESULTS]
    invocation: dict[str, Any] = {"executionSuccessful": True}
    if left := len(report.diagnostics) - len(shown):
        text = f"{left:,} further findings are left out: GitHub takes {MOST_RESULTS:,} results in a run"
        invocation["toolExecutionNotifications"] = [{"level": "warning", "message": {"text": text}}]
    run = {
        "tool": {"driver": {"name": "skilltool", "version": __version__, "rules": [_rule(r) for r in rules]}},
        "columnKind": "unicodeCodePoints",
        "invocations": [invocation],
        "results": [_result(diagnostic, index[diagnostic.rule]) for diagnostic in shown],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(name: str) -> dict[str, Any]:
    page = manual.page(name)
    return {
        "id": name,
        "name": "".join(part.capitalize() for part in name.split("-")),
        "shortDescription": {"text": page.summary},
        "fullDescription": {"text": page.summary},
        "help": {"text": page.body, "markdown": page.body},
        "defaultConfiguration": {"level": "note" if page.severity == "info" else page.severity},
        "properties": {"tags": ["skill", page.group], "precision": "medium" if not page.default else "high"},
    }


def _result(diagnostic: Diagnostic, index: int) -> dict[str, Any]:
    advice = f"\n{diagnostic.help}" if diagnostic.help else ""
    place = {"artifactLocation": _file(diagnostic.path), "region": _region(diagnostic)}
    found: dict[str, Any] = {
        "ruleId": diagnostic.rule,
        "ruleIndex": index,
        "level": _LEVEL[diagnostic.severity],
        "message": {"text": f"{diagnostic.message}{advice}"},
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {"skilltool/v1": diagnostic.fingerprint},
        "properties": {"runtimes": list(diagnostic.runtimes)},
    }
    if diagnostic.fix is not None and diagnostic.fix.edits:
        found["fixes"] = [_fix(diagnostic, diagnostic.fix)]
    return found


def _region(diagnostic: Diagnostic) -> dict[str, int]:
    start, end = diagnostic.place.start, diagnostic.place.end
    region = {"startLine": start.line, "startColumn": start.column, "endLine": end.line}
    return {**region, "endColumn": max(end.column, 1)}


def _file(path: str) -> dict[str, str]:
    shown = quote(path.encode("utf-8", "surrogatepass"))
    return {"uri": f"file://{shown}"} if path.startswith("/") else {"uri": shown, "uriBaseId": "%SRCROOT%"}


def _fix(diagnostic: Diagnostic, fix: Fix) -> dict[str, Any]:
    replacements = [
        {
            "deletedRegion": {"charOffset": edit.start, "charLength": edit.end - edit.start},
            "insertedContent": {"text": edit.text},
        }
        for edit in fix.edits
    ]
    text = diagnostic.help or diagnostic.message
    change = {"artifactLocation": _file(diagnostic.path), "replacements": replacements}
    return {"description": {"text": text}, "artifactChanges": [change]}
