"""Arguments of tool calls that are no JSON, against the answers of the npm package `jsonrepair`."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltool.emulation.json_repair import load

LIBRARY = Path(__file__).parents[1] / "libraries" / "jsonrepair-3.13.0.jsonl"


def answers() -> list[dict[str, Any]]:
    return [json.loads(line) for line in LIBRARY.read_text("utf-8").split("\n") if line]


@pytest.mark.together
@pytest.mark.parametrize("answer", answers(), ids=lambda answer: repr(answer["text"])[:40])
def test_json_is_repaired_or_refused_as_by_the_library(answer: dict[str, Any]) -> None:
    if "data" in answer:
        assert load(answer["text"]) == answer["data"]
        return
    with pytest.raises(ValueError, match=r"\w"):
        load(answer["text"])


@given(st.text(st.sampled_from("{}[]\"'`\\,: ab1-.\n/*“”u0"), max_size=40))
def test_any_text_is_repaired_or_refused(text: str) -> None:
    with suppress(ValueError):
        load(text)


@pytest.mark.slow
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda each: st.lists(each) | st.dictionaries(st.text(), each),
    )
)
def test_json_is_left_as_it_is(value: Any) -> None:
    assert load(json.dumps(value)) == value


def test_nesting_has_an_end() -> None:
    with pytest.raises(ValueError, match="nested too deeply"):
        load("[" * 100_000 + "x")
