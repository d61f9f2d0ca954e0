"""What a rule is: a module with an id, a group, a severity, a manual and one function."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Protocol

from skilltool.findings.finding import Edit, Finding, Fix, Severity
from skilltool.rules.records import CollectionFinding, Record
from skilltool.runtimes.base import Runtime
from skilltool.skill import schema
from skilltool.skill.model import Skill
from skilltool.skill.schema import Violation
from skilltool.skill.skill_file import FILE_NAME
from skilltool.text.frontmatter import Path
from skilltool.text.frontmatter.nodes import Node, Scalar
from skilltool.text.source import Span

_SUBJECTS = frozenset({"skill", "command", "plugin"})
# What is done with a skill, or what kind of one it is: `create-skill` is about skills, `fill-forms-skill` ends so.
_DEEDS = re.compile(
    r"\b(?:add|author|build|check|convert|creat|demo|design|develop|edit|evaluat|example|find|generat|improv|install"
    r"|lint|mak|manag|new|optimi|packag|publish|review|sampl|scaffold|search|shar|templat|test|updat|upgrad|validat|writ)"
)
_OFTEN = 5  # a skill that names the file of a skill so often explains how skills are written


class About(Protocol):
    """What every rule says of itself; its docstring is its manual."""

    @property
    def __doc__(self) -> str | None:  # type: ignore[override]
        """The manual: a first line, why it matters, `## Bad` and `## Good` examples."""

    @property
    def ID(self) -> str:  # noqa: N802 - a constant of the rule's module
        """The rule's name: the defect, in kebab case; the module has the same name."""

    @property
    def SEVERITY(self) -> Severity:  # noqa: N802 - as above
        """How bad the defect is where the target's profile does not say otherwise."""


class Rule(About, Protocol):
    """A rule about one skill; `suspicion` may have a cheap question that decides whether it is asked."""

    def check(self, skill: Skill, target: Runtime) -> Iterator[Finding]:
        """Yield each defect of `skill` for one target."""


class CollectionRule(About, Protocol):
    """A rule about all the skills of a run; it sees the records in the order of their paths.

    A module may also have `UNANIMOUS = True`: what it finds counts only if every target finds it.
    """

    def check_all(self, records: Sequence[Record], target: Runtime) -> Iterator[CollectionFinding]:
        """Yield each defect for one target."""


def schema_violations(skill: Skill, target: Runtime, *keywords: str) -> Iterator[Violation]:
    """Yield what in the skill's frontmatter breaks one of these keywords of the target's schema."""
    for violation in schema.violations(skill.frontmatter, target.schema):
        if violation.keyword in keywords:
            yield violation


def list_entries(skill: Skill, *keys: str) -> Iterator[tuple[Path, str, Span]]:
    """Yield the texts of the list at `keys` in the frontmatter, each with its path and its place."""
    if skill.frontmatter.data and keys[0] in skill.frontmatter.data:
        for path, scalar in skill.frontmatter.scalars:
            if path[:-1] == keys and isinstance(path[-1], int) and isinstance(scalar.value, str):
                yield path, scalar.value, scalar.span


def explains_skills(skill: Skill) -> bool:
    """Return whether the skill is about skills or commands: what its body shows is an example, and no defect."""
    name = re.sub(r"[_.]", "-", skill.name.lower())
    words = re.split(r"[- ]", name)
    if len(words) > 1 and words[-1] in _SUBJECTS and not _DEEDS.search(name):
        words.pop()
    about_them = not _SUBJECTS.isdisjoint(word.removesuffix("s") for word in words)
    return about_them or skill.body.count(FILE_NAME) >= _OFTEN


def quoting_fix(node: Node | None) -> Fix | None:
    """Return the fix that puts a plain scalar of one line in quotes as it stands; None for null and other nodes."""
    from skilltool.text.frontmatter.quoting import quoted

    if not isinstance(node, Scalar) or not node.plain or node.value is None or "\n" in node.text:
        return None
    return Fix(safe=True, edits=(Edit(node.span.start, node.span.end, quoted(node.text)),))


def span_over_limit(skill: Skill, violation: Violation) -> Span:
    """Return what of a text is beyond the limit it breaks, or all of it where that cannot be told."""
    span = violation.span
    raw = skill.source[span]
    at = raw.find(str(violation.value))
    return (
        Span(span.start + at + violation.limit, span.start + at + len(str(violation.value)))
        if at >= 0
        else span
    )


def span_of_text(skill: Skill, field: str, part: str) -> Span:
    """Return where `part` of a field's text stands in the file, or all of the value if it cannot be told."""
    span = skill.frontmatter.span(field)
    at = skill.source.text.find(part, span.start, span.end)
    return Span(at, at + len(part)) if at >= 0 else span
