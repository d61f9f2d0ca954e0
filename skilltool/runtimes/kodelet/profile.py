"""kodelet: a Go agent. Skills in `.kodelet/skills`, listed in the description of the tool `skill`."""

from __future__ import annotations

from functools import partial
from typing import Any

from skilltool.runtimes.base import Root, Runtime, Session, Setting
from skilltool.runtimes.fixed_text import fixed_text
from skilltool.runtimes.kodelet import discovery
from skilltool.runtimes.kodelet.call import Shape, call, content

_NOTHING = "Skills are currently not available.\n"

# Document 004, "Description()".
_DESCRIPTION = """\
When users ask you to perform tasks, check if any of the available skills below can help complete the task \
more effectively. Skills provide specialized capabilities and domain knowledge.

# Usage
- Use this tool with the skill name only
- Examples:
  - "pdf" - invoke the pdf skill
  - "xlsx" - invoke the xlsx skill

## Important
- When a skill is relevant, you must invoke this tool IMMEDIATELY as your first action
- NEVER just announce or mention a skill in your text response without actually calling this tool
- This is a BLOCKING REQUIREMENT: invoke the relevant Skill tool BEFORE generating any other response about \
the task
- Only use skills listed in "Available Skills" below
- Do not invoke a skill that is already running
- Each skill has a directory containing supporting files (references, examples, scripts, templates) that \
you can read using file_read or glob_tool
- Do NOT modify any files in the skill directory - treat skill contents as read-only
- If you need to modify a script from the skill directory, copy it to the working directory first using \
file_write, then use file_edit to update it
- For Python scripts, use uv for managing dependencies - do NOT install packages using system pip

## Available Skills

"""

# 0.5.36: length and digest of the text before the listing, which no document has, by `tool_mode` and
# `fs_search`.
_MEASURED = {
    ("", False): (1330, "ad15cf991774c83486551678876991a2bf517d0602dfec31aaa15557f6d4aeea"),
    ("", True): (1353, "1ced3da750c0afc0b4e20148dfb1d137d41d3134179ff822d1c2ea6972e7b261"),
    ("patch", False): (1332, "fe1e1d51819a885cd3fa97a6ca0f8b0e11a69b076d43f34887b762fc3fccbef5"),
    ("patch", True): (1355, "ec84cab8f396bd3573fde6af3030718994b1d7dd5dd91694c6c2f2ce7bb53cea"),
}


def listing(session: Session) -> str:
    """Return the skills as the tool's description lists them, or the sentence for none."""
    items = (
        f"### {skill.key}\n- **Description**: {skill.description}\n"
        f"- **Directory**: `{skill.display_path}`\n\n"
        for skill in session.skills
    )
    return "".join(items) or _NOTHING


def described(session: Session) -> str:
    """Return the whole description of the tool, as document 004 has it."""
    return _DESCRIPTION + listing(session)


def catalog_0536(session: Session) -> str | None:
    """Return the listing; None if skills are disabled, since the tool is not registered then."""
    is_on = session.settings["enabled"] and not session.settings["no_skills"]
    return listing(session) if is_on or session.level == "class" else None


def prompt_0536(session: Session) -> str | None:
    """Return the description of the tool: unstored text, then the listing."""
    text = catalog_0536(session)
    mode = "patch" if session.settings["tool_mode"] == "patch" else ""
    return None if text is None else fixed_text(*_MEASURED[mode, bool(session.settings["fs_search"])]) + text


def tool(session: Session) -> dict[str, Any] | None:
    """Return the tool's name, description and parameters, as the schema generator writes them."""
    description = session.prompt()
    if description is None:
        return None
    return {
        "name": "skill",
        "description": description,
        "parameters": {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$id": "https://github.com/jingkaihe/kodelet/pkg/tools/skill-input",
            "properties": {
                "skill_name": {"type": "string", "description": "The name of the skill to invoke"}
            },
            "additionalProperties": False,
            "type": "object",
            "required": ["skill_name"],
        },
    }


_ROOTS = (
    Root(role="project", path_template="{project}/.kodelet/skills"),
    Root(role="user", path_template="{home}/.kodelet/skills", scope="user"),
    Root(role="plugin", path_template="{project}/.kodelet/plugins", scope="plugin"),
    Root(role="user-plugin", path_template="{home}/.kodelet/plugins", scope="plugin"),
)
_SETTINGS = {
    "enabled": Setting(default=True, about="enable skills"),
    "no_skills": Setting(default=False, about="disable skills, as the flag `--no-skills` does"),
    "allowed": Setting(default=[], about="offer only these skills; an empty list offers all"),
    "tool_mode": Setting(default="", about="`patch` changes the name of the edit tool in the description"),
    "fs_search": Setting(default=False, about="name the file search tools in the description"),
    "user_settings": Setting(default=True, about="read `~/.kodelet/config.yaml`", in_lint=False),
    "validate": Setting(default=True, about="validate a call before it is executed, as the runtime does"),
}
_FACTS = {
    "key": "`name` in the frontmatter; for a skill of a plugin, the plugin's path, a slash and that name",
    "duplicates": "the first copy wins: project, user, then plugins; in a root, by directory name",
    "parser": "goldmark-meta: YAML 1.1 (yaml.v2) between a first line of dashes and the next one, or the end",
    "arguments": "none: the tool takes only the name",
    "tool": "`skill` with `skill_name`; a skill can be called once per session",
    "loading": "the description of the tool tells the model to call it as soon as a skill fits the task",
    "settings": "`skills.enabled` and `skills.allowed` in `~/.kodelet/config.yaml`, then in "
    "`kodelet-config.yaml` of the working directory; a section `skills` without `enabled` disables skills",
}

_SOURCES = {
    **dict.fromkeys(("roots", "key", "duplicates", "parser", "limits"), "pkg/skills/discovery.go"),
    **dict.fromkeys(("arguments", "tool", "loading"), "pkg/tools/skill.go"),
    "settings": "cmd/kodelet/main.go, pkg/llm/config.go, pkg/types/llm/config.go",
}

KODELET_2025_12 = Runtime(
    id="kodelet@2025-12",
    title="kodelet, first implementation",
    docs="jingkaihe/kodelet at ade31938 (2025-12-13): pkg/skills, pkg/tools/skill.go",
    verified="2026-11-20, recordings of the running code",
    evidence="run",
    schema="kodelet",
    roots=_ROOTS,
    settings=_SETTINGS,
    facts=_FACTS,
    sources=_SOURCES,
    starts_without_skills=True,
    scan=partial(discovery.scan, plugins=False, links=False, parser=discovery.parse, strict=True),
    parse=discovery.parse,
    load=discovery.load,
    catalog=described,
    parameter="skill_name",
    content=content,
    tool=tool,
    call=partial(call, shape=Shape("Skill '{name}' loaded from {directory}", "skillName")),
)

KODELET_0_5_36 = KODELET_2025_12._replace(
    id="kodelet@0.5.36",
    title="kodelet 0.5.36",
    docs="jingkaihe/kodelet at d210c4a5 (2026-08-21): pkg/skills, pkg/plugins, pkg/tools/skill.go",
    scan=partial(discovery.scan, plugins=True, links=True, parser=discovery.parse, strict=False),
    facts={
        **_FACTS,
        "tool": f"{_FACTS['tool']}; 1,330 characters before the listing (1,332 to 1,355 with `tool_mode` or "
        "`fs_search`) are not stored, only their size and SHA-256 are; `kodelet` has the document's text",
    },
    sources={
        **_SOURCES,
        "roots": "pkg/skills/discovery.go, pkg/plugins/types.go",
        "key": "pkg/skills/discovery.go, pkg/plugins/types.go",
    },
    catalog=catalog_0536,
    prompt=prompt_0536,
)

# Where document 004 differs from the first implementation: the body keeps its leading line ends, the
# display text and the metadata key are others, there are only two roots, and `enabled` is true by default.
KODELET = KODELET_2025_12._replace(
    id="kodelet",
    title="kodelet (design document)",
    docs="document 004 (ADR 020: Agentic Skills); where it is silent, kodelet@2025-12",
    verified="2026-11-21, test cases written from the document",
    evidence="document",
    sources={
        "roots": "document 004, Discovery Locations",
        "key": "document 004, 1. Skills Package",
        "duplicates": "document 004, Discovery Locations",
        "parser": "document 004, 1. Skills Package; how YAML is read: kodelet@2025-12",
        "limits": "document 004, SKILL.md Format",
        "arguments": "document 004, 2. Skill Tool",
        "tool": "document 004, 2. Skill Tool",
        "loading": "document 004, 2. Skill Tool",
        "settings": "document 004, 5. Configuration; the names of the files: kodelet@2025-12",
    },
    roots=_ROOTS[:2],
    facts={
        **_FACTS,
        "key": "`name` in the frontmatter",
        "duplicates": "the first copy wins: project, then user",
        "settings": _FACTS["settings"].partition("; ")[0],
    },
    scan=partial(
        discovery.scan,
        plugins=False,
        links=False,
        parser=discovery.parse_exact,
        strict=True,
        section_enables=True,
    ),
    parse=discovery.parse_exact,
    call=partial(call, shape=Shape("Skill {name} loaded", "skill_name")),
)
