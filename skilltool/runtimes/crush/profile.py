"""crush: skills in `.agents/skills`, `.crush/skills` and others, listed as XML and read as files."""

from __future__ import annotations

from skilltool.runtimes.base import Root, Runtime, Session
from skilltool.runtimes.crush import discovery
from skilltool.runtimes.loading import read_bytes
from skilltool.runtimes.values import LoadedSkill, Refusal
from skilltool.skill.skill_file import FILE_NAME

_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;"})
_SKILLS, _LOAD = "internal/skills/skills.go", "internal/config/load.go"


def catalog(session: Session) -> str | None:
    """Return the listing without the program's own skills; None without skills."""
    if not session.skills:
        return None
    entries = "".join(
        f"  <skill>\n    <name>{each.name.translate(_ESCAPES)}</name>\n"
        f"    <description>{each.description.translate(_ESCAPES)}</description>\n"
        f"    <location>{each.display_path.translate(_ESCAPES)}</location>\n  </skill>\n"
        for each in session.skills
        if each.extra["listed"]
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
        "key": "`name` in the frontmatter, which must equal the directory's in any case",
        "duplicates": "the last copy wins, of all roots together, in the order of their paths in lower case",
        "parser": "yaml.v3 between lines of `---`; blank lines before the first are allowed; a byte order "
        "mark and carriage returns go",
        "arguments": "none",
        "tool": "none: the model reads the file with `view`",
        "loading": "any depth, linked directories are followed; the listing is escaped and not cut; "
        "`disable-model-invocation: true` keeps a skill out of it",
        "unit": "limits are in bytes of UTF-8; what is longer is not loaded",
        "not known": "the program's own skills, which are listed, too; the text around the listing; how the "
        "user names a skill, which needs `user-invocable: true`",
    },
    sources={
        "roots": _LOAD,
        "not known": "what was read does not say",
        **dict.fromkeys(
            ("key", "duplicates", "parser", "arguments", "tool", "loading", "limits", "unit"), _SKILLS
        ),
    },
    scan=discovery.scan,
    load=discovery.load,
    parse=discovery.parse,
    catalog=catalog,
    content=content,
)
