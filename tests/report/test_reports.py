"""Every format over the same diagnostics; nothing of a skill breaks out of one."""

from __future__ import annotations

import json

import pytest
from jsonschema import Draft202012Validator

from skilltool.findings.diagnostic import Diagnostic, locate
from skilltool.findings.finding import Severity
from skilltool.report import FORMATS, Report, render
from skilltool.skill import schema
from skilltool.text.source import Source, Span


def diagnostic(text: str, start: int = 0, end: int = 1, **changes: object) -> Diagnostic:
    values: dict[str, object] = {
        "path": "skills/pdf/SKILL.md",
        "location": locate(Source(text), Span(start, end)),
        "rule": "invalid-name",
        "severity": Severity.ERROR,
        "message": "the name `x` is wrong",
        "help": "rename it",
        "skill": "pdf",
        "runtimes": ("portable",),
    }
    return Diagnostic(**{**values, **changes})  # type: ignore[arg-type]


def report(*diagnostics: Diagnostic, runtimes: tuple[str, ...] = ("portable",)) -> Report:
    return Report(diagnostics, max(len(diagnostics), 1), runtimes)


@pytest.mark.parametrize(
    ("text", "start", "end"), [("", 0, 0), ("a\n", 2, 2), ("a\nb\nc", 0, 5), ("\ufeff---", 0, 1)]
)
def test_odd_locations_are_reported_in_every_format(text: str, start: int, end: int) -> None:
    for name in FORMATS:
        assert "invalid-name" in render(report(diagnostic(text, start, end)), name)


def test_programs_get_the_end_of_a_location_over_several_lines() -> None:
    (entry,) = json.loads(render(report(diagnostic("ab\ncd\nef", 1, 7)), "json"))["diagnostics"]
    assert [entry[key] for key in ("line", "column", "end_line", "end_column")] == [1, 2, 3, 2]


def test_json_is_valid_against_its_schema_and_counts() -> None:
    found = report(diagnostic("x"), diagnostic("y", severity=Severity.INFO, help=None))
    data = json.loads(render(found, "json"))
    Draft202012Validator(schema.load("report")).validate(data)
    assert data["summary"] == {
        "skills": 2,
        "errors": 1,
        "warnings": 0,
        "infos": 1,
        "suppressed": 0,
        "skills_ignored": 0,
    }
