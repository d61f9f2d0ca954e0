"""Puts the records of a pack to the driver, which never sees what is expected, and compares."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from tests.support.goldens.worlds import Record

_GOLDENS = Path(__file__).parents[2] / "goldens"
_HIDDEN = frozenset(
    {
        *("expect", "expect_hash", "extra", "logs", "flow_error", "load_error"),
        *("cut", "holes", "note", "volatile", "library_text"),
    }
)

Same = Callable[[Record, Any], bool]


@cache
def records(edition: str) -> list[Record]:
    """Return the records of one edition, from the pack that has them."""
    [file] = _GOLDENS.glob(f"packs/*/cases/{edition}.jsonl")
    return [json.loads(line) for line in file.read_text("utf-8").split("\n") if line.strip()]


@cache
def answers(edition: str) -> dict[str, dict[str, Any]]:
    """Return id -> answer, by a driver in a process of its own."""
    [file] = _GOLDENS.glob(f"packs/*/cases/{edition}.jsonl")
    shown = [{key: value for key, value in each.items() if key not in _HIDDEN} for each in records(edition)]
    lines = "".join(json.dumps(each) + "\n" for each in shown)
    command = [sys.executable, str(_GOLDENS / "drive.py"), str(file.parents[1])]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, encoding="utf-8", check=True)
    found = [json.loads(line) for line in done.stdout.split("\n") if line]
    return {each["id"]: each for each in found}


def as_recorded(record: Record, answer: Any) -> bool:
    """Whether an answer is what was recorded, byte for byte."""
    return bool(answer == record.get("expect"))


def wrong(edition: str, same: Same = as_recorded) -> list[str]:
    """Return the ids of the records that are not answered as recorded, sorted."""
    found = answers(edition)
    return sorted(each["id"] for each in records(edition) if not same(each, found[each["id"]]["answer"]))


def counts(edition: str, leave_out: frozenset[str] = frozenset()) -> dict[str, int]:
    """Return how many records each operation has, without those left out."""
    return dict(Counter(each["op"] for each in records(edition) if each["id"] not in leave_out))
