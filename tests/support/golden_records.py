"""The goldens: records of what running runtimes did, and the trees of files they did it on.

`tests/goldens/README.md` says what a record means. They are measurements and are never edited.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from tests.support.goldens import worlds
from tests.support.goldens.packs import FIRST, Pack
from tests.support.goldens.worlds import Record, World

__all__ = ["CASES", "FIXTURES", "Record", "World", "editions", "lay", "records"]

CASES, FIXTURES = FIRST / "cases", FIRST / "fixtures"


def editions() -> list[str]:
    """The ids of the editions that have records."""
    return sorted(path.name.removesuffix(".jsonl") for path in CASES.glob("*.jsonl"))


def records(edition: str) -> list[Record]:
    """Every record of one edition."""
    lines = (CASES / f"{edition}.jsonl").read_text("utf-8").split("\n")
    return [json.loads(line) for line in lines if line]


def lay(edition: str, tree: dict[str, str], base: Path, setup: Iterable[Record] = ()) -> World:
    """Lay out the fixture sets of `tree` (root role -> set) below `base`, then change what `setup` says."""
    return worlds.lay(Pack(FIRST), edition.partition("@")[0], tree, base, setup)
