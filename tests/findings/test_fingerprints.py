"""A fingerprint is of rule, skill, the author's text and an ordinal, and of nothing else."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from skilltool.findings.diagnostic import Diagnostic, locate, numbered
from skilltool.findings.finding import Severity
from skilltool.lint.config import Config
from skilltool.lint.run import check_skills
from skilltool.lint.settings import resolve
from skilltool.text.source import Source, Span
from tests.conftest import MakeSkill

HEAD = "---\nname: a\ndescription: Fills in forms. Use when asked.\n---\n\n"
WORDS = st.text(st.characters(codec="utf-8", exclude_characters="\r\n"), min_size=1, max_size=40)


def found(text: str, start: int, end: int, **others: object) -> Diagnostic:
    values = {
        "path": "a/SKILL.md",
        "location": locate(Source(text), Span(start, end)),
        "rule": "broken-link",
        "severity": Severity.WARNING,
        "message": "m",
        "help": None,
        "skill": "a",
        "runtimes": ("portable",),
        **others,
    }
    return Diagnostic(**values)  # type: ignore[arg-type]


@given(before=WORDS, text=WORDS, after=WORDS, message=WORDS)
def test_lines_around_words_and_runtimes_change_nothing(
    before: str, text: str, after: str, message: str
) -> None:
    alone = found(text, 0, len(text))
    others = {"message": message, "help": message, "runtimes": ("nfa", "agent"), "path": "b/SKILL.md"}
    line = found(f"{before}{text}{after}", len(before), len(before + text), **others)
    later = found(f"{before}\n{text}", len(before) + 1, len(before) + 1 + len(text), severity=Severity.ERROR)
    assert alone.fingerprint == line.fingerprint == later.fingerprint


@given(text=WORDS, other=WORDS)
def test_rule_skill_and_text_count(text: str, other: str) -> None:
    prints = {
        found(text, 0, len(text)).fingerprint,
        found(text, 0, len(text), rule="escaping-link").fingerprint,
        found(text, 0, len(text), skill="b").fingerprint,
        found(text, 0, len(text), ordinal=1).fingerprint,
        found(other, 0, len(other)).fingerprint,
    }
    assert len(prints) == 5 - (text == other)


def test_line_ends_of_a_checkout_count_for_nothing() -> None:
    assert found("a\nb", 0, 3).fingerprint == found("a\r\nb", 0, 4).fingerprint


def test_equal_texts_of_a_file_are_numbered_in_its_order() -> None:
    text = "x y x x"
    several = [found(text, at, at + 1) for at in (6, 2, 0, 4)]
    result = numbered(several)
    assert [each.location.start.column for each in result] == [1, 3, 5, 7]
    assert [each.ordinal for each in result] == [0, 0, 1, 2]
    assert len({each.fingerprint for each in result}) == 4
    assert numbered(reversed(result)) == result


def test_another_copy_in_another_file_starts_at_zero() -> None:
    result = numbered([found("x", 0, 1), found("x", 0, 1, path="b/SKILL.md")])
    assert [each.ordinal for each in result] == [0, 0]


def test_a_finding_has_its_fingerprint_from_whichever_path_it_is_found(
    repo: Path, make_skill: MakeSkill
) -> None:
    skill = make_skill(repo / "skills" / "a", HEAD + "[x](gone.md) [y](gone.md)\n")
    make_skill(repo / "b")

    def prints(path: Path) -> list[str]:
        report = check_skills(resolve(Config(), {"paths": [path]}))
        return [each.fingerprint for each in report.diagnostics]

    assert len(set(prints(repo))) == 2
    assert prints(repo) == prints(skill) == prints(skill / "SKILL.md")
