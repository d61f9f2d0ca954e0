"""What a killed run leaves beside a file is deleted by the next that writes there, and nothing else is."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from skilltool.files.writing import replace_if_unchanged, write_atomically

pytestmark = pytest.mark.skipif(os.name == "nt", reason="whether a process runs is not asked there")


@pytest.fixture
def gone() -> int:
    """The number of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def test_what_a_killed_run_left_is_deleted(tmp_path: Path, gone: int) -> None:
    (tmp_path / f".skilltool-{gone}-SKILL.md").write_text("half of")
    write_atomically(tmp_path / "SKILL.md", b"whole")
    assert os.listdir(tmp_path) == ["SKILL.md"]
    assert (tmp_path / "SKILL.md").read_bytes() == b"whole"


def test_what_may_be_another_s_stays(tmp_path: Path, gone: int) -> None:
    kept = {f".skilltool-{os.getppid()}-SKILL.md", ".skilltool-SKILL.md", ".skilltool-9x-SKILL.md"}
    kept |= {f".skilltool-{'9' * 40}-SKILL.md", f".skilltool-{gone}-draft.md", f".skilltool-{gone}"}
    for name in kept:
        (tmp_path / name).write_text("another's")
    (tmp_path / f".skilltool-{gone}-old").mkdir()
    (tmp_path / f".skilltool-{gone}-link").symlink_to("SKILL.md")
    write_atomically(tmp_path / "SKILL.md", b"whole")
    assert {*os.listdir(tmp_path)} == {*kept, "SKILL.md", f".skilltool-{gone}-old", f".skilltool-{gone}-link"}


def test_the_mode_stays_and_a_link_s_target_is_written(tmp_path: Path) -> None:
    target = tmp_path / "real.md"
    target.write_text("old")
    target.chmod(0o754)
    (tmp_path / "SKILL.md").symlink_to("real.md")
    write_atomically(tmp_path / "SKILL.md", b"new")
    assert (tmp_path / "SKILL.md").is_symlink()
    assert target.read_bytes() == b"new"
    assert target.stat().st_mode & 0o777 == 0o754


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="attributes can be set on Linux")
def test_extended_attributes_stay(tmp_path: Path) -> None:
    file = tmp_path / "SKILL.md"
    file.write_text("old")
    try:
        os.setxattr(file, "user.note", b"kept")
    except OSError:
        pytest.skip("this file system has no attributes")
    write_atomically(file, b"new")
    replace_if_unchanged(file, b"new", b"newer")
    assert (file.read_bytes(), os.getxattr(file, "user.note")) == (b"newer", b"kept")
