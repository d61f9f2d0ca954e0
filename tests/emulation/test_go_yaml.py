"""Go's YAML libraries as runtimes use them, against their answers: `tests/libraries/yaml-go-*.jsonl`.

One file has texts of any kind, the other texts with directives.

Each line is a generated text with the answer of yaml.v3 (into two string fields) and of yaml.v2 (the string
values of a map; of an error only that there is one).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from skilltool.emulation import go_yaml_v2, go_yaml_v3
from skilltool.emulation.go_yaml import compose
from skilltool.text.frontmatter.nodes import YamlError

TABLES = sorted((Path(__file__).parents[1] / "libraries").glob("yaml-go-*.jsonl"))
CASES = [json.loads(line) for table in TABLES for line in table.read_text("utf-8").split("\n") if line]


@pytest.mark.together
@pytest.mark.parametrize("case", CASES, ids=lambda case: repr(case["text"])[:40])
def test_a_text_is_read_or_refused_as_by_both_libraries(case: dict[str, Any]) -> None:
    try:
        found = go_yaml_v3.strings(case["text"], ("name", "description"), "main.S")
        answer: dict[str, Any] = {"data": [found.get("name", ""), found.get("description", "")]}
    except ValueError as error:
        answer = {"error": str(error)}
    assert answer == case["v3"]
    try:
        answer = {"data": go_yaml_v2.strings(case["text"]) or {}}
    except YamlError:
        answer = {"error": True}
    assert answer == case["v2"]


def test_a_byte_order_mark_within_a_text_is_a_character_like_any_other() -> None:
    assert go_yaml_v3.strings("name: a\ufeffb\n", ("name",), "main.S") == {"name": "a\ufeffb"}
    assert go_yaml_v2.strings("name: a\ufeffb\n") == {"name": "a\ufeffb"}
    assert compose("# \ufeffx\n", reads_ahead=False) is None
