"""What Python suggests for an unknown keyword argument, against what CPython 3.13.0 suggested."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from skilltool.emulation.python_call_errors import suggestion

RECORDS = Path(__file__).parents[1] / "libraries" / "cpython-suggestions-3.13.0.jsonl"
CASES = [json.loads(line) for line in RECORDS.read_text("utf-8").splitlines()]


@pytest.mark.together
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['name'][:12]}-{case['candidates'][0][:12]}")
def test_the_suggestion_is_python_s(case: dict[str, Any]) -> None:
    assert suggestion(case["name"], case["candidates"]) == case["suggestion"]
