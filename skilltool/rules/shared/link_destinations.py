"""Decides where a relative link leads, for the rules about broken links and about links out of the skill."""

from __future__ import annotations

from enum import Enum

from skilltool.rules.shared.link_targets import LocalTarget
from skilltool.skill.model import Skill


class Destination(Enum):
    """Where a link leads."""

    SKILL = "into the skill, whether its target exists or not"
    PACKAGE = "to what exists in the outermost skill around a nested one, and is installed with it"
    SIBLING = "to what exists in another skill of the same root"
    REPOSITORY = "to what exists elsewhere in the repository"
    NOWHERE = "out of the skill, to what does not exist in the repository either"
    OUTSIDE = "to an absolute path, or out of the repository"


def destination(skill: Skill, target: LocalTarget) -> Destination:
    """Return where a link of the body leads."""
    if not target.escapes:
        return Destination.SKILL
    around = skill.surroundings
    path = around.resolve(target.path)
    if path is None:
        return Destination.OUTSIDE
    if not around.exists(path):
        return Destination.NOWHERE
    if path.is_relative_to(around.package):
        return Destination.PACKAGE
    return Destination.SIBLING if around.is_in_sibling(path) else Destination.REPOSITORY
