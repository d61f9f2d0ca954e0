"""Bytes to text that knows where its characters are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltool.text.source import Position, Source, Span


@pytest.mark.parametrize(
    ("raw", "newline"),
    [
        (b"a\nb\n", "\n"),
        (b"a\r\nb\r\n", "\r\n"),
        (b"a\rb\r", "\r"),
        (b"a\nb\r\n", "mixed"),
        (b"a", ""),
        (b"", ""),
    ],
)
def test_the_style_of_line_ends_is_remembered(raw: bytes, newline: str) -> None:
    assert Source.decode(raw).newline == newline


def test_a_byte_order_mark_stays_in_the_text_and_has_no_column() -> None:
    source = Source.decode(b"\xef\xbb\xbf---\nx")
    assert source.bom
    assert source.text == "\ufeff---\nx"
    assert [source.position(offset) for offset in (0, 1, 2, 5)] == [
        Position(1, 1),
        Position(1, 1),
        Position(1, 2),
        Position(2, 1),
    ]
    assert source[source.line_span(2)] == "---"


def test_each_byte_that_is_not_utf8_is_one_replacement_character_and_listed() -> None:
    source = Source.decode("né".encode() + b"\xff\xfe x \xe4\xb8 y")
    assert source.text == "né\ufffd\ufffd x \ufffd\ufffd y"
    assert source.invalid == (Span(2, 4), Span(7, 9))


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"\xff\xfe" + "---\nname: é🚀\n".encode("utf-16-le"), "---\nname: é🚀\n"),
        (b"\xfe\xff" + "---\nname: é🚀\n".encode("utf-16-be"), "---\nname: é🚀\n"),
        (b"\xff\xfea\0b", "a\ufffd"),
    ],
)
def test_utf16_with_a_byte_order_mark_is_read(raw: bytes, text: str) -> None:
    source = Source.decode(raw)
    assert (source.encoding, source.text, source.bom) == ("utf-16", text, False)


def test_a_line_after_the_last_starts_at_the_end_of_the_text() -> None:
    source = Source.decode(b"a\r\nb\rc")
    assert [source.line_start(line) for line in (1, 2, 3, 4, 9)] == [0, 3, 5, 6, 6]


def test_columns_count_code_points() -> None:
    source = Source.decode("日本 e\u0301x\n".encode())
    assert source.position(source.text.index("x")) == Position(1, 6)


def test_a_final_line_end_begins_no_line() -> None:
    assert [Source.decode(raw).line_count for raw in (b"", b"a", b"a\n", b"a\nb", b"\n\n")] == [0, 1, 1, 2, 2]


@given(st.binary(max_size=200))
def test_any_bytes_decode_and_every_offset_has_its_place(raw: bytes) -> None:
    source = Source.decode(raw)
    for offset in range(len(source.text) + 1):
        position = source.position(offset)
        start = source.line_start(position.line)
        assert start <= offset
        mark = position.line == 1 and source.bom and offset > 0
        assert position.column == offset - start + 1 - mark
        line = source.line_span(offset)
        assert line.start == start + (start == 0 and source.bom)
        assert source.text[line.end : line.end + 1] in {"", "\r", "\n"}
        assert "\n" not in source[line]
        assert "\r" not in source[line]
    for span in source.invalid:
        assert set(source[span]) == {"\ufffd"}


@given(st.text("ab\n\r\ufeff\u00e9", max_size=8), st.integers(0, 8))
def test_the_line_of_an_offset_is_the_same_without_the_line_table(text: str, offset: int) -> None:
    with_table = Source(text)
    assert with_table.line_count >= 0  # builds it
    offset = min(offset, len(text))
    assert Source(text).line_span(offset) == with_table.line_span(offset)
    assert Source(text).position(offset) == with_table.position(offset)
