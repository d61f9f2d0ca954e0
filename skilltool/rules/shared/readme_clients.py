"""For which clients does the README of a repository say that its skills are? Of clients without a directory of their own."""

from __future__ import annotations

import re

from skilltool.skill.model import Skill
from skilltool.text.lazy_pattern import lazy_pattern

_CLAUDE_AI = r"claude\.ai|claude (?:desktop|apps?)\b|cowork\b"
_ANY = r"(?:npx|pnpx|bunx|dlx) skills\b|agentskills\.io|agent skills (?:specification|standard|format)|\bany (?:agent|client|runtime)"
_FOR_CLAUDE_AI = lazy_pattern(
    rf"{_CLAUDE_AI}|\bupload\w* (?:\S+ ){{0,4}}(?:skills?|zip|\S+\.zip|folder|bundle)\b", re.IGNORECASE
)
_FOR_EITHER = lazy_pattern(rf"copilot|vs ?code|visual studio code|{_CLAUDE_AI}|{_ANY}", re.IGNORECASE)


def is_for_claude_ai(skill: Skill) -> bool:
    """Return whether a README above a skill names claude.ai or an application that takes uploads as it does."""
    return _FOR_CLAUDE_AI.search(skill.surroundings.readmes()) is not None


def is_for_vs_code_or_claude_ai(skill: Skill) -> bool:
    """Return whether a README above a skill names VS Code, claude.ai, or says that any agent can use the skills."""
    return _FOR_EITHER.search(skill.surroundings.readmes()) is not None
