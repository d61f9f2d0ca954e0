"""How does Agno read one SKILL.md? Its validator and its loader take the text apart in different ways.

Source: `agno/skills/loaders/local.py` of agno 3.1.10, and runs of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from skilltool.emulation import fence_pattern
from skilltool.emulation.pyyaml import PyYamlError, safe_load
from skilltool.runtimes.agno.validation import LoaderError, problems
from skilltool.runtimes.loading import decoded
from skilltool.runtimes.values import Refusal, not_read
from skilltool.text.frontmatter.nodes import BoundError

INVALID = "SkillValidationError"
_KEPT = ("metadata", "license", "compatibility", "allowed-tools")


class Manifest(NamedTuple):
    """What the loader reads: `name` and `description` of any type, the body, other fields, and warnings."""

    name: Any
    description: Any
    body: str
    fields: Mapping[str, Any] = {}
    warnings: tuple[str, ...] = ()


class Invalid(Refusal):
    """Raised for a skill that the validator refuses, which ends all loading; `problems` has its sentences."""

    def __init__(self, found: list[str]) -> None:
        """Take the sentences, at least one."""
        words = found[0] if len(found) == 1 else f"{len(found)} validation errors: {'; '.join(found)}"
        super().__init__(words, kind=INVALID, library=words if "\n" in words else None)
        self.problems = found


def read(raw: bytes | OSError, directory: str, folder: str, validate: bool = True) -> Manifest:
    """Return what a file says, given its content or the error in its place; raises `Refusal`.

    `directory` is the name of the directory, `folder` its path as messages have it. Raises `Invalid` for what
    the validator refuses, and `LoaderError`.
    """
    try:
        text = decoded(raw)
    except (OSError, UnicodeDecodeError) as error:
        if validate:
            raise Invalid([f"Error reading SKILL.md: {error}"]) from None
        words = f"Error loading skill from {folder}: {error}"
        raise Refusal(words, f"it cannot be read: {error}", library=str(error)) from None
    try:
        if validate and (found := problems(text, directory)):
            raise Invalid(found)
        return _loaded(text, directory, folder)
    except BoundError as error:
        raise not_read(error) from None


def _loaded(text: str, directory: str, folder: str) -> Manifest:
    parts = fence_pattern.split(text, fence_pattern.LINE_START)
    fields: Any = {}
    warnings = []
    if parts is not None:
        try:
            fields = safe_load(parts.inside) or {}
        except PyYamlError as error:
            warnings.append(f"Error parsing YAML frontmatter: {error.text}")
            fields = _by_lines(parts.inside)
    if not isinstance(fields, dict):
        words = f"'{type(fields).__name__}' object has no attribute 'get'"
        why = "the frontmatter is not a mapping"
        raise Refusal(f"Error loading skill from {folder}: {words}", why, library=words)
    name, description = fields.get("name", directory), fields.get("description", "")
    kept = {key: fields[key] for key in _KEPT if fields.get(key) is not None}
    return Manifest(name, description, text if parts is None else parts.body.strip(), kept, tuple(warnings))


def _by_lines(text: str) -> dict[str, str]:
    """Return the fields of text that is not YAML: each line with a colon."""
    pairs = (line.split(":", 1) for line in text.strip().split("\n") if ":" in line)
    return {key.strip(): value.strip().strip('"').strip("'") for key, value in pairs}


def parse(raw: bytes, directory: str | None, validate: bool = True) -> dict[str, Any]:
    """Return the fields and the body of a SKILL.md; raises `Refusal` with the framework's reason."""
    name = (directory or "").rpartition("/")[2]
    try:
        found = read(raw, name, directory or "", validate)
    except LoaderError as error:
        raise Refusal(str(error)) from None
    more = {key.replace("-", "_"): value for key, value in found.fields.items() if value}
    shown: dict[str, Any] = {"name": found.name, "description": found.description, "body": found.body}
    return shown | more | ({"warnings": list(found.warnings)} if found.warnings else {})
