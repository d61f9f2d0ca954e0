"""Keys of over 1,024 characters, which libyaml refuses: as js-yaml 3 and 4, yaml 2.9.0 and Bun read them."""

from __future__ import annotations

from typing import Any

import pytest

from skilltool import runtimes
from skilltool.emulation import bun_yaml, js_yaml, npm_yaml

KEY = "k" * 1030
WORDS = "k " + "x " * 515 + "x"
BLOCKS = {
    f"{KEY}: v\n": {KEY: "v"},
    f'"{KEY}": v\n': {KEY: "v"},
    f"'{KEY}' : v\n": {KEY: "v"},
    f"{WORDS}: v\n": {WORDS: "v"},
    f"- {KEY}: v\n  b: c\n": [{KEY: "v", "b": "c"}],
    f"a: b\n{KEY}:\n  c: d\ne: f\n": {"a": "b", KEY: {"c": "d"}, "e": "f"},
}
BRACES = {
    f"m: {{{KEY}: v, b: c}}\n": {"m": {KEY: "v", "b": "c"}},
    f'm: {{a: b, "{KEY}": v}}\n': {"m": {"a": "b", KEY: "v"}},
}


@pytest.mark.parametrize(("text", "data"), {**BLOCKS, **BRACES}.items(), ids=range(8))
def test_js_yaml_reads_them(text: str, data: Any) -> None:
    assert js_yaml.load(text, 4) == js_yaml.load(text, 3) == data


@pytest.mark.parametrize(("text", "data"), BLOCKS.items(), ids=range(6))
def test_bun_reads_them(text: str, data: Any) -> None:
    assert bun_yaml.load(text) == data


@pytest.mark.parametrize(("text", "data"), BRACES.items(), ids=range(2))
def test_npm_yaml_reads_them_in_braces(text: str, data: Any) -> None:
    assert npm_yaml.load(text) == data


@pytest.mark.parametrize("text", BLOCKS, ids=range(6))
def test_npm_yaml_refuses_them_elsewhere(text: str) -> None:
    with pytest.raises(npm_yaml.NotParsedError):
        npm_yaml.load(text)


@pytest.mark.parametrize(("name", "loads"), [("claude-code", True), ("opencode", True), ("pi", False)])
def test_a_skill_with_such_a_field_loads_or_not(name: str, loads: bool) -> None:
    """As Claude Code 2.1.330 and opencode 1.18.33 listed one."""
    parse = runtimes.get(name).parse
    assert parse is not None
    raw = f"---\nname: a\ndescription: d\n{KEY}: v\n---\nBody.\n".encode()
    if loads:
        assert parse(raw, "a").description == "d"
        return
    with pytest.raises(Exception, match="could not find expected"):
        parse(raw, "a")


def test_many_blanks_are_looked_at_once() -> None:
    for text in (f"k{' ' * 500_000}\n", "k: v\n" + "{, " * 200_000, f"{{{'k' * 500_000}\n"):
        with pytest.raises(js_yaml.JsYamlError):
            js_yaml.load(f"a: [\n{text}", 4)
