"""Trees without an end: a client's walk is bounded, says so, and what was found up to there is answered."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from skilltool import runtimes
from skilltool.runtimes import loading
from tests.conftest import MakeSkill, Skilltool


def deep(directory: Path, levels: int) -> None:
    """Make directories in each other, deeper than any path may be long."""
    here = os.open(directory, os.O_RDONLY)
    for _ in range(levels):
        os.mkdir("d", dir_fd=here)
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="elsewhere no directory is opened by another")
def test_a_deep_tree_is_answered_for_every_client(
    repo: Path, make_skill: MakeSkill, skilltool: Skilltool
) -> None:
    """By paths with their links resolved at each level this took minutes, and lint's limit ended it."""
    make_skill(repo / ".claude" / "skills" / "ok")
    deep(repo / ".claude" / "skills", 1_500)
    try:
        done = skilltool("resolve", "--runtime", "crush,goose,opencode,claude-code", "--time-limit", "3")
    finally:  # Python would descend into it by recursion
        subprocess.run(["rm", "-rf", repo / ".claude" / "skills" / "d"], check=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count(".claude/skills/ok") >= 1


@pytest.mark.parametrize("client", ["crush", "goose"])
def test_a_root_beyond_the_bound_is_named_and_the_rest_answered(
    repo: Path, make_skill: MakeSkill, monkeypatch: pytest.MonkeyPatch, client: str
) -> None:
    monkeypatch.setattr(loading, "_MOST_ENTRIES", 50)
    place = repo / ".claude" / "skills"
    make_skill(place / "a")
    (place / "many").mkdir()
    for number in range(60):
        (place / "many" / str(number)).mkdir()
    make_skill(place / "z")
    session = runtimes.get(client).open(repo, repo / "home", {})
    assert [skill.name for skill in session.skills] == ["a"]
    assert [(each.directory, each.why) for each in session.skipped if each.not_read] == [
        (place, "skilltool does not read it: with its links, the root has more than 50 entries")
    ]


@pytest.mark.parametrize("client", ["crush", "goose", "opencode"])
def test_a_link_upwards_is_walked_once(repo: Path, make_skill: MakeSkill, client: str) -> None:
    make_skill(repo / ".claude" / "skills" / "ok")
    (repo / ".claude" / "skills" / "up").symlink_to(repo)
    session = runtimes.get(client).open(repo, repo / "home", {})
    assert [skill.name for skill in session.skills] == ["ok"]
