"""How does Agno answer calls of its three tools? Scripts are not run here.

Source: `agno/skills/agent_skills.py` and `agno/utils/path_safety.py` of agno 3.1.10, and the messages after
scripted calls.
"""

from __future__ import annotations

import json
import os
import re
import unicodedata
from collections.abc import Mapping
from pathlib import Path, PureWindowsPath
from typing import Any

from skilltool.runtimes.agno.arguments import CallError, values
from skilltool.runtimes.agno.discovery import REFERENCES, SCRIPTS, manifest_of
from skilltool.runtimes.agno.listing import INSTRUCTIONS, REFERENCE, TOOLS
from skilltool.runtimes.base import Session
from skilltool.runtimes.loading import bytes_beside_skills, decoded
from skilltool.runtimes.values import LoadedSkill, Refusal, Result

# Stands for what a script prints.
OUTPUT = "{output}"
_RESERVED = re.compile(r"(CON|PRN|AUX|NUL|COM[1-9]|LPT[1-9])(\.|$)", re.IGNORECASE)
_PROGRAMS = (b"#!", b"\x7fELF")


def call(session: Session, arguments: Mapping[str, Any] | str, tool: str | None = None) -> Result:
    """Answer a call by its arguments, or by their text as the model wrote it.

    What is said of another tool is not known: the answer has no text then, and `flow_error` says so.
    """
    name = tool or INSTRUCTIONS
    if session.failure is not None:
        return Result(None, is_error=True, flow_error=session.failure)
    if name not in TOOLS:
        return Result(None, is_error=True, flow_error="its answer to this call is not known")
    try:
        given = values(name, arguments)
        found = _answer(session, name, given)
        return Result(json.dumps(found), is_error="error" in found)
    except (CallError, TypeError, ValueError) as error:  # also of names and descriptions that are not text
        return Result(str(error), is_error=True)
    except Refusal as refusal:
        return Result(None, is_error=True, flow_error=refusal.why)


def _answer(session: Session, tool: str, given: dict[str, Any]) -> dict[str, Any]:
    name = given["skill_name"]
    skill = next((each for each in session.skills if manifest_of(each).name == name), None)
    if skill is None:
        known = ", ".join(manifest_of(each).name for each in session.skills)
        return {"error": f"Skill '{name}' not found", "available_skills": known}
    if tool == INSTRUCTIONS:
        return _instructions(skill)
    if tool == REFERENCE:
        return _file(skill, REFERENCES, "reference", given["reference_path"])
    return _file(skill, SCRIPTS, "script", given["script_path"], given["execute"])


def _instructions(skill: LoadedSkill) -> dict[str, Any]:
    found = manifest_of(skill)
    return {
        "skill_name": found.name,
        "description": found.description,
        "instructions": found.body,
        "available_scripts": skill.extra[SCRIPTS],
        "available_references": skill.extra[REFERENCES],
    }


def _file(
    skill: LoadedSkill, folder: str, kind: str, path: str | None, execute: bool = False
) -> dict[str, Any]:
    """Return what is answered for a file of a skill: its content, or what its execution gives."""
    name, listed = manifest_of(skill).name, {f"available_{folder}": skill.extra[folder]}
    if not path:
        words = f"A {kind}_path is required to read a {kind} from skill '{name}'"
        return {"error": words, "skill_name": name, **listed}
    if path not in skill.extra[folder]:
        return {"error": f"{kind.capitalize()} '{path}' not found in skill '{name}'", **listed}
    of_file = {"skill_name": name, f"{kind}_path": path}
    file = _safe(skill.directory / folder, path)
    if file is None:
        return {"error": f"Invalid {kind} path: '{path}'", "skill_name": name}
    try:
        if execute:
            return _executed(file, of_file)
        return {**of_file, "content": decoded(bytes_beside_skills(file))}
    except (OSError, UnicodeDecodeError) as error:
        return {"error": f"Error reading {kind} file: {error}", **of_file}


def _executed(file: Path, of_file: dict[str, Any]) -> dict[str, Any]:
    """Return what a script gives, as if it went well; one without `#!` cannot be executed."""
    if bytes_beside_skills(file).startswith(_PROGRAMS):
        return {**of_file, "stdout": OUTPUT, "stderr": "", "returncode": 0}
    return {"error": f"Error executing script: [Errno 8] Exec format error: '{file}'", **of_file}


def _safe(directory: Path, given: str) -> Path | None:
    """Return the real path of a file below a directory, None for a name that the framework refuses."""
    name = unicodedata.normalize("NFKC", given)
    as_windows = PureWindowsPath(name)
    if not name.strip() or as_windows.drive or as_windows.is_absolute():
        return None
    if any(unicodedata.category(each) == "Cc" for each in name):
        return None
    given_parts = name.replace("\\", "/").split("/")
    parts = [each if each in ("", ".", "..") else each.rstrip(". ") for each in given_parts]
    if any(_RESERVED.match(each) for each in parts) or (len(parts) == 1 and not parts[0]):
        return None
    real = Path(os.path.realpath(directory / "/".join(parts)))
    return real if real.is_relative_to(os.path.realpath(directory)) else None


def content(session: Session, skill: LoadedSkill) -> str:
    """Return the instructions of a skill."""
    return manifest_of(skill).body
