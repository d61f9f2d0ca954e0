"""Documents as the package python-frontmatter takes them apart: which text is frontmatter, what it says.

Source: python-frontmatter 1.3.0, `frontmatter.load` with its own handlers, without the package `toml`. The
boundaries are its regular expressions; the YAML is libyaml's.
"""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from skilltool.emulation import pyyaml
from skilltool.text.frontmatter.nodes import BoundError
from skilltool.text.lazy_pattern import lazy_pattern

_YAML = lazy_pattern(r"^-{3,}\s*$", re.MULTILINE)
_JSON = lazy_pattern(r"^(?:{|})$", re.MULTILINE)
# Parameters of its class `Post`, to which the fields are handed as keywords.
_TAKEN = ("self", "content", "handler")


class Document(NamedTuple):
    """A document: its fields, empty unless the frontmatter is a mapping, and the text after it."""

    fields: dict[str, Any]
    body: str


def read(text: str) -> Document:
    """Take a text apart; white space at both ends of it, and of the body, is removed.

    Raises `PyYamlError`, `json.JSONDecodeError`, `ValueError` and `TypeError` as the library does, and
    `BoundError` for what exceeds skilltool's bounds.
    """
    text = text.strip()
    boundary = next((each for each in (_YAML, _JSON) if each.match(text)), None)
    parts = boundary.split(text, 2) if boundary else []
    if len(parts) < 3:
        return Document({}, text)
    found = pyyaml.c_safe_load(parts[1]) if boundary is _YAML else _json(f"{{{parts[1]}}}")
    return Document(_fields(found) if isinstance(found, dict) else {}, parts[2].strip())


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except RecursionError:
        raise BoundError("JSON that is nested too deep", 0) from None


def _fields(found: dict[Any, Any]) -> dict[str, Any]:
    if not all(isinstance(key, str) for key in found):
        raise TypeError("keywords must be strings")
    for name in _TAKEN:
        if name in found:
            raise TypeError(f"Post.__init__() got multiple values for argument '{name}'")
    return found
