"""The files of a skill that have routing cases: prompts, and which skill is to be called for each."""

from __future__ import annotations

from skilltool.skill import routing_cases
from skilltool.skill.model import Skill
from skilltool.skill.routing_cases import KEYS, CaseFile, NotParsedError
from skilltool.skill.routing_files import may_have_cases


def routing_files(skill: Skill) -> list[tuple[str, CaseFile]]:
    """Return the paths of a skill's files with routing cases, under the skill, with what is in them."""
    found = []
    for file in sorted(filter(may_have_cases, skill.tree.files)):
        text = skill.text_of(file)
        if text is None or not any(key in text.source.text for key in KEYS):
            continue
        try:
            read = routing_cases.read(text.source.text, file, skill.frontmatter.text("name") or skill.name)
        except NotParsedError:
            continue
        if read is not None and not read.outcomes:
            found.append((file, read))
    return found
