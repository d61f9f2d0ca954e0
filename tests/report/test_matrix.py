"""The table of what each runtime makes of each skill: fitted to the terminal, explained, and coloured."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wcwidth import wcswidth

from skilltool.lint.matrix import Cell, Row
from skilltool.report import Report, Style, render
from tests.conftest import examples

QUIET = Style(quiet=True)
RUNTIMES = ("agent", "kodelet", "nfa", "portable")
ROWS = (
    Row(
        "skills/pdf/SKILL.md", "pdf", {"agent": Cell("loaded", "pdf", True, True), "kodelet": Cell("refused")}
    ),
    Row(
        "skills/forms/xfa/SKILL.md",
        "xfa",
        {
            "agent": Cell("loaded", "XFA forms", False, False),
            "kodelet": Cell("shadowed"),
            "nfa": Cell("unseen"),
        },
    ),
)


def tables(rows: tuple[Row, ...], runtimes: tuple[str, ...], style: Style = QUIET) -> list[str]:
    """Return the paragraphs of a report that has nothing but a matrix."""
    return render(Report([], len(rows), runtimes, rows), "full", style).removesuffix("\n").split("\n\n")


def test_the_table_has_a_row_per_skill_and_a_legend_for_its_words() -> None:
    assert tables(ROWS, RUNTIMES, Style()) == [
        "skills/    agent                   kodelet   nfa       portable\n"
        "pdf        loaded, truncated       rejected  -         -\n"
        "forms/xfa  as XFA forms, unlisted  shadowed  not read  -",
        "as KEY     loaded under this name, which differs from its directory name\n"
        "truncated  the listing contains only part of the description\n"
        "unlisted   loaded, but not in the listing\n"
        "shadowed   another skill with the same name is loaded instead\n"
        "rejected   the runtime does not load the skill\n"
        "not read   the runtime does not look in this directory\n"
        "-          not a runtime that loads skills",
        "2 skills checked, no findings",
    ]


def test_the_legend_has_only_words_that_occur() -> None:
    loaded = Row("a/SKILL.md", "a", {"agent": Cell("loaded", "a", False, True)})
    assert tables((loaded,), ("agent",), Style()) == ["   agent\na  loaded", "1 skill checked, no findings"]
    refused = loaded._replace(cells={"agent": Cell("refused")})
    assert tables((refused,), ("agent",), Style())[1] == "rejected  the runtime does not load the skill"
    assert len(tables((refused,), ("agent",), Style(quiet=True))) == 1


def test_a_narrow_terminal_gets_several_tables_and_the_ends_of_paths() -> None:
    narrow = Style(width=40, quiet=True)
    assert tables(ROWS, RUNTIMES, narrow) == [
        "skills/    agent\npdf        loaded, truncated\nforms/xfa  as XFA forms, unlisted",
        "skills/    kodelet   nfa       portable\n"
        "pdf        rejected  -         -\n"
        "forms/xfa  shadowed  not read  -",
    ]
    long = tuple(row._replace(path=f"packages/office/{row.path}") for row in ROWS)
    assert tables((*long, Row("packages/SKILL.md", "", {})), RUNTIMES[1:3], Style(width=41, quiet=True)) == [
        "packages/              kodelet   nfa\n"
        "office/skills/pdf      rejected  -\n"
        "…ice/skills/forms/xfa  shadowed  not read\n"
        ".                      -         -"
    ]


def test_a_table_is_split_only_if_it_is_wider_than_the_terminal() -> None:
    (whole,) = tables(ROWS, RUNTIMES)
    width = max(map(len, whole.splitlines()))
    assert tables(ROWS, RUNTIMES, Style(width=width, quiet=True)) == [whole]
    first, second = tables(ROWS, RUNTIMES, Style(width=width - 1, quiet=True))
    assert tables(ROWS, RUNTIMES, Style(width=max(map(len, second.splitlines())), quiet=True))[-1] == second
    assert max(map(len, first.splitlines())) < width


def test_each_table_has_a_runtime_even_if_that_is_too_wide() -> None:
    narrow = tables(ROWS, RUNTIMES, Style(width=20, quiet=True))
    assert [table.split("\n")[0].split()[1:] for table in narrow] == [[name] for name in RUNTIMES]


def test_a_long_key_is_cut_and_more_so_on_a_narrow_terminal() -> None:
    row = Row("a/SKILL.md", "a", {"agent": Cell("loaded", "Filling in 表格 of any kind", False, True)})
    assert tables((row,), ("agent",))[0].splitlines()[1] == "a  as Filling in 表格 of any …"
    assert tables((row,), ("agent",), Style(width=28, quiet=True))[0].splitlines()[1] == "a  as Filling in …"


@settings(max_examples=examples(200))
@given(
    st.lists(st.text(st.sampled_from("abc日e\u0301🎉/\x1b:"), max_size=60), min_size=1, max_size=4),
    st.lists(
        st.sampled_from(["agent", "agentskills", "kodelet", "mycodeagent@2026-01"]), min_size=1, unique=True
    ),
    st.sampled_from([60, 80, 120]),
    st.sampled_from(["loaded", "表" * 40, "\u202e" * 9]),
)
def test_no_line_of_the_matrix_is_wider_than_the_terminal(
    directories: list[str], runtimes: list[str], width: int, key: str
) -> None:
    cells = {name: Cell("loaded", key, True, False) for name in runtimes}
    rows = tuple(Row(f"{directory.strip('/')}/SKILL.md", "a", cells) for directory in directories)
    for table in tables(rows, tuple(runtimes), Style(width=width, quiet=True)):
        assert len(table.splitlines()) == len(rows) + 1
        assert max(map(wcswidth, table.splitlines())) <= width


def test_files_and_pipes_get_one_table_whatever_its_width() -> None:
    runtimes = tuple(f"runtime-{number}" for number in range(40))
    assert len(tables(ROWS, runtimes)) == 1


def test_absolute_and_relative_paths_go_in_one_table() -> None:
    rows = (ROWS[0], ROWS[1]._replace(path="/elsewhere/xfa/SKILL.md"))
    lines = tables(rows, ("agent",))[0].splitlines()
    assert [line.split("  ")[0] for line in lines] == ["", "skills/pdf", "/elsewhere/xfa"]


def test_colour_repeats_what_the_words_say() -> None:
    plain = tables(ROWS, RUNTIMES, Style())
    colored = tables(ROWS, RUNTIMES, Style(color=True))
    assert [re.sub(r"\x1b\[[0-9;]*m", "", text) for text in colored] == plain
    assert "\x1b[32mloaded\x1b[0m, \x1b[33mtruncated\x1b[0m " in colored[0]
    assert "\x1b[31mrejected\x1b[0m " in colored[0]
    assert colored[1].splitlines()[-3].startswith("\x1b[31mrejected\x1b[0m ")
    assert "\x1b" not in "".join(plain)


@pytest.mark.parametrize("width", [None, 60])
def test_links_lead_to_the_whole_directory(width: int | None) -> None:
    long = ROWS[0]._replace(path=f"{'packages/' * 9}pdf/SKILL.md")
    shown = "\n".join(tables((long, ROWS[1]), RUNTIMES, Style(links=True, width=width, quiet=True)))
    assert f"{'packages/' * 9}pdf\x1b\\" in shown
