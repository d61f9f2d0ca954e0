"""Frontmatter that is no YAML is repaired where it can only have meant one thing.

Each line of `tests/fix/frontmatter.jsonl` is a text that is no YAML, what a repair makes of it (null: it
has several readings, or none), and whether the repair is safe.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltool import runtimes
from skilltool.findings.finding import applied
from skilltool.rules import RULES
from skilltool.rules.shared.yaml_repairs import fix_yaml, split_glued_marker
from skilltool.text.frontmatter.scalars import core_value, quoted, quoted_if_needed, yaml11_value
from tests.fix.texts import skill_of

LINES = (Path(__file__).parent / "frontmatter.jsonl").read_text("utf-8").split("\n")

REPAIRS = [json.loads(line) for line in LINES if line]


@pytest.mark.slow
@pytest.mark.together
@pytest.mark.parametrize("case", REPAIRS, ids=lambda case: repr(case["before"][4:44]))
def test_frontmatter_that_is_no_yaml_is_repaired_where_it_has_one_reading(case: dict[str, object]) -> None:
    before = str(case["before"])
    found = fix_yaml(skill_of(before))
    mended = found.fix if found else split_glued_marker(skill_of(before)) if "---#" in before else None
    if case["after"] is None:
        assert mended is None
        return
    assert mended is not None
    assert (applied(before, mended.edits), mended.safe) == (case["after"], case["safe"])
    assert fix_yaml(skill_of(str(case["after"]))) is None


@given(st.text())
def test_quoted_text_is_read_as_that_text(text: str) -> None:
    text = text.encode("utf-8", "replace").decode()
    assert skill_of(f"---\na: {quoted(text)}\n---\n").frontmatter.data == {"a": text}
    written = quoted_if_needed(text)
    if written == text:
        assert core_value(text) == yaml11_value(text) == text


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("description: Use this: that # tag", ["Use this: that # tag", "Use this: that"]),
        ('description: "C:\\new\\dir"', ["C:\\new\\dir", "C:\new\\dir"]),
        ("description: one: two\n  three: four", ["one: two three: four", "one: two / four"]),
        ("description: one\n  two: three", ["one two: three", "one / three"]),
        ('description: "one two', ["one two", '"one two']),
        ('description: "one\n  two', ["one", "one two", '"one two']),
        ("tools: [a, b", [["a", "b"], "[a, b"]),
        ('description: "a", "b"', ["a, b", '"a", "b"']),
    ],
)
def test_where_a_line_has_several_readings_they_are_listed(field: str, values: list[object]) -> None:
    skill = skill_of(f"---\nname: a\n{field}\n---\n")
    (finding,) = RULES["invalid-yaml"].check(skill, runtimes.get("portable"))
    assert finding.fix is None
    assert finding.help
    shown = [json.dumps(value, ensure_ascii=False).replace(" / ", '" / "') for value in values]
    assert re.findall(r"reads as `(.*?)`(?:, |$)", finding.help.partition("ambiguous: ")[2]) == shown


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "words"),
    [
        (5, '`k0: "a: b"`, `k1: "a: b"`, `k2: "a: b"`, `k3: "a: b"`, `k4: "a: b"`'),
        (60, "and 55 more lines"),
        (250, "too many lines are invalid"),
    ],
)
def test_many_broken_lines_are_mended_up_to_a_bound_that_is_said(number: int, words: str) -> None:
    text = "---\n" + "".join(f"k{line}: a: b\n" for line in range(number)) + "---\n"
    (finding,) = RULES["invalid-yaml"].check(skill_of(text), runtimes.get("portable"))
    assert finding.help
    assert finding.help.endswith(words)
    assert (finding.fix is None) == (number == 250)


@given(st.text(alphabet="ab:\"'#[]{}\\|> \n-&*,", max_size=30))
def test_readings_are_never_a_failure_and_no_reading_is_the_same_twice(text: str) -> None:
    skill = skill_of(f"---\nname: a\nx: {text}\n---\n")
    for finding in RULES["invalid-yaml"].check(skill, runtimes.get("portable")):
        listed = re.findall(r"reads as `(.*?)`(?:, |$)", (finding.help or "").partition("ambiguous: ")[2])
        assert len(set(listed)) == len(listed) or any("…" in each for each in listed)
        assert not (listed and finding.fix)
