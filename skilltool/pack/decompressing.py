"""Decompresses in chunks of bounded size, which `zipfile` does not do for every method of compression."""

from __future__ import annotations

import bz2
import lzma
import zlib
from collections.abc import Callable, Iterator
from typing import Protocol

from skilltool.pack.tally import CHUNK

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
                raise EOFError("the compressed data end too early")
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
        raise ValueError("data follow the compressed data of an entry")
    while data and not data.strip(b"\0"):
        data = read(CHUNK)
    return data.lstrip(b"\0")
