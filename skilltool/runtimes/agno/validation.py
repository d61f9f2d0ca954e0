"""Which skills does Agno refuse? Its validator stops all loading at the first one.

Source: `agno/skills/validator.py` of agno 3.1.10, and runs of it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any

from skilltool.emulation.pyyaml import PyYamlError, safe_load
from skilltool.skill import schema

SCHEMA = "agno"
_MARK = "---"


class LoaderError(Exception):
    """An error of the validator itself: the skills of the whole directory are left out, the others load."""


def problems(text: str, directory: str) -> list[str]:
    """Return what the validator says of a text in a directory of this name, empty if it passes.

    Raises `LoaderError`, and `BoundError` for what exceeds skilltool's bounds.
    """
    if not text.startswith(_MARK):
        return ["SKILL.md must start with YAML frontmatter (---)"]
    parts = text.split(_MARK, 2)
    if len(parts) < 3:
        return ["SKILL.md frontmatter not properly closed with ---"]
    try:
        fields = safe_load(parts[1])
    except PyYamlError as error:
        begin = "Invalid YAML in frontmatter" if error.is_yaml else "Error reading SKILL.md"
        return [f"{begin}: {error.text}"]
    if not isinstance(fields, dict):
        return ["SKILL.md frontmatter must be a YAML mapping"]
    return list(_of_fields(fields, directory))


def _of_fields(fields: Mapping[Any, Any], directory: str) -> Iterator[str]:
    allowed = schema.load(SCHEMA)["properties"]
    if extra := [name for name in fields if name not in allowed]:
        try:
            names = ", ".join(sorted(extra))
        except TypeError as error:
            raise LoaderError(str(error)) from None
        yield f"Unexpected fields in frontmatter: {names}. Only {sorted(allowed)} are allowed."
    for name, check in (("name", _of_name), ("description", _of_description)):
        if name not in fields:
            yield f"Missing required field in frontmatter: {name}"
        elif not isinstance(fields[name], str) or not fields[name].strip():
            yield f"Field '{name}' must be a non-empty string"
        else:
            yield from check(fields[name], directory)
    yield from _of_other_fields(fields)


def _of_other_fields(fields: Mapping[Any, Any]) -> Iterator[str]:
    if "compatibility" in fields:
        if not isinstance(fields["compatibility"], str):
            yield "Field 'compatibility' must be a string"
        else:
            yield from _too_long("compatibility", fields["compatibility"])
    if not isinstance(fields.get("license", ""), str):
        yield "Field 'license' must be a string"
    tools = fields.get("allowed-tools", [])
    if not isinstance(tools, list):
        yield "Field 'allowed-tools' must be a list"
    elif not all(isinstance(each, str) for each in tools):
        yield "Field 'allowed-tools' must be a list of strings"
    if not isinstance(fields.get("metadata", {}), dict):
        yield "Field 'metadata' must be a dictionary"


def _of_name(given: str, directory: str) -> Iterator[str]:
    name = unicodedata.normalize("NFKC", given.strip())
    most = _limit("name")
    if len(name) > most:
        yield f"Skill name '{name}' exceeds {most} character limit ({len(name)} chars)"
    if name != name.lower():
        yield f"Skill name '{name}' must be lowercase"
    if name.startswith("-") or name.endswith("-"):
        yield "Skill name cannot start or end with a hyphen"
    if "--" in name:
        yield "Skill name cannot contain consecutive hyphens"
    if not all(each.isalnum() or each == "-" for each in name):
        only = "Only letters, digits, and hyphens are allowed."
        yield f"Skill name '{name}' contains invalid characters. {only}"
    normal = unicodedata.normalize("NFKC", directory)
    if normal != name:
        yield f"Directory name '{normal}' must match skill name '{name}'"


def _of_description(text: str, _: str) -> Iterator[str]:
    return _too_long("description", text)


def _too_long(field: str, text: str) -> Iterator[str]:
    most = _limit(field)
    if len(text) > most:
        yield f"{field.title()} exceeds {most} character limit ({len(text)} chars)"


def _limit(field: str) -> int:
    most: int = schema.load(SCHEMA)["properties"][field]["maxLength"]
    return most
