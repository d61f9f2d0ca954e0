"""What is passed over on the way: patterns of the user, and `.gitignore` files as git reads them."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skilltool.skill.discovery import discover
from tests.conftest import MakeSkill, Skilltool, examples, found


def test_patterns_of_the_user_exclude(tree: Path) -> None:
    assert found(tree, exclude=["drafts", "/a/nested"]) == ["a", "b/c"]
    assert found(tree, exclude=["*", "!/b"]) == []


@pytest.mark.parametrize("path", ["drafts/d", "drafts", "drafts/d/SKILL.md"])
@pytest.mark.parametrize("pattern", ["drafts", "drafts/", "/drafts", "drafts/*", "d", "*"])
def test_a_named_path_is_checked_even_if_it_is_excluded(tree: Path, path: str, pattern: str) -> None:
    if path == "drafts" and pattern in {"drafts/*", "d"}:
        pytest.skip("the pattern is about what lies in the named directory")
    assert found(tree, path, exclude=[pattern]) == ["drafts/d"]
    assert found(tree, path, exclude=[pattern], force_exclude=True) == []


def test_patterns_hold_below_a_named_directory(tree: Path) -> None:
    assert found(tree, "drafts", exclude=["d"]) == []
    assert found(tree, "a", exclude=["nested"]) == ["a"]


def test_patterns_hold_in_a_named_directory_outside_their_base(tree: Path, tmp_path: Path) -> None:
    assert [path.name for path in discover([tree], base=tmp_path / "x", exclude=["drafts", "a"]).skills] == [
        "c"
    ]
    forced = discover([tree / "drafts" / "d"], base=tmp_path / "x", exclude=["drafts"], force_exclude=True)
    assert forced.skills == ()


def test_gitignore_files_count_from_the_root_of_the_repository_down(tree: Path, tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("c\n", "utf-8")  # outside: git does not read it
    (tree / ".gitignore").write_text("# comment\nnested/\ndrafts\n", "utf-8")
    assert found(tree) == ["a", "b/c"]
    assert found(tree, respect_gitignore=False) == ["a", "a/nested", "b/c", "drafts/d"]
    (tree / "a" / ".gitignore").write_text("!nested/\n", "utf-8")
    assert found(tree) == ["a", "a/nested", "b/c"]
    (tree / ".git" / "info").mkdir()
    (tree / ".git" / "info" / "exclude").write_text("/b/c/\n", "utf-8")
    assert found(tree) == ["a", "a/nested"]


@pytest.mark.parametrize(
    "patterns", ["*\n!*/\n!SKILL.md\n", "*\n!b\n!c\n!a\n!nested\n!SKILL.md\n!d\n!drafts\n"]
)
def test_a_gitignore_may_ignore_everything_and_take_skills_back(tree: Path, patterns: str) -> None:
    (tree / ".gitignore").write_text(patterns, "utf-8")
    assert found(tree) == ["a", "a/nested", "b/c", "drafts/d"]
    (tree / "b" / ".gitignore").write_text("/c/\n", "utf-8")
    assert found(tree) == ["a", "a/nested", "drafts/d"]


def test_gitignore_of_the_repository_does_not_reach_into_a_nested_one(tree: Path) -> None:
    (tree / ".gitignore").write_text("d\n", "utf-8")
    assert found(tree) == ["a", "a/nested", "b/c"]
    (tree / "drafts" / ".git").touch()  # a work tree or a submodule has a file there
    assert found(tree) == ["a", "a/nested", "b/c", "drafts/d"]


def test_a_repository_around_this_one_excludes_nothing_even_by_force(tree: Path, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("*\n", "utf-8")
    assert found(tree, "b/c", "b/c/SKILL.md", force_exclude=True) == ["b/c"]


def test_a_named_path_that_git_ignores_is_checked_unless_forced(tree: Path) -> None:
    (tree / ".gitignore").write_text("/drafts/\n", "utf-8")
    assert found(tree, "drafts") == ["drafts/d"]
    assert found(tree, "drafts/d/SKILL.md") == ["drafts/d"]
    assert found(tree, "drafts", "drafts/d/SKILL.md", force_exclude=True) == []


def test_a_gitignore_that_is_not_a_file_or_has_broken_patterns_is_ignored(tree: Path) -> None:
    (tree / "a" / ".gitignore").mkdir()
    os.mkfifo(tree / "b" / ".gitignore")  # reading it would wait for ever
    (tree / "drafts" / ".gitignore").symlink_to("patterns")  # git follows no link here
    (tree / "drafts" / "patterns").write_text("*\n", "utf-8")
    (tree / ".gitignore").write_bytes(b"//\n[z-a]\n[[]\n!\n\\\n\xff\n[[]\nnested\r\n")
    assert found(tree) == ["a", "b/c", "drafts/d"]


NAMES = st.sampled_from(["a", "b", "ab", "a b"])
PIECES = st.sampled_from(["a", "b", "ab", "*", "?", "**", "[ab]", "[!a]", "a*", "*b", "SKILL.md", "a b"])
PATTERNS = st.builds(
    lambda sign, start, pieces, end: sign + start + "/".join(pieces) + end,
    st.sampled_from(["", "", "!"]),
    st.sampled_from(["", "/"]),
    st.lists(PIECES, min_size=1, max_size=3),
    st.sampled_from(["", "/", " "]),
)


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("git"), reason="git is the judge")
@settings(max_examples=examples(100))
@given(
    skills=st.sets(st.lists(NAMES, min_size=1, max_size=3).map("/".join), min_size=1, max_size=6),
    patterns=st.lists(PATTERNS, min_size=1, max_size=4),
    inner=st.lists(PATTERNS, max_size=2),
)
def test_git_ignores_the_same_skills(
    tmp_path_factory: pytest.TempPathFactory, skills: set[str], patterns: list[str], inner: list[str]
) -> None:
    top = tmp_path_factory.mktemp("git")
    for skill in skills:
        (top / skill).mkdir(parents=True, exist_ok=True)
        (top / skill / "SKILL.md").touch()
    (top / ".gitignore").write_text("\n".join(patterns), "utf-8")
    if (top / "a").is_dir():
        (top / "a" / ".gitignore").write_text("\n".join(inner), "utf-8")
    subprocess.run(["git", "init", "--quiet"], cwd=top, check=True)
    listing = subprocess.run(
        ["git", "ls-files", "--others", "--exclude-standard", "-z"], cwd=top, check=True, capture_output=True
    )
    files = listing.stdout.decode().split("\0")
    expected = sorted(
        name.removesuffix("/SKILL.md").split("/") for name in files if name.endswith("SKILL.md")
    )
    assert [name.split("/") for name in found(top)] == expected


@pytest.mark.parametrize(
    ("size", "count", "said"), [(1 << 21, 0, "larger than 1 MiB"), (0, 10_001, "more than 10,000 patterns")]
)
def test_a_pattern_file_made_to_hurt_ends_the_run_with_a_way_out(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill, size: int, count: int, said: str
) -> None:
    make_skill(repo / "a")
    lines = "".join(f"b{number}*c\n" for number in range(count))
    (repo / ".gitignore").write_text(f"{lines}#{'a' * size}\n", "utf-8")
    run = skilltool("lint")
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.startswith(f"skilltool: .gitignore: {said}; shorten it, or ")
    assert skilltool("lint", "--no-respect-gitignore").returncode == 0
