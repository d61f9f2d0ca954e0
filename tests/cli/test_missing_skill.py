"""A skill that a runtime does not have: the message says where it looks and what to type, and that works."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from skilltool import runtimes
from skilltool.explain.render import parts_of
from tests.conftest import MakeSkill, Skilltool
from tests.support.roots import DISTINCT


@pytest.fixture
def foreign(repo: Path, make_skill: MakeSkill) -> Path:
    """A skill in the directory of a client for which there is no profile."""
    return make_skill(repo / ".someclient" / "skills" / "pdf forms")


@pytest.fixture
def elsewhere(repo: Path, make_skill: MakeSkill) -> Path:
    """A skill in the place of a client in which few others look."""
    return make_skill(repo / ".gemini" / "skills" / "forms")


def suggested(stderr: str) -> list[str]:
    """Return the arguments of the command that the last line proposes."""
    proposed = re.findall(r"`skilltool (.*?)`", stderr.splitlines()[-1])
    assert proposed, stderr
    return shlex.split(proposed[-1])


@pytest.mark.slow
@pytest.mark.usefixtures("foreign")
@pytest.mark.parametrize("command", ["render", "resolve", "cost"])
@pytest.mark.parametrize("name", ["pdf forms", ".someclient/skills/pdf forms"])
def test_a_skill_where_no_client_looks_is_answered_for_as_if_one_did(
    skilltool: Skilltool, command: str, name: str
) -> None:
    run = skilltool(command, name)
    assert (run.returncode, len(run.stderr.splitlines())) == (0, 1), run.stderr
    assert "claude-code" in run.stdout + run.stderr
    assert "as if" in run.stderr or ".someclient/skills" in run.stdout


@pytest.mark.slow
@pytest.mark.usefixtures("foreign")
@pytest.mark.parametrize("runtime", [n for n in DISTINCT if parts_of(runtimes.get(n))])
def test_a_path_is_answered_for_by_every_runtime(skilltool: Skilltool, runtime: str) -> None:
    run = skilltool("render", ".someclient/skills/pdf forms", "--runtime", runtime)
    if run.returncode == 0:
        assert "Read the form's fields" in run.stdout
        assert f"{runtime}: as if it read .someclient/skills" in run.stderr
    else:  # it refuses the name
        assert run.returncode == 1
        assert re.search(rf"{runtime} (does not load|fails to load|sends nothing to its model)", run.stderr)


@pytest.mark.slow
@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize(
    "runtime", [n for n in DISTINCT if not n.startswith("gemini") and parts_of(runtimes.get(n))]
)
def test_the_command_for_a_named_runtime_shows_the_skill(skilltool: Skilltool, runtime: str) -> None:
    if runtimes.get(runtime).any_roots:
        assert "name some with --root DIR" in skilltool("render", "forms", "--runtime", runtime).stderr
        return
    run = skilltool("render", "forms", "--runtime", runtime)
    assert run.returncode == 1
    assert f"{runtime} does not find `forms`; it looks in " in run.stderr
    shown = skilltool(*suggested(run.stderr))
    assert shown.returncode == 0, shown.stderr
    assert "Read the form's fields" in shown.stdout


@pytest.mark.usefixtures("elsewhere")
def test_the_command_keeps_the_other_options(skilltool: Skilltool) -> None:
    options = ("--runtime", "kodelet", "--home", ".git", "--set", "fs_search=true")
    command = suggested(skilltool("render", "forms", *options).stderr)
    assert command[:4] == ["render", ".gemini/skills/forms", "--runtime", "kodelet"]
    assert command[4:] == ["--home", ".git", "--set", "fs_search=true"]
    flags = ("--runtime", "claude-code", "--no-user-settings", "--explain")
    command = suggested(skilltool("resolve", "forms", *flags).stderr)
    assert command[-2:] == ["--no-user-settings", "--explain"]
    assert skilltool(*command).returncode == 0


@pytest.mark.slow
def test_a_name_that_nothing_has_is_2_with_the_nearest_names_in_one_line(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    for command in ("render", "resolve", "cost"):
        nothing = skilltool(command, "deplo")
        assert (nothing.returncode, nothing.stdout) == (2, "")
        assert "no skills in this project or in the home directory; create one" in nothing.stderr
    make_skill(repo / ".claude/skills/deploy")
    make_skill(repo / "library/deploys")
    for command in ("render", "resolve", "cost"):
        near = skilltool(command, "deplo")
        assert (near.returncode, near.stdout) == (2, "")
        meant = "did you mean `deploy` or `deploys`? (see `skilltool resolve`)"
        assert near.stderr == f"skilltool: unknown skill `deplo`; {meant}\n"
    assert "./library has no SKILL.md" in skilltool("render", "./library").stderr


def test_what_the_roots_contain_is_said(skilltool: Skilltool, repo: Path, make_skill: MakeSkill) -> None:
    for name in ("a", "b", "c", "d", "e", "f"):
        make_skill(repo / ".kodelet/skills" / name)
    make_skill(repo / ".kodelet/skills/broken", "# no frontmatter\n")
    run = skilltool("render", "nothing", "--runtime", "kodelet", "--home", str(repo / ".git"))
    assert ".kodelet/skills (loads a, b, c, d, e and 1 more; skips 1)" in run.stderr
    assert suggested(run.stderr) == ["resolve", "--runtime", "kodelet"]
    shutil.rmtree(repo / ".kodelet/skills/f")
    run = skilltool("render", "nothing", "--runtime", "kodelet", "--home", str(repo / ".git"))
    assert ".kodelet/skills (loads a, b, c, d, e; skips 1)" in run.stderr
    run = skilltool("render", "nothing", "--runtime", "nfa", "--home", str(repo / ".git"))
    assert "it looks in .git/.nfa/skills, which does not exist" in run.stderr


@pytest.mark.parametrize(
    ("named", "words", "command"),
    [
        ("folder", "loads as `forms`", "render forms --runtime kodelet"),
        ("form", "does not find `form`", "render forms --runtime kodelet"),
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


def test_a_path_that_the_runtime_refuses_says_why(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    make_skill(repo / "elsewhere/broken", "# no frontmatter\n")
    run = skilltool("render", "elsewhere/broken", "--runtime", "kodelet")
    assert run.returncode == 1
    assert "kodelet does not load `elsewhere/broken`: elsewhere/broken is skipped: " in run.stderr
    assert skilltool(*suggested(run.stderr)).returncode == 1


def test_a_skill_that_lies_too_deep_for_a_runtime_is_shown_by_its_path(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    make_skill(repo / ".claude/skills/forms")
    deep = make_skill(repo / ".claude/skills/group/deep").relative_to(repo).as_posix()
    assert skilltool("render", "deep", "--runtime", "crush").returncode == 0  # which looks at any depth
    for command in ("render", "resolve", "cost"):
        named = skilltool(command, "deep", "--runtime", "claude-code")
        assert (named.returncode, "as if started" in named.stderr) == (1, False)
        assert suggested(named.stderr) == [command, deep, "--runtime", "claude-code"]
        shown = skilltool(*suggested(named.stderr))
        assert (shown.returncode, shown.stderr) == (
            0,
            "skilltool: claude-code: as if it read .claude/skills/group\n",
        )
    unnamed = skilltool("render", deep)
    assert unnamed.returncode == 0
    assert "for claude-code, as if it read .claude/skills/group; " in unnamed.stderr


@pytest.mark.parametrize("ids", ["claude-code", "claude-code,codex"])
@pytest.mark.parametrize("command", ["render", "resolve", "cost"])
def test_the_command_that_was_run_is_not_proposed(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill, command: str, ids: str
) -> None:
    make_skill(repo / ".claude/skills/forms")
    make_skill(repo / "other/deploy")
    run = skilltool(command, ".claude/skills/forms", "--runtime", ids, "--root", "project=other")
    assert run.returncode == 1
    assert "skills/forms --runtime" not in run.stdout + run.stderr
    assert "no SKILL.md" not in run.stderr


def test_the_client_at_whose_home_directory_it_is_answers(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    make_skill(repo.parent / "home/.nfa/skills/forms")
    run = skilltool("render", "forms", "--home", "../home")
    assert run.returncode == 0
    assert "for nfa, which reads ../home/.nfa/skills/forms" in run.stderr


def test_a_home_directory_is_not_searched(skilltool: Skilltool, repo: Path, make_skill: MakeSkill) -> None:
    make_skill(repo / "deep/down/forms")
    assert skilltool("render", "forms").returncode == 0
    assert "deep/down/forms" not in skilltool("render", "forms", HOME=str(repo)).stderr
