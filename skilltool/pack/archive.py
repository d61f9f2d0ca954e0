"""Builds archives that are byte-identical on every machine: order, times, modes and encoding are fixed.

Nothing is compressed: two builds of zlib may compress one text to different bytes, and a skill is small.
"""

from __future__ import annotations

import io
import struct
import tarfile
import zipfile
import zlib

from skilltool.pack.contents import Contents

FORMATS = ("skill", "zip", "tar.gz")
_STORED = 0xFFFF  # bytes in an uncompressed block of DEFLATE (RFC 1951, section 3.2.4)


def build_archive(contents: Contents, kind: str, in_folder: bool = True) -> bytes:
    """Return an archive of a skill; `kind` is one of `FORMATS`.

    Its files are in one top-level directory, named after the skill, or without `in_folder` at the root.
    """
    top = f"{contents.name}/" if in_folder else ""
    return _tar_gz(contents, top) if kind == "tar.gz" else _zip(contents, top)


def _zip(contents: Contents, top: str) -> bytes:
    archived = io.BytesIO()
    with zipfile.ZipFile(archived, "w", zipfile.ZIP_STORED) as archive:
        for entry in contents.entries:
            info = zipfile.ZipInfo(f"{top}{entry.path}", (1980, 1, 1, 0, 0, 0))
            info.create_system = 3  # Unix on every machine, so that the modes count
            info.external_attr = (0o100755 if entry.executable else 0o100644) << 16
            archive.writestr(info, entry.content)
    return archived.getvalue()


def _tar_gz(contents: Contents, top: str) -> bytes:
    archived = io.BytesIO()
    with tarfile.open(fileobj=archived, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for entry in contents.entries:
            info = tarfile.TarInfo(f"{top}{entry.path}")
            info.size, info.mtime, info.mode = len(entry.content), 0, 0o755 if entry.executable else 0o644
            archive.addfile(info, io.BytesIO(entry.content))
    return _gzip(archived.getvalue())


def _gzip(raw: bytes) -> bytes:
    """Return a gzip member (RFC 1952) of stored blocks, without name and time."""
    parts = [b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"]
    for start in range(0, len(raw) or 1, _STORED):
        block = raw[start : start + _STORED]
        last = start + _STORED >= len(raw)
        parts += [bytes([last]), struct.pack("<HH", len(block), len(block) ^ 0xFFFF), block]
    parts.append(struct.pack("<II", zlib.crc32(raw), len(raw) & 0xFFFFFFFF))
    return b"".join(parts)
