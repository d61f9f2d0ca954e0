"""Our reading of YAML as strictyaml reads it, against what strictyaml 1.7.3 returned for generated texts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from skilltool.emulation.strictyaml import load
from skilltool.text.frontmatter.nodes import YamlError

RECORDS = Path(__file__).parents[1] / "libraries" / "strictyaml-1.7.3.jsonl"
CASES = [json.loads(line) for line in RECORDS.read_text("utf-8").split("\n") if line]

# Not reproduced, as the module says. The library gives back the source of a document that is one scalar.
DIFFERENT = {"# c", "|\n  a\n", "'x\ty'", "d: \u2028a", "d: \u2028a\nn: x"}


@pytest.mark.together
@pytest.mark.parametrize("case", CASES, ids=lambda case: repr(case["text"])[:40])
def test_what_is_read_and_what_is_refused(case: dict[str, Any]) -> None:
    found: dict[str, Any]
    try:
        found = {"data": load(case["text"])}
    except YamlError:
        found = {"error": True}
    wanted = {"error": True} if "error" in case else {"data": case["data"]}
    assert (found == wanted) == (case["text"] not in DIFFERENT)


@pytest.mark.parametrize(
    ("text", "at", "problem"),
    [
        ("a: b\nc: d\te", 9, "found character '\\t' that cannot start any token"),
        ("a:\n  b: c\nd:\n    e: f", 17, "Found mapping with indentation inconsistent with previous mapping"),
        ("a: b\nc: d\na: e", 10, "Duplicate key 'a' found"),
        ("a: b\n<<: x", 9, "expected a mapping or list of mappings for merging"),
        ("a: b\nc: &d e", 8, "Found confusing disallowed anchor token"),
        ("a: b\nc: !d e", 8, "Found disallowed tag tokens"),
        ("a: b\nc: [d]", 8, "Found ugly disallowed JSONesque flow mapping"),
        ("a: b\n? [c]\n: d", 7, "Found a key that is not text"),
    ],
)
def test_where_the_library_stops_and_why(text: str, at: int, problem: str) -> None:
    with pytest.raises(YamlError) as caught:
        load(text)
    assert caught.value.problem.startswith(problem)
    assert caught.value.start == at
