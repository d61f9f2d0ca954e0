"""What does Kimi CLI show of its skills in the system prompt?"""

from __future__ import annotations

from skilltool.runtimes.base import Session
from skilltool.runtimes.kimi_cli.places import EXTRA, PROJECT, USER
from skilltool.runtimes.loading import decoded, read_bytes
from skilltool.runtimes.values import LoadedSkill, Refusal

_HEADINGS = {PROJECT: "Project", USER: "User", EXTRA: "Extra"}


def catalog(session: Session) -> str | None:
    """Return the listing, without the group of the program's own skills, which follows it.

    None if the program does not start.
    """
    if session.failure is not None:
        return None
    groups = []
    for scope, heading in _HEADINGS.items():
        skills = [_entry(skill) for skill in session.skills if skill.extra["scope"] == scope]
        if skills:
            groups.append("\n".join([f"### {heading}", *skills]))
    return "\n\n".join(groups)


def _entry(skill: LoadedSkill) -> str:
    return f"- {skill.name}\n  - Path: {skill.extra['file']}\n  - Description: {skill.description}"


def content(session: Session, skill: LoadedSkill) -> str | None:
    """Return the whole file, as the model reads it at the listed path; None if it cannot be read now."""
    try:
        return decoded(read_bytes(skill.extra["file"]))
    except (OSError, UnicodeDecodeError, Refusal):
        return None
