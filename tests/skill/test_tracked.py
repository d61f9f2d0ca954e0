"""What git tracks is not ignored, whatever a `.gitignore` says: git's own rule."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skilltool.files import git
from skilltool.skill.discovery import discover, is_excluded
from tests.conftest import Skilltool, examples, found

pytestmark = pytest.mark.skipif(not shutil.which("git"), reason="git says what is tracked")
CLEAN = (
    "---\nname: {}\ndescription: Fills in PDF forms. Use it for forms.\n---\n\n# Forms\n\nRead the fields.\n"
)


def run_git(directory: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "protocol.file.allow=always")
    subprocess.run(["git", *identity, *arguments], cwd=directory, check=True, capture_output=True, timeout=60)


def write_skills(top: Path, *names: str) -> None:
    for name in names:
        (top / name).mkdir(parents=True, exist_ok=True)
        (top / name / "SKILL.md").write_text(CLEAN.format(Path(name).name), "utf-8")


@pytest.fixture
def top(tmp_path: Path) -> Path:
    """A repository that tracks two of the four skills that it ignores, one by its directory."""
    repo = tmp_path / "top"
    write_skills(repo, "a", "out/x/kept", "out/x/dropped", "b", "c")
    (repo / ".gitignore").write_text("/out/\n/b/SKILL.md\n/c/SKILL.md\n", "utf-8")
    run_git(repo, "init", "--quiet")
    run_git(repo, "add", "--force", "a", "b", "out/x/kept")
    return repo


def test_tracked_skills_count_and_the_others_are_counted(top: Path) -> None:
    assert found(top) == ["a", "b", "out/x/kept"]
    assert discover([top], base=top).ignored == 2
    assert found(top, exclude=["out"]) == ["a", "b"]


def test_the_walk_enters_only_what_leads_to_a_tracked_skill(top: Path) -> None:
    (top / "out" / "modules").mkdir()
    (top / "out" / "modules").chmod(0)
    assert found(top) == ["a", "b", "out/x/kept"]


def test_a_named_path_counts_by_force_only_if_it_is_tracked(top: Path) -> None:
    paths = ["out/x/kept/SKILL.md", "out/x/dropped/SKILL.md", "b/SKILL.md", "c/SKILL.md", "out/x/kept/a.md"]
    assert found(top, *paths[:4], force_exclude=True) == ["b", "out/x/kept"]
    assert found(top, "out", force_exclude=True) == ["out/x/kept"]
    assert found(top, "out") == ["out/x/dropped", "out/x/kept"]
    assert [is_excluded(top / path, (), top, True) for path in paths] == [False, True, False, True, False]


def test_a_submodule_and_a_nested_repository(top: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    write_skills(other, "d")
    run_git(other, "init", "--quiet")
    run_git(other, "add", ".")
    run_git(other, "commit", "--quiet", "-m", "a")
    run_git(top, "submodule", "add", "--force", other.as_uri(), "out/module")
    run_git(top, "clone", "--quiet", os.fspath(other), "out/clone")
    assert found(top) == ["a", "b", "out/module/d", "out/x/kept"]
    run_git(top / "out" / "module", "worktree", "add", "--quiet", os.fspath(tmp_path / "tree"))
    (tmp_path / "tree" / ".gitignore").write_text("*\n", "utf-8")
    assert found(tmp_path / "tree") == ["d"]


@pytest.mark.parametrize("version", ["2", "3", "4"])
def test_every_version_of_the_index_is_read(top: Path, version: str) -> None:
    run_git(top, "update-index", "--index-version", version)
    assert found(top) == ["a", "b", "out/x/kept"]
    run_git(top, "update-index", "--split-index")
    assert found(top) == ["a", "b", "out/x/kept"]


def test_without_git_ignore_files_decide_and_a_note_says_so_once(
    skilltool: Skilltool, top: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = skilltool("lint", "--no-cache", cwd=top)
    assert (run.returncode, run.stderr) == (0, "")
    assert "3 skills checked against `portable`, no findings (2 skills excluded by .gitignore)" in run.stdout
    monkeypatch.setenv("PATH", os.fspath(top))
    run = skilltool("lint", "--no-cache", cwd=top)
    assert run.returncode == 0
    assert run.stderr.count("git is not installed") == 1
    assert "1 skill checked against `portable`, no findings" in run.stdout


@pytest.mark.slow
def test_a_repository_that_makes_git_wait_is_asked_about_once_and_no_other_after_it(
    top: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pipe in its configuration is waited for until the time is over: not once more for each skill."""
    if not hasattr(os, "mkfifo"):
        pytest.skip("there are no pipes with names here")
    os.mkfifo(tmp_path / "pipe")
    write_skills(top, "out/y", "out/z")
    run_git(top, "add", "--force", ".")
    run_git(tmp_path, "clone", "--quiet", os.fspath(top), "other")
    write_skills(tmp_path / "other", "out/y")
    (tmp_path / "other" / ".gitignore").write_text("/out/\n", "utf-8")
    run_git(tmp_path / "other", "add", "--force", ".")
    run_git(top, "config", "include.path", os.fspath(tmp_path / "pipe"))
    monkeypatch.setattr(git, "_SECONDS", 2.0)
    calls = tmp_path / "calls"
    program = shutil.which("git")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "git").write_text(f'#!/bin/sh\necho >>"{calls}"\nexec {program} "$@"\n', "utf-8")
    (tmp_path / "bin" / "git").chmod(0o755)
    monkeypatch.setenv("PATH", os.pathsep.join([os.fspath(tmp_path / "bin"), os.environ["PATH"]]))
    result = discover([top, tmp_path / "other"], base=tmp_path)
    assert [path.name for path in result.skills] == ["a"]
    assert "ignored files were determined without git: git took longer than 2 seconds" in result.notes[0]
    assert calls.read_text("utf-8") == "\n"


def test_where_all_is_ignored_the_error_says_that_git_could_not_be_asked(
    skilltool: Skilltool, top: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", os.fspath(top))
    run = skilltool("lint", "--no-cache", "--exclude", "/a", cwd=top)
    assert run.returncode == 2
    assert "no skills found in `.`" in run.stderr
    assert "ignored files were determined without git: git is not installed" in run.stderr


def test_a_repository_of_another_owner_is_read_by_its_ignore_files(top: Path) -> None:
    if not hasattr(os, "chown") or os.geteuid() != 0:
        pytest.skip("only root can give a directory away")
    for path in (top, top / ".git"):
        os.chown(path, 12345, 12345)
    result = discover([top], base=top)
    assert [path.name for path in result.skills] == ["a"]
    assert len(result.notes) == 1
    assert "dubious ownership" in result.notes[0]


def test_pack_has_the_files_that_git_tracks(skilltool: Skilltool, top: Path) -> None:
    (top / "a" / "data" / "deep").mkdir(parents=True)
    for name in ("kept.log", "dropped.log", "data/deep/kept.txt", "data/dropped.txt"):
        (top / "a" / name).write_text("x\n", "utf-8")
    (top / ".gitignore").write_text("*.log\ndata/\n", "utf-8")
    run_git(top, "add", "--force", "a/kept.log", "a/data/deep/kept.txt")
    run = skilltool("pack", "a", cwd=top)
    assert run.returncode == 0, run.stderr
    excluded = [line for line in run.stderr.splitlines() if "left out" in line]
    assert excluded == ["skilltool: left out: data/dropped.txt", "skilltool: left out: dropped.log"]


def test_pack_has_what_a_repository_inside_the_skill_tracks(skilltool: Skilltool, top: Path) -> None:
    inner = top / "a" / "inner"
    inner.mkdir()
    (inner / ".gitignore").write_text("*.log\n", "utf-8")
    for name in ("kept.log", "dropped.log"):
        (inner / name).write_text("x\n", "utf-8")
    run_git(inner, "init", "--quiet")
    run_git(inner, "add", "--force", ".gitignore", "kept.log")
    run = skilltool("pack", "a", cwd=top)
    assert run.returncode == 0, run.stderr
    assert run.stderr.splitlines() == [
        "skilltool: left out: inner/.git/",
        "skilltool: left out: inner/dropped.log",
    ]


@settings(max_examples=examples(40))
@given(
    skills=st.sets(
        st.lists(st.sampled_from(["a", "b", "ab"]), min_size=1, max_size=3).map("/".join),
        min_size=1,
        max_size=6,
    ),
    patterns=st.lists(
        st.sampled_from(["a", "a/", "b/", "*", "!b", "/a/b", "SKILL.md", "ab/**", "!SKILL.md"]), max_size=4
    ),
    data=st.data(),
)
def test_what_counts_is_what_git_lists(
    tmp_path_factory: pytest.TempPathFactory, skills: set[str], patterns: list[str], data: st.DataObject
) -> None:
    repo = tmp_path_factory.mktemp("git")
    write_skills(repo, *skills)
    (repo / ".gitignore").write_text("\n".join(patterns), "utf-8")
    run_git(repo, "init", "--quiet")
    for skill in sorted(data.draw(st.sets(st.sampled_from(sorted(skills))))):
        run_git(repo, "add", "--force", f"{skill}/SKILL.md")
    listing = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    printed = subprocess.run(listing, cwd=repo, check=True, capture_output=True).stdout.decode()
    names = {name for name in printed.split("\0") if name.endswith("SKILL.md")}
    assert found(repo) == sorted(
        (name.removesuffix("/SKILL.md") for name in names), key=lambda n: n.split("/")
    )
