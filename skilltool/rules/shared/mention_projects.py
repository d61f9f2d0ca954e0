"""Tells whether a path that a body mentions is one of the project that the skill works on, not of the skill."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache

from skilltool.rules.shared.mentions import mentions
from skilltool.rules.shared.regions import Regions
from skilltool.skill.model import Skill
from skilltool.skill.skill_file import FILE_NAME
from skilltool.text.source import Span

# The directories of nearly every software project. Commands that name them run in the root of one.
_SOURCES = re.compile(r"(?<![\w./\\:@-])(?:\./)?(src|tests?)/")
# `NAME/scripts/x.py`: the `scripts` of the directory NAME.
_ROOTED = re.compile(r"(?<![\w./\\:@${}<>~%-])([A-Za-z0-9][\w.-]{0,80})/(scripts|assets)/[\w*]")


@lru_cache(maxsize=4)
def project_blocks(skill: Skill) -> Regions:
    """Return the code blocks whose commands run in a project's root.

    One block is run in one directory. It is a project's if a line names `src/` or `tests/`, which the skill does
    not have, and no line names a file that the skill has. A line that names a `scripts/...` does not count: its
    `src/` may be an argument to a script of the skill.
    """
    text, fences = skill.source.text, skill.markdown.fences
    if not any(_SOURCES.search(text, fence.span.start, fence.span.end) for fence in fences):
        return Regions(())
    named = mentions(skill)
    own = [mention.span.start for mention in named if skill.holds(mention.path)]
    starts = [mention.span.start for mention in named]
    return Regions(
        fence.span
        for fence in fences
        if not _any_in(own, fence.span)
        and any(_names_sources(skill, line, starts) for line in _lines(text, fence.span))
    )


def _names_sources(skill: Skill, line: Span, mentioned: list[int]) -> bool:
    found = _SOURCES.search(skill.source.text, line.start, line.end)
    return found is not None and found[1] not in skill.tree.directories and not _any_in(mentioned, line)


def _any_in(offsets: list[int], span: Span) -> bool:
    """Return whether one of the sorted offsets is in `span`."""
    at = bisect_left(offsets, span.start)
    return at < len(offsets) and offsets[at] < span.end


def _lines(text: str, block: Span) -> Iterator[Span]:
    at = block.start
    for line in text[block.start : block.end].splitlines(keepends=True):
        yield Span(at, at + len(line))
        at += len(line)


@lru_cache(maxsize=4)
def project_directories(skill: Skill) -> frozenset[str]:
    """Return which of `scripts` and `assets` are a project's by the body's own words.

    They are if the skill has no such directory, and the body names one below another: `shop/scripts/check.py`.
    """
    text = skill.source.text
    if "/scripts/" not in text and "/assets/" not in text:
        return frozenset()
    found = {
        match[2]
        for match in _ROOTED.finditer(text, skill.frontmatter.envelope.body.start)
        if match[2] not in skill.tree.directories and not _is_skill(skill, match[1])
    }
    return frozenset(found)


def _is_skill(skill: Skill, name: str) -> bool:
    return name in {"skill", skill.name} or skill.exists_above(f"{name}/{FILE_NAME}")
