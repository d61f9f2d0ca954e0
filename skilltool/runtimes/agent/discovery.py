"""Where do agent-base and document 001 look for skills, and which do they load?

Sources: document 001, "Skill Sources"; `skills/loader.py` of danielscholl/agent-base at 13733a71.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from skilltool.runtimes.agent.manifest import MANIFEST_ERROR, Dialect, Manifest, read
from skilltool.runtimes.agent.toolsets_and_scripts import Extras
from skilltool.runtimes.base import Session
from skilltool.runtimes.loading import bytes_of, children, exists, is_directory, last_wins
from skilltool.runtimes.values import LoadedSkill, Log, Refusal, Refused, ResolvedRoot
from skilltool.skill.skill_file import FILE_NAME

_LOGGER = "agent.skills.loader"
_NO_FILE = f"it has no {FILE_NAME}"
_NO_REGULAR_FILE = f"{FILE_NAME} is not a regular file"


@dataclass(frozen=True, slots=True)
class Edition:
    """How one edition finds and reads skills: its directories, its dialect, its toolsets and scripts."""

    candidates: Callable[[Session], list[Candidate]]
    dialect: Dialect
    extras: Callable[[Path, Manifest], Extras]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A directory with a SKILL.md: its path, that path as the runtime prints it, and the role of its root."""

    directory: Path
    display_path: str
    role: str


def scan(session: Session, edition: Edition) -> None:
    """Fill a session: the last copy of a key wins; an error in listing a root ends loading as a whole."""
    try:
        found = edition.candidates(session)
    except OSError as error:
        session.failure = str(error)
        return
    index: dict[str, LoadedSkill] = {}
    losers: list[LoadedSkill] = []
    for candidate in found:
        outcome = _read_and_log(session, candidate, edition)
        if isinstance(outcome, Refused):
            session.skipped.append(outcome)
            continue
        if outcome.key in index:
            losers.append(index[outcome.key])
        index[outcome.key] = outcome
    session.skills = list(index.values())
    for skill in losers:
        by = index[skill.key]
        if skill.directory != by.directory:
            session.shadowed.append(last_wins(session, by, skill))


def _read_and_log(session: Session, candidate: Candidate, edition: Edition) -> LoadedSkill | Refused:
    """Read one candidate, and log what the runtime logs."""
    try:
        manifest, extras = _read(candidate.directory, edition)
    except Refusal as refusal:
        refused = _refused(candidate, refusal)
        if refused.message is not None:
            session.logs.append(Log("ERROR", _LOGGER, refused.message))
        return refused
    session.logs += extras.logs
    if candidate.role == "bundled" and not _is_on(session, manifest):
        message = f"Skipping bundled skill '{manifest.name}' (default_enabled={manifest.default_enabled})"
        session.logs.append(Log("INFO", _LOGGER, message))
        why = "this bundled skill is disabled, by `default_enabled` or by a setting"
        key = canonical(manifest.name)
        role = candidate.role
        return Refused(candidate.directory, message, why, role, "disabled", key=key, hidden=True)
    counts = f"{len(extras.toolsets)} toolsets, {len(extras.scripts)} scripts"
    line = f"Loaded {candidate.role} skill '{manifest.name}': {counts}"
    session.logs.append(Log("INFO", _LOGGER, line))
    return _skill(candidate, manifest, extras)


def _read(directory: Path, edition: Edition) -> tuple[Manifest, Extras]:
    manifest = read(bytes_of(directory / FILE_NAME), edition.dialect)
    try:
        return manifest, edition.extras(directory, manifest)
    except (OSError, ValueError) as error:
        why = f"`scripts` cannot be listed: {error}"
        raise Refusal(str(error), why, type(error).__name__, str(error)) from None


def _refused(candidate: Candidate, refusal: Refusal) -> Refused:
    message = refusal.message
    if message is not None:
        begin = "Failed to load" if refusal.kind == MANIFEST_ERROR else "Unexpected error loading"
        message = f"{begin} skill from {candidate.display_path}: {message}"
    return Refused(candidate.directory, message, refusal.why, candidate.role, refusal.kind, refusal.library)


def _skill(candidate: Candidate, manifest: Manifest, extras: Extras) -> LoadedSkill:
    extra: dict[str, Any] = {
        "brief": manifest.brief,
        "triggers": manifest.triggers,
        "toolsets": list(extras.toolsets),
        "scripts": list(extras.scripts),
        "declared": manifest.declared,
        "registry": manifest.registry_line,
    }
    return LoadedSkill(
        canonical(manifest.name),
        manifest.name,
        manifest.description,
        candidate.directory,
        manifest.body,
        candidate.role,
        candidate.display_path,
        extra,
    )


def _is_on(session: Session, manifest: Manifest) -> bool:
    key = canonical(manifest.name)
    if key in _names(session.settings["enabled_bundled"]):
        return True
    return key not in _names(session.settings["disabled_bundled"]) and manifest.default_enabled


def _names(value: Any) -> set[str]:
    return {canonical(str(name)) for name in value} if isinstance(value, list) else set()


def canonical(name: str) -> str:
    """Return the form in which names are compared: lower case, hyphens for underscores."""
    return name.lower().replace("_", "-")


def roots_of_document(session: Session) -> list[Candidate]:
    """Return the skill directories of every root, the lowest precedence first; raises OSError."""
    return [candidate for root in session.roots for candidate in _in_root(session, root)]


def bundled_and_plugins(session: Session) -> list[Candidate]:
    """Return the bundled directories, then those in the setting `plugins`, as agent-base; raises OSError."""
    bundled = session.root("bundled")
    found = _in_root(session, bundled) if bundled else []
    bundled_paths = {Path(candidate.display_path) for candidate in found}
    plugins = session.settings["plugins"]
    for plugin in plugins if isinstance(plugins, list) else ():
        if not isinstance(plugin, dict) or not plugin.get("enabled", True):
            continue
        path = _plugin_path(session, plugin)
        directory = session.project / path
        if exists(directory) and exists(directory / FILE_NAME):
            found.append(Candidate(directory, str(path), "bundled" if path in bundled_paths else "plugin"))
            continue
        name, url = plugin.get("name"), plugin.get("git_url")
        message = f"Plugin skill '{name}' not found at {path}. Run: agent skill install {url}"
        session.logs.append(Log("WARNING", _LOGGER, message))
        why = "the plugin is configured but not installed"
        session.skipped.append(Refused(directory, message, why, "plugin"))
    return found


def _plugin_path(session: Session, plugin: dict[str, Any]) -> Path:
    user = session.root("user")
    if plugin.get("installed_path") or user is None:
        return Path(str(plugin.get("installed_path")))
    return user.path / canonical(str(plugin.get("name")))


def _in_root(session: Session, root: ResolvedRoot) -> list[Candidate]:
    """Return the directories of a root that have a SKILL.md; the others are skipped silently."""
    if not exists(root.path):
        return []
    found: list[Candidate] = []
    silent: list[Refused] = []
    for directory in children(root.path):
        if not is_directory(directory):
            continue
        file = directory / FILE_NAME
        # `exists` comes first: it raises if the directory cannot be entered.
        if not exists(file):
            silent.append(Refused(directory, None, _NO_FILE, root.role))
        elif not file.is_file():
            silent.append(Refused(directory, None, _NO_REGULAR_FILE, root.role))
        else:
            found.append(Candidate(directory, str(directory), root.role))
    session.skipped += silent
    session.logs.append(Log("INFO", _LOGGER, f"Auto-discovered {len(found)} {root.role} skills"))
    return found


def load(directory: Path, edition: Edition) -> LoadedSkill | Refused:
    """Return what becomes of one skill directory, whether bundled skills are on or off."""
    candidate = Candidate(directory, str(directory), "")
    try:
        file = directory / FILE_NAME
        if not exists(file) or not file.is_file():
            return Refused(directory, None, _NO_REGULAR_FILE if exists(file) else _NO_FILE)
        return _skill(candidate, *_read(directory, edition))
    except Refusal as refusal:
        return _refused(candidate, refusal)
    except OSError as error:
        return Refused(directory, None, f"nothing can be loaded beside it: {error}")


def parse(raw: bytes, directory: str | None, dialect: Dialect) -> dict[str, Any]:
    """Return the fields of a SKILL.md that the runtime reads, and its body; raises `Refusal`."""
    manifest = read(raw, dialect)
    return {
        "name": manifest.name,
        "description": manifest.description,
        "brief": manifest.brief,
        "triggers": manifest.triggers,
        "default_enabled": manifest.default_enabled,
        "body": manifest.body,
    }


def functions(edition: Edition) -> dict[str, Any]:
    """Return the functions of a `Runtime` that finds and reads skills as this edition does."""
    return {
        "scan": partial(scan, edition=edition),
        "load": partial(load, edition=edition),
        "parse": partial(parse, dialect=edition.dialect),
    }
