"""Unpacks an archive as if it were hostile: nothing is written outside one temporary directory.

It is read in a process of its own, since no count bounds the time of every header.
"""

from __future__ import annotations

import hashlib
import lzma
import re
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from struct import error as struct_error
from tempfile import TemporaryDirectory
from typing import IO, Any

from skilltool.bounds.limited_process import LimitedProcessError, call_limited
from skilltool.errors import PathError
from skilltool.pack.entry_names import MAX_ARCHIVE, MAX_ARCHIVE_MIB, shown
from skilltool.pack.reading import InvalidArchiveError, Tally, tar_entries, zip_entries
from skilltool.skill.model import load_skill
from skilltool.skill.skill_file import FILE_NAME

_UNREADABLE = (
    *(OSError, tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError),
    *(EOFError, NotImplementedError, RuntimeError, ValueError, ArithmeticError, LookupError),
)


@dataclass(frozen=True, slots=True)
class UnpackedSkill:
    """The temporary directory of the skill, and its files: relative path to size in bytes.

    `sha256` is the checksum of the archive, in hexadecimal digits. `in_folder` tells whether the skill is
    in a directory of the archive.
    """

    directory: Path
    files: dict[str, int]
    sha256: str
    in_folder: bool = True

    @property
    def size(self) -> int:
        """The total size of the files, in bytes."""
        return sum(self.files.values())


@contextmanager
def unpacked(archive: Path, at_root: bool = False) -> Iterator[UnpackedSkill]:
    """Unpack a zip or tar archive into a temporary directory, which is deleted when the context ends.

    With `at_root` the skill may also be at the root of the archive; its directory then has the name in its
    frontmatter.

    Raises `InvalidArchiveError` for links, paths out of the archive, names that differ only in case, names
    that `collect` leaves out or refuses, more than the limits (of time and memory, too), and anything but one
    skill in one top-level directory; `PathError` for a file that is not a readable archive.
    """
    if not archive.is_file():
        raise PathError(f"{archive}: {'not a file' if archive.exists() else 'no such file'}")
    with TemporaryDirectory(prefix="skilltool-") as folder:
        top = Path(folder, "archive")
        top.mkdir()
        request = {"archive": str(archive.absolute()), "top": str(top), "at_root": at_root}
        try:
            answer = call_limited(f"{__name__}:answer", request)
        except LimitedProcessError as error:
            raise InvalidArchiveError(f"{archive}: {error}") from None
        for key, kind in (("invalid", InvalidArchiveError), ("unreadable", PathError)):
            if key in answer:
                raise kind(f"{archive}: {answer[key]}")
        name, files = answer["name"], answer["files"]
        directory = top / name if name else top.rename(Path(folder, _declared_name(top)))
        yield UnpackedSkill(directory, files, answer["sha256"], bool(name))


def _declared_name(directory: Path) -> str:
    """Return the name that a skill gives itself, or another if that cannot be one of a directory."""
    name = load_skill(directory).frontmatter.text("name") or ""
    return name if re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}", name) else "skill"


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Unpack an archive, in a process with limits: both paths are absolute, `top` is an empty directory."""
    try:
        with Path(request["archive"]).open("rb") as file:
            sizes, checksum = _unpack(file, Path(request["top"]))
        name = "" if request["at_root"] and FILE_NAME in sizes else _skill_directory(list(sizes))
    except InvalidArchiveError as error:
        return {"invalid": str(error)}
    except Exception as error:
        if (reason := reason_of(error)) is None:
            raise
        return {"unreadable": reason}
    if not name and sum(path.rpartition("/")[2] == FILE_NAME for path in sizes) > 1:
        return {"invalid": f"contains a second {FILE_NAME} besides the one at its root"}
    files = {path.removeprefix(f"{name}/"): size for path, size in sizes.items()}
    return {"name": name, "files": files, "sha256": checksum}


def reason_of(error: Exception) -> str | None:
    """Return why an archive cannot be read, as a predicate; None for an error that is not about it."""
    if isinstance(error, struct_error):  # less was there than a record of a zip has
        return "not a readable zip or tar archive: it is damaged"
    if not isinstance(error, _UNREADABLE):
        return None
    reason = getattr(error, "strerror", None) or str(error).partition("\n")[0] or type(error).__name__
    return f"not a readable zip or tar archive: {reason}"


def _unpack(file: BufferedReader, top: Path) -> tuple[dict[str, int], str]:
    """Write the files of an archive under `top`; return their sizes in bytes, and the archive's checksum."""
    size = file.seek(0, 2)
    if size > MAX_ARCHIVE:
        raise InvalidArchiveError(f"the archive is {size:,} bytes; skilltool allows {MAX_ARCHIVE_MIB}")
    file.seek(0)
    checksum = hashlib.file_digest(file, "sha256").hexdigest()
    return unpack_into(file, top, Tally()), checksum


def unpack_into(file: BufferedReader, top: Path, tally: Tally) -> dict[str, int]:
    """Write the files of an archive under `top`, as far as `tally` admits them; return their sizes in bytes.

    Raises `InvalidArchiveError`, and errors that `reason_of` words.
    """
    size, sizes = file.seek(0, 2), {}
    file.seek(0)
    is_zip = file.read(2) == b"PK"  # `zipfile.is_zipfile` looks at the end, where a tar may hold a zip
    file.seek(0)
    for path, chunks in zip_entries(file, size, tally) if is_zip else tar_entries(file, tally):
        with _create(top, path) as target:
            for chunk in chunks:
                tally.unpack(len(chunk))
                target.write(chunk)
            sizes[path] = target.tell()
    return sizes


def _create(top: Path, path: str) -> IO[bytes]:
    """Return a new file for an entry, open for writing."""
    target = top / path
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        return target.open("xb")
    except OSError as error:
        raise InvalidArchiveError(f"the entry {shown(path)} cannot be unpacked: {error.strerror}") from None


def _skill_directory(names: list[str]) -> str:
    """Return the only top-level directory, which must hold the only SKILL.md."""
    tops = sorted({name.partition("/")[0] for name in names})
    files = [name for name in names if name.rpartition("/")[2] == FILE_NAME]
    if not names:
        raise InvalidArchiveError("the archive is empty")
    if len(tops) != 1 or any("/" not in name for name in names):
        raise InvalidArchiveError(
            f"expected one top-level directory, found {', '.join(map(shown, tops[:5]))}"
        )
    if len(files) != 1 or files[0] != f"{tops[0]}/{FILE_NAME}":
        found = ", ".join(map(shown, files[:5])) or "none"
        raise InvalidArchiveError(
            f"expected one {FILE_NAME}, {shown(f'{tops[0]}/{FILE_NAME}')}; found {found}"
        )
    return tops[0]
