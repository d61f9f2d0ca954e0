"""Crush: skills in `.agents/skills`, `.crush/skills` and others, listed as XML and read as files.

Source: `internal/skills/skills.go` and `internal/config/load.go` of charmbracelet/crush at 37f36e93.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from skilltool.emulation import go_yaml_v3
from skilltool.emulation.go import decoded, go_error, quoted
from skilltool.emulation.go_yaml import BOOLS, compose, kind_of, targets
from skilltool.emulation.rust import trim
from skilltool.files.repository import is_repository_root
from skilltool.runtimes.base import Root, Runtime, Session
from skilltool.runtimes.home import user_home_or_none
from skilltool.runtimes.loading import (
    TOO_LARGE,
    anywhere_in,
    copy_name,
    is_directory_here,
    read_bytes,
    skills_in_roots,
)
from skilltool.runtimes.values import (
    LoadedSkill,
    Log,
    Manifest,
    Refusal,
    Refused,
    ResolvedRoot,
    Shadowed,
    not_read,
)
from skilltool.skill import schema
from skilltool.skill.skill_file import FILE_NAME, MAX_BYTES
from skilltool.text.frontmatter.nodes import Alias, BoundError, Mapping, Node, Scalar
from skilltool.text.lazy_pattern import lazy_pattern

_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;"})
_SKILLS, _LOAD = "internal/skills/skills.go", "internal/config/load.go"


_TEXTS = ("name", "description", "license", "compatibility")
_SWITCHES = ("user-invocable", "disable-model-invocation")
_NAME = lazy_pattern(r"[a-zA-Z0-9]+(?:-[a-zA-Z0-9]+)*")
_MOST_BYTES: dict[str, int] = {
    name: field["maxLength"]
    for name, field in schema.load("crush")["properties"].items()
    if "maxLength" in field
}


def split(text: str) -> tuple[str, str]:
    """Return the frontmatter and the body; raises `Refusal`."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    start = next((number for number, line in enumerate(lines) if trim(line)), None)
    if start is None or trim(lines[start]) != "---":
        raise Refusal("no YAML frontmatter found")
    end = next((n for n, line in enumerate(lines[start + 1 :], start + 1) if trim(line) == "---"), None)
    if end is None:
        raise Refusal("unclosed frontmatter")
    return "\n".join(lines[start + 1 : end]), "\n".join(lines[end + 1 :])


def parse(raw: bytes, directory: str | None) -> Manifest:
    """Return what a SKILL.md says, its switches in `fields`; raises `Refusal`."""
    if len(raw) > MAX_BYTES:
        raise Refusal(None, TOO_LARGE)
    block, body = split(decoded(raw))
    try:
        texts = go_yaml_v3.strings(block, _TEXTS, "skills.Skill")
        switches = _other_fields(block)
    except BoundError as error:
        raise not_read(error) from None
    except ValueError as error:
        words = str(error)
        raise Refusal(f"parsing frontmatter: {words}", words, library=words) from None
    fields = {name: texts.get(name, "") for name in _TEXTS}
    if errors := _errors(fields, directory):
        raise Refusal("\n".join(errors), errors[0])
    return Manifest(fields.pop("name"), fields.pop("description"), trim(body), fields | switches)


def _other_fields(block: str) -> dict[str, bool]:
    """Return the switches; raises ValueError, in words that are ours in part, for one that is not a boolean.

    Also for metadata that is not a map of texts.
    """
    root = compose(block, reads_ahead=True)
    if not isinstance(root, Mapping):
        return {}
    bound = targets(root)

    def target(node: Node) -> Node:
        return bound[id(node)] if isinstance(node, Alias) else node

    switches: dict[str, bool] = {}
    for key, value in ((target(key), target(value)) for key, value in root.entries):
        name = key.text if isinstance(key, Scalar) else ""
        kind = kind_of(value, BOOLS) if isinstance(value, Scalar) else "a collection"
        if name in _SWITCHES and kind not in ("bool", "null"):
            raise ValueError(f"yaml: unmarshal errors: cannot unmarshal `{name}` into bool")
        if name in _SWITCHES:
            switches[name] = isinstance(value, Scalar) and value.text.lower() in ("true", "yes", "on", "y")
        elif name == "metadata" and kind != "null" and not _is_map_of_texts(value, target):
            raise ValueError("yaml: unmarshal errors: cannot unmarshal `metadata` into map[string]string")
    return switches


def _is_map_of_texts(node: Node, target: Any) -> bool:
    pairs = node.entries if isinstance(node, Mapping) else None
    return pairs is not None and all(isinstance(target(part), Scalar) for pair in pairs for part in pair)


def _errors(fields: dict[str, str], directory: str | None) -> list[str]:
    name, errors = fields["name"], []
    if not name:
        errors.append("name is required")
    else:
        errors += _over(fields, "name")
        if not _NAME.fullmatch(name):
            words = "name must be alphanumeric with hyphens, no leading/trailing/consecutive hyphens"
            errors.append(words)
        if directory is not None and directory.lower() != name.lower():
            errors.append(f"name {quoted(name)} must match directory {quoted(directory)}")
    errors += _over(fields, "description") if fields["description"] else ["description is required"]
    return errors + _over(fields, "compatibility")


def _over(fields: dict[str, str], name: str) -> list[str]:
    size = len(fields[name].encode("utf-8", "surrogateescape"))
    most = _MOST_BYTES[name]
    return [f"{name} exceeds {most} characters"] if size > most else []


def load(directory: Path) -> LoadedSkill | Refused:
    """Return what becomes of one skill directory."""
    file = directory / FILE_NAME
    if is_directory_here(file) or not os.path.lexists(file):
        return Refused(directory, None, f"it has no {FILE_NAME}")
    try:
        manifest = parse(read_bytes(file), directory.name)
    except OSError as error:
        words = go_error(error, file)
        return Refused(directory, words, f"it cannot be read: {words}")
    except Refusal as refusal:
        return refusal.refused(directory)
    name, description, body = manifest.name, manifest.description, manifest.body
    return LoadedSkill(name, name, description, directory, body, "", str(file), details=manifest)


def summary(skill: LoadedSkill) -> str | None:
    """Return what the listing shows of a skill; None for one that is hidden from the model."""
    hidden = skill.known_as(Manifest).fields.get("disable-model-invocation", False)
    return None if hidden else skill.description


def scan(session: Session) -> None:
    """Fill a session: all roots together in the order of lower-case paths, the last copy of a name wins."""
    session.roots = (*session.roots, *_of_work_tree(session))
    copies = sorted(
        skills_in_roots(session, load, anywhere_in),
        key=lambda skill: (str(skill.directory).lower(), skill.name.lower()),
    )
    session.logs += [
        Log("WARN", "crush", f"Failed to load skill {refused.directory / FILE_NAME}: {refused.message}", True)
        for refused in session.skipped
        if refused.message
    ]
    last_of_name = {skill.name: skill for skill in copies}
    for skill in copies:
        winner = last_of_name[skill.name]
        if winner is skill:
            session.skills.append(skill)
        else:
            named = copy_name(session, winner)
            why = f"the copy whose lowercased path sorts last wins: {named}"
            session.shadowed.append(Shadowed(skill, winner, why))


def _of_work_tree(session: Session) -> list[ResolvedRoot]:
    """Return the project's roots at the top of its repository, if that is above the working directory."""
    above = (parent for parent in session.project.parents if is_repository_root(parent))
    top = None if is_repository_root(session.project) else next(above, None)
    if top is None or (top == user_home_or_none() and not is_directory_here(session.home)):
        return []
    roles = [root for root in session.runtime.roots if root.scope == "project" and root.path_template]
    paths = [(root.role, (root.path_template or "").format(project=top)) for root in roles]
    return [
        ResolvedRoot(f"{role}-above", Path(path), path)
        for role, path in paths
        if is_directory_here(Path(path))
    ]


def catalog(session: Session) -> str | None:
    """Return the listing without the program's own skills; None without skills."""
    if not session.skills:
        return None
    entries = "".join(
        f"  <skill>\n    <name>{skill.name.translate(_ESCAPES)}</name>\n"
        f"    <description>{skill.description.translate(_ESCAPES)}</description>\n"
        f"    <location>{skill.display_path.translate(_ESCAPES)}</location>\n  </skill>\n"
        for skill in session.skills
        if summary(skill) is not None
    )
    return f"<available_skills>\n{entries}</available_skills>"


def content(session: Session, skill: LoadedSkill) -> str | None:
    """Return the whole file, which the model reads; None if it is gone."""
    try:
        return read_bytes(skill.directory / FILE_NAME).decode("utf-8", "replace")
    except (OSError, Refusal):
        return None


CRUSH = Runtime(
    id="crush",
    title="Crush",
    docs="charmbracelet/crush at 37f36e93: internal/skills/skills.go, internal/config/load.go",
    verified="2026-11-22, source: read, not run",
    evidence="source",
    schema="crush",
    roots=(
        Root(role="user", path_template="{home}/.config/crush/skills", scope="user"),
        Root(role="user-config", path_template="{home}/.config/agents/skills", scope="user"),
        Root(role="user-agents", path_template="{home}/.agents/skills", scope="user"),
        Root(role="user-claude", path_template="{home}/.claude/skills", scope="user"),
        Root(role="project-agents", path_template="{project}/.agents/skills"),
        Root(role="project", path_template="{project}/.crush/skills"),
        Root(role="project-claude", path_template="{project}/.claude/skills"),
        Root(role="project-cursor", path_template="{project}/.cursor/skills"),
    ),
    facts={
        "key": "`name` in the frontmatter, which must match the directory's name, case-insensitively",
        "duplicates": "across all skills directories, the copy whose lowercased path sorts last wins",
        "parser": "yaml.v3 between `---` lines; blank lines are allowed before the first `---`; a byte order"
        " mark and carriage returns are removed",
        "arguments": "none",
        "tool": "none; the model reads the file with `view`",
        "loading": "skills are found at any depth, including through linked directories. The listing is "
        "escaped but not truncated. `disable-model-invocation: true` hides a skill",
        "unit": "limits are in UTF-8 bytes; a skill with a field over its limit is not loaded",
        "not known": "which built-in skills are also listed; the text around the listing; how the "
        "user calls a skill that has `user-invocable: true`",
    },
    sources={
        "roots": _LOAD,
        "not known": "not stated in the files that were read",
        **dict.fromkeys(
            ("key", "duplicates", "parser", "arguments", "tool", "loading", "limits", "unit"), _SKILLS
        ),
    },
    scan=scan,
    load=load,
    parse=parse,
    catalog=catalog,
    summary=summary,
    content=content,
)
