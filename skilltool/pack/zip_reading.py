"""Reads a zip so that every program that unpacks it finds the same entries; counts before it decompresses.

Readers disagree on a zip whose parts contradict each other: some follow the directory at the end, others the
headers before each entry. As PyPI does, such a file is refused. https://docs.pypi.org/archives/
"""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import IO, NamedTuple

from skilltool.pack.decompressing import Read, inflated, unbzipped, unlzmaed
from skilltool.pack.entry_names import shown
from skilltool.pack.limits import MAX_PATH, Limits
from skilltool.pack.tally import CHUNK, InvalidArchiveError, Tally

# APPNOTE.TXT 6.3.10, sections 4.3.7, 4.3.12 and 4.3.14 to 4.3.16.
_LOCAL = struct.Struct("<4s5H3L2H")
_LISTED = struct.Struct("<4s24x3H12x")
_END = struct.Struct("<4s4H2LH")
_END_64 = struct.Struct("<4s20x4Q")
_LOCATOR = struct.Struct("<4s16x")
_LONGEST_COMMENT = (1 << 16) - 1
_DESCRIPTORS = (0, 12, 16, 20, 24)  # bytes that may follow an entry of unknown size
_ENCRYPTED = 0x2041
_SIZE_FOLLOWS, _UTF_8 = 0x8, 0x800
_UNKNOWN = 0xFFFFFFFF  # the size is in the ZIP64 field


class _Directory(NamedTuple):
    """The list of entries at the end of a zip: its place, its size in bytes, and how many entries it has."""

    start: int
    size: int
    entries: int


def zip_entries(file: IO[bytes], size: int, tally: Tally) -> Iterator[tuple[str, Iterator[bytes]]]:
    """Yield path and content of each file, as chunks, once all entries are counted and found fit.

    `size` is the size of the zip in bytes. Raises `InvalidArchiveError`, and what `zipfile` and the
    decompressors raise for one that is damaged.
    """
    directory = _directory(file, size)
    _walk(file, directory, tally.limits)
    with zipfile.ZipFile(file) as archive:
        infos = sorted(archive.infolist(), key=lambda info: info.header_offset)
    ends = [info.header_offset for info in infos[1:]] + [directory.start]
    admitted = []
    for info, end in zip(infos, ends, strict=True):
        name = info.orig_filename
        path = tally.admit(name, info.external_attr >> 16, info.file_size, name.endswith("/"))
        _check_flags(info)
        start = _content_start(file, info, end)
        if path is not None:
            admitted.append((path, info, start))
    if infos and infos[0].header_offset:
        raise InvalidArchiveError("holds data that its directory does not list")
    for path, info, start in admitted:
        file.seek(start)
        yield path, _verified(file, info)


def _directory(file: IO[bytes], size: int) -> _Directory:
    """Find the directory as `zipfile` does; raises for one that another reader could find elsewhere."""
    file.seek(max(0, size - _END.size - _LONGEST_COMMENT))
    tail = file.read()
    at = len(tail) - _END.size
    if tail[at : at + 4] != b"PK\5\6" or tail[-2:] != b"\0\0":
        at = tail.rfind(b"PK\5\6")
    if at < 0 or len(tail) - at < _END.size:
        raise zipfile.BadZipFile("it has no directory of its entries")
    _, disk, first_disk, here, entries, length, start, comment = _END.unpack_from(tail, at)
    if at + _END.size + comment != len(tail):
        raise InvalidArchiveError("data follows the end of the archive")
    end = size - len(tail) + at
    locator = tail[max(0, at - _LOCATOR.size) : at]
    if locator[:4] == b"PK\6\7":
        end -= _LOCATOR.size + _END_64.size
        file.seek(max(0, end))
        signature, here, entries, length, start = _END_64.unpack(file.read(_END_64.size))
        if signature != b"PK\6\6":
            raise zipfile.BadZipFile("its ZIP64 record is damaged")
    if disk or first_disk or here != entries:
        raise InvalidArchiveError("is one part of several")
    if start + length != end:
        raise InvalidArchiveError("its directory is not where the end of the archive says")
    return _Directory(start, length, entries)


def _walk(file: IO[bytes], directory: _Directory, limits: Limits) -> None:
    """Count the entries of the directory and the lengths of their names, before `zipfile` reads it whole."""
    if directory.size > limits.directory:
        raise InvalidArchiveError(
            f"its directory has {directory.size:,} bytes; skilltool allows {limits.directory:,}"
        )
    position, end, count = directory.start, directory.start + directory.size, 0
    while position < end:
        file.seek(position)
        signature, name, extra, comment = _LISTED.unpack(file.read(_LISTED.size))
        count += 1
        if signature != b"PK\1\2":
            raise zipfile.BadZipFile("its directory is damaged")
        if count > limits.entries:
            raise InvalidArchiveError(
                f"contains more than the {limits.entries:,} files and directories that skilltool allows"
            )
        if name > MAX_PATH:
            raise InvalidArchiveError(
                f"the name of an entry has {name:,} bytes; skilltool allows {MAX_PATH:,}"
            )
        position += _LISTED.size + name + extra + comment
    if position != end or count != directory.entries:
        raise InvalidArchiveError("its directory does not have the entries that the end of the archive says")


def _check_flags(info: zipfile.ZipInfo) -> None:
    """Raise for an entry that cannot be read, or whose name is not the same for every reader."""
    name = info.orig_filename
    if info.flag_bits & _ENCRYPTED:
        raise InvalidArchiveError(f"the entry {shown(name)} is encrypted")
    if info.compress_type not in _METHODS:
        raise InvalidArchiveError(
            f"the entry {shown(name)} has compression method {info.compress_type}, which is not supported"
        )
    if info.filename != name or not (name.isascii() or info.flag_bits & _UTF_8):
        raise InvalidArchiveError(f"the entry {shown(name)} has another name for readers of another encoding")


def _content_start(file: IO[bytes], info: zipfile.ZipInfo, end: int) -> int:
    """Return where the content of an entry begins; raises for a header that contradicts the directory."""
    file.seek(info.header_offset)
    signature, _, flags, method, _, _, *sizes, name, extra = _LOCAL.unpack(file.read(_LOCAL.size))
    if signature != b"PK\3\4":
        raise zipfile.BadZipFile("the header of an entry is damaged")
    listed = info.orig_filename.encode("utf-8" if info.flag_bits & _UTF_8 else "cp437")
    same = file.read(name) == listed and (flags, method) == (info.flag_bits, info.compress_type)
    for value, expected in zip(sizes, (info.CRC, info.compress_size, info.file_size), strict=True):
        known = not flags & _SIZE_FOLLOWS and value != _UNKNOWN
        same = same and (value == expected or not known)
    if not same:
        raise InvalidArchiveError(
            f"the entry {shown(info.orig_filename)} is another one in the directory than in its header"
        )
    start: int = info.header_offset + _LOCAL.size + name + extra
    gap = end - start - info.compress_size
    if gap < 0:
        raise InvalidArchiveError(f"the entry {shown(info.orig_filename)} overlaps another")
    if gap not in (_DESCRIPTORS if flags & _SIZE_FOLLOWS else (0,)):
        raise InvalidArchiveError("holds data that its directory does not list")
    return start


def _verified(file: IO[bytes], info: zipfile.ZipInfo) -> Iterator[bytes]:
    """Yield the content of an entry; raises if its size or checksum is another one than the zip says."""
    left, size, checksum = info.compress_size, 0, 0

    def read(most: int) -> bytes:
        nonlocal left
        data = file.read(min(most, left))
        left -= len(data)
        return data

    for chunk in _METHODS[info.compress_type](read):
        size += len(chunk)
        checksum = zlib.crc32(chunk, checksum)
        if size > info.file_size:
            break
        yield chunk
    if (size, checksum, left) != (info.file_size, info.CRC, 0):
        raise zipfile.BadZipFile(f"the entry {shown(info.orig_filename)} is damaged")


def _stored(read: Read) -> Iterator[bytes]:
    return iter(lambda: read(CHUNK), b"")


_METHODS = {
    zipfile.ZIP_STORED: _stored,
    zipfile.ZIP_DEFLATED: inflated,
    zipfile.ZIP_BZIP2: unbzipped,
    zipfile.ZIP_LZMA: unlzmaed,
}
