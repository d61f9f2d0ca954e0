"""Commands that clients run while a skill is loaded, before the model reads a word of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from skilltool.rules.shared.regions import Regions
from skilltool.skill.model import Skill
from skilltool.text.source import Span

# At the beginning of a line or behind a blank (https://code.claude.com/docs/en/skills, checked 2026-11-21).
_COMMAND = re.compile(r"(?<!\S)!`([^`\r\n]+)`")
_MARK, BLOCK = "!`", "!"  # the info string of a fence that is run as a whole


@dataclass(frozen=True, slots=True)
class Command:
    """A command, where it stands, and whether a code fence holds it that is not run as a whole."""

    text: str
    span: Span
    fenced: bool


def commands(skill: Skill) -> Iterator[Command]:
    """Yield the commands of the body in the order of the text."""
    fences = skill.markdown.fences
    found = [
        Command(fence.text.strip(), fence.opening, fenced=False)
        for fence in fences
        if fence.info == BLOCK and fence.text.strip()
    ]
    blocks = Regions(fence.span for fence in fences if fence.info == BLOCK)
    others = Regions(fence.span for fence in fences if fence.info != BLOCK)
    body = skill.frontmatter.envelope.body
    for match in _COMMAND.finditer(skill.source.text, body.start, body.end):
        if match.start() not in blocks:
            fenced = match.start() in others
            found.append(Command(match[1].strip(), Span(*match.span()), fenced))
    yield from sorted(found, key=lambda command: command.span)
