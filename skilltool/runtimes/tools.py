"""Which tools can a skill allow or take away by name? By client, from `schemas/tools.json`."""

from __future__ import annotations

import json
from functools import cache
from typing import NamedTuple

from skilltool._resources import data


class Tools(NamedTuple):
    """The tools of one client: `names` of today, `earlier` ones, and where they are from.

    `evidence` is how the client is known to have them, `verified` the day on which that was looked up.
    """

    names: tuple[str, ...]
    earlier: tuple[str, ...]
    source: str
    verified: str
    evidence: str


def tools_of(runtime: str) -> Tools | None:
    """Return the tools of a runtime, or of the one that it is an edition of; None if they are not known."""
    return _table().get(runtime.partition("@")[0])


@cache
def _table() -> dict[str, Tools]:
    table = json.loads((data("schemas") / "tools.json").read_text("utf-8"))
    return {
        client: Tools(**{**row, "names": tuple(row["names"]), "earlier": tuple(row["earlier"])})
        for client, row in table["clients"].items()
    }
