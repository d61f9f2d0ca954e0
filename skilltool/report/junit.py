"""JUnit's XML, which every CI system shows: one suite per file, one failed test per finding.

Source: the schema of the Jenkins xunit plugin (junit-10.xsd). A run without a finding is a test that passed.
"""

from __future__ import annotations

from itertools import groupby
from xml.sax.saxutils import quoteattr

from skilltool.diagnostic import Diagnostic
from skilltool.report.base import Report
from skilltool.report.printable import printable


def render(report: Report, color: bool = False) -> str:
    """Return the report as XML; what XML cannot hold stands in it as a visible escape."""
    suites = [_suite(path, list(found)) for path, found in groupby(report.diagnostics, key=lambda d: d.path)]
    if not suites:
        suites = [
            '  <testsuite name="skilltool" tests="1" failures="0" errors="0">\n'
            f'    <testcase classname="skilltool" name="{report.skills} skills"/>\n  </testsuite>\n'
        ]
    failures = len(report.diagnostics)
    head = f'<testsuites name="skilltool" tests="{max(failures, 1)}" failures="{failures}" errors="0">\n'
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{head}{"".join(suites)}</testsuites>\n'


def _suite(path: str, found: list[Diagnostic]) -> str:
    cases = "".join(map(_case, found))
    counts = f'tests="{len(found)}" failures="{len(found)}" errors="0"'
    return f"  <testsuite name={_attribute(path)} {counts}>\n{cases}  </testsuite>\n"


def _case(diagnostic: Diagnostic) -> str:
    start = diagnostic.place.start
    where = f"{diagnostic.rule} at {start.line}:{start.column}"
    text = diagnostic.message + (f"; {diagnostic.help}" if diagnostic.help else "")
    return (
        f"    <testcase classname={_attribute(diagnostic.path)} name={_attribute(where)}>\n"
        f'      <failure type="{diagnostic.severity}" message={_attribute(text)}/>\n    </testcase>\n'
    )


def _attribute(text: str) -> str:
    visible = "".join(c if c not in "\ufffe\uffff" else f"\\u{ord(c):04x}" for c in printable(text))
    return quoteattr(visible)
