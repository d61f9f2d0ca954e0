"""How long a body may be: by the specification, or by the configuration; one finding per skill."""

from __future__ import annotations

from pathlib import Path

import pytest

from skilltool.findings.finding import Severity
from skilltool.lint.config import Config
from skilltool.lint.run import check_skills
from skilltool.lint.settings import resolve

HEAD = "---\nname: pdf-tools\ndescription: Fills in PDF forms. Use when the user mentions a form.\n---\n"


def lengths(repo: Path, body: str, **values: int) -> list[tuple[Severity, int, str]]:
    skill = repo / "skills" / "pdf-tools"
    skill.mkdir(parents=True, exist_ok=True)
    (skill / "SKILL.md").write_text(HEAD + body, "utf-8")
    config = Config({key.replace("_", "-"): value for key, value in values.items()})
    report = check_skills(resolve(config, {"paths": [repo], "select": ["oversized-file"]}))
    return [(each.severity, each.location.start.line, each.message) for each in report.diagnostics]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("a\n" * 500, []),
        ("a" * 20_000, []),
        ("a\n" * 501, [(Severity.INFO, 505, "body has 501 lines; the specification recommends at most 500")]),
        ("a\n" * 999, [(Severity.INFO, 505, "body has 999 lines; the specification recommends at most 500")]),
        (
            "a\n" * 1_000,
            [
                (
                    Severity.WARNING,
                    505,
                    "body has 1,000 lines, at least twice the 500 that the specification recommends",
                )
            ],
        ),
        (
            "a" * 9_999 + "\n" + "a" * 9_999 + "\n\nb",
            [(Severity.INFO, 7, "body has about 5,001 tokens; the specification recommends at most 5,000")],
        ),
        (
            "a" * 40_000,
            [
                (
                    Severity.WARNING,
                    5,
                    "body has about 10,000 tokens, at least twice the 5,000 "
                    "that the specification recommends",
                )
            ],
        ),
        (
            ("a" * 60 + "\n") * 501,
            [
                (
                    Severity.INFO,
                    332,
                    "body has 501 lines and about 7,641 tokens; "
                    "the specification recommends at most 500 lines and 5,000 tokens",
                )
            ],
        ),
        (
            ("a" * 60 + "\n") * 1_000,
            [
                (
                    Severity.WARNING,
                    332,
                    "body has 1,000 lines and about 15,250 tokens, at least twice the 500 lines "
                    "or 5,000 tokens that the specification recommends",
                )
            ],
        ),
    ],
)
def test_a_body_is_measured_without_its_frontmatter(
    repo: Path, body: str, expected: list[tuple[Severity, int, str]]
) -> None:
    assert lengths(repo, body) == expected


def test_the_configuration_sets_other_numbers(repo: Path) -> None:
    assert lengths(repo, "a\n" * 11, max_lines=10) == [
        (Severity.INFO, 15, "body has 11 lines; the configuration allows at most 10")
    ]
    assert lengths(repo, "a\n" * 1_000, max_lines=1_000) == []
    assert lengths(repo, "a" * 40_000, max_tokens=10_000) == []
