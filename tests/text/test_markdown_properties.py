"""What holds of any Markdown text."""

from __future__ import annotations

from itertools import accumulate
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from skilltool.text import markdown
from skilltool.text.markdown import Markdown, code_points
from skilltool.text.source import Span
from tests.conftest import examples
from tests.support.markdown_judge import DIFFERENCES, Difference, is_alike, judged, ours

ROOT = Path(__file__).parents[2]

# Beginnings of all constructs, blanks of every kind, wide and odd characters.
PARTS = st.sampled_from([
    *" \t\n\r\0\\`[]()<>!|*_#->=~:&;1.x", "\r\n", "\n\n", "    ", "> ", "- ", "1. ", "```", "~~~", "`a`",
    "<!--", "-->", "[a](b)", "![a](b)", "[a]", "\n[a]: b\n", "<https://x.y>", "|---|---|\n", "| a | b |\n",
    "\\|", "&amp;", "[a][]", "[b][a]", "[a]: <b> 'c'\n", "<div>\n", "</div>", "<b c='d'>",
    "===\n", "---\n", "\\\n", "é", "e\u0301", "日", "🚀", "\xa0", "\x85", "\u2028", "\x0b", "\x1c",
    "\ufeff", "\u200b",
])  # fmt: skip
TEXTS = st.lists(PARTS, max_size=40).map("".join) | st.text()


def all_spans(document: Markdown) -> list[Span]:
    found = [fence.opening for fence in document.fences] + [link.target_span for link in document.links]
    for things in (document.headings, document.links, document.codes, document.fences, document.comments):
        found += [thing.span for thing in things]
    return found


@settings(max_examples=examples(400))
@given(TEXTS, st.integers(0, 50))
def test_any_text_has_a_reading_whose_spans_lie_in_it_and_begin_with_their_marks(
    text: str, base: int
) -> None:
    document = markdown.read(text, base)
    assert all(base <= span.start <= span.end <= base + len(text) for span in all_spans(document))

    def source(span: Span) -> str:
        return text[span.start - base : span.end - base]

    for link in document.links:
        assert source(link.span).startswith("![" if link.image else ("[", "<"))
        assert source(link.span).endswith((")", "]", ">"))
    for code in document.codes:
        assert source(code.span).startswith("`")
        assert source(code.span).endswith("`")
    for comment in document.comments:
        assert source(comment.span).startswith("<!--")
    for fence in document.fences:
        assert source(fence.opening).startswith(("```", "~~~"))


@pytest.mark.slow
@settings(max_examples=examples(1000))
@given(TEXTS)
def test_two_parsers_read_a_text_alike(text: str) -> None:
    assume(is_alike(text))
    assert judged(text) == ours(text)


@pytest.mark.parametrize("difference", DIFFERENCES, ids=lambda difference: difference.example)
def test_a_known_difference_is_still_there(difference: Difference) -> None:
    assert difference.may_be_in(difference.example)
    assert judged(difference.example) != ours(difference.example)


@pytest.mark.slow
def test_two_parsers_read_the_pages_of_this_project_alike() -> None:
    pages = [
        path
        for top in ("docs", "examples", "skilltool", "templates", "tests")
        for path in (ROOT / top).rglob("*.md")
    ]
    texts = {path.relative_to(ROOT): path.read_bytes().decode("utf-8", "replace") for path in pages}
    assert len(texts) > 100
    assert [path for path, text in texts.items() if judged(text) != ours(text)] == []


@given(st.lists(st.text(), max_size=20).map(lambda parts: "".join(parts) * 40), st.integers(0, 50))
def test_the_offset_of_each_character_in_utf8_is_converted_to_its_own(text: str, base: int) -> None:
    offset = code_points(text, base)
    sizes = accumulate((len(character.encode()) for character in text), initial=0)
    assert list(range(base, base + len(text) + 1)) == [offset(size) for size in sizes]


@settings(max_examples=examples(200))
@given(st.lists(PARTS, max_size=40).map("".join).filter(lambda text: "\r" not in text))
def test_line_ends_change_no_construct(text: str) -> None:
    def texts(newline: str) -> list[str]:
        written = text.replace("\n", newline)
        return [written[s.start : s.end].replace(newline, "\n") for s in all_spans(markdown.read(written))]

    assert texts("\n") == texts("\r\n") == texts("\r")
