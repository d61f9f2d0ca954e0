"""How does OpenHands read one file: a SKILL.md, or any other Markdown file below a root?

Source: `openhands/sdk/skills/skill.py` of openhands-sdk 1.58.0, and runs of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from skilltool.emulation import python_frontmatter
from skilltool.emulation.pydantic import Check, Problem, error_text, flag, list_of, model_of, text
from skilltool.emulation.pyyaml import PyYamlError
from skilltool.runtimes.loading import decoded
from skilltool.runtimes.openhands.entry import KEYWORD, PATH, TASK, THIRD_PARTY, Entry, Trigger
from skilltool.runtimes.openhands.servers import check_servers
from skilltool.runtimes.openhands.truncation import shortened
from skilltool.runtimes.values import Refusal, not_read
from skilltool.skill import schema
from skilltool.skill.skill_file import FILE_NAME
from skilltool.text.frontmatter.nodes import BoundError

_LIMITS = schema.load("openhands")["properties"]
LONGEST_NAME: int = _LIMITS["name"]["maxLength"]
LONGEST_DESCRIPTION: int = _LIMITS["description"]["maxLength"]
PYDANTIC = "2.14"
_INVALID = "SkillValidationError"
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*\n?")  # Python's `$` also matches before a final line end
_VARIABLE = re.compile(r"\$\{[a-zA-Z_][a-zA-Z0-9_]*\}")
_ASK = (
    "\n\nIf the user didn't provide any of these variables, ask the user to provide them first before the "
    "agent can proceed with the task."
)
_CLIPPED = (
    "<response clipped><NOTE>Due to the max output limit, only part of the full description is shown. You "
    "can view the complete skill content at {source}.</NOTE>"
)
_BOTH = (
    "Skill '{name}' declares 'paths:' together with {ignored}; 'paths:' takes precedence (path-triggered "
    "rule) and {ignored} will be ignored. A skill can be either path-triggered OR model-invocable, not both."
)


class Read(NamedTuple):
    """What becomes of a file that is not refused: the entry, and the warnings that are logged about it."""

    entry: Entry
    warnings: tuple[str, ...] = ()


def parse(raw: bytes, directory: str | None) -> dict[str, Any]:
    """Return name, description and body of a SKILL.md; raises `Refusal` with the program's own message.

    `fields_lost` tells that it sees no field, since there is no frontmatter or it is something else.
    """
    content = _text(raw)
    entry = read_package(Path(directory or "") / FILE_NAME, content).entry
    found = {"name": entry.name, "description": entry.description, "body": entry.body, **entry.fields}
    return found if python_frontmatter.read(content).fields else found | {"fields_lost": True}


def read_file(file: Path, raw: bytes, role: str, base: Path | None = None) -> Read:
    """Return what becomes of a file by its name; `base` is the root, from which other files get their names.

    Raises `Refusal` with the program's own message.
    """
    content = _text(raw)
    if file.name.lower() == FILE_NAME.lower():
        found = read_package(file, content)
    else:
        found = _read_single(file, content, base)
    return found._replace(entry=found.entry._replace(role=role))


def _text(raw: bytes) -> str:
    try:
        return decoded(raw)
    except UnicodeDecodeError as error:
        raise Refusal(str(error), kind="UnicodeDecodeError", library=str(error)) from None


def read_package(file: Path, content: str) -> Read:
    """Return the skill of a SKILL.md with this text; raises `Refusal`."""
    fields, body = _document(content)
    directory = file.parent.name
    name = _str(fields.get("name", directory))
    if errors := list(name_errors(name, directory)):
        raise Refusal(f"Invalid skill name '{name}': {'; '.join(errors)}", kind=_INVALID)
    check_servers(file.parent)
    return _made(name, file, body, fields, package=True)


def name_errors(name: str, directory: str) -> Iterator[str]:
    """Yield what the program says against a name."""
    if not name:
        yield "Name cannot be empty"
        return
    if len(name) > LONGEST_NAME:
        yield f"Name exceeds {LONGEST_NAME} characters: {len(name)}"
    if _NAME.fullmatch(name) is None:
        yield "Name must be lowercase alphanumeric with single hyphens (e.g., 'my-skill', 'pdf-tools')"
    if directory and name != directory:
        yield f"Name '{name}' does not match directory '{directory}'"


def _read_single(file: Path, content: str, base: Path | None) -> Read:
    if known := THIRD_PARTY.get(file.name.lower()):
        return Read(Entry(known, file, content))
    own = file.stem if base is None else file.relative_to(base).with_suffix("").as_posix()
    fields, body = _document(content)
    if not isinstance(fields.get("mcp_tools"), dict | None):
        raise Refusal("mcp_tools must be a dictionary or None", kind=_INVALID)
    return _made(_str(fields.get("name", own)), file, body, fields, package=False)


def _document(content: str) -> python_frontmatter.Document:
    try:
        return python_frontmatter.read(content)
    except BoundError as error:
        raise not_read(error) from None
    except PyYamlError as error:
        raise Refusal(error.text, kind=error.kind, library=error.text) from None
    except (ValueError, TypeError) as error:
        raise Refusal(str(error), kind=type(error).__name__, library=str(error)) from None


def _str(value: Any) -> str:
    """Return a value as text; raises `Refusal` as Python does for an integer of more than 4,300 digits."""
    try:
        return str(value)
    except ValueError as error:
        raise Refusal(str(error), kind="ValueError", library=str(error)) from None


def _made(name: str, file: Path, body: str, fields: dict[str, Any], package: bool) -> Read:
    trigger, asks, warnings = _trigger(name, fields)
    found, hidden = _specified(fields)
    written = found.pop("description", None)
    description = written
    if written is not None and len(written) > LONGEST_DESCRIPTION:
        description = shortened(written, LONGEST_DESCRIPTION, _CLIPPED.format(source=file.as_posix()))
        change = f"truncated from {len(written)} to {LONGEST_DESCRIPTION} characters"
        warnings.append(f"Skill '{name}' description {change}")
    if trigger is not None and trigger.kind == TASK and (asks or _VARIABLE.search(body)):
        body += _ASK if body and _ASK not in body else ""
    hidden = hidden or (trigger is not None and trigger.kind == PATH)
    return Read(
        Entry(name, file, body, description, written, trigger, package, hidden, found), tuple(warnings)
    )


def _trigger(name: str, fields: dict[str, Any]) -> tuple[Trigger | None, bool, list[str]]:
    """Return what triggers a skill, whether it asks for inputs, and warnings; raises `Refusal`."""
    keywords = fields.get("triggers", [])
    if not isinstance(keywords, list):
        raise Refusal("Triggers must be a list of strings", kind=_INVALID)
    if paths := _paths(fields.get("paths")):
        ignored = [f"'triggers': {_str(keywords)}"] if keywords else []
        ignored += ["'inputs'"] if "inputs" in fields else []
        warning = _BOTH.format(name=name, ignored=" and ".join(ignored))
        return Trigger(PATH, paths), False, [warning] if ignored else []
    if "inputs" in fields:
        words = [*keywords] if f"/{name}" in keywords else [*keywords, f"/{name}"]
        inputs = _inputs(fields["inputs"])
        return Trigger(TASK, _strings(words, "triggers", "TaskTrigger")), inputs, []
    if keywords:
        return Trigger(KEYWORD, _strings(keywords, "keywords", "KeywordTrigger")), False, []
    return None, False, []


def _paths(value: Any) -> tuple[str, ...]:
    if value is None:
        return ()
    parts = value.split(",") if isinstance(value, str) else value
    if not isinstance(parts, list):
        raise Refusal("paths must be a string or list", kind=_INVALID)
    return tuple(filter(None, (_str(part).strip() for part in parts)))


def _inputs(value: Any) -> bool:
    """Return whether there are inputs; raises `Refusal` for any that is not a name and a description."""
    if not isinstance(value, list):
        raise Refusal("inputs must be a list", kind=_INVALID)
    check = model_of("InputMetadata", {"name": (text, ...), "description": (text, ...)})
    for item in value:
        _, problems = check((), item)
        _raise("InputMetadata", problems)
    return bool(value)


def _strings(words: list[Any], field: str, model: str) -> tuple[str, ...]:
    found, problems = list_of(text)((field,), words)
    _raise(model, problems)
    return tuple(found)


def _specified(fields: dict[str, Any]) -> tuple[dict[str, Any], bool]:
    """Return the fields of the specification, and whether the model is kept from calling the skill."""
    tools = fields.get("allowed-tools", fields.get("allowed_tools"))
    hidden = fields.get("disable-model-invocation", fields.get("disable_model_invocation"))
    checks: tuple[tuple[str, Any, Check], ...] = (
        *((name, fields.get(name), text) for name in ("description", "license", "compatibility")),
        ("metadata", fields.get("metadata"), _metadata),
        ("allowed_tools", tools, _tools),
        ("disable_model_invocation", hidden, flag),
    )
    found: dict[str, Any] = {}
    problems: list[Problem] = []
    for name, value, check in checks:
        if value is not None:
            found[name], new = check((name,), value)
            problems += new
    _raise("Skill", problems)
    return found, bool(found.pop("disable_model_invocation", False))


def _metadata(path: Any, value: Any) -> tuple[Any, list[Problem]]:
    if not isinstance(value, dict):
        raise Refusal("metadata must be a dictionary", kind=_INVALID)
    return {_str(key): _str(item) for key, item in value.items()}, []


def _tools(path: Any, value: Any) -> tuple[Any, list[Problem]]:
    if isinstance(value, str):
        return value.split(), []
    if isinstance(value, list):
        return [_str(item) for item in value], []
    raise Refusal("allowed-tools must be a string or list", kind=_INVALID)


def _raise(model: str, problems: list[Problem]) -> None:
    if problems:
        words = error_text(model, problems, PYDANTIC)
        raise Refusal(words, kind="ValidationError", library=words)
