"""How does google-adk read one SKILL.md: where the frontmatter ends, and what its fields may be?

Source: `google/adk/skills/_utils.py` and `models.py` of google-adk 2.13.0, and runs of them.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple
from unicodedata import normalize

from skilltool.emulation.pydantic import (
    Check,
    anything,
    error_text,
    keys_that_are_strings,
    model_of,
    optional,
    table_of,
    text,
    validated,
)
from skilltool.emulation.pyyaml import PyYamlError, safe_load
from skilltool.runtimes.loading import decoded
from skilltool.runtimes.values import Refusal, not_read
from skilltool.skill import schema
from skilltool.text.frontmatter.nodes import BoundError

_FENCE = "---"
_PYDANTIC = "2.14"
_LIMITS = schema.load("google-adk")["properties"]
LONGEST: dict[str, int] = {
    name: value["maxLength"] for name, value in _LIMITS.items() if "maxLength" in value
}
_NAME = re.compile(r"[a-z0-9]+(?>(?:-[a-z0-9]+)*)\n?")  # Python's `$` also matches before a final line end
_INVALID = "ValueError"
_TOOLS, _TOOLS_WRITTEN = "allowed_tools", "allowed-tools"
INJECT = "adk_inject_state"


class Manifest(NamedTuple):
    """One file: the fields as `load_skill` returns them, own fields of the skill included, and the body."""

    fields: dict[str, Any]
    body: str

    @property
    def name(self) -> str:
        """The name, in Unicode's compatible form (NFKC)."""
        return str(self.fields["name"])

    @property
    def description(self) -> str:
        """The description as it is."""
        return str(self.fields["description"])

    @property
    def own_fields(self) -> dict[str, Any]:
        """The fields that the framework does not know, which it keeps."""
        return {name: value for name, value in self.fields.items() if name not in _FIELDS}


def parse(raw: bytes, directory: str | None) -> dict[str, Any]:
    """Return the fields that a SKILL.md has, its own ones in `extra`, and the body; raises `Refusal`."""
    found = read(raw)
    check_directory(found, directory)
    known = {name: _finite(value) for name, value in found.fields.items() if name in _FIELDS and value}
    extra = {"extra": _finite(found.own_fields)} if found.own_fields else {}
    return known | extra | {"description": found.description, "body": found.body}


def _finite(value: Any, above: tuple[int, ...] = ()) -> Any:
    """Return data with null for what an alias puts into itself."""
    if id(value) in above:
        return None
    inside = (*above, id(value))
    if isinstance(value, dict):
        return {key: _finite(item, inside) for key, item in value.items()}
    return [_finite(item, inside) for item in value] if isinstance(value, list) else value


def check_directory(found: Manifest, directory: str | None) -> None:
    """Raise `Refusal` unless the name is that of the directory, where that is known."""
    if directory and found.name != directory:
        message = f"Skill name '{found.name}' does not match directory name '{directory}'."
        raise Refusal(message, kind=_INVALID)


def read(raw: bytes) -> Manifest:
    """Return what a file says; raises `Refusal` with the framework's own words."""
    try:
        content = decoded(raw)
    except UnicodeDecodeError as error:
        raise Refusal(str(error), kind="UnicodeDecodeError", library=str(error)) from None
    if not content.startswith(_FENCE):
        raise Refusal("SKILL.md must start with YAML frontmatter (---)", kind=_INVALID)
    # Three dashes end the frontmatter wherever they are.
    parts = content.split(_FENCE, 2)
    if len(parts) < 3:
        raise Refusal("SKILL.md frontmatter not properly closed with ---", kind=_INVALID)
    fields = _fields(parts[1])
    problems = keys_that_are_strings(fields)
    found, of_fields = _FRONTMATTER((), fields)
    if of_fields or problems:
        words = error_text("Frontmatter", [*of_fields, *problems], _PYDANTIC)
        raise Refusal(words, kind="ValidationError", library=words)
    # Beside `allowed-tools` the other spelling is a field of the skill's own, which is returned in its place.
    known = _FIELDS - {_TOOLS} if _TOOLS_WRITTEN in fields else _FIELDS
    own = {name: value for name, value in fields.items() if name not in {*known, _TOOLS_WRITTEN}}
    return Manifest(found | own, parts[2].strip())


def _fields(yaml: str) -> dict[Any, Any]:
    try:
        found = safe_load(yaml)
    except BoundError as error:
        raise not_read(error) from None
    except PyYamlError as error:
        if error.is_yaml:
            message = f"Invalid YAML in frontmatter: {error.text}"
            raise Refusal(message, kind=_INVALID, library=error.text) from None
        raise Refusal(error.text, kind=error.kind, library=error.text) from None
    if not isinstance(found, dict):
        raise Refusal("SKILL.md frontmatter must be a YAML mapping", kind=_INVALID)
    return found


def _name_problem(name: str) -> str | None:
    if len(name) > LONGEST["name"]:
        return f"name must be at most {LONGEST['name']} characters"
    if _NAME.fullmatch(name) is None:
        rules = "with no leading, trailing, or consecutive delimiters"
        return f"name must be lowercase kebab-case (a-z, 0-9, hyphens), {rules}"
    return None


def _description_problem(description: str) -> str | None:
    if not description:
        return "description must not be empty"
    length, most = len(description), LONGEST["description"]
    if length > most:
        return f"description must be at most {most} characters. Description length: {length}"
    return None


def _compatibility_problem(value: str | None) -> str | None:
    most = LONGEST["compatibility"]
    too_long = value is not None and len(value) > most
    return f"compatibility must be at most {most} characters" if too_long else None


def _metadata_problem(metadata: dict[str, Any]) -> str | None:
    if not isinstance(metadata.get("adk_additional_tools", []), list):
        return "adk_additional_tools must be a list of strings"
    if not isinstance(metadata.get(INJECT, True), bool):
        return f"{INJECT} must be a bool"
    return None


def _compatible(check: Check) -> Check:
    """Return a check of a name by its compatible form; a problem shows it as it is written."""

    def checked(path: Any, value: Any) -> Any:
        found, problems = validated(check, lambda name: _name_problem(normalize("NFKC", name)))(path, value)
        return found if problems else normalize("NFKC", found), problems

    return checked


_KNOWN: dict[str, tuple[Check, Any]] = {
    "name": (_compatible(text), ...),
    "description": (validated(text, _description_problem), ...),
    "license": (optional(text), None),
    "compatibility": (validated(optional(text), _compatibility_problem), None),
    _TOOLS: (optional(text), None),
    "metadata": (validated(table_of(text, anything), _metadata_problem), {}),
}
_FIELDS = frozenset(_KNOWN)
_FRONTMATTER = model_of("Frontmatter", _KNOWN, {_TOOLS: _TOOLS_WRITTEN})
