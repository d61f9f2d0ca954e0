"""Where the `---` block of a document begins and ends."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skilltool.text.frontmatter.envelope import split
from skilltool.text.source import Span
from tests.conftest import examples


def cut(text: str, span: Span | None) -> str | None:
    return None if span is None else text[span.start : span.end]


# Text; the block and the body; what is passed over.
@pytest.mark.parametrize(
    ("text", "block", "body", "padding"),
    [
        ("---\na\n---\nb\n", "a\n", "b\n", []),
        ("---\n---\n", "", "", []),
        ("---\na\n---", "a\n", "", []),
        ("---\r\na\r\n---\r\nb", "a\r\n", "b", []),
        ("---\ra\r---\rb", "a\r", "b", []),
        ("\ufeff---\na\n---\nb", "a\n", "b", []),
        ("\n\t\n---\na\n---\nb", "a\n", "b", ["\n\t\n"]),
        ("\ufeff \r\n\r---  \na\n---\t\nb", "a\n", "b", [" \r\n\r", "  ", "\t"]),
        ("---\na: ---\n ---\n----\n--- b\n---\nc\n---\n", "a: ---\n ---\n----\n--- b\n", "c\n---\n", []),
        ("---\n\n---\n\nb", "\n", "\nb", []),
    ],
)
def test_a_document_is_cut_at_its_first_two_markers(
    text: str, block: str, body: str, padding: list[str]
) -> None:
    envelope = split(text)
    markers = (cut(text, envelope.opening), cut(text, envelope.closing))
    assert markers == ("---", "---")
    assert (cut(text, envelope.block), cut(text, envelope.body)) == (block, body)
    assert [cut(text, span) for span in envelope.padding] == padding


@pytest.mark.together
@pytest.mark.parametrize(
    "text",
    ["", "a\n", "----\n---\n", " ---\na\n---\n", "--- a\n---\n", "a\n---\nb\n---\n", "\u00a0\n---\n---\n"],
)
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_without_an_opening_marker_the_whole_text_is_body(text: str, mark: str) -> None:
    envelope = split(mark + text)
    assert (envelope.opening, envelope.closing) == (None, None)
    assert cut(mark + text, envelope.body) == text
    assert envelope.padding == ()


@pytest.mark.parametrize("text", ["---", "---\n", "---\na\n ---\n", "---\na\n----", "---\na ---"])
def test_without_a_closing_marker_there_is_no_body(text: str) -> None:
    envelope = split(text)
    assert (cut(text, envelope.opening), envelope.closing) == ("---", None)
    assert cut(text, envelope.block) == text[4:]
    assert envelope.body == Span(len(text), len(text))


@settings(max_examples=examples(300))
@given(st.lists(st.sampled_from([*"\r\n \t-a", "---", "---\n", "\r\n", "\ufeff"]), max_size=15).map("".join))
def test_the_parts_of_any_text_follow_one_another_and_hold_all_of_it(text: str) -> None:
    envelope = split(text)
    assert envelope.body.end == len(text)
    if envelope.opening is not None:
        assert cut(text, envelope.opening) == "---"
        assert text[: envelope.opening.start].strip("\ufeff \t\r\n") == ""
        assert text[envelope.opening.end : envelope.block.start].strip(" \t\r\n") == ""
    if envelope.closing is not None:
        assert cut(text, envelope.closing) == "---"
        assert envelope.block.end == envelope.closing.start
        assert text[envelope.closing.start - 1] in "\r\n"
        assert text[envelope.closing.end : envelope.body.start].strip(" \t\r\n") == ""
    for span in envelope.padding:
        assert span.start < span.end
        assert text[span.start : span.end].strip(" \t\r\n") == ""
