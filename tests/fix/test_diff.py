"""`lint --diff`: what it says, and that `git apply` makes of it what `lint --fix` does."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conftest import Skilltool
from tests.fix.texts import HEAD, write


@pytest.mark.slow
def test_a_diff_of_what_is_not_there_says_so_as_lint_does(skilltool: Skilltool, repo: Path) -> None:
    write(repo / "good", f"\ufeff{HEAD.replace('name: a', 'name: good')}---\n\nT.\n")
    (repo / "empty").mkdir()
    for paths in (["nosuch"], ["empty"], ["good", "nosuch"], ["empty", "--allow-empty"]):
        diff, checked = skilltool("lint", "--diff", *paths), skilltool("lint", *paths, "--exit-zero")
        assert (diff.returncode, diff.stderr) == (checked.returncode, checked.stderr), paths
    assert skilltool("lint", "--diff", "good", "nosuch").stdout.startswith("--- a/good/SKILL.md\n")


def tree(top: Path) -> dict[str, str | bytes]:
    """Every file under a directory, `.git` left out: its bytes, or where a link leads to."""
    files = (path for path in top.rglob("*") if path.is_symlink() or path.is_file())
    named = {path.relative_to(top).as_posix(): path for path in files}
    return {
        name: os.fspath(path.readlink()) if path.is_symlink() else path.read_bytes()
        for name, path in sorted(named.items())
        if not name.startswith(".git/")
    }


def git(directory: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=directory, check=True, capture_output=True)


def apply_and_compare(skilltool: Skilltool, repo: Path, *options: str) -> dict[str, str | bytes]:
    """Apply the diff to one copy of a repository, fix another, and return what both are then."""
    copy = repo.parent / "copy"
    shutil.copytree(repo, copy, symlinks=True)
    diff = skilltool("lint", "--diff", *options)
    assert diff.returncode == 1, diff.stderr
    skilltool("lint", "--fix", *options, cwd=copy)
    git(repo, "init", "-q")
    (repo.parent / "x.patch").write_bytes(diff.stdout.encode("utf-8", "surrogateescape"))
    git(repo, "apply", "../x.patch")
    assert tree(repo) == tree(copy)
    return tree(repo)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["a\nb", "a\tb", "a b", 'a"b', "a\\b", "ä", "a\x01b", " a", "a\n+++ b/x\n"])
def test_no_name_of_a_directory_forges_a_header(skilltool: Skilltool, repo: Path, name: str) -> None:
    write(repo / name, f"\ufeff{HEAD}---\n\nT.\n")
    write(repo / "c" / name, f"{HEAD}---\n\nT.\n", "Skill.md")
    headers = [line for line in skilltool("lint", "--diff").stdout.split("\n") if line[:3] in {"---", "+++"}]
    assert [line for line in headers if not line.startswith(("--- a", '--- "a', "+++ b", '+++ "b'))] == []
    assert len(headers) == 2
    after = apply_and_compare(skilltool, repo)
    assert f"c/{name}/SKILL.md" in after
    assert not after[f"{name}/SKILL.md"].startswith(b"\xef")  # type: ignore[arg-type]


def test_a_directory_that_is_renamed_is_renamed_by_git(skilltool: Skilltool, repo: Path) -> None:
    (repo / "skilltool.toml").write_text('name-source = "frontmatter"\n', "utf-8")
    write(repo / "skills/a", f"{HEAD.replace('name: a', 'name: b')}license: 1.0\n---\n\nT", "skill.md")
    write(repo / "skills/b", f"{HEAD.replace('name: a', 'name: c')}license: MIT\n---\n\nT.\n")
    (repo / "skills/b/data.bin").write_bytes(bytes(range(256)))
    (repo / "skills/b/deep").mkdir()
    (repo / "skills/b/deep/link.md").symlink_to("../SKILL.md")
    after = apply_and_compare(skilltool, repo, "--unsafe-fixes")
    assert list(after) == [
        *("skills/b/SKILL.md", "skills/c/SKILL.md", "skills/c/data.bin", "skills/c/deep/link.md"),
        "skilltool.toml",
    ]
    assert b'license: "1.0"' in after["skills/b/SKILL.md"]  # type: ignore[operator]


def test_a_diff_is_taken_where_it_was_made_and_one_of_other_places_from_the_top(
    skilltool: Skilltool, repo: Path, tmp_path: Path
) -> None:
    git(repo, "init", "-q")
    (repo / "skilltool.toml").write_text('name-source = "frontmatter"\n', "utf-8")
    write(repo / "sub/skills/a", f"{HEAD.replace('name: a', 'name: b')}---\n\nT.\n")
    write(repo / "sub/skills/c", f"\ufeff{HEAD.replace('name: a', 'name: c')}---\n\nT.\n")
    diff = skilltool("lint", "--diff", "--unsafe-fixes", cwd=repo / "sub")
    (tmp_path / "x.patch").write_bytes(diff.stdout.encode())
    git(repo / "sub", "apply", os.fspath(tmp_path / "x.patch"))
    assert list(tree(repo / "sub")) == ["skills/b/SKILL.md", "skills/c/SKILL.md"]
    other = write(tmp_path / "other/c", f"\ufeff{HEAD.replace('name: a', 'name: c')}---\n\nT.\n")
    diff = skilltool("lint", "--diff", "../other")
    assert diff.stdout.startswith(f"--- a{other}\n+++ b{other}\n")
    assert "the patch contains absolute paths; run `git apply` in `/`" in diff.stderr
    (tmp_path / "x.patch").write_bytes(diff.stdout.encode())
    git(Path("/"), "apply", os.fspath(tmp_path / "x.patch"))
    assert other.read_text("utf-8").startswith("---")


def test_where_the_file_is_a_link_its_target_is_in_the_diff(skilltool: Skilltool, repo: Path) -> None:
    (repo / "skilltool.toml").write_text('name-source = "frontmatter"\n', "utf-8")
    real = write(repo / "skills/a", f"\ufeff{HEAD.replace('name: a', 'name: b')}---\n\nT.\n", "real.md")
    (real.parent / "SKILL.md").symlink_to("real.md")
    after = apply_and_compare(skilltool, repo, "--unsafe-fixes")
    assert after["skills/b/SKILL.md"] == "real.md"
    assert after["skills/b/real.md"] == f"{HEAD.replace('name: a', 'name: b')}---\n\nT.\n".encode()
