"""What holds of any Markdown text."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from skilltool.text import markdown
from skilltool.text.markdown import Markdown, parser
from skilltool.text.source import Span

# Beginnings of all constructs, blanks of every kind, wide and odd characters.
PARTS = st.sampled_from([
    *" \t\n\r\0\\`[]()<>!|*_#->=~:&;1.x", "\r\n", "\n\n", "    ", "> ", "- ", "1. ", "```", "~~~", "`a`",
    "<!--", "-->", "[a](b)", "![a](b)", "[a]", "\n[a]: b\n", "<https://x.y>", "|---|---|\n", "| a | b |\n",
    "\\|", "&amp;", "é", "e\u0301", "日", "🚀", "\xa0", "\x85", "\u2028", "\x0b", "\x1c", "\ufeff", "\u200b",
])  # fmt: skip
# Blanks to some versions of the library only: cells that they leave uncertain degrade to whole rows.
ODD = set("\x1c\x1d\x1e\x1f\x85")
TEXTS = st.lists(PARTS, max_size=40).map("".join) | st.text()


def all_spans(document: Markdown) -> list[Span]:
    found = [fence.opening for fence in document.fences] + [link.target_span for link in document.links]
    for things in (document.headings, document.links, document.codes, document.fences, document.comments):
        found += [thing.span for thing in things]
    return found


@settings(max_examples=400)
@given(TEXTS, st.integers(0, 50))
def test_any_text_has_a_reading_whose_spans_lie_in_it_and_begin_with_their_marks(
    text: str, base: int
) -> None:
    document = markdown.read(text, base)
    assert all(base <= span.start <= span.end <= base + len(text) for span in all_spans(document))

    def source(span: Span) -> str:
        return text[span.start - base : span.end - base]

    if ODD.isdisjoint(text):
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


@settings(max_examples=200)
@given(TEXTS)
def test_the_wrapped_rules_read_every_text_as_the_library_does(text: str) -> None:
    def stream(md: MarkdownIt) -> list[tuple[Any, ...]]:
        return [(token.type, token.map, token.content) for token in md.parse(text)]

    assert stream(MarkdownIt("commonmark").enable("table")) == stream(parser.parser())


@settings(max_examples=200)
@given(st.lists(PARTS, max_size=40).map("".join).filter(lambda text: "\r" not in text))
def test_line_ends_change_no_construct(text: str) -> None:
    def texts(newline: str) -> list[str]:
        written = text.replace("\n", newline)
        return [written[s.start : s.end].replace(newline, "\n") for s in all_spans(markdown.read(written))]

    assert texts("\n") == texts("\r\n") == texts("\r")
