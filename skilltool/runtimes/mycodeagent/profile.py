"""MyCodeAgent: a Python agent. Skills anywhere below `skills/`, listed in the prompt of the tool `Skill`."""

from __future__ import annotations

from functools import partial
from typing import Any

from skilltool.runtimes.base import ARGUMENTS, Root, Runtime, Session, Setting, Share, Shares
from skilltool.runtimes.fixed_text import fixed_text, whole_length
from skilltool.runtimes.mycodeagent import discovery
from skilltool.runtimes.mycodeagent.call import Edition, registered
from skilltool.runtimes.mycodeagent.truncation import truncated_2026_01, truncated_2026_07
from skilltool.runtimes.values import LoadedSkill

_NONE = "(none)"


def start(session: Session, logs_skipped: bool = False) -> None:
    """Scan, and remember whether there was any SKILL.md."""
    discovery.scan(session, logs_skipped)
    session.memory["files_at_start"] = discovery.signature(session)[1]
    if logs_skipped:
        session.memory["seen"] = discovery.signature_with_root(session)


def fitting_lines(session: Session) -> tuple[list[str], tuple[str, ...]]:
    """Return the lines of the listing that fit the budget, and the keys of the skills that do not."""
    lines: list[str] = []
    remaining = session.settings["budget"]
    for number, skill in enumerate(session.skills):
        line = f"- {skill.name}: {skill.description}"
        remaining -= len(line) + 1
        if remaining < 0:
            return lines, tuple(each.key for each in session.skills[number:])
        lines.append(line)
    return lines, ()


def catalog(session: Session, logs_skipped: bool = False) -> str | None:
    """Return the listing, `(none)` if it is empty; None if the tool is not registered.

    It is that of the next user turn: with the setting `refresh`, changed files are read before it.
    """
    if not registered(session):
        return None
    if session.settings["refresh"] and session.failure is None:
        discovery.refresh_if_stale(session, logs_skipped)
        if session.failure is not None:
            return None
    return "\n".join(fitting_lines(session)[0]) or _NONE


def prompt_2026_07(session: Session) -> str | None:
    """Return the system message that describes the tool: unstored text around the listing."""
    text = catalog(session)
    if text is None:
        return None
    before = fixed_text(557, "333a3c1c773ba37284e5e7ca478a683f855bbbdbfef69227d9b0b24d42f2f350")
    after = fixed_text(344, "365394144ff2a8ece665756608972a436152c3abc13f4a01f23960e587ba062e")
    return f"{before}{text}{after}"


def budget(session: Session) -> tuple[int, tuple[str, ...]]:
    """Return the maximum length of the listing in characters, and the keys that do not fit."""
    return session.settings["budget"], fitting_lines(session)[1]


def shares(session: Session) -> Shares:
    """Return how the listing is shared in characters, each line with its end."""
    prompt, listed = session.prompt(), catalog(session)
    if prompt is None or listed is None:
        return Shares(0, Share(0, 0), {})
    dropped = frozenset(fitting_lines(session)[1])
    sizes = {skill.key: len(f"- {skill.name}: {skill.description}") + 1 for skill in session.skills}
    fixed = whole_length(prompt) - whole_length(listed) + (0 if session.skills else len(_NONE))
    skills = {key: Share(size, 0 if key in dropped else size) for key, size in sizes.items()}
    return Shares(fixed, Share(0, 0), skills)


def tool(session: Session) -> dict[str, Any] | None:
    """Return the definition of the tool; its description has a placeholder for the listing."""
    if not registered(session):
        return None
    description = fixed_text(906, "e9c7b892320a2357bfc0874a410b057729dbc118335c284efbea2ea55ca9923b")
    return {
        "type": "function",
        "function": {
            "name": "Skill",
            "description": description,
            "parameters": {
                "type": "object",
                "properties": {
                    "name": {"type": "string", "description": "Skill name"},
                    "args": {
                        "type": "string",
                        "description": "Optional arguments for the skill",
                        "default": "",
                    },
                },
                "required": ["name"],
                "additionalProperties": False,
            },
        },
    }


def content(session: Session, skill: LoadedSkill) -> str:
    """Return the body as MyCodeAgent keeps it."""
    return skill.body


_SETTINGS = {
    "budget": Setting(
        default=12000,
        about="maximum length of the listing in characters",
        aliases=("SKILLS_PROMPT_CHAR_BUDGET",),
    ),
    "refresh": Setting(
        default=True, about="look for changed files on every call", aliases=("SKILLS_REFRESH_ON_CALL",)
    ),
    "working_dir": Setting(default="", about="working directory, relative to the project"),
    "view": Setting(default="", about="`system` shows the listing inside the system message"),
    "tool": Setting(default="Skill", about="name of the tool that is called"),
}


def _sources(loader_file: str) -> dict[str, str]:
    """Return where the facts of an edition come from, given the file of its loader."""
    tool_file, prompt_file = "tools/builtin/skill.py", "prompts/tools_prompts/skill_prompt.py"
    in_loader = dict.fromkeys(("roots", "key", "duplicates", "parser", "limits"), loader_file)
    return {**in_loader, "arguments": tool_file, "tool": tool_file, "loading": prompt_file}


MYCODEAGENT_2026_01 = Runtime(
    id="mycodeagent@2026-01",
    title="MyCodeAgent, first implementation",
    docs="YYHDBL/MyCodeAgent at 262795a (2026-01-18): core/skills, tools/builtin/skill.py",
    verified="2026-11-20, recordings of the running code",
    evidence="run",
    schema="mycodeagent",
    roots=(Root(role="project", path_template="{project}/skills"),),
    settings=_SETTINGS,
    facts={
        "key": "`name` in the frontmatter; the directory name does not matter",
        "duplicates": "the last copy in the order of paths wins, silently",
        "parser": "lines of `key: value`, not YAML; a line without a colon makes the file unreadable",
        "arguments": "`args` replaces every `$ARGUMENTS`; without one, it is appended as `ARGUMENTS: ...`",
        "tool": "`Skill` with `name` and `args`; three errors in a row disable it for a while",
        "loading": "the prompt tells the model to load a skill that is named or clearly fits the task",
    },
    sources=_sources("core/skills/skill_loader.py"),
    parameter="name",
    argument="args",
    expands=frozenset({ARGUMENTS}),
    scan=start,
    parse=discovery.parse,
    load=discovery.load,
    catalog=catalog,
    budget=budget,
    shares=shares,
    content=content,
    tool=tool,
    call=Edition(error_last=False, flat=True, truncate=truncated_2026_01),
)

MYCODEAGENT_2026_07 = MYCODEAGENT_2026_01._replace(
    id="mycodeagent@2026-07",
    title="MyCodeAgent, July 2026",
    docs="YYHDBL/MyCodeAgent at f1c27103 (2026-07-14): extensions/skills, tools/builtin/skill.py",
    settings={
        **_SETTINGS,
        "refresh": _SETTINGS["refresh"]._replace(default=False),
        "enabled": Setting(default=True, about="enable skills", aliases=("ENABLE_SKILLS",)),
    },
    sources=_sources("extensions/skills/loader.py"),
    prompt=prompt_2026_07,
    call=Edition(error_last=True, flat=False, truncate=truncated_2026_07),
)

# Where document 002 differs from the first implementation: empty arguments change nothing, duplicates and
# skipped files are logged, a file that cannot be read is skipped like any other, and the modification time
# of the root counts for a refresh.
MYCODEAGENT = MYCODEAGENT_2026_01._replace(
    id="mycodeagent",
    title="MyCodeAgent (design document)",
    docs="document 002 (Skill MVP Implementation Plan); where it is silent, mycodeagent@2026-01",
    verified="2026-11-21, test cases written from the document",
    evidence="document",
    sources={
        "roots": "document 002, Directory Layout",
        "key": "document 002, 1) Skill Loader",
        "duplicates": "document 002, 1) Skill Loader",
        "parser": "document 002, 1) Skill Loader; how lines are read: mycodeagent@2026-01",
        "limits": "document 002, Skill File Format",
        "arguments": "document 002, `$ARGUMENTS` Behavior",
        "tool": "document 002, 2) Skill Tool",
        "loading": "document 002, Skill Discovery Trigger (Agent Prompt Rules)",
    },
    facts={
        **MYCODEAGENT_2026_01.facts,
        "duplicates": "the last copy in the order of paths wins, with a warning",
        "arguments": "`args`, trimmed, replaces every `$ARGUMENTS` or is appended; if empty, nothing changes",
    },
    scan=partial(start, logs_skipped=True),
    catalog=partial(catalog, logs_skipped=True),
    call=Edition(
        error_last=False,
        flat=True,
        truncate=truncated_2026_01,
        keeps_placeholder=True,
        logs_skipped=True,
    ),
)
