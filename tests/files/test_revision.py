"""A revision is laid out as files within bounds, and no tree leads out of the directory."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from skilltool.files import git as git_module
from skilltool.files.git import GitError

pytestmark = pytest.mark.skipif(not shutil.which("git"), reason="git is what is called")


def git(directory: Path, *arguments: str, given: bytes = b"") -> str:
    identity = ("-c", "user.name=a", "-c", "user.email=a@b.c")
    done = subprocess.run(
        ["git", *identity, *arguments], cwd=directory, check=True, capture_output=True, input=given
    )
    return done.stdout.decode().strip()


@pytest.fixture(params=["sha1", "sha256"])
def repo(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """An empty repository, with the names of objects in either length."""
    (tmp_path / "repo").mkdir()
    git(tmp_path / "repo", "init", "--quiet", f"--object-format={request.param}")
    return tmp_path / "repo"


def laid(repo: Path, *wanted: str, at: str = "HEAD") -> list[str]:
    """Return the paths that are laid out beside the repository, and check that all are inside."""
    target = repo.parent / "target"
    target.mkdir()
    git_module.lay(repo, at, wanted, target)
    for path in target.rglob("*"):
        assert Path(os.path.realpath(path)).is_relative_to(os.path.realpath(target)), path
    return sorted(path.relative_to(target).as_posix() for path in target.rglob("*") if not path.is_dir())


def tree(repo: Path, *entries: tuple[str, str, str]) -> str:
    """Write a tree object of (mode, name, object) without git's checks; return its name."""
    raw = b"".join(f"{mode} {name}".encode() + b"\0" + bytes.fromhex(each) for mode, name, each in entries)
    return git(repo, "hash-object", "-t", "tree", "--literally", "-w", "--stdin", given=raw)


def blob(repo: Path, text: str) -> str:
    return git(repo, "hash-object", "-w", "--stdin", given=text.encode())


def test_what_is_wanted_is_laid_out_with_links_and_what_they_lead_to(repo: Path) -> None:
    for name in (
        ".agents/skills/a/SKILL.md",
        ".agents/skills/a/x y.md",
        "src/b.py",
        "skills/c/SKILL.md",
        "link",
    ):
        (repo / name).parent.mkdir(parents=True, exist_ok=True)
        (repo / name).write_text(name, "utf-8")
    (repo / ".claude/skills").mkdir(parents=True)
    (repo / ".claude/skills/a").symlink_to("../../.agents/skills/a")
    (repo / ".claude/skills/dead").symlink_to("../../nothing")
    (repo / ".claude/skills/out").symlink_to("../../../../etc")
    (repo / ".claude/skills/root").symlink_to("/etc")
    git(repo, "add", ".")
    git(repo, "commit", "--quiet", "-m", "a")
    shutil.rmtree(repo / ".agents")
    assert laid(repo, ".claude") == [
        ".agents/skills/a/SKILL.md",
        ".agents/skills/a/x y.md",
        ".claude/skills/dead",
    ]
    linked = repo.parent / "target/.claude/skills/a/SKILL.md"
    assert linked.read_text("utf-8") == ".agents/skills/a/SKILL.md"


def test_the_content_is_that_of_the_revision(repo: Path) -> None:
    for text in ("one\r\n", "two"):
        (repo / "skills").mkdir(exist_ok=True)
        (repo / "skills/a.md").write_bytes(text.encode())
        git(repo, "add", ".")
        git(repo, "commit", "--quiet", "-m", text)
    git(repo, "tag", "-a", "-m", "x", "old", "HEAD~1")
    (repo / ".gitattributes").write_text("* text=auto eol=lf filter=x\n")
    git(repo, "config", "filter.x.smudge", "false")
    assert laid(repo, "skills", at="old") == ["skills/a.md"]
    assert (repo.parent / "target/skills/a.md").read_bytes() == b"one\r\n"


def test_a_tree_that_is_made_to_do_harm_stays_inside(repo: Path) -> None:
    evil, out = blob(repo, "evil"), blob(repo, "../..")
    up = blob(repo, "q/up/../..")  # looks as if it led inside
    inner = tree(repo, ("100644", "file", evil), ("120000", "up", blob(repo, "../a")))
    git_directory = tree(repo, ("100644", "config", evil))
    top = tree(
        repo,
        ("100644", "..", evil),
        ("40000", ".GIT", git_directory),
        ("40000", ".git", git_directory),
        ("100644", "a/../../../escaped", evil),
        ("100644", "back\\slash", evil),
        ("120000", "a", out),
        ("40000", "a", inner),
        ("120000", "chain", up),
        ("120000", "loop", blob(repo, "loop")),
        ("160000", "module", evil),
        ("40000", "q", inner),
    )
    commit = git(repo, "commit-tree", top, "-m", "x") if fits(repo, top) else None
    if commit is None:
        pytest.skip("this git makes no commit of such a tree")
    found = laid(repo, "a", "q", "chain", "loop", "..", ".git", ".GIT", "back\\slash", at=commit)
    assert found == ["a/file", "loop", "q/file"]
    assert not (repo.parent / "escaped").exists()


def fits(repo: Path, top: str) -> bool:
    try:
        git(repo, "commit-tree", top, "-m", "x")
    except subprocess.CalledProcessError:
        return False
    return True


@pytest.mark.parametrize("wrong", ["", "-x", "--batch", "a\nb", "nope", "HEAD^{tree}"])
def test_what_names_no_commit_is_an_error(repo: Path, wrong: str) -> None:
    (repo / "a").write_text("a", "utf-8")
    git(repo, "add", ".")
    git(repo, "commit", "--quiet", "-m", "a")
    with pytest.raises(GitError):
        laid(repo, "a", at=wrong)


@pytest.mark.slow
def test_bounds(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(4):
        (repo / f"d/{number}").mkdir(parents=True)
        (repo / f"d/{number}/a.md").write_text(f"{number}" * 10, "utf-8")
    (repo / "d/large.md").write_text("x" * (1 << 20) + "y", "utf-8")
    git(repo, "add", ".")
    git(repo, "commit", "--quiet", "-m", "a")
    assert laid(repo, "d") == [f"d/{number}/a.md" for number in range(4)]
    shutil.rmtree(repo.parent / "target")
    monkeypatch.setattr(git_module, "_MAX_GROUP", 25)
    assert laid(repo, "d") == [f"d/{number}/a.md" for number in range(4)]
    monkeypatch.setattr(git_module, "_MAX_IN_ALL", 25)
    with pytest.raises(GitError, match="MiB of files"):
        git_module.lay(repo, "HEAD", ["d"], repo / "target")
    monkeypatch.undo()
    monkeypatch.setattr(git_module, "_MAX_ENTRIES", 5)
    with pytest.raises(GitError, match="more than 5 files"):
        git_module.lay(repo, "HEAD", ["d"], repo / "target")
