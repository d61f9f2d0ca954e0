"""docs/coverage.md names, for every heading of the design documents, files that exist."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "coverage.md").read_text("utf-8")
# How many headings each document has.
HEADINGS = {"nfa": 12, "agent": 15, "mycodeagent": 24, "pickle-bot": 36, "kodelet": 52}


def rows(runtime_id: str) -> list[list[str]]:
    section = TEXT.split(f": `{runtime_id}`\n", 1)[1].split("\n## ", 1)[0]
    return [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| #")]


def test_every_heading_has_an_entry() -> None:
    assert {name: len(rows(name)) for name in HEADINGS} == HEADINGS


def test_every_entry_names_files_that_exist_or_a_reason() -> None:
    for name in HEADINGS:
        for heading, module, covered in rows(name):
            if module == "out of scope":
                assert len(covered) > 10, heading
                continue
            named = re.findall(r"`([^`]+)`", f"{module} {covered}")
            assert len(named) >= 2, heading
            for path in named:
                assert (ROOT / path).is_file(), f"{heading}: {path}"
