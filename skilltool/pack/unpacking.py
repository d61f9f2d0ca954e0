"""Unpacks an archive as if it were hostile: nothing is written outside one temporary directory."""

from __future__ import annotations

import bz2
import gzip
import lzma
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any

from skilltool.errors import PathError, SkilltoolError
from skilltool.pack.entry_names import name_conflict, name_problem
from skilltool.pack.limits import MAX_BYTES, MAX_FILES, MAX_MIB
from skilltool.skill.skill_file import FILE_NAME

_CHUNK = 1 << 16
_UNREADABLE = (
    *(OSError, tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError),
    *(EOFError, NotImplementedError, RuntimeError, ValueError),
)
_NOT_REGULAR = "a link or a special file"
_DECOMPRESSORS: dict[bytes, Any] = {b"\x1f\x8b": gzip.open, b"BZ": bz2.open, b"\xfd7": lzma.open}


class InvalidArchiveError(SkilltoolError):
    """An archive that is unsafe to unpack or not one skill; the text names the entry at fault."""


@dataclass(frozen=True, slots=True)
class UnpackedSkill:
    """The temporary directory of the skill, and its files: relative path to size in bytes."""

    directory: Path
    files: dict[str, int]

    @property
    def size(self) -> int:
        """The total size of the files, in bytes."""
        return sum(self.files.values())


@contextmanager
def unpacked(archive: Path) -> Iterator[UnpackedSkill]:
    """Unpack a zip or tar archive into a temporary directory, which is deleted when the context ends.

    Raises `InvalidArchiveError` for links, paths out of the archive, names that differ only in case, more
    than the limits, and anything but one skill in one top-level directory; `PathError` for a file that is
    not a readable archive.
    """
    with TemporaryDirectory(prefix="skilltool-") as folder:
        top = Path(folder)
        try:
            sizes = _unpack(archive, top)
        except SkilltoolError:
            raise
        except _UNREADABLE as error:
            reason = str(error).partition("\n")[0] or type(error).__name__
            raise PathError(f"{archive}: not a readable zip or tar archive: {reason}") from None
        name = _skill_directory(archive, list(sizes))
        yield UnpackedSkill(top / name, {path.removeprefix(f"{name}/"): size for path, size in sizes.items()})


def _unpack(archive: Path, top: Path) -> dict[str, int]:
    """Write the files below `top`; return their sizes in bytes by their paths in the archive."""
    if not archive.is_file():
        raise PathError(f"{archive}: {'not a file' if archive.exists() else 'no such file'}")
    sizes: dict[str, int] = {}
    total = 0
    for name, opened in _entries(archive):
        name = name.removeprefix("./")
        if problem := name_problem(name):
            raise InvalidArchiveError(f"{archive}: the entry `{name}` {problem}")
        if len(sizes) == MAX_FILES:
            raise InvalidArchiveError(
                f"{archive}: contains more than the {MAX_FILES:,} files that skilltool allows"
            )
        with _create(archive, top, name) as file:
            while chunk := opened.read(_CHUNK):
                total += len(chunk)
                if total > MAX_BYTES:
                    raise InvalidArchiveError(
                        f"{archive}: unpacks to more than the {MAX_MIB} that skilltool allows"
                    )
                file.write(chunk)
            sizes[name] = file.tell()
    if pair := name_conflict(sizes):
        raise InvalidArchiveError(
            f"{archive}: `{pair[0]}` and `{pair[1]}` differ only in case or Unicode normalization"
        )
    return sizes


def _create(archive: Path, top: Path, name: str) -> IO[bytes]:
    """Return a new file for an entry, open for writing."""
    target = top / name
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        return target.open("xb")
    except OSError as error:
        problem = "appears twice" if target.exists() else f"cannot be unpacked: {error.strerror}"
        raise InvalidArchiveError(f"{archive}: the entry `{name}` {problem}") from None


def _entries(archive: Path) -> Iterator[tuple[str, IO[bytes]]]:
    """Yield path and open stream of each file; raises `InvalidArchiveError` for links and special files."""
    if _starts_with(archive, b"PK"):  # `zipfile.is_zipfile` looks at the end, where a tar may hold a zip
        with zipfile.ZipFile(archive) as opened:
            for info in opened.infolist():
                mode = info.external_attr >> 16
                if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
                    raise InvalidArchiveError(f"{archive}: the entry `{info.filename}` is {_NOT_REGULAR}")
                if info.flag_bits & 1:
                    raise InvalidArchiveError(f"{archive}: the entry `{info.filename}` is encrypted")
                if info.is_dir():
                    _check_folder(archive, info.filename)
                    continue
                with opened.open(info) as file:
                    yield info.filename, file
        return
    with archive.open("rb") as raw, _decompressed(archive, raw) as stream:
        with tarfile.TarFile(fileobj=stream) as tar:
            for member in tar:
                if member.isdir():
                    _check_folder(archive, member.name)
                    continue
                content = tar.extractfile(member) if member.isreg() else None
                if content is None:
                    raise InvalidArchiveError(f"{archive}: the entry `{member.name}` is {_NOT_REGULAR}")
                yield member.name, content
        stream.finish()  # the checksum of the compressed data follows the end of the tar


def _starts_with(archive: Path, signature: bytes) -> bool:
    with archive.open("rb") as raw:
        return raw.read(len(signature)) == signature


def _decompressed(archive: Path, raw: IO[bytes]) -> Any:
    """Return a stream of the tar in a file, decompressed, which refuses oversized reads."""
    opener = _DECOMPRESSORS.get(raw.read(2))
    raw.seek(0)
    return _Bounded(opener(raw) if opener else raw, archive)


class _Bounded:
    """A stream that limits how much memory the headers of a tar can ask for."""

    def __init__(self, inner: Any, archive: Path) -> None:
        self._inner = inner
        self._archive = archive

    def __enter__(self) -> _Bounded:
        return self

    def __exit__(self, *_: object) -> None:
        self._inner.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def read(self, size: int = -1) -> bytes:
        if not 0 <= size <= MAX_BYTES:
            raise InvalidArchiveError(
                f"{self._archive}: an entry exceeds the {MAX_MIB} that skilltool allows"
            )
        data: bytes = self._inner.read(size)
        return data

    def finish(self) -> None:
        """Read to the end, where the decompressor verifies its checksum."""
        remaining = MAX_BYTES
        while remaining > 0 and (chunk := self._inner.read(_CHUNK)):
            remaining -= len(chunk)
        if remaining <= 0:
            raise InvalidArchiveError(f"{self._archive}: more than {MAX_MIB} follow the end of the archive")


def _check_folder(archive: Path, name: str) -> None:
    name = name.removeprefix("./")
    if name in ("", "."):
        return
    if problem := name_problem(name):
        raise InvalidArchiveError(f"{archive}: the entry `{name}` {problem}")


def _skill_directory(archive: Path, names: list[str]) -> str:
    """Return the only top-level directory, which must hold the only SKILL.md."""
    tops = sorted({name.partition("/")[0] for name in names})
    files = [name for name in names if name.rpartition("/")[2] == FILE_NAME]
    if not names:
        raise InvalidArchiveError(f"{archive}: the archive is empty")
    if len(tops) != 1 or any("/" not in name for name in names):
        listed = ", ".join(f"`{top}`" for top in tops[:5])
        raise InvalidArchiveError(f"{archive}: expected one top-level directory, found {listed}")
    if len(files) != 1 or files[0] != f"{tops[0]}/{FILE_NAME}":
        found = ", ".join(f"`{name}`" for name in files[:5]) or "none"
        raise InvalidArchiveError(
            f"{archive}: expected one {FILE_NAME}, `{tops[0]}/{FILE_NAME}`; found {found}"
        )
    return tops[0]
