"""Which skills does OpenHands load when a conversation starts, and which copy of a name wins?

Source: `load_user_skills` and `load_project_skills` in `openhands/sdk/skills/skill.py` of openhands-sdk
1.58.0, and runs of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from skilltool.runtimes.base import Session
from skilltool.runtimes.loading import first_wins, is_directory_here, is_here, last_wins, read_bytes
from skilltool.runtimes.openhands import files, places
from skilltool.runtimes.openhands.entry import PATH, Entry, Trigger, entry_of, skill_of
from skilltool.runtimes.openhands.listing import first_line
from skilltool.runtimes.openhands.manifest import Read, read_file
from skilltool.runtimes.values import (
    SILENTLY,
    LoadedSkill,
    Log,
    Refusal,
    Refused,
    ResolvedRoot,
    unlistable_root,
)
from skilltool.skill.skill_file import FILE_NAME

LOGGER = "openhands.sdk.skills.skill"
# The role of files of other clients, which lie in no root.
_INSTRUCTIONS = "instructions"


def scan(session: Session) -> None:
    """Fill a session: the project's skills, then those of the user whose names are free.

    The user's are loaded twice, as the program does, so what is logged about them stands twice.
    """
    user, project = _Loading(session), _Loading(session)
    if session.settings["load_user"]:
        user.roots("user skills", places.user_roots(session))
        user.installed()
        session.logs *= 2
    if session.settings["load_project"]:
        project.project()
    scanned = (*project.scanned, *user.scanned)
    session.roots = (*scanned, *(root for root in session.roots if root not in scanned))
    disabled = set(session.settings["disabled_skills"])
    for skill in (*project.found.values(), *user.found.values()):
        winner = project.found.get(skill.key, skill)
        if winner is not skill:
            session.shadowed.append(first_wins(session, winner, skill))
        elif skill.key in disabled:
            why = "the setting `disabled_skills` names it"
            session.skipped.append(
                Refused(skill.directory, None, why, skill.role, key=skill.key, hidden=True)
            )
        else:
            session.skills.append(skill)


class _Loading:
    """The skills of the user, or those of a project, while they are collected: the first copy wins."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.found: dict[str, LoadedSkill] = {}
        self.scanned: list[ResolvedRoot] = []

    def warn(self, message: str) -> None:
        self.session.logs.append(Log("WARNING", LOGGER, message))

    def project(self) -> None:
        """Collect the skills of the project: files of other clients first, then the roots."""
        session = self.session
        try:
            for directory in places.search_roots(session.project):
                for file in files.third_party(directory):
                    self.take(skill_at(file, _INSTRUCTIONS))
            if session.settings["nested_rules"]:
                for file in files.nested_third_party(session.project):
                    self.take(_rule(session, file))
        except Refusal as refusal:  # a file that is not UTF-8 ends the loading of the project's skills
            self.warn(f"Failed to load project skills: {refusal.message}")
            self.found.clear()
            return
        self.roots("project skills", places.project_roots(session))

    def roots(self, label: str, roots: Iterable[ResolvedRoot]) -> None:
        """Collect the skills of each root that exists."""
        for root in roots:
            self.scanned.append(root)
            if not is_here(root.path):
                continue
            try:
                skills = self.in_root(root)
            except OSError as error:
                self.session.skipped.append(unlistable_root(root, error))
                self.warn(f"Failed to load {label} from {root.path}: {error}")
                continue
            for skill in skills:
                self.take(skill, f"Skipping duplicate skill '{skill.key}' from {root.path}")

    def take(self, skill: LoadedSkill, warning: str | None = None) -> None:
        """Add a skill if its name is free."""
        winner = self.found.setdefault(skill.key, skill)
        if winner is not skill:
            self.session.shadowed.append(first_wins(self.session, winner, skill))
            if warning is not None:
                self.warn(warning)

    def installed(self) -> None:
        """Collect the packages that were installed; what is wrong with one is not logged."""
        root = self.session.root(places.INSTALLED)
        if root is None or not is_directory_here(root.path):
            return
        self.scanned.append(root)
        for directory, file in files.packages(root.path):
            try:
                if file is not None:
                    self.take(skill_at(file, root.role))
            except (Refusal, OSError) as error:
                self.session.skipped.append(_refused(directory, error, root.role, None))

    def in_root(self, root: ResolvedRoot) -> list[LoadedSkill]:
        """Return the skills of one root: those always on, those with triggers, packages; raises OSError.

        Of two single files of the same kind and name the last one counts, at the position of the first.
        """
        packages = list(files.packages(root.path))
        without = {directory for directory, file in packages if file is not None}
        installed = self.session.root(places.INSTALLED)
        singles = files.single_files(root.path, {*without, *([installed.path] if installed else [])})
        kinds: dict[str, dict[str, LoadedSkill]] = {"repo": {}, "knowledge": {}, "agentskills": {}}
        with_singles = {parent for path in singles for parent in path.parents}
        listed = [(directory, file) for directory, file in packages if directory not in with_singles]
        for directory, file in [*listed, *((path.parent, path) for path in singles)]:
            skill = self.read(directory, file, root)
            if skill is None:
                continue
            same = kinds[entry_of(skill).kind]
            if skill.key in same:
                self.session.shadowed.append(last_wins(self.session, skill, same[skill.key]))
            same[skill.key] = skill
        return [skill for same in kinds.values() for skill in same.values()]

    def read(self, directory: Path, file: Path | None, root: ResolvedRoot) -> LoadedSkill | None:
        """Return the skill of a file; what is not loaded is noted in the session."""
        if file is None:
            self.session.skipped.append(_without_file(directory, root.role))
            return None
        try:
            found = read_file(file, read_bytes(file), root.role, root.path)
        except (Refusal, OSError) as error:
            message = f"Failed to load skill from {file}: {_words(error)}"
            refused = _refused(directory, error, root.role, message)
            if refused.message is not None:
                self.warn(message)
            if file.name.lower() == FILE_NAME.lower() or refused.not_read:
                self.session.skipped.append(refused)
            return None
        for warning in found.warnings:
            self.warn(warning)
        return _skill(found)


def skill_at(file: Path, role: str) -> LoadedSkill:
    """Return the skill of one file; raises `Refusal` and OSError."""
    return _skill(read_file(file, read_bytes(file), role))


def _skill(found: Read) -> LoadedSkill:
    return skill_of(found.entry, first_line(found.entry.body))


def _rule(session: Session, file: Path) -> LoadedSkill:
    """Return the rule that a file of another client is for the files of its directory."""
    entry = entry_of(skill_at(file, _INSTRUCTIONS))
    below = file.parent.relative_to(session.project).as_posix()
    trigger = Trigger(PATH, (f"{below}/**",))
    rule: Entry = entry._replace(name=f"{entry.name}:{below}", trigger=trigger, hidden=True)
    return skill_of(rule, "")


def _words(error: Refusal | OSError) -> str | None:
    return error.message if isinstance(error, Refusal) else str(error)


def _refused(directory: Path, error: Refusal | OSError, role: str, message: str | None) -> Refused:
    if isinstance(error, OSError):
        return Refused(directory, message, f"{FILE_NAME} cannot be read: {error.strerror}", role)
    told = None if error.message is None else message
    return Refused(directory, told, error.why, role, error.kind, error.library)


def _without_file(directory: Path, role: str) -> Refused:
    what = f"it has no {FILE_NAME}" if is_directory_here(directory) else "it is a link to nothing"
    if is_here(directory / FILE_NAME):
        what = f"{FILE_NAME} is not a regular file"
    return Refused(directory, None, f"{what} {SILENTLY}", role)


def load(directory: Path) -> LoadedSkill | Refused:
    """Return what becomes of one skill directory, whatever the settings."""
    try:
        file = files.skill_file(directory)
        if file is None:
            return _without_file(directory, "")
        return skill_at(file, "")
    except (Refusal, OSError) as error:
        return _refused(
            directory, error, "", f"Failed to load skill from {directory / FILE_NAME}: {_words(error)}"
        )
