"""What becomes of a skill whose client validates it: the validator's errors refuse it, in its words.

Source: `agentskills validate` of skills-ref 0.1.1, which prints the errors of `skills_ref.validate`.
"""

from __future__ import annotations

from pathlib import Path

from skilltool.runtimes.agentskills import skills_ref
from skilltool.runtimes.discovery.file_access import read_bytes
from skilltool.runtimes.values import LoadedSkill, Refusal, Refused


def load(directory: Path) -> LoadedSkill | Refused:
    """Return what becomes of one skill directory: it is loaded if the validator finds no error.

    Several errors are the lines of one message, as the validator prints them.
    """
    try:
        file = skills_ref.skill_file(directory)
        if file is None:
            return Refused(directory, "Missing required file: SKILL.md", "it has no SKILL.md")
        fields = skills_ref.parse(read_bytes(file))
        errors = skills_ref.errors_of(fields, directory)
        if errors:
            return Refused(directory, "\n".join(errors), kind="ValidationError", why=errors[0])
        name, description = skills_ref.properties(fields)
    except Refusal as refusal:
        message, why = refusal.message, refusal.why
        return Refused(directory, message, why, "", refusal.kind, refusal.library, line=refusal.line)
    except OSError as error:
        return Refused(directory, None, f"SKILL.md cannot be read: {error.strerror}")
    return LoadedSkill(
        name, name, description, directory, fields["body"], display_path=str(directory.resolve())
    )
