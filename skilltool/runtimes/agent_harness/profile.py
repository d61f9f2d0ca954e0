"""agent-harness: skills as XML in the prompt, which the model reads with its ordinary file tool."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from skilltool.emulation.javascript import first_units, length
from skilltool.findings.finding import Severity
from skilltool.runtimes.agent_harness import discovery
from skilltool.runtimes.agent_harness.manifest import parse
from skilltool.runtimes.base import Root, Runtime, Session, Setting
from skilltool.runtimes.loading import read_bytes
from skilltool.runtimes.values import LoadedSkill, Refusal, Result
from skilltool.skill.skill_file import FILE_NAME

_TOKENS_PER_SKILL = 100
_USUAL_TOKENS = 1000
_LINE, _CUT = 60, 57
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;"})


def _offered(session: Session) -> list[LoadedSkill]:
    """Return the skills in the listing: cut to the budget first, then without those that are hidden."""
    tokens = _tokens(session)
    skills = session.skills
    if len(skills) * _TOKENS_PER_SKILL > tokens:
        skills = skills[: math.floor(tokens / _TOKENS_PER_SKILL)]
    return [skill for skill in skills if not (skill.extra.get("disabled") or skill.extra.get("unavailable"))]


def catalog(session: Session) -> str:
    """Return the listing as XML; an empty string if no skill is offered."""
    entries = [
        f"<skill>\n<name>{skill.name}</name>\n"
        f"<description>{skill.description.translate(_ESCAPES)}</description>\n"
        f"<location>{str(skill.directory / FILE_NAME).translate(_ESCAPES)}</location>\n</skill>"
        for skill in _offered(session)
    ]
    return "\n".join(["<available_skills>", *entries, "</available_skills>"]) if entries else ""


def prompt(session: Session) -> str:
    """Return the listing, or with the setting `view=summary` the text of `agent skill list`."""
    if session.settings["view"] != "summary":
        return catalog(session)
    if not session.skills:
        return "No skills available"
    lines = [f"Available skills ({len(session.skills)}):"]
    for skill in session.skills:
        text = skill.description
        shown = f"{first_units(text, _CUT)}..." if length(text) > _LINE else text
        lines.append(f"  - {skill.name} ({skill.role}): {shown}")
    return "\n".join(lines)


def content(session: Session, skill: LoadedSkill) -> str | None:
    """Return the whole file, as the model reads it at the listed location; None if it cannot be read now."""
    try:
        return read_bytes(skill.directory / FILE_NAME).decode("utf-8", "replace")
    except (OSError, Refusal):
        return None


def call(session: Session, arguments: Mapping[str, Any] | str, tool: str | None) -> Result:
    """Answer as `getTier2Context`, which no model can call: the file of the named skill, or nothing."""
    name = arguments.get("name") if isinstance(arguments, Mapping) else None
    skill = session.find(name) if isinstance(name, str) else None
    text = None if skill is None else content(session, skill)
    return Result(text, text is None)


def budget(session: Session) -> tuple[int, tuple[str, ...]]:
    """Return the budget of the listing in tokens, 100 per skill, and the keys that exceed it."""
    tokens = _tokens(session)
    fitting = math.floor(max(tokens, 0) / _TOKENS_PER_SKILL)
    return math.floor(tokens), tuple(skill.key for skill in session.skills[fitting:])


def asked_tokens(session: Session) -> tuple[int, int]:
    """Return what the skills count for, hidden ones too; the program has no skills of its own."""
    return len(session.skills) * _TOKENS_PER_SKILL, 0


def _tokens(session: Session) -> float:
    """Return the budget of the listing; null means 1000 (`?? 1000` in the source)."""
    given = session.settings["max_tier1_tokens"]
    return _USUAL_TOKENS if given is None else float(given)


AGENT_HARNESS_0_3_24 = Runtime(
    id="agent-harness@0.3.24",
    title="agent-harness 0.3.24 (TypeScript)",
    docs="danielscholl/agent-harness at dba0a19b (2026-01-29): src/skills, under Bun 1.3.4",
    verified="2026-11-21, recordings of the running code",
    evidence="run",
    schema="agent-harness",
    budget_unit="tokens",
    roots=(
        Root(role="bundled", path_template="{home}/.agent/_bundled_skills", scope="bundled"),
        Root(role="user", path_template="{home}/.agent/skills", scope="user"),
        Root(role="claude", path_template="{project}/.claude/skills"),
        Root(role="project", path_template="{project}/.agent/skills"),
        Root(
            role="plugin",
            path_template="{home}/.agent/plugins",
            scope="plugin",
            unscanned="only plugins listed in the setting `plugins` are loaded from it",
        ),
    ),
    settings={
        "plugins": Setting(default=[], about="list of {url, name, enabled}; only these plugins are loaded"),
        "enabled_bundled": Setting(default=[], about="enable only these bundled skills; an empty list, all"),
        "disabled_bundled": Setting(default=[], about="disable these bundled skills"),
        "include_disabled": Setting(default=False, about="list disabled skills, too, marked"),
        "include_unavailable": Setting(default=False, about="list skills with missing commands, too, marked"),
        "max_tier1_tokens": Setting(
            default=_USUAL_TOKENS, about="budget of the listing in tokens, 100 per skill"
        ),
        "view": Setting(default="", about="`summary`: --part prompt shows what `agent skill list` prints"),
    },
    facts={
        "key": "`name` in the frontmatter, which must equal the directory name",
        "duplicates": "the last copy wins, at the first's position: bundled, user, claude, project, plugin",
        "parser": "YAML 1.2 (npm yaml), from `---` at the start to a line `---`; unknown keys are refused",
        "arguments": "none",
        "tool": "none: the model reads the file at the listed location",
        "loading": "the listing follows the prompt; at most the first ten skills",
    },
    sources={
        **dict.fromkeys(("roots", "duplicates"), "src/skills/loader.ts, src/utils/paths.ts"),
        **dict.fromkeys(("key", "parser"), "src/skills/parser.ts"),
        "limits": "src/skills/manifest.ts",
        **dict.fromkeys(("arguments", "tool", "loading"), "src/skills/context-provider.ts"),
    },
    # Its schema is strict: a key that it does not define refuses the whole manifest.
    severities={"unknown-field": Severity.ERROR},
    scan=discovery.scan,
    parse=parse,
    load=discovery.load,
    catalog=catalog,
    prompt=prompt,
    content=content,
    call=call,
    budget=budget,
    asked_tokens=asked_tokens,
)
