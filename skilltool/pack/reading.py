"""Reads archives of strangers: zip and tar, counted before and while they are decompressed.

Readers disagree on a zip whose parts contradict each other: some follow the directory at the end, others the
headers before each entry. As PyPI does, such a file is refused. https://docs.pypi.org/archives/
"""

from __future__ import annotations

import bz2
import lzma
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from typing import IO, NamedTuple, Protocol, cast

from skilltool.errors import SkilltoolError
from skilltool.pack.entry_names import (
    MAX_PATH,
    ONE_SKILL,
    EntryNames,
    Limits,
    is_excluded,
    name_problem,
    shown,
)

CHUNK = 1 << 16  # bytes that are read, decompressed and written at once


class InvalidArchiveError(SkilltoolError):
    """An archive that is unsafe to unpack or not one skill; the text names the entry at fault."""


class Tally:
    """The entries of one archive so far, and the bytes of their contents."""

    def __init__(self, limits: Limits = ONE_SKILL) -> None:
        """Begin with no entry."""
        self.limits = limits
        self._names = EntryNames(limits)
        self._announced = 0
        self._unpacked = 0
        self._entries = 0

    def admit(self, name: str, mode: int, size: int, is_folder: bool) -> str | None:
        """Return the path to unpack an entry to, None for a directory; raises `InvalidArchiveError`.

        `mode` is the one of Unix with the type of the file, 0 if the archive has none; `size` is the number
        of bytes that the archive says it has. Nothing of the entry has been read yet.
        """
        self._entries += 1
        if self._entries > self.limits.entries:
            raise InvalidArchiveError(
                f"contains more than the {self.limits.entries:,} files and directories that skilltool allows"
            )
        path = name.removeprefix("./")
        if is_folder and path in ("", "."):
            return None
        if problem := _problem(name, path, mode, size, is_folder):
            self.refuse(name, f"the entry {shown(name)} {problem}")
            return None
        if problem := self._names.add(path.rstrip("/"), not is_folder):
            self.refuse(name, problem)
            return None
        self._announced += size
        self._check_size(self._announced)
        return None if is_folder else path

    def refuse(self, name: str, problem: str) -> None:
        """Raise `InvalidArchiveError` for an entry that is not fit; `problem` is a clause."""
        raise InvalidArchiveError(problem)

    def unpack(self, size: int) -> None:
        """Count bytes that were decompressed, whatever the archive says; raises `InvalidArchiveError`."""
        self._unpacked += size
        self._check_size(self._unpacked)

    def _check_size(self, size: int) -> None:
        if size > self.limits.bytes:
            most = f"{self.limits.bytes >> 20:,} MiB"
            raise InvalidArchiveError(f"unpacks to more than the {most} that skilltool allows")


def _problem(name: str, path: str, mode: int, size: int, is_folder: bool) -> str | None:
    """Return what is wrong with one entry by itself, as a predicate, or None."""
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR if is_folder else 0):
        return "is a link or a special file"
    if problem := name_problem(path if path.strip("/") else name):
        return problem
    if path.endswith("/") and not is_folder:
        return "is a file whose name ends in a slash"
    left_out = next(filter(is_excluded, path.rstrip("/").split("/")), None)
    if left_out is not None:
        return f"must not be in a skill: `skilltool pack` leaves out {shown(left_out)}"
    if is_folder and size:
        return "is a directory that has content"
    if mode & (stat.S_ISUID | stat.S_ISGID) and not is_folder:
        return "has the set-user-ID or set-group-ID bit"
    return None


_MEMORY = 1 << 28  # bytes that a dictionary of LZMA may take; `xz -9` makes one of 64 MiB
_GZIP = 31  # the window of DEFLATE in a gzip member, with its header and checksum
_RAW = -15  # the window without either, as in a zip

Read = Callable[[int], bytes]


class Decompressor(Protocol):
    """What the objects of `bz2` and `lzma` have in common; one reads one stream."""

    @property
    def eof(self) -> bool:
        """Whether the end of the stream was reached."""

    @property
    def unused_data(self) -> bytes:
        """What follows the end of the stream."""

    @property
    def needs_input(self) -> bool:
        """Whether there is no more output without more input."""

    def decompress(self, data: bytes, max_length: int) -> bytes:
        """Return at most `max_length` bytes."""


class _Inflater:
    """A `Decompressor` for DEFLATE."""

    def __init__(self, window: int) -> None:
        self._inner = zlib.decompressobj(window)
        self.needs_input = True

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def unused_data(self) -> bytes:
        return self._inner.unused_data

    def decompress(self, data: bytes, max_length: int) -> bytes:
        made = self._inner.decompress(self._inner.unconsumed_tail + data, max_length)
        self.needs_input = not self._inner.unconsumed_tail and len(made) < max_length
        return made


# By the first two bytes of a compressed tar.
STREAMS: dict[bytes, Callable[[], Decompressor]] = {
    b"\x1f\x8b": lambda: _Inflater(_GZIP),
    b"BZ": bz2.BZ2Decompressor,
    b"\xfd7": lambda: lzma.LZMADecompressor(memlimit=_MEMORY),
}


def inflated(read: Read) -> Iterator[bytes]:
    """Yield the chunks of a raw stream of DEFLATE, as an entry of a zip has it."""
    return decompressed(read, lambda: _Inflater(_RAW), repeated=False)


def unbzipped(read: Read) -> Iterator[bytes]:
    """Yield the chunks of one stream of bzip2."""
    return decompressed(read, bz2.BZ2Decompressor, repeated=False)


def unlzmaed(read: Read) -> Iterator[bytes]:
    """Yield the chunks of an entry of a zip that is compressed with LZMA.

    Its header, four bytes and the properties, is rewritten as that of a `.lzma` file whose end is marked, for
    which the memory can be limited. Source: APPNOTE.TXT 6.3.10, section 5.8.
    """
    head = read(9)
    if len(head) < 9 or head[2:4] != b"\5\0":
        raise ValueError("the header of an LZMA stream is damaged")
    queue = [head[4:] + b"\xff" * 8]
    decoder = lzma.LZMADecompressor(lzma.FORMAT_ALONE, _MEMORY)
    return decompressed(lambda size: queue.pop() if queue else read(size), lambda: decoder, repeated=False)


def decompressed(read: Read, make: Callable[[], Decompressor], repeated: bool) -> Iterator[bytes]:
    """Yield chunks of at most `CHUNK` bytes; `read` returns the compressed data, `b""` at its end.

    With `repeated` more streams may follow, and padding of zeros. Raises what the decompressor does,
    `EOFError` for data that end too early, and `ValueError` for data that follow the end.
    """
    decoder, data = make(), b""
    while True:
        if decoder.needs_input and not data:
            data = read(CHUNK)
            if not data:
                raise EOFError("the compressed data is truncated")
        made = decoder.decompress(data, CHUNK)
        data = b""
        if made:
            yield made
        if decoder.eof:
            data = _after(decoder, read, repeated)
            if not data:
                return
            decoder = make()


def _after(decoder: Decompressor, read: Read, repeated: bool) -> bytes:
    """Return the beginning of the next stream, without padding; empty if there is none."""
    data = decoder.unused_data or read(CHUNK)
    if data and not repeated:
        raise ValueError("there is extra data after the compressed data of an entry")
    while data and not data.strip(b"\0"):
        data = read(CHUNK)
    return data.lstrip(b"\0")


_MAX_HEADER = 1 << 16  # bytes of the longest name or attribute
_END_OF_TAR = bytes(tarfile.BLOCKSIZE)


def tar_entries(file: IO[bytes], tally: Tally) -> Iterator[tuple[str, Iterator[bytes]]]:
    """Yield path and content of each file, as chunks, in the order of the tar; the caller reads them all.

    Raises `InvalidArchiveError`, and what `tarfile` and the decompressors raise for one that is damaged.
    """
    stream = _Stream(file, tally.limits.archive)
    with tarfile.TarFile(fileobj=cast("IO[bytes]", stream)) as tar:
        while (member := tar.next()) is not None:
            tar.members = []  # type: ignore[attr-defined]  # it would keep every header in memory
            mode = member.mode & 0o7777
            if not (member.isfile() or member.isdir()) or member.issparse():
                mode |= 0o120000  # any type that is not admitted
            path = tally.admit(member.name, mode, member.size, member.isdir())
            content = tar.extractfile(member) if path is not None else None
            if path is not None and content is not None:
                yield path, iter(lambda content=content: content.read(CHUNK), b"")  # type: ignore[misc]
    stream.finish()


class _Stream:
    """A file that can only be read onwards, as `tarfile` does for one member after another."""

    def __init__(self, file: IO[bytes], most: int) -> None:
        self._most = most
        make = STREAMS.get(file.read(2))
        file.seek(0)
        self._chunks = (
            iter(lambda: file.read(CHUNK), b"") if make is None else decompressed(file.read, make, True)
        )
        self._buffer = b""
        self._position = 0
        self._last = b""

    def tell(self) -> int:
        return self._position

    def seek(self, position: int) -> int:
        if position < self._position:
            raise tarfile.ReadError("its headers contradict each other")
        while position > self._position and self._take(min(CHUNK, position - self._position)):
            pass
        return self._position

    def read(self, size: int = -1) -> bytes:
        """Read at most `size` bytes, which a header must not ask too many of."""
        if not 0 <= size <= _MAX_HEADER:
            raise InvalidArchiveError(
                f"one of its headers is {size:,} bytes; skilltool allows {_MAX_HEADER:,}"
            )
        parts: list[bytes] = []
        while size and (part := self._take(size)):
            parts.append(part)
            size -= len(part)
        self._last = b"".join(parts)
        return self._last

    def _take(self, most: int) -> bytes:
        """Return what is at hand, at most `most` bytes; empty at the end."""
        if not self._buffer:
            self._buffer = next(self._chunks, b"")
        part, self._buffer = self._buffer[:most], self._buffer[most:]
        self._position += len(part)
        if self._position > self._most:
            raise InvalidArchiveError(
                f"decompresses to more than the {self._most >> 20:,} MiB that skilltool allows"
            )
        return part

    def finish(self) -> None:
        """Read to the end, where the decompressor verifies its checksum; raises if anything is there."""
        if self._last != _END_OF_TAR:
            raise tarfile.ReadError("its end marker is missing")
        while part := self._take(CHUNK):
            if part.strip(b"\0"):
                raise InvalidArchiveError("data follows the end of the archive")


# APPNOTE.TXT 6.3.10, sections 4.3.7, 4.3.12 and 4.3.14 to 4.3.16.
_LOCAL = struct.Struct("<4s5H3L2H")
_LISTED = struct.Struct("<4s24x3H12x")
_END_OF_ZIP = struct.Struct("<4s4H2LH")
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
        raise InvalidArchiveError("contains data that its central directory does not list")
    for path, info, start in admitted:
        file.seek(start)
        yield path, _verified(file, info)


def _directory(file: IO[bytes], size: int) -> _Directory:
    """Find the directory as `zipfile` does; raises for one that another reader could find elsewhere."""
    file.seek(max(0, size - _END_OF_ZIP.size - _LONGEST_COMMENT))
    tail = file.read()
    at = len(tail) - _END_OF_ZIP.size
    if tail[at : at + 4] != b"PK\5\6" or tail[-2:] != b"\0\0":
        at = tail.rfind(b"PK\5\6")
    if at < 0 or len(tail) - at < _END_OF_ZIP.size:
        raise zipfile.BadZipFile("it has no central directory")
    _, disk, first_disk, here, entries, length, start, comment = _END_OF_ZIP.unpack_from(tail, at)
    if at + _END_OF_ZIP.size + comment != len(tail):
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
        raise InvalidArchiveError("is one part of a multi-part archive")
    if start + length != end:
        raise InvalidArchiveError("its central directory is not where its end record says")
    return _Directory(start, length, entries)


def _walk(file: IO[bytes], directory: _Directory, limits: Limits) -> None:
    """Count the entries of the directory and the lengths of their names, before `zipfile` reads it whole."""
    if directory.size > limits.directory:
        raise InvalidArchiveError(
            f"its central directory is {directory.size:,} bytes; skilltool allows {limits.directory:,}"
        )
    position, end, count = directory.start, directory.start + directory.size, 0
    while position < end:
        file.seek(position)
        signature, name, extra, comment = _LISTED.unpack(file.read(_LISTED.size))
        count += 1
        if signature != b"PK\1\2":
            raise zipfile.BadZipFile("its central directory is damaged")
        if count > limits.entries:
            raise InvalidArchiveError(
                f"contains more than the {limits.entries:,} files and directories that skilltool allows"
            )
        if name > MAX_PATH:
            raise InvalidArchiveError(
                f"the name of an entry is {name:,} bytes long; skilltool allows {MAX_PATH:,}"
            )
        position += _LISTED.size + name + extra + comment
    if position != end or count != directory.entries:
        raise InvalidArchiveError(
            "the number of entries in its central directory does not match its end record"
        )


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
        raise InvalidArchiveError(f"the entry {shown(name)} has a different name in a different encoding")


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
            f"the entry {shown(info.orig_filename)} differs between the central directory and its own header"
        )
    start: int = info.header_offset + _LOCAL.size + name + extra
    gap = end - start - info.compress_size
    if gap < 0:
        raise InvalidArchiveError(f"the entry {shown(info.orig_filename)} overlaps another entry")
    if gap not in (_DESCRIPTORS if flags & _SIZE_FOLLOWS else (0,)):
        raise InvalidArchiveError("contains data that its central directory does not list")
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
