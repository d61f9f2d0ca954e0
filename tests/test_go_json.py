"""JSON as Go reads it into kodelet's arguments, against Go 1.19 itself: `tests/libraries/go-json-*.jsonl`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from skilltool.runtimes.kodelet.call import skill_name
from skilltool.runtimes.shared.go_json import GoJsonError

TABLE = Path(__file__).parent / "libraries" / "go-json-1.19.jsonl"
CASES = [json.loads(line) for line in TABLE.read_text("utf-8").split("\n") if line]


@pytest.mark.parametrize("case", CASES, ids=lambda case: repr(case["text"])[:40])
def test_an_argument_text_is_read_or_refused_in_go_s_words(case: dict[str, Any]) -> None:
    try:
        answer = {"name": skill_name(case["text"])}
    except GoJsonError as error:
        answer = {"error": str(error)}
    assert answer == {key: case[key] for key in ("name", "error") if key in case}
