"""What lies around a check: help, pipes, odd patterns, closed directories, and the form of a report."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from skilltool.cli import COMMANDS
from skilltool.skill import schema
from tests.conftest import MakeSkill, Skilltool

BAD = "---\nname: Bad_Name\ndescription: Fills in forms.\n---\n\nText.\n"


@pytest.mark.slow
@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_the_help_of_every_command_shows_examples(skilltool: Skilltool, command: str) -> None:
    run = skilltool(*filter(None, [command]), "--help")
    assert (run.returncode, run.stderr) == (0, "")
    examples = run.stdout.partition("Examples:\n")[2].splitlines()
    assert examples
    assert examples[0].strip().startswith(f"skilltool {command}".rstrip())


@pytest.mark.slow
def test_the_json_of_a_real_run_is_described_key_by_key(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    make_skill(repo / os.fsdecode(b"bad \xff"), BAD)
    make_skill(repo / "empty", "")
    of_places = json.loads(skilltool("lint", "--output-format", "json").stdout)
    report = json.loads(skilltool("lint", "--runtime", "all", "--output-format", "json").stdout) | of_places
    described = schema.load("report")
    Draft202012Validator(described).validate(report)
    assert set(report) == set(described["properties"])
    assert set(report["summary"]) == set(described["properties"]["summary"]["properties"])
    assert report["diagnostics"]
    for entry in report["audiences"]:
        assert set(entry) == set(described["$defs"]["audience"]["properties"])
    for entry in report["diagnostics"]:
        assert set(entry) <= set(described["$defs"]["diagnostic"]["properties"])


@pytest.mark.slow
def test_a_configuration_may_come_through_a_pipe_if_it_is_named(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    make_skill(repo / "bad-name", BAD)
    os.mkfifo(repo / "skilltool.toml")  # found on the way: waiting for its writer would never end
    assert skilltool("lint").returncode == 1
    script = f"{sys.executable} -m skilltool lint --config <(echo 'fail-on = \"never\"')"
    run = subprocess.run(["bash", "-c", script], cwd=repo, capture_output=True, timeout=60, check=False)
    assert (run.returncode, run.stderr) == (0, b"")


@pytest.mark.parametrize("value", ["0", "[]", "false", '"x"'])
def test_a_table_of_ours_that_is_no_table_is_refused(skilltool: Skilltool, repo: Path, value: str) -> None:
    (repo / "pyproject.toml").write_text(f"[tool]\nskilltool = {value}\n", "utf-8")
    run = skilltool("lint")
    assert run.returncode == 2
    assert run.stderr.endswith("pyproject.toml [tool.skilltool]: must be a table of keys and values\n")


@pytest.mark.parametrize("text", ['a"\\\x1b\x7f', "🎉 \u202e\u2028", "日本/语"])
def test_shown_settings_are_plain_toml_whatever_a_pattern_holds(skilltool: Skilltool, text: str) -> None:
    shown = skilltool("lint", "--exclude", f"x{text}", "--show-settings").stdout
    assert tomllib.loads(shown)["exclude"][0].endswith(f"x{text}")
    assert [character for character in shown.replace("\n", "") if not character.isprintable()] == []


def test_what_git_ignores_is_checked_on_request_and_the_message_says_how(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    make_skill(repo / "build" / "bad-name", BAD)
    (repo / ".gitignore").write_text("build/\n", "utf-8")
    run = skilltool("lint")
    assert run.returncode == 2
    assert "--no-respect-gitignore" in run.stderr
    assert skilltool("lint", "--no-respect-gitignore").returncode == 1


@pytest.mark.usefixtures("enforced_permissions")
def test_a_closed_directory_is_2_and_the_rest_is_checked(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    make_skill(repo / "bad-name", BAD)
    closed, listed = make_skill(repo / "closed"), make_skill(repo / "listed")
    closed.chmod(0o000)
    listed.chmod(0o444)  # its names can be read, but nothing in it
    try:
        run = skilltool("lint", "--output-format", "concise")
        named = skilltool("lint", "closed/SKILL.md")
    finally:
        closed.chmod(0o700)
        listed.chmod(0o700)
    assert run.returncode == 2
    assert "bad-name/SKILL.md:2:7: error[invalid-name]" in run.stdout
    assert "listed/SKILL.md:1:1: error[unreadable-file]" in run.stdout
    assert run.stderr == f"skilltool: {closed}: Permission denied\n"
    assert (named.returncode, named.stderr) == (2, "skilltool: closed/SKILL.md: Permission denied\n")
