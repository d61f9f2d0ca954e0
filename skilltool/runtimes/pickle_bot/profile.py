"""pickle-bot: a Python assistant. Skills in `~/.pickle-bot/skills`, listed in the description of one tool."""

from __future__ import annotations

from functools import partial
from typing import Any

from skilltool.runtimes.base import Root, Runtime, Session, Setting
from skilltool.runtimes.pickle_bot.call import call, content, load_2026_02, load_2026_05, load_document
from skilltool.runtimes.pickle_bot.discovery import DEFAULT_PATH, Dialect, load, parse, scan
from skilltool.runtimes.pickle_bot.manifest import DEF_LOADER, read_2026_02, read_2026_05, read_document


def catalog(session: Session) -> str | None:
    """Return the description of the tool, which lists the skills unescaped; None if it is not registered."""
    if not session.memory["registered"]:
        return None
    items = (f'  <skill name="{skill.name}">{skill.description}</skill>\n' for skill in session.skills)
    return f"Load and invoke a specialized skill. <skills>\n{''.join(items)}</skills>"


def tool(session: Session) -> dict[str, Any] | None:
    """Return the tool `skill`, whose enum lists the directory names; None without skills."""
    description = catalog(session)
    if description is None:
        return None
    skill_name = {
        "type": "string",
        "enum": [skill.key for skill in session.skills],
        "description": "The name of the skill to load",
    }
    parameters = {"type": "object", "properties": {"skill_name": skill_name}, "required": ["skill_name"]}
    return {
        "type": "function",
        "function": {"name": "skill", "description": description, "parameters": parameters},
    }


_SETTINGS = {
    "skills_path": Setting(
        default=DEFAULT_PATH, about="path of the root, relative to `~/.pickle-bot` or absolute"
    ),
    "allow_skills": Setting(
        default=True,
        about="enable skills; pickle-bot's own default is false",
        differs_from_runtime=True,
    ),
    "tool": Setting(default="skill", about="name of the tool that is called"),
    "user_settings": Setting(
        default=True, about="read the configuration files in `~/.pickle-bot`", in_lint=False
    ),
}
_FACTS = {
    "key": "the directory name; `name` in the frontmatter is for people and need not be unique",
    "duplicates": "none: there is only one root, and directory names are unique",
    "parser": "PyYAML, from `---` at the first byte to the next `---`; name and description must be strings",
    "arguments": "none: the body is returned without white space at either end",
    "tool": "`skill` with `skill_name`; registered only if there is at least one skill",
    "loading": "each call reads the file again; the listing stays as it was when the agent started",
    "settings": "`skills_path` in `~/.pickle-bot/config.system.yaml`, then in `config.user.yaml`",
}

_SOURCES = {
    **dict.fromkeys(("roots", "key", "duplicates", "parser", "limits"), "core/skill_loader.py"),
    **dict.fromkeys(("arguments", "tool", "loading"), "tools/skill_tool.py"),
    "settings": "utils/config.py",
}

_FIRST = Dialect(read_2026_02)
PICKLE_BOT_2026_02 = Runtime(
    id="pickle-bot@2026-02",
    title="pickle-bot, first implementation",
    docs="czl9707/pickle-bot at 66a1daa (2026-02-15): core/skill_loader.py, tools/skill_tool.py",
    verified="2026-11-20, recordings of the running code",
    evidence="run",
    schema="pickle-bot",
    roots=(Root(role="user", path_template="{home}/.pickle-bot/skills", scope="user"),),
    settings=_SETTINGS,
    facts=_FACTS,
    sources=_SOURCES,
    parameter="skill_name",
    free_name=True,
    scan=partial(scan, dialect=_FIRST),
    parse=partial(parse, dialect=_FIRST),
    load=partial(load, dialect=_FIRST),
    catalog=catalog,
    content=content,
    tool=tool,
    call=partial(call, loading=load_2026_02),
)

_MAY_2026 = Dialect(
    read_2026_05,
    absent="Definitions directory not found: {path}",
    logger=DEF_LOADER,
    relative_only=True,
    expands_paths=True,
    empty_tool=False,
    config_files=("config.user.yaml", "config.runtime.yaml"),
)
PICKLE_BOT_2026_05 = PICKLE_BOT_2026_02._replace(
    id="pickle-bot@2026-05",
    title="pickle-bot, May 2026",
    docs="czl9707/pickle-bot at 99a8b7b (2026-05-04): core/skill_loader.py, utils/def_loader.py, config.py",
    settings={
        **_SETTINGS,
        "skills_path": Setting(default=DEFAULT_PATH, about="path of the root, relative to `~/.pickle-bot`"),
    },
    facts={
        **_FACTS,
        "parser": "PyYAML, from a first line `---` to the next; name and description must be strings",
        "arguments": "none, but variables such as {{workspace}} and {{skills_path}} in the body are replaced",
        "loading": "each call scans the root again; the listing stays as it was when the agent started",
        "settings": "`skills_path` in `~/.pickle-bot/config.user.yaml`, then in `config.runtime.yaml`",
    },
    sources={
        **_SOURCES,
        "roots": "utils/config.py",
        "parser": "utils/def_loader.py",
        "limits": "utils/def_loader.py",
        "arguments": "utils/def_loader.py",
    },
    scan=partial(scan, dialect=_MAY_2026),
    parse=partial(parse, dialect=_MAY_2026),
    load=partial(load, dialect=_MAY_2026),
    call=partial(call, loading=partial(load_2026_05, dialect=_MAY_2026), handed=("session",)),
)

# Where document 003 differs from the first implementation: the log line of a refused skill; in a call, the
# id is compared with the directory names, and a file that is broken has an error of its own.
_DOCUMENT = Dialect(read_document)
PICKLE_BOT = PICKLE_BOT_2026_02._replace(
    id="pickle-bot",
    title="pickle-bot (design document)",
    docs="document 003 (Skill System Design); where it is silent, pickle-bot@2026-02",
    verified="2026-11-21, test cases written from the document",
    evidence="document",
    sources={
        "roots": "document 003, Configuration",
        "key": "document 003, Pydantic Models",
        "duplicates": "document 003, File Structure",
        "parser": "document 003, SKILL.md Format; how it is read: pickle-bot@2026-02",
        "limits": "document 003, Validation Rules",
        "arguments": "document 003, Tool Factory",
        "tool": "document 003, Tool Factory",
        "loading": "document 003, Design Points",
        "settings": "document 003, User Override Example; document 003, Default Directory Structure",
    },
    scan=partial(scan, dialect=_DOCUMENT),
    parse=partial(parse, dialect=_DOCUMENT),
    load=partial(load, dialect=_DOCUMENT),
    call=partial(call, loading=load_document),
)
