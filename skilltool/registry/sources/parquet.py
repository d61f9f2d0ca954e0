"""A table of files in Parquet, with the columns `skill_id`, `path` and `bytes`, in one file or several."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from skilltool.errors import PathError
from skilltool.registry.sources.directories import Source
from skilltool.registry.sources.rows import Row, grouped
from skilltool.registry.submitted import Input

_COLUMNS = ("skill_id", "path", "bytes")
_BATCH = 8 << 20  # bytes of content in memory at once, as far as the sizes in the file are true
_MOST_ROWS = 4_096


class Parquet(Source):
    """Files of Parquet, in this order; the rows of one skill may go on in the next file."""

    def __init__(self, paths: Sequence[Path], label: str) -> None:
        """Open the files; raises `PathError` for one that is not a table of files."""
        super().__init__(label)
        self._paths = paths
        self._rows_in_all = max(sum(_checked(path) for path in paths), 1)

    def inputs(self) -> Iterator[Input]:
        """Yield each skill in the order of the rows."""
        return grouped(self._rows(), self.label)

    def _rows(self) -> Iterator[Row]:
        import pyarrow
        from pyarrow import parquet

        done = 0
        for path in self._paths:
            try:
                with parquet.ParquetFile(path, pre_buffer=False, buffer_size=1 << 20) as file:
                    for batch in file.iter_batches(
                        _rows_per_batch(file), columns=list(_COLUMNS), use_threads=False
                    ):
                        for row in _rows_of(batch, done, self.label):
                            yield row
                            done += 1
                        self.fraction = done / self._rows_in_all
            except (OSError, pyarrow.ArrowException) as error:
                reason = str(error).partition("\n")[0]
                self.problems.append(f"{path}: {reason}")
                yield Row(f"{self.label}:{done}", "SKILL.md", b"", f"the table cannot be read on: {reason}")


def _checked(path: Path) -> int:
    """Return the number of rows of a table; raises `PathError` if it is none, or lacks a column."""
    import pyarrow
    from pyarrow import parquet

    try:
        with parquet.ParquetFile(path) as file:
            names, rows = file.schema_arrow.names, file.metadata.num_rows
    except (OSError, pyarrow.ArrowException) as error:
        raise PathError(f"{path}: not a readable Parquet file: {str(error).partition(chr(10))[0]}") from None
    missing = [name for name in _COLUMNS if name not in names]
    if missing:
        raise PathError(f"{path}: has no column `{missing[0]}`; a table of files has {', '.join(_COLUMNS)}")
    return int(rows)


def _rows_per_batch(file: Any) -> int:
    """Return how many rows have about `_BATCH` bytes, as the file says."""
    groups = [file.metadata.row_group(number) for number in range(file.metadata.num_row_groups)]
    rows, size = sum(group.num_rows for group in groups), sum(group.total_byte_size for group in groups)
    return max(1, min(_MOST_ROWS, int(_BATCH * rows // max(size, 1))))


def _rows_of(batch: Any, before: int, label: str) -> Iterator[Row]:
    ids, paths, contents = (batch.column(name).to_pylist() for name in _COLUMNS)
    for number, (skill_id, path, content) in enumerate(zip(ids, paths, contents, strict=True), start=before):
        if not isinstance(skill_id, str):
            yield Row(
                f"{label}:{number}", "SKILL.md", b"", f"row {number} has no `skill_id` that is a string"
            )
        elif not isinstance(path, str):
            yield Row(skill_id, "", b"", f"row {number} has no `path` that is a string")
        elif isinstance(content, str):
            yield Row(skill_id, path, content.encode())
        elif isinstance(content, bytes):
            yield Row(skill_id, path, content)
        else:
            yield Row(skill_id, path, b"", f"row {number} has no `bytes`")
