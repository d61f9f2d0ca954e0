"""What does qwen-code answer to a call of its skill tool, or of a tool that touches a file?

Source: `packages/core/src/tools/skill.ts` and `core/coreToolScheduler.ts` of 0.24.4, and records of them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from skilltool.emulation import json_repair
from skilltool.emulation.javascript import trim
from skilltool.emulation.picomatch import matches_path
from skilltool.runtimes.base import Session
from skilltool.runtimes.fixed_text import unmeasured_text
from skilltool.runtimes.qwen_code import output
from skilltool.runtimes.qwen_code.bundled import own_skills
from skilltool.runtimes.qwen_code.discovery import offer
from skilltool.runtimes.qwen_code.listing import block, entries
from skilltool.runtimes.qwen_code.state import manifest_of, state_of
from skilltool.runtimes.values import LoadedSkill, Result

OUTPUT = "{output}"
BUILTIN = "{builtin}"
_TOOL = "skill"
_DENIED = 'Qwen Code requires permission to use "skill", but that permission was declined'
_ASKED = f"{_DENIED} (non-interactive mode cannot prompt for confirmation)."
_ASKING = frozenset({"default", "plan"})
# The parameter of each tool that names the file or directory it touches.
_TOUCHING = {
    "read_file": "file_path",
    "write_file": "file_path",
    "edit": "file_path",
    "list_directory": "path",
    "glob": "path",
    "grep_search": "path",
    "notebook_edit": "notebook_path",
}
_ACTIVATED = (
    "The following skill(s) became available via the Skill tool based on the file you just accessed; invoke "
    "a skill by passing its name to the Skill tool:"
)


def call(session: Session, arguments: Mapping[str, Any] | str, tool: str | None) -> Result:
    """Answer a call of the skill tool, or of a tool that touches a file; a session remembers both."""
    given = _parsed(arguments)
    if tool in (None, _TOOL, "Skill"):
        return _answer(session, given)
    file = given.get(_TOUCHING.get(str(tool), "")) if given else None
    return Result(OUTPUT + (touch(session, [file]) if isinstance(file, str) else ""))


def _parsed(arguments: Mapping[str, Any] | str) -> Mapping[str, Any] | None:
    """Return the arguments; none where nothing has come but an opening bracket: the model is asked again."""
    if not isinstance(arguments, str):
        return arguments
    if trim(arguments) in ("{", "["):
        return None
    try:
        found = json_repair.load(arguments)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def denied_by(session: Session, skill: str | None = None) -> str | None:
    """Return the rule that denies the tool, or with a name this call of it; None if no rule does."""
    rules = [*(session.settings["permissions.deny"] or ()), *(session.settings["tools.exclude"] or ())]
    for rule in map(str, rules):
        name, _, specifier = trim(rule).partition("(")
        if name.lower() != _TOOL:
            continue
        wanted = specifier.removesuffix(")") if specifier else None
        if wanted == skill or wanted == "*":
            return rule
    return None


def _answer(session: Session, given: Mapping[str, Any] | None) -> Result:
    if (rule := denied_by(session)) is not None:
        return _error(f'{_DENIED}. Matching deny rule: "{rule}".')
    if given is None:
        return Result(None, True, flow_error="the arguments are incomplete, so the model is asked again")
    name, problem = _checked(session, given)
    if problem is not None:
        return _error(problem)
    if (rule := denied_by(session, name)) is not None:
        denied = f'This "skill" invocation was denied by permission rules. Matching deny rule: "{rule}".'
        return _error(
            denied + ("" if rule.endswith("(*)") else " Other uses of this tool are still permitted.")
        )
    settings = session.settings
    if settings["approval_mode"] in _ASKING or not settings["trusted"]:
        return _error(_ASKED)
    return _loaded(session, name)


def _checked(session: Session, given: Mapping[str, Any]) -> tuple[str, str | None]:
    """Return the name that is called, and what is wrong with the call."""
    name, state = given.get("skill"), state_of(session)
    if not isinstance(name, str) or not trim(name):
        return "", 'Parameter "skill" must be a non-empty string.'
    if "args" in given and not isinstance(given["args"], str):
        return name, 'Parameter "args" must be a string when provided.'
    known = [entry.name for entry in entries(session)]
    if name in known:
        return name, None
    skill = next((each for each in state.found if each.name == name), None)
    if name.lower() in state.off or (skill is not None and not state.is_on(skill)):
        return (
            name,
            f'Skill "{name}" is disabled. Re-enable it via /skills or remove it from skills.disabled.',
        )
    if skill is not None and manifest_of(skill).for_model and state.waits(skill):
        return name, (
            f'Skill "{name}" is gated by path-based activation (paths: frontmatter) and is not yet '
            "available. "
            "Access a file matching its paths patterns first to activate it."
        )
    if not known:
        return name, f'Skill "{name}" not found. No skills are currently available.'
    return name, f'Skill "{name}" not found. Available skills: {", ".join(known)}'


def _loaded(session: Session, name: str) -> Result:
    """Return the answer to a call that goes through, and remember it."""
    state, settings = state_of(session), session.settings
    if name in state.sent:
        return _result(f'Skill "{name}" is already loaded in context.')
    state.sent.add(name)
    skill = next((each for each in state.found if each.name == name), None)
    if skill is None:
        return _result(text_of_own(name))
    limits = settings["tools.truncateToolOutputThreshold"], settings["tools.truncateToolOutputLines"]
    return _result(output.sent(text_of(skill), *limits, session.home), skill.description)


def text_of(skill: LoadedSkill) -> str:
    """Return the text that carries a skill; nothing in it is replaced."""
    return _with_base(str(skill.directory), skill.body)


def text_of_own(name: str) -> str:
    """Return the text that carries one of the program's own skills, whose body is not stored."""
    return _with_base(f"{BUILTIN}/{name}", unmeasured_text())


def _with_base(directory: str, body: str) -> str:
    return (
        f"Base directory for this skill: {directory}\nImportant: ALWAYS resolve absolute paths from this "
        f"base directory when working with skills.\n\n{body}\n"
    )


def touch(session: Session, files: Iterable[str]) -> str:
    """Activate the skills whose `paths` match a file; return the reminder that the answer ends with."""
    state = state_of(session)
    before = set(state.active)
    for file in files:
        path = os.path.relpath(session.project / Path(file), session.project).replace(os.sep, "/")
        for skill in state.found:
            manifest = manifest_of(skill)
            if manifest.for_model and manifest.paths and matches_path(manifest.paths, path):
                state.active.add(skill.name)
    offer(session)
    new = [entry for entry in entries(session) if entry.name in state.active - before]
    if not new:
        return ""
    listed = f"<available_skills>\n{block(new)}\n</available_skills>"
    return f"\n\n<system-reminder>\n{_ACTIVATED}\n{listed}\n</system-reminder>"


def content(session: Session, skill: LoadedSkill) -> str:
    """Return the body of a skill."""
    return skill.body


def is_own(session: Session, name: str) -> bool:
    """Whether a name is that of one of the program's own skills, which the user can type."""
    return any(each.name == name for each in own_skills(session))


def _error(message: str) -> Result:
    return Result(message, True, message)


def _result(text: str, display: str | None = None) -> Result:
    return Result(text, display=display or text)
