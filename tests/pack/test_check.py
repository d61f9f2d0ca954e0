"""An archive from somebody else is not trusted: nothing is unpacked outside a temporary directory."""

from __future__ import annotations

import io
import os
import stat
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Skilltool

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


@pytest.mark.slow
@pytest.mark.parametrize("make", [zipped, tarred])
@pytest.mark.parametrize(
    ("entries", "words"),
    [
        ({"../out.txt": b"x"}, "contains an empty, `.` or `..` component"),
        ({"a/../../out.txt": b"x"}, "contains an empty, `.` or `..` component"),
        ({"/out.txt": b"x"}, "is absolute"),
        ({"C:/out.txt": b"x"}, "is absolute"),
        ({"a\\out.txt": b"x"}, "is absolute"),
        ({"a/B": b"", "a/b": b""}, "`a/B` and `a/b` differ only in case"),
        ({"b/SKILL.md": SKILL}, "expected one top-level directory, found `a`, `b`"),
        (
            {"a/deep/SKILL.md": SKILL},
            "expected one SKILL.md, `a/SKILL.md`; found `a/SKILL.md`, `a/deep/SKILL.md`",
        ),
        ({"loose.md": b"x"}, "expected one top-level directory"),
        ({"/".join(["a"] * 40): b"x"}, "nested deeper than the 32 levels"),
        ({"a/what?.md": b"x"}, "contains `?`, which Windows does not allow in a file name"),
        ({"a/end.": b"x"}, "contains a name that ends in a space or a dot, which Windows removes"),
        ({"a/nul.md": b"x"}, "contains `nul.md`, which Windows reserves for a device"),
    ],
)
def test_an_invalid_archive_is_refused_and_nothing_is_written(
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
    assert (run.returncode, "the entry `a/p` is a link or a special file" in run.stderr) == (1, True)


@pytest.mark.slow
@pytest.mark.parametrize("make", [zipped, tarred])
def test_a_zip_bomb_is_refused_before_it_fills_the_disk(
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


@pytest.mark.slow
@pytest.mark.parametrize(
    "raw", [b"", b"PK", b"\x1f\x8b", b"PK\x05\x06" + bytes(18), b"text\n" * 300, b"BZh9"]
)
def test_a_file_that_is_not_an_archive_is_one_line_on_stderr(
    skilltool: Skilltool, repo: Path, raw: bytes
) -> None:
    (repo / "x").write_bytes(raw)
    run = skilltool("pack", "--check", "x")
    assert run.returncode in (1, 2)
    assert run.stderr.startswith("skilltool: x: ")
    assert len(run.stderr.splitlines()) == 1
    assert "internal" not in run.stderr


def test_the_packed_skill_is_linted(skilltool: Skilltool, repo: Path) -> None:
    zipped(repo / "x.skill", {"a/SKILL.md": SKILL.replace(b"name: a", b"name: B_c")})
    run = skilltool("pack", "--check", "x.skill")
    assert run.returncode == 1
    assert "a/SKILL.md:2:7: error[invalid-name]" in run.stderr


@pytest.mark.slow
def test_a_damaged_archive_is_refused(skilltool: Skilltool, repo: Path) -> None:
    tarred(repo / "x.tar.gz", {"a/SKILL.md": SKILL})
    raw = (repo / "x.tar.gz").read_bytes()
    wrong_sum = bytearray(raw)
    wrong_sum[-8] ^= 1
    for damaged in (bytes(wrong_sum), raw[:-4], raw[: len(raw) // 2]):
        (repo / "x.tar.gz").write_bytes(damaged)
        run = skilltool("pack", "--check", "x.tar.gz")
        assert (run.returncode, run.stderr.startswith("skilltool: x.tar.gz: ")) == (2, True)


def test_the_first_bytes_decide_the_format(skilltool: Skilltool, repo: Path) -> None:
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("b/SKILL.md", SKILL.replace(b"name: a", b"name: b"))
    with tarfile.open(repo / "x", "w") as archive:
        for name, content in {"./a/SKILL.md": SKILL, "./a/b.zip": inner.getvalue()}.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    run = skilltool("pack", "--check", "x")
    assert (run.returncode, run.stdout.splitlines()[0][:11]) == (0, "x  a, 2 fil")


@pytest.mark.slow
@pytest.mark.parametrize("make", [zipped, tarred])
def test_an_entry_that_cannot_be_unpacked_is_named(
    skilltool: Skilltool, repo: Path, make: Callable[..., None]
) -> None:
    make(repo / "x", {"a/SKILL.md": SKILL, "a/b": b"", "a/b/c": b""})
    run = skilltool("pack", "--check", "x")
    assert (run.returncode, "x: the entry `a/b/c` cannot be unpacked" in run.stderr) == (1, True)


def test_check_excludes_the_options_for_packing(skilltool: Skilltool) -> None:
    run = skilltool("pack", "--check", "x", "-o", "y")
    assert (run.returncode, "--check cannot be used together with" in run.stderr) == (2, True)
