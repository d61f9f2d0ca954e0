"""The limits of an archive, the same for making one and for unpacking one."""

from __future__ import annotations

MAX_FILES = 10_000
MAX_DEPTH = 32  # directory levels, with the skill's own
MAX_BYTES = 100 * 1024 * 1024  # of all files together, and of each
MAX_MIB = f"{MAX_BYTES >> 20} MiB"
