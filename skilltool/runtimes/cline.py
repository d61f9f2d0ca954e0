"""Cline: skills in `.cline/skills` and `.clinerules/skills`, called with the tool `skills`.

In a session the text goes out as it is, and the model calls the tool. A host without the tool puts the body
of a skill in the place of `/name` at the start (`resolveRuntimeSlashCommand`): that is the level `class`.
Source: `extensions/config/runtime-commands` of @cline/core 0.0.86, and records of both.

Source: `extensions/config/user-instruction-config-loader` of @cline/core 0.0.86, and records of it;
`extensions/config/user-instruction-plugin` and `extensions/tools` of @cline/core 0.0.86, and records.
"""

from __future__ import annotations

import json
import re
import stat
import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from skilltool.emulation import json_repair, npm_yaml
from skilltool.emulation.icu_collation import collation_key
from skilltool.emulation.javascript import first_units, last_units, length, trim
from skilltool.findings.finding import Severity
from skilltool.runtimes import values
from skilltool.runtimes.base import Root, Runtime, Session, Setting
from skilltool.runtimes.fixed_text import fixed_text
from skilltool.runtimes.loading import TOO_LARGE, bytes_of, is_directory_entry, is_here, last_wins, names
from skilltool.runtimes.values import (
    SILENTLY,
    LoadedSkill,
    Refusal,
    Refused,
    ResolvedRoot,
    Result,
    Sent,
    not_read,
)
from skilltool.skill.skill_file import FILE_NAME, MAX_BYTES
from skilltool.text.frontmatter.nodes import BoundError
from skilltool.text.lazy_pattern import lazy_pattern

_FRONTMATTER = lazy_pattern(r"---\r?\n(?P<yaml>[\s\S]*?)\r?\n---\r?\n?")


class Manifest(NamedTuple):
    """What one file says; `has_fields` is False for a file that is all body."""

    name: str
    description: str | None
    body: str
    disabled: bool = False
    has_fields: bool = True


@lru_cache(maxsize=2)
def read(raw: bytes, directory: str) -> Manifest:
    """Return what a SKILL.md in a directory of this name says; raises `Refusal` for one that is refused."""
    if len(raw) > MAX_BYTES:
        raise Refusal(None, TOO_LARGE)
    text = raw.decode("utf-8", "replace").removeprefix("\ufeff")
    match = _FRONTMATTER.match(text)
    fields = _fields(match["yaml"]) if match else {}
    body = trim(text[match.end() :] if match else text)
    if not body:
        raise Refusal("Missing instructions body in skill file.", "the body is empty")
    name = _text(fields, "name") or trim(directory)
    if not name:
        raise Refusal("Missing skill name.", "neither `name` nor the directory's name has a letter")
    disabled = _boolean(fields, "disabled")
    if disabled is None:
        disabled = _boolean(fields, "enabled") is False
    return Manifest(name, _text(fields, "description"), body, disabled, match is not None)


def _fields(yaml: str) -> dict[str, Any]:
    try:
        data = npm_yaml.load(yaml)
    except BoundError as error:
        raise not_read(error) from None
    except npm_yaml.NotParsedError as error:
        words = f"Failed to parse YAML frontmatter: {error.words}"
        why = f"the frontmatter is not valid YAML: {error}"
        raise Refusal(words, why, library=error.words) from None
    return data if isinstance(data, dict) else {}


def _text(fields: dict[str, Any], field: str) -> str | None:
    value = fields.get(field)
    if value is not None and not isinstance(value, str):
        raise Refusal(f"Frontmatter field '{field}' must be a string.", f"`{field}` is not a string")
    return trim(value or "") or None


def _boolean(fields: dict[str, Any], field: str) -> bool | None:
    value = fields.get(field)
    if value is not None and not isinstance(value, bool):
        raise Refusal(f"Frontmatter field '{field}' must be a boolean.", f"`{field}` is not a boolean")
    return value


def parse(raw: bytes, directory: str | None) -> values.Manifest:
    """Return name, description and body of a SKILL.md, and `disabled` if it is; raises `Refusal`."""
    manifest = read(raw, directory or "")
    own = {"disabled": True} if manifest.disabled else {}
    return values.Manifest(
        manifest.name, manifest.description, manifest.body, own, fields_lost=not manifest.has_fields
    )


_ALL = "cline"


def scan(session: Session) -> None:
    """Fill a session: the last copy of a name counts, at the first copy's position."""
    winners: dict[str, LoadedSkill] = {}
    losers: list[LoadedSkill] = []
    for root in session.roots:
        for outcome in _in_root(root):
            if isinstance(outcome, Refused):
                session.skipped.append(outcome._replace(role=root.role))
                continue
            if id_of(outcome) in winners:
                losers.append(winners[id_of(outcome)])
            winners[id_of(outcome)] = outcome._replace(role=root.role)
    session.memory[_ALL] = list(winners.values())
    for skill in losers:
        winner = winners[id_of(skill)]
        if skill.directory != winner.directory:
            session.shadowed.append(last_wins(session, winner, skill))
    for skill in winners.values():
        why = _hidden(session, skill)
        if why is None:
            session.skills.append(skill)
        else:
            hidden = Refused(skill.directory, None, why, skill.role, key=skill.key, hidden=True)
            session.skipped.append(hidden)


def every(session: Session) -> list[LoadedSkill]:
    """Return all skills of a session, also those that are not offered."""
    loaded: list[LoadedSkill] = session.memory[_ALL]
    return loaded


def id_of(skill: LoadedSkill) -> str:
    """Return the name by which copies and calls are compared: in lower case."""
    return skill.known_as(Manifest).name.lower()


def _in_root(root: ResolvedRoot) -> Iterator[LoadedSkill | Refused]:
    """Yield what becomes of the SKILL.md of a root itself and of each directory in it."""
    try:
        entries = names(root.path)
    except OSError:
        return
    for name in entries:
        path = root.path / name
        if name == FILE_NAME and _is_file(path):
            yield load(root.path)
        elif is_directory_entry(path):
            yield load(path)


def _is_file(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


def _hidden(session: Session, skill: LoadedSkill) -> str | None:
    if skill.known_as(Manifest).disabled:
        return "`disabled` or `enabled` in the frontmatter turns it off"
    return None if is_allowed(session, skill) else "the setting `skills` does not name it"


def is_allowed(session: Session, skill: LoadedSkill) -> bool:
    """Whether the setting `skills` is empty, or names a skill, also by what is after its last `:`."""
    allowed = {each for given in session.settings["skills"] or () if (each := normalized(str(given)))}
    return not allowed or not {id_of(skill), id_of(skill).rpartition(":")[2]}.isdisjoint(allowed)


def normalized(name: str) -> str:
    """Return a name as it is compared: without spaces around it, leading slashes and case."""
    return trim(name).lstrip("/").lower()


def load(directory: Path) -> LoadedSkill | Refused:
    """Return what becomes of one skill directory, whatever the settings."""
    file = directory / FILE_NAME
    try:
        raw = bytes_of(file)
        if isinstance(raw, OSError):
            missing = not is_here(file)
            why = f"it has no {FILE_NAME}" if missing else f"{FILE_NAME} cannot be read: {raw.strerror}"
            return Refused(directory, None, f"{why} {SILENTLY}")
        manifest = read(raw, directory.name)
    except Refusal as refusal:
        return refusal.refused(directory)
    text = manifest.description or ""
    return LoadedSkill(
        manifest.name, manifest.name, text, directory, manifest.body, "", str(directory), details=manifest
    )


_ABOUT = (529, "98640e8e271e3fe356a820afbcb721ee3c61454e635d398401d83f5f080bf279")


def has_tool(session: Session) -> bool:
    """Whether the tool is offered: some skill is, and tools are on."""
    return bool(session.skills) and bool(session.settings["enableTools"])


def catalog(session: Session) -> str | None:
    """Return the names of the skills in the order in which they are read; None without a tool."""
    if not has_tool(session):
        return None
    return f"Available skills: {', '.join(map(summary, session.skills))}."


def prompt(session: Session) -> str | None:
    """Return the whole description of the tool."""
    listed = catalog(session)
    return None if listed is None else fixed_text(*_ABOUT) + listed


def summary(skill: LoadedSkill) -> str:
    """Return what the model sees of a skill before it calls it: its name, in lower case if it has a colon."""
    return id_of(skill) if ":" in skill.name else skill.name


def tool(session: Session) -> dict[str, Any] | None:
    """Return the definition of the tool."""
    if not has_tool(session):
        return None
    return {
        "type": "function",
        "function": {
            "name": "skills",
            "description": prompt(session),
            "parameters": {
                "type": "object",
                "properties": {
                    "skill": {
                        "type": "string",
                        "minLength": 1,
                        "description": "Name of the skill to execute.",
                    },
                    "args": {
                        "description": "Arguments for the skill; use null when omitted",
                        "type": ["string", "null"],
                    },
                },
                "required": ["skill"],
                "additionalProperties": False,
            },
        },
    }


_BLANK = r"\t\n\v\f\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_COMMAND = lazy_pattern(rf"/(?P<name>[^{_BLANK}]+)")
_BLANKS = lazy_pattern(rf"[{_BLANK}]+")


def user(session: Session, text: str) -> Sent:
    """Return what is sent for a typed text."""
    if session.level != "class":
        return _sent(text)
    match = _COMMAND.match(text)
    name = command_name(match["name"]) if match else ""
    skill = dict(commands(session)).get(name) if name else None
    if match is None or skill is None:
        return _sent(text)
    return _sent(skill.body + text[match.end() :], skill.body)


def commands(session: Session) -> list[tuple[str, LoadedSkill]]:
    """Return the commands that can be typed, sorted, each with its skill; whatever the setting `skills`."""
    enabled = [
        (command_name(skill.name), skill) for skill in every(session) if not skill.known_as(Manifest).disabled
    ]
    ordered = sorted(enabled, key=lambda each: (collation_key(each[0]), collation_key(id_of(each[1]))))
    first: dict[str, LoadedSkill] = {}
    for name, skill in ordered:
        first.setdefault(name, skill)
    return [(name, skill) for name, skill in first.items() if name]


def command_name(name: str) -> str:
    """Return a name as a command: in lower case, with a hyphen for all but letters, digits and `_.:@-`."""
    text = _BLANKS.sub("-", trim(name).lower())
    kept = "".join(each if each in "_.:@-" or unicodedata.category(each)[0] in "LN" else "-" for each in text)
    return re.sub("-+", "-", kept).removeprefix("-").removesuffix("-")


def _sent(text: str, carried: str | None = None) -> Sent:
    return Sent(({"role": "user", "content": [{"type": "text", "text": text}]},), carried)


_MOST = 8000
_TOOL = "skills"
_OTHER_TOOLS = ("read_files", "search_codebase", "run_commands", "fetch_web_content", "editor")
_BROKEN = (
    "Tool call skills emitted invalid JSON arguments: Tool call arguments could not be parsed as JSON. "
    "Ensure the outer tool payload is valid JSON and escape embedded quotes/newlines inside string fields."
)
_NO_OBJECT = (
    "Tool call skills emitted invalid JSON arguments: Tool call arguments must be encoded as a JSON object "
    "or array."
)
_TYPES = {bool: "boolean", int: "number", float: "number", list: "array", dict: "object", str: "string"}


def call(session: Session, arguments: Mapping[str, Any] | str, tool: str | None) -> Result:
    """Answer a call, by arguments or their raw text; it can be repeated."""
    name = tool or _TOOL
    tools = [*([_TOOL] if has_tool(session) else []), *_OTHER_TOOLS]
    if name in _OTHER_TOOLS:
        return Result(None, True, flow_error="the result of this call is not known")
    if name not in tools:
        return _error(
            f"Tool call {name} was rejected before execution: AI_NoSuchToolError: Model tried to call "
            f"unavailable tool '{name}'. Available tools: {', '.join(tools)}."
        )
    try:
        given = _parsed(arguments) if isinstance(arguments, str) else arguments
    except ValueError as error:
        return _error(str(error))
    if not isinstance(given, Mapping):
        return _error(f"✖ Invalid input: expected object, received {_type(given)}")
    if issues := _issues(given):
        return _error("\n".join(issues))
    loaded = _found(session, given["skill"])
    if isinstance(loaded, str):
        return Result(loaded, True, loaded)
    return Result(shortened(text_of(loaded, given.get("args"))), display=loaded.name)


def _parsed(text: str) -> Any:
    """Return the arguments, none for an empty text or `null`; raises ValueError with the program's words."""
    if not trim(text):
        return {}
    try:
        found = json_repair.load(text)
    except ValueError:
        raise ValueError(_BROKEN) from None
    if isinstance(found, str):
        raise ValueError(_NO_OBJECT)
    return {} if found is None else found


def _issues(given: Mapping[str, Any]) -> list[str]:
    """Return what the tool's schema refuses, as zod's `prettifyError` writes it."""
    skill, arguments = given.get("skill", ...), given.get("args")
    issues = []
    if not isinstance(skill, str):
        issues.append(f"✖ Invalid input: expected string, received {_type(skill)}\n  → at skill")
    elif not skill:
        issues.append("✖ Too small: expected string to have >=1 characters\n  → at skill")
    if arguments is not None and not isinstance(arguments, str):
        issues.append(f"✖ Invalid input: expected string, received {_type(arguments)}\n  → at args")
    return issues


def _type(value: Any) -> str:
    if value is ...:
        return "undefined"
    return "null" if value is None else _TYPES[type(value)]


def _found(session: Session, given: str) -> LoadedSkill | str:
    """Return the skill that a name stands for, or why there is none that can be called."""
    name = normalized(given)
    if not name:
        return "Missing skill name."
    allowed = [skill for skill in every(session) if is_allowed(session, skill)]
    exact = next((skill for skill in allowed if id_of(skill) == name), None)
    last = name.rpartition(":")[2]
    near = [skill for skill in allowed if id_of(skill) == last or id_of(skill).endswith(f":{last}")]
    enabled = [skill for skill in near if not skill.known_as(Manifest).disabled]
    one = exact or (enabled[0] if len(enabled) == 1 else near[0] if len(near) == 1 else None)
    if one is not None:
        return f'Skill "{one.name}" is configured but disabled.' if one.known_as(Manifest).disabled else one
    if near:
        keys = ", ".join(id_of(skill) for skill in enabled or near)
        rest = "Use one of: " if enabled else "and all matches are disabled: "
        return f'Skill "{given}" is ambiguous{". " if enabled else ", "}{rest}{keys}'
    names = [trim(skill.name) for skill in allowed if not skill.known_as(Manifest).disabled]
    if not names:
        return "No skills are currently available."
    return f'Skill "{given}" not found. Available skills: {", ".join(sorted(names, key=collation_key))}'


def text_of(skill: LoadedSkill, arguments: str | None = None) -> str:
    """Return the text that carries a skill; nothing in it is replaced."""
    given = trim(arguments or "")
    line = f"\n<command-args>{given}</command-args>" if given else ""
    about = f"Description: {skill.description}\n\n" if skill.description else ""
    return (
        f"<command-name>{skill.name}</command-name>{line}\n<command-instructions>\n{about}{skill.body}\n"
        "</command-instructions>"
    )


def shortened(text: str) -> str:
    """Return a text as it is sent: over 8,000 UTF-16 units it loses its middle."""
    size = length(text)
    if size <= _MOST:
        return text
    left_out = size - 2 * _each_end(size - _MOST)
    kept = _each_end(left_out)
    return first_units(text, kept) + _mark(left_out) + last_units(text, kept)


def _each_end(left_out: int) -> int:
    return max((_MOST - len(_mark(left_out))) // 2, 0)


def _mark(left_out: int) -> str:
    return f"\n\n...[truncated {left_out} chars]...\n\n"


def content(session: Session, skill: LoadedSkill) -> str:
    """Return the body of a skill."""
    return skill.body


def _error(words: str) -> Result:
    return Result(json.dumps({"error": words}, ensure_ascii=False, separators=(",", ":")), True, words)


_SETTINGS = {
    "skills": Setting(default=[], about="names of the only skills to offer; an empty list offers all"),
    "mode": Setting(default="act", about="`act` or `plan`; skills are offered in both"),
    "enableTools": Setting(
        default=True, about="whether the session has tools; without them, no skills are offered"
    ),
}
_FACTS = {
    "key": "`name` in the frontmatter, otherwise the directory's name; case-insensitive",
    "duplicates": "the last copy wins, but is listed in the first copy's position. The order is .clinerules, "
    ".cline, .agents, then .cline and .agents in the home directory; within one skills directory, the last "
    "subdirectory wins",
    "parser": "YAML 1.2 (npm yaml), from an initial `---` line to the next line that starts with "
    "`---`; without frontmatter, the whole file is the body",
    "arguments": "`args` comes before the body; nothing in the body is replaced",
    "tool": "`skills` with `skill` and `args`; the name is matched case-insensitively, ignoring "
    "leading slashes and anything before `:`",
    "loading": "the tool's description contains only the names; a skill's description is sent with its body",
    "cuts": "if an answer is longer than 8,000 UTF-16 code units, its middle is cut out",
    "silent": "a rejected file is not mentioned anywhere",
    "commands": "in a session, `/name` is sent as typed; a host that does not offer the tool replaces "
    "`/name` with the skill's body",
}

CLINE_0_0_86 = Runtime(
    id="cline@0.0.86",
    title="Cline (@cline/core 0.0.86)",
    docs="requests from @cline/core 0.0.86 (ClineCore, local) to a loopback model server; the "
    "package's functions",
    verified="2026-11-21, wire: 305 recorded cases",
    evidence="wire",
    schema="cline",
    roots=(
        Root(role="clinerules", path_template="{project}/.clinerules/skills"),
        Root(role="project", path_template="{project}/.cline/skills"),
        Root(role="project-agents", path_template="{project}/.agents/skills"),
        Root(role="user", path_template="{home}/.cline/skills", scope="user"),
        Root(role="user-agents", path_template="{home}/.agents/skills", scope="user"),
    ),
    settings=_SETTINGS,
    facts=_FACTS,
    sources={
        **dict.fromkeys(
            ("roots", "key", "duplicates", "parser", "limits", "silent"),
            "extensions/config/user-instruction-config-loader",
        ),
        **dict.fromkeys(("arguments", "tool", "cuts"), "messages after a scripted call"),
        "loading": "the tools in recorded requests",
        "commands": "extensions/config/runtime-commands",
    },
    parameter="skill",
    argument="args",
    # The directory's name counts only where the file has none.
    severities={"name-directory-mismatch": Severity.INFO},
    scan=scan,
    load=load,
    parse=parse,
    catalog=catalog,
    prompt=prompt,
    summary=summary,
    lists_names=True,
    tool=tool,
    call=call,
    content=content,
    user=user,
)

CLINE = CLINE_0_0_86._replace(id="cline", title="Cline")
