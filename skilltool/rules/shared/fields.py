"""Texts of frontmatter fields, with their location in the file."""

from __future__ import annotations

from collections.abc import Iterator

from skilltool.skill.model import Skill
from skilltool.text.frontmatter import Path
from skilltool.text.source import Span


def list_entries(skill: Skill, *keys: str) -> Iterator[tuple[Path, str, Span]]:
    """Yield path, text and span of each string in the list at `keys`, e.g. `"triggers", "keywords"`."""
    if skill.frontmatter.data and keys[0] in skill.frontmatter.data:
        for path, scalar in skill.frontmatter.scalars:
            if path[:-1] == keys and isinstance(path[-1], int) and isinstance(scalar.value, str):
                yield path, scalar.value, scalar.span


def span_of_text(skill: Skill, field: str, part: str) -> Span:
    """Return the span of `part` in a field's value, or of the whole value if escapes or folding hide it."""
    span = skill.frontmatter.span(field)
    at = skill.source.text.find(part, span.start, span.end)
    return Span(at, at + len(part)) if at >= 0 else span
