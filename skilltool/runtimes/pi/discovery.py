"""Where does pi look for skills, in which order, and which copy of a name wins?

Source: `dist/core/package-manager.js` and `dist/core/skills.js` of pi 1.5.2, and records of them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from skilltool.emulation.javascript import node_words
from skilltool.runtimes.base import Session
from skilltool.runtimes.loading import bytes_of, first_wins, is_directory_here, is_file_here, is_here
from skilltool.runtimes.pi import flags, settings_files
from skilltool.runtimes.pi.files import skill_files
from skilltool.runtimes.pi.manifest import read
from skilltool.runtimes.values import SILENTLY, LoadedSkill, Log, Refusal, Refused, ResolvedRoot
from skilltool.skill.skill_file import FILE_NAME

ABOVE = "agents-above"
_UNTRUSTED = "the project is not trusted"
_OFF = "`--no-skills` turns it off"


class Source(NamedTuple):
    """A file that may be a skill: what it belongs to, and whether the settings leave it."""

    file: Path
    role: str
    scope: str
    enabled: bool = True


def scan(session: Session) -> None:
    """Fill a session: the first copy of a name wins; the same file by two paths counts once, silently."""
    given = flags.parsed(session.settings["flags"])
    session.roots = tuple(_roots(session, given))
    files: set[str] = set()
    winners: dict[str, LoadedSkill] = {}
    for source in _sources(session, given):
        real = os.path.realpath(source.file)
        if real in files:
            continue
        files.add(real)
        outcome = _loaded(source.file)
        if not source.enabled:
            why = "the settings of `skills` turn it off"
            session.skipped.append(Refused(source.file.parent, None, why, source.role, hidden=True))
        elif outcome is None:
            continue
        elif isinstance(outcome, Refused):
            session.skipped.append(outcome._replace(role=source.role))
            _warn(session, source.file, outcome.message)
        else:
            _add(session, winners, outcome, source)


def _add(session: Session, winners: dict[str, LoadedSkill], skill: LoadedSkill, source: Source) -> None:
    extra = {**skill.extra, "scope": source.scope}
    skill = skill._replace(role=source.role, extra=extra)
    for warning in skill.extra["warnings"]:
        _warn(session, source.file, warning)
    winner = winners.setdefault(skill.key, skill)
    if winner is skill:
        session.skills.append(skill)
    else:
        session.shadowed.append(first_wins(session, winner, skill))
        _warn(session, source.file, f'name "{skill.key}" collision')


def _warn(session: Session, file: Path, words: str | None) -> None:
    if words is not None:
        session.logs.append(Log("WARNING", "skills", f"{file}: {words}"))


def _roots(session: Session, given: flags.Flags) -> Iterator[ResolvedRoot]:
    """Yield the usual roots, with the `.agents/skills` above the working directory after its own."""
    trusted = session.settings["trust"]
    for root in session.roots:
        is_project = root.role in ("project", "project-agents")
        why = _OFF if given.no_skills else _UNTRUSTED if is_project and not trusted else None
        yield root._replace(unscanned=why)
        if root.role == "project-agents":
            users = session.root("user-agents")
            for path in _above(session.project):
                if users is None or path != users.path:
                    yield ResolvedRoot(ABOVE, path, str(path), why)


def _above(project: Path) -> Iterator[Path]:
    """Yield `.agents/skills` of the directories above, up to one with `.git`, else to the top."""
    chain = [project, *project.parents]
    top = next((each for each in chain if is_here(each / ".git")), chain[-1])
    for each in chain[1:]:
        if top == project:
            return
        yield each / ".agents" / "skills"
        if each == top:
            return


def _sources(session: Session, given: flags.Flags) -> Iterator[Source]:
    """Yield every file in the order in which it counts, a path only once."""
    known: set[Path] = set()
    for source in (*(() if given.no_skills else _usual(session)), *_of_flags(session, given)):
        if source.file not in known:
            known.add(source.file)
            yield source


def _usual(session: Session) -> Iterator[Source]:
    """Yield what the settings add and the roots have: first the project's, then the user's."""
    home = session.home
    for scope, base in (("project", session.project / ".pi"), ("user", home / ".pi" / "agent")):
        is_read = session.settings["trust"] if scope == "project" else session.settings["user_settings"]
        entries = settings_files.entries(base / "settings.json") if is_read else []
        for path in settings_files.added(entries, base, home):
            for file in _files_of(path):
                yield Source(file, "settings", scope, settings_files.is_wanted(file, entries, base))
        for root in session.roots:
            if root.unscanned or (root.role in ("user", "user-agents")) != (scope == "user"):
                continue
            of_agents = root.role not in ("project", "user")
            beside = root.path.parent if of_agents else base
            found = skill_files(root.path, of_agents)
            session.skipped += [_missing(directory, root.role) for directory in found.misnamed]
            for file in found.files:
                yield Source(file, root.role, scope, settings_files.is_enabled(file, entries, beside))


def _of_flags(session: Session, given: flags.Flags) -> Iterator[Source]:
    for text in given.skills:
        path = settings_files.absolute(text, session.project, session.home)
        if not is_here(path):
            _warn(session, path, "skill path does not exist")
        for file in _files_of(path):
            yield Source(file, "--skill", "temporary")


def _files_of(path: Path) -> list[Path]:
    """Return the files of a path that is named: itself, or what a directory has."""
    if is_directory_here(path):
        return skill_files(path, of_agents=False).files
    return [path] if is_file_here(path) and path.suffix == ".md" else []


def _loaded(file: Path) -> LoadedSkill | Refused | None:
    """Return what becomes of a file; None for one that is not called SKILL.md and is not a skill."""
    directory, declared = file.parent, file.name == FILE_NAME
    try:
        raw = bytes_of(file)
        if isinstance(raw, OSError):
            words = node_words(raw, "open", file)
            return Refused(directory, words, f"{file.name} cannot be read: {raw.strerror}")
        found = read(raw, directory.name)
    except Refusal as refusal:
        if not declared and refusal.message is not None:
            return None
        return Refused(directory, refusal.message, refusal.why, library=refusal.library)
    extra = {"file": file, "hidden": found.hidden, "warnings": found.warnings, "scope": "project"}
    return LoadedSkill(found.name, found.name, found.description, directory, found.body, "", str(file), extra)


def load(directory: Path) -> LoadedSkill | Refused:
    """Return what becomes of one skill directory, whatever the settings."""
    file = directory / FILE_NAME
    found = _loaded(file) if is_here(file) else None
    return found or _missing(directory)


def _missing(directory: Path, role: str = "") -> Refused:
    return Refused(directory, None, f"it has no {FILE_NAME} {SILENTLY}", role)
