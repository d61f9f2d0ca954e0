"""How does Deep Agents read one SKILL.md?

Source: `_parse_skill_metadata` in `deepagents/middleware/skills.py` of deepagents 0.7.32 and 0.7.6, and runs
of it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from skilltool.emulation import fence_pattern
from skilltool.emulation.pyyaml import PyYamlError, safe_load
from skilltool.runtimes.values import Refusal, not_read
from skilltool.skill import schema
from skilltool.skill.skill_file import FILE_NAME
from skilltool.text.frontmatter.nodes import BoundError

SCHEMA = "deepagents"
# The class of a refusal that ends the loading of all skills: an error that the framework does not catch.
ENDS = "ends loading"
_SPECIFICATION = (
    "Skill '{name}' in {file} does not follow Agent Skills specification: {why}. Consider renaming for spec "
    "compliance."
)
_LONG_DESCRIPTION = (
    "Skill description in {file} is {length} characters, over the Agent Skills spec limit of {most}. Keeping "
    "only the first {most} characters; the rest is dropped from what the model sees when deciding whether to "
    "use this skill. Shorten the 'description' field in the SKILL.md frontmatter to stay within the limit."
)
_LONG_COMPATIBILITY = (
    "Skill compatibility in {file} is {length} characters, over the Agent Skills spec limit of {most}. "
    "Keeping only the first {most} characters and dropping the rest. Shorten the 'compatibility' field in "
    "the SKILL.md frontmatter to stay within the limit."
)
_SHAPE = "name must be lowercase alphanumeric with single hyphens only"


class Manifest(NamedTuple):
    """The fields and the body of one file, and what the framework warns about while it reads them."""

    name: str
    description: str
    body: str
    license: str | None = None
    compatibility: str | None = None
    allowed_tools: tuple[str, ...] = ()
    metadata: Mapping[str, str] = {}
    warnings: tuple[str, ...] = ()


def decoded(raw: bytes, file: str) -> str:
    """Return the text of a file, whose line ends stay as they are; raises `Refusal`."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Refusal(f"Error decoding {file}: {error}", library=str(error), kind="undecodable") from None


def body_of(text: str) -> str:
    """Return a text without frontmatter and without white space at its end, as a message pins it."""
    parts = fence_pattern.split(text)
    return (text if parts is None else parts.body).rstrip()


def read(text: str, file: str, directory: str, with_tools: bool = True) -> Manifest:
    """Return what the text of a file says; raises `Refusal` with the framework's reason.

    `file` is the path as messages have it, `directory` the name of the directory. With `with_tools` there are
    tools of skills, whose names `metadata.include_tools` lists.
    """
    parts = fence_pattern.split(text)
    if parts is None:
        why = "it does not begin with a line `---`, or no line `---` follows that ends with a line break"
        raise Refusal(f"Skipping {file}: no valid YAML frontmatter found", why)
    found = _fields(parts.inside, file)
    try:
        return _manifest(found, parts.body, file, directory, with_tools)
    except (ValueError, RecursionError) as error:  # no text for an integer of thousands of digits
        raise Refusal(str(error), kind=ENDS, library=str(error)) from None


def _fields(yaml: str, file: str) -> dict[Any, Any]:
    try:
        found = safe_load(yaml)
    except BoundError as error:
        raise not_read(error) from None
    except PyYamlError as error:
        if not error.is_yaml:
            raise Refusal(error.text, kind=ENDS, library=error.text) from None
        words = f"Invalid YAML in {file}: {error.text}"
        raise Refusal(words, f"the YAML is invalid: {error.text}", library=error.text) from None
    if not isinstance(found, dict):
        raise Refusal(f"Skipping {file}: frontmatter is not a mapping", "the frontmatter is not a mapping")
    return found


def _manifest(fields: dict[Any, Any], body: str, file: str, directory: str, with_tools: bool) -> Manifest:
    name, description = (str(fields.get(key, "")).strip() for key in ("name", "description"))
    if not name or not description:
        words = f"Skipping {file}: missing required 'name' or 'description'"
        raise Refusal(words, "`name` or `description` is missing or empty")
    warnings = []
    if problem := _name_problem(name, directory):
        warnings.append(_SPECIFICATION.format(name=name, file=file, why=problem))
    description = _cut("description", description, _LONG_DESCRIPTION, file, warnings)
    tools = _tools(fields.get("allowed-tools"), file, warnings)
    compatibility = str(fields.get("compatibility", "")).strip()
    compatibility = _cut("compatibility", compatibility, _LONG_COMPATIBILITY, file, warnings)
    return Manifest(
        name,
        description,
        body.rstrip(),
        str(fields.get("license", "")).strip() or None,
        compatibility or None,
        tools,
        _metadata(fields.get("metadata", {}), file, with_tools, warnings),
        tuple(warnings),
    )


def _cut(field: str, text: str, message: str, file: str, warnings: list[str]) -> str:
    most: int = schema.load(SCHEMA)["properties"][field]["maxLength"]
    if len(text) > most:
        warnings.append(message.format(file=file, length=len(text), most=most))
    return text[:most]


def _name_problem(name: str, directory: str) -> str | None:
    """Return what the framework says against a name, which it loads all the same."""
    most = schema.load(SCHEMA)["properties"]["name"]["maxLength"]
    if len(name) > most:
        return f"name exceeds {most} characters"
    letters = (each for each in name if each != "-")
    if name.startswith("-") or name.endswith("-") or "--" in name or not all(map(_is_lower, letters)):
        return _SHAPE
    return None if name == directory else f"name '{name}' must match directory name '{directory}'"


def _is_lower(character: str) -> bool:
    return (character.isalpha() and character.islower()) or character.isdigit()


def _tools(given: object, file: str, warnings: list[str]) -> tuple[str, ...]:
    if isinstance(given, str):
        return tuple(filter(None, re.split(r"[\s,]+", given)))
    if isinstance(given, list):
        return tuple(each.strip() for each in given if isinstance(each, str) and each.strip())
    if given is not None:
        got = type(given).__name__
        warnings.append(f"Ignoring 'allowed-tools' in {file}: expected a string or list, got {got}")
    return ()


def _metadata(given: object, file: str, with_tools: bool, warnings: list[str]) -> dict[str, str]:
    if not isinstance(given, dict):
        if given:
            warnings.append(f"Ignoring non-dict metadata in {file} (got {type(given).__name__})")
        return {}
    names = given.get("include_tools")
    if with_tools and (isinstance(names, list) or (isinstance(names, str) and "," in names)):
        words = "should be a space-separated string of tool names"
        warnings.append(f"metadata.include_tools in {file} {words}; got {names!r}")
    return {str(key): str(value) for key, value in given.items()}


def parse(raw: bytes, directory: str | None, with_tools: bool = True) -> dict[str, Any]:
    """Return the fields, the body and the warnings of a SKILL.md; raises `Refusal`."""
    file = f"{directory}/{FILE_NAME}" if directory else FILE_NAME
    name = (directory or "").replace("\\", "/").rpartition("/")[2]
    found = read(decoded(raw, file), file, name, with_tools)
    more = {
        "license": found.license,
        "compatibility": found.compatibility,
        "allowed_tools": list(found.allowed_tools),
        "metadata": dict(found.metadata),
        "warnings": list(found.warnings),
    }
    shown = {"name": found.name, "description": found.description, "body": found.body}
    return shown | {key: value for key, value in more.items() if value}
