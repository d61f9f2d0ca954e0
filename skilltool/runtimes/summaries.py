"""How does the listing of a runtime show one skill: whole, cut, or not at all?"""

from __future__ import annotations

from skilltool.runtimes.base import Runtime
from skilltool.runtimes.values import LoadedSkill


def is_listed(runtime: Runtime, skill: LoadedSkill) -> bool:
    """Return whether the listing has the skill at all, whatever the room for it."""
    return runtime.summary is None or runtime.summary(skill) is not None


def is_cut(runtime: Runtime, skill: LoadedSkill) -> bool:
    """Return whether the listing has the skill with less than its description."""
    text = runtime.summary(skill) if runtime.summary is not None else None
    return text is not None and skill.description not in text
