"""How does Codex read one SKILL.md: where its frontmatter ends, which fields it reads, what it refuses?

Source: `skills/list` of codex 0.169.0 for files of ours.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from skilltool.emulation import rust
from skilltool.emulation.serde_yaml import TEXT, SerdeYamlError, Struct, read
from skilltool.runtimes.codex.repair import repaired
from skilltool.runtimes.loading import TOO_LARGE
from skilltool.runtimes.values import Refusal, not_read
from skilltool.skill import schema
from skilltool.skill.read_file import MAX_BYTES
from skilltool.text.frontmatter.nodes import BoundError

LONGEST_NAME: int = schema.load("codex")["properties"]["name"]["maxLength"]
_NO_NAME = "skill"
_METADATA = Struct("SkillFrontmatterMetadata", {"short-description": TEXT})
_FIELDS = Struct("SkillFrontmatter", {"name": TEXT, "description": TEXT, "metadata": _METADATA})


class Manifest(NamedTuple):
    """What Codex reads of one file; `short` is `metadata.short-description`, None if it has none."""

    name: str
    description: str
    short: str | None
    body: str


def decoded(raw: bytes) -> str:
    """Return the text of a file; raises `Refusal` for what is not UTF-8."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        words = rust.utf8_error(error)
        why = f"the file is not UTF-8 at byte {error.start}"
        raise Refusal(f"failed to read file: {words}", why, library=words) from None


def split(text: str) -> tuple[str, str] | None:
    """Return the frontmatter, without line ends but `\\n`, and the body; None if there is no frontmatter.

    A fence is a line of `---` and blanks around it; with nothing between two of them there is none.
    """
    first, _, rest = text.partition("\n")
    if rust.trim(first) != "---":
        return None
    start = 0
    while start < len(rest):
        end = rest.find("\n", start)
        end = len(rest) if end < 0 else end
        if rust.trim(rest[start:end]) == "---":
            return ("\n".join(rust.lines(rest[:start])), rest[end + 1 :]) if start else None
        start = end + 1
    return None


def manifest(text: str, directory: str) -> Manifest:
    """Return what a text says, in a directory of this name; raises `Refusal`."""
    found = split(text)
    if found is None:
        raise Refusal("missing YAML frontmatter delimited by ---")
    fields = _fields(found[0])
    name = rust.single_line(fields.get("name") or "") or rust.single_line(directory) or _NO_NAME
    if len(name) > LONGEST_NAME:
        raise Refusal(f"invalid name: exceeds maximum length of {LONGEST_NAME} characters")
    description = rust.single_line(fields.get("description") or "")
    if not description:
        raise Refusal("missing field `description`", "the description is missing or empty")
    short = rust.single_line((fields.get("metadata") or {}).get("short-description") or "") or None
    return Manifest(name, description, short, found[1])


def _fields(yaml: str) -> dict[str, Any]:
    """Return the fields of frontmatter, of its repaired form if need be; raises the first error."""
    try:
        return _read(yaml)
    except BoundError as error:
        raise not_read(error) from None
    except SerdeYamlError as error:
        words = str(error)
        raise Refusal(f"invalid YAML: {words}", f"invalid YAML: {words}", library=words) from None


def _read(yaml: str) -> dict[str, Any]:
    try:
        return read(yaml, _FIELDS)
    except SerdeYamlError:
        second = repaired(yaml)
        if second is None:
            raise
        try:
            return read(second, _FIELDS)
        except SerdeYamlError:
            pass
        raise


def parse(raw: bytes, directory: str | None) -> dict[str, Any]:
    """Return name, description, `short-description` and body of a SKILL.md; raises `Refusal`."""
    if len(raw) > MAX_BYTES:
        raise Refusal(None, TOO_LARGE)
    found = manifest(decoded(raw), directory or "")
    return {
        "name": found.name,
        "description": found.description,
        "body": found.body,
    } | ({"short-description": found.short} if found.short else {})
