"""nfa: an investment advisor in Go. Skills in `~/.nfa/skills`, listed in the prompt, loaded by `Skill`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from skilltool.emulation.go import quoted as go_quoted
from skilltool.runtimes.base import Root, Runtime, Session, Setting
from skilltool.runtimes.fixed_text import fixed_text
from skilltool.runtimes.nfa import discovery
from skilltool.runtimes.nfa.call import answer_2026_02, answer_2026_04, call
from skilltool.runtimes.values import LoadedSkill, Log

_BEFORE = fixed_text(385, "91d1e74e1ff93b33b63d92d3b3ec18e1f9947b3ef320abef8154bf3decf88257")
_BUILTIN = "short-term-trend-forecast"
_BUILTIN_TEXT = {
    "en": "Analyze and predict short-term stock trends (within days, week, or month).",
    "zh": "对股票短期趋势（数天、一周、一个月内）进行分析和预测",
}


parse_2026_02 = partial(discovery.parse, struct="skills.SkillMetadata")


def skip_message_2026_02(folder: Path, reason: str, missing: bool) -> str:
    """Return the log line for a skipped directory."""
    if missing:
        return f"skill '{folder.name}' does not have SKILL.md file, skipping"
    if reason.endswith("permission denied"):
        reason = f"permission denied reading skill file '{folder / 'SKILL.md'}': {reason}"
    elif reason.startswith(("open ", "read ")):
        reason = f"read skill file error: {reason}"
    return f"skill '{folder.name}' has invalid format ({reason}), skipping"


def skip_message_2026_04(folder: Path, reason: str, missing: bool) -> str:
    """Return the log line for a skipped directory."""
    path = go_quoted(str(folder))
    if reason.startswith(("open ", "read ")):
        reason = f"read skill file {path} error: {reason}"
    return f"WARN read skill {go_quoted(folder.name)} from {path} error, skipped: {reason}"


def scan_2026_02(session: Session, level: str = "INFO") -> None:
    """Load the user's skills; a root that cannot be read ends loading with an error."""
    discovery.scan(
        session, parse_2026_02, skip_message_2026_02, "loaded skill: ", "skill_loader", level, None
    )
    if session.failure is None:
        session.logs.append(Log("INFO", "skill_loader", f"loaded {len(session.skills)} skills"))


def scan_2026_04(session: Session) -> None:
    """Load the built-in skill, then the user's, which may replace it at its position."""
    lang = "zh" if session.settings["lang"] == "zh" else "en"
    path = Path("{builtin}") / _BUILTIN
    session.skills.append(
        LoadedSkill(_BUILTIN, _BUILTIN, _BUILTIN_TEXT[lang], path, "", "builtin", str(path))
    )
    session.logs.append(Log("INFO", "", f"loaded builtin skill: {_BUILTIN}"))
    root_error = "WARN load user skills error: "
    discovery.scan(
        session, discovery.parse, skip_message_2026_04, "loaded user skill: ", "", "INFO", root_error
    )
    session.logs.append(Log("INFO", "", f"loaded {len(session.skills)} skills"))


def _items(session: Session) -> list[str]:
    return [f"- {skill.name}: {skill.description}" for skill in session.skills]


def catalog(session: Session) -> str | None:
    """Return document 000's line of names, None if there are no skills."""
    return f"Available skills: {', '.join(s.name for s in session.skills)}" if session.skills else None


def catalog_2026_02(session: Session) -> str:
    """Return the section of the system prompt, which is there without skills, too."""
    if not session.skills:
        return "## 可用技能\n\n当前没有可用的自定义技能。"
    head = "## 可用技能\n\n你可以通过 Skill 工具调用以下用户自定义技能来扩展你的能力："
    return "\n".join(
        [f"{head}\n", *_items(session), "\n当需要使用某个技能时，使用 Skill 工具并传入技能名称。"]
    )


def catalog_2026_04(session: Session) -> str | None:
    """Return the section of the system prompt, None if there are no skills."""
    if not session.skills:
        return None
    head = (
        "## 可用技能\n你可以通过调用 Skill 工具加载技能来扩展你的能力，"
        "当用户问题匹配技能描述时尽可能在开始查询或分析前先加载技能，在分析过程中发现匹配也可在分析过程中加载。\n"
        "当需要使用某个技能时，调用 Skill 工具并传入以下列出的技能名称，工具会返回技能内容："
    )
    return "\n".join([head, *_items(session)])


def prompt_2026_02(session: Session) -> str:
    """Return the system prompt: unstored text around the section."""
    return (
        _BEFORE
        + catalog_2026_02(session)
        + fixed_text(25, "5cca0b9ee516ff7c21362244e415c71f72ed3c61897c5d38ba9f456f4411ff26")
    )


def prompt_2026_04(session: Session) -> str:
    """Return the system prompt: unstored text around the section."""
    return (
        _BEFORE
        + (catalog_2026_04(session) or "")
        + fixed_text(245, "aafdac3542acf4d9a9812986639d238f34b83ff59877cd0b2afbf0ec07f06cd5")
    )


_PARAMETERS = {
    "additionalProperties": False,
    "properties": {"name": {"type": "string"}},
    "required": ["name"],
    "type": "object",
}


def tool_2026_02(session: Session) -> dict[str, Any]:
    """Return the tool as it is registered."""
    described = fixed_text(524, "5e50f34f21d0b3f5707cf0c3367b06ac14e6df24bd2216ffa8fded6814c507c3")
    return {"name": "Skill", "description": described, "parameters": _PARAMETERS}


def tool_2026_04(session: Session) -> dict[str, Any]:
    """Return the tool as it goes over the wire."""
    described = fixed_text(609, "545bbfe3b72b8ff46d4ad4165dcdedb5797a2fac4d06bed9c5835a0250d9434c")
    function = {"description": described, "name": "Skill", "parameters": _PARAMETERS, "strict": False}
    return {"function": function, "type": "function"}


def content(session: Session, skill: LoadedSkill) -> str:
    """Return the body as nfa keeps it."""
    return skill.body


_TOOL = Setting(default="Skill", about="name of the tool that is called")

_LOADER, _PARSER = "pkg/skills/skill_loader.go", "pkg/skills/skill_parser.go"
_SOURCES = {
    "roots": _LOADER,
    "key": _LOADER,
    "duplicates": _LOADER,
    "parser": _PARSER,
    "limits": _PARSER,
    "arguments": "pkg/skills/skill_tool.go",
    "tool": "pkg/skills/skill_tool.go",
    "loading": "pkg/agents/prompts.go",
}

NFA_2026_02 = Runtime(
    id="nfa@2026-02",
    title="nfa, first implementation",
    docs="yhlooo/nfa at e8f67d7 (2026-02-08): pkg/skills, pkg/agents",
    verified="2026-11-20, recordings of the running code",
    evidence="run",
    schema="nfa",
    roots=(Root(role="user", path_template="{home}/.nfa/skills", scope="user"),),
    settings={"tool": _TOOL},
    facts={
        "key": "the directory name; the listing shows `name` from the frontmatter",
        "duplicates": "none: directory names are unique; two skills with the same `name` are both listed",
        "parser": "YAML (yaml.v3) from `---` at the first byte to the next `---` before a line end",
        "arguments": "none",
        "tool": "`Skill` with `name`; it answers with one line of JSON",
        "loading": "the system prompt lists the skills and tells the model to load one by its name",
    },
    sources=_SOURCES,
    parameter="name",
    scan=scan_2026_02,
    parse=parse_2026_02,
    load=partial(discovery.load, parser=parse_2026_02),
    catalog=catalog_2026_02,
    prompt=prompt_2026_02,
    content=content,
    tool=tool_2026_02,
    call=partial(call, answer=answer_2026_02),
)

NFA_2026_04 = NFA_2026_02._replace(
    id="nfa@2026-04",
    title="nfa, April 2026",
    docs="yhlooo/nfa at b92b1f22 (2026-04-26): pkg/skills, pkg/agents/flows",
    settings={"tool": _TOOL, "lang": Setting(default="en", about="`zh` shows the built-in skill in Chinese")},
    facts={
        **NFA_2026_02.facts,
        "duplicates": "a directory with the name of the built-in skill replaces it, at its position",
    },
    scan=scan_2026_04,
    parse=discovery.parse,
    load=discovery.load,
    catalog=catalog_2026_04,
    prompt=prompt_2026_04,
    tool=tool_2026_04,
    call=partial(call, answer=answer_2026_04),
)

# Where document 000 differs from the first implementation: the listing is one line of names, and malformed
# skills are skipped with a warning.
NFA = NFA_2026_02._replace(
    id="nfa",
    title="nfa (design document)",
    docs="document 000; where it is silent, nfa@2026-02",
    verified="2026-11-21, test cases written from the document",
    evidence="document",
    sources={
        "roots": "document 000, 1. Skill Directory Structure",
        "key": "document 000, 1. Skill Directory Structure",
        "duplicates": "nfa@2026-02, where the document is silent",
        "parser": "document 000, 2. YAML Frontmatter for Metadata; how it is read: nfa@2026-02",
        "limits": "nfa@2026-02, where the document is silent",
        "arguments": "document 000, 3. Skill Tool Interface",
        "tool": "document 000, 3. Skill Tool Interface; document 000, 6. Error Handling",
        "loading": "document 000, 4. System Prompt Enhancement",
    },
    scan=partial(scan_2026_02, level="WARNING"),
    catalog=catalog,
    prompt=None,
)
