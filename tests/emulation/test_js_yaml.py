"""Our reading of YAML as js-yaml reads it, against what js-yaml 4.1.1 and 3.15.2 returned."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterable
from math import isfinite
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skilltool.emulation.javascript import Foreign
from skilltool.emulation.js_yaml import JsYamlError, load
from skilltool.text.frontmatter.nodes import BoundError
from tests.conftest import examples

FILE = Path(__file__).parents[1] / "libraries" / "js-yaml-4.1.1-3.15.2.jsonl"
CASES = [json.loads(line) for line in FILE.read_text("utf-8").split("\n") if line]
VERSIONS = (4, 3)

# What libyaml cannot be asked for: lists with nothing between two commas, `?` and `:` in brackets, tabs after
# a dash, and properties of a key or of nothing.
MOST_DIFFERENT = 17


def plain(value: Any, depth: int = 0) -> Any:
    """Data as the table has it: pairs for a mapping, and a word for what JSON does not have."""
    if depth > 20:
        return "deep"
    if isinstance(value, Foreign):
        return {"$": value.kind}
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, list):
        return [plain(item, depth + 1) for item in value]
    if isinstance(value, dict) and value.keys() == {"$num"}:
        return {"$num": ""}
    if isinstance(value, dict) and value.keys() == {"$o"}:
        return {"$o": [[key, plain(item, depth + 1)] for key, item in value["$o"]]}
    if isinstance(value, dict) and value.keys() == {"$"}:
        return value
    if isinstance(value, dict):
        return {"$o": [[key, plain(item, depth + 1)] for key, item in value.items()]}
    return float(value) if isfinite(value) else {"$num": ""}


def read(text: str, version: int) -> Any:
    try:
        return plain(load(text, version))
    except JsYamlError:
        return JsYamlError


def wanted(case: dict[str, Any], version: int) -> Any:
    found = case[str(version)]
    return JsYamlError if "error" in found else plain(found["data"])


def different(cases: Iterable[dict[str, Any]]) -> list[tuple[str, int]]:
    return [
        (case["text"], version)
        for case in cases
        for version in VERSIONS
        if read(case["text"], version) != wanted(case, version)
    ]


def test_what_is_read_and_what_is_refused() -> None:
    assert len(CASES) > 900
    assert len(different(CASES)) <= MOST_DIFFERENT


@pytest.mark.together
@pytest.mark.parametrize(
    ("value", "four", "three"),
    [
        ("017", 17, 15),
        ("0o17", 15, "0o17"),
        ("12:30", "12:30", 750),
        ("1_000", 1000, 1000),
        ("1_", "1_", "1_"),
        ("0b101", 5, 5),
        ("08", 8, "08"),
        ("yes", "yes", "yes"),
        ("True", True, True),
        ("tRue", "tRue", "tRue"),
        ("~", None, None),
        ("<<", "<<", "<<"),
        ("2026-02-03", Foreign, Foreign),
        ("2026-2-3", "2026-2-3", "2026-2-3"),
        ('!!int "12"', 12, 12),
        ("!!str 12", "12", "12"),
    ],
)
def test_scalars(value: str, four: Any, three: Any) -> None:
    for version, expected in ((4, four), (3, three)):
        found = load(f"a: {value}", version)["a"]
        assert isinstance(found, Foreign) if expected is Foreign else found == expected


@pytest.mark.together
@pytest.mark.parametrize(
    "text",
    [
        "a: 1\na: 2",
        "a: {b: 1, b: 2}",
        "1: a\n1.0: b",
        "a: !mine text",
        "a: *nobody",
        "a: b\0c",
        "a: b\x7fc",
        'a: "\x01"',
        "<<: text",
        "? [[a]]\n: b",
        "a: `x`",
        "a: [b\nc]",
        "a:\n|\n  b",
        "&a b: c\nd: e",
        "a: b: c",
    ],
)
def test_both_versions_refuse(text: str) -> None:
    assert [read(text, version) for version in VERSIONS] == [JsYamlError, JsYamlError]


def test_a_tab_indents_in_neither_but_version_3_goes_on() -> None:
    text = "name: x\nmetadata:\n\tkey: v\n"
    assert load(text, 3) == {"name": "x", "metadata": None, "key": "v"}
    assert read(text, 4) is JsYamlError


def test_version_3_begins_an_entry_in_the_line_of_a_quoted_value() -> None:
    text = 'description: "Runs" when: asked\n'
    assert load(text, 3) == {"description": "Runs", "when": "asked"}
    assert read(text, 4) is JsYamlError


def test_merged_keys_give_way() -> None:
    for version in VERSIONS:
        assert load("<<: {a: 1, b: 2}\na: 3", version) == {"a": 3, "b": 2}
        assert load("a: 3\n<<: [{a: 1}, {b: 2}, {b: 4}]", version) == {"a": 3, "b": 2}


def test_aliases_are_not_expanded() -> None:
    lines = ["a0: &a0 [x, x]", *(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 60))]
    found = load("\n".join(lines), 4)
    assert found["a59"][0] is found["a59"][1] is found["a58"]


def test_our_bounds_hold() -> None:
    with pytest.raises(BoundError):
        load("[" * 100 + "]" * 100, 4)


PIECES = st.sampled_from(
    [
        "name: pdf",
        "description: ",
        "'a'",
        '"b',
        "  more",
        "\n",
        ": ",
        " #",
        "- ",
        "[a, b]",
        "{c: d}",
        "|\n  x",
        "\t",
        "&a ",
        "*a",
        "!!str ",
        "é",
        "~",
        "12",
        "<<: ",
    ]
)


@settings(max_examples=examples(300))
@given(pieces=st.lists(PIECES, max_size=12))
def test_every_text_is_read_or_refused(pieces: list[str]) -> None:
    for version in VERSIONS:
        read("".join(pieces), version)


def installed() -> bool:
    """Whether node finds both versions: js-yaml 4, and gray-matter with js-yaml 3."""
    node = shutil.which("node")
    asked = "require('js-yaml').load; require('gray-matter')"
    return node is not None and subprocess.run([node, "-e", asked], capture_output=True).returncode == 0


@pytest.mark.skipif(not installed(), reason="js-yaml is not installed")
def test_the_table_is_what_the_library_returns() -> None:
    program = """
const yaml = require("js-yaml"), lines = require("fs").readFileSync(0, "utf8").split("\\n").filter(Boolean);
for (const line of lines) { let ok = true; try { yaml.load(JSON.parse(line)); } catch { ok = false; }
  console.log(ok); }
"""
    given_lines = "".join(json.dumps(case["text"]) + "\n" for case in CASES)
    done = subprocess.run(
        ["node", "-e", program], input=given_lines, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == [str("data" in case["4"]).lower() for case in CASES]
