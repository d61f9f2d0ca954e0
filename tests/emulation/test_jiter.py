"""JSON as pydantic reads it: the messages for what is not JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltool.emulation.jiter import JsonError, loads

JSON_TEXTS = Path(__file__).parents[1] / "libraries" / "jiter-2.14.jsonl"


@pytest.mark.together
@pytest.mark.parametrize("line", JSON_TEXTS.read_text("utf-8").splitlines())
def test_json_is_read_as_pydantic_reads_it(line: str) -> None:
    row = json.loads(line)
    if "error" in row:
        with pytest.raises(JsonError) as caught:
            loads(row["text"] or "{}")
        assert f"Invalid JSON: {caught.value}" == row["error"]
    else:
        loads(row["text"] or "{}")


@given(st.text(alphabet='{}[]":,\\u0dDe1.-+ntrue\n é', max_size=30))
def test_any_text_is_json_or_an_error(text: str) -> None:
    try:
        loads(text)
    except JsonError:
        return
    json.loads(text)


def test_numbers_of_any_length_and_depth_are_read() -> None:
    assert loads("1" * 5_000) == float("inf")
    with pytest.raises(JsonError, match="recursion limit exceeded at line 1 column 202"):
        loads("[" * 100_000)
