"""Paths are hyperlinks where a terminal takes them, lead to the file, and change nothing that is seen."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote_to_bytes, urlsplit

import pytest
from hypothesis import given, settings

from skilltool.report import FOR_PEOPLE, FORMATS, Report, Style, render
from skilltool.report.style import supported
from tests.conftest import MakeSkill, Skilltool, examples
from tests.report.test_escapes import encoded, reports
from tests.support.terminal import Terminal

LINK = re.compile(r"\x1b\]8;;([^\x1b\x07]+)\x1b\\([^\x1b]*)\x1b\]8;;\x1b\\")
COLOR = re.compile(r"\x1b\[[0-9;]*m")
ERASED = "\x1b[2K"  # the last of a progress bar, which appears on a slow machine
BAD = "---\nname: a\ndescription: Fills in forms. Use when asked.\n---\n\n[x](gone.md)\n"


@pytest.mark.slow
@settings(max_examples=examples(150))
@given(reports())
def test_a_link_is_the_path_whatever_is_in_it_and_is_not_seen(report: Report) -> None:
    for name in FORMATS:
        linked = render(report, name, Style(links=True, notes=True))
        assert LINK.sub(lambda link: link[2], linked) == render(report, name, Style(notes=True))
        found = LINK.findall(linked)
        assert bool(found) == (name in FOR_PEOPLE)
        for uri, _ in found:
            assert re.fullmatch(r"file://[\w.-]*/([A-Za-z0-9._~/:-]|%[0-9A-F]{2})*", uri)
    path = report.diagnostics[0].path
    wanted = [(Path.cwd() / path).as_posix(), path]
    if not re.search(r"//|(^|/)\.{1,2}(/|$)|/$", path) and path:  # what means the same in a simpler way
        linked = render(report, "concise", Style(links=True, notes=True))
        raw = unquote_to_bytes(urlsplit(found_uri(linked)).path)
        assert raw in [encoded(text, f"surrogate{way}") for text in wanted for way in ("escape", "pass")]


def found_uri(text: str) -> str:
    match = LINK.search(text)
    assert match is not None
    return match[1]


@pytest.mark.slow
@pytest.mark.parametrize("output_format", FOR_PEOPLE)
def test_a_terminal_that_takes_links_gets_them(repo: Path, make_skill: MakeSkill, output_format: str) -> None:
    make_skill(repo / "my skills" / "a", BAD)
    with Terminal("lint", "--output-format", output_format, cwd=repo, VTE_VERSION="7600") as terminal:
        shown = COLOR.sub("", terminal.rest())
    (uri, text), *_ = LINK.findall(shown)
    assert text == "my skills/a/SKILL.md" + ("" if output_format == "grouped" else ":6:5")
    assert Path(unquote_to_bytes(urlsplit(uri).path).decode()) == repo / "my skills" / "a" / "SKILL.md"
    assert urlsplit(uri).hostname


@pytest.mark.slow
def test_the_table_of_targets_has_links_and_stands_straight(repo: Path, make_skill: MakeSkill) -> None:
    make_skill(repo / "a")
    make_skill(repo / "longer-name")
    arguments = ("lint", "--runtime", "all", "--fail-on", "never")
    with Terminal(*arguments, cwd=repo, FORCE_HYPERLINK="1") as terminal:
        linked = terminal.rest().rpartition(ERASED)[2]
    with Terminal(*arguments, cwd=repo) as terminal:
        assert LINK.sub(lambda link: link[2], linked) == terminal.rest().rpartition(ERASED)[2]
    assert {text for _, text in LINK.findall(COLOR.sub("", linked))} >= {"a", "longer-name"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("variables", "options", "links"),
    [
        ({}, [], False),
        ({"VTE_VERSION": "7600"}, [], True),
        ({"VTE_VERSION": "7600", "NO_COLOR": "1"}, [], True),
        ({"VTE_VERSION": "7600", "TERM": "dumb"}, [], False),
        ({"VTE_VERSION": "7600", "FORCE_HYPERLINK": "0"}, [], False),
        ({"VTE_VERSION": "7600"}, ["--color", "never"], False),
        ({"VTE_VERSION": "7600"}, ["--output-format", "json"], False),
        ({"FORCE_HYPERLINK": "1"}, [], True),
    ],
)
def test_the_environment_decides(
    repo: Path, make_skill: MakeSkill, variables: dict[str, str], options: list[str], links: bool
) -> None:
    make_skill(repo / "a", BAD)
    with Terminal("lint", *options, cwd=repo, **variables) as terminal:
        shown = terminal.rest()
    assert ("\x1b]8;;" in shown) == links


@pytest.mark.slow
def test_a_diff_on_a_terminal_is_shown_and_not_obeyed(repo: Path) -> None:
    (repo / "a").mkdir()
    text = "\ufeff---\nname: a\n---\n\x1b[31mred\x1b]0;x\x07\n"
    (repo / "a" / "SKILL.md").write_text(text, "utf-8")
    with Terminal("lint", "--diff", "--color", "never", cwd=repo) as terminal:
        shown = terminal.rest()
    assert "\x1b" not in shown
    assert "\\x1b[31mred" in shown


def test_no_pipe_and_no_file_gets_links_unless_they_are_forced(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    make_skill(repo / "a", BAD)
    assert "\x1b" not in skilltool("lint", VTE_VERSION="7600").stdout
    assert "\x1b]8;;file://" in skilltool("lint", FORCE_HYPERLINK="1").stdout
    skilltool("lint", "-o", "report", FORCE_HYPERLINK="1")
    assert "\x1b" not in (repo / "report").read_text("utf-8")


@pytest.mark.together
@pytest.mark.parametrize(
    ("variables", "links"),
    [
        ({"TERM": "xterm-256color"}, False),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal"}, False),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "vscode"}, True),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"}, True),
        ({"TERM": "xterm-kitty"}, True),
        ({"TERM": "alacritty-direct"}, True),
        ({"TERM": "xterm", "VTE_VERSION": "4803"}, False),
        ({"TERM": "xterm", "VTE_VERSION": "5000"}, False),
        ({"TERM": "xterm", "VTE_VERSION": "0.76"}, False),
        ({"TERM": "xterm", "COLORTERM": "truecolor"}, False),
        ({"TERM": "xterm", "COLORTERM": "xfce4-terminal"}, True),
        ({"WT_SESSION": "1f"}, True),
        ({}, False),
    ],
)
def test_terminals_are_known_by_what_they_set(variables: dict[str, str], links: bool) -> None:
    assert supported(variables, terminal=True) is links
    assert not supported(variables, terminal=False)
    assert not supported({**variables, "FORCE_HYPERLINK": "0"}, terminal=True)
    assert supported({**variables, "FORCE_HYPERLINK": ""}, terminal=False)
