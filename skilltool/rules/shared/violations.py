"""Where a skill's frontmatter breaks the schema of a runtime."""

from __future__ import annotations

from collections.abc import Iterator

from skilltool.runtimes.base import Runtime
from skilltool.skill import schema
from skilltool.skill.model import Skill
from skilltool.skill.schema import Violation
from skilltool.text.source import Span


def schema_violations(skill: Skill, target: Runtime, *keywords: str) -> Iterator[Violation]:
    """Yield each violation of the runtime's schema by one of these JSON Schema keywords (`maxLength`, ...)."""
    for violation in schema.violations(skill.frontmatter, target.schema):
        if violation.keyword in keywords:
            yield violation


def span_over_limit(skill: Skill, violation: Violation) -> Span:
    """Return the part of a text that is over its `maxLength`, or the whole value if escapes hide where that is."""
    span = violation.span
    raw = skill.source[span]
    at = raw.find(str(violation.value))
    return (
        Span(span.start + at + violation.limit, span.start + at + len(str(violation.value)))
        if at >= 0
        else span
    )
