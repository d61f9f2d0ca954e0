"""Asks a runtime how it reads a skill place by place, with the settings of the skill's project."""

from __future__ import annotations

import re

from skilltool.runtimes.base import Runtime
from skilltool.runtimes.text_map import Circumstances, TextMap, TextMapper
from skilltool.runtimes.values import LoadedSkill, Refusal
from skilltool.skill.model import Skill
from skilltool.text.lazy_pattern import lazy_pattern

# A field of a frontmatter that nobody can read, in the first lines of a file.
_FIELD = lazy_pattern(r"^[ \t]*(?:name|description)[ \t]*:", re.MULTILINE)
_DASHES = lazy_pattern(r"^[ \t>]*(?:-{3,}|\+{3,}|\u2014+)[ \t]*\r?$", re.MULTILINE)
_TEXT = lazy_pattern(r"^(?![ \t]*(?:[A-Za-z_][\w-]*[ \t]*:|[<`~+]|--))[^\n]*\w", re.MULTILINE)
_HEAD = 1_000


def text_map_of(skill: Skill, target: Runtime) -> TextMap | None:
    """Return how the runtime reads the skill's text; None if that was not measured or is over a bound.

    Text that is not UTF-8 is none that it could be asked about: other offsets would be meant.
    """
    close = target.text_mapper
    if close is None or not skill.was_read or skill.source.encoding != "utf-8":
        return None
    return skill.once(_read, close, target.project_roots)


def loses_fields(skill: Skill, target: Runtime) -> bool:
    """Return whether a runtime that was measured reads none of the fields that the author wrote."""
    if target.text_mapper is None or not _has_fields(skill):
        return False
    reading = text_map_of(skill, target)
    return reading is None or not reading.fields


def loses_description(skill: Skill, target: Runtime) -> bool:
    """Return whether a runtime that was measured shows no model the description that it should have.

    That is: the one that was written is not read, or the skill is not listed for want of one.
    """
    if loses_fields(skill, target):
        return True
    reading = text_map_of(skill, target)
    if reading is None or reading.description is not None or not reading.for_model:
        return False
    return reading.listed is None or bool((skill.frontmatter.data or {}).get("description"))


def ends_elsewhere(skill: Skill, target: Runtime) -> bool:
    """Return whether the runtime ends the frontmatter elsewhere, or reads no field: other rules say why."""
    if target.text_mapper is None:
        return False
    reading, closing = text_map_of(skill, target), skill.frontmatter.envelope.closing
    return reading is None or not reading.fields or closing is None or reading.end != closing.start


_WORTH_A_CUT = 200  # characters; what loads less of a shorter description takes something else for its end


def loaded_part(skill: Skill, target: Runtime) -> str | None:
    """Return the part of a long description with which the runtime loads the skill, None for all of it."""
    description = skill.frontmatter.text("description")
    if description is None or len(description) <= _WORTH_A_CUT or target.load is None:
        return None
    loaded = skill.ask(target.load)
    if not isinstance(loaded, LoadedSkill) or not _WORTH_A_CUT <= len(loaded.description) < len(description):
        return None
    part = loaded.description.rstrip(".\u2026")
    return part if description.startswith(part) and description.strip() != loaded.description else None


def _has_fields(skill: Skill) -> bool:
    """Return whether an author wrote fields, if only in what no client takes for frontmatter."""
    broken = any(problem.kind in ("invalid", "not-a-mapping") for problem in skill.frontmatter.problems)
    if skill.frontmatter.data or broken:
        return True
    text = skill.source.text
    field = _FIELD.search(text, 0, _HEAD)
    if field is None:
        return False
    # Below text and no line of dashes it is that of an example: `name: string`.
    return _DASHES.search(text, 0, field.start()) is not None or _TEXT.search(text, 0, field.start()) is None


def _read(skill: Skill, close: TextMapper, roots: tuple[str, ...]) -> TextMap | None:
    around = skill.surroundings
    project = around.project(roots)
    in_plugin = project is None and around.holds_above(close.manifest)
    settings = around.content(project / close.settings_file) if project is not None else None
    try:
        return close.read(
            skill.source.text, Circumstances(skill.name, in_plugin, settings, project is not None)
        )
    except Refusal:
        return None
