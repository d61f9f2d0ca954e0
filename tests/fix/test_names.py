"""New names and directories: no skill takes another's, and what could be renamed is renamed in one run."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Skilltool
from tests.fix.texts import HEAD, write


def skill(root: Path, directory: str, name: str, file_name: str = "SKILL.md") -> Path:
    text = HEAD.replace("name: a", f"name: {name}") + "---\n\nText.\n"
    return write(root / directory, text, file_name)


@pytest.mark.parametrize("path", [".", ".kodelet/skills/pdf_tools"])
def test_no_skill_gets_the_name_of_its_neighbour(skilltool: Skilltool, repo: Path, path: str) -> None:
    root = repo / ".kodelet/skills"
    files = [skill(root, name, name) for name in ("pdf_tools", "pdf-tools")]
    before = [file.read_bytes() for file in files]
    run = skilltool("lint", "--fix", "--unsafe-fixes", path)
    assert [file.read_bytes() for file in files] == before
    assert "another skill beside it has the name `pdf-tools` then" in run.stderr


def test_of_two_skills_none_gets_the_name_that_both_would_have(skilltool: Skilltool, repo: Path) -> None:
    one, other = (
        skill(repo, "skills/x/pdf-tools", "PDF Tools"),
        skill(repo, "skills/y/pdf-tools", "PDF_Tools"),
    )
    run = skilltool("lint", "--fix", "--unsafe-fixes", "--runtime", "mycodeagent", "--runtime", "portable")
    assert "name: PDF Tools" in one.read_text("utf-8")
    assert "name: PDF_Tools" in other.read_text("utf-8")
    assert run.stderr.count("another skill beside it has the name `pdf-tools` then") == 2
