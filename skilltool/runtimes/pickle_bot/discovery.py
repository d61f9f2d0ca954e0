"""Where does pickle-bot look for skills, and which does it load?

Sources: document 003; `skill_loader.py`, `def_loader.py` and `config.py` of czl9707/pickle-bot at the
commits named in the profile.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from skilltool.emulation.pydantic import Problem, error_text
from skilltool.emulation.pyyaml import PyYamlError, safe_load
from skilltool.runtimes.base import Session
from skilltool.runtimes.config_files import apply, ignore, text_of
from skilltool.runtimes.loading import TOO_LARGE, bytes_of, children, exists, is_directory
from skilltool.runtimes.pickle_bot.manifest import SKILL_LOADER, Parsed, Reader, Unfit
from skilltool.runtimes.values import LoadedSkill, Log, Refusal, Refused, ResolvedRoot
from skilltool.skill.read_file import MAX_BYTES
from skilltool.skill.skill_file import FILE_NAME
from skilltool.text.frontmatter.nodes import BoundError

DEFAULT_PATH = "skills"
_PYDANTIC = "2.14"


@dataclass(frozen=True, slots=True)
class Dialect:
    """What differs between the editions in looking for skills.

    `absent` is the log line for a missing root; `logger` logs it, and directories without a SKILL.md.
    `relative_only`: an absolute `skills_path` is an error. `expands_paths`: variables such as
    `{{workspace}}` in a body are replaced. `empty_tool`: the library makes a tool even without skills.
    `config_files` are read in the workspace; later ones override earlier ones.
    """

    reader: Reader
    absent: str = "Skills directory not found: {path}"
    logger: str = SKILL_LOADER
    relative_only: bool = False
    expands_paths: bool = False
    empty_tool: bool = True
    config_files: tuple[str, ...] = ("config.system.yaml", "config.user.yaml")


@dataclass(slots=True)
class Found:
    """The result of one scan of the root."""

    skills: list[LoadedSkill] = field(default_factory=list)
    skipped: list[Refused] = field(default_factory=list)
    logs: list[Log] = field(default_factory=list)


def scan(session: Session, dialect: Dialect) -> None:
    """Fill a session; an error in the configuration, or in listing the root, ends loading as a whole."""
    path, failure = skills_path(session, dialect)
    session.memory["path"] = path
    session.roots = tuple(
        ResolvedRoot(root.role, path, str(path)) if root.role == "user" else root for root in session.roots
    )
    try:
        found = Found() if failure else scan_root(session, dialect)
    except OSError as error:
        found, failure = Found(), str(error)
    session.failure = failure
    if not session.settings["allow_skills"]:
        why = "skills are disabled: the setting `allow_skills` is not true"
        off = [Refused(skill.directory, None, why, skill.role, key=skill.key) for skill in found.skills]
        found = Found(skipped=[*off, *found.skipped])
    session.skills, session.skipped = found.skills, found.skipped
    session.logs += found.logs
    empty = dialect.empty_tool and session.level == "class"
    session.memory["registered"] = bool(found.skills) or (empty and not failure)


def scan_root(session: Session, dialect: Dialect) -> Found:
    """Scan the root as it is now; raises OSError where the runtime does."""
    path: Path = session.memory["path"]
    found = Found()
    if not exists(path):
        found.logs.append(Log("WARNING", dialect.logger, dialect.absent.format(path=path)))
        return found
    expand = path_expander(session) if dialect.expands_paths else str
    for directory in children(path):
        if is_directory(directory):
            _add(found, directory, dialect, expand)
    return found


def _add(found: Found, directory: Path, dialect: Dialect, expand: Callable[[str], str]) -> None:
    outcome, logger = load_directory(directory, dialect, expand)
    if isinstance(outcome, LoadedSkill):
        found.skills.append(outcome)
        return
    found.skipped.append(outcome)
    if outcome.message is not None:
        found.logs.append(Log("WARNING", logger, outcome.message))


def load_directory(
    directory: Path, dialect: Dialect, expand: Callable[[str], str] = str
) -> tuple[LoadedSkill | Refused, str]:
    """Return what becomes of one directory, and the logger that logs it.

    Raises OSError where the runtime does.
    """
    file = directory / FILE_NAME
    if not exists(file):
        message = f"No {FILE_NAME} found in {directory.name}"
        return Refused(directory, message, f"it has no {FILE_NAME}", "user"), dialect.logger
    try:
        parsed = dialect.reader(bytes_of(file), directory.name, str(file))
    except Refusal as refusal:
        refused = Refused(directory, refusal.message, refusal.why, "user", library=refusal.library)
        return refused, refusal.logger if isinstance(refusal, Unfit) else dialect.logger
    return _skill(directory, replace(parsed, body=expand(parsed.body))), dialect.logger


def _skill(directory: Path, parsed: Parsed) -> LoadedSkill:
    return LoadedSkill(
        directory.name, parsed.name, parsed.description, directory, parsed.body, "user", str(directory)
    )


def load(directory: Path, dialect: Dialect) -> LoadedSkill | Refused:
    """Return what becomes of one skill directory; its body keeps variables such as `{{workspace}}`."""
    try:
        return load_directory(directory, dialect)[0]
    except OSError as error:
        return Refused(directory, None, f"it stops all skills from loading: {error}", "user")


def parse(raw: bytes, directory: str | None, dialect: Dialect) -> dict[str, Any]:
    """Return name, description and body of a SKILL.md in a directory with this name; raises `Refusal`."""
    folder = directory or ""
    if len(raw) > MAX_BYTES:
        raise Refusal(None, TOO_LARGE)
    try:
        parsed = dialect.reader(raw, folder, f"{folder}/{FILE_NAME}" if folder else FILE_NAME)
    except Unfit as unfit:
        raise Refusal(unfit.message, unfit.why, library=unfit.library) from None
    return {"name": parsed.name, "description": parsed.description, "body": parsed.body}


def workspace(session: Session) -> Path:
    """Return the directory in which pickle-bot keeps its configuration and everything else."""
    return session.home / ".pickle-bot"


def skills_path(session: Session, dialect: Dialect) -> tuple[Path, str | None]:
    """Return the root that `skills_path` names, relative to the workspace, and the error if it is invalid."""
    root = session.root("user")
    usual = root.path if root else workspace(session) / DEFAULT_PATH
    given = session.settings["skills_path"]
    if usual == workspace(session) / DEFAULT_PATH and "skills_path" not in session.chosen:
        given = _configured_path(session, dialect, given)
    if not isinstance(given, str):
        problem = Problem(("skills_path",), "path_type", "Input is not a valid path", given)
        return usual, error_text("Config", [problem], _PYDANTIC)
    path = Path(given)
    if dialect.relative_only and path.is_absolute():
        message = f"Value error, skills_path must be relative, got: {path}"
        config = {"workspace": workspace(session), "skills_path": given}
        return usual, error_text("Config", [Problem((), "value_error", message, config)], _PYDANTIC)
    return (usual if given == DEFAULT_PATH else workspace(session) / path), None


def _configured_path(session: Session, dialect: Dialect, default: Any) -> Any:
    """Return the `skills_path` of the configuration files, of any type, else the default."""
    path = default
    for name in dialect.config_files if session.settings["user_settings"] else ():
        file = workspace(session) / name
        text = text_of(session, file)
        try:
            values = (text and safe_load(text, {"skills_path"})) or {}
        except (PyYamlError, BoundError):
            ignore(session, file, "it is not valid YAML")
            continue
        if not isinstance(values, Mapping):
            ignore(session, file, "it is not a mapping")
        elif "skills_path" in values and not _can_be_path(values["skills_path"]):
            ignore(session, file, "`skills_path` is not a path")
        else:
            path = values.get("skills_path", path)
    if isinstance(path, str):
        apply(session, {"skills_path": path})
    return path


def _can_be_path(value: Any) -> bool:
    """Return whether the operating system takes a text for a path; pydantic rejects what is not a text."""
    try:
        return not isinstance(value, str) or b"\0" not in os.fsencode(value)
    except UnicodeEncodeError:
        return False


def path_expander(session: Session) -> Callable[[str], str]:
    """Return a function that replaces the variables in a body with the paths they stand for."""
    home, skills = workspace(session), session.memory["path"]
    values = {
        "workspace": home,
        "agents_path": home / "agents",
        "skills_path": skills,
        "crons_path": home / "crons",
        "memories_path": home / "memories",
        "history_path": home / ".history",
    }

    def expand(text: str) -> str:
        for name, path in values.items():
            text = text.replace(f"{{{{{name}}}}}", str(path))
        return text

    return expand
