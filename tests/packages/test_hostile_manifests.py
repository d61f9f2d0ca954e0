"""A path in a manifest that no file can have: it lists nothing, and the other skills are found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import MakeSkill, Skilltool


@pytest.mark.slow
@pytest.mark.parametrize("path", ["x\0y", "\ud800", "x" * 5000, "\x1b[2J"])
@pytest.mark.parametrize("several", [False, True])
def test_a_path_that_no_file_can_have_hides_no_skill(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill, path: str, several: bool
) -> None:
    make_skill(repo / "skills" / "a")
    (repo / ".claude-plugin").mkdir()
    listed = {"name": "p", "skills": [path, path] if several else path}
    (repo / ".claude-plugin" / "plugin.json").write_text(json.dumps(listed), "utf-8")
    run = skilltool("resolve", "--runtime", "claude-code")
    assert run.returncode == 0, run.stderr
    assert "p:a" in run.stdout
    assert "\x1b" not in run.stdout + run.stderr
    linted = skilltool("lint", "--no-cache", "--runtime", "claude-code")
    assert "internal error" not in linted.stdout + linted.stderr
