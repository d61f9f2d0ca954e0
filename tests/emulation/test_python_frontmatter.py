"""What python-frontmatter and libyaml make of a text: the same as the installed packages."""

from __future__ import annotations

import io
from typing import Any

import frontmatter
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from skilltool.emulation import python_frontmatter, pyyaml
from skilltool.emulation.pyyaml import PyYamlError
from skilltool.text.frontmatter.nodes import BoundError
from tests.conftest import examples

LINES = st.sampled_from(
    [
        *("---", "--- ", "----", "--", "  ---", "{", "}", "+++", "...", "\ufeff", "", "   ", "text"),
        *("name: a", "name: [", "a: &x 1", "b: *x", "b: *y", "- c", "d: !x e", "f: 'g", "\tname: x", "1: 2"),
        *('"h": 1', '"i": [1', "content: x", "name: a: b", "name: @x", "date: 2024-13-01", "\x07", "k: |"),
    ]
)
TEXTS = st.lists(LINES, max_size=8).map("\n".join)


def theirs(text: str) -> Any:
    try:
        found = frontmatter.load(io.StringIO(text))
    except Exception as error:
        return type(error).__name__, str(error)
    return repr((found.metadata, found.content))


def ours(text: str) -> Any:
    try:
        found = python_frontmatter.read(text)
    except PyYamlError as error:
        return error.kind, error.text
    except Exception as error:
        return type(error).__name__, str(error)
    return repr((found.fields, found.body))


@settings(max_examples=examples(300))
@given(TEXTS)
def test_a_document_is_taken_apart_as_the_package_does(text: str) -> None:
    assert ours(text) == theirs(text)


@pytest.mark.skipif(not hasattr(yaml, "CSafeLoader"), reason="PyYAML was built without libyaml")
@settings(max_examples=examples(300))
@given(TEXTS)
def test_yaml_is_read_as_libyaml_does(text: str) -> None:
    try:
        expected: Any = repr(yaml.load(text, yaml.CSafeLoader))
    except Exception as error:
        expected = str(error)
    try:
        found: Any = repr(pyyaml.c_safe_load(text))
    except PyYamlError as error:
        found = error.text
    assert found == expected


@pytest.mark.parametrize(
    "text",
    [
        "a: " + "[" * 100_000,
        "a: [" + "x, " * 20_000 + "]",
        "".join(
            f"a{n}: &a{n} [{'*a' + str(n - 1) + ',' if n else 'x,'} {'*a' + str(n - 1) if n else 'x'}]\n"
            for n in range(40)
        ),
    ],
)
def test_bounds(text: str) -> None:
    with pytest.raises(BoundError):
        pyyaml.c_safe_load(text)
