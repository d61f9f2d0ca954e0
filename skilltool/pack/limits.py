"""The limits of an archive, the same for making one and for unpacking one."""

from __future__ import annotations

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
