"""Entries that are not fit for a skill, and archives that two programs unpack to different files."""

from __future__ import annotations

import stat
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.conftest import slow
from tests.pack.hostile_archives import check, member, relisted, tarred, zipped

EMPTY = "the entry `` contains an empty, `.` or `..` component"


@slow
@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (zipped([("", b"x")]), EMPTY),
        (tarred((member(""), b"x")), EMPTY),
        (zipped([("/", b"")]), "the entry `/` is absolute"),
        (zipped([("a//b", b"")]), "contains an empty"),
        (zipped([("a/b/", b"x")]), "the entry `a/b/` is a directory that has content"),
        (zipped([("a/b", b""), ("a/b", b"")]), "the entry `a/b` appears twice"),
        (tarred((member("a/b"), b""), (member("a/b"), b"")), "the entry `a/b` appears twice"),
        (zipped([("a/b/c", b""), ("a/b", b"")]), "the entry `a/b` cannot be unpacked: it is a directory"),
        (zipped([("a/B/c", b""), ("a/b/d", b"")]), "`a/B` and `a/b` differ only in case"),
        (zipped([("A/c", b"")]), "`a` and `A` differ only in case"),
        (zipped([("a/x", b"")], mode=stat.S_IFREG | 0o4755), "set-user-ID"),
        (zipped([("a/x", b"")], mode=stat.S_IFIFO | 0o644), "is a link or a special file"),
        (tarred((member("a/x", mode=0o2755), b"")), "set-group-ID"),
        (tarred((member("a/x", tarfile.LNKTYPE, linkname="a/SKILL.md"), b"")), "is a link or a special file"),
        (tarred((member("a/x", tarfile.SYMTYPE, linkname="/"), b"")), "is a link or a special file"),
        *((tarred((member("a/x", kind), b"")), "is a link or a special file") for kind in (b"3", b"4", b"6")),
        (tarred((member("a/x", tarfile.GNUTYPE_SPARSE), b"")), "is a link or a special file"),
        (zipped([("a/\xe9", b"")]).replace(b"\0\x08\x08\0", b"\0\0\x08\0"), "has a different name"),
        (zipped().replace(b"\0\0\x08\0", b"\0\0\x5f\0"), "has compression method 95"),
        (zipped().replace(b"\0\0\x08\0", b"\1\0\x08\0"), "the entry `a/SKILL.md` is encrypted"),
    ],
)
def test_an_entry_that_is_not_fit_is_named(repo: Path, raw: bytes, words: str) -> None:
    status, line = check(repo, raw)
    assert words in line
    assert status == 1


TWO = zipped([("a/b.md", b"b"), ("a/c.md", b"c")], zipfile.ZIP_STORED)
OVERLAP = zipped([("a/b.md", TWO[TWO.index(b"PK\3\4", 4) : TWO.index(b"PK\1\2")])], zipfile.ZIP_STORED)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (relisted(TWO, [0, 1]), "contains data that its central directory does not list"),
        (relisted(TWO, [1, 2]), "contains data that its central directory does not list"),
        (relisted(TWO, [0, 1, 2, 2]), "the entry `a/c.md`"),
        (
            relisted(TWO, [0, 1, 2], claimed=2),
            "in its central directory does not match its end record",
        ),
        (TWO.replace(b"a/b.md", b"a/d.md", 1), "differs between the central directory and its own header"),
        (TWO.replace(b"PK\5\6\0\0", b"PK\5\6\1\0"), "is one part of a multi-part archive"),
        (b"PK\3\4" + bytes(9) + TWO, "its central directory is not where its end record says"),
        (TWO + b"PK", "data follows the end of the archive"),
        (TWO + TWO[TWO.index(b"PK\5\6") :], "its central directory is not where"),
        (tarred() + tarred(), "data follows the end of the archive"),
    ],
)
def test_an_archive_that_readers_take_for_different_ones_is_refused(
    repo: Path, raw: bytes, words: str
) -> None:
    status, line = check(repo, raw)
    assert words in line
    assert status == 1
