"""An archive is the same on every machine, holds what belongs to the skill, and is opened without trust."""

from __future__ import annotations

import io
import os
import stat
import subprocess
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from skilltool import pack
from skilltool.errors import SkilltoolError
from tests.conftest import MakeSkill, Skilltool


@pytest.fixture
def skill(repo: Path, make_skill: MakeSkill) -> Path:
    directory = make_skill(repo / "skills" / "forms")
    (directory / "scripts").mkdir()
    (directory / "scripts" / "run.sh").write_text("#!/bin/sh\n", "utf-8")
    (directory / "scripts" / "run.sh").chmod(0o744)
    (directory / "B.md").write_text("b", "utf-8")
    return directory


@pytest.mark.parametrize("kind", pack.FORMATS)
def test_an_archive_is_the_same_whatever_the_times_and_modes(
    skilltool: Skilltool, repo: Path, skill: Path, kind: str
) -> None:
    first = skilltool("pack", str(skill), "--format", kind)
    assert first.returncode == 0
    assert first.stdout.startswith(f"forms.{kind}  forms, 3 files, ")
    before = (repo / f"forms.{kind}").read_bytes()
    for path in skill.rglob("*"):
        os.utime(path, (1, 1))
        path.chmod(path.stat().st_mode | 0o022)
    again = skilltool("pack", str(skill / "SKILL.md"), "--format", kind, "-o", "again", TZ="Asia/Tokyo")
    assert (repo / "again").read_bytes() == before
    assert first.stdout.splitlines()[-1] == again.stdout.splitlines()[-1]
    checked = skilltool("pack", "--check", f"forms.{kind}")
    assert (checked.returncode, checked.stderr) == (0, "")
    assert checked.stdout.splitlines()[-1] == first.stdout.splitlines()[-1]


def test_other_programs_read_the_archives(skilltool: Skilltool, repo: Path, skill: Path) -> None:
    for kind in ("zip", "tar.gz"):
        skilltool("pack", str(skill), "--format", kind)
    names = ["forms/B.md", "forms/SKILL.md", "forms/scripts/run.sh"]
    with zipfile.ZipFile(repo / "forms.zip") as archive:
        assert archive.testzip() is None
        assert archive.namelist() == names
        assert archive.getinfo(names[2]).external_attr >> 16 == stat.S_IFREG | 0o755
    command = ["tar", "tzf", "forms.tar.gz"]
    listed = subprocess.run(command, cwd=repo, capture_output=True, text=True, check=True)
    assert listed.stdout.splitlines() == names


def test_what_is_no_part_of_a_skill_is_left_out_and_said(
    skilltool: Skilltool, repo: Path, skill: Path
) -> None:
    (skill / ".gitignore").write_text("draft*\n", "utf-8")
    for name in (".env", "draft.md", "x.pyc", ".env.example"):
        (skill / name).write_text("x", "utf-8")
    (skill / "__pycache__").mkdir()
    (skill / "__pycache__" / "y").touch()
    run = skilltool("pack", str(skill))
    left = [line.removeprefix("skilltool: left out: ") for line in run.stderr.splitlines()]
    assert left == [".env", "__pycache__/", "draft.md", "x.pyc"]
    assert ".env.example" in run.stdout


def test_a_skill_with_errors_is_not_packed(skilltool: Skilltool, repo: Path, make_skill: MakeSkill) -> None:
    make_skill(repo / "bad", "no frontmatter")
    run = skilltool("pack", "bad")
    assert (run.returncode, run.stdout) == (1, "")
    assert "bad/SKILL.md:1:1: error[missing-frontmatter]" in run.stderr
    assert not (repo / "bad.skill").exists()


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda top: (top / "out").symlink_to("/etc/passwd"), "escaping-symlink"),
        (lambda top: (top / "out").symlink_to("gone"), "No such file"),
        (lambda top: (top / "round").symlink_to("round"), "round"),
        (lambda top: (top / "folder").symlink_to("scripts"), "neither a file nor a folder"),
        (lambda top: os.mkfifo(top / "pipe"), "neither a file nor a folder"),
        (lambda top: (top / "b.md").touch(), "`B.md` and `b.md` are one name"),
        (lambda top: (top / "a\\b").touch(), "no plain path"),
        (lambda top: os.truncate(top / "B.md", 101 << 20), "larger than 100 MiB"),
    ],
)
def test_what_cannot_be_handed_on_is_refused(
    skilltool: Skilltool, repo: Path, skill: Path, spoil: Callable[[Path], object], words: str
) -> None:
    spoil(skill)
    run = skilltool("pack", str(skill))
    assert words in run.stderr
    assert run.returncode in (1, 2)
    assert not (repo / "forms.skill").exists()


def test_a_link_that_leaves_the_skill_is_refused_from_python_too(skill: Path) -> None:
    (skill / "out").symlink_to("/etc/passwd")
    with pytest.raises(SkilltoolError, match="a link that leaves the skill"):
        pack.collected(skill)


SKILL = b"---\nname: a\ndescription: Fills in forms. Use when asked.\n---\n\nText.\n"


def zipped(path: Path, entries: dict[str, bytes], link: bool = False) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_DEFLATED
            if link and name != "a/SKILL.md":
                info.external_attr = (stat.S_IFLNK | 0o777) << 16
            archive.writestr(info, content)


def tarred(path: Path, entries: dict[str, bytes], link: bool = False) -> None:
    with tarfile.open(path, "w:gz") as archive:
        for name, content in entries.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            if link and name != "a/SKILL.md":
                info.type, info.linkname, info.size = tarfile.SYMTYPE, content.decode(), 0
            archive.addfile(info, io.BytesIO(content))


@pytest.mark.parametrize("make", [zipped, tarred])
@pytest.mark.parametrize(
    ("entries", "words"),
    [
        ({"../out.txt": b"x"}, "leads out of the archive"),
        ({"a/../../out.txt": b"x"}, "leads out of the archive"),
        ({"/out.txt": b"x"}, "is absolute"),
        ({"C:/out.txt": b"x"}, "is absolute"),
        ({"a\\out.txt": b"x"}, "is absolute"),
        ({"a/B": b"", "a/b": b""}, "one name"),
        ({"b/SKILL.md": SKILL}, "one top directory is expected, not `a`, `b`"),
        ({"a/deep/SKILL.md": SKILL}, "one `a/SKILL.md` is expected"),
        ({"loose.md": b"x"}, "one top directory"),
        ({"/".join(["a"] * 40): b"x"}, "levels deep"),
    ],
)
def test_an_archive_that_is_not_fit_is_refused_and_nothing_is_written(
    skilltool: Skilltool, repo: Path, make: Callable[..., None], entries: dict[str, bytes], words: str
) -> None:
    make(repo / "x.archive", {"a/SKILL.md": SKILL, **entries})
    run = skilltool("pack", "--check", "x.archive", TMPDIR=str(repo))
    assert (run.returncode, words in run.stderr) == (1, True)
    assert sorted(os.listdir(repo)) == [".git", "x.archive"]


@pytest.mark.parametrize("make", [zipped, tarred])
def test_a_link_in_an_archive_is_refused(skilltool: Skilltool, repo: Path, make: Callable[..., None]) -> None:
    make(repo / "x", {"a/SKILL.md": SKILL, "a/p": b"/etc/passwd"}, link=True)
    run = skilltool("pack", "--check", "x")
    assert (run.returncode, "is a link or no file" in run.stderr) == (1, True)


@pytest.mark.parametrize("make", [zipped, tarred])
def test_a_bomb_is_refused_before_it_goes_off(
    skilltool: Skilltool, repo: Path, make: Callable[..., None]
) -> None:
    make(repo / "x", {"a/SKILL.md": SKILL, "a/big": bytes(101 << 20)})
    assert (repo / "x").stat().st_size < 1 << 20
    run = skilltool("pack", "--check", "x", TMPDIR=str(repo))
    assert (run.returncode, "100 MiB" in run.stderr) == (1, True)
    assert sorted(os.listdir(repo)) == [".git", "x"]


def test_a_header_cannot_ask_for_all_memory(skilltool: Skilltool, repo: Path) -> None:
    info = tarfile.TarInfo("a/x")
    info.type, info.size = tarfile.GNUTYPE_LONGNAME, 1 << 40
    (repo / "x.tar").write_bytes(info.tobuf(tarfile.GNU_FORMAT) + bytes(10240))
    run = skilltool("pack", "--check", "x.tar")
    assert run.returncode in (1, 2)
    assert "Traceback" not in run.stderr


@pytest.mark.parametrize(
    "raw", [b"", b"PK", b"\x1f\x8b", b"PK\x05\x06" + bytes(18), b"text\n" * 300, b"BZh9"]
)
def test_what_is_no_archive_is_said(skilltool: Skilltool, repo: Path, raw: bytes) -> None:
    (repo / "x").write_bytes(raw)
    run = skilltool("pack", "--check", "x")
    assert run.returncode in (1, 2)
    assert run.stderr.startswith("skilltool: x: ")
    assert len(run.stderr.splitlines()) == 1
    assert "internal" not in run.stderr


def test_what_is_inside_is_linted(skilltool: Skilltool, repo: Path) -> None:
    zipped(repo / "x.skill", {"a/SKILL.md": SKILL.replace(b"name: a", b"name: B_c")})
    run = skilltool("pack", "--check", "x.skill")
    assert run.returncode == 1
    assert "a/SKILL.md:2:7: error[invalid-name]" in run.stderr
