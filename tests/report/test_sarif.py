"""SARIF as its schema has it: rules, places, fixes that give the mended file, and what is suppressed."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from skilltool.findings.diagnostic import Suppressed
from skilltool.findings.finding import Edit, Fix, Severity, applied
from skilltool.report import Report, notes, render
from skilltool.report.sarif import MOST_RESULTS
from skilltool.rules import NAMES
from tests.conftest import MakeSkill, Skilltool, examples
from tests.report.test_reports import diagnostic

SCHEMA = Draft202012Validator(
    json.loads((Path(__file__).parents[1] / "schemas" / "sarif-2.1.0.json").read_text("utf-8"))
)
HEAD = "name: {}\ndescription: Fills in forms. Use when asked.\n"
COLON = "---\nname: a\ndescription: Fills in forms: all. Use when asked.\n---\n\nText.\n"
ANY_TEXT = st.text(
    alphabet=st.one_of(
        st.characters(),
        st.sampled_from("\x00\x07\x1b\x7f\x9b\u202e\u2028\ufeff\U000e0041\ud800\r\n\t:%,]&<>\"'`#["),
    ),
    max_size=30,
)
FIELDS = dict.fromkeys(("path", "message", "advice", "skill", "line", "edit", "reason", "problem"), ANY_TEXT)


def log(report: Report) -> dict[str, Any]:
    """The one run of a report, which the schema accepts."""
    data = json.loads(render(report, "sarif"))
    SCHEMA.validate(data)
    (run,) = data["runs"]
    return dict(run)


def linted(skilltool: Skilltool, *options: str) -> dict[str, Any]:
    """The one run of the command's report, which the schema accepts."""
    data = json.loads(skilltool("lint", "--output-format", "sarif", *options).stdout)
    SCHEMA.validate(data)
    return dict(data["runs"][0])


def after(raw: bytes, result: dict[str, Any]) -> bytes:
    """A file after a result's fix, as a reader applies it: text does not count a byte order mark."""
    (change,) = result["fixes"][0]["artifactChanges"]
    bom = raw[:3] if raw.startswith(b"\xef\xbb\xbf") else b""
    text = raw[len(bom) :].decode()
    for step in sorted(change["replacements"], key=lambda each: -each["deletedRegion"].get("charOffset", -1)):
        region = step["deletedRegion"]
        if "byteOffset" in region:
            assert (region, "insertedContent" in step) == ({"byteOffset": 0, "byteLength": len(bom)}, False)
            bom = b""
        else:
            at = region["charOffset"]
            text = text[:at] + step["insertedContent"]["text"] + text[at + region["charLength"] :]
    return bom + text.encode("utf-8", "surrogatepass")


@settings(max_examples=examples(60))
@given(**FIELDS)
def test_the_schema_accepts_a_report_with_any_text_in_any_field(
    path: str, message: str, advice: str, skill: str, line: str, edit: str, reason: str, problem: str
) -> None:
    fix = Fix(True, (Edit(0, 1, edit),))
    found = diagnostic(line or "x", path=path, message=message, help=advice, skill=skill, fix=fix)
    hidden = [
        Suppressed(found, "comment", reason, found.location),
        Suppressed(found, "per-file-ignores", reason),
        Suppressed(found, "baseline", reason),
    ]
    run = log(Report([found], 1, ("portable",), suppressed=hidden, problems=(problem,)))
    assert len(run["results"]) == 4


def test_every_rule_is_described_as_github_takes_it() -> None:
    run = log(Report([diagnostic("x", rule=rule) for rule in NAMES], 1, ("portable",)))
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == sorted(NAMES)
    for rule in rules:
        assert {"shortDescription", "fullDescription", "defaultConfiguration", "properties"} <= set(rule)
        assert rule["help"]["text"]
        assert rule["help"]["markdown"]
        assert 0 < len(rule["properties"]["tags"]) <= 20
    assert [run["results"][n]["ruleIndex"] for n in range(len(NAMES))] == [
        sorted(NAMES).index(rule) for rule in NAMES
    ]


def test_a_result_has_its_place_a_fingerprint_and_a_fix(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    make_skill(repo / "a", COLON)
    run = linted(skilltool)
    assert run["columnKind"] == "unicodeCodePoints"
    assert set(run["originalUriBaseIds"]) == {"%SRCROOT%"}
    assert run["invocations"] == [{"executionSuccessful": True}]
    (result,) = run["results"]
    location = result["locations"][0]["physicalLocation"]
    assert location["artifactLocation"] == {"uri": "a/SKILL.md", "uriBaseId": "%SRCROOT%"}
    assert location["region"] == {"startLine": 3, "startColumn": 28, "endLine": 3, "endColumn": 29}
    mended = after((repo / "a" / "SKILL.md").read_bytes(), result).decode()
    assert 'description: "Fills in forms: all. Use when asked."' in mended


def test_a_fingerprint_stays_when_lines_move(skilltool: Skilltool, repo: Path, make_skill: MakeSkill) -> None:
    make_skill(repo / "a", f"---\n{HEAD.format('a')}---\n\n[x](gone.md)\n")
    (before,) = linted(skilltool)["results"]
    make_skill(repo / "a", f"---\n{HEAD.format('a')}---\n\nMore.\n\nMore.\n\n[x](gone.md)\n")
    (moved,) = linted(skilltool)["results"]
    assert before["locations"] != moved["locations"]
    assert before["partialFingerprints"] == moved["partialFingerprints"]
    assert re.fullmatch("[0-9a-f]{16}", before["partialFingerprints"]["skilltool/v2"])


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", [COLON, COLON.replace("\n", "\r\n"), COLON.replace("forms", "\U0001f389 forms")]
)
def test_the_fixes_of_a_file_with_a_byte_order_mark_give_what_fix_writes(
    skilltool: Skilltool, repo: Path, text: str
) -> None:
    file = repo / "a" / "SKILL.md"
    file.parent.mkdir()
    file.write_bytes(b"\xef\xbb\xbf" + text.encode())
    for rule in ("invalid-yaml", "byte-order-mark"):
        before = file.read_bytes()
        (result,) = linted(skilltool, "--select", rule)["results"]
        skilltool("lint", "--select", rule, "--fix")
        assert after(before, result) == file.read_bytes() != before
    assert not file.read_bytes().startswith(b"\xef")


@given(
    st.text("ab\U0001f389\n", min_size=6, max_size=9),
    st.lists(st.integers(1, 6), min_size=4, max_size=4, unique=True).map(sorted),
    st.sampled_from(["", "x"]),
    st.sampled_from(["no mark", "a mark that stays", "a mark that is kept", "a mark that goes"]),
)
def test_edits_mean_the_same_in_sarif_with_or_without_a_byte_order_mark(
    text: str, ends: list[int], put: str, mark: str
) -> None:
    a, b, c, d = ends
    bom = mark != "no mark"
    text = "\ufeff" * bom + text
    first = {"a mark that is kept": Edit(0, b, f"\ufeff{put}"), "a mark that goes": Edit(0, b, put)}
    edits = (first.get(mark, Edit(a, b, put)), Edit(c, d, "y"))
    found = diagnostic(text, fix=Fix(True, edits), bom=bom)
    (result,) = log(Report([found], 1, ("portable",)))["results"]
    assert after(text.encode(), result) == applied(text, edits).encode()


def test_a_fix_that_renames_is_not_told_by_half() -> None:
    found = diagnostic("x", fix=Fix(False, (Edit(0, 1, "y"),), ("../a", "../b")))
    assert "fixes" not in log(Report([found], 1, ("portable",)))["results"][0]
    nothing = diagnostic("x", fix=Fix(True, (Edit(0, 0, ""),)))
    assert log(Report([nothing], 1, ("portable",)))["results"][0]["fixes"] == []


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("see `[free](https://example.com)`", r"see `\[free\](https://example.com)`"),
        (r"`[it\](1)`", r"`\[it\\\](1)`"),
        (r"`allowed-tools: [Read, \[x]`", r"`allowed-tools: [Read, \[x]`"),  # no link, as it is
        ("`{0}` and `${{ x }}`", "`{{0}}` and `${{{{ x }}}}`"),
    ],
)
def test_nothing_of_a_skill_is_a_link_or_a_placeholder_in_a_message(text: str, written: str) -> None:
    found = diagnostic("x", message=text, help=text, fix=Fix(True, (Edit(0, 1, "y"),)))
    run = log(Report([found], 1, ("portable",), problems=(text,)))
    (result,), (note,) = run["results"], run["invocations"][0]["toolExecutionNotifications"]
    assert result["message"]["text"] == f"{written}\n{written}"
    assert result["fixes"][0]["description"]["text"] == note["message"]["text"] == written


@pytest.mark.slow
def test_what_is_suppressed_stands_there_with_its_reason_and_counts_for_nothing(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    link = "---\n\n[x](gone.md)\n"
    comment = "# skilltool: ignore[broken-link] written by the build\n"
    make_skill(repo / "known", f"---\n{HEAD.format('known')}{link}")
    assert skilltool("baseline").returncode == 0
    make_skill(repo / "inline", f"---\n{comment}{HEAD.format('inline')}{link}")
    make_skill(repo / "listed", f"---\n{HEAD.format('listed')}{link}")
    (repo / "skilltool.toml").write_text('[per-file-ignores]\n"listed" = ["broken-link"]\n', "utf-8")
    options = ("--baseline", "skilltool-baseline.json", "--fail-on", "info")
    assert skilltool("lint", *options).stdout == (
        "3 skills checked against `portable`, no findings (2 ignored, 1 in the baseline)\n"
    )
    assert skilltool("lint", *options, "--output-format", "jsonl").stdout == ""
    assert skilltool("lint", *options, "--output-format", "sarif").returncode == 0
    found = {
        result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]: result["suppressions"]
        for result in linted(skilltool, *options)["results"]
    }
    (inline,), (known,), (listed,) = (found[f"{name}/SKILL.md"] for name in ("inline", "known", "listed"))
    assert (inline["kind"], inline["justification"]) == ("inSource", "written by the build")
    assert inline["location"]["physicalLocation"]["region"]["startLine"] == 2
    assert (known["kind"], known["justification"]) == ("external", "in skilltool-baseline.json")
    assert (listed["kind"], listed["justification"]) == ("external", "per-file-ignores has `listed`")


def test_a_severity_of_the_configuration_holds_for_what_is_suppressed_too(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    make_skill(repo / "a", f"---\n{HEAD.format('a')}---\n\n[x](gone.md)\n")
    (repo / "skilltool.toml").write_text(
        '[per-file-ignores]\n"a" = ["broken-link"]\n[severity]\nbroken-link = "error"\n', "utf-8"
    )
    (result,) = linted(skilltool)["results"]
    assert (result["level"], len(result["suppressions"])) == ("error", 1)


@pytest.mark.slow
def test_too_many_results_are_cut_to_the_worst_and_that_is_said() -> None:
    found = diagnostic("x", severity=Severity.INFO)
    worse = diagnostic("x")
    hidden = [Suppressed(worse, "baseline", "in it")]
    many = Report([found] * MOST_RESULTS + [worse] * 2, 1, ("portable",), suppressed=hidden)
    run = log_of_many(many)
    levels = [result["level"] for result in run["results"]]
    assert (len(levels), levels.count("error")) == (MOST_RESULTS, 2)
    assert not any("suppressions" in result for result in run["results"])
    said = "SARIF: omitted the 3 least severe findings; GitHub accepts at most 25,000 results per run"
    assert notes(many, "sarif") == (said,)
    (note,) = run["invocations"][0]["toolExecutionNotifications"]
    assert (note["level"], note["message"]["text"]) == ("warning", said)
    assert notes(many, "full") == ()


def log_of_many(report: Report) -> dict[str, Any]:
    """The one run of a report that is too long to be validated in a test."""
    return dict(json.loads(render(report, "sarif"))["runs"][0])


def test_what_could_not_be_read_is_a_notification_and_the_run_no_success(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    make_skill(repo / "a")
    run = linted(skilltool, "a", "gone")
    assert run["results"] == []
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is False
    (note,) = invocation["toolExecutionNotifications"]
    assert (note["level"], note["message"]["text"]) == ("error", "gone: No such file or directory")


def test_a_path_outside_and_a_name_that_is_no_utf8_are_uris(
    skilltool: Skilltool, repo: Path, tmp_path: Path, make_skill: MakeSkill
) -> None:
    make_skill(repo / "a b%41#?&", f"---\n{HEAD.format('a')}---\n\n[x](gone.md)\n")
    make_skill(tmp_path / "out side", f"---\n{HEAD.format('a')}---\n\n[x](gone.md)\n")
    run = linted(skilltool, "--select", "broken-link", ".", "../out side")
    found = [each["locations"][0]["physicalLocation"]["artifactLocation"] for each in run["results"]]
    assert {"uri": "a%20b%2541%23%3F%26/SKILL.md", "uriBaseId": "%SRCROOT%"} in found
    assert {"uri": (tmp_path / "out side" / "SKILL.md").as_uri()} in found
