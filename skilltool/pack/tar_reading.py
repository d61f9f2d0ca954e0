"""Reads a tar as a stream, compressed or not, with a bound for its length and for each of its headers."""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from typing import IO, cast

from skilltool.pack.decompressing import STREAMS, decompressed
from skilltool.pack.tally import CHUNK, InvalidArchiveError, Tally

_MAX_HEADER = 1 << 16  # bytes of the longest name or attribute
_END = bytes(tarfile.BLOCKSIZE)


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
            raise InvalidArchiveError(f"a header of it has {size:,} bytes; skilltool allows {_MAX_HEADER:,}")
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
        if self._last != _END:
            raise tarfile.ReadError("it ends without the mark of its end")
        while part := self._take(CHUNK):
            if part.strip(b"\0"):
                raise InvalidArchiveError("data follows the end of the archive")
