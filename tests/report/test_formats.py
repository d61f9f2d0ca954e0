"""Reports for machines, as the programs that read them want them."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

from skilltool.findings.finding import Severity
from skilltool.report import Report, render
from tests.conftest import MakeSkill, Skilltool
from tests.report.test_reports import diagnostic, report

BAD = "---\nname: Bad_Name\ndescription: Fills in forms. Use when asked.\n---\n\n[x](gone.md)\n"


def test_rdjson_counts_columns_in_bytes() -> None:
    found = diagnostic("name: \u00e9\U0001f389x y\n", 8, 9)
    (entry,) = json.loads(render(report(found), "rdjson"))["diagnostics"]
    assert entry["location"]["range"] == {
        "start": {"line": 1, "column": len("name: \u00e9\U0001f389".encode()) + 1},
        "end": {"line": 1, "column": len("name: \u00e9\U0001f389x".encode()) + 1},
    }


def test_json_is_indented_by_two_spaces() -> None:
    assert render(Report([], 3, ("portable",)), "json").startswith('{\n  "schema_version": 1,\n')


def test_junit_of_a_clean_run_is_one_test_that_passed() -> None:
    root = ET.fromstring(render(Report([], 3, ("portable",)), "junit"))
    assert (root.get("tests"), root.get("failures")) == ("1", "0")
    assert len(list(root.iter("testcase"))) == 1


def test_junit_fails_for_errors_and_warnings_only() -> None:
    made = report(*(diagnostic("x", severity=severity) for severity in Severity))
    root = ET.fromstring(render(made, "junit"))
    (suite,) = root.findall("testsuite")
    for counts in (root, suite):
        assert (counts.get("tests"), counts.get("failures"), counts.get("errors")) == ("3", "2", "0")
    assert {failure.get("type") for failure in root.iter("failure")} == {"error", "warning"}
    (output,) = root.iter("system-out")
    assert str(output.text).startswith("info: ")
    assert not list(root.iter("skipped"))


def test_gitlab_has_the_keys_and_severities_of_its_documentation() -> None:
    made = report(*(diagnostic("x", severity=severity) for severity in Severity))
    entries = json.loads(render(made, "gitlab"))
    assert all(
        set(each) == {"description", "check_name", "fingerprint", "severity", "location"} for each in entries
    )
    assert {each["severity"] for each in entries} == {"info", "minor", "major"}


def test_gitlab_tells_findings_apart_and_knows_them_when_they_move(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    def fingerprints() -> list[str]:
        entries = json.loads(skilltool("lint", "--output-format", "gitlab").stdout)
        return [each["fingerprint"] for each in entries if each["check_name"] == "broken-link"]

    text = "---\nname: a\ndescription: Fills in forms. Use when asked.\n---\n\n[x](gone.md)\n\n[x](gone.md)\n"
    make_skill(repo / "a", text)
    make_skill(repo / "b", text.replace("name: a", "name: b"))
    before = fingerprints()
    assert len(set(before)) == len(before) == 4
    make_skill(repo / "a", text.replace("\n[x]", "\nMore.\n\n[x]", 1))
    assert fingerprints() == before
