"""The goldens: records of what running runtimes did, and the trees of files they did it on.

`tests/goldens/README.md` says what a record means. They are measurements and are never edited.
"""

from __future__ import annotations

import json
from pathlib import Path

from tests.support.goldens.packs import FIRST, Pack
from tests.support.goldens.worlds import Record, Trees, World

__all__ = ["CASES", "FIXTURES", "Record", "Trees", "World", "editions", "records", "trees"]

CASES, FIXTURES = FIRST / "cases", FIRST / "fixtures"


def editions() -> list[str]:
    """The ids of the editions that have records."""
    return sorted(path.name.removesuffix(".jsonl") for path in CASES.glob("*.jsonl"))


def records(edition: str) -> list[Record]:
    """Every record of one edition."""
    lines = (CASES / f"{edition}.jsonl").read_text("utf-8").split("\n")
    return [json.loads(line) for line in lines if line]


def trees(base: Path) -> Trees:
    """The trees of all records, laid below `base`."""
    return Trees(Pack(FIRST), base)
