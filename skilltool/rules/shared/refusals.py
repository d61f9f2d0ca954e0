"""Why and where does a runtime refuse a skill?"""

from __future__ import annotations

import re

from skilltool import runtimes
from skilltool.files.paths import shorten_directory_path
from skilltool.runtimes.values import Refused
from skilltool.skill.model import Skill
from skilltool.text.source import Span

_QUOTED_LINES = ":\n\n"  # what npm's yaml puts before the lines of the file that it shows
_WORD = re.compile(r"[A-Za-z][\w-]*")


def refusal(skill: Skill, name: str) -> Refused | None:
    """Return what the runtime `name` says if it does not load the skill, None if it does or loads none."""
    load = runtimes.get(name).load
    outcome = None if load is None else skill.ask(load)
    return outcome if isinstance(outcome, Refused) else None


def span_of(skill: Skill, refused: Refused) -> Span:
    """Return what is at fault: the line that the runtime names, a field that its words name, else the marker."""
    frontmatter = skill.frontmatter
    if refused.line is not None and refused.line <= skill.source.line_count:
        return skill.source.line_span(skill.source.line_start(refused.line))
    if frontmatter.problems:
        return frontmatter.problems[0].span
    words = (word.lower() for word in _WORD.findall(f"{refused.why} {refused.message or ''}"))
    field = next((word for word in words if word in (frontmatter.data or ())), None)
    return frontmatter.span(field) if field else frontmatter.opening


def reason(refused: Refused) -> str:
    """Return the runtime's own message if it has one, else ours, without the skill's path and quoted lines."""
    message = (refused.message or refused.why).partition(_QUOTED_LINES)[0]
    return shorten_directory_path(message, refused.directory)
