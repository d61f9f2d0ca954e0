"""A tree without skills that is huge, deep or full of loops: the search for skills ends, and says so."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from skilltool.skill.discovery import discover, walk
from tests.conftest import MakeSkill, Skilltool, found

ENDED = "the rest was not searched for skills; name the directories that contain skills, or exclude others"


def test_many_directories_end_the_walk_and_skills_near_the_top_are_found(
    repo: Path, monkeypatch: pytest.MonkeyPatch, make_skill: MakeSkill
) -> None:
    monkeypatch.setattr(walk, "MAX_DIRECTORIES", 20)
    (repo / "a" / "b" / "c").mkdir(parents=True)
    make_skill(repo / "near")
    assert found(repo) == ["near"]
    for number in range(20):
        (repo / "a" / str(number)).mkdir()
    result = discover([repo], base=repo)
    assert result.skills == (repo / "near",)
    assert result.problems == (f"{repo}: more than 20 directories or 1,000,000 files; {ENDED}",)
    assert found(repo, "near") == ["near"]


@pytest.mark.parametrize("ignored", [False, True])
def test_many_files_end_the_walk(
    repo: Path, monkeypatch: pytest.MonkeyPatch, make_skill: MakeSkill, ignored: bool
) -> None:
    monkeypatch.setattr(walk, "MAX_ENTRIES", 30)
    make_skill(repo / "near")
    (repo / "other" / "b").mkdir(parents=True)
    (repo / ".gitignore").write_text("/other/b\n" if ignored else "")
    for number in range(30):
        (repo / "other" / "b" / str(number)).touch()
    (repo / "other" / "b" / "c").mkdir()
    (repo / "other" / "c").mkdir()
    result = discover([repo], base=repo)
    assert result.skills == (repo / "near",)
    (problem,) = result.problems
    assert problem.endswith(f"more than 250,000 directories or 30 files; {ENDED}")


def test_links_in_a_loop_are_not_followed(repo: Path, make_skill: MakeSkill) -> None:
    make_skill(repo / "a" / "skill")
    (repo / "a" / "up").symlink_to("..")
    (repo / "a" / "self").symlink_to("self")
    (repo / "a" / "skill" / "top").symlink_to(repo)
    assert found(repo) == ["a/skill"]


def test_directories_too_deep_to_be_named_are_a_problem_and_the_rest_is_checked(
    repo: Path, make_skill: MakeSkill, skilltool: Skilltool, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_skill(repo / "skills" / "pdf")
    monkeypatch.chdir(repo)
    for _ in range(30):
        os.mkdir("d" * 200)  # noqa: PTH102 - a path of all of them would be too long
        os.chdir("d" * 200)
    monkeypatch.chdir(repo)
    done = skilltool("lint")
    assert done.returncode == 2
    assert "1 skill" in done.stdout
    assert done.stderr.endswith(f"{'d' * 100}: File name too long\n")
    assert len(done.stderr) < 300
