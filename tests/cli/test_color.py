"""Colour of results for people: on a terminal or by request, with the same text as in a pipe."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from skilltool.cli.color import painted_diff, painted_outline, painted_page, painted_table
from tests.conftest import MakeSkill, Skilltool
from tests.support.terminal import Terminal

ESCAPE = re.compile(r"\x1b\[[\d;]*m")
COMMANDS = [
    ["rule"],
    ["rule", "broken-link"],
    ["rule", "body"],
    ["runtimes"],
    ["runtimes", "kodelet"],
    ["resolve", "--runtime", "kodelet", "--home", "home"],
    ["resolve", "forms", "--runtime", "kodelet", "--home", "home"],
    ["lint", "--diff", "--no-cache", ".kodelet/skills/forms"],
]


@pytest.fixture
def skills(repo: Path, make_skill: MakeSkill) -> Path:
    """A skill with a fix in a root of kodelet, another copy of it, and one that does not load."""
    text = "---\r\nname: forms\r\ndescription: Fills in forms. Use when asked.\r\n---\r\n\r\nText.\r\n"
    make_skill(repo / ".kodelet" / "skills" / "forms", text)
    make_skill(repo / "home" / ".kodelet" / "skills" / "forms")
    make_skill(repo / ".kodelet" / "skills" / "broken", "# no frontmatter\n")
    return repo


# A page is drawn on a terminal: tests/cli/test_terminal.py
SAME_TEXT = [command for command in COMMANDS if command != ["rule", "broken-link"]]


@pytest.mark.slow
@pytest.mark.parametrize("arguments", SAME_TEXT, ids=" ".join)
def test_a_terminal_shows_colour_and_the_text_of_the_pipe(
    skilltool: Skilltool, skills: Path, arguments: list[str]
) -> None:
    piped = skilltool(*arguments, cwd=skills)
    assert "\x1b" not in piped.stdout
    with Terminal(*arguments, cwd=skills, COLUMNS="1000") as terminal:
        shown = terminal.rest().replace("\r\n", "\n")
    assert "\x1b[" in shown
    printed, note, _ = ESCAPE.sub("", shown).partition("\nskilltool: ")
    printed += "\n" if note else ""
    assert printed.replace("\\x0d", "") == piped.stdout  # the fixture reads line ends as Python does


@pytest.mark.slow
@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_the_option_decides_in_a_pipe_and_the_environment_on_a_terminal(
    skilltool: Skilltool, skills: Path, arguments: list[str]
) -> None:
    assert "\x1b[" in skilltool(*arguments, "--color", "always", NO_COLOR="1").stdout
    assert "\x1b" not in skilltool(*arguments, "--color", "never", FORCE_COLOR="1").stdout
    with Terminal(*arguments, cwd=skills, NO_COLOR="1") as terminal:
        assert "\x1b" not in terminal.rest()


@pytest.mark.parametrize("command", ["rule", "runtimes", "resolve"])
def test_json_is_never_coloured(skilltool: Skilltool, command: str) -> None:
    extra = ["--runtime", "kodelet"] if command == "resolve" else []
    run = skilltool(command, *extra, "--output-format", "json", "--color", "always")
    assert "\x1b" not in run.stdout


@pytest.mark.usefixtures("skills")
def test_a_file_is_never_coloured(skilltool: Skilltool, repo: Path) -> None:
    for arguments in COMMANDS[5:]:
        skilltool(*arguments, "-o", "out", "--color", "always")
        assert b"\x1b" not in (repo / "out").read_bytes()


def test_escape_sequences_of_a_skill_stay_escaped_in_colour(skilltool: Skilltool, skills: Path) -> None:
    file = skills / ".kodelet" / "skills" / "forms" / "SKILL.md"
    file.write_bytes(file.read_bytes().replace(b"Text.", b"\x1b[31mText.\x1b]8;;x\x07"))
    shown = skilltool("lint", "--diff", ".kodelet/skills/forms", "--color", "always").stdout
    assert "\\x1b[31mText.\\x1b]8;;x\\x07" in shown
    assert "\x1b" not in ESCAPE.sub("", shown)
    (skills / ".kodelet" / "skills" / "\x1b[31mevil").mkdir()
    listed = skilltool("resolve", "--runtime", "kodelet", "--color", "always").stdout
    assert "\x1b" not in ESCAPE.sub("", listed)
    assert "\x1b[31mevil" not in listed


def test_a_diff_is_coloured_as_git_does() -> None:
    diff = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n----\n-a\n+b\n c\n"
    assert painted_diff(diff) == (
        "\x1b[1mdiff --git a/x b/x\x1b[0m\n\x1b[1m--- a/x\x1b[0m\n\x1b[1m+++ b/x\x1b[0m\n"
        "\x1b[36m@@ -1,2 +1,2 @@\x1b[0m\n\x1b[31m----\x1b[0m\n\x1b[31m-a\x1b[0m\n\x1b[32m+b\x1b[0m\n c\n"
    )


def test_headings_and_severities_of_a_page_are_coloured_but_not_what_is_in_a_fence() -> None:
    page = "# x\n\nerror, group body, opt-in\n\n```markdown\n# y\n```\n\n```text\n"
    page += "a:1:1: info[x]: z\n```\n## Good\n"
    lines = painted_page(page).split("\n")
    assert lines[0] == "\x1b[1m# x\x1b[0m"
    assert lines[2] == "\x1b[1;31merror\x1b[0m, group body, opt-in"
    assert lines[5] == "# y"
    assert lines[9] == "a:1:1: \x1b[1;36minfo[x]\x1b[0m: z"
    assert lines[11] == "\x1b[1m## Good\x1b[0m"


def test_names_of_a_table_and_labels_of_an_outline_are_coloured() -> None:
    assert painted_table("a-b  error  body  An error.\n") == (
        "\x1b[1;36ma-b\x1b[0m  \x1b[1;31merror\x1b[0m  body  An error.\n"
    )
    assert painted_table("kodelet  errors (x)\n") == "\x1b[1;36mkodelet\x1b[0m  errors (x)\n"
    assert painted_outline("skipped: 1\n  loaded: x\n\nskills directories, in order\n") == (
        "\x1b[31mskipped\x1b[0m: 1\n  loaded: x\n\n\x1b[1mskills directories, in order\x1b[0m\n"
    )
