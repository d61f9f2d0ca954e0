"""A command or an option that does not exist: what people mean by it is suggested in one line, or nothing."""

from __future__ import annotations

import click
import pytest

from skilltool.cli import COMMANDS, did_you_mean, group
from tests.conftest import Skilltool

MEANT = {
    "init": "new",
    "create": "new",
    "scaffold": "new",
    "add": "new",
    "generate": "new",
    "check": "lint",
    "validate": "lint",
    "test": "lint",
    "verify": "lint",
    "fix": "lint --fix",
    "format": "lint --fix",
    "explain": "rule",
    "rules": "rule",
    "show": "render",
    "print": "render",
    "view": "render",
    "cat": "render",
    "list": "resolve",
    "ls": "resolve",
    "which": "resolve",
    "where": "resolve",
    "find": "resolve",
    "tokens": "cost",
    "budget": "cost",
    "size": "cost",
    "serve": "preview",
    "web": "preview",
    "ui": "preview",
    "open": "preview",
    "lsp": "server",
    "language-server": "server",
    "zip": "pack",
    "build": "pack",
    "package": "pack",
    "publish": "pack",
    "cache": "clean",
    "version": "--version",
    "help": "--help",
    # misspelt, begun, and misspelt words of other tools
    "lnit": "lint",
    "ocst": "cost",
    "rendr": "render",
    "sever": "server",
    "prev": "preview",
    "Lint": "lint",
    "valdate": "lint",
}


def context(name: str) -> click.Context:
    top = click.Context(group, info_name="skilltool")
    command = group.get_command(top, name)
    assert command is not None
    return click.Context(command, info_name=name, parent=top)


@pytest.mark.together
@pytest.mark.parametrize(("word", "command"), MEANT.items())
def test_a_command_is_suggested_by_what_people_mean(word: str, command: str) -> None:
    assert did_you_mean.command([word, "x"], COMMANDS) == [f"skilltool {command}"]


@pytest.mark.parametrize("word", ["install", "instal", "run", "update", "xyzzy", "l", "zz", "", "x" * 5000])
def test_nothing_is_suggested_for_what_there_is_nothing_for(word: str) -> None:
    assert did_you_mean.command([word], COMMANDS) == []


@pytest.mark.together
@pytest.mark.parametrize(
    ("command", "word", "options"),
    [
        ("lint", "--fromat", ["--output-format"]),
        ("lint", "--format", ["--output-format"]),
        ("lint", "-f", ["--output-format"]),
        ("lint", "--json", ["--output-format json"]),
        ("lint", "--output", ["--output-file"]),
        ("lint", "--severity", ["--fail-on"]),
        ("lint", "--fail-on-warnings", ["--fail-on warning"]),
        ("lint", "--strict", ["--fail-on warning"]),
        ("lint", "--rules", ["--select"]),
        ("lint", "--enable", ["--extend-select"]),
        ("lint", "--disable", ["--ignore"]),
        ("lint", "--client", ["--runtime"]),
        ("lint", "--all", ["--runtime all"]),
        ("lint", "--dry-run", ["--diff"]),
        ("lint", "--write", ["--fix"]),
        ("lint", "--path", ["skilltool lint PATHS"]),
        ("lint", "--timeout", ["--time-limit"]),
        ("lint", "--rwa", ["--raw"]),
        ("lint", "--fxi", ["--fix"]),
        ("lint", "--output_format", ["--output-format"]),
        ("lint", "--exit", ["--exit-zero", "--exit-non-zero-on-fix"]),
        ("render", "--fromat", ["--output-format"]),
        ("render", "--skill", ["skilltool render NAME"]),
        ("render", "--target", ["--runtime"]),
        ("resolve", "--cwd", ["--project"]),
        ("resolve", "--verbose", ["--explain"]),
        ("cost", "--json", ["--output-format json"]),
        ("preview", "--output", ["--export"]),
        ("pack", "--fromat", ["--format"]),
        ("survey", "--output", ["--out"]),
        ("new", "--dir", ["--output DIR"]),
        ("new", "-f", ["--force"]),
        # words that others know, near to something else here, and values that an option does not take
        ("clean", "--client", []),
        ("new", "--watch", []),
        ("new", "--all", []),
        ("render", "--dry-run", []),
        ("render", "--port", []),
        ("resolve", "--sarif", []),
        ("resolve", "--quiet", []),
        ("schema", "--json", []),
        ("lint", "--zebra", []),
    ],
)
def test_an_option_is_suggested_if_the_command_has_it(command: str, word: str, options: list[str]) -> None:
    assert did_you_mean.option(word, context(command)) == options


@pytest.mark.slow
@pytest.mark.together
@pytest.mark.parametrize("command", COMMANDS)
def test_no_suggestion_is_an_option_that_the_command_lacks(command: str) -> None:
    here = context(command)
    own = {name for each in here.command.get_params(here) for name in (*each.opts, *each.secondary_opts)}
    words = [word for _, others in did_you_mean._OPTIONS for word in others.split()]
    for word in words:
        for shown in did_you_mean.option(f"--{word}", here):
            assert shown.startswith("skilltool ") or shown.split()[0] in own


def test_each_command_that_is_suggested_exists(skilltool: Skilltool) -> None:
    for shown in filter(None, did_you_mean._COMMANDS):
        first, *options = shown.split()
        if first.startswith("-"):
            assert skilltool(first).returncode == 0
        else:
            assert first in COMMANDS
            assert all(each in context(first).command.get_help(context(first)) for each in options)


def test_no_word_stands_twice_in_the_table_of_commands() -> None:
    words = [word for others in did_you_mean._COMMANDS.values() for word in others.split()]
    assert len(words) == len(set(words))
    assert not set(words) & set(COMMANDS)


def test_a_typo_is_a_usage_line_a_hint_and_one_error(skilltool: Skilltool) -> None:
    run = skilltool("lint", "--fromat=json")
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr == (
        "Usage: skilltool lint [OPTIONS] [PATHS]...\n"
        "Try 'skilltool lint --help' for help.\n"
        "\n"
        "Error: No such option '--fromat'. Did you mean '--output-format'?\n"
    )
    run = skilltool("init", "x")
    assert run.stderr.endswith("\n\nError: No such command 'init'. Did you mean 'skilltool new'?\n")
    assert run.stderr.count("\n") == 4
    assert skilltool("--fix").stderr.endswith("Did you mean 'skilltool lint --fix'?\n")
    assert skilltool("help", "lint").stderr.endswith("Did you mean 'skilltool lint --help'?\n")
    assert skilltool("install").stderr.endswith("\n\nError: No such command 'install'.\n")
