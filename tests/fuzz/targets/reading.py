"""Any bytes are read as a skill, and what is read has its characters where it says they are."""

from __future__ import annotations

from pathlib import Path

from skilltool.lint.check import skill_of_text
from tests.fuzz.skills import DOCUMENTS

INPUTS = DOCUMENTS


def check(raw: bytes, place: Path) -> None:
    skill = skill_of_text(raw, place / "a" / "SKILL.md")
    source, frontmatter = skill.source, skill.frontmatter
    if source.is_lossless:
        assert source.text.encode("utf-8", "surrogatepass") == raw
    assert source.text.endswith(skill.body)
    for problem in frontmatter.problems:
        assert 0 <= problem.span.start <= problem.span.end <= len(source.text)
    for name in ("name", "description", "metadata", "x"):
        frontmatter.text(name)
    markdown = skill.markdown
    for part in (*markdown.links, *markdown.fences, *markdown.headings):
        assert 0 <= part.span.start <= part.span.end <= len(source.text)
        position = source.position(part.span.start)
        assert source.line_start(position.line) <= part.span.start
