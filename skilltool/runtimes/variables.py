"""Which variables stand for directories in the text of a skill? Facts from `schemas/variables.json`."""

from __future__ import annotations

import json
from functools import cache
from typing import Any, NamedTuple

from skilltool._resources import data

SKILL = "skill"


class Variable(NamedTuple):
    """One variable that a client puts in, exactly as written, and which directory it `names`."""

    variable: str
    client: str
    names: str
    evidence: str
    source: str


class Conventions(NamedTuple):
    """The words that skills use on their own for their directory, and their prefixes without the `_`."""

    words: tuple[str, ...]
    prefixes: tuple[str, ...]
    source: str


@cache
def variables() -> tuple[Variable, ...]:
    """Return the variables that clients put in."""
    return tuple(Variable(**row) for row in _table()["variables"])


@cache
def conventions() -> Conventions:
    """Return the words that no client puts in."""
    row = _table()["conventions"]
    return Conventions(tuple(row["words"]), tuple(row["prefixes"]), row["source"])


def own_directory(runtime: str) -> str | None:
    """Return the variable that a runtime, or the client of an edition, replaces by the skill's directory."""
    client = runtime.partition("@")[0]
    found = (row.variable for row in variables() if row.client == client and row.names == SKILL)
    return next(found, None)


@cache
def _table() -> dict[str, Any]:
    table: dict[str, Any] = json.loads((data("schemas") / "variables.json").read_text("utf-8"))
    return table
