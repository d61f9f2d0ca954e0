"""Lists of words that are facts, from `schemas/needs.json`, which says what each is."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from skilltool._resources import data


@cache
def words(key: str) -> frozenset[str]:
    """Return the words of one list."""
    return frozenset(_table()[key])


@cache
def endings(kind: str) -> tuple[str, ...]:
    """Return how the names of files of one kind end."""
    return tuple(_table()["files"][kind])


@cache
def _table() -> dict[str, Any]:
    table: dict[str, Any] = json.loads((data("schemas") / "needs.json").read_text("utf-8"))
    return table
