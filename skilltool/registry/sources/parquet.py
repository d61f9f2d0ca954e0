"""A table of files in Parquet, with the columns `skill_id`, `path` and `bytes`, in one file or several.

A few bytes of Parquet may stand for gigabytes, and its reader is compiled code. So another process reads it,
with limits of time and memory, and hands the rows on in portions.
"""

from __future__ import annotations

import base64
import os
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from skilltool.bounds.limited_process import LimitedProcess, LimitedProcessError
from skilltool.errors import PathError
from skilltool.registry.sources.directories import Source
from skilltool.registry.sources.rows import LONGEST_ID, Row, grouped, short_id
from skilltool.registry.submitted import File, Input, file_of

_COLUMNS = ("skill_id", "path", "bytes")
_PORTION = 8 << 20  # bytes of content that are handed on at once, unless one row has more
_MOST_ROWS = 256  # decoded at once: as many of the largest skills would need more than the memory
_MEMORY = 2 << 30  # bytes of address space; Arrow alone takes half a GiB
_SECONDS = 60.0  # of processor time for all files, and one more for each of these bytes:
_PER_SECOND = 4 << 20


class Parquet(Source):
    """Files of Parquet, in this order; the rows of one skill may go on in the next file."""

    def __init__(self, paths: Sequence[Path], label: str) -> None:
        """Open the files; raises `PathError` for one that is not a table of files."""
        super().__init__(label)
        self._paths = paths
        self._process = self._started()
        try:
            self._rows_in_all = max(sum(map(self._count, paths)), 1)
        except BaseException:
            self.close()
            raise

    def inputs(self) -> Iterator[Input]:
        """Yield each skill in the order of the rows."""
        return grouped(self._rows(), self.label)

    def close(self) -> None:
        """End the process that reads."""
        self._process.close()

    def _started(self) -> LimitedProcess:
        size = sum(path.stat().st_size for path in self._paths)
        return LimitedProcess(f"{__name__}:answer", _SECONDS + size / _PER_SECOND, _MEMORY)

    def _count(self, path: Path) -> int:
        """Return the number of rows of a table; raises `PathError` if it is none, or lacks a column."""
        try:
            answer = self._process.ask({"path": os.path.abspath(path)})
        except LimitedProcessError as error:
            answer = {"problem": str(error)}
        if "problem" in answer:
            raise PathError(f"{path}: {answer['problem']}")
        return max(int(answer["count"]), 0)

    def _rows(self) -> Iterator[Row]:
        """Yield the rows of all files; where one cannot be read on, its last skill may have had more."""
        done = 0
        last: str | None = None
        for path in self._paths:
            problem = None
            while problem is None:
                rows, problem = self._portion(path)
                for row in rows:
                    last = row.get("skill_id", f"{self.label}:{done}")
                    if "lacks" in row:
                        yield Row(last, None, f"row {done} has no {row['lacks']}")
                    else:
                        head, digest = base64.b64decode(row["head"]), bytes.fromhex(row["digest"])
                        yield Row(last, File(row["path"], head, row["size"], digest))
                    done += 1
                self.fraction = min(done / self._rows_in_all, 1.0)
                if not rows and problem is None:
                    break
            if problem is not None:
                self.problems.append(f"{path}: {problem}")
                last = f"{self.label}:{done}" if last is None else last
                yield Row(last, None, f"the rest of the table cannot be read: {problem}")

    def _portion(self, path: Path) -> tuple[list[dict[str, Any]], str | None]:
        """Return the next rows of a file, none at its end, and why it cannot be read on."""
        try:
            answer = self._process.ask({"path": os.path.abspath(path), "read": True})
        except LimitedProcessError as error:
            self._process = self._started()
            return [], f"it {error}"
        return answer["rows"], answer.get("problem")


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Return the `count` of rows of the file at `path`, or with `read` its next `rows`, or a `problem`.

    A row has `skill_id` and the fields of a `File`, `head` in base64 and `digest` in hexadecimal digits, or
    instead what it `lacks`. This runs in a process with limits.
    """
    if "read" in request:
        return _table(request["path"]).portion()
    return _checked(request["path"])


@cache
def _table(path: str) -> _Table:
    return _Table(path)


class _Table:
    """The rows of one file, from the first one on."""

    def __init__(self, path: str) -> None:
        self._scalars = _scalars(path)

    def portion(self) -> dict[str, Any]:
        """Return rows with about `_PORTION` bytes, none at the end; with `problem` no more can be read."""
        import pyarrow

        rows: list[dict[str, Any]] = []
        size = 0
        try:
            for skill_id, path, content in self._scalars:
                rows.append(_row(_text(skill_id), _text(path), _buffer(content)))
                size += sum(len(value) for value in rows[-1].values() if isinstance(value, str))
                if size >= _PORTION:
                    break
        except pyarrow.ArrowMemoryError:
            raise
        except (OSError, pyarrow.ArrowException) as error:
            return {"rows": rows, "problem": _first_line(error)}
        return {"rows": rows}


def _scalars(path: str) -> Iterator[tuple[Any, ...]]:
    """Yield the values of each row. A value that many rows share is in memory once: `read_dictionary`."""
    from pyarrow import parquet

    with (
        Path(path).open("rb") as raw,
        parquet.ParquetFile(
            raw, pre_buffer=False, buffer_size=1 << 20, read_dictionary=list(_COLUMNS)
        ) as file,
    ):
        for batch in file.iter_batches(_rows_per_batch(file), columns=list(_COLUMNS), use_threads=False):
            yield from zip(*(batch.column(name) for name in _COLUMNS), strict=True)


def _rows_per_batch(file: Any) -> int:
    """Return how many rows have about `_PORTION` bytes, as the file says."""
    groups = [file.metadata.row_group(number) for number in range(file.metadata.num_row_groups)]
    rows, size = sum(group.num_rows for group in groups), sum(group.total_byte_size for group in groups)
    return max(1, min(_MOST_ROWS, int(_PORTION * rows // max(size, 1))))


def _buffer(scalar: Any) -> Any:
    """Return the bytes of a text or of bytes as a buffer, None for a null."""
    value = getattr(scalar, "value", scalar)  # of a dictionary
    return None if value is None else value.as_buffer()


def _text(scalar: Any) -> str | None:
    """Return a text, shorter where it is longer than any that is taken; None for what is not UTF-8."""
    found = _buffer(scalar)
    try:
        text = None if found is None else str(memoryview(found), "utf-8")
    except UnicodeDecodeError:
        return None
    return text if text is None or len(text) <= LONGEST_ID else text[:LONGEST_ID] + short_id(text)


def _row(skill_id: str | None, path: str | None, content: Any) -> dict[str, Any]:
    if skill_id is None:
        return {"lacks": "`skill_id` that is a string"}
    if path is None:
        return {"skill_id": skill_id, "lacks": "`path` that is a string"}
    if content is None:
        return {"skill_id": skill_id, "lacks": "`bytes`"}
    file = file_of(path, [memoryview(content)])
    head = base64.b64encode(file.head).decode("ascii")
    return {"skill_id": skill_id, **file._asdict(), "head": head, "digest": file.digest.hex()}


def _checked(path: str) -> dict[str, Any]:
    """Return the `count` of the rows of a table, or its `problem`."""
    import pyarrow
    from pyarrow import parquet

    try:
        with Path(path).open("rb") as raw, parquet.ParquetFile(raw) as file:
            schema, count = file.schema_arrow, file.metadata.num_rows
    except pyarrow.ArrowMemoryError:
        raise
    except (OSError, pyarrow.ArrowException, ValueError) as error:
        return {"problem": f"not a readable Parquet file: {_first_line(error)}"}
    for name in _COLUMNS:
        numbers = schema.get_all_field_indices(name)
        if not numbers:
            return {"problem": f"has no column `{name}`; a table of files has {', '.join(_COLUMNS)}"}
        if len(numbers) > 1:
            return {"problem": f"has {len(numbers):,} columns `{name}`"}
        if not _is_text_or_bytes(schema.field(numbers[0]).type):
            return {"problem": f"has a column `{name}` that contains neither strings nor bytes"}
    return {"count": count}


def _is_text_or_bytes(kind: Any) -> bool:
    from pyarrow import types

    kind = kind.value_type if types.is_dictionary(kind) else kind
    one_of = (
        *(types.is_string, types.is_large_string, types.is_string_view),
        *(types.is_binary, types.is_large_binary, types.is_binary_view),
    )
    return any(each(kind) for each in one_of)


def _first_line(error: Exception) -> str:
    return str(getattr(error, "strerror", None) or error).partition("\n")[0][:300]
