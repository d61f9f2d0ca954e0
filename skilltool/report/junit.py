"""JUnit XML, which every CI system reads: one suite per file, one test per finding.

An error or a warning is a failed test. A finding of severity info is a test that passed, with the finding as
its output, since CI systems count and alert by failures. What could not be checked is a test that ended in an
error; a run without findings is one test that passed. Source: the schema of the Jenkins xunit plugin
(junit-10.xsd).
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from xml.sax.saxutils import escape, quoteattr

from skilltool.findings.diagnostic import Diagnostic
from skilltool.findings.finding import Severity
from skilltool.lint.result import Report
from skilltool.text.printable import printable


def render(report: Report) -> str:
    """Return the report as XML, with visible escapes for characters that XML cannot hold."""
    suites = [
        _suite(path, list(diagnostics))
        for path, diagnostics in groupby(report.diagnostics, key=lambda d: d.path)
    ]
    failures, errors = _failures(report.diagnostics), len(report.problems)
    if errors or not suites:
        suites.append(_own_suite(report))
    counts = f'tests="{max(len(report.diagnostics) + errors, 1)}" failures="{failures}" errors="{errors}"'
    head = f'<testsuites name="skilltool" {counts}>\n'
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{head}{"".join(suites)}</testsuites>\n'


def _suite(path: str, diagnostics: list[Diagnostic]) -> str:
    cases = "".join(map(_case, diagnostics))
    counts = f'tests="{len(diagnostics)}" failures="{_failures(diagnostics)}" errors="0"'
    return f"  <testsuite name={_attribute(path)} {counts}>\n{cases}  </testsuite>\n"


def _own_suite(report: Report) -> str:
    """Return the suite of the run itself: one test per problem, or one that passed."""
    passed = f'    <testcase classname="skilltool" name="{report.skills} skills"/>\n'
    failed = "".join(
        f'    <testcase classname="skilltool" name="problem {number}">\n'
        f'      <error type="problem" message={_attribute(problem)}/>\n    </testcase>\n'
        for number, problem in enumerate(report.problems, 1)
    )
    counts = f'tests="{max(len(report.problems), 1)}" failures="0" errors="{len(report.problems)}"'
    return f'  <testsuite name="skilltool" {counts}>\n{failed or passed}  </testsuite>\n'


def _case(diagnostic: Diagnostic) -> str:
    start = diagnostic.location.start
    where = f"{diagnostic.rule} at {start.line}:{start.column}"
    text = diagnostic.statement + (f"; {diagnostic.help}" if diagnostic.help else "")
    case = f"classname={_attribute(diagnostic.path)} name={_attribute(where)}"
    if diagnostic.severity is Severity.INFO:
        result = f"<system-out>{_content(f'info: {text}')}</system-out>"
    else:
        result = f'<failure type="{diagnostic.severity}" message={_attribute(text)}/>'
    return f"    <testcase {case}>\n      {result}\n    </testcase>\n"


def _failures(diagnostics: Iterable[Diagnostic]) -> int:
    return sum(diagnostic.severity is not Severity.INFO for diagnostic in diagnostics)


def _attribute(text: str) -> str:
    return quoteattr(_visible(text))


def _content(text: str) -> str:
    return escape(_visible(text))


def _visible(text: str) -> str:
    return "".join(c if c not in "\ufffe\uffff" else f"\\u{ord(c):04x}" for c in printable(text))
