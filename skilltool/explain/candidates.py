"""Which copies could a name mean, what becomes of each, and why?"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from skilltool.bounds import current_skill
from skilltool.runtimes.base import Session
from skilltool.runtimes.loading import children, copy_name
from skilltool.runtimes.values import LoadedSkill, Refused, Shadowed
from skilltool.skill.model import load_skill
from skilltool.skill.skill_file import FILE_NAME, directory_meant
from skilltool.text.lazy_pattern import lazy_pattern

_NAME_LINE = lazy_pattern(r"^name:(.*)$", re.MULTILINE)

ONLY_COPY = "only copy"


class Candidate(NamedTuple):
    """A copy that a name could mean.

    `role` is that of its root. `outcome` is the predicate of a sentence (`is shadowed`), `why` a clause for
    it.
    """

    directory: Path
    role: str
    outcome: str
    why: str


def candidates(session: Session, name: str) -> list[Candidate]:
    """Return every copy that `name` could mean, in the order of the roots.

    `name` is a key, a name or a directory name, and otherwise the path of a skill directory or of the
    SKILL.md in it. A copy that is not loaded has the name that is in its file. All copies of a matching key
    are candidates.
    """
    loaded = [*session.skills, *(lost.skill for lost in session.shadowed)]
    refused = [(refused, _known_names(refused)) for refused in (*session.skipped, *_unscanned(session))]
    matching = [skill for skill in loaded if name in _names(skill)]
    dropped = [each for each, names in refused if name in names or name == each.directory.name]
    if not matching and not dropped:
        here = os.path.realpath(directory_meant(Path(os.path.abspath(name))))
        matching = [skill for skill in loaded if os.path.realpath(skill.directory) == here]
        dropped = [each for each, _ in refused if os.path.realpath(each.directory) == here]
    keys = {skill.key for skill in matching}
    rivals = keys | {skill.name for skill in matching}
    dropped += [each for each, names in refused if names & rivals and each not in dropped]
    found = [_loaded(session, skill) for skill in session.skills if skill.key in keys]
    found += [_shadowed(lost) for lost in session.shadowed if lost.skill.key in keys]
    found += [_refused(refused) for refused in dropped]
    roles = [root.role for root in session.roots]
    return sorted(
        found, key=lambda c: (roles.index(c.role) if c.role in roles else len(roles), str(c.directory))
    )


def _names(skill: LoadedSkill) -> set[str]:
    """Return what a person may call a skill; for a skill of a plugin, its name without the prefix, too."""
    return {skill.key, skill.name, skill.directory.name, skill.key.rpartition("/")[2]}


def _known_names(refused: Refused) -> set[str]:
    """Return the key that a refused skill would have, and the name in its file, as far as they are known."""
    return {name for name in (refused.key, name_in_file(refused.directory)) if name}


def name_in_file(directory: Path) -> str | None:
    """Return the name in a SKILL.md, even if its frontmatter is not valid YAML; None if it has none."""
    if current_skill.enter(directory):
        return None
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
    """Yield the skills in roots that the runtime does not scan, except those that its settings name."""
    known = {skill.directory for skill in session.skills}
    known |= {lost.skill.directory for lost in session.shadowed} | {
        refused.directory for refused in session.skipped
    }
    for root in session.roots:
        if not root.unscanned:
            continue
        with suppress(OSError):
            for directory in children(root.path):
                if directory not in known and os.path.isfile(directory / FILE_NAME):
                    why = f"this skills directory is not searched: {root.unscanned}"
                    yield Refused(directory, None, why, root.role)


def _loaded(session: Session, skill: LoadedSkill) -> Candidate:
    rivals = [lost for lost in session.shadowed if lost.by == skill and lost.undetermined]
    if rivals:
        others = ", ".join(copy_name(session, lost.skill) for lost in rivals)
        why = f"either it or {others}; {rivals[0].why}"
        return Candidate(skill.directory, skill.role, _by_chance(skill), why)
    losers = [copy_name(session, shadowed.skill) for shadowed in session.shadowed if shadowed.by == skill]
    why = f"it shadows {', '.join(losers)}" if losers else ONLY_COPY
    return Candidate(skill.directory, skill.role, f"loads as `{skill.key}`", why)


def _shadowed(shadowed: Shadowed) -> Candidate:
    outcome = _by_chance(shadowed.skill) if shadowed.undetermined else "is shadowed"
    return Candidate(shadowed.skill.directory, shadowed.skill.role, outcome, shadowed.why)


def _by_chance(skill: LoadedSkill) -> str:
    """Return the outcome of copies of which the runtime may load any."""
    return f"loads as `{skill.key}`, or a different copy does (ambiguous)"


def _refused(refused: Refused) -> Candidate:
    message, why = refused.message, refused.why
    if message:
        why = message if why in message else f"{why}; the runtime reports: {message}"
    return Candidate(refused.directory, refused.role, "is skipped", why)
