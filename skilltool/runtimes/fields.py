"""What runtimes make of each field of the frontmatter, from their schemas: for docs/format.md and editors.

A field is named by its path, such as `("triggers", "keywords")`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from skilltool.runtimes.base import Runtime
from skilltool.skill import schema

FieldPath = tuple[str, ...]


def known(runtime: Runtime, path: FieldPath = ()) -> tuple[str, ...]:
    """Return the fields that the runtime knows in the mapping at `path`, in the order of its schema."""
    return tuple(_at(runtime, path).get("properties", {}))


def about(runtime: Runtime, path: FieldPath) -> dict[str, Any] | None:
    """Return what the runtime's schema says of one field, None where it does not know it."""
    found: dict[str, Any] | None = _at(runtime, path[:-1]).get("properties", {}).get(path[-1])
    return found


def demand(runtime: Runtime, path: FieldPath, needed: str = "needed") -> str | None:
    """Return in a few words what the runtime asks of a field: `needed, string, at most 64`; None if unknown.

    `needed` is the word for a field that has to be there; lengths are in characters.
    """
    found = about(runtime, path)
    if found is None:
        return None
    kinds = types(found)
    words = [needed] if path[-1] in _at(runtime, path[:-1]).get("required", ()) else []
    words.append(" or ".join(kinds) if kinds else "not looked at")
    words += [f"at most {found['maxLength']:,}"] if "maxLength" in found else []
    return ", ".join(words)


def types(found: dict[str, Any]) -> tuple[str, ...]:
    """Return the JSON types that a schema takes; none where it takes anything."""
    kind = found.get("type", ())
    return (kind,) if isinstance(kind, str) else tuple(kind)


def meanings(runtimes: Iterable[Runtime], path: FieldPath) -> dict[str, list[str]]:
    """Return what a field is for, each text once, with the ids of the runtimes whose schemas say so."""
    said: dict[str, list[str]] = {}
    for runtime in runtimes:
        found = about(runtime, path) or {}
        if "description" in found:
            said.setdefault(found["description"], []).append(runtime.id)
    return said


def _at(runtime: Runtime, path: FieldPath) -> dict[str, Any]:
    """Return the schema of the mapping at `path`; an empty one where there is none."""
    found = schema.load(runtime.schema)
    for key in path:
        found = found.get("properties", {}).get(key, {})
    return found
