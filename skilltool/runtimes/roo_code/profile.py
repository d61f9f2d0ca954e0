"""roo-code: skills in `.roo/skills` and `.agents/skills`, called with the tool `skill`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from skilltool.runtimes.base import Root, Runtime, Session, Setting
from skilltool.runtimes.fixed_text import unmeasured_text
from skilltool.runtimes.roo_code import discovery
from skilltool.runtimes.values import Result

_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;"})
_MANAGER, _SECTION = "src/services/skills/SkillsManager.ts", "src/core/prompts/sections/skills.ts"
_TOOL = "src/core/tools/SkillTool.ts"


def catalog(session: Session) -> str | None:
    """Return the listing up to its end tag; None without skills."""
    if not session.skills:
        return None
    entries = "\n".join(
        f"  <skill>\n    <name>{each.name.translate(_ESCAPES)}</name>\n"
        f"    <description>{each.description.translate(_ESCAPES)}</description>\n"
        f"    <location>{each.display_path.translate(_ESCAPES)}</location>\n  </skill>"
        for each in session.skills
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
        known = ", ".join(each.key for each in session.skills) or "(none)"
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
    settings={"mode": Setting(default="code", about="the mode; `skills-MODE` beside `skills` is read, too")},
    facts={
        "key": "`name` in the frontmatter, which must equal the directory's",
        "duplicates": "a project's copy wins over a user's, the mode's over others, `.roo` over `.agents`",
        "parser": "gray-matter 4 with js-yaml 3",
        "arguments": "none; they are told beside the body",
        "tool": "`skill` with `skill` and `args`; the answer has no path",
        "loading": "one level, linked directories are followed; the listing is escaped and not cut",
        "not known": "the frame around an error of the tool; the text after the listing; what is sent for a "
        "typed text",
    },
    sources={
        **dict.fromkeys(("roots", "key", "duplicates", "parser", "limits"), _MANAGER),
        "loading": _SECTION,
        "not known": "what was read does not say",
        **dict.fromkeys(("arguments", "tool"), _TOOL),
    },
    parameter="skill",
    argument="args",
    scan=discovery.scan,
    load=discovery.load,
    parse=discovery.parse,
    catalog=catalog,
    prompt=prompt,
    tool=tool,
    call=call,
)
