"""A fix is not written where a link leads out of the repository, or of the directory that was named."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.conftest import Skilltool
from tests.fix.texts import HEAD, write

BROKEN = f"\ufeff{HEAD}---\n\nText.\n"
MENDED = f"{HEAD}---\n\nText.\n"


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A skill to be mended, in a repository of its own beside `repo`."""
    (tmp_path / "elsewhere" / ".git").mkdir(parents=True)
    return write(tmp_path / "elsewhere" / "a", BROKEN)


@pytest.mark.slow
@pytest.mark.parametrize("path", [".", "skills", "skills/a", "skills/a/SKILL.md"])
@pytest.mark.parametrize("link", ["skills/a", "skills"])
def test_no_link_of_a_repository_leads_a_fix_out_of_it(
    skilltool: Skilltool, repo: Path, outside: Path, path: str, link: str
) -> None:
    (repo / link).parent.mkdir(exist_ok=True)
    (repo / link).symlink_to(outside.parent if link == "skills/a" else outside.parents[1])
    write(repo / "b", BROKEN.replace("name: a", "name: b"))
    run = skilltool("lint", "--fix", path, "b")
    assert outside.read_text("utf-8") == BROKEN
    assert (repo / "b" / "SKILL.md").read_text("utf-8") == MENDED.replace("name: a", "name: b")
    if (link, path) != ("skills", "."):  # a walk takes no such link, and finds nothing to mend there
        where = f"is outside {repo}, reached through a link"
        said = f"skilltool: skills/a/SKILL.md: {where}; the file was left unchanged\n"
        assert (run.returncode, said in run.stderr) == (2, True), run.stderr


def test_a_diff_leaves_out_what_would_not_be_written(skilltool: Skilltool, repo: Path, outside: Path) -> None:
    (repo / "a").symlink_to(outside.parent)
    run = skilltool("lint", "--diff")
    assert (run.returncode, run.stdout) == (2, "")
    assert "reached through a link" in run.stderr


def test_it_is_not_renamed_either(skilltool: Skilltool, repo: Path, outside: Path) -> None:
    outside.rename(outside.with_name("skill.md"))
    (repo / "a").symlink_to(outside.parent)
    assert skilltool("lint", "--fix").returncode == 2
    assert [path.name for path in outside.parent.iterdir()] == ["skill.md"]


def test_a_link_that_stays_inside_is_mended_and_so_is_the_target_by_its_own_name(
    skilltool: Skilltool, repo: Path, outside: Path
) -> None:
    file = write(repo / "hidden" / "a", BROKEN)
    (repo / "a").symlink_to("hidden/a")
    assert skilltool("lint", "--fix", "a").returncode == 0
    assert file.read_text("utf-8") == MENDED
    assert skilltool("lint", "--fix", outside.parent).returncode == 0
    assert outside.read_text("utf-8") == MENDED


def test_without_a_repository_the_named_directory_is_the_boundary(
    skilltool: Skilltool, tmp_path: Path
) -> None:
    file = write(tmp_path / "elsewhere" / "a", BROKEN)
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "a").symlink_to(file.parent)
    run = skilltool("lint", "--fix", cwd=tmp_path / "plain")
    assert (run.returncode, file.read_text("utf-8")) == (2, BROKEN)
    assert f"is outside {tmp_path / 'plain'}, reached through a link" in run.stderr
    assert skilltool("lint", "--fix", "a", cwd=tmp_path / "plain").returncode == 0
    assert file.read_text("utf-8") == MENDED


def test_a_link_is_linted_all_the_same(skilltool: Skilltool, repo: Path, outside: Path) -> None:
    (repo / "a").symlink_to(outside.parent)
    assert "byte-order-mark" in skilltool("lint", "--output-format", "concise").stdout


def test_a_link_out_of_a_submodule_ends_there(skilltool: Skilltool, repo: Path) -> None:
    subprocess.run(["git", "init", "-q", str(repo / "sub")], check=True)
    file = write(repo / "own" / "a", BROKEN)
    (repo / "sub" / "a").symlink_to(file.parent)
    assert "reached through a link" in skilltool("lint", "--fix", "sub").stderr
    assert file.read_text("utf-8") == BROKEN
