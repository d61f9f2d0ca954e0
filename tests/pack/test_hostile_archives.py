"""What a hostile archive can cost is bounded before it is decompressed, and said in one short line."""

from __future__ import annotations

import gzip
import io
import lzma
import os
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from skilltool.bounds.limited_process import LimitedProcessError, call_limited
from skilltool.pack import reading
from skilltool.pack.entry_names import MAX_ARCHIVE, name_problem
from skilltool.pack.reading import CHUNK
from tests.conftest import MakeSkill, Skilltool, slow
from tests.pack.hostile_archives import (
    SKILL,
    check,
    member,
    sparse,
    tarred,
    zip_of_zeros,
    zipped,
)

GIB = 1 << 30


def directories(count: int) -> Iterator[tuple[str, bytes]]:
    return ((f"a/{number}/", b"") for number in range(count))


def deep_files(count: int) -> Iterator[tuple[str, bytes]]:
    return (("/".join(["a", str(number), *["x"] * 28, "f"]), b"") for number in range(count))


TOO_MANY = "contains more than the 20,000 files and directories that skilltool allows"
TOO_MUCH = "unpacks to more than the 100 MiB that skilltool allows"
LONG = "n" * 60_000


@slow
@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: zip_of_zeros(zipfile.ZIP_BZIP2, 120 << 20, 120 << 20), TOO_MUCH),
        (lambda: zip_of_zeros(zipfile.ZIP_BZIP2, 400 << 20, 9), "the entry `a/zeros` is damaged"),
        (lambda: zip_of_zeros(zipfile.ZIP_DEFLATED, 400 << 20, 9), "the entry `a/zeros` is damaged"),
        (lambda: zipped(directories(20_001), zipfile.ZIP_STORED), TOO_MANY),
        (lambda: zipped(deep_files(900), zipfile.ZIP_STORED), TOO_MANY),
        (
            lambda: zipped([("a/" + LONG, b"")]),
            "the name of an entry is 60,002 bytes long; skilltool allows 1,024",
        ),
        (
            lambda: zipped(((f"a/{number}{LONG}", b"") for number in range(280)), zipfile.ZIP_STORED),
            "its central directory is 16,8",
        ),
        (lambda: tarred(*((member(f"a/{n}", tarfile.DIRTYPE), b"") for n in range(20_001))), TOO_MANY),
        (lambda: tarred((member("a/" + LONG), b"")), "is 60,002 bytes; skilltool allows 1,024"),
        (lambda: tarred((member("a/" + "n" * (9 << 20)), b"")), "one of its headers is 9,4"),
        (
            lambda: gzip.compress(tarred()) + gzip.compress(bytes(201 << 20), 9),
            "decompresses to more than the 200 MiB that skilltool allows",
        ),
    ],
)
def test_limits_hold_before_memory_and_time_are_spent(
    repo: Path, make: Callable[[], bytes], words: str
) -> None:
    raw = make()
    assert len(raw) < 35 << 20
    status, line = check(repo, raw, little_memory=True)
    assert words in line
    assert status == (2 if "damaged" in words else 1)


@pytest.mark.slow
@pytest.mark.parametrize("raw", [zipped(), tarred()])
def test_an_archive_of_20_gb_is_not_read(repo: Path, raw: bytes) -> None:
    sparse(repo / "x", raw, 20 * GIB)
    assert check(repo, little_memory=True) == (
        1,
        "the archive is 21,474,836,480 bytes; skilltool allows 200 MiB",
    )


@pytest.mark.slow
def test_an_archive_of_200_mib_is_hashed_by_chunks(repo: Path) -> None:
    sparse(repo / "x", tarred(), 200 << 20)
    assert check(repo, little_memory=True) == (0, "x  a, 1 file, 68 bytes unpacked")


@pytest.mark.slow
def test_an_archive_that_takes_for_ever_ends_with_the_time(tmp_path: Path) -> None:
    file = tmp_path / "x"
    file.write_bytes(tarred(*((member(f"a/{number}"), b"") for number in range(9_000))))
    with pytest.raises(LimitedProcessError, match="takes more than"):
        call_limited(
            "skilltool.pack.unpacking:answer", {"archive": str(file), "top": str(tmp_path)}, seconds=0.01
        )


@slow
@pytest.mark.parametrize(
    "name",
    [
        *(".git/hooks/pre-commit", ".git/config", ".GIT/config", "git~1/config", "\u200c.git/config", ".env"),
        *(".env.local", "node_modules/x", "b/__pycache__/x.txt", "x.pyc", ".DS_Store", "x.swp"),
        *("nul.txt", "com1", "b/AUX", "lpt9.tar.gz", "con .txt", "x:stream", "x*", "a?", "<a>", "a|b", 'a"b'),
        *("space ", "dot.", "b./c", "\x7f", "n" * 256, "/".join(["n" * 250] * 5)),
    ],
)
def test_what_pack_does_not_write_is_not_fit(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill, name: str
) -> None:
    for raw in (zipped([(f"a/{name}", b"x")]), tarred((member(f"a/{name}"), b"x"))):
        status, line = check(repo, raw)
        assert status == 1
        assert "the entry `a/" in line or "the name of an entry" in line
    if len(name) < 256:  # what a file can be called here
        file = make_skill(repo / "a") / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("x", "utf-8")
        packed = skilltool("pack", "a", "-o", "a.zip")
        assert packed.returncode == 2 or (packed.returncode == 0 and "left out: " in packed.stderr)


def test_what_is_left_out_has_names_that_are_fit() -> None:
    """So that the reason given is the one that counts."""
    for name in ("a/.env.example", "a/.gitignore", "a/x.env", "a/console.md", "a/com", "a/b c/\u00e9.md"):
        assert name_problem(name) is None


TWO = zipped([("a/b.md", b"b"), ("a/c.md", b"c")], zipfile.ZIP_STORED)


@pytest.mark.slow
@pytest.mark.parametrize("where", ["content", "checksum", "header", "listed", "no end"])
def test_a_damaged_archive_cannot_be_read(repo: Path, where: str) -> None:
    raw = bytearray(TWO)
    if where == "content":
        raw[raw.index(b"Fills")] ^= 1
    elif where == "checksum":  # the same in both places
        raw = bytearray(TWO.replace(TWO[14:18], b"\1\2\3\4"))
    elif where == "header":
        raw[raw.index(b"PK\3\4", 4)] ^= 1
    elif where == "listed":
        raw[raw.index(b"PK\1\2")] ^= 1
    else:
        raw = bytearray(tarred()[:1024])
    status, line = check(repo, bytes(raw))
    assert "not a readable zip or tar archive: " in line
    assert status == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    "raw",
    [
        *(zipped([("a/x", b"hello" * 999)], method) for method in (0, 8, 12, 14)),
        *(tarred((member("a/x"), b"hello" * 999), kind=kind) for kind in ("w", "w:gz", "w:bz2", "w:xz")),
        gzip.compress(tarred((member("a/x"), b"hello" * 999))[:700])
        + gzip.compress(tarred((member("a/x"), b"hello" * 999))[700:])
        + bytes(100),
    ],
)
def test_every_compression_is_read(repo: Path, raw: bytes) -> None:
    assert check(repo, raw) == (0, "x  a, 2 files, 5,063 bytes unpacked")


@slow
def test_ten_thousand_files_are_fit_and_one_more_is_not(repo: Path) -> None:
    files = [(f"a/{number}.md", b"text\n") for number in range(10_000)]
    assert check(repo, zipped(files[1:]))[0] == 0
    assert check(repo, zipped(files)) == (1, "contains more than the 10,000 files that skilltool allows")


@pytest.mark.slow
@pytest.mark.parametrize("streamed", [True, False])
def test_other_writers_are_understood(repo: Path, make_skill: MakeSkill, streamed: bool) -> None:
    """A writer that cannot go back writes the sizes after each entry, and ZIP64 fields to be safe."""
    raw = io.BytesIO()
    target = _OneWay(raw) if streamed else raw
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:  # type: ignore[arg-type]
        archive.comment = b"made by a test"
        archive.writestr("a/", b"")
        with archive.open("a/SKILL.md", "w", force_zip64=True) as file:
            file.write(SKILL)
        archive.writestr("a/b \u00e9.md", b"x")
    assert check(repo, raw.getvalue()) == (0, "x  a, 2 files, 69 bytes unpacked")


class _OneWay:
    """A file that cannot be sought in, such as a pipe."""

    def __init__(self, inner: io.BytesIO) -> None:
        self.write, self.flush = inner.write, inner.flush


@pytest.mark.slow
@pytest.mark.parametrize("method", ["deflate", "bzip2", "lzma", "xz"])
def test_nothing_is_decompressed_in_one_piece(method: str) -> None:
    text = bytes(8 << 20) + os.urandom(1 << 17)
    with zipfile.ZipFile(io.BytesIO(), "w") as archive:
        numbers = {"deflate": 8, "bzip2": 12, "lzma": 14}
        if method in numbers:
            info = zipfile.ZipInfo("x")
            info.compress_type = numbers[method]
            archive.writestr(info, text)
            assert archive.fp is not None
            archive.fp.seek(30 + 1)
            source = io.BytesIO(archive.fp.read(info.compress_size))
        else:
            source = io.BytesIO(lzma.compress(text))
    read = {
        "deflate": reading.inflated,
        "bzip2": reading.unbzipped,
        "lzma": reading.unlzmaed,
    }
    chunks = (
        list(read[method](source.read))
        if method in read
        else list(reading.decompressed(source.read, reading.STREAMS[b"\xfd7"], True))
    )
    assert b"".join(chunks) == text
    assert max(map(len, chunks)) <= CHUNK


def test_a_dictionary_cannot_ask_for_all_memory(repo: Path) -> None:
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 1 << 12}]
    raw = bytearray(lzma.compress(tarred(), filters=filters, check=lzma.CHECK_NONE))
    at = raw.index(b"\x21\x01\x00")  # the filter, the size of its properties, 4 KiB
    raw[at + 2] = 39  # 3 GiB
    head = raw[12 : 12 + (raw[12] + 1) * 4 - 4]
    raw[12 + len(head) : 12 + len(head) + 4] = zlib.crc32(head).to_bytes(4, "little")
    status, line = check(repo, bytes(raw), little_memory=True)
    assert (status, "Memory usage limit exceeded" in line) == (2, True)


def test_a_tar_is_only_read_onwards(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(tarred())
    with (tmp_path / "x").open("rb") as file:
        stream = reading._Stream(file, MAX_ARCHIVE)
        assert stream.seek(600) == 600
        with pytest.raises(tarfile.ReadError):
            stream.seek(0)


def test_the_top_directory_may_be_an_entry_and_every_other_one_is_checked(
    repo: Path, make_skill: MakeSkill
) -> None:
    make_skill(repo / "top" / "a")

    def packed(*also: str) -> bytes:
        raw = io.BytesIO()
        with tarfile.open(fileobj=raw, mode="w:gz") as archive:
            archive.add(repo / "top", arcname=".")
            for name in also:
                folder = tarfile.TarInfo(name)
                folder.type = tarfile.DIRTYPE
                folder.mode = 0o755
                archive.addfile(folder)
        return raw.getvalue()

    assert check(repo, packed())[0] == 0
    assert check(repo, packed("./a/../b"))[0] == 1
