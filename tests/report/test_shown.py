"""What a report for people leaves out, in which order it shows the rest, and that it says so."""

from __future__ import annotations

import pytest

from skilltool.findings.finding import Severity
from skilltool.report import FOR_PEOPLE, Style, render
from skilltool.report.github import MOST
from tests.report.test_reports import diagnostic, report

ERROR, WARNING, INFO = Severity.ERROR, Severity.WARNING, Severity.INFO
WHOLE = Style(notes=True, limit=False)


@pytest.mark.parametrize("output_format", FOR_PEOPLE)
def test_errors_come_first_and_of_equal_ones_what_harms(output_format: str) -> None:
    found = report(
        diagnostic("x", rule="long-description", severity=WARNING, path="a/SKILL.md"),
        diagnostic("x", rule="broken-link", severity=WARNING, path="a/SKILL.md"),
        diagnostic("x", rule="invalid-name", severity=ERROR, path="b/SKILL.md"),
        diagnostic("x", rule="hidden-text", severity=ERROR, path="c/SKILL.md"),
    )
    text = render(found, output_format)
    order = [
        text.index(f"[{rule}]") for rule in ("hidden-text", "invalid-name", "broken-link", "long-description")
    ]
    assert order == sorted(order)


@pytest.mark.parametrize("output_format", FOR_PEOPLE)
def test_notes_are_counted_in_one_line(output_format: str) -> None:
    rules = ["invalid-version"] * 3 + ["shadowed-skill", "wrong-type", "long-name", "yaml-surprise"]
    found = report(
        diagnostic("x", severity=WARNING, rule="broken-link"),
        *(
            diagnostic("x", severity=INFO, rule=rule, path=f"{n}/SKILL.md", skill=f"s{n}")
            for n, rule in enumerate(rules)
        ),
    )
    text = render(found, output_format)
    assert (
        "7 notes: 3 invalid-version, 1 long-name, 1 shadowed-skill, 1 wrong-type, ...; `--notes` shows them\n"
        in text
    )
    assert "1 warning in 1 of 8 skills\n" in text
    assert "info[" not in text
    shown = render(found, output_format, WHOLE)
    assert shown.count("info[") == 7
    assert "`--notes`" not in shown
    assert "1 warning, 7 notes in 8 of 8 skills\n" in shown


def test_a_run_with_notes_alone_has_no_errors_or_warnings() -> None:
    text = render(report(diagnostic("x", severity=INFO)), "full")
    assert text == ("1 skill checked, no errors or warnings\n1 note: 1 invalid-name; `--notes` shows them\n")


def test_equal_findings_of_a_file_are_one() -> None:
    text = "".join(f"line {n}\n" for n in range(9))
    found = report(*(diagnostic(text, 7 * n, 7 * n + 4) for n in range(9)))
    assert render(found, "concise").splitlines()[0] == (
        "skills/pdf/SKILL.md:1:1: error[invalid-name]: the name `x` is wrong"
        " (also on lines 2, 3, 4, 5, 6 and 3 more)"
    )
    assert "  = also on lines 2, 3, 4, 5, 6 and 3 more\n" in render(found, "full")
    assert "9 errors" in render(found, "concise")


def test_findings_in_copies_of_a_page_are_one() -> None:
    found = report(
        *(
            diagnostic("x", path=f"{name}/ref/a.md", skill=name, file="ref/a.md", severity=WARNING)
            for name in ("one", "two", "three")
        ),
        diagnostic("y", path="four/ref/a.md", skill="four", file="ref/a.md", severity=WARNING),
        diagnostic("x", path="five/ref/b.md", skill="five", file="ref/b.md", severity=WARNING),
    )
    lines = render(found, "concise").splitlines()
    assert [line.partition(":")[0] for line in lines[:3]] == [
        "one/ref/a.md",
        "four/ref/a.md",
        "five/ref/b.md",
    ]
    assert lines[0].endswith(" (also in 2 other files, such as three/ref/a.md)")


def test_of_copies_the_one_with_the_fewest_directories_is_shown() -> None:
    tops = ("plugins/a/skills", "skills", "z/skills")
    found = report(
        *(diagnostic("x", path=f"{top}/one/a.md", skill="one", file="a.md", severity=WARNING) for top in tops)
    )
    first, *_ = render(found, "concise").splitlines()
    assert first.startswith("skills/one/a.md:")
    assert first.endswith(" (also in 2 other files, such as plugins/a/skills/one/a.md)")


def test_other_skills_with_the_same_defect_are_not_copies() -> None:
    found = report(*(diagnostic("x", path=f"{name}/SKILL.md", skill=name) for name in ("one", "two")))
    assert len([line for line in render(found, "concise").splitlines() if "error[" in line]) == 2


def test_a_skill_has_about_thirty_lines() -> None:
    many = [diagnostic("x" * n, 0, n, message=f"name {n} is wrong") for n in range(1, 41)]
    other = diagnostic("x", path="skills/a/SKILL.md", skill="a")
    found = report(*many, other)
    concise = render(found, "concise").splitlines()
    assert len([line for line in concise if "skills/pdf" in line and "error[" in line]) == 30
    assert "and 10 more in skills/pdf; `--no-limit` shows all" in concise
    assert any(line.startswith("skills/a/SKILL.md:1:1: error") for line in concise)
    assert render(found, "full").count("error[invalid-name]") == 5 + 1
    assert "and 35 more in skills/pdf; `--no-limit` shows all" in render(found, "full")
    assert render(found, "concise", WHOLE).count("error[") == 41
    assert "41 errors" in concise[-1]


def test_the_most_findings_left_out_are_named_first() -> None:
    found = report(
        *(
            diagnostic("x", 0, 1, message=f"{n} is wrong", path=f"s{skill}/SKILL.md", skill=f"s{skill}")
            for skill in range(7)
            for n in range(31 + skill)
        )
    )
    lines = [line for line in render(found, "concise").splitlines() if line.startswith("and ")]
    assert lines[0] == "and 7 more in s6; `--no-limit` shows all"
    assert lines[5:] == ["and 3 more in 2 other directories; `--no-limit` shows all"]


def test_github_gets_ten_annotations_of_a_kind_and_the_log_the_rest() -> None:
    found = report(
        *(diagnostic("x" * n, 0, n, severity=WARNING, rule="broken-link") for n in range(1, 13)),
        *(diagnostic("x" * n, 0, n) for n in range(1, 14)),
        diagnostic("::error::x", severity=INFO),
    )
    lines = render(found, "github").splitlines()
    assert [line.partition(" ")[0] for line in lines[: 2 * MOST]] == ["::error"] * MOST + ["::warning"] * MOST
    assert len(lines) == 25
    assert not any(line.startswith("::") for line in lines[2 * MOST :])
    assert not any("notice" in line for line in lines)


def test_what_many_skills_have_in_common_is_said_once() -> None:
    found = report(
        *(
            diagnostic("x", path=f"{name}/SKILL.md", skill=name, rule="tool-list-format", severity=WARNING)
            for name in ("one", "two")
        )
    )
    (line,) = [line for line in render(found, "concise").splitlines() if "warning[" in line]
    assert line.endswith(" (also in two/SKILL.md)")


def test_errors_with_one_cause_are_one() -> None:
    found = report(
        *(
            diagnostic("x", path=f"{name}/plugin.json", message=f"`{name}` contains a space", cause="name")
            for name in ("a b", "c d", "e f", "g h")
        ),
        diagnostic("x", path="e/plugin.json", message="`e` is empty"),
    )
    lines = [line for line in render(found, "concise").splitlines() if "error[" in line]
    assert [line.partition(":")[0] for line in lines] == ["a b/plugin.json", "e/plugin.json"]
    assert lines[0].endswith(" (also in 3 other files, such as c d/plugin.json)")
    assert render(found, "concise", WHOLE).count("error[") == 5
