"""Claude Code: skills in `.claude/skills`, listed in a system message, called with the tool `Skill`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from skilltool.findings.finding import Severity
from skilltool.runtimes.base import ARGUMENTS, COMMAND, POSITION, Root, Runtime, Session, Setting
from skilltool.runtimes.claude_code import answers, listing, loading
from skilltool.runtimes.claude_code.listing import touch
from skilltool.runtimes.claude_code.manifest import parse
from skilltool.runtimes.claude_code.settings import facts
from skilltool.runtimes.claude_code.skills import Entry, skill_tool_denied, state_of
from skilltool.runtimes.claude_code.text_map import TEXT_MAPPER
from skilltool.runtimes.fixed_text import unmeasured_text
from skilltool.runtimes.loading import is_file_here
from skilltool.runtimes.values import LoadedSkill


def scan(session: Session) -> None:
    """Fill a session, and touch the files that the setting `touched` names."""
    loading.scan(session)
    for file in session.settings["touched"]:
        touch(session, Path(file))


def tool(session: Session) -> dict[str, Any] | None:
    """Return the definition of the Skill tool, which is the same with any skills."""
    if skill_tool_denied(state_of(session)):
        return None
    return {
        "name": "Skill",
        "description": unmeasured_text(facts()["tool"]["description_chars"]),
        "input_schema": {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "properties": {
                "skill": {"description": unmeasured_text(), "type": "string"},
                "args": {"description": unmeasured_text(), "type": "string"},
            },
            "required": ["skill"],
            "additionalProperties": False,
        },
    }


def summary(skill: LoadedSkill) -> str | None:
    """Return what the listing shows of a skill, within the usual length; None if nothing."""
    entry = skill.known_as(Entry)
    return listing.entry_text(entry) if entry.listed else None


def as_plugin(directories: Sequence[Path]) -> dict[str, Any]:
    """Return the settings for skills of a plugin, whose manifest is above the directory that holds them.

    Nothing else is loaded then, as for a user who installs it. Empty for skills that are in no plugin.
    """
    top = directories[0].parent.parent
    if not is_file_here(top / loading.MANIFEST):
        return {}
    return {"flags": ["--plugin-dir", str(top), "--setting-sources", "local"]}


def installed(name: str, top: Path, skills: Sequence[str] | None, is_whole: bool) -> dict[str, Any]:
    """Return the settings with which the plugin at `top`, and nothing else, is installed.

    Without a manifest of its own it has the `name` and the list of `skills` (paths below `top`) of an entry
    in a marketplace; `is_whole` says that they are all that it has.
    """
    if is_file_here(top / loading.MANIFEST):
        return {"flags": ["--plugin-dir", str(top), "--setting-sources", "local"]}
    entry = {"name": name, "directory": str(top), "skills": list(skills or ()), "only_listed": is_whole}
    return {"plugins": [entry], "flags": ["--setting-sources", "local"]}


_SETTINGS = {
    "flags": Setting(
        default=[], about="command-line options, such as `--model`, `--add-dir` and `--plugin-dir`"
    ),
    "env": Setting(
        default=None, about="environment variables as an object; those of the skilltool process are ignored"
    ),
    "plugins": Setting(
        default=[],
        about="marketplace plugins without their own manifest, treated as installed: objects with `name`, "
        "`directory`, `skills` (paths in it), and `only_listed` if it has no other skills",
    ),
    "touched": Setting(
        default=[],
        about="files that the model has read or written; they load nested skills and skills with `paths`",
    ),
    "user_settings": Setting(
        default=True,
        about="read `~/.claude/settings.json`, other settings in the home directory, and "
        "`.claude/settings.local.json`",
        in_lint=False,
    ),
}
_FACTS = {
    "key": "the directory; `name` in the frontmatter is an alias, if no directory, command or earlier name "
    "is the same",
    "duplicates": "the first copy wins: personal, then the working directory and its parents, nearest first; "
    "a plugin's copy stays beside it as `plugin:name`, a copy of --add-dir as `directory:name`",
    "parser": "YAML 1.2 (Bun) between a first line `---` and the next `---` anywhere; where it fails, values "
    "that hold `: ` or a special character are put in quotes; where that fails, all fields are lost",
    "arguments": "`$ARGUMENTS`, words as `$0`, `$1`, `$ARGUMENTS[0]` and by the names in `arguments`; "
    "without a placeholder they go to the end of the text",
    "tool": "`Skill` with `skill` and `args`; a second call with the same text is told that it is loaded",
    "loading": "the listing is in a system message after the first prompt; a description with `when_to_use` "
    "is cut at 1,536 UTF-16 units; over the budget, counted in terminal columns (two for `안`), whole "
    "descriptions go",
    "commands": "`.claude/commands/**/*.md` are listed and called like skills",
    "changes": "files are read when the session starts; one that appears, changes or goes counts some "
    "seconds later, and new and changed skills are listed once more in a message of their own",
    "stand-ins": "`{builtin}` stands for text of the program's own skills, `{output}` for what a command in "
    "a body prints, `{answer}` for what a forked model answers, `{session}` for the id of the session, "
    "`{content}` for a file outside the project that a skill names",
    "permission": "a skill with `allowed-tools`, `disallowed-tools` or `hooks` asks before the model's call, "
    "which print mode refuses; a malformed PreToolUse or PermissionRequest hook drops all hooks and "
    "`allowed-tools`, other malformed hooks and unknown events drop only themselves",
    "model": "`model` counts for a typed `/x` and with `context: fork`, not for a call by the model; `haiku` "
    "and the like in any case are aliases, any other name is sent as it is",
}

CLAUDE_CODE_2_1_329 = Runtime(
    id="claude-code@2.1.329",
    title="Claude Code 2.1.329",
    docs="requests of @anthropic-ai/claude-code 2.1.329 (linux-x64, `claude -p`) to a loopback model server",
    verified="2026-11-21, wire: 1,039 recorded cases",
    evidence="wire",
    schema="claude-code",
    roots=(
        Root(role="user", path_template="{home}/.claude/skills", scope="user"),
        Root(role="project", path_template="{project}/.claude/skills"),
        Root(role="user-commands", path_template="{home}/.claude/commands", scope="user"),
        Root(role="project-commands", path_template="{project}/.claude/commands"),
    ),
    settings=_SETTINGS,
    facts=_FACTS,
    sources={
        **dict.fromkeys(("roots", "key", "duplicates"), "the listing in requests, log of --debug-file"),
        **dict.fromkeys(
            ("parser", "loading", "limits", "commands", "changes", "stand-ins"), "the listing in requests"
        ),
        **dict.fromkeys(
            ("arguments", "tool", "permission", "model"), "the messages after a scripted call of Skill"
        ),
    },
    parameter="skill",
    argument="args",
    expands=frozenset({ARGUMENTS, POSITION, COMMAND}),
    budget_unit=listing.UNIT,
    # The name is an alias beside the directory; `different-key` says where it is none.
    severities={"name-directory-mismatch": Severity.INFO},
    scan=scan,
    settings_for=as_plugin,
    installed=installed,
    load=loading.load,
    parse=parse,
    catalog=listing.catalog,
    summary=summary,
    budget=listing.budget,
    shares=listing.shares,
    tool=tool,
    call=answers.call,
    content=answers.content,
    user=answers.user,
    text_mapper=TEXT_MAPPER,
)

CLAUDE_CODE = CLAUDE_CODE_2_1_329._replace(id="claude-code", title="Claude Code")
