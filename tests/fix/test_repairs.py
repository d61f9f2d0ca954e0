"""Frontmatter that is no YAML is repaired where it can only have meant one thing.

Each line of `tests/fix/frontmatter.jsonl` is a text that is no YAML, what a repair makes of it (null: it
has several readings, or none), and whether the repair is safe.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltool.diagnostic import applied
from skilltool.frontmatter.quoting import quoted, quoted_if_needed
from skilltool.frontmatter.scalars import core_value, yaml11_value
from skilltool.rules.yaml_repairs import glued_fence, repair
from tests.fix.texts import skill_of

LINES = (Path(__file__).parent / "frontmatter.jsonl").read_text("utf-8").split("\n")

REPAIRS = [json.loads(line) for line in LINES if line]


@pytest.mark.parametrize("case", REPAIRS, ids=lambda case: repr(case["before"][4:44]))
def test_frontmatter_that_is_no_yaml_is_repaired_where_it_has_one_reading(case: dict[str, object]) -> None:
    before = str(case["before"])
    found = repair(skill_of(before))
    mended = found.fix if found else glued_fence(skill_of(before)) if "---#" in before else None
    if case["after"] is None:
        assert mended is None
        return
    assert mended is not None
    assert (applied(before, mended.edits), mended.safe) == (case["after"], case["safe"])
    assert repair(skill_of(str(case["after"]))) is None


@given(st.text())
def test_quoted_text_is_read_as_that_text(text: str) -> None:
    text = text.encode("utf-8", "replace").decode()
    assert skill_of(f"---\na: {quoted(text)}\n---\n").frontmatter.data == {"a": text}
    written = quoted_if_needed(text)
    if written == text:
        assert core_value(text) == yaml11_value(text) == text
