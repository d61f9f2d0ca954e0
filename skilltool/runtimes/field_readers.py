"""Who reads a field of the frontmatter? Public clients by their table, our own runtimes by their schemas."""

from __future__ import annotations

from functools import cache

from skilltool import runtimes
from skilltool.runtimes import fields
from skilltool.skill import schema
from skilltool.skill.client_fields import client_fields


@cache
def field_readers(field: str) -> dict[str, str | None]:
    """Return the ids of all that read a field, most used first, with what each does with it if that is known.

    A runtime whose schema gives a field no type ignores it. The schemas have the ids of their runtimes, which
    need not be imported.
    """
    found: dict[str, str | None] = {row.client: row.does for row in client_fields().get(field, ())}
    for runtime in _most_used_first():
        about = schema.load(runtime).get("properties", {}).get(field)
        if about is not None and fields.types(about):
            found.setdefault(runtime, None)
    return found


def _most_used_first() -> tuple[str, ...]:
    """Return the ids of all runtimes: the specification, the clients that people use, then all others."""
    first = ("agentskills", *runtimes.GROUPS["clients"])
    return (*first, *(name for name in runtimes.BARE if name not in first))


def reads(runtime: str, field: str) -> bool:
    """Return whether a runtime, or the one that it is an edition of, reads a field."""
    return runtime.partition("@")[0] in field_readers(field)
