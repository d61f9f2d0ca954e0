"""Where are the skills of the open specification, and what does its reference library do with one?

Source: the client guide of agentskills.io; `read_properties` and `validate` of skills-ref 0.1.1.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from skilltool.runtimes.agentskills import skills_ref
from skilltool.runtimes.loading import read_bytes
from skilltool.runtimes.values import LoadedSkill, Refusal, Refused


def load_parsed(directory: Path) -> LoadedSkill | Refused:
    """Return what becomes of one skill directory: the library lists whatever it can parse, valid or not."""
    return _load(directory, f"SKILL.md not found in {directory}", lambda _fields, _directory: [])


def load_valid(directory: Path) -> LoadedSkill | Refused:
    """Return what becomes of one skill directory whose client validates it: each error refuses it.

    Several errors are the lines of one message, as `agentskills validate` prints them.
    """
    return _load(directory, skills_ref.NO_FILE, skills_ref.errors_of)


def _load(
    directory: Path, no_file: str, errors_of: Callable[[dict[str, Any], Path], list[str]]
) -> LoadedSkill | Refused:
    try:
        file = skills_ref.skill_file(directory)
        if file is None:
            return Refused(directory, no_file, "it has no SKILL.md")
        fields = skills_ref.parse(read_bytes(file))
        if errors := errors_of(fields, directory):
            return Refused(directory, "\n".join(errors), errors[0], kind="ValidationError")
        name, description = skills_ref.properties(fields)
    except Refusal as refusal:
        message, why = refusal.message, refusal.why
        return Refused(directory, message, why, "", refusal.kind, refusal.library, line=refusal.line)
    except OSError as error:
        return Refused(directory, None, f"SKILL.md cannot be read: {error.strerror}")
    return LoadedSkill(
        name, name, description, directory, fields["body"], display_path=str(directory.resolve())
    )
