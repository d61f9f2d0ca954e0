"""How does a new skill come into being?

From a template and answers: a `SkillRequest` is checked, rendered, linted, and only then moved into place.
"""

from __future__ import annotations

from skilltool.scaffold.create import (
    NewSkill,
    SkillRequest,
    check_request,
    create_skill,
    default_answer,
    default_runtime,
    skills_directory,
)
from skilltool.scaffold.templates import check_name, open_template, template_names

__all__ = [
    "NewSkill",
    "SkillRequest",
    "check_name",
    "check_request",
    "create_skill",
    "default_answer",
    "default_runtime",
    "open_template",
    "skills_directory",
    "template_names",
]
