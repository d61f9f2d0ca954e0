"""`lint --diff`: what it says, and that `git apply` makes of it what `lint --fix` does."""

from __future__ import annotations

from pathlib import Path

from tests.conftest import Skilltool
from tests.fix.texts import HEAD, write


def test_a_diff_of_what_is_not_there_says_so_as_lint_does(skilltool: Skilltool, repo: Path) -> None:
    write(repo / "good", f"\ufeff{HEAD.replace('name: a', 'name: good')}---\n\nT.\n")
    (repo / "empty").mkdir()
    for paths in (["nosuch"], ["empty"], ["good", "nosuch"], ["empty", "--allow-empty"]):
        diff, checked = skilltool("lint", "--diff", *paths), skilltool("lint", *paths, "--exit-zero")
        assert (diff.returncode, diff.stderr) == (checked.returncode, checked.stderr), paths
    assert skilltool("lint", "--diff", "good", "nosuch").stdout.startswith("--- a/good/SKILL.md\n")
