"""`pack --check` reads any archive, and what `pack` writes is what it takes for fit."""

from __future__ import annotations

import io
import tarfile
import warnings
import zipfile
from pathlib import Path
from typing import NamedTuple

from hypothesis import strategies as st

from tests.fuzz.box import command
from tests.fuzz.skills import DOCUMENTS, MUTATIONS, mutated

_names = st.sampled_from(
    [
        *(
            "a/SKILL.md",
            "a/SKILL.md",
            "a/SKILL.md",
            "a/b.md",
            "a/",
            "a/x/",
            "a/x/y.md",
            "SKILL.md",
            "b/SKILL.md",
            "",
        ),
        *(
            "../x",
            "/etc/x",
            "a/../../x",
            "a//b",
            "./a/SKILL.md",
            "a\\b",
            "C:\\x",
            "a/nul.txt",
            "a/x:stream",
            "a/A",
        ),
        *(
            "a/.git/hooks/pre-commit",
            "a/.env",
            "a/b.md/c",
            "a/\x00",
            "a/é",
            "a/e\u0301",
            "a/ ",
            "a/x.",
            "a/" + "x/" * 40,
        ),
        *("a/" + "x" * 300, "a/\n::error::x", ".", "..", "a/.", "a/con"),
    ]
)
_contents = st.one_of(
    DOCUMENTS, st.binary(max_size=40), st.integers(1, 20).map(lambda power: bytes(1 << power))
)
_entries = st.lists(
    st.tuples(st.one_of(_names, _names, st.text(max_size=9)), _contents, st.integers(0, 9)), max_size=6
)


class Archive(NamedTuple):
    """What an archive is made of: its kind, its entries (name, content, kind), and mutations of its bytes."""

    kind: str
    entries: list[tuple[str, bytes, int]]
    cuts: list[tuple[int, int, bytes]]


INPUTS = st.builds(
    Archive,
    st.sampled_from(["stored", "deflated", "bzip2", "lzma", "w:", "w:gz", "w:bz2", "w:xz"]),
    _entries,
    st.one_of(st.just([]), MUTATIONS),
)
_TYPES = {1: tarfile.SYMTYPE, 2: tarfile.DIRTYPE, 3: tarfile.FIFOTYPE, 4: tarfile.LNKTYPE}
_ZIPS = {"stored": 0, "deflated": 8, "bzip2": 12, "lzma": 14}


def check(drawn: Archive, place: Path) -> None:
    made = _zip(drawn) if drawn.kind in _ZIPS else _tar(drawn)
    (place / "x.skill").write_bytes(mutated(made, drawn.cuts))
    before = sorted(place.iterdir())
    status, _, messages = command("pack", "--check", "x.skill")
    assert status != 2 or messages
    assert sorted(place.iterdir()) == before


def _zip(drawn: Archive) -> bytes:
    raw = io.BytesIO()
    with warnings.catch_warnings(action="ignore"), zipfile.ZipFile(raw, "w", _ZIPS[drawn.kind]) as archive:
        for name, content, kind in drawn.entries:
            info = zipfile.ZipInfo("x")
            info.filename = name.encode("utf-8", "replace").decode()
            info.compress_type = _ZIPS[drawn.kind]
            info.external_attr = {1: 0o120777, 2: 0o040755, 3: 0o010644}.get(kind, 0o100644) << 16
            archive.writestr(info, content)
    return raw.getvalue()


def _tar(drawn: Archive) -> bytes:
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode=drawn.kind) as archive:  # type: ignore[call-overload]
        for name, content, kind in drawn.entries:
            info = tarfile.TarInfo(name.encode("utf-8", "replace").decode().replace("\x00", "0"))
            info.type = _TYPES.get(kind, tarfile.REGTYPE)
            info.linkname = "../x" if kind in {1, 4} else ""
            info.size = len(content) if info.type == tarfile.REGTYPE else 0
            archive.addfile(info, io.BytesIO(content))
    return raw.getvalue()
