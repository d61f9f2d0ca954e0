"""What clients obey in the frontmatter of a skill, as YAML core reads it: before and after a fix."""

from __future__ import annotations

import re
from pathlib import Path

from skilltool import runtimes
from skilltool.runtimes import fields
from skilltool.runtimes.fields import client_fields
from skilltool.skill.model import Skill
from skilltool.text.frontmatter import Scalar
from skilltool.text.source import Source

_OURS = [runtimes.get(name) for name in runtimes.BARE]
OBEYED = {*client_fields(), *(name for each in _OURS for name in fields.known(each))} - {"name"}
_TEXTS = {
    name
    for each in _OURS
    for name in fields.known(each)
    if "string" in fields.types(fields.about(each, (name,)) or {})
}


def obeyed(text: str, directory: str) -> dict[str, object] | None:
    """Return the meaning of each field that some client obeys; None where the frontmatter is no YAML.

    A tool list means its tools, however they are separated; a description its words; a field that is text for
    everybody its text, with or without quotes; and `metadata` each of its entries.
    """
    frontmatter = Skill(directory, "SKILL.md", Source(text)).frontmatter
    if frontmatter.data is None or frontmatter.problems:
        return None
    found: dict[str, object] = {}
    for key in OBEYED & set(frontmatter.data):
        value, node = frontmatter.data[key], frontmatter.node(key)
        if key == "allowed-tools":
            found[key] = _tools(value)
        elif key == "metadata" and isinstance(value, dict):
            found |= {f"metadata {name}": (type(entry), repr(entry)) for name, entry in value.items()}
        elif key in _TEXTS and isinstance(node, Scalar) and value is not None:
            found[key] = node.text.split() if key == "description" else node.text
        else:
            found[key] = (type(value), repr(value))
    return found


def _tools(value: object) -> object:
    parts = value if isinstance(value, list) else [value]
    texts = [part for part in parts if isinstance(part, str)]
    if len(texts) < len(parts):
        return repr(value)
    return [tool for text in texts for tool in re.findall(r"(?:\([^()]*\)|[^\s,])+", text)]


def skill_file(directory: Path) -> Path | None:
    """Return the SKILL.md of a directory, in whatever case its name is."""
    return next((file for file in sorted(directory.iterdir()) if file.name.lower() == "skill.md"), None)
