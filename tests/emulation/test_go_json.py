"""JSON as Go reads it into kodelet's arguments, against Go 1.19 itself: `tests/libraries/go-json-*.jsonl`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from skilltool import runtimes
from skilltool.emulation.go_json import GoJsonError
from skilltool.runtimes.kodelet import skill_name

TABLE = Path(__file__).parents[1] / "libraries" / "go-json-1.19.jsonl"
CASES = [json.loads(line) for line in TABLE.read_text("utf-8").split("\n") if line]


@pytest.mark.together
@pytest.mark.parametrize("case", CASES, ids=lambda case: repr(case["text"])[:40])
def test_an_argument_text_is_read_or_refused_in_go_s_words(case: dict[str, Any]) -> None:
    try:
        answer = {"name": skill_name(case["text"])}
    except GoJsonError as error:
        answer = {"error": str(error)}
    assert answer == {key: case[key] for key in ("name", "error") if key in case}


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}")])
def test_the_bound_of_nesting_is_go_s_own(opening: str, closing: str) -> None:
    """`scanner.go`: `maxNestingDepth = 10000`, counted with the outermost object."""

    def nested(levels: int) -> str:
        return f'{{"skill_name": "pdf", "x": {opening * levels}1{closing * levels}}}'

    assert skill_name(nested(9999)) == "pdf"
    with pytest.raises(GoJsonError) as error:
        skill_name(nested(10_000))
    assert str(error.value) == f"invalid character '{opening[0]}' exceeded max depth"


def test_numbers_below_many_levels_are_looked_at(tmp_path: Path) -> None:
    session = runtimes.get("nfa@2026-04").open(tmp_path, tmp_path)
    deep = '{"x": ' + "[" * 5000 + "{}" + "]" * 5000 + "}"
    answer = session.call(deep.replace("{}", "1"))
    assert answer.text is not None
    assert "name is required" in answer.text
    ended = session.call(deep.replace("{}", "1e999"))
    assert "cannot unmarshal number 1e999" in str(ended.flow_error)
