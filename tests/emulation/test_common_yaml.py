"""YAML that is read by libyaml gives the data of PyYAML's own scanner, to the type of each value."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from skilltool.emulation.pyyaml import exact_load, is_common, safe_load
from skilltool.runtimes.agent.loading import split
from skilltool.text.frontmatter.nodes import BoundError

TESTS = Path(__file__).parents[1]
FIXTURES = [TESTS / "goldens" / "fixtures", TESTS / "goldens-public" / "fixtures"]
INDENTS = ["", "", "", "", " ", "  ", "  ", "    ", "- ", "  - ", "-   ", "- - "]
KEYS = ["", "name: ", "description:", "a-b:  ", "_x: ", "on: ", "null: ", "y: ", "k1:", f"{'k' * 100}: "]
VALUES = [
    *(
        "",
        "x",
        "x y",
        "a#b",
        "a #b",
        "a  # b",
        "a:b",
        "a: b",
        "a, b",
        "a]",
        "(a)",
        "a - b",
        "a -",
        "é",
        "日本",
    ),
    *(
        "yes",
        "no",
        "true",
        "null",
        "~",
        "1",
        "-1",
        "1.5",
        ".5",
        "1_000",
        "0o7",
        "07",
        "0x1f",
        "1e3",
        "1.5e+3",
    ),
    *(
        "12:30",
        "2026-01-02",
        "2026-13-45",
        "2026-01-02T03:04:05Z",
        ".inf",
        "+.nan",
        "..",
        "=",
        "<<",
        "=x",
        "<b>",
    ),
    *("'q'", "'it''s'", "'a' #c", "'a'#c", "'a' b", '"d"', '"a\\nb\\"c\\\\"', '"a\\tb"', '"a" # c', '"a" b'),
    *(
        "''",
        '""',
        "[]",
        "[ ]",
        "[a, b]",
        "[a,]",
        "[,a]",
        "['a', \"b\"]",
        "[Bash(git:*), Read]",
        "[a: b]",
        "[a:]",
    ),
    *(
        "[a] #c",
        "[a]#c",
        "[a] b",
        "[a b:c]",
        "[a :b]",
        "[- a]",
        "[a #b]",
        "[http://a.b/c]",
        "[['a']]",
        "{a: b}",
    ),
    *("[1, yes]", "|", ">", ">-", "|+", "| ", "|2", ">- # c", "*a", "&a b", "!t a", "@a", "`a`", "%a", "? a"),
    *(
        "- a",
        "-a",
        ":a",
        "^",
        "word " * 300,
        "a\tb",
        "a\xa0b",
        "a\x85b",
        "a\u2028b",
        "\ufeffa",
        "a\\b",
        "a\x00",
    ),
    *("a\x7f", "a\r", "\U0001f600"),
]
LINES = st.one_of(
    st.builds("".join, st.tuples(*map(st.sampled_from, (INDENTS, KEYS, VALUES)))),
    st.sampled_from(
        ["", "", " ", "# c", "  # c", "---", "...", "    text: of #a [block", "      deeper", "  -"]
    ),
)
TEXTS = st.builds(
    lambda lines, end: "\n".join(lines) + end,
    st.lists(LINES, min_size=1, max_size=7),
    st.sampled_from(["", "\n", "\n\n"]),
)


def outcome(load: object, text: str) -> str:
    """Return the data with its types, or the error."""
    assert callable(load)
    try:
        return repr(load(text))
    except (ValueError, BoundError) as error:
        return f"{type(error).__name__}: {error}"


@pytest.mark.slow
@given(TEXTS)
@settings(max_examples=600)
@example(
    "name: a\ndescription: >-\n  Fills in: forms # not a comment.\n\n  More.\nmetadata:\n  version: 1.0\n"
)
@example("allowed-tools: [Read, Bash(git:*)]\ntags:\n- a\n- 'b'\n")
@example("a: |+\n  x\n\n\n")
@example("a: |\n   x\n  y\nb: c")
@example("- a: |\n    x\n- b: c\n")
@example("a: b\n  c\n  d # e\n  f\n")
@example("day: 2026-13-45\n")
@example(f"a: {'9' * 100_001}\n")
def test_the_data_are_those_of_pyyaml(text: str) -> None:
    assert outcome(safe_load, text) == outcome(exact_load, text)


ODD = [
    *("a\tb", "a\x85b", "a\u2028b", "\ufeffa", "*a", "&a b", "!t a", "{a: b}", "[[a]]", '"\\t"', "a\r", "|2"),
    *("%a", "a\n---\nb: c", "a\n...", '"a\n  b"', "? a", "[a\n  ]"),
]


@pytest.mark.together
@pytest.mark.parametrize("value", ODD)
def test_what_the_scanners_may_disagree_about_is_left_to_pyyaml(value: str) -> None:
    assert not is_common(f"name: pdf\nkey: {value}\n")


def test_the_frontmatter_of_all_fixtures_reads_the_same_and_most_of_it_fast() -> None:
    files = [file for top in FIXTURES for file in sorted(top.rglob("SKILL.md"))]
    texts = [file.read_bytes().decode("utf-8", "replace") for file in files]
    blocks = [block[0] for text in texts if (block := split(text)) is not None]
    for block in blocks:
        assert outcome(safe_load, block) == outcome(exact_load, block)
    assert len(blocks) > 100
    assert sum(map(is_common, blocks)) > 0.7 * len(blocks)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("base: &b {name: a}\n<<: *b\n", "a"),
        ("base: &b {name: a}\nmore: &m {<<: *b}\n<<: [*m]\n", "a"),
        ("base: &b {name: a}\n<<: *b\nname: own\n", "own"),
        ("base: &b {name: a}\nother: *b\n", None),
    ],
)
def test_a_field_that_a_merge_key_copies_is_among_those_that_are_read(text: str, name: str | None) -> None:
    for load in (safe_load, exact_load):
        assert load(text, {"name"}).get("name") == load(text).get("name") == name


# Seven lists of ten aliases each to the one before: more than a million nodes.
LARGE = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [{f'*a{n - 1}, ' * 10}]\n" for n in range(1, 7))


@pytest.mark.parametrize(
    ("more", "is_bounded"),
    [
        ("name: n\n", False),
        ("b: &b {q: *a6}\nname: n\n", False),
        ("name: *a6\n", True),
        ("b: &b {q: *a6}\n<<: *b\nname: n\n", True),
        ("b: &b {name: *a6}\n<<: *b\n", True),
        ("b: [[{<<: {q: *a6}}]]\nname: n\n", True),
    ],
)
def test_aliases_count_below_what_is_read_and_everywhere_if_a_merge_key_may_copy_them(
    more: str, is_bounded: bool
) -> None:
    for load in (safe_load, exact_load):
        with pytest.raises(BoundError) if is_bounded else nullcontext():
            assert load(LARGE + more, {"name"})["name"] == "n"
    with pytest.raises(BoundError):
        safe_load(LARGE + more)
