"""CONTRIBUTING.md names every room of the house, in the order of imports, and only files that exist."""

from __future__ import annotations

import re
from pathlib import Path

from tests.project.test_layers import LAYERS, ROW

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
TABLE = TEXT.partition("## Where things are\n")[2].partition("\n## ")[0]
ROOMS = [re.findall(r"`(\w+)/?`", row) for row in re.findall(r"^\| (`.*?) \|", TABLE, re.MULTILINE)]


def test_every_room_is_in_the_table_once() -> None:
    named = sorted(room for row in ROOMS for room in row)
    assert named == sorted(frozenset().union(*LAYERS) - {"__init__", "__main__"})


def test_the_table_is_in_the_order_of_imports_and_fits_on_a_screen() -> None:
    layers = [ROW[room] for row in ROOMS for room in row]
    assert layers == sorted(layers)
    assert len(TABLE.splitlines()) < 32


def test_every_path_exists() -> None:
    paths = set(re.findall(r"`((?:skilltool|tests|schemas|\.ci)/[\w./]*)`", TEXT))
    made_up = {path for path in paths if re.search(r"GROUP|ID|the_", path)}
    assert [path for path in sorted(paths - made_up) if not (ROOT / path).exists()] == []
    assert len(paths - made_up) > 5
