"""Every construct of a body is found, and the span of each is exactly its characters."""

from __future__ import annotations

import pytest

from skilltool.text import markdown
from skilltool.text.source import Span
from tests.support.markdown_cases import CODES, COMMENTS, IMAGES, LINKS, marked, spans


@pytest.mark.together
@spans(LINKS)
def test_a_link_has_its_exact_span(text: str, base: int, expected: Span) -> None:
    assert [expected] == [link.span for link in markdown.read(text, base).links if not link.image]


@pytest.mark.together
@spans(IMAGES)
def test_an_image_has_its_exact_span(text: str, base: int, expected: Span) -> None:
    assert [(expected, True)] == [(link.span, link.image) for link in markdown.read(text, base).links]


@pytest.mark.together
@spans(CODES)
def test_a_code_span_has_its_exact_span(text: str, base: int, expected: Span) -> None:
    assert [expected] == [code.span for code in markdown.read(text, base).codes]


@pytest.mark.together
@spans(COMMENTS)
def test_a_comment_has_its_exact_span(text: str, base: int, expected: Span) -> None:
    assert [expected] == [comment.span for comment in markdown.read(text, base).comments]


@pytest.mark.together
@pytest.mark.parametrize(
    ("case", "target"),
    [
        ("[a](«b.md»)", "b.md"),
        ('[a](  «b.md»  "t")', "b.md"),
        ("[a](\n«b.md»\n)", "b.md"),
        ("[a](«<b c>»)", "b c"),
        ("[b](«b»)", "b"),
        ("[a [x] c](«b(1)»)", "b(1)"),
        ("[`](` a](«b»)", "b"),
        ("![a](«a»)", "a"),
        ("[a](«b\\_c%20d»)", "b_c%20d"),
        ("| x |\n|---|\n| [\\|](«a\\|b») |", "a|b"),
        ("«[a]()»", ""),
        ("«[ref]»\n\n[ref]: b", "b"),
        ("«<https://example.org/a b>»".replace(" ", ""), "https://example.org/ab"),
        ("«<a@example.org>»", "mailto:a@example.org"),
    ],
)
def test_a_target_is_as_written_and_has_its_own_span(case: str, target: str) -> None:
    text, expected = marked(case)
    assert [(expected, target)] == [(link.target_span, link.target) for link in markdown.read(text).links]


def test_an_image_in_a_link_is_found_beside_the_link() -> None:
    text = "x [![a](b.png)](c.md)"
    found = [(text[link.span.start : link.span.end], link.target) for link in markdown.read(text).links]
    assert found == [("[![a](b.png)](c.md)", "c.md"), ("![a](b.png)", "b.png")]


def test_several_comments_of_one_block_are_apart() -> None:
    text = "<!-- a --><!-- b -->\n\nx <!-- c --> <!-- d -->"
    found = [text[comment.span.start : comment.span.end] for comment in markdown.read(text).comments]
    assert found == ["<!-- a -->", "<!-- b -->", "<!-- c -->", "<!-- d -->"]


def test_code_and_comments_contain_no_links() -> None:
    text = "`[a](b)` <!-- [a](b) -->\n\n    [a](b)\n\n~~~\n[a](b)\n~~~\n\n<!-- [a](b) -->\n"
    assert markdown.read(text).links == []


def test_html_is_kept_as_text_and_comments_are_not_html() -> None:
    document = markdown.read('<div id="a">\n\nx <b id="c">y</b> <!-- d -->\n')
    assert document.html == ['<div id="a">\n', '<b id="c">', "</b>"]


@pytest.mark.parametrize(
    ("case", "level", "text"),
    [
        ("«# A b»", 1, "A b"),
        ("x\n«###   A `b` *c*   ###  \n»", 3, "A b c"),
        ("«A [b](c)\n---\n»", 2, "A b"),
        ("«A\nb\n===\n»", 1, "A\nb"),
        ("> «A  \n> b\n> ===\n»", 1, "A\nb"),
        ("- «# # # #\n»", 1, "# #"),
        ("«## \\# &amp; ![x](y) <br> z»", 2, "# &   z"),
        ("«#\tA #»", 1, "A"),
        ("«##»", 2, ""),
        ("# #\n\n«## A»", 2, "A"),
    ],
)
def test_a_heading_has_its_level_its_plain_text_and_the_span_of_its_lines(
    case: str, level: int, text: str
) -> None:
    source, expected = marked(case)
    heading = markdown.read(source).headings[-1]
    assert (expected, level, text) == (heading.span, heading.level, heading.text)


@pytest.mark.together
@pytest.mark.parametrize(
    ("case", "info", "text", "closed"),
    [
        ("«```sh»\na\n```\n", "sh", "a\n", True),
        ("«~~~»\na\n~~~~ \nb", "", "a\n", True),
        ("  «````  sh -x »\n```\n  ````", "sh -x", "```\n", True),
        ("x\n«```»", "", "", False),
        ("«```»\n", "", "", False),
        ("«```»\na\n``\n~~~\n", "", "a\n``\n~~~\n", False),
        ("«```»\na\n    ```\n", "", "a\n    ```\n", False),
        ("«```»\n> ```\n", "", "> ```\n", False),
        ("«```»\na\n``` x", "", "a\n``` x", False),
        ("- «```»\n  a\n  ```\n", "", "a\n", True),
        ("- «```»\n  a\n\nb\n", "", "a\n\n", False),
        ("> «```sh»\n> a\n> ```\n", "sh", "a\n", True),
        ("> «```»\n> a\n\nb\n", "", "a\n", False),
        ("> «```»\n>", "", "", False),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_a_fence_knows_its_opening_its_text_and_whether_it_is_closed(
    case: str, info: str, text: str, closed: bool, newline: str
) -> None:
    source, expected = marked(case.replace("\n", newline))
    (fence,) = markdown.read(source, 7).fences
    found = (fence.opening, fence.info, fence.text, fence.closed)
    assert (expected.shifted(7), info, text, closed) == found


def test_the_span_of_a_fence_is_all_its_lines() -> None:
    text = "x\n\n> ```\n> a\n> ```\n\n- ~~~\n  b\n"
    found = [text[fence.span.start : fence.span.end] for fence in markdown.read(text).fences]
    assert found == ["> ```\n> a\n> ```\n", "- ~~~\n  b\n"]


def test_a_blank_of_python_that_is_none_of_markdown_moves_no_cell() -> None:
    text = "| x | y |\n|---|---|\n\x85| [a](b) | [c](d) |\n"
    assert [text[link.span.start : link.span.end] for link in markdown.read(text).links] == ["[a](b)"]


def test_a_lone_surrogate_is_one_character() -> None:
    text = "\ud800 é [a](b)"
    assert [text[link.span.start : link.span.end] for link in markdown.read(text).links] == ["[a](b)"]


def test_only_a_deep_level_of_a_long_text_is_not_read_as_a_list() -> None:
    def codes(levels: int, more: str = "") -> int:
        return len(markdown.read("- " * levels + "x\n\n" + "  " * levels + "`a`\n" + more).codes)

    long = "text\n" * 5000
    assert codes(49) == codes(49, long) == codes(60) == 1
    assert codes(60, long) == 0  # indented code, because its level was not opened


def test_a_rule_of_many_dashes_is_a_rule_in_a_long_text() -> None:
    text = "a\n" + "-" * 200 + "\n\n" + "- " * 200 + "\n\n" + "text\n" * 5000
    assert [(heading.level, heading.text) for heading in markdown.read(text).headings] == [(2, "a")]


@pytest.mark.together
@pytest.mark.parametrize(
    ("headings", "expected"),
    [
        (["Usage", "usage", "Usage"], {"usage", "usage-1", "usage-2"}),
        (["a", "a", "a-1", "a"], {"a", "a-1", "a-1-1", "a-2"}),
        (["a-1", "a", "a"], {"a-1", "a", "a-2"}),
        (["", ""], {"", "-1"}),
        (["Install & run (fast!)"], {"install--run-fast"}),
        (["`--flag` and a_b, c.d"], {"--flag-and-a_b-cd"}),
        (["a\tb\nc"], {"abc"}),
        (["Über 日本語 ПРИВЕТ"], {"über-日本語-привет"}),
        (["हिन्दी"], {"हिन्दी"}),
        (["cafe\u0301"], {"cafe\u0301"}),
        (["x² ½ Ⅷ ٣"], {"x--ⅷ-٣"}),
        (["🚀 Start"], {"-start"}),
        (["⚙\ufe0f Set up"], {"\ufe0f-set-up"}),
        (["a‿b — c’s"], {"a‿b--cs"}),
    ],
)
def test_anchors_are_as_github_makes_them(headings: list[str], expected: set[str]) -> None:
    assert expected == markdown.anchors(headings)


def test_the_anchors_of_a_body_come_from_the_text_of_its_headings() -> None:
    text = "# A `b` [c](d)\n\n## ![x](y) *E*\n\nf\ng\n===\n"
    assert {"a-b-c", "e", "fg"} == markdown.anchors(heading.text for heading in markdown.read(text).headings)
