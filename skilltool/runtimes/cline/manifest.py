"""How does Cline read one file: its frontmatter, its name, and what it refuses?

Source: `extensions/config/user-instruction-config-loader` of @cline/core 0.0.86, and records of it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, NamedTuple

from skilltool.emulation import npm_yaml
from skilltool.emulation.javascript import trim
from skilltool.runtimes.loading import TOO_LARGE
from skilltool.runtimes.values import Refusal, not_read
from skilltool.skill.read_file import MAX_BYTES
from skilltool.text.frontmatter.nodes import BoundError

_FRONTMATTER = re.compile(r"---\r?\n(?P<yaml>[\s\S]*?)\r?\n---\r?\n?")


class Manifest(NamedTuple):
    """What one file says; `has_fields` is False for a file that is all body."""

    name: str
    description: str | None
    body: str
    disabled: bool = False
    has_fields: bool = True


@lru_cache(maxsize=2)
def read(raw: bytes, directory: str) -> Manifest:
    """Return what a SKILL.md in a directory of this name says; raises `Refusal` for one that is refused."""
    if len(raw) > MAX_BYTES:
        raise Refusal(None, TOO_LARGE)
    text = raw.decode("utf-8", "replace").removeprefix("\ufeff")
    found = _FRONTMATTER.match(text)
    fields = _fields(found["yaml"]) if found else {}
    body = trim(text[found.end() :] if found else text)
    if not body:
        raise Refusal("Missing instructions body in skill file.", "the body is empty")
    name = _text(fields, "name") or trim(directory)
    if not name:
        raise Refusal("Missing skill name.", "neither `name` nor the directory's name has a letter")
    disabled = _boolean(fields, "disabled")
    if disabled is None:
        disabled = _boolean(fields, "enabled") is False
    return Manifest(name, _text(fields, "description"), body, disabled, found is not None)


def _fields(yaml: str) -> dict[str, Any]:
    try:
        data = npm_yaml.load(yaml)
    except BoundError as error:
        raise not_read(error) from None
    except npm_yaml.NotParsedError as error:
        words = f"Failed to parse YAML frontmatter: {error.words}"
        why = f"the frontmatter is not valid YAML: {error}"
        raise Refusal(words, why, library=error.words) from None
    return data if isinstance(data, dict) else {}


def _text(fields: dict[str, Any], field: str) -> str | None:
    value = fields.get(field)
    if value is not None and not isinstance(value, str):
        raise Refusal(f"Frontmatter field '{field}' must be a string.", f"`{field}` is not a string")
    return trim(value or "") or None


def _boolean(fields: dict[str, Any], field: str) -> bool | None:
    value = fields.get(field)
    if value is not None and not isinstance(value, bool):
        raise Refusal(f"Frontmatter field '{field}' must be a boolean.", f"`{field}` is not a boolean")
    return value


def parse(raw: bytes, directory: str | None) -> dict[str, Any]:
    """Return name, description and body of a SKILL.md, and `disabled` if it is; raises `Refusal`.

    `fields_lost` tells that it sees no frontmatter.
    """
    found = read(raw, directory or "")
    more = {"disabled": True} if found.disabled else {}
    if not found.has_fields:
        more["fields_lost"] = True
    return {"name": found.name, "description": found.description, "body": found.body, **more}
