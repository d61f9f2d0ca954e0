"""Files written whole or not at all: beside their place first, then moved into it."""

from __future__ import annotations

import os
from pathlib import Path


def put(path: Path, raw: bytes) -> None:
    """Write `raw` to a file; whatever happens it is either the old one or the new one.

    The mode of a file that is there stays; where `path` is a link, its target is written. A pipe or a device,
    such as `/dev/stdout`, is written to. Raises OSError.
    """
    if path.exists() and not path.is_file():
        with path.open("wb") as stream:
            stream.write(raw)
        return
    target = Path(os.path.realpath(path))
    beside = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        with beside.open("xb") as file:
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            beside.chmod(target.stat().st_mode & 0o7777)
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)
