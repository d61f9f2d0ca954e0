"""`--help`: options in groups, one line per command, colour only where a terminal shows it."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from skilltool.cli import COMMANDS, group
from skilltool.cli.help import GROUPS
from tests.conftest import Skilltool
from tests.support.terminal import Terminal

ESCAPE = re.compile(r"\x1b\[[\d;]*m")
LARGE = (
    "survey",
    "route",
    "needs",
    "preview",
    "lint",
    "baseline",
    "render",
    "resolve",
    "cost",
    "new",
    "pack",
    "capture",
)


def headings(help_text: str) -> list[str]:
    return [line.removesuffix(":") for line in help_text.splitlines() if re.fullmatch(r"\S.*:", line)]


def on_a_terminal(*arguments: str, cwd: Path, **environment: str) -> str:
    with Terminal(*arguments, cwd=cwd, COLUMNS="80", **environment) as terminal:
        return terminal.rest().replace("\r\n", "\n")


def test_the_options_of_lint_stand_in_groups_in_this_order(skilltool: Skilltool) -> None:
    text = skilltool("lint", "--help").stdout
    assert headings(text) == [
        "Rules",
        "Files",
        "Output",
        "Fixes",
        "Exit status",
        "Configuration",
        "Cache and processes",
        "Limits",
        "Other options",
    ]
    rules = text.partition("\nRules:\n")[2].partition("\n\n")[0]
    for option in ("--runtime", "--select", "--extend-select", "--ignore", "--baseline"):
        assert f"  {option} " in rules
    assert "Exclude files matching this gitignore pattern" in text
    assert "Lowest severity that fails the run." in text


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_an_option_of_a_large_command_names_its_group_and_all_are_shown(
    skilltool: Skilltool, name: str
) -> None:
    command = group.get_command(click.Context(group), name)
    assert command is not None
    text = skilltool(name, "--help").stdout
    shown = headings(text)
    if name in LARGE:
        assert set(shown) <= set(GROUPS)
        assert re.search(
            r"^Other options:\n  -h, --help .*\n$", text[: text.index("\n  Examples:") + 1], re.M
        )
    else:
        assert shown == ["Options"]
    for option in command.params:
        if isinstance(option, click.Option):
            assert re.search(rf"^  (-\w, )?{option.opts[-1]}\b", text, re.MULTILINE), option.opts
            assert option.help is not None
            assert option.help.partition(" [")[0][-1] == ".", option.opts


def test_a_command_is_one_line_of_what_a_person_gets(skilltool: Skilltool) -> None:
    text = skilltool("--help").stdout
    for name, about in COMMANDS.items():
        assert re.search(rf"^  {name} +{re.escape(about)}$", text, re.MULTILINE)


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [["--help"], ["lint", "--help"], ["server", "-h"]])
def test_help_on_a_terminal_is_coloured_and_otherwise_the_same(
    skilltool: Skilltool, repo: Path, arguments: list[str]
) -> None:
    plain = skilltool(*arguments, COLUMNS="80").stdout
    assert "\x1b" not in plain
    colored = on_a_terminal(*arguments, cwd=repo)
    assert ESCAPE.sub("", colored) == plain
    heading = "Commands" if arguments == ["--help"] else "Options" if "server" in arguments else "Rules"
    assert f"\x1b[1;32m{heading}:\x1b[0m\n" in colored
    assert "\x1b[1;36m--help\x1b[0m" in colored


@pytest.mark.slow
@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_help_is_plain_on_a_terminal_that_wants_no_colour(
    skilltool: Skilltool, repo: Path, environment: dict[str, str]
) -> None:
    plain = skilltool("lint", "--help", COLUMNS="80").stdout
    assert on_a_terminal("lint", "--help", cwd=repo, **environment) == plain


def test_help_in_a_pipe_is_coloured_only_by_force(skilltool: Skilltool) -> None:
    assert "\x1b[1;36m--select\x1b[0m \x1b[36mRULES\x1b[0m" in skilltool("lint", "-h", FORCE_COLOR="1").stdout
    assert "\x1b" not in skilltool("lint", "-h", FORCE_COLOR="1", NO_COLOR="1").stdout


def test_a_wide_terminal_gives_wider_help_and_a_narrow_one_loses_nothing(skilltool: Skilltool) -> None:
    def widest(columns: str) -> int:
        options = skilltool("lint", "--help", COLUMNS=columns).stdout.partition("\n  Examples:")[0]
        return max(map(len, options.splitlines()))

    assert widest("60") <= 60
    assert widest("80") <= 80 < widest("120") <= 100


def test_an_error_and_its_usage_line_are_never_coloured(skilltool: Skilltool, repo: Path) -> None:
    assert "\x1b" not in on_a_terminal("lint", "--nope", cwd=repo)
    run = skilltool("lint", "--nope", FORCE_COLOR="1")
    assert run.returncode == 2
    assert "\x1b" not in run.stderr
    assert "\\x1b" not in run.stderr


def test_without_a_command_the_help_is_on_standard_error(skilltool: Skilltool, repo: Path) -> None:
    run = skilltool()
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr == skilltool("--help").stdout
    assert "\\x1b" not in on_a_terminal(cwd=repo)


@pytest.mark.parametrize(
    "name", ["lint", "baseline", "resolve", "render", "cost", "preview", "survey", "pack", "new", "server"]
)
def test_the_limit_of_time_is_in_the_help_of_each_command_that_has_it(
    skilltool: Skilltool, name: str
) -> None:
    shown = skilltool(name, "--help").stdout
    assert (
        name == "server" or "\nLimits:\n  --time-limit SECONDS " in shown
    )  # it has few options, in one group
    limits = shown.partition("\n  --time-limit SECONDS ")[2].partition("\n\n")[0]
    assert "[env var: SKILLTOOL_TIMEOUT]" in " ".join(limits.split())
