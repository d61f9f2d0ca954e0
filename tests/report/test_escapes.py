"""Any text in any field of any format: it comes back from a reader of that format, and is nothing else.

Readers are other people's (json, a JSON Schema, an XML Schema, junitparser) where there are some; what the
runner of a GitHub job takes for a command is written down here, from its documentation and behaviour.
"""

from __future__ import annotations

import json
import re
import unicodedata
from io import BytesIO
from pathlib import Path
from urllib.parse import unquote_to_bytes

import junitparser
import pytest
import xmlschema
from hypothesis import given, settings
from hypothesis import strategies as st

from skilltool.findings.diagnostic import Diagnostic, Suppressed
from skilltool.findings.finding import Edit, Fix, Severity
from skilltool.lint.matrix import Cell, Row
from skilltool.report import FOR_PEOPLE, FORMATS, Report, Style, render
from skilltool.text.printable import printable
from tests.conftest import examples
from tests.report.test_reports import diagnostic

JUNIT = xmlschema.XMLSchema(Path(__file__).parents[1] / "schemas" / "junit-10.xsd")
# What breaks out of something: of lines, terminals, commands, markup, JSON, XML, paths and URIs.
PARTS = [
    *"\x00\x07\x08\x0b\x0c\x1b\x7f\x85\x9b\xa0\xad\u061c\u200b\u2028\u2029\u202e\u2066\ufeff\ufffe\uffff",
    *"\ud800\udc80\udfff\U000e0041\r\n\t :%,;=#[](){}<>&\"'`|\\/?.",
    *("\r\n", "::error::x", "::stop-commands::x", "%0A", "%3A%3A", "%25"),
    *("##[error]x", "##vso[x]", "##teamcity[", "###[group]x", "section_start:1:x"),
    *("\x1b[31m", "\x1b]8;;http://x\x07", "\x1b]0;x\x9c", "\x1b[2J"),
    *("]]>", "<!--", "&amp;", "&#0;", "[x](http://x)", "{0}", "../", "C:/x", "//host/x"),
]


def joined(parts: list[str]) -> str:
    """Return one text; two halves of a character become it, since JSON cannot tell them from it."""
    return "".join(parts).encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


TEXT = st.lists(st.one_of(st.sampled_from(PARTS), st.text(max_size=4)), max_size=6).map(joined)


@st.composite
def reports(draw: st.DrawFn) -> Report:
    """A report with odd text wherever text of a skill, of a path or of an error can stand."""
    line = draw(TEXT) or "x"
    end = draw(st.integers(0, len(line)))
    found = diagnostic(
        line,
        draw(st.integers(0, end)),
        end,
        path=draw(TEXT.filter(lambda text: not text.startswith("/"))),
        message=draw(TEXT),
        help=draw(TEXT) or None,
        skill=draw(TEXT),
        severity=draw(st.sampled_from(Severity)),
        fix=Fix(True, (Edit(0, end, draw(TEXT)),), draw(st.none() | st.tuples(TEXT, TEXT))),
    )
    hidden = [
        Suppressed(found, "comment", draw(TEXT), found.location),
        Suppressed(found, "baseline", draw(TEXT)),
    ]
    rows = [
        Row(f"{draw(TEXT)}/{draw(TEXT)}".lstrip("/"), draw(TEXT), {"portable": Cell("loaded", draw(TEXT))})
        for _ in range(draw(st.integers(0, 2)))
    ]
    problems = tuple(draw(st.lists(TEXT, max_size=2)))
    return Report([found, found], 2, ("portable",), tuple(rows), hidden, problems)


def command(line: str) -> tuple[str, dict[str, str], str] | None:
    """What a runner takes a line for: a command, its properties and its text; None for plain text."""
    line = line.lstrip()
    if not line.startswith("::") or "::" not in line[2:]:
        return None
    head, _, text = line[2:].partition("::")
    name, _, rest = head.partition(" ")
    pairs = (entry.partition("=") for entry in rest.strip().split(",") if entry)
    properties = {key: unescaped(value, ":,") for key, _, value in pairs if value}
    return name, properties, unescaped(text, "")


def unescaped(text: str, more: str) -> str:
    for character in f"\r\n{more}%":  # the sign itself comes last, as in the runner
        text = text.replace(f"%{ord(character):02X}", character)
    return text


def encoded(text: str, errors: str) -> bytes | None:
    try:
        return text.encode("utf-8", errors)
    except UnicodeEncodeError:
        return None


def told(found: Diagnostic) -> str:
    return printable(found.message + (f"; {found.help}" if found.help else ""))


def test_a_runner_s_commands_are_read_as_its_documentation_has_them() -> None:
    line = "  ::warning file=a%2Cb%3A%25.md,line=1::one%0Atwo%253A, ::three"
    assert command(line) == ("warning", {"file": "a,b:%.md", "line": "1"}, "one\ntwo%3A, ::three")
    assert command("::debug::") == ("debug", {}, "")
    assert command("text ::error::x") is None


@pytest.mark.slow
@settings(max_examples=examples(200))
@given(reports())
def test_nothing_reaches_a_terminal_or_a_runner_from_any_format(report: Report) -> None:
    for name, width in [*((name, None) for name in FORMATS), *((name, 40) for name in FOR_PEOPLE)]:
        shown = render(report, name, Style(width=width))
        shown.encode("utf-8")
        for character in shown.replace("\n", ""):
            assert unicodedata.category(character) not in {"Cc", "Cs", "Zl", "Zp"}, name
            assert character not in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff", name
        assert not re.search(r"(?i)##(vso|teamcity)?\[", shown), name
        if name != "github":
            assert [line for line in shown.split("\n") if command(line)] == [], name


@pytest.mark.slow
@settings(max_examples=examples(200))
@given(reports())
def test_a_runner_reads_one_annotation_per_finding(report: Report) -> None:
    found = report.diagnostics[0]
    lines = render(report, "github").split("\n")
    if found.severity is Severity.INFO:  # notes are no annotations
        assert lines == [""]
        return
    assert len(lines) == 3
    name, properties, text = command(lines[0]) or ("", {}, "")
    assert name == str(found.severity)
    location = found.location
    wanted = {
        "title": "skilltool (invalid-name)",
        "file": printable(found.path),
        "line": str(location.start.line),
        "col": str(location.start.column),
        "endLine": str(location.end.line),
        "endColumn": str(location.end.column),
    }
    assert properties == {key: value for key, value in wanted.items() if value}
    where = f"{printable(found.path)}:{location.start.line}:{location.start.column}"
    assert text == f"{where}: {told(found)}"


@pytest.mark.slow
@settings(max_examples=examples(200))
@given(reports())
def test_lines_for_people_are_as_many_as_for_a_plain_text(report: Report) -> None:
    found = report.diagnostics[0]
    notes = Style(notes=True)
    lines = render(report, "concise", notes).split("\n")
    assert len(lines) == 4  # two equal findings, the summary, the number of fixable ones
    said = f": {found.severity}[invalid-name]: [*] {printable(found.message)} (2 times on this line)"
    assert lines[0].endswith(said)
    plain = found._replace(path="x", message="x", help=found.help and "x")
    rows = tuple(Row("x/y", row.skill, row.cells) for row in report.matrix)
    wanted = report._replace(diagnostics=[plain, plain], matrix=rows)
    for name in ("full", "grouped"):
        assert render(report, name, notes).count("\n") == render(wanted, name, notes).count("\n")


@pytest.mark.slow
@settings(max_examples=examples(200))
@given(reports())
def test_json_gives_back_every_text(report: Report) -> None:
    found = report.diagnostics[0]
    assert found.fix is not None
    data = json.loads(render(report, "json"))
    lines = [json.loads(line) for line in render(report, "jsonl").split("\n")[:-1]]
    assert data["diagnostics"] == lines
    (entry, same) = lines
    assert entry == same
    texts = (found.path, found.message, found.help, found.skill)
    assert (entry["path"], entry["message"], entry["help"], entry["skill"]) == texts
    assert entry["fix"]["edits"][0]["text"] == found.fix.edits[0].text
    assert tuple(entry["fix"].get("rename", ())) == (found.fix.rename or ())
    rows = [(row["path"], row["skill"]) for row in data.get("matrix", ())]
    assert rows == [(row.path, row.skill) for row in report.matrix]


def message(text: str) -> str:
    """What a reader of SARIF shows of a plain text message, which has no arguments and no link."""
    assert re.fullmatch(r"([^{}]|\{\{|\}\})*", text)
    assert not re.search(r"\[([^\\\[\]]|\\[\\\[\]])*\]\(", text)
    plain = text.replace("{{", "{").replace("}}", "}")
    unescaped = re.sub(r"\\([\\\[\]])", r"\1", plain)
    return unescaped if "](" in unescaped else plain


@pytest.mark.slow
@settings(max_examples=examples(150))
@given(reports())
def test_sarif_gives_back_every_text_that_can_be_shown(report: Report) -> None:
    found = report.diagnostics[0]
    (run,) = json.loads(render(report, "sarif"))["runs"]
    (first, _, commented, accepted) = run["results"]
    advice = f"\n{printable(found.help)}" if found.help else ""
    assert message(first["message"]["text"]) == printable(found.message) + advice
    uri = first["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert re.fullmatch(r"([A-Za-z0-9._~/-]|%[0-9A-F]{2})*", uri)
    assert unquote_to_bytes(uri) in [encoded(found.path, f"surrogate{way}") for way in ("escape", "pass")]
    reasons = [each["suppressions"][0]["justification"] for each in (commented, accepted)]
    assert reasons == [printable(each.reason) for each in report.suppressed]
    said = run["invocations"][0].get("toolExecutionNotifications", ())
    assert [message(each["message"]["text"]) for each in said] == [*map(printable, report.problems)]
    fix = found.fix
    assert fix is not None
    if fix.rename is None and (fix.edits[0].text or fix.edits[0].end):
        (change,) = first["fixes"][0]["artifactChanges"]
        assert change["replacements"][0]["insertedContent"]["text"] == fix.edits[0].text


@pytest.mark.slow
@settings(max_examples=examples(150))
@given(reports())
def test_gitlab_and_reviewdog_get_what_can_be_shown(report: Report) -> None:
    found = report.diagnostics[0]
    entries = json.loads(render(report, "gitlab"))
    assert len({entry["fingerprint"] for entry in entries}) == 2
    for entry in entries:
        assert (entry["description"], entry["location"]["path"]) == (told(found), printable(found.path))
    data = json.loads(render(report, "rdjson"))
    assert set(data) == {"source", "severity", "diagnostics"}
    for entry in data["diagnostics"]:
        assert (entry["message"], entry["location"]["path"]) == (told(found), printable(found.path))


@pytest.mark.slow
@settings(max_examples=examples(150))
@given(reports())
def test_junit_is_valid_and_a_parser_of_it_gives_back_what_can_be_shown(report: Report) -> None:
    found = report.diagnostics[0]
    text = render(report, "junit")
    JUNIT.validate(text)
    read = junitparser.JUnitXml.fromstring(text.encode())
    cases = [case for suite in read for case in suite]
    is_info = found.severity is Severity.INFO
    assert (read.tests, read.failures, read.errors) == (
        len(cases),
        0 if is_info else 2,
        len(report.problems),
    )
    said = [case.result[0].message if case.result else case.system_out for case in cases]
    wanted = [f"info: {told(found)}" if is_info else told(found)] * 2
    wanted += [printable(problem) for problem in report.problems]
    assert said == [xml_safe(text) for text in wanted]
    assert {case.classname for case in cases[:2]} == {xml_safe(printable(found.path))}
    JUNIT.validate(BytesIO(render(report._replace(diagnostics=[]), "junit").encode()))


def xml_safe(text: str) -> str:
    return re.sub("[\ufffe\uffff]", lambda match: f"\\u{ord(match[0]):04x}", text)


@pytest.mark.parametrize("place", ["path", "matrix"])
def test_a_directory_cannot_be_named_like_a_command(place: str) -> None:
    name = "::error title=x::y"
    rows = (Row(f"{name}/SKILL.md", name, {}), Row("b/SKILL.md", "b", {})) if place == "matrix" else ()
    found = [diagnostic("x", path=f"{name}/SKILL.md")] if place == "path" else []
    for output_format in FOR_PEOPLE:
        shown = render(Report(found, 1, ("portable",), rows), output_format)
        assert not any(map(command, shown.split("\n")))
