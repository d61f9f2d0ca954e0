"""A skill as a source hands it in: its files as bytes, so that it can be checked alone and anywhere."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import NamedTuple

from skilltool.bounds.budget import Budget
from skilltool.pack.entry_names import MAX_BYTES, MAX_MIB
from skilltool.skill.skill_file import MAX_BYTES as MAX_TEXT

# Bytes of one file that are sent to a worker: one more than any rule reads, so that a larger file stays so.
HEAD = MAX_TEXT + 1
MAX_SKILL, MAX_SKILL_MIB = MAX_BYTES, MAX_MIB
MAX_FILES = Budget().files


class File(NamedTuple):
    """One file: its path in the skill with `/`, the first `HEAD` bytes, its size in bytes, and its SHA-256.

    With `link` it is a symbolic link to that target, as written, and has no content. A `digest` of no bytes
    stands for a file that is not regular.
    """

    path: str
    head: bytes
    size: int
    digest: bytes
    link: str | None = None


class Submitted(NamedTuple):
    """A skill to check: its id, the source that it is from, the name of its directory, and its files."""

    skill_id: str
    source: str
    directory: str
    files: tuple[File, ...]
    folders: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """The bytes that are sent to a worker."""
        return sum(len(file.head) for file in self.files)

    @property
    def total(self) -> int:
        """The bytes of all files."""
        return sum(file.size for file in self.files)

    @property
    def content(self) -> bytes:
        """The SHA-256 of the files: see `tree_digest`."""
        return tree_digest(self.files)


class Unread(NamedTuple):
    """A skill that cannot be handed in; it gets a row, too. `why` is a clause, `status` that of the row."""

    skill_id: str
    source: str
    directory: str
    why: str
    status: str = "unreadable"


Input = Submitted | Unread


def file_of(path: str, chunks: Iterable[bytes | memoryview]) -> File:
    """Return a file with the content in `chunks`, of which only the beginning is kept."""
    digest, head, size = hashlib.sha256(), bytearray(), 0
    for chunk in chunks:
        digest.update(chunk)
        size += len(chunk)
        if len(head) < HEAD:
            head += chunk[: HEAD - len(head)]
    return File(path, bytes(head), size, digest.digest())


def tree_digest(files: Iterable[File]) -> bytes:
    """Return the SHA-256 of a skill: of a line `SHA-256  PATH` for each file, sorted by the bytes of paths.

    It is what `find . -type f -printf '%P\\0' | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum` prints in
    the skill's directory. The line of a link has the SHA-256 of `link:` and its target.
    """
    whole = hashlib.sha256()
    for name, file in sorted((file.path.encode("utf-8", "surrogateescape"), file) for file in files):
        content = file.digest
        if file.link is not None:
            content = hashlib.sha256(b"link:" + file.link.encode("utf-8", "surrogateescape")).digest()
        whole.update(content.hex().encode() + b"  " + name + b"\n")
    return whole.digest()
