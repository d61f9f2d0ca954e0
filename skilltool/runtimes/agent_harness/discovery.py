"""Where does agent-harness look for skills, and which does it load, hide or skip?

Source: `src/skills/` (`loader.ts`, `dependencies.ts`, `installer.ts`) of danielscholl/agent-harness at
dba0a19b.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from skilltool.emulation.javascript import node_words
from skilltool.runtimes.agent_harness.manifest import parse
from skilltool.runtimes.base import Session
from skilltool.runtimes.loading import bytes_of, children, is_directory_entry, is_real_directory, last_wins
from skilltool.runtimes.values import LoadedSkill, Refusal, Refused, ResolvedRoot
from skilltool.skill.skill_file import FILE_NAME

IO_ERROR, NOT_FOUND, SECURITY_ERROR = "IO_ERROR", "NOT_FOUND", "SECURITY_ERROR"
_NOT_INSTALLED = "Plugin directory not found. Run 'agent skill install <url>' to install."
_ESCAPES = "Skill directory symlink escapes base directory"
_LAST_PART = re.compile(r"/([^/]+?)(?:\.git)?$(?!\n)")


@dataclass(frozen=True, slots=True)
class _Plugin:
    """A plugin in the settings: the name of its directory, and whether it is enabled."""

    name: str
    enabled: bool


def scan(session: Session) -> None:
    """Fill a session: the last copy of a name wins, at the position of the first."""
    winners: dict[str, LoadedSkill] = {}
    losers: list[LoadedSkill] = []
    for outcome in _outcomes(session):
        if isinstance(outcome, Refused):
            session.skipped.append(outcome)
            continue
        if outcome.key in winners:
            losers.append(winners[outcome.key])
        winners[outcome.key] = outcome
    for skill in losers:
        by = winners[skill.key]
        if skill.directory != by.directory:
            session.shadowed.append(last_wins(session, by, skill))
    for skill in winners.values():
        hidden = _hidden(session, skill)
        if hidden is None:
            session.skills.append(skill)
        else:
            session.skipped.append(
                Refused(skill.directory, None, hidden, skill.role, "hidden", key=skill.key, hidden=True)
            )


def _outcomes(session: Session) -> Iterator[LoadedSkill | Refused]:
    for root in session.roots:
        if root.role == "plugin":
            yield from _plugins(session, root)
        elif root.exists:
            yield from _in_root(session, root)


def _in_root(session: Session, root: ResolvedRoot) -> Iterator[LoadedSkill | Refused]:
    try:
        entries = children(root.path)
    except OSError as error:
        words = node_words(error, "scandir", root.path)
        yield Refused(root.path, words, "the root cannot be listed", root.role, IO_ERROR)
        return
    for directory in entries:
        if not is_directory_entry(directory):
            continue
        if not is_real_directory(directory):
            yield Refused(directory, None, "it is a symbolic link, which is not followed", root.role)
        elif directory.name.startswith(".."):  # which it takes for a path out of the root
            why = "the directory name begins with `..`, like a path out of the root"
            yield Refused(directory, _ESCAPES, why, root.role, SECURITY_ERROR)
        elif not os.access(directory / FILE_NAME, os.R_OK):
            yield Refused(directory, None, f"it has no readable {FILE_NAME}", root.role)
        else:
            yield _marked(session, _loaded(directory, directory.name, root.role))


def _plugins(session: Session, root: ResolvedRoot) -> Iterator[LoadedSkill | Refused]:
    for plugin in _configured(session.settings["plugins"]):
        if not plugin.enabled and not session.settings["include_disabled"]:
            continue
        directory = Path(os.path.normpath(root.path / plugin.name.lstrip("/")))
        if not directory.is_dir():
            why = "the plugin is configured but not installed"
            yield Refused(directory, _NOT_INSTALLED, why, root.role, NOT_FOUND)
            continue
        outcome = _loaded(directory, plugin.name, root.role)
        if isinstance(outcome, LoadedSkill):
            outcome = outcome._replace(extra={**outcome.extra, "disabled": not plugin.enabled})
        yield _marked(session, outcome)


def _configured(plugins: Any) -> Iterator[_Plugin]:
    for plugin in plugins if isinstance(plugins, list) else ():
        if isinstance(plugin, dict):
            found = _LAST_PART.search(str(plugin.get("url", "")))
            named = plugin.get("name")
            fallback = found[1] if found else "unknown-skill"
            yield _Plugin(fallback if named is None else str(named), plugin.get("enabled") is not False)


def _loaded(directory: Path, name: str, role: str) -> LoadedSkill | Refused:
    """Read one directory; `name` is what the name in the frontmatter must equal."""
    file = directory / FILE_NAME
    try:
        raw = bytes_of(file)
        if isinstance(raw, OSError):
            why = f"{FILE_NAME} cannot be read: {raw.strerror}"
            return Refused(directory, node_words(raw, "open", file), why, role, IO_ERROR)
        found = parse(raw, name)
    except Refusal as refusal:
        return Refused(directory, refusal.message, refusal.why, role, refusal.kind, refusal.library)
    manifest = found["manifest"]
    extra = {"source": role, "manifest": manifest}
    return LoadedSkill(
        manifest["name"],
        manifest["name"],
        manifest["description"],
        directory,
        found["body"],
        role,
        str(directory),
        extra,
    )


def _marked(session: Session, outcome: LoadedSkill | Refused) -> LoadedSkill | Refused:
    """Return a loaded skill, marked if it is disabled or if a command that it requires is missing."""
    if isinstance(outcome, Refused):
        return outcome
    marks: dict[str, Any] = {}
    disabled, enabled = (session.settings[name] or [] for name in ("disabled_bundled", "enabled_bundled"))
    if outcome.role == "bundled" and (outcome.key in disabled or (enabled and outcome.key not in enabled)):
        marks["disabled"] = True
    missing = _missing(outcome.extra["manifest"])
    if missing:
        reason = f"missing commands: {', '.join(missing)}"
        marks.update(unavailable=True, unavailableReason=reason)
    return outcome._replace(extra={**outcome.extra, **marks})


def _missing(manifest: dict[str, Any]) -> list[str]:
    """Return the commands in `metadata.requires` that are not on the PATH; none of them is run."""
    required = manifest.get("metadata", {}).get("requires", "")
    return [command for command in required.split() if shutil.which(command) is None]


def _hidden(session: Session, skill: LoadedSkill) -> str | None:
    if skill.extra.get("disabled") and not session.settings["include_disabled"]:
        return "it is disabled by a setting, and still shadows other copies"
    if skill.extra.get("unavailable") and not session.settings["include_unavailable"]:
        return f"{skill.extra['unavailableReason']} (`metadata.requires`)"
    return None


def load(directory: Path) -> LoadedSkill | Refused:
    """Return what becomes of one skill directory, regardless of settings that hide it."""
    if directory.is_symlink():
        return Refused(directory, None, "it is a symbolic link, which is not followed")
    if not os.access(directory / FILE_NAME, os.R_OK):
        return Refused(directory, None, f"it has no readable {FILE_NAME}")
    return _loaded(directory, directory.name, "")
