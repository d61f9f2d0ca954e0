"""The issues that zod 4.3.5 reports for a value, for the few shapes that frontmatter needs.

Source: zod's English locale and its issues `invalid_type`, `unrecognized_keys`, `too_small` and `too_big`,
compared with the library itself on generated values (`tests/libraries/zod-4.3.5.jsonl`). A check takes the
path and the value and returns the issues, `[]` if the value is valid.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from skilltool.emulation.javascript import Foreign, in_key_order, length

_MISSING = object()
Check = Callable[[str, Any], list[str]]


@dataclass(frozen=True, slots=True)
class Limit:
    """A bound of a length, in UTF-16 units of a string or entries of a list, and the message past it."""

    number: int
    words: str


def text(path: str, value: Any) -> list[str]:
    """Check a string; `path` begins each issue."""
    return [] if isinstance(value, str) else [f"{path}: {_type_words('string', value)}"]


def bounded_text(low: Limit, high: Limit | None, pattern: tuple[str, str] | None = None) -> Check:
    """Return the check of a string's length and form; the length of a list is checked, too."""

    def check(path: str, value: Any) -> list[str]:
        found = text(path, value)
        size = _length(value)
        if size is not None:
            if size < low.number:
                found.append(f"{path}: {low.words}")
            if high and size > high.number:
                found.append(f"{path}: {high.words}")
        if pattern and isinstance(value, str) and not re.fullmatch(pattern[0], value):
            found.append(f"{path}: {pattern[1]}")
        return found

    return check


def texts(path: str, value: Any) -> list[str]:
    """Check a record whose values are strings."""
    if not isinstance(value, dict):
        return [f"{path}: {_type_words('record', value)}"]
    return [words for key, item in in_key_order(value).items() for words in text(f"{path}.{key}", item)]


def text_or_list(path: str, value: Any) -> list[str]:
    """Check a string or a list of strings."""
    fits = isinstance(value, str) or (
        isinstance(value, list) and all(isinstance(each, str) for each in value)
    )
    return [] if fits else [f"{path}: Invalid input"]


def strict_object(value: Any, required: Mapping[str, Check], optional: Mapping[str, Check]) -> list[str]:
    """Return all issues of a value that must be an object with these keys and no others."""
    if not isinstance(value, dict):
        return [_type_words("object", value)]
    found = [words for key, check in required.items() for words in check(key, value.get(key, _MISSING))]
    found += [words for key, check in optional.items() if key in value for words in check(key, value[key])]
    extra = [f'"{key}"' for key in in_key_order(value) if key not in required and key not in optional]
    if extra:
        found.append(f"Unrecognized key{'s' if len(extra) > 1 else ''}: {', '.join(extra)}")
    return found


def _length(value: Any) -> int | None:
    """Return the `length` of a value, None if it has none."""
    if isinstance(value, Foreign):
        return value.size
    if isinstance(value, str):
        return length(value)
    return len(value) if isinstance(value, list) else None


def _type_words(expected: str, value: Any) -> str:
    return f"Invalid input: expected {expected}, received {_kind(value)}"


def _kind(value: Any) -> str:
    if value is _MISSING:
        return "undefined"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "NaN" if value != value else "number"
    if isinstance(value, Foreign):
        return value.kind
    return "array" if isinstance(value, list) else "object" if isinstance(value, dict) else "string"
