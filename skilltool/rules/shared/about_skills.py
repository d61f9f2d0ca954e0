"""Recognizing skills about skills, whose bodies show the syntax of skills as examples."""

from __future__ import annotations

import re

from skilltool.skill.model import Skill
from skilltool.skill.skill_file import FILE_NAME
from skilltool.text.lazy_pattern import lazy_pattern

_SUBJECTS = frozenset({"skill", "command", "plugin"})
# What is done with a skill, or what kind of skill it is. `fill-forms-skill` only ends in the word;
# `create-skill` is about skills.
_SKILL_WORK = lazy_pattern(
    r"\b(?:add|author|build|check|convert|creat|demo|design|develop|edit|evaluat|example|find|generat|improv|install"
    r"|lint|mak|manag|new|optimi|packag|publish|review|sampl|scaffold|search|shar|templat|test|updat|upgrad|validat|writ)"
)
_OFTEN = 5  # mentions of SKILL.md in a body that explains how skills are written


def explains_skills(skill: Skill) -> bool:
    """Return whether the skill is about skills, commands or plugins, judged by its name and its mentions of SKILL.md."""
    name = re.sub(r"[_.]", "-", skill.name.lower())
    words = re.split(r"[- ]", name)
    if len(words) > 1 and words[-1] in _SUBJECTS and not _SKILL_WORK.search(name):
        words.pop()
    in_name = not _SUBJECTS.isdisjoint(word.removesuffix("s") for word in words)
    return in_name or skill.body.count(FILE_NAME) >= _OFTEN
