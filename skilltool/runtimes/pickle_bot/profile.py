"""pickle-bot: a Python assistant. Skills in `~/.pickle-bot/skills`, listed in the description of one tool."""

from __future__ import annotations

from functools import partial
from typing import Any

from skilltool.runtimes.base import Runtime, Session
from skilltool.runtimes.options import Root, Setting
from skilltool.runtimes.pickle_bot.call import call, content, load_2026_02, load_2026_05, load_document
from skilltool.runtimes.pickle_bot.discovery import DEFAULT_PATH, Dialect, load, parse, scan
from skilltool.runtimes.pickle_bot.manifest import DEF_LOADER, read_2026_02, read_2026_05, read_document


def catalog(session: Session) -> str | None:
    """Return the tool's description, which lists the skills without escaping; None without the tool."""
    if not session.memory["registered"]:
        return None
    items = (f'  <skill name="{skill.name}">{skill.description}</skill>\n' for skill in session.skills)
    return f"Load and invoke a specialized skill. <skills>\n{''.join(items)}</skills>"


def tool(session: Session) -> dict[str, Any] | None:
    """Return the tool `skill`, whose enum holds the folders; None without skills."""
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
        default=DEFAULT_PATH, about="the root: a path, which starts in `~/.pickle-bot` unless it is absolute"
    ),
    "allow_skills": Setting(
        default=True,
        about="whether the agent has skills at all; its own default is false",
        differs_from_runtime=True,
    ),
    "tool": Setting(default="skill", about="the name that the model calls"),
}
_FACTS = {
    "key": "the folder's name; the frontmatter's name is for people and may occur twice",
    "duplicates": "none: there is one root, and its folders have different names",
    "parser": "text that begins with `---` is split at the next two; PyYAML; name and description are texts",
    "arguments": "none: the body is returned without its outer white space",
    "tool": "`skill` with `skill_name`, there only if there is at least one skill",
    "loading": "read again at every call; the listing stays as it was when the agent started",
}

_SOURCES = {
    **dict.fromkeys(("roots", "key", "duplicates", "parser", "limits"), "core/skill_loader.py"),
    **dict.fromkeys(("arguments", "tool", "loading"), "tools/skill_tool.py"),
}

_DESIGN = Dialect(read_2026_02)
PICKLE_BOT_2026_02 = Runtime(
    id="pickle-bot@2026-02",
    title="pickle-bot, first implementation",
    docs="czl9707/pickle-bot at 66a1daa (2026-02-15): core/skill_loader.py, tools/skill_tool.py",
    verified="2026-11-20, goldens of the running code",
    schema="pickle-bot",
    roots=(Root(role="user", path_template="{home}/.pickle-bot/skills", scope="user"),),
    settings=_SETTINGS,
    facts=_FACTS,
    sources=_SOURCES,
    parameter="skill_name",
    scan=partial(scan, dialect=_DESIGN),
    parse=partial(parse, dialect=_DESIGN),
    load=partial(load, dialect=_DESIGN),
    catalog=catalog,
    content=content,
    tool=tool,
    call=partial(call, loading=load_2026_02),
)

_TODAY = Dialect(
    read_2026_05,
    absent="Definitions directory not found: {path}",
    logger=DEF_LOADER,
    relative_only=True,
    fills=True,
    empty_tool=False,
)
PICKLE_BOT_2026_05 = PICKLE_BOT_2026_02._replace(
    id="pickle-bot@2026-05",
    title="pickle-bot, May 2026",
    docs="czl9707/pickle-bot at 99a8b7b (2026-05-04): core/skill_loader.py, utils/def_loader.py, config.py",
    settings={
        **_SETTINGS,
        "skills_path": Setting(default=DEFAULT_PATH, about="the root: a relative path in `~/.pickle-bot`"),
    },
    facts={
        **_FACTS,
        "parser": "a first line `---` to the next such line; PyYAML; name and description are texts",
        "arguments": "none, but the body's {{workspace}}, {{skills_path}} and their like are replaced",
        "loading": "every call looks through the root again; the listing stays as it was at the start",
    },
    sources={
        **_SOURCES,
        "roots": "utils/config.py",
        "parser": "utils/def_loader.py",
        "limits": "utils/def_loader.py",
        "arguments": "utils/def_loader.py",
    },
    scan=partial(scan, dialect=_TODAY),
    parse=partial(parse, dialect=_TODAY),
    load=partial(load, dialect=_TODAY),
    call=partial(call, loading=partial(load_2026_05, dialect=_TODAY), handed=("session",)),
)

# Document 003 where it speaks: the log line of a skill that is not taken, and at a call an id that
# is compared with the folders and an error text of its own for a file that is there and broken.
_DOCUMENT = Dialect(read_document)
PICKLE_BOT = PICKLE_BOT_2026_02._replace(
    id="pickle-bot",
    title="pickle-bot (design document)",
    docs="document 003 (Skill System Design); where it is silent, pickle-bot@2026-02",
    verified="2026-11-21, cases written from the document",
    sources={
        "roots": "document 003, Configuration",
        "key": "document 003, Pydantic Models",
        "duplicates": "document 003, File Structure",
        "parser": "document 003, SKILL.md Format; how it is read: pickle-bot@2026-02",
        "limits": "document 003, Validation Rules",
        "arguments": "document 003, Tool Factory",
        "tool": "document 003, Tool Factory",
        "loading": "document 003, Design Points",
    },
    scan=partial(scan, dialect=_DOCUMENT),
    parse=partial(parse, dialect=_DOCUMENT),
    load=partial(load, dialect=_DOCUMENT),
    call=partial(call, loading=load_document),
)
