"""The schemas are valid, documented and strict, and violations have spans."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from skilltool.skill import schema
from skilltool.text.frontmatter import read
from skilltool.text.source import Source
from tests.conftest import examples


def subschemas(node: Any, path: str = "#") -> list[tuple[str, dict[str, Any]]]:
    found = [(path, node)] if isinstance(node, dict) else []
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in items:
        if key not in {"examples", "default", "enum", "const"}:
            found += subschemas(value, f"{path}/{key}")
    return found


@pytest.mark.slow
@pytest.mark.together
@pytest.mark.parametrize("name", schema.names())
def test_a_schema_is_valid_and_says_what_each_property_means(name: str) -> None:
    Draft202012Validator.check_schema(schema.load(name))
    for path, node in subschemas(schema.load(name)):
        properties = node.get("properties", {})
        if path.endswith("/properties"):
            continue
        for key, value in properties.items():
            assert value.get("title"), f"{path} {key}"
            assert value.get("description"), f"{path} {key}"


@pytest.mark.together
@pytest.mark.parametrize("name", schema.names())
def test_a_pattern_with_an_end_does_not_let_a_line_end_through(name: str) -> None:
    for path, node in subschemas(schema.load(name)):
        pattern = node.get("pattern")
        if isinstance(pattern, str) and "$" in pattern.replace("_$", "").replace("$]", ""):
            assert pattern.endswith("$(?!\\n)"), path


def violations(block: str, name: str = "skill") -> list[tuple[str, str, str]]:
    """Return the keyword and path of each violation, and the source at its span."""
    source = Source.decode(f"---\n{block}---\n".encode())
    found = schema.violations(read(source), name)
    return [(v.keyword, ".".join(map(str, v.path)), source[v.span]) for v in found]


TEXTS = st.sampled_from(
    ("", " ", "x", "a-b", "A", "a_b", "1.0.0", "x\n", "\u00e9", "x" * 64, "x" * 65, "x" * 501)
)
VALUES = st.one_of(
    TEXTS,
    st.none(),
    st.booleans(),
    st.integers(),
    st.lists(TEXTS, max_size=2),
    st.dictionaries(TEXTS, TEXTS | st.integers(), max_size=2),
)
# Schemas of what commands read and print, which are of no frontmatter.
OUTPUTS = {"config", "report", "resolve", "render", "cost"}
FIELDS = st.sampled_from(sorted({key for name in schema.names() for key in schema.load(name)["properties"]}))
DATA = st.dictionaries(FIELDS | TEXTS, VALUES, max_size=4)
REQUIRED = st.fixed_dictionaries({"name": TEXTS, "description": TEXTS})


@pytest.mark.slow
@pytest.mark.together
@pytest.mark.parametrize("name", [name for name in schema.names() if name not in OUTPUTS])
@settings(max_examples=examples(300))
@given(data=st.builds(lambda some, more: {**some, **more}, REQUIRED | st.just({}), DATA))
def test_what_is_surely_valid_is_valid_by_the_real_validator(name: str, data: dict[str, Any]) -> None:
    if schema.surely_valid(data, name):
        Draft202012Validator(schema.load(name)).validate(data)


@pytest.mark.slow
@pytest.mark.together
@pytest.mark.parametrize("name", [name for name in schema.names() if name not in OUTPUTS])
@settings(max_examples=examples(300))
@given(data=st.builds(lambda some, more: {**some, **more}, REQUIRED | st.just({}), DATA))
def test_violations_are_those_of_the_real_validator(name: str, data: dict[str, Any]) -> None:
    block = "".join(f"{json.dumps(key)}: {json.dumps(value)}\n" for key, value in data.items())
    frontmatter = read(Source(f"---\n{block}---\n"))
    assert frontmatter.data is not None or not data
    assert schema.violations(frontmatter, name) == schema.violations_by_validator(frontmatter, name)


def test_a_float_without_a_fraction_is_an_integer() -> None:
    for value in (1.0, 1.5, 1, True, None, "1"):
        for kinds in ("integer", "number", ["integer", "null"], "boolean"):
            expected = Draft202012Validator({"type": kinds}).is_valid(value)
            assert schema.is_of_type(value, kinds) == expected, (value, kinds)


def test_the_most_common_frontmatter_is_surely_valid() -> None:
    data: dict[str, Any] = {"name": "pdf-tools", "description": "Fills in forms.", "license": "MIT"}
    assert schema.surely_valid(data, "skill")
    assert schema.surely_valid({**data, "metadata": {"author": "x"}}, "skill")
    assert schema.surely_valid({**data, "metadata": {"internal": True, "app": {"a": [1]}}}, "skill")
    assert not schema.surely_valid({**data, "metadata": {"internal": True}}, "agent-harness")
    assert not schema.surely_valid({**data, "metadata": "text"}, "skill")
    assert not schema.surely_valid({**data, "tags": ["a"]}, "skill")


GOOD = "name: x\ndescription: y\n"


@pytest.mark.together
@pytest.mark.parametrize(
    ("block", "expected"),
    [
        (GOOD, []),
        ("license: MIT\n", [("required", "name", "---"), ("required", "description", "---")]),
        (GOOD + "licence: MIT\n", [("additionalProperties", "licence", "licence")]),
        (GOOD + "triggers:\n  words: [a]\n", [("additionalProperties", "triggers.words", "words")]),
        (GOOD + "version: 1.0\n", [("type", "version", "1.0")]),
        (GOOD + "metadata:\n  n: 1\n  deep: {on: true}\n", []),
        (GOOD + "metadata: 1\n", [("type", "metadata", "1")]),
        (GOOD + "toolsets: [a, 'b:C']\n", [("pattern", "toolsets.0", "a")]),
        ("name: A_b\ndescription: y\n", [("pattern", "name", "A_b")]),
        (f"name: {'x' * 65}\ndescription: y\n", [("maxLength", "name", "x" * 65)]),
        (
            "name: x\ndescription: ''\n",
            [("minLength", "description", "''"), ("pattern", "description", "''")],
        ),
        (f"name: x\ndescription: {'é' * 501}\n", [("maxLength", "description", "é" * 501)]),
        (f"name: x\ndescription: {'é' * 500}\n", []),
    ],
)
def test_a_violation_names_its_keyword_and_its_place(
    block: str, expected: list[tuple[str, str, str]]
) -> None:
    assert sorted(violations(block)) == sorted(expected)


def test_violations_are_in_the_order_of_the_file_and_duplicate_keys_at_the_last() -> None:
    block = (
        "version: 1.0\nname: A\nlicence: MIT\ntriggers: {verbs: 2, keywords: 1}\nname: B\ndescription: y\n"
    )
    assert violations(block) == [
        ("type", "version", "1.0"),
        ("additionalProperties", "licence", "licence"),
        ("type", "triggers.verbs", "2"),
        ("type", "triggers.keywords", "1"),
        ("pattern", "name", "B"),
    ]


def test_the_same_path_of_two_files_has_the_place_of_each() -> None:
    assert violations("x: 1\n" + GOOD) == violations(GOOD + "x: 1\n") == [("additionalProperties", "x", "x")]


def test_the_open_specification_allows_longer_descriptions_and_other_letters() -> None:
    assert violations(f"name: café-技能\ndescription: {'x' * 1024}\n", "agentskills") == []
    assert [v[0] for v in violations(f"name: x\ndescription: {'x' * 1025}\n", "agentskills")] == ["maxLength"]


@pytest.mark.together
@pytest.mark.parametrize("name", schema.names())
def test_the_id_of_a_schema_claims_no_domain(name: str) -> None:
    assert schema.load(name)["$id"] == f"urn:skilltool:schema:{name}:1"


def test_unread_frontmatter_breaks_nothing() -> None:
    assert violations("a: b: c\n") == []
