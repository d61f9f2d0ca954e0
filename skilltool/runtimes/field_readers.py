"""Who reads a field of the frontmatter? Public clients by their table, our own runtimes by their schemas."""

from __future__ import annotations

from functools import cache

from skilltool import runtimes
from skilltool.runtimes import fields
from skilltool.skill.client_fields import client_fields


@cache
def field_readers(field: str) -> dict[str, str | None]:
    """Return the ids of all that read a field, most used first, with what each does with it if that is known.

    A runtime whose schema gives a field no type ignores it.
    """
    found: dict[str, str | None] = {row.client: row.does for row in client_fields().get(field, ())}
    for runtime in map(runtimes.get, runtimes.BARE):
        about = fields.about(runtime, (field,))
        if about is not None and fields.types(about):
            found.setdefault(runtime.id, None)
    return found


def reads(runtime: str, field: str) -> bool:
    """Return whether a runtime, or the one that it is an edition of, reads a field."""
    return runtime.partition("@")[0] in field_readers(field)
