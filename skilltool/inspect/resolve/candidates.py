"""Every copy that one name could mean, what becomes of it, and why."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from skilltool.runtimes.base import Session
from skilltool.runtimes.discovery.precedence import display_path
from skilltool.runtimes.discovery.scanning import children
from skilltool.runtimes.values import LoadedSkill, Refused, Shadowed
from skilltool.skill.model import load_skill
from skilltool.skill.skill_file import FILE_NAME

_NAME_LINE = re.compile(r"^name:(.*)$", re.MULTILINE)


class Candidate(NamedTuple):
    """A copy that might have answered to a name: where it is, what became of it, and why."""

    directory: Path
    role: str
    outcome: str
    why: str


def candidates(session: Session, name: str) -> list[Candidate]:
    """Return every copy that `name` could mean, in the order of the roots.

    `name` is a key, a name or a folder, and else the path of a skill's directory. Of a copy that is not
    loaded the name is what its file says. All copies of a key that is meant are candidates.
    """
    loaded = [*session.skills, *(lost.skill for lost in session.shadowed)]
    refused = [(each, _called(each)) for each in (*session.skipped, *_unscanned(session))]
    meant = [skill for skill in loaded if name in _names(skill)]
    dropped = [each for each, called in refused if name in called or name == each.directory.name]
    if not meant and not dropped:
        here = Path(name).resolve()
        meant = [skill for skill in loaded if skill.directory.resolve() == here]
        dropped = [each for each, _ in refused if each.directory.resolve() == here]
    keys = {skill.key for skill in meant}
    rivals = keys | {skill.name for skill in meant}
    dropped += [each for each, called in refused if called & rivals and each not in dropped]
    found = [_loaded(session, skill) for skill in session.skills if skill.key in keys]
    found += [_shadowed(lost) for lost in session.shadowed if lost.skill.key in keys]
    found += [_refused(each) for each in dropped]
    roles = [root.role for root in session.roots]
    return sorted(
        found, key=lambda c: (roles.index(c.role) if c.role in roles else len(roles), str(c.directory))
    )


def _names(skill: LoadedSkill) -> set[str]:
    """Return what a person may call a skill; behind the path of a plugin, also its own name."""
    return {skill.key, skill.name, skill.directory.name, skill.key.rpartition("/")[2]}


def _called(refused: Refused) -> set[str]:
    """Return the key that a skill would have, and the name that its file gives, where they are known."""
    return {name for name in (refused.key, _declared(refused.directory)) if name}


def _declared(directory: Path) -> str | None:
    """Return the name that a SKILL.md gives itself, also where its frontmatter is no YAML."""
    try:
        read = load_skill(directory)
    except OSError:
        return None
    if read.frontmatter.data is not None:
        name = read.frontmatter.data.get("name")
        return None if name is None else str(name)
    line = _NAME_LINE.search(read.source.text)
    return line[1].strip(" \t\r\"'") if line else None


def _unscanned(session: Session) -> Iterator[Refused]:
    """Yield the skills in roots that the runtime does not look through, but for those it was sent to."""
    known = {skill.directory for skill in session.skills}
    known |= {lost.skill.directory for lost in session.shadowed} | {
        each.directory for each in session.skipped
    }
    for root in session.roots:
        if not root.unscanned:
            continue
        with suppress(OSError):
            for directory in children(root.path):
                if directory not in known and (directory / FILE_NAME).is_file():
                    yield Refused(
                        directory, None, f"this runtime does not look here: {root.unscanned}", root.role
                    )


def _loaded(session: Session, skill: LoadedSkill) -> Candidate:
    beaten = [lost for lost in session.shadowed if lost.by == skill]
    over = [f"it beats `{display_path(session, lost.skill.directory)}`, since {lost.why}" for lost in beaten]
    reason = "; ".join(over) or f"no other copy that can be loaded has the key `{skill.key}`"
    return Candidate(skill.directory, skill.role, f"loads as `{skill.key}`", reason)


def _shadowed(lost: Shadowed) -> Candidate:
    return Candidate(lost.skill.directory, lost.skill.role, "is shadowed", lost.why)


def _refused(refused: Refused) -> Candidate:
    said, why = refused.message, refused.why
    if said:
        why = said if why in said else f"{why}; the runtime says: {said}"
    return Candidate(refused.directory, refused.role, "is skipped", why)
