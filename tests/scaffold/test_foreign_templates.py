"""A template from elsewhere is code: it is sandboxed, or trusted by the user."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.conftest import Skilltool
from tests.scaffold.making import leftovers, template


@pytest.mark.parametrize("key", ["_extensions", "_jinja2_env_vars"])
def test_a_template_that_loads_code_is_refused(skilltool: Skilltool, repo: Path, key: str) -> None:
    template(repo / "t", **{key: ["os"]})
    run = skilltool("new", "a", "--template", "./t", "--trust", "--no-input")
    assert run.returncode == 2
    assert f"`{key}` in cookiecutter.json loads code" in run.stderr


ATTACK = "{{ cycler.__init__.__globals__.os.system('touch pwned') }}"


@pytest.mark.slow
def test_a_template_that_reaches_for_the_interpreter_is_blocked(skilltool: Skilltool, repo: Path) -> None:
    template(repo / "body", ATTACK)
    template(repo / "question", __x=ATTACK)
    template(repo / "default", other=ATTACK)
    for name in ("body", "question", "default"):
        run = skilltool("new", "a", "--template", f"./{name}", "--no-input")
        assert (name, run.returncode) == (name, 2)
        assert "--trust" in run.stderr
    assert not list(repo.rglob("pwned"))
    assert leftovers(repo) == []


@pytest.mark.slow
def test_no_hook_of_a_template_runs_and_the_home_directory_stays_untouched(
    skilltool: Skilltool, repo: Path
) -> None:
    hooks = template(repo / "t") / "hooks"
    hooks.mkdir()
    (hooks / "pre_gen_project.sh").write_text("#!/bin/sh\ntouch ../../hooked\n", "utf-8")
    (hooks / "pre_gen_project.sh").chmod(0o755)
    home = repo / "home"
    home.mkdir()
    assert skilltool("new", "a", "--template", "./t", "--no-input", HOME=str(home)).returncode == 0
    assert not list(repo.rglob("hooked"))
    assert os.listdir(home) == []


@pytest.mark.slow
def test_a_template_writes_nothing_outside_of_the_skill(skilltool: Skilltool, repo: Path) -> None:
    out = template(repo / "out", _s="/") / "{{cookiecutter.name}}"
    (out / "{{ cookiecutter._s.join(['..', '..', 'out.txt']) }}").write_text("x", "utf-8")
    link = template(repo / "link") / "{{cookiecutter.name}}"
    (link / "passwd").symlink_to("/etc/passwd")
    inner = template(repo / "inner") / "{{cookiecutter.name}}"
    (inner / "again.md").symlink_to("SKILL.md")
    renamed = repo / "renamed"
    template(renamed)
    (renamed / "{{cookiecutter.name}}").rename(renamed / "other-{{cookiecutter.name}}")
    for name, words in {
        "out": "points outside the skill",
        "link": "is a link that points outside the template",
        "renamed": "creates `other-a` instead of `a`",
    }.items():
        run = skilltool("new", "a", "--template", f"./{name}", "--no-input")
        assert (run.returncode, words in run.stderr) == (2, True)
    assert skilltool("new", "a", "--template", "./inner", "--no-input").returncode == 0
    assert not list(repo.rglob("out.txt"))


@pytest.mark.slow
def test_a_template_whose_skill_would_not_load_is_not_moved_into_place(
    skilltool: Skilltool, repo: Path
) -> None:
    broken = template(repo / "t") / "{{cookiecutter.name}}" / "SKILL.md"
    broken.write_text("no frontmatter\n", "utf-8")
    run = skilltool("new", "a", "--template", "./t", "--no-input")
    assert run.returncode == 1
    assert "error[missing-frontmatter]" in run.stderr
    assert not (repo / "skills").exists()


@pytest.mark.slow
def test_a_template_comes_out_of_a_git_repository_only_with_trust(skilltool: Skilltool, repo: Path) -> None:
    source = template(repo / "t")
    for arguments in (
        ["init", "-q"],
        ["add", "."],
        ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x"],
    ):
        subprocess.run(["git", *arguments], cwd=source, check=True)
    url = f"file://{source}"
    assert skilltool("new", "a", "--template", url, "--no-input").returncode == 2
    assert skilltool("new", "a", "--template", url, "--trust", "--no-input").returncode == 0
    gone = skilltool("new", "b", "--template", f"{url}-gone", "--trust", "--no-input")
    assert gone.returncode == 2
    assert "Traceback" not in gone.stderr


def test_a_pipe_in_a_template_is_not_waited_for(skilltool: Skilltool, repo: Path) -> None:
    os.mkfifo(template(repo / "t") / "pipe")
    (repo / "u").mkdir()
    os.mkfifo(repo / "u" / "cookiecutter.json")
    for name in ("t", "u"):
        run = skilltool("new", "a", "--template", f"./{name}", "--no-input")
        assert (run.returncode, "is not a file or directory" in run.stderr) == (2, True)
