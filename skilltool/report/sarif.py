"""SARIF 2.1.0, which GitHub code scanning and editors read.

Source: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html. GitHub refuses a run of more than
25,000 results or a rule of more than 20 tags, and shows the 5,000 worst ("SARIF results exceed one or more
limits" in its documentation as of 2026-11-21). The mildest results beyond that are left out, with a note.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from skilltool import __version__
from skilltool.findings.diagnostic import Diagnostic, Location, Suppressed
from skilltool.findings.finding import Edit, Fix, Severity
from skilltool.lint.result import Report
from skilltool.report import style
from skilltool.report.as_json import dumps
from skilltool.report.audience_entries import audience_entries
from skilltool.rules import manual
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.printable import printable

_LEVEL = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
# GitHub's scale for findings that are not security findings.
_PROBLEM = {"error": "error", "warning": "warning", "info": "recommendation"}
_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_BASE = "%SRCROOT%"
_LINK_CHARACTER = lazy_pattern(r"[\\\[\]]")
MOST_RESULTS = 25_000
_Result = tuple[Diagnostic, Suppressed | None]


def render(report: Report) -> str:
    """Return the report as one run, which declares that columns and offsets count code points."""
    results = _results(report)
    rules = sorted({diagnostic.rule for diagnostic, _ in results})
    index = {rule: number for number, rule in enumerate(rules)}
    notifications = [("error", problem) for problem in report.problems]
    notifications += [("warning", note) for note in notes(report)]
    invocation: dict[str, Any] = {"executionSuccessful": not report.problems}
    if notifications:
        invocation["toolExecutionNotifications"] = [
            {"level": level, "message": _message(text)} for level, text in notifications
        ]
    run: dict[str, Any] = {
        "tool": {"driver": {"name": "skilltool", "version": __version__, "rules": [_rule(r) for r in rules]}},
        "columnKind": "unicodeCodePoints",
        "newlineSequences": ["\r\n", "\n", "\r"],
        # No `uri`: the reader has the files elsewhere, and a report is the same on every machine.
        "originalUriBaseIds": {_BASE: {"description": {"text": "The directory in which skilltool was run."}}},
        "invocations": [invocation],
        "results": [_result(diagnostic, index, hidden) for diagnostic, hidden in results],
    }
    if report.audiences:
        run["properties"] = {"audiences": audience_entries(report)}
    return dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]})


def notes(report: Report) -> Sequence[str]:
    """Return a sentence that counts the findings left out, if there are any."""
    omitted = len(report.diagnostics) + len(report.suppressed) - MOST_RESULTS
    if omitted <= 0:
        return ()
    return (
        f"SARIF: omitted the {omitted:,} least severe findings; "
        f"GitHub accepts at most {MOST_RESULTS:,} results per run",
    )


def _results(report: Report) -> list[_Result]:
    """Return the findings, then the suppressed ones; the worst `MOST_RESULTS` if there are more."""
    found: list[_Result] = [(diagnostic, None) for diagnostic in report.diagnostics]
    hidden = sorted(report.suppressed, key=lambda suppressed: suppressed.diagnostic.order)
    found += [(each.diagnostic, each) for each in hidden]
    if len(found) > MOST_RESULTS:
        found.sort(key=lambda result: (result[1] is not None, -result[0].severity))
    return found[:MOST_RESULTS]


def _rule(name: str) -> dict[str, Any]:
    page = manual.page(name)
    return {
        "id": name,
        "name": "".join(part.capitalize() for part in name.split("-")),
        "shortDescription": {"text": page.summary},
        "fullDescription": {"text": page.summary},
        "help": {"text": page.body, "markdown": page.body},
        "defaultConfiguration": {"level": "note" if page.severity == "info" else page.severity},
        "properties": {
            "tags": ["skill", page.group],
            "precision": "high" if page.default else "medium",
            "problem.severity": _PROBLEM[page.severity],
        },
    }


def _result(diagnostic: Diagnostic, index: dict[str, int], hidden: Suppressed | None) -> dict[str, Any]:
    found: dict[str, Any] = {
        "ruleId": diagnostic.rule,
        "ruleIndex": index[diagnostic.rule],
        "level": _LEVEL[diagnostic.severity],
        "message": _message(diagnostic.statement, diagnostic.help),
        "locations": [_location(diagnostic.path, diagnostic.location)],
        "partialFingerprints": {"skilltool/v2": diagnostic.fingerprint},
        "properties": {"runtimes": list(diagnostic.runtimes)},
    }
    # SARIF cannot express a rename, and half a fix must not be applied.
    if diagnostic.fix is not None and diagnostic.fix.rename is None:
        found["fixes"] = list(_fixes(diagnostic, diagnostic.fix))
    if hidden is not None:
        found["suppressions"] = [_suppression(hidden)]
    return found


def _message(text: str, advice: str | None = None) -> dict[str, str]:
    """Return a plain text message in which no text of a skill is read as a placeholder or a link.

    Sections 3.11.5 and 3.11.6 of the standard; the latter has escapes only inside links. SARIF 2.2 escapes
    brackets that could be read as a link in the same way, and no others.
    """
    whole = printable(text) + (f"\n{printable(advice)}" if advice else "")
    if "](" in whole:
        whole = _LINK_CHARACTER.sub(r"\\\g<0>", whole)
    return {"text": whole.replace("{", "{{").replace("}", "}}")}


def _location(path: str, location: Location) -> dict[str, Any]:
    return {"physicalLocation": {"artifactLocation": _file(path), "region": _region(location)}}


def _region(location: Location) -> dict[str, int]:
    start, end = location.start, location.end
    return {
        "startLine": start.line,
        "startColumn": start.column,
        "endLine": end.line,
        "endColumn": end.column,
    }


def _file(path: str) -> dict[str, str]:
    if Path(path).is_absolute():
        return {"uri": style.absolute(path)}
    return {"uri": style.relative(path), "uriBaseId": _BASE}


def _suppression(hidden: Suppressed) -> dict[str, Any]:
    found: dict[str, Any] = {
        "kind": "inSource" if hidden.by == "comment" else "external",
        "status": "accepted",
        "justification": printable(hidden.reason),
    }
    if hidden.comment is not None:
        found["location"] = _location(hidden.diagnostic.path, hidden.comment)
    return found


def _fixes(diagnostic: Diagnostic, fix: Fix) -> Iterator[dict[str, Any]]:
    replacements = [part for edit in fix.edits for part in _replacements(edit, diagnostic.bom)]
    if replacements:
        change = {"artifactLocation": _file(diagnostic.path), "replacements": replacements}
        yield {
            "description": _message(diagnostic.help or diagnostic.message),
            "artifactChanges": [change],
            "properties": {"safe": fix.safe},
        }


def _replacements(edit: Edit, bom: bool) -> Iterator[dict[str, Any]]:
    """Yield an edit; character offsets skip a byte order mark (section 3.30.2), so it is deleted as bytes."""
    start, end, text = edit.start - bom, edit.end - bom, edit.text
    if start < 0:
        start, end = 0, max(end, 0)
        if edit.end > 0 and not text.startswith("\ufeff"):
            yield {"deletedRegion": {"byteOffset": 0, "byteLength": 3}}
        text = text.removeprefix("\ufeff")
    if end > start or text:
        region = {"charOffset": start, "charLength": end - start}
        yield {"deletedRegion": region, "insertedContent": {"text": text}}
