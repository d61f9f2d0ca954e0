"""How does pi read one file: its frontmatter, its name, what it warns about and what it refuses?

Source: `dist/core/skills.js` and `dist/utils/frontmatter.js` of pi 1.5.2, and records of them.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, NamedTuple

from skilltool.emulation import npm_yaml
from skilltool.emulation.javascript import length, trim
from skilltool.runtimes.loading import TOO_LARGE
from skilltool.runtimes.values import Refusal, not_read
from skilltool.skill import schema
from skilltool.skill.read_file import MAX_BYTES
from skilltool.text.frontmatter.nodes import BoundError

NO_DESCRIPTION = "description is required"
_FENCE = "---"
_NAME = re.compile(r"[a-z0-9-]+")


class Manifest(NamedTuple):
    """What one file says; `hidden` from the model, and the `warnings` that it gives rise to."""

    name: str
    description: str
    body: str
    hidden: bool
    warnings: tuple[str, ...]


def split(raw: bytes) -> tuple[str, str]:
    """Return the YAML of a file, empty if it has none, and its body.

    The YAML begins with the fifth character, whatever follows the first three dashes.
    """
    if len(raw) > MAX_BYTES:
        raise Refusal(None, TOO_LARGE)
    text = raw.decode("utf-8", "replace").removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    end = text.find(f"\n{_FENCE}", len(_FENCE)) if text.startswith(_FENCE) else -1
    if end < 0:
        return "", text
    return text[len(_FENCE) + 1 : end], trim(text[end + len(_FENCE) + 1 :])


@lru_cache(maxsize=2)
def read(raw: bytes, directory: str) -> Manifest:
    """Return what a file in a directory of this name says; raises `Refusal` with the program's words."""
    yaml, body = split(raw)
    fields = _fields(yaml)
    description = fields.get("description")
    if not isinstance(description, str) or not trim(description):
        raise Refusal(
            NO_DESCRIPTION, "`description` is missing, blank or not a string, or no frontmatter is found"
        )
    given = fields.get("name")
    name = given if isinstance(given, str) and given else directory
    hidden = fields.get("disable-model-invocation") is True
    return Manifest(
        name, description, trim(body), hidden, (*_about_description(description), *_about_name(name))
    )


def _fields(yaml: str) -> dict[str, Any]:
    try:
        data = npm_yaml.load(yaml) if yaml else None
    except BoundError as error:
        raise not_read(error) from None
    except npm_yaml.NotParsedError as error:
        why = f"the frontmatter is not valid YAML: {error}"
        raise Refusal(error.words, why, library=error.words) from None
    return data if isinstance(data, dict) else {}


def _about_description(text: str) -> list[str]:
    most, size = _most("description"), length(text)
    return [f"description exceeds {most} characters ({size})"] if size > most else []


def _about_name(name: str) -> list[str]:
    """Return what pi warns about in a name, which is used all the same."""
    most, size = _most("name"), length(name)
    found = [f"name exceeds {most} characters ({size})"] if size > most else []
    if not _NAME.fullmatch(name):
        found.append("name contains invalid characters (must be lowercase a-z, 0-9, hyphens only)")
    if name.startswith("-") or name.endswith("-"):
        found.append("name must not start or end with a hyphen")
    if "--" in name:
        found.append("name must not contain consecutive hyphens")
    return found


def _most(field: str) -> int:
    """Return the length in UTF-16 units over which a field is warned about."""
    most: int = schema.load("pi")["properties"][field]["x-warned-length"]
    return most


def parse(raw: bytes, directory: str | None) -> dict[str, Any]:
    """Return name, description and body of a file, and what there is of warnings; raises `Refusal`."""
    found = read(raw, directory or "")
    data: dict[str, Any] = {"name": found.name, "description": found.description, "body": found.body}
    if found.warnings:
        data["warnings"] = list(found.warnings)
    return data | ({"disable_model_invocation": True} if found.hidden else {})
