"""Our reading of YAML as Bun reads it, against what Bun 1.4.5 returned for generated texts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skilltool.emulation.bun_yaml import BunYamlError, load, simple_mapping
from tests.conftest import examples

LIBRARIES = Path(__file__).parents[1] / "libraries"
CASES = [json.loads(line) for line in (LIBRARIES / "bun-yaml-1.4.5.jsonl").read_text("utf-8").splitlines()]

# Which of the two refuses is not reproduced: a tag or an anchor in odd places, a second document.
DIFFERENT = {
    "a: |#c\n  x",
    "name: desc-tag\ndescription: !:!st\n  42\n",
    "...",
    "a: b\n...\nc: d",
    "&name: yaml-unknown-keys\ndescription: Keys nobody knows.\nflavour: mint\ntriggers~: [x]\n",
}

# Both refuse these, with messages of their own: Bun stops elsewhere.
OTHER_MESSAGES = {
    "d: !!str,",
    "d: !thin%g x",
    "d: ![x",
    "d: *",
    "d: &",
    "'a':b",
    '"a":b',
    "a: b\n'x\ny",
    "\n*a\n b",
    "name: named-odd\ndescription: Takes arguments.\n"
    'arguments: ["1", "my-arg", "a b", "x_y", "ARG\nUMENTS"]\n',
    '"name": key-quoted\n"descr\n\niption": Quoted keys.\n',
    "na\n- me: file-nul\ndescription: A NUL here \x00 in it\n",
    "name: mend-pipe-text\ndescription: Fine.\n: | a\n",
}


def read(text: str) -> dict[str, Any]:
    try:
        return {"data": load(text)}
    except BunYamlError as error:
        return {"error": str(error)}


def plain(value: Any) -> Any:
    """Numbers as JavaScript has them: one kind, and a word for what JSON lacks."""
    if isinstance(value, dict):
        return "number" if "$num" in value else {key: plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value) if abs(value) < 1e300 else "number"
    return value


@pytest.mark.slow
@pytest.mark.together
@pytest.mark.parametrize("case", CASES, ids=range(len(CASES)))
def test_what_is_read_and_what_is_refused(case: dict[str, Any]) -> None:
    found = read(case["text"])
    same = ("error" in found) == ("error" in case) and plain(found.get("data")) == plain(case.get("data"))
    assert same == (case["text"] not in DIFFERENT)


def test_the_messages_are_buns() -> None:
    refused = [case for case in CASES if "error" in case and case["text"] not in DIFFERENT]
    other = {case["text"] for case in refused if read(case["text"])["error"] != case["error"]}
    assert other == OTHER_MESSAGES


def test_the_fast_reading_is_buns() -> None:
    simple = [(case, simple_mapping(case["text"])) for case in CASES]
    read_fast = [(case, data) for case, data in simple if data is not None]
    assert len(read_fast) > 200
    assert [case["text"] for case, data in read_fast if plain(data) != plain(case.get("data"))] == []


def test_the_fast_reading_takes_what_most_people_write() -> None:
    assert simple_mapping("name: pdf\ndescription: Fills in forms, e.g. X-1 (all).\nlicense: 'MIT'\n") == {
        "name": "pdf",
        "description": "Fills in forms, e.g. X-1 (all).",
        "license": "MIT",
    }


LINES = st.sampled_from(
    [
        "name: pdf",
        "license: 'MIT'",
        "metadata:",
        "  a: 1",
        "  b:",
        "  c: 'x y'",
        "    d: 2",
        " e: 3",
        "empty:",
        "name: 2",
    ]
)


@settings(max_examples=examples(300))
@given(lines=st.lists(LINES, min_size=1, max_size=6))
def test_the_fast_reading_is_that_of_the_parser(lines: list[str]) -> None:
    text = "\n".join(lines) + "\n"
    fast = simple_mapping(text)
    assert fast is None or plain(fast) == plain(load(f"{text}#\n"))  # a comment is never read fast


def test_the_fast_reading_takes_one_level_of_nesting() -> None:
    text = "name: pdf\nmetadata:\n  author: us\n  version: '1.0'\nempty:\n"
    metadata = {"author": "us", "version": "1.0"}
    assert simple_mapping(text) == {"name": "pdf", "metadata": metadata, "empty": None}
    assert simple_mapping("name: pdf\n  more\n") is None
    assert simple_mapping("name: pdf\n  a: b\n") is None
    assert simple_mapping("a:\n  b:\n    c: d\n") is None
