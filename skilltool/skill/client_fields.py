"""Which frontmatter fields do public clients read, beyond those of the open specification?

The facts are in `schemas/clients.json`, each with its source.
"""

from __future__ import annotations

import json
from functools import cache
from typing import NamedTuple

from skilltool._resources import data


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
