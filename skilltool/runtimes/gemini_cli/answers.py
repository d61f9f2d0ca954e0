"""What does Gemini CLI list, and what does it answer to a call of `activate_skill` or to what a user types?

Source: tools/activate-skill.js of @google/gemini-cli-core 0.61.0, and requests of the program;
utils/getFolderStructure.js of @google/gemini-cli-core 0.61.0, and its results; prompts/snippets.js,
prompts/utils.js and tools/definitions of @google/gemini-cli-core 0.61.0; requests of the program, and
SkillCommandLoader and SlashCommandResolver of @google/gemini-cli 0.61.0.
"""

from __future__ import annotations

import errno
import json
import os
import re
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from skilltool.emulation.icu_collation import collation_key
from skilltool.emulation.javascript import WHITE_SPACE, integer, replace_all, trim
from skilltool.runtimes.base import Session
from skilltool.runtimes.fixed_text import unmeasured_text
from skilltool.runtimes.gemini_cli.loading import (
    BUILTIN,
    EXTENSION,
    TOOL,
    Entry,
    State,
    facts,
    has_tool,
    offered,
    state_of,
)
from skilltool.runtimes.values import LoadedSkill, Result, Sent
from skilltool.text.lazy_pattern import lazy_pattern

MOST_ENTRIES = 200
_IGNORED = frozenset({"node_modules", ".git", "dist", "__pycache__"})
_MORE = "..."
_UNREADABLE = (errno.EACCES, errno.ENOENT, errno.EPERM)


@dataclass
class _Folder:
    name: str
    path: str
    ignored: bool = False
    files: list[str] = field(default_factory=list)
    folders: list[_Folder] = field(default_factory=list)
    more_files: bool = False
    more_folders: bool = False

    @property
    def cut(self) -> bool:
        """Whether something in it, at any depth, is not shown and marked so."""
        own = self.ignored or self.more_files or self.more_folders
        return own or any(folder.cut for folder in self.folders)


def folder_tree(directory: str) -> str:
    """Return the tree of a directory with its heading, or the program's words for one that cannot be read."""
    top = _Folder("", directory)
    try:
        if not _fill(top):
            return f'Error: Could not read directory "{directory}". Check path and permissions.'
    except OSError as error:
        code = errno.errorcode.get(error.errno or 0, "")
        return (
            f'Error processing directory "{directory}": {code}: {(error.strerror or "").lower()}, '
            f"scandir '{error.filename}'"
        )
    summary = f"Showing up to {MOST_ENTRIES} items (files + folders)."
    if top.cut:
        summary += (
            f" Folders or files indicated with {_MORE} contain more items not shown, were ignored, or the "
            f"display limit ({MOST_ENTRIES} items) was reached."
        )
    return "\n".join([f"{summary}\n\n{directory.rstrip('/')}/", "\n".join(_lines(top, ""))])


def _fill(top: _Folder) -> bool:
    """Read folders in the order of the queue until there are enough entries; False if the top is missing."""
    waiting = deque([top])
    count = 0
    while waiting:
        folder = waiting.popleft()
        if count >= MOST_ENTRIES:
            break
        try:
            files, folders = _entries(folder.path)
        except OSError as error:
            if error.errno not in _UNREADABLE:
                raise
            if folder is top and error.errno == errno.ENOENT:
                return False
            continue
        folder.files = files[: MOST_ENTRIES - count]
        folder.more_files = len(files) > len(folder.files)
        count += len(folder.files)
        for name in folders[: MOST_ENTRIES - count]:
            inner = _Folder(name, f"{folder.path}/{name}", name in _IGNORED)
            folder.folders.append(inner)
            waiting.extend([] if inner.ignored else [inner])
        folder.more_folders = len(folders) > len(folder.folders)
        count += len(folder.folders)
    return True


def _entries(directory: str) -> tuple[list[str], list[str]]:
    """Return the names of the files and of the folders, as `localeCompare` sorts them; links are neither."""
    with os.scandir(directory) as entries:
        found = sorted(entries, key=lambda entry: (collation_key(entry.name), os.fsencode(entry.name)))
    files = [each.name for each in found if each.is_file(follow_symlinks=False)]
    return files, [each.name for each in found if each.is_dir(follow_symlinks=False)]


def _lines(folder: _Folder, indent: str) -> Iterator[str]:
    after_files = bool(folder.folders or folder.more_folders)
    for number, name in enumerate(folder.files, start=1):
        yield f"{indent}{_connector(number == len(folder.files) and not after_files)}{name}"
    if folder.more_files:
        yield f"{indent}{_connector(not after_files)}{_MORE}"
    for number, inner in enumerate(folder.folders, start=1):
        is_last = number == len(folder.folders) and not folder.more_folders
        yield f"{indent}{_connector(is_last)}{inner.name}/{_MORE if inner.ignored else ''}"
        yield from _lines(inner, indent + ("    " if is_last else "│   "))
    if folder.more_folders:
        yield f"{indent}{_connector(True)}{_MORE}"


def _connector(is_last: bool) -> str:
    return "└───" if is_last else "├───"


_HEADING = "# Available Agent Skills"
_END = "</available_skills>"
_VARIABLE = "${AgentSkills}"
_ABOUT_TOOL = (
    "Returns the skill's instructions wrapped in `<activated_skill>` tags. These provide specialized "
    "guidance for the current task. Use this when you identify a task that matches a skill's description. "
    "ONLY use names exactly as they appear in the `<available_skills>` section."
)


def catalog(session: Session) -> str | None:
    """Return the block in the system prompt; None without an enabled skill.

    With the setting `system_md` it is what becomes of `${AgentSkills}` in that text, from the first heading
    to the last end, None if the text does not have the variable.
    """
    entries = offered(session)
    if not entries:
        return None
    block = _block(entries, _is_modern(session.settings["model"]))
    template = session.settings["system_md"]
    if template is None:
        return block
    if _VARIABLE not in template:
        return None
    text = replace_all(template, _VARIABLE, block)
    return text[text.index(_HEADING) : text.rindex(_END) + len(_END)]


def _block(entries: list[Entry], modern: bool) -> str:
    call = "call" if modern else "you can call"
    shown = "\n".join(
        f"  <skill>\n    <name>{entry.skill.name}</name>\n"
        f"    <description>{entry.skill.description}</description>\n"
        f"    <location>{entry.location}</location>\n  </skill>"
        for entry in entries
    )
    return (
        f"{_HEADING}\n\nYou have access to the following specialized skills. To activate a skill and receive "
        f"its detailed instructions, {call} the `{TOOL}` tool with the skill's name.\n\n"
        f"<available_skills>\n{shown}\n{_END}"
    )


def _is_modern(model: str) -> bool:
    """Return whether a model gets the newer prompt: Gemini 3 and later, and every other maker's."""
    return bool(re.match(r"gemini-3(?:\.|-|\Z)", model)) or not model.startswith("gemini-")


def tool(session: Session) -> dict[str, Any] | None:
    """Return the definition of `activate_skill`; None where it is not offered."""
    if not has_tool(session):
        return None
    keys = [entry.skill.key for entry in state_of(session).enabled]
    quoted = ", ".join(f"'{key}'" for key in keys)
    hint = f" (Available: {quoted})" if keys else ""
    name: dict[str, Any] = {"type": "string"}
    name |= (
        {"enum": keys, "description": "The name of the skill to activate."}
        if keys
        else {"description": "No skills are currently available."}
    )
    return {
        "name": TOOL,
        "description": f"Activates a specialized agent skill by name{hint}. {_ABOUT_TOOL}",
        "parametersJsonSchema": {
            "type": "object",
            "properties": {"name": name},
            "required": ["name"],
            "additionalProperties": False,
            "$schema": "http://json-schema.org/draft-07/schema#",
        },
    }


_PARAMETER = "name"
_MOST_NEAR = 3


def call(session: Session, arguments: Mapping[str, Any] | str, tool: str | None) -> Result:
    """Answer a call; the same skill can be called again."""
    if tool not in (None, TOOL) or not has_tool(session):
        return _error(f'Tool "{tool or TOOL}" not found.{_suggestion(session, tool or TOOL)}')
    state = state_of(session)
    given = _parsed(arguments) if isinstance(arguments, str) else arguments
    if problem := _invalid(given, state):
        return _error(problem, library=problem)
    name: str = given[_PARAMETER]
    entry = state.find(name)
    if entry is None:
        available = ", ".join(entry.skill.key for entry in state.enabled)
        return _error(f'Skill "{name}" not found. Available skills are: {available}')
    return _answer(name, entry)


def _suggestion(session: Session, wrong: str) -> str:
    """Return the sentence that names the offered tools whose names are nearest."""
    near = sorted(_offered_tools(session), key=lambda name: _distance(wrong, name))[:_MOST_NEAR]
    quoted = ", ".join(f'"{name}"' for name in near)
    return f" Did you mean {'one of: ' if len(near) > 1 else ''}{quoted}?" if near else ""


def _offered_tools(session: Session) -> list[str]:
    """Return the names of the tools that the model is offered, in their order."""
    settings = session.settings
    hidden = (
        set() if settings["view"] == "interactive" else facts()["headless_without"][settings["approval_mode"]]
    )
    core = {str(name).partition("(")[0] for name in settings["tools.core"]}
    return [
        name
        for name in (*facts()["tools"], *([TOOL] if has_tool(session) else []))
        if name not in hidden and name not in settings["tools.exclude"] and (not core or name in core)
    ]


def _distance(one: str, other: str) -> int:
    """Return the Levenshtein distance of two names."""
    row = list(range(len(other) + 1))
    for number, sign in enumerate(one, 1):
        before, row[0] = row[0], number
        for at, each in enumerate(other, 1):
            before, row[at] = row[at], min(row[at] + 1, row[at - 1] + 1, before + (sign != each))
    return row[-1]


def _parsed(text: str) -> Any:
    try:
        return json.loads(text, parse_int=integer)
    except (ValueError, RecursionError):
        return None


def _invalid(given: Any, state: State) -> str | None:
    """Return what the validator of the tool's schema says, None if the arguments are valid."""
    if not isinstance(given, Mapping):
        return "params must be object"
    if _PARAMETER not in given:
        return f"params must have required property '{_PARAMETER}'"
    if len(given) > 1:
        return "params must NOT have additional properties"
    name, keys = given[_PARAMETER], [entry.skill.key for entry in state.enabled]
    if not isinstance(name, str):
        return f"params/{_PARAMETER} must be string"
    return (
        f"params/{_PARAMETER} must be equal to one of the allowed values"
        if keys and name not in keys
        else None
    )


def _answer(name: str, entry: Entry) -> Result:
    skill = entry.skill
    tree = unmeasured_text() if entry.builtin else folder_tree(skill.display_path)
    body = unmeasured_text() if entry.builtin else skill.body
    text = (
        f'<activated_skill name="{name}">\n  <instructions>\n    {body}\n  </instructions>\n\n'
        f"  <available_resources>\n    {tree}\n  </available_resources>\n</activated_skill>"
    )
    shown = f"Skill **{name}** activated. Resources loaded from `{skill.display_path}`:\n\n{tree}"
    return Result(text, display=shown)


def _error(text: str, library: str | None = None) -> Result:
    return Result(text, is_error=True, library=library)


def content(session: Session, skill: LoadedSkill) -> str:
    """Return the body, as it stands among the instructions."""
    return skill.body


_BLANKS = lazy_pattern(f"[{re.escape(WHITE_SPACE)}]+")
_INTERRUPTED = "[The previous response was interrupted before it completed.]"
_ID = "<ID>"


def user(session: Session, text: str) -> Sent:
    """Return what is sent for a typed text; without a terminal (`view=headless`) that is the text itself."""
    if session.settings["view"] != "interactive":
        return Sent((_said(text),))
    line = trim(text)
    if line.startswith(("//", "/*")) or not line.startswith("/"):
        return Sent((_said(line),))
    name, *words = [word for word in _BLANKS.split(line[1:]) if word] or [""]
    entry = commands(state_of(session)).get(name)
    if entry is None:
        shown = BUILTIN if name in facts()["command_aliases"] else None
        return Sent((), shown=shown) if shown else Sent((_said(line),))
    if isinstance(entry, str):
        return Sent((), shown=BUILTIN)
    return _activated(session, entry, " ".join(words))


def commands(state: State) -> dict[str, Entry | str]:
    """Return what each command stands for: a skill, or a command of the program (its name).

    A name that is taken gets a number, and so does the skill that had it first; a skill of an extension has
    the extension's name before its own.
    """
    found: dict[str, Entry | str] = {name: name for name in facts()["commands"]}
    first = set(found)
    for entry in state.enabled:
        if entry.builtin:
            continue
        name = typed(entry.skill)[1:]
        if entry.extension is not None:
            found[_free(name, found)] = entry
        elif name not in first:
            first.add(name)
            found[name] = entry
        else:
            free = _free(name, found)
            if isinstance(owner := found.get(name), Entry):
                del found[name]
                found[free] = owner  # and the other skill takes that name from it
            found[free] = entry
    return found


def typed(skill: LoadedSkill) -> str:
    """Return what the user types to call a skill, unless another one has that name."""
    name = _BLANKS.sub("-", trim(skill.name))
    extension = skill.role.removeprefix(EXTENSION) if skill.role.startswith(EXTENSION) else None
    return f"/{name}" if extension is None else f"/{extension}:{name}"


def _free(name: str, taken: Mapping[str, Any]) -> str:
    number, free = 0, name
    while free in taken:
        number += 1
        free = f"{name}{number}"
    return free


def _activated(session: Session, entry: Entry, arguments: str) -> Sent:
    """Return a call of the skill that the model seems to have made, its answer, and the rest of the text."""
    key = entry.skill.key
    result = call(session, {"name": key}, None)
    response = {"error" if result.is_error else "output": result.text}
    called = {"functionCall": {"id": _ID, "args": {"name": key}, "name": TOOL}}
    answered = {"functionResponse": {"id": _ID, "name": TOOL, "response": response}}
    messages = (
        {"parts": [called], "role": "model"},
        {"parts": [answered], "role": "user"},
        {"parts": [{"text": _INTERRUPTED}], "role": "model"},
        _said(arguments or f"Use the skill {entry.skill.name}"),
    )
    return Sent(messages, result.text)


def _said(text: str) -> Mapping[str, Any]:
    return {"parts": [{"text": text}], "role": "user"}
