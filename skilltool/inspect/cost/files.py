"""Which files of a skill does its body name, and how long are they?"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from skilltool.bounds import current_skill
from skilltool.bounds.budget import OverBudgetError
from skilltool.rules.shared.file_links import file_links
from skilltool.rules.shared.mentions import mentions
from skilltool.skill.model import Skill, load_skill
from skilltool.skill.skill_file import FILE_NAME


class NamedFiles(NamedTuple):
    """How many files the body names, the length of those that are text, and how many are not measured."""

    number: int
    size: int
    unmeasured: int


def named_files(directory: Path, measure: Callable[[str], int]) -> NamedFiles | None:
    """Return the files that the body of a skill names; None where there is no skill that can be read."""
    if not (directory / FILE_NAME).is_file() or current_skill.enter(directory):
        return None
    try:
        skill = load_skill(directory)
    except OSError:
        return None
    finally:
        current_skill.leave()
    paths = named_paths(skill)
    try:
        texts = [skill.read_text(path) for path in sorted(paths)]
    except OverBudgetError:
        return None
    readable = [text for text in texts if text is not None and "\0" not in text]
    return NamedFiles(len(texts), sum(map(measure, readable)), len(texts) - len(readable))


def named_paths(skill: Skill) -> frozenset[str]:
    """Return the paths of the files that the body of a skill names, in links or in text."""
    named = {mention.path for mention in mentions(skill)}
    named |= {target.path for _, target in file_links(skill, skill.text) if not target.escapes}
    return skill.tree.files & named - {skill.file_name}
