"""A snippet fits the reader's width, and its carets stand under the text that the finding is about."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wcwidth import wcswidth

from skilltool.findings.diagnostic import Excerpt, locate
from skilltool.report import Style, render
from skilltool.report.finding_lines import snippet
from skilltool.text.printable import display_width, printable, printable_characters
from skilltool.text.source import Source, Span
from tests.conftest import examples
from tests.report.test_reports import diagnostic, report

WIDTHS = (40, 60, 80, 120)
# Narrow, wide, combining, joined, hidden and blank text, and what only means something together.
PARTS = [
    "word ",
    "x",
    "    ",
    "\t",
    "日本語",
    "e\u0301",
    "क्षि",
    "🎉",
    "🧑\u200d💻",
    "👍🏽",
    "🇩🇪",
    "1\ufe0f\u20e3",
]
PARTS += [
    "\x1b[31m",
    "\u202e",
    "\U000e0041",
    "\ud800",
    "\u200b",
    "##[error]",
    "##vso[x]",
    "::error::",
    "…",
    "\u0301",
]
LINES = st.lists(
    st.one_of(st.sampled_from(PARTS), st.text(st.characters(exclude_characters="\r\n"), max_size=8))
)


def lines_of(text: str, start: int, end: int, width: int | None, line: int = 1) -> tuple[str, str]:
    """Return the line of a full report that shows the text, and the carets under it, as they are printed."""
    location = locate(Source(text), Span(start, end))
    found = diagnostic("", help=None, location=location._replace(start=location.start._replace(line=line)))
    lines = render(report(found), "full", Style(width=width)).split("\n")
    number = next(number for number, shown in enumerate(lines) if shown.startswith(f"{line} | "))
    return lines[number], lines[number + 1]


@pytest.mark.slow
@settings(max_examples=examples(300))
@given(LINES.map("".join), st.data(), st.sampled_from(WIDTHS))
def test_no_line_of_a_snippet_is_wider_than_the_terminal(text: str, data: st.DataObject, width: int) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    line = data.draw(st.sampled_from([1, 12, 1_048_576]))
    if locate(Source(text), Span(start, end)).excerpt.text.strip():
        for shown in lines_of(text, start, end, width, line):
            assert wcswidth(shown) <= width


@settings(max_examples=examples(300))
@given(st.lists(st.sampled_from(PARTS)), st.integers(0, 3), st.lists(st.sampled_from(PARTS)), st.data())
def test_what_is_above_the_carets_is_what_the_finding_is_about(
    before: list[str], kind: int, after: list[str], data: st.DataObject
) -> None:
    marked = ["here", "日本 語", "\x1b\u202e!", "é🎉 " + "long " * 60 + "."][kind]
    text = f"{''.join(before)} {marked} {''.join(after)}"
    start = len("".join(before)) + 1
    shown, carets = lines_of(text, start, start + len(marked), data.draw(st.sampled_from(WIDTHS)))
    indent = len(carets) - len(carets.lstrip(" |"))
    above = cells(shown, indent, indent + carets.count("^"))
    assert above
    assert printable(marked).startswith(above)
    if above != printable(marked):
        assert kind == 3
        assert shown[shown.index(above) + len(above) :] == "…"


def cells(text: str, first: int, stop: int) -> str:
    """Return the text that takes the cells from `first` up to `stop`, both at the edge of a character."""
    begin = max(n for n in range(len(text) + 1) if wcswidth(text[:n]) == first and text[:n][-1:] == " ")
    return text[
        begin : max(n for n in range(begin, len(text) + 1) if wcswidth(text[begin:n]) <= stop - first)
    ]


@pytest.mark.parametrize("width", WIDTHS)
def test_a_long_line_is_cut_around_the_finding(width: int) -> None:
    text = "x" * 60_000 + " HERE " + "y" * 60_000
    shown, carets = lines_of(text, 60_001, 60_005, width)
    assert len(shown) == width
    assert shown[carets.index("^") : len(carets)] == "HERE"
    assert shown.startswith("1 | …x")
    assert shown.endswith("y…")


def test_a_short_line_is_shown_whole_and_a_long_one_gets_all_the_room() -> None:
    assert snippet(Excerpt("name: x", 6, 7), 20).line == "name: x"
    assert snippet(Excerpt("0123456789", 4, 5), 10).line == "0123456789"
    assert snippet(Excerpt("0123456789", 4, 5), 9) == ("01234567…", 4, 1)
    assert snippet(Excerpt("0123456789", 9, 10), 9) == ("…23456789", 8, 1)
    assert snippet(Excerpt("0123456789abcdef", 8, 9), 9) == ("…56789ab…", 4, 1)


def test_context_stays_before_a_finding_that_is_longer_than_the_line() -> None:
    text = "description: " + "much " * 30
    assert snippet(Excerpt(text, 100, 150), 30) == ("… much much much much much mu…", 9, 20)


def test_a_cut_goes_between_characters_and_not_through_them() -> None:
    flags = "🇩🇪" * 9
    assert snippet(Excerpt(flags, 0, 2), 10) == ("🇩🇪" * 4 + "…", 0, 2)
    accents = "e\u0301" * 20
    assert snippet(Excerpt(accents, 0, 2), 10) == ("e\u0301" * 9 + "…", 0, 1)
    escapes = "\x1b" * 9
    assert snippet(Excerpt(escapes, 4, 5), 10) == ("…\\x1b\\x1b…", 1, 4)


def test_a_command_to_a_ci_runner_stays_escaped_wherever_a_line_is_cut() -> None:
    for width in range(12, 40):
        assert "##[" not in snippet(Excerpt("ab ##[error]x " * 9, 60, 62), width).line


@pytest.mark.parametrize(
    ("line", "marked"),
    [
        ("name: 日本語 here", "here"),
        ("name: 日本語 here", "本"),
        ("cafe\u0301 e\u0301 x here", "here"),
        ("🎉🎉 here", "here"),
        ("\ttab\tand here", "here"),
        ("a\x1b[31m\u202e here", "here"),
        ("plain here", "here"),
    ],
)
def test_the_caret_stands_under_wide_combining_and_hidden_characters(line: str, marked: str) -> None:
    start = line.index(marked)
    shown, carets = lines_of(line, start, start + len(marked), None)
    text, carets = shown.partition("| ")[2], carets.partition("| ")[2]
    before = text[: text.index(marked)]
    assert len(carets) - len(carets.lstrip()) == wcswidth(before)
    assert carets.count("^") == wcswidth(marked)


@pytest.mark.together
@pytest.mark.parametrize(
    ("text", "start", "end", "expected"),
    [
        ("ab\ncd\nef", 1, 7, ["1:2", "1 | ab", "  |  ^"]),  # over three lines: the rest of the first
        ("ab\ncd", 5, 5, ["2:3", "2 | cd", "  |   ^"]),  # nothing, at the end of the file
        ("ab\r\ncd", 2, 4, ["1:3", "1 | ab", "  |   ^"]),  # a line end
        ("ab\rcd", 3, 5, ["2:1", "2 | cd", "  | ^^"]),
        ("ab   ", 2, 5, ["1:3", "1 | ab", "  |   ^^^"]),  # blanks at the end of a line
        ("\ufeffab", 1, 3, ["1:1", "1 | ab", "  | ^^"]),
        ("ab\n", 3, 3, ["2:1"]),  # after the last line end there is no line to show
        ("", 0, 0, ["1:1"]),
        ("🧑\u200d💻 here", 4, 8, ["1:5", "1 | 🧑\u200d💻 here", "  |    ^^^^"]),
        ("🧑\u200d💻 here", 1, 2, ["1:2", "1 | 🧑\u200d💻 here", "  | ^^"]),  # a part of what is seen
        ("e\u0301x", 1, 2, ["1:2", "1 | e\u0301x", "  | ^"]),
        ("日本語", 0, 3, ["1:1", "1 | 日本語", "  | ^^^^^^"]),
    ],
)
def test_full_points_at_the_location(text: str, start: int, end: int, expected: list[str]) -> None:
    found = report(diagnostic(text, start, end, help=None))
    lines = render(found, "full", Style(width=80)).split("\n\n")[0].splitlines()[1:]
    where, *excerpt = (line for line in lines if line != "  |")
    assert [where.removeprefix(" --> skills/pdf/SKILL.md:"), *excerpt] == expected


@given(st.text())
def test_printable_characters_join_to_the_printable_text(text: str) -> None:
    characters = printable_characters(text)
    assert len(characters) == len(text)
    assert "".join(characters) == printable(text)
    assert display_width("".join(characters)) == display_width(text)


def test_the_width_of_each_character_is_that_of_the_library() -> None:
    differing = [
        code
        for code in range(0x20, 0x10000)
        if display_width(chr(code)) != max(wcswidth(printable(chr(code))), 0)
    ]
    assert differing == []


JOINING = "\u0301\u200d\ufe0f\u2764"


@given(st.lists(st.sampled_from(f"a\u00e9\u2014\u2192\u2500\u3042\u4f8b\ud55c\uff01{JOINING}"), max_size=6))
def test_the_width_of_a_text_is_that_of_the_library(characters: list[str]) -> None:
    text = "".join(characters)
    assert display_width(text) == max(wcswidth(text), 0)
