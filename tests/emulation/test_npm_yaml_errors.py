"""The words of the npm package `yaml` for a text that it refuses, against what version 2.9.0 threw.

`tests/libraries/yaml-2.9.0-errors.jsonl` has generated texts, each with its error if there is one.
"""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skilltool.emulation.npm_yaml import NotParsedError, load
from skilltool.emulation.npm_yaml_errors import plain_end, words
from tests.conftest import examples

FILE = Path(__file__).parents[1] / "libraries" / "yaml-2.9.0-errors.jsonl"
CASES = [json.loads(line) for line in FILE.read_text("utf-8").split("\n") if line]
# Lists and brackets over several lines whose first error is another, or has no words here.
UNKNOWN = frozenset({153, 164, 178, 206, 235, 302, 307, 323, 327, 411})


@pytest.mark.together
@pytest.mark.parametrize("number", [n for n in range(len(CASES)) if n not in UNKNOWN])
def test_the_words_are_those_of_the_library(number: int) -> None:
    assert words(CASES[number]["text"]) == CASES[number].get("error")


@pytest.mark.parametrize("number", sorted(UNKNOWN))
def test_what_is_not_known_is_still_different(number: int) -> None:
    assert words(CASES[number]["text"]) != CASES[number]["error"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a: *.py", "Unresolved alias (the anchor must be set before the alias): .py"),
        ("a: *no-1-body", "Unresolved alias (the anchor must be set before the alias): no-1-body"),
        (
            "a: &a [x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a]\nc: [*b, *b, *b, *b, *b, *b, *b, *b]\n"
            "d: [*b, *b, *b, *b, *b]",
            "Excessive alias count indicates a resource exhaustion attack",
        ),
        (
            "a: b: c",
            "Nested mappings are not allowed in compact mappings at line 1, column 4:\n\na: b: c\n   ^\n",
        ),
        ('a: "x" - b', 'Unexpected seq-item-ind at node end at line 1, column 8:\n\na: "x" - b\n       ^\n'),
        ('a: "x" -b', 'Unexpected scalar at node end at line 1, column 8:\n\na: "x" -b\n       ^^\n'),
    ],
)
def test_a_refused_text_has_the_words(text: str, told: str) -> None:
    with pytest.raises(NotParsedError) as error:
        load(text)
    assert error.value.words == told


@settings(max_examples=examples(300))
@given(st.text(st.sampled_from("ab:- \n\t\"'#[]{},|>%@&*!?1.\r\\\ufeff\U0001f600"), max_size=60))
def test_any_text_has_words_or_none(text: str) -> None:
    assert words(text) != ""


@pytest.mark.parametrize("marker", ["---", "...", "--- "])
def test_what_is_said_of_several_documents_is_not_known(marker: str) -> None:
    assert words(f"a: 1\n{marker}\nb: c: d") is None
    assert words(f"a: 1\n  {marker}\nb: c: d") is not None  # no marker, since it is indented


def test_a_long_text_is_read_once() -> None:
    assert words("a: '" + "\n\n b" * 20_000) is not None
    assert words("- " * 20_000) is None


def installed() -> bool:
    """Whether node finds the library, in this version."""
    node = shutil.which("node")
    asked = "process.exit(require('yaml/package.json').version === '2.9.0' ? 0 : 1)"
    return node is not None and subprocess.run([node, "-e", asked], capture_output=True).returncode == 0


def generated(chance: random.Random) -> str:
    """Return frontmatter of lines that each could be what is wrong: keys and values of known cases, mixed."""
    lines = [line for case in chance.choices(CASES, k=2) for line in case["text"].split("\n")]
    return "\n".join(chance.sample(lines, min(len(lines), chance.randint(1, 5))))


@pytest.mark.skipif(not installed(), reason="yaml 2.9.0 is not installed")
def test_generated_texts_are_refused_in_the_words_of_the_library_itself() -> None:
    program = """
const yaml = require("yaml"), lines = require("fs").readFileSync(0, "utf8").split("\\n").filter(Boolean);
for (const line of lines) { let told = null;
  try { yaml.parse(JSON.parse(line), {logLevel: "error"}); } catch (error) { told = error.message; }
  console.log(JSON.stringify(told)); }
"""
    chance = random.Random(20)
    texts = [case["text"] for case in CASES] + [generated(chance) for _ in range(600)]
    lines = "".join(json.dumps(text) + "\n" for text in texts)
    done = subprocess.run(["node", "-e", program], input=lines, capture_output=True, text=True, check=True)
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert told[: len(CASES)] == [case.get("error") for case in CASES]
    of_parser = [
        (text, error) for text, error in zip(texts, told, strict=True) if "Unresolved alias" not in str(error)
    ]
    different = [text for text, error in of_parser if words(text) != error]
    assert len(different) < len(of_parser) / 10


@pytest.mark.parametrize(
    "text",
    [
        "b: 1\nb: 2\n",
        "a:\n  b: 1\n  b: 2\n",
        "a:\n  c:\n    b: 1\n    b: 2\n",
        "x: 1\na: {b: 1, b: 2}\n",
        "- - b: 1\n    b: 2\n",
        "? {b: 1, b: 2}\n: x\n",
        "a:\n  1: x\n  1.0: y\n",
    ],
)
def test_the_same_key_twice_is_an_error_at_any_depth(text: str) -> None:
    with pytest.raises(NotParsedError, match="Map keys must be unique"):
        load(text)
    load(text.replace("b: 2", "B: 2").replace("1.0", "'1'"))


@pytest.mark.parametrize(
    ("text", "indent", "found"),
    [
        ("a", 0, (1, 1, False)),
        ("a\nb", 0, (3, 2, False)),
        ("a\nb", None, (1, 1, False)),
        ("a\n b", 1, (4, 2, False)),
        ("a\nb", 1, (1, 1, False)),
        ("a\n\n  b c \n", 1, (8, 2, False)),
        ("a\n#b", 0, (1, 1, False)),
        ("a #b\nc", 0, (1, 1, False)),
        ("a: b", 0, (1, 1, True)),
        ("a\nb: c", 0, (3, 2, True)),
    ],
)
def test_a_plain_scalar_goes_on_in_lines_that_are_indented(
    text: str, indent: int | None, found: tuple[int, int, bool]
) -> None:
    assert plain_end(text, 0, indent) == found
