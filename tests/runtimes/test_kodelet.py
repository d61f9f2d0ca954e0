"""kodelet: what the goldens do not show."""

from __future__ import annotations

from pathlib import Path

import pytest

from skilltool import runtimes
from tests.conftest import MakeSkill


@pytest.mark.parametrize("edition", ["kodelet", "kodelet@2025-12", "kodelet@0.5.36"])
def test_paths_are_relative_to_the_project_but_for_the_user_s_and_those_elsewhere(
    tmp_path: Path, make_skill: MakeSkill, edition: str
) -> None:
    project = tmp_path / "project"
    home = project / "home"
    make_skill(project / ".kodelet/skills/near")
    own = make_skill(home / ".kodelet/skills/own")
    other = make_skill(tmp_path / "elsewhere/other")
    session = runtimes.get(edition).open(project, home, roots={"project": tmp_path / "elsewhere"})
    shown = {skill.key: skill.display_path for skill in session.skills}
    assert shown["other"] == str(other)
    assert shown["own"] == str(own)
    session = runtimes.get(edition).open(project, home)
    shown = {skill.key: skill.display_path for skill in session.skills}
    assert shown == {"near": ".kodelet/skills/near", "own": str(own)}
