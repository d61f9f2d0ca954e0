"""goose: skills in `.agents/skills`, `.goose/skills` and others, called with the tool `load_skill`.

Source, all in `crates/goose/src` of block/goose: `skills/client.rs` at 0d2074cc, `skills/mod.rs` at 013ab848,
and `parse_frontmatter` in `sources.rs`.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from skilltool.emulation import rust
from skilltool.emulation.serde_yaml import MAP, STRING, TEXT, SerdeYamlError, Struct, read
from skilltool.findings.finding import Severity
from skilltool.runtimes.base import ARGUMENTS, POSITION, Root, Runtime, Session
from skilltool.runtimes.fixed_text import unmeasured_text
from skilltool.runtimes.loading import (
    TOO_LARGE,
    anywhere_in,
    is_directory_here,
    is_file_here,
    is_here,
    names,
    read_bytes,
    scan_roots,
)
from skilltool.runtimes.values import (
    SILENTLY,
    LoadedSkill,
    Log,
    Manifest,
    Refusal,
    Refused,
    Result,
    not_read,
    without_skill_file,
)
from skilltool.skill.skill_file import FILE_NAME, MAX_BYTES
from skilltool.text.frontmatter.nodes import BoundError, Node, Scalar, Sequence
from skilltool.text.lazy_pattern import lazy_pattern

_MOD, _CLIENT = "crates/goose/src/skills/mod.rs", "crates/goose/src/skills/client.rs"


_NOT_ENTERED = frozenset({".git", ".hg", ".svn"})
_FIELDS = Struct("SkillFrontmatter", {"name": TEXT, "description": STRING, "metadata": MAP})
_DASHES = "---"


def parse(raw: bytes, directory: str | None) -> Manifest:
    """Return what a SKILL.md says, the names of its arguments in `fields`; raises `Refusal`."""
    if len(raw) > MAX_BYTES:
        raise Refusal(None, TOO_LARGE)
    try:
        parts = raw.decode("utf-8").split(_DASHES)
    except UnicodeDecodeError as error:
        raise Refusal("stream did not contain valid UTF-8", f"byte {error.start} is not UTF-8") from None
    if len(parts) < 3:
        raise Refusal(None, f"it does not have `{_DASHES}` twice {SILENTLY}")
    try:
        fields = read(rust.trim(parts[1]), _FIELDS)
    except BoundError as error:
        raise not_read(error) from None
    except SerdeYamlError as error:
        words = str(error)
        raise Refusal(f"Failed to parse skill frontmatter: {words}", words, library=words) from None
    name = fields.get("name")
    if not name:
        raise Refusal(f"Skill at '{directory}' is missing a required 'name' in frontmatter, skipping")
    if "/" in name:
        raise Refusal(f"Skill name '{name}' contains '/', skipping")
    arguments = _names(fields.get("metadata", {}).get("arguments"))
    body = rust.trim(_DASHES.join(parts[2:]))
    return Manifest(name, fields.get("description") or "", body, {"arguments": arguments})


def _names(node: Node | None) -> list[str]:
    """Return the texts in a list; numbers and the like are none."""
    items = node.items if isinstance(node, Sequence) else ()
    return [
        item.text for item in items if isinstance(item, Scalar) and isinstance(item.value, str) and item.text
    ]


def load(directory: Path) -> LoadedSkill | Refused:
    """Return what becomes of one skill directory."""
    file = directory / FILE_NAME
    if not is_here(file) or is_directory_here(file):
        return without_skill_file(directory)
    real = directory.resolve()
    try:
        manifest = parse(read_bytes(file), str(real))
    except OSError as error:
        words = rust.io_error(error)
        return Refused(directory, f"Failed to read skill file {file}: {words}", f"it cannot be read: {words}")
    except Refusal as refusal:
        return refusal.refused(directory)
    name, description, body = manifest.name, manifest.description, manifest.body
    return LoadedSkill(name, name, description, directory, body, "", str(real), details=manifest)


def scan(session: Session) -> None:
    """Fill a session: each root at any depth, the first copy of a name wins."""
    find = partial(anywhere_in, passed_over=_NOT_ENTERED)
    scan_roots(session, load, find)
    messages = [refused.message for refused in session.skipped if refused.message]
    session.logs += [Log("WARN", "goose", message, True) for message in messages]


_HEADING = (
    "\n\nYou have these skills at your disposal, when it is clear they can help you solve a problem or you "
    "are asked to use them:"
)
_PLACEHOLDER = lazy_pattern(
    r"\$ARGUMENTS\[(?P<index>[0-9]{1,9})\]|\$ARGUMENTS\b|\$(?P<position>[0-9]{1,9})"
    r"|\$(?P<name>[A-Za-z_][A-Za-z0-9_-]*)"
)
_MOST_NAMED, _MOST_SUGGESTED, _MOST_FILES = 10, 3, 2_000


def catalog(session: Session) -> str | None:
    """Return the listing without the program's own skills; None without any."""
    if not session.skills:
        return None
    ordered = sorted(session.skills, key=lambda skill: (skill.name, skill.display_path))
    return _HEADING + "".join(f"\n• {skill.name} - {skill.description}" for skill in ordered)


def tool(session: Session) -> dict[str, Any]:
    """Return the definition of the tool, which is the same with any skills."""
    text = {"type": "string", "description": unmeasured_text()}
    schema = {"type": "object", "required": ["name"], "properties": {"name": text, "args": text}}
    return {"name": "load_skill", "description": unmeasured_text(), "inputSchema": schema}


def call(session: Session, arguments: Mapping[str, Any] | str, tool: str | None) -> Result:
    """Answer a call of `load_skill`."""
    if tool not in (None, "load_skill"):
        return Result(f"Unknown tool: {tool}", is_error=True)
    given = _parsed(arguments)
    name, args = given.get("name"), given.get("args")
    if not isinstance(name, str) or not name:
        return Result("Missing required parameter: name", is_error=True)
    if (skill := session.find(name)) is not None:
        try:
            return Result(_loaded(skill, args if isinstance(args, str) else None))
        except ValueError:
            return Result(f"Failed to parse skill arguments: {unmeasured_text()}", is_error=True)
    parent, slash, path = name.partition("/")
    if slash and (skill := session.find(parent)) is not None:
        return _file(skill, name, path.replace("\\", "/"))
    low = name.lower()
    near = [skill.key for skill in session.skills if low in skill.key.lower() or skill.key.lower() in low]
    hint = f" Did you mean: {', '.join(near[:_MOST_SUGGESTED])}?" if near else ""
    return Result(f"Skill '{name}' not found.{hint}", is_error=True)


def _parsed(arguments: Mapping[str, Any] | str) -> Mapping[str, Any]:
    if not isinstance(arguments, str):
        return arguments
    try:
        found = json.loads(arguments)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _loaded(skill: LoadedSkill, args: str | None) -> str:
    """Return the text of a skill with its arguments; raises ValueError for a quote that is never closed."""
    body = (
        skill.body if args is None else filled(skill.body, args, skill.known_as(Manifest).fields["arguments"])
    )
    text = f"# Loaded Skill: {skill.name} (skill)\n\n{skill.description}\n\n## Content\n\n{body}\n"
    if not (files := _files(skill)):
        return text
    top = skill.display_path
    name = skill.name
    rows = "".join(f'- {file} → {top}/{file} (load_skill(name: "{name}/{file}"))\n' for file in files)
    return (
        f"{text}\n## Supporting Files\n\nSkill directory: {top}\n\nRelative paths in this skill resolve "
        "from the skill directory. The shell tool runs in the session working directory, so use the resolved "
        f"path below or `cd` into the skill directory before running supporting scripts.\n\n{rows}"
    )


def filled(body: str, args: str, parameters: list[str]) -> str:
    """Return a body with its placeholders replaced; without any, the arguments go to its end.

    `$1` and `$ARGUMENTS[0]` are the first word, a word that is missing is empty, and so is `$0`. Raises
    ValueError for a quote that is never closed.
    """
    words = shlex.split(args)
    found = False

    def value(match: re.Match[str]) -> str:
        nonlocal found
        if match["name"] is not None and match["name"] not in parameters:
            return match[0]
        found = True
        if match["name"] is not None:
            at = parameters.index(match["name"])
        elif match["position"] is not None:
            at = int(match["position"]) - 1
        elif match["index"] is not None:
            at = int(match["index"])
        else:
            return args
        return words[at] if 0 <= at < len(words) else ""

    text = _PLACEHOLDER.sub(value, body)
    return text if found else f"{body}\n\nARGUMENTS: {args}"


def _files(skill: LoadedSkill) -> list[str]:
    """Return the paths of the files of a skill, without skills inside it; goose does not sort them."""
    found: list[str] = []
    visited: set[Path] = set()
    waiting = [(skill.directory, "")]
    while waiting and len(found) < _MOST_FILES:
        directory, prefix = waiting.pop(0)
        if (real := directory.resolve()) in visited:
            continue
        visited.add(real)
        try:
            listed = names(directory)
        except OSError:
            continue
        for name in listed:
            path = directory / name
            if is_directory_here(path) and name not in _NOT_ENTERED and not is_file_here(path / FILE_NAME):
                waiting.append((path, f"{prefix}{name}/"))
            elif is_file_here(path) and name != FILE_NAME:
                found.append(f"{prefix}{name}")
    return found


def _file(skill: LoadedSkill, name: str, path: str) -> Result:
    files = _files(skill)
    if path not in files:
        some = ", ".join(files[:_MOST_NAMED])
        text = f"File '{name}' not found. Available: {some}"
        return Result(text if files else f"Skill '{skill.name}' has no supporting files.", is_error=True)
    file = skill.directory / path
    try:
        if not file.resolve().is_relative_to(skill.directory.resolve()):
            return Result(f"Failed to read '{name}': {unmeasured_text()}", is_error=True)
        text = read_bytes(file).decode("utf-8")
    except (OSError, UnicodeDecodeError, Refusal):
        return Result(f"Failed to read '{name}': {unmeasured_text()}", is_error=True)
    return Result(f"# Loaded: {name}\n\n{text}\n\n---\nFile loaded into context.")


GOOSE = Runtime(
    id="goose",
    title="goose",
    docs="block/goose: crates/goose/src/skills/client.rs at 0d2074cc, mod.rs at 013ab848",
    verified="2026-11-22, source: read, not run",
    evidence="source",
    schema="goose",
    roots=(
        Root(role="project-agents", path_template="{project}/.agents/skills"),
        Root(role="project", path_template="{project}/.goose/skills"),
        Root(role="project-claude", path_template="{project}/.claude/skills"),
        Root(role="user-agents", path_template="{home}/.agents/skills", scope="user"),
        Root(role="user", path_template="{home}/.config/goose/skills", scope="user"),
        Root(role="user-claude", path_template="{home}/.claude/skills", scope="user"),
        Root(role="user-config", path_template="{home}/.config/agents/skills", scope="user"),
    ),
    facts={
        "key": "`name` in the frontmatter; the directory's name does not matter",
        "duplicates": "the first copy wins, in the order of the skills directories (project before user)",
        "parser": "serde_yaml between the first two `---`, even in the middle of a line; `name` is required",
        "arguments": "the placeholders are `$ARGUMENTS`, `$1` or `$ARGUMENTS[0]` for individual words, and "
        "the names in `metadata.arguments`; without a placeholder, the arguments are appended to the body",
        "tool": "`load_skill` with `name` and `args`; a `name` of the form `name/path` returns a file from "
        "the skill",
        "loading": "skills are found at any depth, including through linked directories and files; the "
        "listing is sorted by name and is neither escaped nor truncated",
        "not known": "which built-in skills are also listed and can be called; plugins; what is sent when"
        " the user types a message",
    },
    sources={
        "not known": "not stated in the files that were read",
        "limits": _MOD,
        **dict.fromkeys(("roots", "key", "duplicates", "parser"), _MOD),
        **dict.fromkeys(("arguments", "tool", "loading"), _CLIENT),
    },
    parameter="name",
    argument="args",
    expands=frozenset({ARGUMENTS, POSITION}),
    severities={"name-directory-mismatch": Severity.INFO},
    scan=scan,
    load=load,
    parse=parse,
    catalog=catalog,
    tool=tool,
    call=call,
)
