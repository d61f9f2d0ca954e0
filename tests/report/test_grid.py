"""Tables and paragraphs fit the width that they are given, and lose no word."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from wcwidth import wcswidth

from skilltool.report.grid import Column, Word, cell, hanging, table, tail, text, wrapped
from skilltool.report.style import PLAIN, Style
from skilltool.text.printable import printable
from tests.cli.test_voice import TEXT, harmful

WORDS = st.lists(st.sampled_from(["a", "längere", "前前前", "::x", "e\u0301e\u0301", "x" * 30, "-", ""])).map(
    " ".join
)


@given(WORDS, st.integers(4, 40))
def test_wrapped_lines_fit_and_have_every_word(words: str, width: int) -> None:
    lines = ["".join(word.text for word in line) for line in wrapped(cell(words), width)]
    assert all(wcswidth(line) <= width for line in (line.rstrip() for line in lines))
    assert "".join("".join(lines).split()) == "".join(printable(words).split())


@given(st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=4), st.integers(10, 60))
def test_a_table_fits_or_is_none(rows: list[tuple[str, str]], width: int) -> None:
    columns = (Column("path", least=8, shorten=tail), Column("n", numbers=True), Column("why", least=6))
    cells = [[cell(first), cell("1"), cell(second)] for first, second in rows]
    lines = table(columns, cells, Style(width=width))
    assert lines is not None or width < 8 + 2 + 1 + 2 + 6
    for line in lines or []:
        assert wcswidth(line.rstrip()) <= width


def test_without_a_width_a_row_is_a_line_and_numbers_are_aligned_at_the_right() -> None:
    columns = (Column("name"), Column("size", numbers=True), Column("why", least=4))
    rows = [[cell("a"), cell("1"), cell("x y " * 40)], [cell("long"), cell("1,000"), cell("z")]]
    shown = text(table(columns, rows, PLAIN) or []).splitlines()
    assert shown == ["name   size  why", f"a         1  {'x y ' * 40}".rstrip(), "long  1,000  z"]


@given(st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=3), st.sampled_from([None, 20, 80]))
def test_what_others_wrote_is_not_obeyed(rows: list[tuple[str, str]], width: int | None) -> None:
    style = Style(width=width)
    cells = [[cell(first), cell(second)] for first, second in rows]
    lines = table((Column("::a", least=4), Column("b", least=4)), cells, style) or []
    lines += [line for first, second in rows for line in hanging((Word(first, "1"),), cell(second), 2, style)]
    assert harmful(text(lines)) == []
