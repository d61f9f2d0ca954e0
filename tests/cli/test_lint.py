"""`skilltool lint` as a user runs it: configuration, paths and names of any kind, order, colour."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.conftest import MakeSkill, Skilltool

BAD = "---\nname: Bad_Name\ndescription: Fills in forms.\n---\n\n[x](gone.md)\n"
CONCISE = ("--output-format", "concise")


@pytest.fixture
def bad(repo: Path, make_skill: MakeSkill) -> Path:
    return make_skill(repo / "bad", BAD)


@pytest.mark.slow
@pytest.mark.usefixtures("bad")
def test_the_nearest_configuration_a_named_one_or_none_is_used(skilltool: Skilltool, repo: Path) -> None:
    (repo / "pyproject.toml").write_text('[tool.skilltool]\nfail-on = "never"\n', "utf-8")
    (repo / "other.toml").write_text('ignore = ["all"]\n', "utf-8")
    assert skilltool("lint").returncode == 0
    assert skilltool("lint", "bad/SKILL.md", cwd=repo.parent / "repo").returncode == 0
    assert skilltool("lint", "repo/bad", cwd=repo.parent).returncode == 0
    assert skilltool("lint", "--isolated").returncode == 1
    assert (
        skilltool("lint", "--config", "other.toml").stdout
        == "1 skill checked against `portable`, no findings\n"
    )


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"fail_on = 'info'", "skilltool.toml: unknown key `fail_on`; did you mean `fail-on`?"),
        (b"ignore = ['brokenlink']", "skilltool.toml: `ignore`: unknown rule or group `brokenlink`"),
        (b"fail-on = ", "skilltool.toml:1:11: invalid TOML: invalid value"),
        (b"\xff", "skilltool.toml: not UTF-8"),
        (b'"\\u001b[31m" = 1', "skilltool.toml: unknown key `\\x1b[31m`"),
    ],
)
@pytest.mark.usefixtures("bad")
def test_a_wrong_configuration_is_2_and_nothing_is_checked(
    skilltool: Skilltool, repo: Path, raw: bytes, words: str
) -> None:
    (repo / "skilltool.toml").write_bytes(raw)
    run = skilltool("lint")
    assert (run.returncode, run.stdout) == (2, "")
    assert words in run.stderr
    assert run.stderr.count("\n") == 1


def test_settings_shown_from_a_file_in_use_are_the_settings_of_that_file(
    skilltool: Skilltool, repo: Path
) -> None:
    file = repo / "skilltool.toml"
    file.write_text('runtimes = ["agentskills"]\nignore = ["body"]\nexclude = ["ä", "b\\nc"]\n', "utf-8")
    shown = skilltool("lint", "--show-settings", "--extend-select", "pedantic").stdout
    assert shown.startswith(f"# configuration: {file}\n")
    file.write_text(shown, "utf-8")
    assert skilltool("lint", "--show-settings").stdout == shown


@pytest.mark.usefixtures("bad")
def test_what_is_excluded_leaves_nothing_to_check_unless_it_is_named(skilltool: Skilltool) -> None:
    run = skilltool("lint", "--exclude", "bad")
    assert (run.returncode, run.stdout) == (2, "")
    assert "of them are excluded" in run.stderr
    assert skilltool("lint", "bad", "--exclude", "bad").returncode == 1
    forced = skilltool("lint", "bad", "--exclude", "bad", "--force-exclude")
    assert (forced.returncode, forced.stdout) == (0, "no skills checked\n")


def test_a_skill_named_in_several_ways_is_checked_once(skilltool: Skilltool, bad: Path) -> None:
    (bad.parent / "link").symlink_to("bad")
    run = skilltool("lint", "bad", ".", "link", bad, "bad/SKILL.md", *CONCISE)
    assert run.stdout.count("invalid-name") == 1
    assert " of 1 skill, checked against `portable`\n" in run.stdout


@pytest.mark.usefixtures("bad")
def test_a_link_to_the_root_of_the_system_is_not_walked(skilltool: Skilltool, repo: Path) -> None:
    (repo / "everything").symlink_to("/")
    assert " of 1 skill, checked against `portable`\n" in skilltool("lint", *CONCISE).stdout


@pytest.mark.parametrize("name", ["\x1b[31m\n::error::x", os.fsdecode(b"\xff"), "x" * 5000, "\u202e"])
def test_a_path_that_does_not_exist_is_one_harmless_line(skilltool: Skilltool, name: str) -> None:
    run = skilltool("lint", name)
    assert run.returncode == 2
    assert run.stderr.count("\n") == 1
    assert run.stderr.rstrip("\n").isprintable()
    assert run.stderr.startswith("skilltool: ")


@pytest.mark.parametrize(
    "arguments", [["\x07\u202e"], ["lint", "--\x1b[31m"], ["lint", "--fail-on", "\x9b1m"]]
)
def test_a_wrong_argument_does_not_reach_the_terminal_raw(skilltool: Skilltool, arguments: list[str]) -> None:
    run = skilltool(*arguments)
    assert run.returncode == 2
    assert run.stderr.replace("\n", "").isprintable()


def test_a_path_in_place_of_a_command_is_answered_with_lint(skilltool: Skilltool, bad: Path) -> None:
    assert f"Did you mean 'skilltool lint {bad.name}'?" in skilltool(bad.name).stderr


@pytest.mark.slow
@pytest.mark.parametrize("broken", ["directory", "dangling", "pipe", "large", "zeros"])
def test_a_skill_that_cannot_be_read_is_a_finding_and_the_others_are_checked(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill, broken: str
) -> None:
    make_skill(repo / "forms")
    (repo / "odd").mkdir()
    file = repo / "odd" / "SKILL.md"
    match broken:
        case "directory":
            file.mkdir()
        case "dangling":
            file.symlink_to("nothing")
        case "pipe":
            os.mkfifo(file)
        case "large":
            file.write_bytes(b"x" * 2_000_000)
        case "zeros":
            file.write_bytes(b"\0" * 100)
    run = skilltool("lint", *CONCISE)
    assert run.returncode == 1
    assert run.stderr == ""
    assert run.stdout.startswith("odd/SKILL.md:1:1: error[")
    assert run.stdout.endswith(" in 1 of 2 skills, checked against `portable`\n")


@pytest.mark.slow
def test_the_order_does_not_depend_on_the_order_of_paths(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    names = ["b", "a", "a-b", "a/c", "Z"]
    for name in names:
        make_skill(repo / name, BAD)
    forward = skilltool("lint", *names, *CONCISE).stdout
    assert forward == skilltool("lint", *reversed(names), *CONCISE, PYTHONHASHSEED="1").stdout
    paths = [
        line.partition("/SKILL.md")[0] for line in forward.splitlines() if ": warning[broken-link]" in line
    ]
    assert list(dict.fromkeys(paths)) == ["Z", "a", "a/c", "a-b", "b"]


@pytest.mark.usefixtures("bad")
def test_a_finding_of_one_target_only_names_that_target(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    make_skill(repo / "long", f"---\nname: long\ndescription: Use when {'x' * 600}\n---\nBody\n")
    both = ("--runtime", "agentskills", "--runtime", "portable", "--select", "long-description")
    (entry,) = json.loads(skilltool("lint", *both, "--output-format", "json").stdout)["diagnostics"]
    assert (entry["rule"], entry["runtimes"]) == ("long-description", ["portable"])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("environment", "colored"),
    [
        ({"FORCE_COLOR": "1"}, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ({"FORCE_COLOR": ""}, False),
        ({"FORCE_COLOR": "1", "NO_COLOR": ""}, True),
    ],
)
@pytest.mark.usefixtures("bad")
def test_no_colour_overrules_forced_colour_and_empty_means_unset(
    skilltool: Skilltool, environment: dict[str, str], colored: bool
) -> None:
    assert ("\x1b[" in skilltool("lint", **environment).stdout) is colored


@pytest.mark.usefixtures("bad")
@pytest.mark.parametrize("name", ["json", "github"])
def test_formats_for_programs_are_never_coloured(skilltool: Skilltool, name: str) -> None:
    assert "\x1b" not in skilltool("lint", "--color", "always", "--output-format", name).stdout
