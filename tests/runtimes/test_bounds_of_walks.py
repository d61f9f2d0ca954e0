"""Trees without an end: a client's walk is bounded, says so, and what was found up to there is answered."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from types import ModuleType

import pytest

from skilltool import runtimes
from skilltool.explain.copies import troubles
from skilltool.runtimes import loading
from skilltool.runtimes.claude_code import loading as claude_code
from skilltool.runtimes.codex import loading as codex
from skilltool.runtimes.opencode import loading as opencode
from skilltool.runtimes.openhands import loading as openhands
from skilltool.runtimes.pi import loading as pi
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


BOUNDED = [
    ("crush", ".claude", loading, "_MOST_ENTRIES", "entries"),
    ("goose", ".claude", loading, "_MOST_ENTRIES", "entries"),
    ("opencode", ".claude", opencode, "_MOST_FOLDERS", "folders"),
    ("pi", ".pi", pi, "_MOST_DIRECTORIES", "directories"),
    ("codex", ".codex", codex, "_MOST_ENTRIES", "entries"),
    ("openhands", ".openhands", openhands, "_MOST_ENTRIES", "entries"),
]


@pytest.mark.parametrize(("client", "parent", "module", "bound", "what"), BOUNDED)
def test_a_root_beyond_the_bound_is_named_and_the_rest_answered(
    repo: Path,
    make_skill: MakeSkill,
    monkeypatch: pytest.MonkeyPatch,
    client: str,
    parent: str,
    module: ModuleType,
    bound: str,
    what: str,
) -> None:
    monkeypatch.setattr(module, bound, 50)
    place = repo / parent / "skills"
    make_skill(place / "a")
    (place / "many").mkdir()
    for number in range(60):
        (place / "many" / str(number)).mkdir()
    make_skill(place / "z")
    session = runtimes.get(client).open(repo, repo / "home", {})
    assert [skill.name for skill in session.skills] == ["a", "z"]
    assert [(each.directory, each.why) for each in session.skipped if each.not_read] == [
        (place, f"not determined: more than 50 {what} under it, with links")
    ]
    assert list(troubles(session)) == [
        f"{client}: {parent}/skills: not determined: more than 50 {what} under it, with links"
    ]


def test_commands_beyond_the_bound_are_named(
    repo: Path, make_skill: MakeSkill, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A directory of commands may be a link to the whole disk."""
    monkeypatch.setattr(claude_code, "_MOST_ENTRIES", 50)
    make_skill(repo / ".claude" / "skills" / "ok")
    (repo / "far").mkdir()
    for number in range(60):
        (repo / "far" / f"{number}.md").write_text("text", "utf-8")
    (repo / ".claude" / "commands").symlink_to(repo / "far")
    session = runtimes.get("claude-code").open(repo, repo / "home", {})
    assert session.find("ok") is not None
    assert [each.why for each in session.skipped if each.not_read] == [
        "not determined: more than 50 entries under it, with links"
    ]


@pytest.mark.parametrize("client", ["crush", "goose", "opencode"])
def test_a_link_upwards_is_walked_once(repo: Path, make_skill: MakeSkill, client: str) -> None:
    make_skill(repo / ".claude" / "skills" / "ok")
    (repo / ".claude" / "skills" / "up").symlink_to(repo)
    session = runtimes.get(client).open(repo, repo / "home", {})
    assert [skill.name for skill in session.skills] == ["ok"]
