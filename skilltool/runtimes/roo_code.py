"""roo-code: skills in `.roo/skills` and `.agents/skills`, called with the tool `skill`.

Source: `src/services/skills/SkillsManager.ts` of RooCodeInc/Roo-Code at cb836567.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from skilltool.emulation.gray_matter import NotParsedError, ScriptError, split
from skilltool.emulation.javascript import length, trim
from skilltool.runtimes.base import Root, Runtime, Session, Setting
from skilltool.runtimes.fixed_text import unmeasured_text
from skilltool.runtimes.loading import (
    TOO_LARGE,
    copy_name,
    directly_in,
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
    Result,
    Shadowed,
    not_read,
)
from skilltool.skill import schema
from skilltool.skill.skill_file import FILE_NAME, MAX_BYTES
from skilltool.text.frontmatter.nodes import BoundError
from skilltool.text.lazy_pattern import lazy_pattern

_NAME = lazy_pattern(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_FORM = "must be lowercase letters/numbers/hyphens only (no leading/trailing hyphen, no consecutive hyphens)"
_LIMITS = schema.load("roo-code")["properties"]
_LONGEST_NAME: int = _LIMITS["name"]["maxLength"]
_LONGEST: int = _LIMITS["description"]["maxLength"]
GENERIC, OF_MODE = "skills", "skills-code"


def parse(raw: bytes, directory: str | None) -> Manifest:
    """Return `name`, `description` and `body` of a SKILL.md in a directory (a path); raises `Refusal`."""
    if len(raw) > MAX_BYTES:
        raise Refusal(None, TOO_LARGE)
    where = directory or ""
    try:
        data, body = split(raw.decode("utf-8", "replace").removeprefix("\ufeff"))
    except (BoundError, ScriptError) as error:
        raise not_read(error) from None
    except NotParsedError as error:
        message = f"Failed to load skill at {where}: {error}"
        raise Refusal(message, f"the frontmatter is not valid YAML: {error}", library=str(error)) from None
    fields = data if isinstance(data, dict) else {}
    for name in ("name", "description"):
        if not isinstance(fields.get(name), str) or not fields[name]:
            message = f"Skill at {where} is missing required '{name}' field"
            raise Refusal(message, f"`{name}` is missing, empty or not a string")
    name, description = fields["name"], trim(fields["description"])
    if problem := _problem(name, description, Path(where).name if directory else name):
        raise Refusal(problem)
    return Manifest(name, description, trim(body))


def _problem(name: str, description: str, directory: str) -> str | None:
    if name != directory:
        return f'Skill name "{name}" doesn\'t match directory "{directory}"'
    begin = f'Skill name "{name}" is invalid: '
    if length(name) > _LONGEST_NAME:
        return f"{begin}name must be 1-{_LONGEST_NAME} characters (got {length(name)})"
    if not _NAME.fullmatch(name):
        return begin + _FORM
    if not 1 <= length(description) <= _LONGEST:
        begin = f'Skill "{name}" has an invalid description length: '
        return f"{begin}must be 1-{_LONGEST} characters (got {length(description)})"
    return None


def load(directory: Path) -> LoadedSkill | Refused:
    """Return what becomes of one skill directory."""
    file = directory / FILE_NAME
    try:
        if is_directory_here(file) or not os.path.lexists(file):
            return Refused(directory, None, f"it has no {FILE_NAME}")
        manifest = parse(read_bytes(file), str(directory))
    except OSError as error:
        return Refused(directory, None, f"it cannot be read: {error.strerror}")
    except Refusal as refusal:
        return refusal.refused(directory)
    name, description, body = manifest.name, manifest.description, manifest.body
    return LoadedSkill(name, name, description, directory, body, "", str(file))


def scan(session: Session) -> None:
    """Fill a session: a project's copy wins over a user's, the mode's over others, then the later."""
    mode = f"skills-{session.settings['mode']}"
    session.roots = tuple(
        ResolvedRoot(root.role, root.path.with_name(mode), str(root.path.with_name(mode)))
        if root.path.name == OF_MODE
        else root
        for root in session.roots
    )
    ranks = {
        root.role: (root.role.startswith("project"), root.role.endswith("mode")) for root in session.roots
    }
    copies = list(skills_in_roots(session, load, directly_in))
    winners: dict[str, LoadedSkill] = {}
    for skill in copies:
        known = winners.get(skill.key)
        if known is None or ranks[skill.role] >= ranks[known.role]:
            winners[skill.key] = skill
    session.shadowed += [
        _lost(session, copy, winners[copy.key]) for copy in copies if winners[copy.key] is not copy
    ]
    session.skills += winners.values()
    session.logs += [
        Log("ERROR", "roo-code", refused.message) for refused in session.skipped if refused.message
    ]


def _lost(session: Session, loser: LoadedSkill, winner: LoadedSkill) -> Shadowed:
    order = "project before user, the mode's before others, `.roo` before `.agents`"
    return Shadowed(loser, winner, f"{copy_name(session, winner)} wins: {order}")


_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;"})
_MANAGER, _SECTION = "src/services/skills/SkillsManager.ts", "src/core/prompts/sections/skills.ts"
_TOOL = "src/core/tools/SkillTool.ts"


def catalog(session: Session) -> str | None:
    """Return the listing up to its end tag; None without skills."""
    if not session.skills:
        return None
    entries = "\n".join(
        f"  <skill>\n    <name>{skill.name.translate(_ESCAPES)}</name>\n"
        f"    <description>{skill.description.translate(_ESCAPES)}</description>\n"
        f"    <location>{skill.display_path.translate(_ESCAPES)}</location>\n  </skill>"
        for skill in session.skills
    )
    return f"====\n\nAVAILABLE SKILLS\n\n<available_skills>\n{entries}\n</available_skills>"


def prompt(session: Session) -> str | None:
    """Return the listing with what stands for the text about its use."""
    listing = catalog(session)
    return None if listing is None else f"{listing}\n\n{unmeasured_text()}\n"


def tool(session: Session) -> dict[str, Any]:
    """Return the definition of the tool; its texts are not stored."""
    properties = {
        "skill": {"type": "string", "description": unmeasured_text()},
        "args": {"type": ["string", "null"], "description": unmeasured_text()},
    }
    schema = {"type": "object", "properties": properties, "required": ["skill", "args"]}
    return {"name": "skill", "description": unmeasured_text(), "parameters": schema}


def call(session: Session, arguments: Mapping[str, Any] | str, tool: str | None) -> Result:
    """Answer a call; an error is in a frame of the program's own, which is not known here."""
    given = arguments if isinstance(arguments, Mapping) else _parsed(arguments)
    name, args = str(given.get("skill") or ""), given.get("args")
    skill = session.find(name)
    if skill is None:
        known = ", ".join(skill.key for skill in session.skills) or "(none)"
        return Result(f"Skill '{name}' not found. Available skills: {known}", is_error=True)
    source = "project" if skill.role.startswith("project") else "global"
    provided = f"\nProvided arguments: {args}" if args else ""
    return Result(
        f"Skill: {name}\nDescription: {skill.description}{provided}\nSource: {source}\n\n"
        f"--- Skill Instructions ---\n\n{skill.body}"
    )


def _parsed(arguments: str) -> Mapping[str, Any]:
    try:
        found = json.loads(arguments)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


ROO_CODE = Runtime(
    id="roo-code",
    title="Roo Code",
    docs="RooCodeInc/Roo-Code at cb836567: SkillsManager.ts, sections/skills.ts, SkillTool.ts",
    verified="2026-11-22, source: read, not run",
    evidence="source",
    schema="roo-code",
    roots=(
        Root(role="user-agents", path_template="{home}/.agents/skills", scope="user"),
        Root(role="user-agents-mode", path_template="{home}/.agents/skills-code", scope="user"),
        Root(role="project-agents", path_template="{project}/.agents/skills"),
        Root(role="project-agents-mode", path_template="{project}/.agents/skills-code"),
        Root(role="user", path_template="{home}/.roo/skills", scope="user"),
        Root(role="user-mode", path_template="{home}/.roo/skills-code", scope="user"),
        Root(role="project", path_template="{project}/.roo/skills"),
        Root(role="project-mode", path_template="{project}/.roo/skills-code"),
    ),
    settings={"mode": Setting(default="code", about="the mode; `skills-MODE` next to `skills` is also read")},
    facts={
        "key": "`name` in the frontmatter, which must match the directory's name",
        "duplicates": "the project's copy wins over the user's, a copy for the current mode over one for all "
        "modes, and a copy in `.roo` over one in `.agents`",
        "parser": "gray-matter 4 with js-yaml 3",
        "arguments": "not substituted; they are shown separately from the body",
        "tool": "`skill` with `skill` and `args`; the result does not contain the skill's path",
        "loading": "one level of directories, following links; the listing is escaped but not truncated",
        "not known": "the text around a tool error; the text after the listing; what is sent when the "
        "user types a message",
    },
    sources={
        **dict.fromkeys(("roots", "key", "duplicates", "parser", "limits"), _MANAGER),
        "loading": _SECTION,
        "not known": "not stated in the files that were read",
        **dict.fromkeys(("arguments", "tool"), _TOOL),
    },
    parameter="skill",
    argument="args",
    scan=scan,
    load=load,
    parse=parse,
    catalog=catalog,
    prompt=prompt,
    tool=tool,
    call=call,
)
