"""The `---` block: any bytes can be read, and every key and value has its span."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from skilltool.text.frontmatter import Frontmatter, core_value, read, yaml11_value
from skilltool.text.source import Source
from tests.conftest import examples

BODY = "\n# Title\n"
KINDS = ("tag", "anchor", "anchor", "tag")


def parsed(block: str) -> tuple[Source, Frontmatter]:
    source = Source.decode(f"---\n{block}---\n{BODY}".encode("utf-8", "surrogatepass"))
    return source, read(source)


def problems(block: str) -> list[tuple[str, str, str]]:
    """Return the kind and text of each problem, and the source at its span."""
    source, frontmatter = parsed(block)
    return [(problem.kind, problem.text, source[problem.span]) for problem in frontmatter.problems]


@pytest.mark.together
@pytest.mark.parametrize(
    ("block", "expected"),
    [
        ("a: 1\nb: 2\na: 3\n", [("duplicate-key", "a", "a")]),
        ("x:\n  a: 1\n  a: 2\n", [("duplicate-key", "a", "a")]),
        ("a: &n v\nb: *n\n", [("anchor", "&n", "&n"), ("alias", "*n", "*n")]),
        ("a: !!str 1\n", [("tag", "!!str", "!!str")]),
        ("a: !own 1\n", [("tag", "!own", "!own")]),
        ("a: !<tag:x,y> 1\n", [("tag", "!<tag:x,y>", "!<tag:x,y>")]),
        ("!t a: [!u, !v b]\n", [("tag", "!t", "!t"), ("tag", "!u", "!u"), ("tag", "!v", "!v")]),
        (
            "a: !t &n v\nb: &m !u v\n",
            [(k, t, t) for k, t in zip(KINDS, ("!t", "&n", "&m", "!u"), strict=True)],
        ),
        ("a: !t # &no\n  &n v\n", [("tag", "!t", "!t"), ("anchor", "&n", "&n")]),
        ("<<: x\n", [("merge-key", "<<", "<<")]),
        ("? [a]\n: b\n", [("odd-key", "a list", "[a]")]),
        ("? {a: !t b}\n: c\n", [("odd-key", "a mapping", "{a: !t b}"), ("tag", "!t", "!t")]),
        ("*a : b\n", [("odd-key", "an alias", "*a")]),
        ("- a\n- b\n", [("not-a-mapping", "a list", "- a\n- b")]),
        ("just text\n", [("not-a-mapping", "one value", "just text")]),
        ("a: b\n--- c\n", [("invalid", "a second YAML document begins", "-")]),
        ("\ufeffa: !t &n b: c\n", [("invalid", "mapping values are not allowed in this context", ":")]),
        ("a: b\n...\nc: d\n", [("invalid", "did not find expected <document start>", "c")]),
        ("a: x\x07y\x1bz\n", [("control-character", "\x07", "\x07"), ("control-character", "\x1b", "\x1b")]),
        ("a: b: c\n", [("invalid", "mapping values are not allowed in this context", ":")]),
        ('a: "never\nb: c\n', [("invalid", "found unexpected end of stream", '"')]),
    ],
)
def test_a_problem_has_its_kind_and_its_exact_place(block: str, expected: list[tuple[str, str, str]]) -> None:
    assert problems(block) == expected


@pytest.mark.parametrize(
    "block",
    ["a: " + "[" * 30_000, "a: " + "{" * 30_000, "- " * 10_000 + "x\n", "a: [" + "x," * 20_000 + "]\n"],
    ids=["lists", "mappings", "dashes", "wide"],
)
def test_what_is_too_deep_or_too_large_is_found_and_not_built(block: str) -> None:
    _source, frontmatter = parsed(f"{block}\n")
    assert [problem.kind for problem in frontmatter.problems] == ["out-of-bounds"]
    assert frontmatter.data is None


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        (f"a: {'[' * 63}{']' * 63}\n", []),
        (f"a: {'[' * 64}{']' * 64}\n", [("out-of-bounds", "nested more than 64 levels deep", "[")]),
        (f"a: [{'x,' * 9_997}]\n", []),
        (f"a: [{'x,' * 9_997}y]\n", [("out-of-bounds", "more than 10,000 nodes", "y")]),
    ],
)
def test_the_bounds_are_64_levels_and_10_000_nodes(block: str, expected: list[tuple[str, str, str]]) -> None:
    assert problems(block) == expected


def test_aliases_are_not_followed() -> None:
    lines = ["a0: &a0 [x, x]"] + [f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 40)]
    _source, frontmatter = parsed("\n".join(lines) + "\n")
    assert frontmatter.data is not None
    assert frontmatter.data["a39"] == ["*a38", "*a38"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_of_every_kind_separate_lines(end: str) -> None:
    source = Source.decode(f"---{end}name: x{end}---{end}body{end}".encode())
    frontmatter = read(source)
    assert frontmatter.data == {"name": "x"}
    assert source[frontmatter.span("name")] == "x"
    assert source[frontmatter.envelope.body] == f"body{end}"


def test_a_byte_order_mark_and_padding_are_accepted_and_recorded() -> None:
    source = Source.decode("\ufeff\n \n--- \nname: x\n---\t\nbody".encode())
    frontmatter = read(source)
    assert frontmatter.data == {"name": "x"}
    assert [source[span] for span in frontmatter.envelope.padding] == ["\n \n", " ", "\t"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", "missing"),
        ("# x\n---\n", "missing"),
        ("----\n", "missing"),
        ("--- x\n", "missing"),
        ("---\na: b\n", "unclosed"),
    ],
)
def test_text_without_both_markers_has_no_data(text: str, kind: str) -> None:
    frontmatter = read(Source.decode(text.encode()))
    assert [problem.kind for problem in frontmatter.problems] == [kind]
    assert frontmatter.data is None


def test_the_second_of_repeated_keys_knows_the_first_and_is_the_one_that_counts() -> None:
    source, frontmatter = parsed("a: 1\n'a': 2\n")
    (problem,) = frontmatter.problems
    assert problem.earlier is not None
    assert (source[problem.earlier], source[problem.span]) == ("a", "'a'")
    assert (frontmatter.data, source[frontmatter.span("a")]) == ({"a": 2}, "2")


@pytest.mark.together
@pytest.mark.parametrize(
    ("block", "path", "expected"),
    [
        ("a: [b: c , d: e ]\n", ("a", 0), "b: c"),
        ("a: [b: c , d: e ]\n", ("a",), "[b: c , d: e ]"),
        ("k:\n- a\n- b\nj: 1\n", ("k",), "- a\n- b"),
        ("k:\n  a: {}\n# end\n", ("k",), "a: {}"),
        ("a: x # y\n", ("a",), "x"),
        ("a: b\n  c\nd: e\n", ("a",), "b\n  c"),
        ("a: |\n  b\nc: d\n", ("a",), "|\n  b\n"),
        ("a:\nb: c\n", ("a",), ""),
        ("🚀: 日本 e\u0301\nb: [é, c]\n", ("b", 1), "c"),
        ("\ufeffa: b\n", ("a",), "b"),
        ("a: !t &n b\n", ("a",), "!t &n b"),
    ],
)
@pytest.mark.parametrize("reader", ["libyaml", "PyYAML alone"])
def test_a_value_has_its_exact_place(
    block: str, path: tuple[str | int, ...], expected: str, reader: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if reader != "libyaml":
        monkeypatch.delattr(yaml, "CSafeLoader", raising=False)
    source, frontmatter = parsed(block)
    assert source[frontmatter.span(*path)] == expected


def test_the_place_of_a_path_that_leads_nowhere_is_its_deepest_part() -> None:
    source, frontmatter = parsed("metadata:\n  author: x\n")
    assert source[frontmatter.span("metadata", "author", "more")] == "x"
    assert source[frontmatter.span("metadata", key=True)] == "metadata"
    assert source[frontmatter.span("nothing")] == "---"


@pytest.mark.slow
@settings(max_examples=examples(300))
@given(
    st.one_of(
        st.binary(max_size=120),
        st.text(max_size=120).map(lambda t: f"---\n{t}\n---\n".encode("utf-8", "replace")),
    )
)
def test_any_bytes_have_data_or_problems_with_places(raw: bytes) -> None:
    source = Source.decode(raw)
    frontmatter = read(source)
    assert frontmatter.data is not None or frontmatter.problems
    for problem in frontmatter.problems:
        assert 0 <= problem.span.start <= problem.span.end <= len(source.text)


def alike(text: str) -> bool:
    """Whether YAML 1.1, by which PyYAML quotes, and 1.2, by which we read, agree on plain text."""
    return isinstance(core_value(text), str) or not isinstance(yaml11_value(text), str)


TEXT = st.text(
    alphabet=st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zl", "Zp"]), max_size=12
).filter(alike)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-999, 999), st.floats(-9, 9), TEXT),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXT, inner, max_size=3)),
    max_leaves=8,
)


def paths(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[tuple[str | int, ...], Any]]:
    """Return every value in `value` but itself, with its path."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    found = []
    for key, inner in pairs:
        found += [((*path, key), inner), *paths(inner, (*path, key))]
    return found


@settings(max_examples=examples(150))
@given(
    data=st.dictionaries(TEXT, VALUES, min_size=1, max_size=4),
    flow=st.sampled_from([True, False, None]),
    style=st.sampled_from([None, '"', "'"]),
    end=st.sampled_from(["\n", "\r\n"]),
)
def test_the_span_of_every_key_and_value_is_exact(
    data: dict[str, Any], flow: bool | None, style: str | None, end: str
) -> None:
    styles = {"default_flow_style": flow, "default_style": style, "width": 40}
    block = yaml.safe_dump(data, allow_unicode=True, sort_keys=False, **styles)
    source = Source.decode(f"---{end}{block.replace(chr(10), end)}---{end}".encode())
    frontmatter = read(source)
    assert [problem.kind for problem in frontmatter.problems if problem.kind != "tag"] == []
    if style is None:  # otherwise numbers are quoted and tagged, and tags are not obeyed
        assert frontmatter.data == data
    for path, value in paths(data):
        span = frontmatter.span(*path)
        indent = " " * (source.position(span.start).column - 1)
        assert yaml.safe_load(indent + source[span]) == value
        if isinstance(path[-1], str):
            assert yaml.safe_load(source[frontmatter.span(*path, key=True)]) == path[-1]
    assert [path for path, _ in frontmatter.scalars] == [
        path for path, value in paths(data) if not isinstance(value, dict | list)
    ]
