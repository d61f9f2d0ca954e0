"""Every format over the same diagnostics; nothing of a skill breaks out of one."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from wcwidth import wcswidth

from skilltool.findings.diagnostic import Diagnostic, locate
from skilltool.findings.finding import Severity
from skilltool.report import FORMATS, Report, render
from skilltool.skill import schema
from skilltool.text.source import Source, Span

ANY_TEXT = st.text(
    alphabet=st.one_of(
        st.characters(),
        st.sampled_from("\x00\x07\x1b\x7f\x9b\u202e\u2028\ufeff\U000e0041\ud800\r\n\t:%,]&<>\"'`#["),
    ),
    max_size=30,
)


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


def test_full_shows_the_line_a_caret_the_help_and_a_summary() -> None:
    shown = render(report(diagnostic("---\nname: PDF_x\n", 10, 15)), "full")
    assert shown == (
        "error[invalid-name]: the name `x` is wrong\n"
        " --> skills/pdf/SKILL.md:2:7\n"
        "  |\n"
        "2 | name: PDF_x\n"
        "  |       ^^^^^\n"
        "  = help: rename it\n"
        "\n"
        "1 error in 1 of 1 skill\n"
    )


def test_full_names_the_targets_where_there_are_several() -> None:
    several = ("portable", "agentskills")
    shown = render(report(diagnostic("x", runtimes=several), runtimes=several), "full")
    assert "  = for: portable, agentskills\n" in shown


@pytest.mark.parametrize(
    ("line", "marked"),
    [
        ("name: 日本語 here", "here"),
        ("name: 日本語 here", "本"),
        ("cafe\u0301 e\u0301 x here", "here"),
        ("🎉🎉 here", "here"),
        ("\ttab\tand here", "here"),
        ("a\x1b[31m\u202e here", "here"),
        ("plain here", "here"),
    ],
)
def test_the_caret_stands_under_wide_combining_and_hidden_characters(line: str, marked: str) -> None:
    start = line.index(marked)
    shown = render(report(diagnostic(line, start, start + len(marked))), "full").splitlines()
    text, carets = shown[3].partition("| ")[2], shown[4].partition("| ")[2]
    before = text[: text.index(marked)]
    assert len(carets) - len(carets.lstrip()) == wcswidth(before)
    assert carets.count("^") == wcswidth(marked)


def test_a_long_line_is_cut_around_its_place() -> None:
    line = "x" * 60_000 + "HERE" + "y" * 60_000
    shown = render(report(diagnostic(line, 60_000, 60_004)), "full").splitlines()
    assert len(shown[3]) < 200
    column = shown[4].index("^")
    assert shown[3][column : column + 4] == "HERE"
    assert shown[3].count("…") == 2


@pytest.mark.parametrize(
    ("text", "start", "end"), [("", 0, 0), ("a\n", 2, 2), ("a\nb\nc", 0, 5), ("\ufeff---", 0, 1)]
)
def test_odd_places_are_shown_too(text: str, start: int, end: int) -> None:
    for name in FORMATS:
        assert "invalid-name" in render(report(diagnostic(text, start, end)), name)


@pytest.mark.parametrize(
    ("text", "start", "end", "shown"),
    [
        ("ab\ncd\nef", 1, 7, ["1:2", "1 | ab", "  |  ^"]),  # over three lines: the rest of the first
        ("ab\ncd", 5, 5, ["2:3", "2 | cd", "  |   ^"]),  # nothing, at the end of the file
        ("ab\r\ncd", 2, 4, ["1:3", "1 | ab", "  |   ^"]),  # a line end
        ("ab\rcd", 3, 5, ["2:1", "2 | cd", "  | ^^"]),
        ("\ufeffab", 1, 3, ["1:1", "1 | ab", "  | ^^"]),
        ("ab\n", 3, 3, ["2:1"]),  # behind the last line there is no line to show
        ("", 0, 0, ["1:1"]),
        ("🧑\u200d💻 here", 4, 8, ["1:5", "1 | 🧑\u200d💻 here", "  |    ^^^^"]),
        ("日本語", 0, 3, ["1:1", "1 | 日本語", "  | ^^^^^^"]),
    ],
)
def test_full_points_at_the_place(text: str, start: int, end: int, shown: list[str]) -> None:
    lines = render(report(diagnostic(text, start, end, help=None)), "full").splitlines()[1:-2]
    place, *excerpt = (line for line in lines if line != "  |")
    assert [place.removeprefix(" --> skills/pdf/SKILL.md:"), *excerpt] == shown


def test_the_end_of_a_place_over_several_lines_is_told_to_programs() -> None:
    (entry,) = json.loads(render(report(diagnostic("ab\ncd\nef", 1, 7)), "json"))["diagnostics"]
    assert [entry[key] for key in ("line", "column", "end_line", "end_column")] == [1, 2, 3, 2]


def test_colour_stands_only_where_it_is_asked_for() -> None:
    found = report(diagnostic("name: x", 6, 7))
    assert "\x1b[1;31m" in render(found, "full", color=True)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", render(found, "full", color=True))
    assert plain == render(found, "full")


def test_a_clean_run_says_so_in_every_format_for_people() -> None:
    clean = Report([], 3, ("portable",))
    assert render(clean, "full") == render(clean, "concise") == "3 skills checked, no findings\n"
    assert render(clean, "github") == ""


def test_json_is_valid_against_its_schema_and_counts() -> None:
    found = report(diagnostic("x"), diagnostic("y", severity=Severity.INFO, help=None))
    data = json.loads(render(found, "json"))
    Draft202012Validator(schema.load("report")).validate(data)
    assert data["summary"] == {"skills": 2, "errors": 1, "warnings": 0, "infos": 1, "suppressed": 0}
