"""What lies in an archive, read as if it were hostile: nothing lands outside of one temporary directory."""

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
from skilltool.pack.limits import MAX_BYTES, MAX_FILES, clash, name_problem
from skilltool.skill.skill_file import FILE_NAME

_CHUNK = 1 << 16
_UNREADABLE = (
    *(OSError, tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError),
    *(EOFError, NotImplementedError, RuntimeError, ValueError),
)
_COMPRESSED: dict[bytes, Any] = {b"\x1f\x8b": gzip.open, b"BZ": bz2.open, b"\xfd7": lzma.open}


class UnfitError(SkilltoolError):
    """An archive that must not be unpacked; the text names the entry and what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Inside:
    """An unpacked archive: the skill's directory, and its files by their paths in it, with sizes in bytes."""

    directory: Path
    files: dict[str, int]

    @property
    def size(self) -> int:
        """The size of all files, in bytes."""
        return sum(self.files.values())


@contextmanager
def inside(archive: Path) -> Iterator[Inside]:
    """Unpack an archive into a temporary directory that lives as long as the context.

    Raises `UnfitError` for links, paths that lead out, clashing names, more than the bounds, and anything but
    one skill in one top directory; `PathError` where the file cannot be read as an archive.
    """
    with TemporaryDirectory(prefix="skilltool-") as folder:
        top = Path(folder)
        try:
            sizes = _unpacked(archive, top)
        except SkilltoolError:
            raise
        except _UNREADABLE as error:
            said = str(error).partition("\n")[0] or type(error).__name__
            raise PathError(f"{archive}: cannot be read as a zip or tar archive: {said}") from None
        name = _skill(archive, list(sizes))
        yield Inside(top / name, {path.removeprefix(f"{name}/"): size for path, size in sizes.items()})


def _unpacked(archive: Path, top: Path) -> dict[str, int]:
    if not archive.is_file():
        raise PathError(f"{archive}: no such file")
    sizes: dict[str, int] = {}
    total = 0
    for name, opened in _entries(archive):
        name = name.removeprefix("./")
        if problem := name_problem(name):
            raise UnfitError(f"{archive}: the entry {name!r} {problem}")
        if len(sizes) == MAX_FILES:
            raise UnfitError(f"{archive}: more than {MAX_FILES:,} files")
        with _created(archive, top, name) as file:
            while chunk := opened.read(_CHUNK):
                total += len(chunk)
                if total > MAX_BYTES:
                    raise UnfitError(f"{archive}: unpacked it has more than {MAX_BYTES >> 20} MiB")
                file.write(chunk)
            sizes[name] = file.tell()
    if pair := clash(sizes):
        raise UnfitError(f"{archive}: `{pair[0]}` and `{pair[1]}` are one name where case does not count")
    return sizes


def _created(archive: Path, top: Path, name: str) -> IO[bytes]:
    """Return a new file for an entry, open for writing."""
    target = top / name
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        return target.open("xb")
    except OSError as error:
        said = "is there twice" if target.exists() else f"cannot be unpacked: {error.strerror}"
        raise UnfitError(f"{archive}: the entry {name!r} {said}") from None


def _entries(archive: Path) -> Iterator[tuple[str, IO[bytes]]]:
    """Yield the files of an archive, each open for reading; raises `UnfitError` for anything but files."""
    if _begins(archive, b"PK"):  # what zipfile looks for at the end may stand in a file of a tar, too
        with zipfile.ZipFile(archive) as opened:
            for info in opened.infolist():
                mode = info.external_attr >> 16
                if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
                    raise UnfitError(f"{archive}: the entry {info.filename!r} is a link or no file")
                if info.flag_bits & 1:
                    raise UnfitError(f"{archive}: the entry {info.filename!r} is encrypted")
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
                    raise UnfitError(f"{archive}: the entry {member.name!r} is a link or no file")
                yield member.name, content
        stream.finish()  # a sum of what was compressed stands after the end of the tar


def _begins(archive: Path, signature: bytes) -> bool:
    with archive.open("rb") as raw:
        return raw.read(len(signature)) == signature


def _decompressed(archive: Path, raw: IO[bytes]) -> Any:
    """Return a stream of the tar in a file; it refuses to read at once what no skill needs."""
    opener = _COMPRESSED.get(raw.read(2))
    raw.seek(0)
    return _Bounded(opener(raw) if opener else raw, archive)


class _Bounded:
    """A stream in which the headers of a tar cannot ask for more memory than a skill may have."""

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
            raise UnfitError(f"{self._archive}: an entry of more than {MAX_BYTES >> 20} MiB")
        data: bytes = self._inner.read(size)
        return data

    def finish(self) -> None:
        """Read to the end, so that a sum which does not fit is noticed."""
        left = MAX_BYTES
        while left > 0 and (chunk := self._inner.read(_CHUNK)):
            left -= len(chunk)
        if left <= 0:
            raise UnfitError(f"{self._archive}: more than {MAX_BYTES >> 20} MiB after its end")


def _check_folder(archive: Path, name: str) -> None:
    name = name.removeprefix("./")
    if name in ("", "."):
        return
    if problem := name_problem(name):
        raise UnfitError(f"{archive}: the entry {name!r} {problem}")


def _skill(archive: Path, names: list[str]) -> str:
    """Return the one top directory, which has to hold the one SKILL.md."""
    tops = sorted({name.partition("/")[0] for name in names})
    files = [name for name in names if name.rpartition("/")[2] == FILE_NAME]
    if not names:
        raise UnfitError(f"{archive}: it is empty")
    if len(tops) != 1 or any("/" not in name for name in names):
        listed = ", ".join(f"`{top}`" for top in tops[:5])
        raise UnfitError(f"{archive}: one top directory is expected, not {listed}")
    if len(files) != 1 or files[0] != f"{tops[0]}/{FILE_NAME}":
        found = ", ".join(f"`{name}`" for name in files[:5]) or "none"
        raise UnfitError(f"{archive}: one `{tops[0]}/{FILE_NAME}` is expected; found: {found}")
    return tops[0]
