"""What cannot be read is named and hides no other skill: pipes, directories that are closed, endless ones."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from skilltool import runtimes
from tests.conftest import MakeSkill, Skilltool
from tests.support.roots import DISTINCT, own_directory

ROOTED = [name for name in DISTINCT if name != "portable"]


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
@pytest.mark.parametrize("name", ROOTED)
def test_a_pipe_in_the_place_of_a_file_is_skipped(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill, name: str
) -> None:
    root = own_directory(runtimes.get(name), repo, repo)
    if root is None:
        pytest.skip("the user names the roots")
    make_skill(root / "good")
    (root / "pipe").mkdir()
    os.mkfifo(root / "pipe/SKILL.md")
    (root / "linked").mkdir()
    (root / "linked/SKILL.md").symlink_to(root / "pipe/SKILL.md")
    run = skilltool("resolve", "--runtime", name, "--home", str(repo))
    assert (run.returncode, run.stderr) == (0, "")
    assert "good" in run.stdout
    # opencode and pi look for regular files: they do not see a pipe at all. deepagents refuses the link.
    said = ("regular file", "it has no SKILL.md", "linked/SKILL.md: invalid_path")
    assert sum(map(run.stdout.count, said)) >= (1 if name.startswith("opencode") else 2)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_in_the_place_of_a_file_is_a_finding(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    make_skill(repo / "skills/good")
    (repo / "skills/pipe").mkdir()
    os.mkfifo(repo / "skills/pipe/SKILL.md")
    run = skilltool("lint", "--runtime", "all", "--no-cache")
    assert run.returncode == 1
    assert "error[unreadable-file]: `SKILL.md` cannot be read: it is not a regular file" in run.stdout


@pytest.mark.usefixtures("enforced_permissions")
@pytest.mark.parametrize(
    ("options", "root"), [(("portable", "--root", "r"), "r"), (("agentskills",), ".agents/skills")]
)
def test_a_closed_directory_hides_no_other_skill(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill, options: tuple[str, ...], root: str
) -> None:
    make_skill(repo / root / "good")
    make_skill(repo / root / "shut").chmod(0)
    make_skill(repo / root / "unlisted").chmod(0o444)
    run = skilltool("resolve", "--runtime", *options)
    assert (run.returncode, run.stderr) == (0, "")
    assert "loaded: 1\n  good " in run.stdout
    assert run.stdout.count("cannot be read: Permission denied") == 2
    assert skilltool("resolve", "shut", "--runtime", *options).returncode == 1


@pytest.mark.usefixtures("enforced_permissions")
def test_a_closed_directory_ends_neither_render_nor_lint(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    make_skill(repo / ".agents/skills/shut").chmod(0)
    make_skill(repo / ".agents/skills/wrong", "# No frontmatter\n")
    assert "error[missing-frontmatter]" in skilltool("lint", "--runtime", "agentskills").stdout
    make_skill(repo / ".agents/skills/good")
    assert skilltool("render", "good", "--runtime", "agentskills").returncode == 0


@pytest.mark.usefixtures("enforced_permissions")
def test_a_closed_root_hides_no_other_root(skilltool: Skilltool, repo: Path, make_skill: MakeSkill) -> None:
    make_skill(repo / "a/good")
    (repo / "b").mkdir(0)
    run = skilltool("resolve", "--runtime", "portable", "--root", "b", "--root", "a")
    assert "loaded: 1\n  good " in run.stdout
    assert "the skills directory cannot be listed: Permission denied" in run.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("runtime", "top"), [("mycodeagent", "skills"), ("kodelet@0.5.36", ".kodelet/plugins")]
)
def test_a_tree_deeper_than_calls_may_be(
    skilltool: Skilltool,
    repo: Path,
    make_skill: MakeSkill,
    runtime: str,
    top: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    make_skill(repo / top / "z/skills/good")
    monkeypatch.chdir(repo / top)
    levels = 1100
    for _ in range(levels):
        Path("d").mkdir()
        os.chdir("d")
    run = skilltool("resolve", "--runtime", runtime)
    for _ in range(levels):  # what deletes the files of tests may call itself for each level, too
        os.chdir("..")
        Path("d").rmdir()
    assert (run.returncode, run.stderr) == (0, "")
    assert "loaded: 1\n" in run.stdout


@pytest.mark.slow
@pytest.mark.parametrize("command", ["resolve", "lint"])
def test_a_working_directory_that_is_gone_is_named(tmp_path: Path, command: str) -> None:
    (tmp_path / "gone").mkdir()
    script = f'rmdir ../gone && "{sys.executable}" -m skilltool {command}'
    run = subprocess.run(
        ["/bin/sh", "-c", script], cwd=tmp_path / "gone", capture_output=True, text=True, check=False
    )
    assert run.returncode == 2
    assert run.stderr == "skilltool: the current directory no longer exists; change to a different one\n"
