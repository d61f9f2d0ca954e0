"""Finds commands that clients run when they load a skill, before the model reads it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from skilltool.rules.shared.regions import Regions
from skilltool.skill.model import Skill
from skilltool.text.source import Span

# At the start of a line or after whitespace (https://code.claude.com/docs/en/skills, checked 2026-11-21).
_COMMAND = re.compile(r"(?<!\S)!`([^`\r\n]+)`")
_BLOCK = "!"  # the info string of a fence that is run as a whole


@dataclass(frozen=True, slots=True)
class LoadTimeCommand:
    """A command that runs at load time; `fenced` if it is in a code fence that is not run as a whole."""

    text: str
    span: Span
    fenced: bool


def load_time_commands(skill: Skill) -> Iterator[LoadTimeCommand]:
    """Yield the load-time commands of the body in the order of the text."""
    fences = skill.markdown.fences
    found = [
        LoadTimeCommand(fence.text.strip(), fence.opening, fenced=False)
        for fence in fences
        if fence.info == _BLOCK and fence.text.strip()
    ]
    blocks = Regions(fence.span for fence in fences if fence.info == _BLOCK)
    others = Regions(fence.span for fence in fences if fence.info != _BLOCK)
    body = skill.frontmatter.envelope.body
    for match in _COMMAND.finditer(skill.source.text, body.start, body.end):
        if match.start() not in blocks:
            fenced = match.start() in others
            found.append(LoadTimeCommand(match[1].strip(), Span(*match.span()), fenced))
    yield from sorted(found, key=lambda command: command.span)
