"""Which skills does Agno load from its directories, and which copy of a name wins?

Source: `agno/skills/agent_skills.py` and `loaders/local.py` of agno 3.1.10, and runs of it;
`agno/skills/validator.py` of agno 3.1.10, and runs of it; `agno/skills/loaders/local.py` of agno 3.1.10,
and runs of it.
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from skilltool.emulation import fence_pattern
from skilltool.emulation.pyyaml import PyYamlError, safe_load
from skilltool.runtimes import loading, values
from skilltool.runtimes.base import Session
from skilltool.runtimes.loading import (
    bytes_of,
    children,
    decoded,
    exists,
    is_directory,
    last_wins,
)
from skilltool.runtimes.values import (
    SILENTLY,
    LoadedSkill,
    LoadingEnded,
    Log,
    Refusal,
    Refused,
    ResolvedRoot,
    not_read,
    without_skill_file,
)
from skilltool.skill import schema
from skilltool.skill.skill_file import FILE_NAME
from skilltool.text.frontmatter.nodes import BoundError

SCHEMA = "agno"
_MARK = "---"


class LoaderError(Exception):
    """An error of the validator itself: the skills of the whole directory are left out, the others load."""


def problems(text: str, directory: str) -> list[str]:
    """Return what the validator says of a text in a directory of this name, empty if it passes.

    Raises `LoaderError`, and `BoundError` for what exceeds skilltool's bounds.
    """
    if not text.startswith(_MARK):
        return ["SKILL.md must start with YAML frontmatter (---)"]
    parts = text.split(_MARK, 2)
    if len(parts) < 3:
        return ["SKILL.md frontmatter not properly closed with ---"]
    try:
        fields = safe_load(parts[1])
    except PyYamlError as error:
        begin = "Invalid YAML in frontmatter" if error.is_yaml else "Error reading SKILL.md"
        return [f"{begin}: {error.text}"]
    if not isinstance(fields, dict):
        return ["SKILL.md frontmatter must be a YAML mapping"]
    return list(_of_fields(fields, directory))


def _of_fields(fields: Mapping[Any, Any], directory: str) -> Iterator[str]:
    allowed = schema.load(SCHEMA)["properties"]
    if extra := [name for name in fields if name not in allowed]:
        try:
            names = ", ".join(sorted(extra))
        except TypeError as error:
            raise LoaderError(str(error)) from None
        yield f"Unexpected fields in frontmatter: {names}. Only {sorted(allowed)} are allowed."
    for name, check in (("name", _of_name), ("description", _of_description)):
        if name not in fields:
            yield f"Missing required field in frontmatter: {name}"
        elif not isinstance(fields[name], str) or not fields[name].strip():
            yield f"Field '{name}' must be a non-empty string"
        else:
            yield from check(fields[name], directory)
    yield from _of_other_fields(fields)


def _of_other_fields(fields: Mapping[Any, Any]) -> Iterator[str]:
    if "compatibility" in fields:
        if not isinstance(fields["compatibility"], str):
            yield "Field 'compatibility' must be a string"
        else:
            yield from _too_long("compatibility", fields["compatibility"])
    if not isinstance(fields.get("license", ""), str):
        yield "Field 'license' must be a string"
    tools = fields.get("allowed-tools", [])
    if not isinstance(tools, list):
        yield "Field 'allowed-tools' must be a list"
    elif not all(isinstance(tool, str) for tool in tools):
        yield "Field 'allowed-tools' must be a list of strings"
    if not isinstance(fields.get("metadata", {}), dict):
        yield "Field 'metadata' must be a dictionary"


def _of_name(given: str, directory: str) -> Iterator[str]:
    name = unicodedata.normalize("NFKC", given.strip())
    most = _limit("name")
    if len(name) > most:
        yield f"Skill name '{name}' exceeds {most} character limit ({len(name)} chars)"
    if name != name.lower():
        yield f"Skill name '{name}' must be lowercase"
    if name.startswith("-") or name.endswith("-"):
        yield "Skill name cannot start or end with a hyphen"
    if "--" in name:
        yield "Skill name cannot contain consecutive hyphens"
    if not all(each.isalnum() or each == "-" for each in name):
        only = "Only letters, digits, and hyphens are allowed."
        yield f"Skill name '{name}' contains invalid characters. {only}"
    normal = unicodedata.normalize("NFKC", directory)
    if normal != name:
        yield f"Directory name '{normal}' must match skill name '{name}'"


def _of_description(text: str, _: str) -> Iterator[str]:
    return _too_long("description", text)


def _too_long(field: str, text: str) -> Iterator[str]:
    most = _limit(field)
    if len(text) > most:
        yield f"{field.title()} exceeds {most} character limit ({len(text)} chars)"


def _limit(field: str) -> int:
    most: int = schema.load(SCHEMA)["properties"][field]["maxLength"]
    return most


INVALID = "SkillValidationError"
_KEPT = ("metadata", "license", "compatibility", "allowed-tools")


class Manifest(NamedTuple):
    """What the loader reads: `name` and `description` of any type, the body, other fields, and warnings."""

    name: Any
    description: Any
    body: str
    fields: Mapping[str, Any] = {}
    warnings: tuple[str, ...] = ()


class Invalid(Refusal):
    """Raised for a skill that the validator refuses, which ends all loading; `problems` has its sentences."""

    def __init__(self, found: list[str]) -> None:
        """Take the sentences, at least one."""
        words = found[0] if len(found) == 1 else f"{len(found)} validation errors: {'; '.join(found)}"
        super().__init__(words, kind=INVALID, library=words if "\n" in words else None)
        self.problems = found


def read(raw: bytes | OSError, directory: str, folder: str, validate: bool = True) -> Manifest:
    """Return what a file says, given its content or the error in its place; raises `Refusal`.

    `directory` is the name of the directory, `folder` its path as messages have it. Raises `Invalid` for what
    the validator refuses, and `LoaderError`.
    """
    try:
        text = decoded(raw)
    except (OSError, UnicodeDecodeError) as error:
        if validate:
            raise Invalid([f"Error reading SKILL.md: {error}"]) from None
        words = f"Error loading skill from {folder}: {error}"
        raise Refusal(words, f"it cannot be read: {error}", library=str(error)) from None
    try:
        if validate and (found := problems(text, directory)):
            raise Invalid(found)
        return _loaded(text, directory, folder)
    except BoundError as error:
        raise not_read(error) from None


def _loaded(text: str, directory: str, folder: str) -> Manifest:
    parts = fence_pattern.split(text, fence_pattern.LINE_START)
    fields: Any = {}
    warnings = []
    if parts is not None:
        try:
            fields = safe_load(parts.inside) or {}
        except PyYamlError as error:
            warnings.append(f"Error parsing YAML frontmatter: {error.text}")
            fields = _by_lines(parts.inside)
    if not isinstance(fields, dict):
        words = f"'{type(fields).__name__}' object has no attribute 'get'"
        why = "the frontmatter is not a mapping"
        raise Refusal(f"Error loading skill from {folder}: {words}", why, library=words)
    name, description = fields.get("name", directory), fields.get("description", "")
    kept = {key: fields[key] for key in _KEPT if fields.get(key) is not None}
    return Manifest(name, description, text if parts is None else parts.body.strip(), kept, tuple(warnings))


def _by_lines(text: str) -> dict[str, str]:
    """Return the fields of text that is not YAML: each line with a colon."""
    pairs = (line.split(":", 1) for line in text.strip().split("\n") if ":" in line)
    return {key.strip(): value.strip().strip('"').strip("'") for key, value in pairs}


def parse(raw: bytes, directory: str | None, validate: bool = True) -> values.Manifest:
    """Return the fields and the body of a SKILL.md; raises `Refusal` with the framework's reason."""
    name = (directory or "").rpartition("/")[2]
    try:
        manifest = read(raw, name, directory or "", validate)
    except LoaderError as error:
        raise Refusal(str(error)) from None
    own = {key.replace("-", "_"): value for key, value in manifest.fields.items() if value}
    own |= {"warnings": list(manifest.warnings)} if manifest.warnings else {}
    return values.Manifest(manifest.name, manifest.description, manifest.body, own)


LOGGER = "agno"
# Stands for the address in memory of an object, which a warning names.
LOADER = "<agno.skills.loaders.local.LocalSkills object at <ADDRESS>>"
SCRIPTS, REFERENCES = "scripts", "references"


class Package(NamedTuple):
    """A skill as its directory has it: `files` are the names of the files in `scripts` and `references`."""

    manifest: Manifest
    files: Mapping[str, list[str]]


def scan(session: Session) -> None:
    """Fill a session: the last copy of a name wins, at the place in the list that the first one had."""
    session.roots = tuple(_roots(session))
    winners: dict[Any, LoadedSkill] = {}
    for root in session.roots:
        _take(session, root, winners)
    session.skills += winners.values()
    session.failure = next(filter(None, map(unsendable, session.skills)), None)


def unsendable(skill: LoadedSkill) -> str | None:
    """Return why no request is sent that lists a skill, None if one is."""
    return loading.unsendable(skill, (skill.name, skill.description))


def _roots(session: Session) -> Iterator[ResolvedRoot]:
    """Yield the directories, links resolved: those of the setting `paths`, else the roots."""
    paths = session.settings["paths"]
    for number, path in enumerate(paths, start=1):
        yield _root(f"root {number}", session.project / str(path), str(path))
    if not paths:
        yield from (_root(root.role, root.path, root.display_path) for root in session.roots)


def _root(role: str, path: Path, shown: str) -> ResolvedRoot:
    return ResolvedRoot(role, Path(os.path.realpath(path)), shown)


def _take(session: Session, root: ResolvedRoot, winners: dict[Any, LoadedSkill]) -> None:
    """Add the skills of one directory; another error than a refusal leaves out all or some of them."""
    try:
        loaded = list(_of_root(session, root))
    except (OSError, LoaderError) as error:
        _warn(session, f"Error loading skills from {LOADER}: {error}")
        return
    for position, skill in enumerate(loaded):
        name = manifest_of(skill).name
        try:
            earlier = winners.get(name)
        except TypeError as error:  # a name that is a list or a mapping
            _warn(session, f"Error loading skills from {LOADER}: {error}")
            why = f"the name of `{skill.directory.name}` ends the loading of its directory {SILENTLY}"
            session.skipped += [Refused(each.directory, None, why, root.role) for each in loaded[position:]]
            return
        if earlier is not None:
            _warn(session, f"Duplicate skill name '{name}', overwriting with newer version")
            session.shadowed.append(last_wins(session, skill, earlier))
        winners[name] = skill


def _warn(session: Session, message: str) -> None:
    session.logs.append(Log("WARNING", LOGGER, message))


def _of_root(session: Session, root: ResolvedRoot) -> Iterator[LoadedSkill]:
    """Yield the skills of one directory, which may be one itself.

    Raises `LoadingEnded`, `LoaderError` and OSError.
    """
    if not exists(root.path):
        raise FileNotFoundError(f"Skills path does not exist: {root.path}")
    if exists(root.path / FILE_NAME):
        directories = [root.path]
    else:
        directories = [child for child in children(root.path) if is_directory(child)]
    for directory in directories:
        if directory != root.path and (without := _without(directory, root.role)):
            session.skipped.append(without)
            continue
        outcome = _package(directory, root.role, session.settings["validate"])
        if isinstance(outcome, Refused):
            session.skipped.append(outcome)
            if outcome.ends_loading:
                raise LoadingEnded(outcome.message)
            if outcome.message is not None:
                _warn(session, outcome.message)
            continue
        for warning in manifest_of(outcome).warnings:
            _warn(session, warning)
        yield outcome


def _without(directory: Path, role: str) -> Refused | None:
    """Return the outcome for a directory that is passed over, None for one that is not."""
    if directory.name.startswith("."):
        return Refused(directory, None, f"its name begins with a dot {SILENTLY}", role)
    if not exists(directory / FILE_NAME):
        return without_skill_file(directory, role)
    return None


def _package(directory: Path, role: str, validate: bool) -> LoadedSkill | Refused:
    """Return what becomes of a directory with a SKILL.md; raises `LoaderError`."""
    try:
        manifest = read(bytes_of(directory / FILE_NAME), directory.name, str(directory), validate)
        files = {name: _files(directory / name) for name in (SCRIPTS, REFERENCES)}
    except OSError as error:
        message = f"Error loading skill from {directory}: {error}"
        return Refused(directory, message, f"it cannot be read: {error.strerror}", role)
    except Invalid as error:
        words = str(error.message)
        return Refused(directory, words, words, role, error.kind, error.library, ends_loading=True)
    except Refusal as refusal:
        return refusal.refused(directory, role)
    package = Package(manifest, files)
    key, description = str(manifest.name), str(manifest.description)
    return LoadedSkill(
        key,
        key,
        description,
        directory,
        manifest.body,
        role,
        str(directory),
        told={SCRIPTS: files[SCRIPTS]},
        details=package,
    )


def _files(directory: Path) -> list[str]:
    """Return the names of the files directly in a directory, sorted, without hidden ones."""
    if not is_directory(directory):
        return []
    found = (path for path in children(directory) if not path.name.startswith("."))
    return sorted(path.name for path in found if path.is_file())


def load(directory: Path) -> LoadedSkill | Refused:
    """Return what becomes of one skill directory, whatever the settings."""
    if not os.path.lexists(directory / FILE_NAME):
        return without_skill_file(directory)
    try:
        return _package(directory, "", validate=True)
    except LoaderError as error:
        why = f"an error of the validator leaves out its whole directory: {error}"
        return Refused(directory, f"Error loading skills from {LOADER}: {error}", why)


def manifest_of(skill: LoadedSkill) -> Manifest:
    """Return what the framework read of a loaded skill."""
    return skill.known_as(Package).manifest
