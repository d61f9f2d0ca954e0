"""Whether a skill is about skills, so that the defects in its body are examples."""

from __future__ import annotations

import re

from skilltool.skill.model import Skill
from skilltool.skill.skill_file import FILE_NAME

_SUBJECTS = frozenset({"skill", "command", "plugin"})
# What is done with a skill, or what kind of one it is: `create-skill` is about skills, `fill-forms-skill` ends so.
_DEEDS = re.compile(
    r"\b(?:add|author|build|check|convert|creat|demo|design|develop|edit|evaluat|example|find|generat|improv|install"
    r"|lint|mak|manag|new|optimi|packag|publish|review|sampl|scaffold|search|shar|templat|test|updat|upgrad|validat|writ)"
)
_OFTEN = 5  # a skill that names the file of a skill so often explains how skills are written


def explains_skills(skill: Skill) -> bool:
    """Return whether the skill is about skills or commands: what its body shows is an example, and no defect."""
    name = re.sub(r"[_.]", "-", skill.name.lower())
    words = re.split(r"[- ]", name)
    if len(words) > 1 and words[-1] in _SUBJECTS and not _DEEDS.search(name):
        words.pop()
    about_them = not _SUBJECTS.isdisjoint(word.removesuffix("s") for word in words)
    return about_them or skill.body.count(FILE_NAME) >= _OFTEN
