"""What does each runtime require of a field of the frontmatter, and who reads it? From schemas and a table.

A field is named by its path, such as `("triggers", "keywords")`.

The facts are in `schemas/clients.json`, each with its source.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from typing import Any, NamedTuple

from skilltool import runtimes
from skilltool._resources import data
from skilltool.runtimes.base import Runtime
from skilltool.skill import schema


class ClientField(NamedTuple):
    """One field that one client reads: what the client `does` with it, as the end of "CLIENT, which ...".

    `since` is the first version that reads it, None where that is not known. `type` is the JSON type that the
    client takes, given where other readers of the field take another.
    """

    field: str
    client: str
    does: str
    source: str
    since: str | None = None
    type: str | None = None


@cache
def client_fields() -> dict[str, tuple[ClientField, ...]]:
    """Return what is known of each field by its name, most used client first."""
    table = json.loads((data("schemas") / "clients.json").read_text("utf-8"))
    found: dict[str, tuple[ClientField, ...]] = {}
    for row in table["fields"]:
        field = ClientField(**row)
        found[field.field] = (*found.get(field.field, ()), field)
    return found


FieldPath = tuple[str, ...]


def known(runtime: Runtime, path: FieldPath = ()) -> tuple[str, ...]:
    """Return the fields that the runtime knows in the mapping at `path`, in the order of its schema."""
    return tuple(_at(runtime, path).get("properties", {}))


def about(runtime: Runtime, path: FieldPath) -> dict[str, Any] | None:
    """Return the schema of one field, None if the runtime does not know it."""
    found: dict[str, Any] | None = _at(runtime, path[:-1]).get("properties", {}).get(path[-1])
    return found


def demand(runtime: Runtime, path: FieldPath, required: str = "required") -> str | None:
    """Return in a few words what the runtime requires of a field: `required, string, at most 64`.

    `required` is the word for a field that must be there; lengths are in characters. None if the runtime
    does not know the field.
    """
    found = about(runtime, path)
    if found is None:
        return None
    kinds = types(found)
    words = [required] if path[-1] in _at(runtime, path[:-1]).get("required", ()) else []
    words.append(" or ".join(kinds) if kinds else "ignored")
    words += [f"at most {found['maxLength']:,}"] if "maxLength" in found else []
    return ", ".join(words)


def types(found: dict[str, Any]) -> tuple[str, ...]:
    """Return the JSON types that a schema allows, empty if it allows any."""
    kind = found.get("type", ())
    return (kind,) if isinstance(kind, str) else tuple(kind)


def meanings(runtimes: Iterable[Runtime], path: FieldPath) -> dict[str, list[str]]:
    """Return what a field is for: each description once, with the ids of the runtimes that have it."""
    found: dict[str, list[str]] = {}
    for runtime in runtimes:
        field = about(runtime, path) or {}
        if "description" in field:
            found.setdefault(field["description"], []).append(runtime.id)
    return found


def _at(runtime: Runtime, path: FieldPath) -> dict[str, Any]:
    """Return the schema of the mapping at `path`, empty if there is none."""
    found = schema.load(runtime.schema)
    for key in path:
        found = found.get("properties", {}).get(key, {})
    return found


@cache
def field_readers(field: str) -> dict[str, str | None]:
    """Return the ids of all that read a field, most used first, with what each does with it if that is known.

    A runtime whose schema gives a field no type ignores it. The schemas have the ids of their runtimes, which
    need not be imported.
    """
    found: dict[str, str | None] = {row.client: row.does for row in client_fields().get(field, ())}
    for runtime in _most_used_first():
        description = schema.load(runtime).get("properties", {}).get(field)
        if description is not None and types(description):
            found.setdefault(runtime, None)
    return found


def _most_used_first() -> tuple[str, ...]:
    """Return the ids of all runtimes: the specification, the clients that people use, then all others."""
    first = ("agentskills", *runtimes.GROUPS["clients"])
    return (*first, *(name for name in runtimes.BARE if name not in first))


def reads(runtime: str, field: str) -> bool:
    """Return whether a runtime, or the one that it is an edition of, reads a field."""
    return runtime.partition("@")[0] in field_readers(field)
