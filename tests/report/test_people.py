"""The formats for people, to the character: findings, the table of rules, the summary, and their colours."""

from __future__ import annotations

import re

import pytest

from skilltool.findings.finding import Edit, Fix, Severity
from skilltool.report import FOR_PEOPLE, Report, Style, render
from skilltool.report.finding_lines import tally
from tests.report.test_reports import diagnostic, report

COLOR = re.compile(r"\x1b\[[0-9;]*m")
SAFE, UNSAFE = Fix(True, (Edit(0, 1, "y"),)), Fix(False, (Edit(0, 1, "y"),))
NOTES = Style(notes=True)
TEXT = "---\nname: PDF_x\n"
FOUND = report(
    diagnostic(TEXT, 10, 15, fix=SAFE),
    diagnostic(
        "# T\n" * 11 + "See [it](gone.md).", 52, 61, rule="broken-link", severity=Severity.WARNING, fix=UNSAFE
    ),
    diagnostic("x", path="skills/xfa/SKILL.md", skill="xfa", severity=Severity.INFO, help=None, fix=SAFE),
)._replace(skills=4)


def many(count: int, *rules: str) -> Report:
    """Return a report of so many findings, of these rules in turn."""
    return report(*(diagnostic("x", rule=rules[number % len(rules)]) for number in range(count)))


def test_full_shows_the_line_carets_the_help_and_a_summary() -> None:
    assert render(FOUND, "full", NOTES) == (
        "error[invalid-name]: [*] the name `x` is wrong\n"
        " --> skills/pdf/SKILL.md:2:7\n"
        "  |\n"
        "2 | name: PDF_x\n"
        "  |       ^^^^^\n"
        "  = help: rename it\n"
        "\n"
        "warning[broken-link]: the name `x` is wrong\n"
        "  --> skills/pdf/SKILL.md:12:9\n"
        "   |\n"
        "12 | See [it](gone.md).\n"
        "   |         ^^^^^^^^^\n"
        "   = help: rename it\n"
        "\n"
        "info[invalid-name]: [*] the name `x` is wrong\n"
        " --> skills/xfa/SKILL.md:1:1\n"
        "  |\n"
        "1 | x\n"
        "  | ^\n"
        "\n"
        "1 error, 1 warning, 1 note in 2 of 4 skills\n"
        "[*] 2 fixable with `--fix` (1 more with `--unsafe-fixes`)\n"
        "for more on a finding, run `skilltool rule invalid-name`\n"
    )


def test_concise_is_one_line_per_finding_and_a_summary() -> None:
    assert render(FOUND, "concise", NOTES) == (
        "skills/pdf/SKILL.md:2:7: error[invalid-name]: [*] the name `x` is wrong\n"
        "skills/pdf/SKILL.md:12:9: warning[broken-link]: the name `x` is wrong\n"
        "skills/xfa/SKILL.md:1:1: info[invalid-name]: [*] the name `x` is wrong\n"
        "1 error, 1 warning, 1 note in 2 of 4 skills\n"
        "[*] 2 fixable with `--fix` (1 more with `--unsafe-fixes`)\n"
    )


def test_grouped_has_a_heading_per_file_and_aligns_lines_and_columns() -> None:
    assert render(FOUND, "grouped", NOTES) == (
        "skills/pdf/SKILL.md:\n"
        "   2:7  error[invalid-name]: [*] the name `x` is wrong\n"
        "  12:9  warning[broken-link]: the name `x` is wrong\n"
        "\n"
        "skills/xfa/SKILL.md:\n"
        "  1:1  info[invalid-name]: [*] the name `x` is wrong\n"
        "\n"
        "1 error, 1 warning, 1 note in 2 of 4 skills\n"
        "[*] 2 fixable with `--fix` (1 more with `--unsafe-fixes`)\n"
        "for more on a finding, run `skilltool rule invalid-name`\n"
    )
    wide = report(diagnostic("x" * 200, 120, 121), diagnostic("\nx", 1, 2, message="it is wrong"))
    assert render(wide, "grouped").splitlines()[1:3] == [
        "  1:121  error[invalid-name]: the name `x` is wrong",
        "  2:1    error[invalid-name]: it is wrong",
    ]


def test_statistics_count_rules_by_severity() -> None:
    assert tally(FOUND) == (
        "1  warning  broken-link\n"
        "1  error    invalid-name\n"
        "1  info     invalid-name\n"
        "\n"
        "1 error, 1 warning, 1 note in 2 of 4 skills\n"
    )


def test_full_names_the_runtimes_of_a_finding_where_several_are_checked_for() -> None:
    several = ("portable", "agentskills")
    assert "  = for: portable, agentskills\n" in render(
        report(diagnostic("x", runtimes=several), runtimes=several), "full"
    )


@pytest.mark.parametrize("output_format", FOR_PEOPLE)
def test_many_findings_end_in_a_table_of_rules(output_format: str) -> None:
    table = (
        "\n\n31 findings by rule:\n"
        "  16  error  broken-link\n"
        "  15  error  invalid-name\n"
        "\n"
        "31 errors in 1 of 31 skills\n"
    )
    assert table in render(many(31, "broken-link", "invalid-name"), output_format)
    assert "by rule" not in render(many(30, "broken-link", "invalid-name"), output_format)


def test_the_table_of_rules_has_the_most_frequent_ten() -> None:
    def table(rules: int) -> list[str]:
        names = [f"rule-{number:02}" for number in range(rules - 1)]
        found = many(1000 + rules, *["broken-link"] * 100, *names)
        return render(found, "concise").split("\n\n")[1].splitlines()

    assert table(10)[0] == "1,010 findings by rule:"
    assert table(10)[1] == "  929  error  broken-link"
    assert table(10)[-1] == "    9  error  rule-08"
    assert table(11)[-1] == "    9  error  rule-09"
    assert len(table(12)) == 12
    assert table(12)[-1] == "  and 2 more rules; `skilltool lint --statistics` counts them all"


def test_the_table_of_rules_names_each_severity_of_a_rule() -> None:
    found = [diagnostic("x", severity=each) for each in Severity for _ in range(7)]
    found += [diagnostic("x", rule="broken-link", severity=Severity.INFO) for _ in range(10)]
    assert render(report(*found), "concise", NOTES).split("\n\n")[1] == (
        "31 findings by rule:\n"
        "  21  error, warning, info  invalid-name\n"
        "  10  info                  broken-link"
    )


def test_the_hint_names_a_rule_among_the_worst_findings() -> None:
    found = report(
        diagnostic("x", rule="broken-link", severity=Severity.INFO),
        diagnostic("x", rule="long-description", severity=Severity.WARNING),
        diagnostic("x", rule="vague-description", severity=Severity.WARNING),
    )
    assert render(found, "full").endswith("\nfor more on a finding, run `skilltool rule long-description`\n")


@pytest.mark.parametrize(
    ("output_format", "expected"),
    [
        ("full", "  | ^\n"),
        ("concise", "skills/xfa/SKILL.md:1:1: info[invalid-name]: [*] the name `x` is wrong\n"),
        ("grouped", "  1:1  info[invalid-name]: [*] the name `x` is wrong\n"),
    ],
)
def test_quiet_leaves_findings_only(output_format: str, expected: str) -> None:
    quiet = Style(quiet=True, notes=True)
    whole = render(FOUND, output_format, NOTES)
    assert render(FOUND, output_format, quiet).endswith(expected)
    assert whole.startswith(render(FOUND, output_format, quiet))
    assert "by rule" not in render(many(31, "broken-link"), output_format, quiet)
    assert render(Report([], 3, ("portable",)), output_format, quiet) == ""


def test_quiet_statistics_are_counts_only() -> None:
    assert tally(many(2, "broken-link"), style=Style(quiet=True)) == "2  error  broken-link\n".replace(
        "error", "error  "
    )
    assert tally(Report([], 3, ("portable",)), style=Style(quiet=True)) == ""


@pytest.mark.parametrize("output_format", FOR_PEOPLE)
def test_a_clean_run_says_so(output_format: str) -> None:
    assert render(Report([], 3, ("portable",)), output_format) == "3 skills checked, no findings\n"
    assert render(Report([], 0, ("portable",)), output_format) == "no skills checked\n"


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (["a/SKILL.md", "a/SKILL.md", "b/skill.md"], "3 errors in 2 of 3 skills"),
        (["SKILL.md"], "1 error in 1 of 3 skills"),
        (["a/SKILL.md", "a/skill.md"], "2 errors in 1 of 3 skills"),
        (["pdf/draft.md"], "1 error in 1 of 3 skills"),  # from standard input
        (["a/SKILL.md", "flat.md"], "2 errors in 1 of 3 skills and 1 other file"),
        (["a/SKILL.md", "flat.md", "skilltool.toml"], "3 errors in 1 of 3 skills and 2 other files"),
        (["skilltool.toml"], "1 error in 1 file; 3 skills checked"),
        (["/repo/pdf/skilltool.toml"], "1 error in 1 file; 3 skills checked"),
    ],
)
def test_the_summary_counts_skills_and_not_other_files_as_skills(found: list[str], expected: str) -> None:
    made = Report([diagnostic("x", path=path) for path in found], 3, ("portable",))
    assert render(made, "concise").splitlines()[-1] == expected


@pytest.mark.parametrize(
    ("fixes", "expected"),
    [
        ([None], []),
        ([UNSAFE, UNSAFE], ["2 fixable with `--fix --unsafe-fixes`"]),
        ([SAFE], ["[*] 1 fixable with `--fix`"]),
        ([SAFE, None, UNSAFE], ["[*] 1 fixable with `--fix` (1 more with `--unsafe-fixes`)"]),
    ],
)
def test_fixable_findings_are_counted(fixes: list[Fix | None], expected: list[str]) -> None:
    found = [diagnostic("x" * number, 0, number, fix=fix) for number, fix in enumerate(fixes, 1)]
    found = [one._replace(message=f"it is wrong in {number} ways") for number, one in enumerate(found)]
    lines = render(report(*found), "concise").splitlines()
    assert lines[len(fixes) + 1 :] == expected
    assert [("[*]" in line) for line in lines[: len(fixes)]] == [fix is SAFE for fix in fixes]


@pytest.mark.parametrize("output_format", FOR_PEOPLE)
def test_colour_adds_nothing_but_colour(output_format: str) -> None:
    for found in (FOUND, many(31, "broken-link")):
        colored = render(found, output_format, Style(color=True))
        assert COLOR.sub("", colored) == render(found, output_format)
        assert "\x1b" not in render(found, output_format)


def test_each_severity_has_its_colour() -> None:
    concise = render(FOUND, "concise", Style(color=True, notes=True)).splitlines()
    bold, colon = "\x1b[1mskills/pdf/SKILL.md\x1b[0m", "\x1b[36m:\x1b[0m"
    mark = "\x1b[36m[*]\x1b[0m"
    assert concise[:2] == [
        f"{bold}{colon}2{colon}7: \x1b[1;31merror[invalid-name]\x1b[0m: {mark} the name `x` is wrong",
        f"{bold}{colon}12{colon}9: \x1b[1;33mwarning[broken-link]\x1b[0m: the name `x` is wrong",
    ]
    assert concise[-1].startswith(f"{mark} 2 fixable")
    assert "\x1b[1;36minfo[invalid-name]\x1b[0m" in concise[2]
    assert "  | \x1b" not in render(FOUND, "full")
    assert "\x1b[1;31m^^^^^\x1b[0m\n" in render(FOUND, "full", Style(color=True))
    assert render(FOUND, "grouped", Style(color=True)).startswith("\x1b[4mskills/pdf/SKILL.md\x1b[0m:\n")
    statistics = tally(FOUND, style=Style(color=True)).splitlines()
    assert statistics[0] == "\x1b[1m1\x1b[0m  \x1b[1;33mwarning\x1b[0m  broken-link"
    assert "\x1b" not in tally(FOUND, as_json=True, style=Style(color=True))
