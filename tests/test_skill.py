"""One skill directory, read once: whatever stands where SKILL.md should be."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from skilltool import skill
from skilltool.skill import MAX_BYTES


def at(tmp_path: Path) -> Path:
    directory = tmp_path / "pdf"
    directory.mkdir()
    return directory / "SKILL.md"


def test_a_directory_in_its_place_is_unreadable(tmp_path: Path) -> None:
    at(tmp_path).mkdir()
    assert skill.load(tmp_path / "pdf").unreadable == "it is a directory"


def test_a_link_to_nothing_and_a_link_to_itself_are_unreadable(tmp_path: Path) -> None:
    file = at(tmp_path)
    file.symlink_to("nothing.md")
    assert skill.load(tmp_path / "pdf").unreadable == "it is a link to nothing"
    file.unlink()
    file.symlink_to("SKILL.md")
    assert skill.load(tmp_path / "pdf").unreadable


def test_a_link_out_of_the_skill_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("---\nname: secret\n---\n", "utf-8")
    at(tmp_path).symlink_to("../secret")
    read = skill.load(tmp_path / "pdf")
    assert read.unreadable == "it is a link out of the skill, to `../secret`"
    assert read.source.text == ""


def test_a_link_inside_the_skill_is_followed(tmp_path: Path) -> None:
    at(tmp_path).symlink_to("real.md")
    (tmp_path / "pdf" / "real.md").write_text("---\nname: x\n---\n", "utf-8")
    assert skill.load(tmp_path / "pdf").frontmatter.data == {"name": "x"}


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(at(tmp_path))
    assert skill.load(tmp_path / "pdf").unreadable == "it is not a regular file"


@pytest.mark.usefixtures("enforced_permissions")
def test_a_file_without_permission_is_unreadable(tmp_path: Path) -> None:
    at(tmp_path).touch(mode=0o000)
    assert skill.load(tmp_path / "pdf").unreadable == "Permission denied"


def test_a_file_over_the_bound_is_measured_and_not_read(tmp_path: Path) -> None:
    at(tmp_path).write_bytes(b"x" * (MAX_BYTES + 10))
    read = skill.load(tmp_path / "pdf")
    assert read.size == MAX_BYTES + 10
    assert not read.was_read
    assert read.source.text == ""


def test_a_file_of_zeros_is_read(tmp_path: Path) -> None:
    at(tmp_path).write_bytes(b"\x00" * 100)
    assert skill.load(tmp_path / "pdf").source.text == "\x00" * 100


def test_what_a_skill_holds_counts_case_and_never_leaves_it(tmp_path: Path) -> None:
    at(tmp_path).write_text("x", "utf-8")
    (tmp_path / "pdf" / "references").mkdir()
    (tmp_path / "pdf" / "references" / "Guide.md").write_text("# G\n", "utf-8")
    (tmp_path / "outside.md").touch()
    (tmp_path / "pdf" / "link.md").symlink_to("../outside.md")
    read = skill.load(tmp_path / "pdf")
    assert [read.holds(p) for p in (".", "references", "references/Guide.md", "SKILL.md")] == [True] * 4
    assert [
        read.holds(p) for p in ("references/guide.md", "nothing", "../outside.md", "/etc/passwd", "..")
    ] == [False] * 5
    assert read.read_text("references/Guide.md") == "# G\n"
    assert read.read_text("link.md") is None
