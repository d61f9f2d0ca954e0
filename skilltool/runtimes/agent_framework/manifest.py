"""How does Agent Framework read one SKILL.md? Its file is kept whole; only six fields are looked at.

Source: `agent_framework/_skills.py` of agent-framework-core 1.23.0, and runs of it.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

from skilltool.emulation.pyyaml import PyYamlError
from skilltool.runtimes.agent_framework.nodes import Value
from skilltool.runtimes.agent_framework.nodes import read as read_yaml
from skilltool.runtimes.loading import decoded
from skilltool.runtimes.values import Refusal, not_read
from skilltool.skill import schema
from skilltool.skill.skill_file import FILE_NAME
from skilltool.text.frontmatter.nodes import BoundError

_LIMITS = schema.load("agent-framework")["properties"]
LONGEST: dict[str, int] = {
    name: value["maxLength"] for name, value in _LIMITS.items() if "maxLength" in value
}
_METADATA = "metadata"
_ORDER = ("name", "description", "license", "compatibility", "allowed-tools")
_FIELDS = frozenset({*_ORDER, _METADATA})
_OPEN = re.compile(r"\ufeff?---[ \t]*+\n")
_CLOSE = re.compile(r"^---[ \t]*+$", re.MULTILINE)
_NAME = re.compile(r"[a-z0-9]++(?>(?:-[a-z0-9]++)*)\n?")  # Python's `$` also matches before a final line end
_RULES = (
    "using only lowercase letters, numbers, and hyphens, and must not start or end with a hyphen or contain "
    "consecutive hyphens."
)
NOT_UTF_8 = "UnicodeDecodeError"


class Manifest(NamedTuple):
    """One file: its whole text, its fields as text by their Python names, and the warnings about metadata."""

    content: str
    fields: dict[str, Any]
    warnings: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name, which is that of the directory."""
        return str(self.fields["name"])

    @property
    def description(self) -> str:
        """The description as it is."""
        return str(self.fields["description"])


def parse(raw: bytes, directory: str | None) -> dict[str, Any]:
    """Return the fields of a SKILL.md, and its whole text as the body; raises `Refusal`."""
    found = read(raw, Path(directory or "") / FILE_NAME, directory)
    warnings = {"warnings": list(found.warnings)} if found.warnings else {}
    return {**found.fields, "body": found.content, **warnings}


def read(raw: bytes, file: Path, directory: str | None) -> Manifest:
    """Return what a file says; raises `Refusal` with the framework's own words, which name the `file`."""
    try:
        content = decoded(raw)
    except UnicodeDecodeError as error:
        raise Refusal(str(error), kind=NOT_UTF_8, library=str(error)) from None
    at = f"SKILL.md at '{file}'"
    begin = _OPEN.match(content)
    end = begin and _CLOSE.search(content, begin.end())
    if begin is None or end is None:
        raise Refusal(f"{at} does not contain valid YAML frontmatter delimited by '---'", _no_fence(content))
    fields, metadata = _fields(content[begin.end() : end.start()], at)
    if problem := _problem(fields, file):
        raise problem
    if directory and fields["name"] != directory:
        words = f"that does not match the directory name '{directory}'; skipping."
        raise Refusal(f"{at} has frontmatter name '{fields['name']}' {words}")
    found, warnings = _metadata(metadata, at)
    named = {name.replace("-", "_"): fields[name] for name in _ORDER if name in fields}
    return Manifest(content, named | ({} if found is None else {_METADATA: found}), tuple(warnings))


def _no_fence(content: str) -> str:
    if _OPEN.match(content) is None:
        return "the file does not begin with a line `---`"
    return "the frontmatter is not closed by a line `---`"


def _fields(yaml: str, at: str) -> tuple[dict[str, str], Value | None]:
    """Return the fields that are text, and the metadata."""
    try:
        root = read_yaml(yaml)
    except BoundError as error:
        raise not_read(error) from None
    except PyYamlError as error:
        if not error.is_yaml and error.kind not in ("ValueError", "OverflowError"):
            raise Refusal(error.text, kind=error.kind, library=error.text) from None
        message = f"{at} contains invalid YAML frontmatter: {error.text}"
        raise Refusal(message, f"the YAML is invalid: {error.text}", library=error.text) from None
    if root.entries is None:
        raise Refusal(f"{at} must contain a YAML frontmatter mapping", "the frontmatter is not a mapping")
    found: dict[str, str] = {}
    metadata: Value | None = None
    seen: set[str] = set()
    for key, value in root.entries:
        name = key.text
        if name is None:
            raise Refusal(f"{at} has an invalid frontmatter property name", "a key is not text")
        if name.lower() not in _FIELDS:
            continue
        if name not in _FIELDS:
            words = f"uses incorrectly cased frontmatter field '{name}'; expected '{name.lower()}'"
            raise Refusal(f"{at} {words}")
        if name in seen:
            raise Refusal(f"{at} contains duplicate frontmatter field '{name}'")
        seen.add(name)
        if name == _METADATA:
            metadata = value
        elif value.text is not None:
            found[name] = value.text
        elif not value.null:
            raise Refusal(f"{at} has an invalid '{name}' value; expected a text scalar")
    return found, metadata


def _problem(fields: dict[str, str], file: Path) -> Refusal | None:
    """Return what is wrong with the length or the form of a field."""
    name, description = fields.get("name", ""), fields.get("description", "")
    if not name.strip():
        return Refusal(f"Skill from '{file}' is missing a name.", "`name` is missing, null or blank")
    if len(name) > LONGEST["name"] or _NAME.fullmatch(name) is None:
        words = f"Must be {LONGEST['name']} characters or fewer, {_RULES}"
        return Refusal(f"Skill from '{file}' has an invalid name '{name}': {words}")
    skill = f"Skill '{name}' from '{file}'"
    if not description.strip():
        return Refusal(f"{skill} is missing a description.", "`description` is missing, null or blank")
    for field in ("description", "compatibility"):
        if len(fields.get(field, "")) > LONGEST[field]:
            return Refusal(f"{skill} has an invalid {field}: Must be {LONGEST[field]} characters or fewer.")
    return None


def _metadata(value: Value | None, at: str) -> tuple[dict[str, str] | None, list[str]]:
    """Return the entries of the metadata that are text, and warnings about the others."""
    if value is None or value.null:
        return None, []
    if value.entries is None:
        return None, [f"{at} has invalid metadata; expected a mapping"]
    found: dict[str, str] = {}
    warnings = []
    for key, item in value.entries:
        if key.text is None:
            warnings.append(f"{at} has an invalid metadata key; skipping entry")
        elif key.text in found:
            warnings.append(f"{at} contains duplicate metadata key '{key.text}'; keeping the first value")
        elif item.text is None:
            words = "expected a text scalar; skipping entry"
            warnings.append(f"{at} has an invalid metadata value for '{key.text}'; {words}")
        else:
            found[key.text] = item.text
    return found, warnings
