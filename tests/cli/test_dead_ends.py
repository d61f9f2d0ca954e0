"""A skill that a runtime does not have: the message says where it looks and what to type, and that works."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from skilltool import runtimes
from skilltool.inspect.render import parts_of
from tests.conftest import MakeSkill, Skilltool
from tests.support.roots import DISTINCT


@pytest.fixture
def foreign(repo: Path, make_skill: MakeSkill) -> Path:
    """A skill in the directory of a client for which there is no profile."""
    return make_skill(repo / ".someclient" / "skills" / "pdf forms")


def suggested(stderr: str) -> list[str]:
    """Return the arguments of the command that the last line proposes."""
    proposed = re.findall(r"`skilltool (.*?)`", stderr.splitlines()[-1])
    assert proposed, stderr
    return shlex.split(proposed[-1])


@pytest.mark.usefixtures("foreign")
@pytest.mark.parametrize("command", ["render", "resolve"])
@pytest.mark.parametrize("name", ["pdf forms", ".someclient/skills/pdf forms"])
def test_a_skill_in_no_root_is_2_with_the_directories_and_a_command(
    skilltool: Skilltool, command: str, name: str
) -> None:
    run = skilltool(command, name)
    assert (run.returncode, run.stdout) == (2, "")
    for place in (".kodelet/skills", "~/.nfa/skills", "skills"):
        assert place in run.stderr
    assert "contains the skill" not in run.stderr
    proposed = skilltool(*suggested(run.stderr))
    assert proposed.returncode == 0, proposed.stderr
    assert ".someclient/skills/pdf forms" in run.stderr


@pytest.mark.usefixtures("foreign")
@pytest.mark.parametrize(
    "runtime", [n for n in DISTINCT if not runtimes.get(n).any_roots and parts_of(runtimes.get(n))]
)
def test_the_command_for_a_named_runtime_shows_the_skill(skilltool: Skilltool, runtime: str) -> None:
    run = skilltool("render", ".someclient/skills/pdf forms", "--runtime", runtime)
    assert run.returncode == 1
    assert "; it looks in " in run.stderr
    shown = skilltool(*suggested(run.stderr))
    loads = "found it in .someclient/skills/pdf forms; to show it, run" in run.stderr
    assert shown.returncode == (0 if loads else 1), shown.stderr
    assert not loads or "Read the form's fields" in shown.stdout


def test_the_command_keeps_the_other_options(skilltool: Skilltool, foreign: Path) -> None:
    options = ("--runtime", "kodelet", "--home", ".git", "--set", "fs_search=true", "--root", "project=.git")
    run = skilltool("render", "pdf forms", *options)
    command = suggested(run.stderr)
    assert command[:6] == [
        "render",
        "pdf forms",
        "--runtime",
        "kodelet",
        "--root",
        "project=.someclient/skills",
    ]
    assert command[6:] == ["--home", ".git", "--set", "fs_search=true"]


@pytest.mark.usefixtures("foreign")
def test_the_command_keeps_flags_without_a_value(skilltool: Skilltool) -> None:
    run = skilltool("resolve", "pdf forms", "--runtime", "claude-code", "--no-user-settings", "--explain")
    assert suggested(run.stderr)[-2:] == ["--no-user-settings", "--explain"]
    assert skilltool(*suggested(run.stderr)).returncode == 0


def test_all_runtimes_say_once_where_they_look(skilltool: Skilltool) -> None:
    said = skilltool("render", "nothing").stderr.splitlines()[0]
    looking = said.removeprefix("skilltool: the runtimes look in these directories: ").split("; ")
    assert [each.partition(": ")[0] for each in looking] == list(runtimes.BARE)
    assert "kodelet: .kodelet/skills, ~/.kodelet/skills" in looking


def test_what_the_roots_contain_is_said(skilltool: Skilltool, repo: Path, make_skill: MakeSkill) -> None:
    for name in ("a", "b", "c", "d", "e", "f"):
        make_skill(repo / ".kodelet/skills" / name)
    make_skill(repo / ".kodelet/skills/broken", "# no frontmatter\n")
    run = skilltool("render", "nothing", "--runtime", "kodelet", "--home", str(repo / ".git"))
    assert ".kodelet/skills (loads a, b, c, d, e and 1 more; skips 1)" in run.stderr
    assert ".kodelet/skills (does not exist)" in run.stderr
    assert suggested(run.stderr) == ["resolve", "--runtime", "kodelet"]
    shutil.rmtree(repo / ".kodelet/skills/f")
    run = skilltool("render", "nothing", "--runtime", "kodelet", "--home", str(repo / ".git"))
    assert ".kodelet/skills (loads a, b, c, d, e; skips 1)" in run.stderr


@pytest.mark.parametrize(
    ("named", "words", "command"),
    [
        ("folder", "loads as `forms`", "render forms --runtime kodelet"),
        ("form", "contains a skill called `form`", "render forms --runtime kodelet"),
        ("broken", "is skipped: ", "resolve broken --runtime kodelet"),
    ],
)
def test_a_name_that_is_nearly_right_leads_to_the_right_one(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill, named: str, words: str, command: str
) -> None:
    make_skill(
        repo / ".kodelet/skills/folder", "---\nname: forms\ndescription: Fills in forms.\n---\n\nText.\n"
    )
    make_skill(repo / ".kodelet/skills/broken", "# no frontmatter\n")
    run = skilltool("render", named, "--runtime", "kodelet")
    assert run.returncode == 1
    assert words in run.stderr
    assert " ".join(suggested(run.stderr)) == command


def test_a_copy_that_the_runtime_refuses_leads_to_lint(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    make_skill(repo / "elsewhere/broken", "# no frontmatter\n")
    run = skilltool("render", "broken", "--runtime", "kodelet")
    assert suggested(run.stderr) == ["lint", "elsewhere/broken", "--runtime", "kodelet"]
    assert skilltool(*suggested(run.stderr)).returncode == 1


def test_the_runtime_whose_user_root_has_it_is_used(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    make_skill(repo / "home/.nfa/skills/forms")
    run = skilltool("render", "forms", "--home", "home")
    assert run.returncode == 0
    assert "runtime nfa: its root home/.nfa/skills contains the skill" in run.stderr


def test_a_home_directory_is_not_searched(skilltool: Skilltool, repo: Path, make_skill: MakeSkill) -> None:
    make_skill(repo / "deep/down/forms")
    assert "deep/down/forms" in skilltool("render", "forms").stderr
    assert "deep/down/forms" not in skilltool("render", "forms", HOME=str(repo)).stderr
