"""Where do the skills of a survey come from? Directories, archives, and tables of files, read as streams."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from skilltool.errors import PathError, SkilltoolError
from skilltool.registry.sources.directories import Source

_ARCHIVES = (".zip", ".skill", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz")
_LINES = (".jsonl", ".ndjson")
_PARQUET = (".parquet",)
FORMATS = "a directory, an archive (zip or tar) or a table (.parquet, .jsonl)"


def open_sources(paths: Sequence[Path]) -> list[Source]:
    """Return the sources at these paths; of several, ids of directories and archives begin with their names.

    Raises `PathError` for a path that is missing or of no known format, `SkilltoolError` for two of one name.
    """
    labels = [label_of(path) for path in paths]
    twice = [label for label, count in Counter(labels).items() if count > 1]
    if twice:
        raise SkilltoolError(
            f"two sources are named `{twice[0]}`, so their ids could clash; survey them separately"
        )
    several = len(paths) > 1
    return [_open(path, f"{label}/" if several else "") for path, label in zip(paths, labels, strict=True)]


def label_of(path: Path) -> str:
    """Return the name of a source: the last part of its path."""
    return path.name or path.absolute().name or str(path)


def _open(path: Path, prefix: str) -> Source:
    if not path.exists():
        raise PathError(f"{path}: no such file or directory")
    name, label = path.name.lower(), label_of(path)
    if path.is_dir():
        if not (tables := [each for each in sorted(path.glob("*.parquet")) if each.is_file()]):
            from skilltool.registry.sources.directories import Directory

            return Directory(path, label, prefix)
        from skilltool.registry.sources.parquet import Parquet

        return Parquet(tables, label)
    if not path.is_file():
        raise PathError(f"{path}: not a regular file or directory")  # to open a pipe waits for a writer
    if name.endswith(_ARCHIVES):
        from skilltool.registry.sources.directories import Archive

        return Archive(path, label, prefix)
    if name.endswith(_LINES):
        from skilltool.registry.sources.rows import Lines

        return Lines(path, label)
    if name.endswith(_PARQUET):
        from skilltool.registry.sources.parquet import Parquet

        return Parquet([path], label)
    raise PathError(f"{path}: not {FORMATS}")
