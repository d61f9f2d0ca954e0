"""How does the harness of Pydantic AI read one SKILL.md: its lines, its fields as text, its name?

Source: `pydantic_ai_harness/skills/_loader.py` of pydantic-ai-harness 0.62.0, and runs of it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple
from unicodedata import normalize

from skilltool.emulation.pydantic import Check, Checked, Problem, error_text, model_of, optional, text
from skilltool.emulation.pyyaml import PyYamlError, base_load
from skilltool.runtimes.values import Refusal, not_read
from skilltool.skill import schema
from skilltool.skill.skill_file import FILE_NAME
from skilltool.text.frontmatter.nodes import BoundError

_FENCE = "---"
_PYDANTIC = "2.14"
_LONGEST_NAME: int = schema.load("pydantic-ai-harness")["properties"]["name"]["maxLength"]
_HIDDEN, _FOR_PEOPLE = "disable-model-invocation", "user-invocable"
# Fields of other clients that this one does not act on: it warns.
_IGNORED = frozenset(
    {
        *("agent", "allowed-tools", "argument-hint", "arguments", "context", "dependencies"),
        *("disallowed-tools", "effort", "hooks", "model", "paths", "shell", "tools", "when_to_use"),
    }
)


class Manifest(NamedTuple):
    """One file: name, description, body, the fields that are ignored with a warning, and who may call it."""

    name: str
    description: str
    body: str
    ignored: tuple[str, ...]
    for_model: bool
    for_people: bool


def parse(raw: bytes, directory: str | None) -> dict[str, Any]:
    """Return name, description and body of a SKILL.md, and what is special; raises `Refusal`."""
    found = read(raw, Path(directory or "skill") / FILE_NAME)
    return {"name": found.name, "description": found.description, "body": found.body} | specials(found)


def specials(found: Manifest) -> dict[str, Any]:
    """Return what is unlike most skills: fields that are ignored, and who may not call it."""
    special: dict[str, Any] = {"ignored_behavioral_fields": list(found.ignored)} if found.ignored else {}
    special |= {} if found.for_model else {"model_invocable": False}
    return special | ({} if found.for_people else {"user_invocable": False})


def read(raw: bytes, file: Path) -> Manifest:
    """Return what a file says; raises `Refusal` with the harness' own words, which name the `file`."""
    try:
        lines = raw.decode("utf-8").splitlines()
    except UnicodeDecodeError as error:
        message = f"{file} is not valid UTF-8: {error}"
        raise Refusal(message, f"it is not UTF-8: {error}", "ValueError", str(error)) from None
    if lines[:1] != [_FENCE]:
        words = f"{file} must start with YAML frontmatter delimited by `---`."
        raise Refusal(words, "the first line is not `---`", "ValueError")
    if _FENCE not in lines[1:]:
        words = "no line `---` closes the frontmatter"
        raise Refusal(f"{file} has unclosed YAML frontmatter.", words, "ValueError")
    end = lines.index(_FENCE, 1)
    fields = _fields("\n".join(lines[1:end]), file)
    given: str | None = fields["name"]
    name = _name(file.parent.name if given is None else given, file)
    if given is not None and name != normal(file.parent.name):
        words = f"must match its parent directory {file.parent.name!r}."
        raise Refusal(f"Skill name {given!r} in {file} {words}", kind="ValueError")
    hidden, for_people = fields[_HIDDEN], fields[_FOR_PEOPLE]
    ignored = tuple(sorted(_IGNORED & fields.keys()))
    return Manifest(name, fields["description"], _body(lines[end + 1 :]), ignored, not hidden, for_people)


def normal(name: str) -> str:
    """Return a name in the form in which names are compared."""
    return normalize("NFKC", name)


def _body(lines: list[str]) -> str:
    """Return lines as text, without blank ones at both ends."""
    kept = [number for number, line in enumerate(lines) if line.strip()]
    return "\n".join(lines[kept[0] : kept[-1] + 1]) if kept else ""


def _fields(yaml: str, file: Path) -> dict[str, Any]:
    try:
        found = base_load(yaml)
    except BoundError as error:
        raise not_read(error) from None
    except PyYamlError as error:
        begin = f"Invalid YAML frontmatter in {file}: " if error.is_yaml else ""
        why = f"the YAML is invalid: {error.text}"
        raise Refusal(begin + error.text, why, "ValueError", error.text) from None
    if not isinstance(found, dict):
        words = "the frontmatter is not a mapping"
        raise Refusal(f"YAML frontmatter in {file} must be a mapping.", words, "ValueError")
    checked, problems = _FRONTMATTER((), found)
    if problems:
        words = error_text("_SkillFrontmatter", problems, _PYDANTIC)
        raise Refusal(f"Invalid Agent Skill frontmatter in {file}: {words}", words, "ValueError", words)
    return {**found, **checked}


def _name(name: str, file: Path) -> str:
    found = normal(name)
    sound = found and len(found) <= _LONGEST_NAME and found == found.lower() and "--" not in found
    if not sound or "-" in (found[0], found[-1]) or not all(sign.isalnum() or sign == "-" for sign in found):
        words = (
            f"expected at most {_LONGEST_NAME} lowercase Unicode letters or numbers and single hyphens, "
            "without a leading or trailing hyphen."
        )
        raise Refusal(f"Invalid skill name {name!r} in {file}; {words}", kind="ValueError")
    return found


def _flag(path: Any, value: Any) -> Checked:
    """Check a field that must be the word `true` or `false`, in any case."""
    if isinstance(value, str) and value.lower() in ("true", "false"):
        return value.lower() == "true", []
    words = f"Value error, must be `true` or `false`, not {value!r}"
    return None, [Problem(path, "value_error", words, value)]


def _description(path: Any, value: Any) -> Checked:
    found, problems = text(path, value)
    if problems or found.strip():
        return found.strip() if not problems else found, problems
    return None, [Problem(path, "value_error", "Value error, must not be empty", value)]


_KNOWN: dict[str, tuple[Check, Any]] = {
    "name": (optional(text), None),
    "description": (_description, ...),
    _HIDDEN: (_flag, False),
    _FOR_PEOPLE: (_flag, True),
}
_FRONTMATTER = model_of("_SkillFrontmatter", _KNOWN)
