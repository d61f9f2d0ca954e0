"""Nothing of the directory in which skilltool runs is executed, whatever module it is named like."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import MakeSkill, slow
from tests.support.hostile import be_hostile

PROGRAM = Path(sys.executable).with_name("skilltool")
# A pool starts new processes, not copies of this one, on most systems and wherever there is another thread.
WITH_A_THREAD = """
import threading, time
from skilltool.cli import main
if __name__ == "__main__":
    threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
    main()
"""


@pytest.fixture
def skills(repo: Path, make_skill: MakeSkill) -> Path:
    """A repository with skills, one of which has a regex that is tried in a process of its own."""
    head = "name: a\ndescription: Fills in forms. Use when asked.\ntriggers:\n  patterns: ['(a+)+b']\n"
    make_skill(repo / "a", f"---\n{head}---\n\nT.\n")
    for name in ("b", "c"):
        make_skill(repo / name)
    return repo


@slow
@pytest.mark.parametrize("arguments", [["--jobs", "1"], ["--jobs", "2"], ["--fix"]])
def test_the_program_imports_nothing_from_where_it_runs(skills: Path, arguments: list[str]) -> None:
    marks = be_hostile(skills)
    run = subprocess.run(
        [PROGRAM, "lint", "--no-cache", *arguments], cwd=skills, capture_output=True, text=True, check=False
    )
    assert "3 skills" in run.stdout, run.stderr
    assert os.listdir(marks) == []


@pytest.mark.slow
def test_spawned_processes_import_nothing_from_there(skills: Path, tmp_path: Path) -> None:
    marks = be_hostile(skills)
    program = tmp_path / "program" / "main.py"
    program.parent.mkdir()
    program.write_text(WITH_A_THREAD, "utf-8")
    run = subprocess.run(
        [sys.executable, program, "lint", "--no-cache", "--jobs", "2"],
        cwd=skills,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert "3 skills" in run.stdout, run.stderr
    assert os.listdir(marks) == []
