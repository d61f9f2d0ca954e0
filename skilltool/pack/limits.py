"""The limits of an archive, the same for making one and for unpacking one."""

from __future__ import annotations

from typing import NamedTuple

from skilltool.bounds.budget import Budget

MAX_FILES = Budget().files
MAX_ENTRIES = 2 * MAX_FILES  # files and directories, also those that only a path names
MAX_DEPTH = Budget().depth  # directory levels, with the skill's own
MAX_NAME = 255  # bytes of UTF-8 in a file's name, as on Linux
MAX_PATH = 1_024  # bytes of UTF-8 in a path, as on macOS
MAX_BYTES = 100 * 1024 * 1024  # of all files together, and of each
MAX_MIB = f"{MAX_BYTES >> 20} MiB"
MAX_ARCHIVE = 2 * MAX_BYTES  # of the archive itself and of a decompressed tar: files, headers and padding
MAX_ARCHIVE_MIB = f"{MAX_ARCHIVE >> 20} MiB"
MAX_DIRECTORY = 1 << 24  # bytes of the list of entries in a zip, before it is read at all


class Limits(NamedTuple):
    """What one archive may hold: files; files and directories; bytes of its files, itself and its list."""

    files: int = MAX_FILES
    entries: int = MAX_ENTRIES
    bytes: int = MAX_BYTES
    archive: int = MAX_ARCHIVE
    directory: int = MAX_DIRECTORY


ONE_SKILL = Limits()
