"""On a terminal text breaks between words, pages are drawn, and nothing is wider than the window."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from wcwidth import wcswidth

from skilltool.cli import COMMANDS
from skilltool.report import Style
from skilltool.report.full import render
from skilltool.text.printable import flowed
from tests.conftest import MakeSkill, Skilltool
from tests.report.test_reports import diagnostic, report
from tests.support.terminal import Terminal

ESCAPE = re.compile(r"\x1b\[[\d;]*m")
LONG = "The page `references/a.md` is named in words that a narrow window has to break somewhere. " * 2


def shown(*arguments: str, cwd: Path, columns: int = 80, **environment: str) -> list[str]:
    """The lines that a command writes on a terminal, both streams, without colours."""
    with Terminal(*arguments, cwd=cwd, COLUMNS=str(columns), **environment) as terminal:
        return ESCAPE.sub("", terminal.rest()).splitlines()


@pytest.mark.parametrize("width", [24, 40, 60, 79])
def test_a_line_breaks_between_words(width: int) -> None:
    lines = flowed(f"  {LONG}", width).split("\n")
    assert max(map(len, lines)) <= width
    assert " ".join(line.strip() for line in lines).split() == LONG.split()
    assert {line[:4] for line in lines[1:]} == {"    "}


def test_code_in_backticks_stays_together_where_it_fits() -> None:
    assert flowed("run the command `skilltool rule x` now", 24) == "run the command\n  `skilltool rule x` now"
    assert flowed("run `skilltool rule broken-link` now", 14).split("\n")[1] == "  rule"


def test_colours_take_no_room() -> None:
    plain = "error[x]: " + LONG
    coloured = plain.replace("error[x]", "\x1b[1;31merror[x]\x1b[0m")
    assert ESCAPE.sub("", flowed(coloured, 40)) == flowed(plain, 40)


@pytest.mark.parametrize("width", range(8, 60, 3))
def test_no_line_that_was_broken_is_a_command_of_a_runner(width: int) -> None:
    text = flowed("it says ::error::x, and `::set-env name=a::b` and ::group::c, and more of it", width)
    assert [line for line in text.split("\n") if line.lstrip().startswith("::")] == []


def test_a_pipe_gets_each_text_on_one_line() -> None:
    assert flowed(LONG, None) == LONG


@pytest.mark.slow
@pytest.mark.parametrize("command", [(), *((name,) for name in COMMANDS)])
@pytest.mark.parametrize("columns", ["80", "66"])
def test_help_fits_a_terminal(skilltool: Skilltool, command: tuple[str, ...], columns: str) -> None:
    text = skilltool(*command, "--help", COLUMNS=columns).stdout
    wide = [line for line in text.splitlines() if len(line) > int(columns)]
    # A command is not broken: it is there to be copied.
    assert [
        line for line in wide if columns == "80" or not re.match(r" +(skilltool|vim\.lsp|\{cmd) ?", line)
    ] == []


def test_an_option_in_help_is_not_broken_at_its_hyphen(skilltool: Skilltool) -> None:
    assert "skilltool-baseline.json" in skilltool("baseline", "--help", COLUMNS="80").stdout


@pytest.mark.parametrize("columns", [50, 80])
def test_a_report_breaks_between_words(repo: Path, make_skill: MakeSkill, columns: int) -> None:
    make_skill(repo / "a", f"---\nname: a\ndescription: {'Fills in forms. ' * 90}\n---\n\n[x](gone.md)\n")
    lines = shown("lint", cwd=repo, columns=columns)
    assert max(map(wcswidth, lines)) <= columns
    headline = next(number for number, line in enumerate(lines) if "[long-description]" in line)
    assert lines[headline + 1].startswith("  ")
    assert not lines[headline].endswith("-")


def test_a_note_on_standard_error_breaks_between_words(repo: Path) -> None:
    lines = shown("lint", "nowhere-to-be-found", "elsewhere-and-not-found-either", cwd=repo, columns=50)
    assert max(map(len, lines)) <= 50
    assert "found" in " ".join(lines)


def test_a_rule_is_drawn_without_its_marks(repo: Path) -> None:
    lines = shown("rule", "broken-link", cwd=repo)
    assert lines[0] == "broken-link"
    assert "Bad" in lines
    assert "  references/fields.md:" in lines
    assert not [line for line in lines if line.startswith(("#", "`"))]
    assert max(map(len, lines)) <= 80


def test_a_rule_in_a_pipe_is_markdown(skilltool: Skilltool) -> None:
    text = skilltool("rule", "broken-link").stdout
    assert text.startswith("# broken-link\n")
    assert "\n```markdown references/fields.md\n" in text


def test_the_table_of_rules_keeps_its_columns(repo: Path) -> None:
    lines = shown("rule", cwd=repo)
    assert max(map(len, lines)) <= 80
    column = lines[0].index("Absolute path")
    texts = [line for line in lines if line[column - 1] == " " and line[column] != " "]
    assert [line.split()[0][:12] for line in lines if line not in texts] in ([], ["`.well-known"])


def test_the_remedy_stands_beside_the_carets_where_it_fits() -> None:
    found = diagnostic("x is wrong", help="write y")
    wide, narrow, pipe = (render(report(found), Style(width=width)) for width in (80, 40, None))
    assert re.search(r"\| +\^+ write y$", wide, re.MULTILINE)
    assert "help:" not in wide
    assert "= help: write y" in pipe
    long = diagnostic("x is wrong", help="write y, " * 12)
    assert "= help: write y, write y" in render(report(long), Style(width=80))
    assert "write y" in narrow


def test_a_tab_is_as_wide_as_it_is(repo: Path, make_skill: MakeSkill, skilltool: Skilltool) -> None:
    make_skill(
        repo / "a", "---\nname: a\ndescription: Fills in forms.\n---\n\nab\t[x](gone.md)\n\t[y](lost.md)\n"
    )
    lines = skilltool("lint", "--select", "broken-link").stdout.splitlines()
    first, second = (number for number, line in enumerate(lines) if re.match(r"\d \| ", line))
    assert lines[first] == "6 | ab  [x](gone.md)"
    assert lines[second] == "7 |     [y](lost.md)"
    for number, target in ((first, "gone.md"), (second, "lost.md")):
        assert lines[number + 1].index("^") == lines[number].index(target)
