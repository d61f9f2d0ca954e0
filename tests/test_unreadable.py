"""What cannot be read is named and hides no other skill: pipes, directories that are closed, endless ones."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from skilltool import runtimes
from tests.conftest import MakeSkill, Skilltool

ROOTED = [name for name in runtimes.IDS if name != "portable"]


def root_of(name: str, repo: Path) -> Path:
    """Return the usual root of a runtime; the project and the home are both `repo`."""
    places = [root.place for root in runtimes.get(name).roots if root.place and root.role != "plugin"]
    return Path(places[0].format(project=repo, home=repo))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
@pytest.mark.parametrize("name", ROOTED)
def test_a_pipe_in_the_place_of_a_file_is_skipped(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill, name: str
) -> None:
    root = root_of(name, repo)
    make_skill(root / "good")
    (root / "pipe").mkdir()
    os.mkfifo(root / "pipe/SKILL.md")
    (root / "linked").mkdir()
    (root / "linked/SKILL.md").symlink_to(root / "pipe/SKILL.md")
    run = skilltool("resolve", "--runtime", name, "--home", str(repo))
    assert (run.returncode, run.stderr) == (0, "")
    assert "good" in run.stdout
    assert run.stdout.count("regular file") >= 2


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
