"""What does skills-ref 0.1.1 do, the reference library of the open specification? Parser, validator, catalog.

Source: agentskills/agentskills at 69ef37e, `skills-ref/`, and its output for the fixtures of
`tests/goldens-public`.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any
from unicodedata import normalize

from skilltool.emulation import strictyaml
from skilltool.runtimes.loading import TOO_LARGE, exists, read_bytes
from skilltool.runtimes.values import Refusal, not_read
from skilltool.skill import schema
from skilltool.skill.read_file import MAX_BYTES
from skilltool.text.frontmatter.nodes import BoundError, YamlError

_FILES = ("SKILL.md", "skill.md")
NO_FILE = "Missing required file: SKILL.md"


def skill_file(directory: Path) -> Path | None:
    """Return the file that makes a directory a skill: `SKILL.md`, then `skill.md`; raises OSError."""
    return next((directory / name for name in _FILES if exists(directory / name)), None)


def parse(raw: bytes, directory: str | None = None) -> dict[str, Any]:
    """Return the fields of the frontmatter, and the text after it as `body`; raises `Refusal`.

    Every value is a string, a list or a mapping; those in `metadata` are strings.
    """
    if len(raw) > MAX_BYTES:
        raise Refusal(None, TOO_LARGE)
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Refusal(str(error), "it is not UTF-8", kind="UnicodeDecodeError") from None
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.startswith("---"):
        raise Refusal("SKILL.md must start with YAML frontmatter (---)", kind="ParseError")
    parts = text.split("---", 2)
    if len(parts) < 3:
        raise Refusal("SKILL.md frontmatter not properly closed with ---", kind="ParseError")
    try:
        fields = strictyaml.load(parts[1])
    except BoundError as error:
        raise not_read(error) from None
    except YamlError as error:
        message = f"Invalid YAML in frontmatter: {error.problem}"
        line = text.count("\n", 0, len("---") + error.start) + 1
        raise Refusal(message, kind="ParseError", library=error.problem, line=line) from None
    if not isinstance(fields, dict):
        raise Refusal("SKILL.md frontmatter must be a YAML mapping", kind="ParseError")
    metadata = fields.get("metadata")
    if isinstance(metadata, dict):
        fields["metadata"] = {key: str(value) for key, value in metadata.items()}
    return {**fields, "body": parts[2].strip()}


def properties(fields: dict[str, Any]) -> tuple[str, str]:
    """Return name and description, stripped; raises `Refusal` if one is missing or blank."""
    for name in ("name", "description"):
        if name not in fields:
            raise Refusal(f"Missing required field in frontmatter: {name}", kind="ValidationError")
    for name in ("name", "description"):
        value = fields[name]
        if not isinstance(value, str) or not value.strip():
            raise Refusal(f"Field '{name}' must be a non-empty string", kind="ValidationError")
    return fields["name"].strip(), fields["description"].strip()


def validate(directory: Path) -> list[str]:
    """Return the errors of the library's validator for a skill directory, `[]` if it is valid."""
    if not directory.exists():
        return [f"Path does not exist: {directory}"]
    if not directory.is_dir():
        return [f"Not a directory: {directory}"]
    file = skill_file(directory)
    if file is None:
        return [NO_FILE]
    try:
        fields = parse(read_bytes(file))
    except Refusal as refusal:
        return [refusal.message or refusal.why]
    return errors_of(fields, directory)


def errors_of(fields: dict[str, Any], directory: Path) -> list[str]:
    """Return the validator's errors in fields that `parse` returned, in its order."""
    fields = {key: value for key, value in fields.items() if key != "body"}
    return _unexpected(fields) + _name(fields, directory) + _description(fields) + _compatibility(fields)


def _unexpected(fields: dict[str, Any]) -> list[str]:
    known = sorted(schema.load("agentskills")["properties"])
    extra = sorted(set(fields) - set(known))
    return (
        [f"Unexpected fields in frontmatter: {', '.join(extra)}. Only {known} are allowed."] if extra else []
    )


def _name(fields: dict[str, Any], directory: Path) -> list[str]:
    if "name" not in fields:
        return ["Missing required field in frontmatter: name"]
    value = fields["name"]
    if not isinstance(value, str) or not value.strip():
        return ["Field 'name' must be a non-empty string"]
    name = normalize("NFKC", value.strip())
    limit = _limit("name")
    found: list[str] = []
    if len(name) > limit:
        found.append(f"Skill name '{name}' exceeds {limit} character limit ({len(name)} chars)")
    if name != name.lower():
        found.append(f"Skill name '{name}' must be lowercase")
    if name.startswith("-") or name.endswith("-"):
        found.append("Skill name cannot start or end with a hyphen")
    if "--" in name:
        found.append("Skill name cannot contain consecutive hyphens")
    if not all(character.isalnum() or character == "-" for character in name):
        allowed = "Only letters, digits, and hyphens are allowed."
        found.append(f"Skill name '{name}' contains invalid characters. {allowed}")
    if normalize("NFKC", directory.name) != name:
        found.append(f"Directory name '{directory.name}' must match skill name '{name}'")
    return found


def _description(fields: dict[str, Any]) -> list[str]:
    if "description" not in fields:
        return ["Missing required field in frontmatter: description"]
    value = fields["description"]
    if not isinstance(value, str) or not value.strip():
        return ["Field 'description' must be a non-empty string"]
    limit = _limit("description")
    if len(value) > limit:
        return [f"Description exceeds {limit} character limit ({len(value)} chars)"]
    return []


def _compatibility(fields: dict[str, Any]) -> list[str]:
    if "compatibility" not in fields:
        return []
    value = fields["compatibility"]
    if not isinstance(value, str):
        return ["Field 'compatibility' must be a string"]
    limit = _limit("compatibility")
    if len(value) > limit:
        return [f"Compatibility exceeds {limit} character limit ({len(value)} chars)"]
    return []


def _limit(field: str) -> int:
    limit: int = schema.load("agentskills")["properties"][field]["maxLength"]
    return limit


def catalog(skills: Iterable[tuple[str, str, Path]]) -> str:
    """Return the listing of skills; each is given as name, description and file."""
    from html import escape

    lines = ["<available_skills>"]
    for name, description, file in skills:
        lines += ["<skill>", "<name>", escape(name), "</name>"]
        lines += ["<description>", escape(description), "</description>"]
        lines += ["<location>", str(file), "</location>", "</skill>"]
    return "\n".join([*lines, "</available_skills>"])
