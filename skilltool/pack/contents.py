"""Which files of a skill go into its archive: all but what git ignores and what never belongs to a skill.

Nothing is compressed: two builds of zlib may compress one text to different bytes, and a skill is small.
"""

from __future__ import annotations

import io
import os
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from skilltool.errors import SkilltoolError
from skilltool.pack.entry_names import (
    MAX_BYTES,
    MAX_DEPTH,
    MAX_FILES,
    MAX_MIB,
    EntryNames,
    is_excluded,
    name_problem,
)
from skilltool.skill.discovery.ignore import Ignore, TrackedFiles, Verdict
from skilltool.skill.skill_file import FILE_NAME

# The first bytes of an executable file: a `#!` line, or a binary of Linux or macOS.
_EXECUTABLE = (b"#!", b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")


@dataclass(frozen=True, slots=True)
class Entry:
    """One file: its path in the skill with `/`, and its bytes."""

    path: str
    content: bytes

    @property
    def executable(self) -> bool:
        """Whether it can be executed, judged by its content, since not every system has modes."""
        return self.content.startswith(_EXECUTABLE)


@dataclass(slots=True)
class Contents:
    """A skill's files, sorted by the bytes of their paths, and the paths that were excluded.

    `note` says why files that git tracks may be among the excluded, if git could not be asked.
    """

    name: str
    entries: list[Entry] = field(default_factory=list)
    excluded: list[str] = field(default_factory=list)
    note: str | None = None

    @property
    def sizes(self) -> dict[str, int]:
        """The size of each file in bytes, by its path."""
        return {entry.path: len(entry.content) for entry in self.entries}


def collect(directory: Path, archive: Path | None = None) -> Contents:
    """Read the files of a skill's directory that belong in its archive; `archive`, the output file, does not.

    Nor do the outputs of earlier runs in that directory, by the names that they have unless told otherwise.

    Raises `SkilltoolError` for a link out of the skill or to a directory, a pipe or device, names that differ
    only in case, more than the limits, an excluded SKILL.md and a second one.
    """
    top = directory.resolve()
    contents = Contents(top.name)
    if is_excluded(top.name):
        raise SkilltoolError(f"{directory}: archives leave out `{top.name}`; rename the directory")
    exclusions = _Exclusions(top, archive)
    size = 0  # of all files, in bytes
    for path in _walk(top, top, exclusions, contents):
        contents.entries.append(_entry(top, path))
        size += len(contents.entries[-1].content)
        if len(contents.entries) > MAX_FILES or size > MAX_BYTES:
            raise SkilltoolError(
                f"{directory}: exceeds the {MAX_FILES:,} files or {MAX_MIB} that skilltool allows"
            )
    contents.entries.sort(key=lambda entry: entry.path.encode("utf-8", "surrogateescape"))
    contents.excluded.sort()
    contents.note = exclusions.note
    names = EntryNames()
    for entry in contents.entries:
        if problem := names.add(entry.path):
            raise SkilltoolError(f"{directory}: {problem}")
    skills = [entry.path for entry in contents.entries if entry.path.rpartition("/")[2] == FILE_NAME]
    if FILE_NAME not in skills:
        raise SkilltoolError(
            f"{directory}: {FILE_NAME} is excluded by .gitignore or because it is the output file"
        )
    if len(skills) > 1:
        raise SkilltoolError(
            f"{directory}: contains a second skill, `{skills[1]}`; move it out of this directory"
        )
    return contents


class _Exclusions:
    """What is excluded from the archive of one skill."""

    def __init__(self, top: Path, archive: Path | None) -> None:
        self._top = top
        self._outputs = {
            top / f"{top.name}.skill",
            top / f"{top.name}.mcp.json",
            archive and archive.resolve(),
        }
        self._git = Ignore((), top, gitignore=True, tracked=TrackedFiles(top))
        self._ignored: set[Path] = set()  # folders that are entered only because git tracks something there

    @property
    def note(self) -> str | None:
        """Why files that git tracks may have been excluded, None if there is no reason."""
        return self._git.note

    def match(self, path: Path, is_folder: bool) -> bool:
        """Return whether a path of the skill is excluded by itself, not by a folder above it."""
        if path in self._outputs:
            return True
        if is_excluded(path.name):
            return True
        verdict = self._git.verdict(os.fspath(path), is_folder, path.parent in self._ignored)
        if verdict is Verdict.TRACKED:
            self._ignored.add(path)
        return verdict.drops

    def match_target(self, link: Path) -> bool:
        """Return whether the target of a link, or a folder above the target, is excluded."""
        target = Path(os.path.realpath(link))  # `Path.resolve` raises for a loop
        if not target.is_relative_to(self._top):
            return False
        above = [target, *target.parents]
        return any(self.match(path, path.is_dir()) for path in reversed(above[: above.index(self._top)]))


def _walk(top: Path, folder: Path, exclusions: _Exclusions, contents: Contents) -> Iterator[Path]:
    try:
        with os.scandir(folder) as scanned:
            entries = sorted(scanned, key=lambda entry: os.fsencode(entry.name))
    except OSError as error:
        raise SkilltoolError(f"{folder}: {error.strerror}") from None
    for entry in entries:
        path = Path(entry.path)
        is_folder = entry.is_dir(follow_symlinks=False)
        if exclusions.match(path, is_folder) or (path.is_symlink() and exclusions.match_target(path)):
            contents.excluded.append(path.relative_to(top).as_posix() + "/" * is_folder)
        elif is_folder:
            if len(path.relative_to(top).parts) >= MAX_DEPTH - 1:  # the archive adds a level
                raise SkilltoolError(
                    f"{path}: nested deeper than the {MAX_DEPTH} levels that skilltool allows"
                )
            yield from _walk(top, path, exclusions, contents)
        else:
            yield path


def _entry(top: Path, path: Path) -> Entry:
    name = path.relative_to(top).as_posix()
    try:
        if path.is_symlink() and not path.resolve(strict=True).is_relative_to(top):
            raise SkilltoolError(
                f"{path}: is a link that points outside the skill; replace the link with the file"
            )
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise SkilltoolError(f"{path}: not a regular file or directory, so it cannot be packed")
        if problem := name_problem(f"{top.name}/{name}"):
            raise SkilltoolError(f"{path}: the path {problem}")
        if status.st_size > MAX_BYTES:
            raise SkilltoolError(f"{path}: larger than the {MAX_MIB} that skilltool allows")
        return Entry(name, path.read_bytes())
    except (OSError, RuntimeError) as error:
        raise SkilltoolError(f"{path}: {getattr(error, 'strerror', None) or error}") from None


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
