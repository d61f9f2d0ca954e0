"""The tables: their columns, from the schema that `skilltool schema tables` prints, and rows as Parquet."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from skilltool.skill import schema

NAMES = ("skills", "findings", "verdicts", "clusters", "sketches", "runs")
OF_SKILLS = (
    "skills",
    "findings",
    "verdicts",
    "sketches",
)  # what workers write, a partition of each per shard
Row = Mapping[str, Any]
_COMPRESSION = "zstd"


def schema_version() -> int:
    """Return the version of the tables; it changes when a column loses its meaning, not when one is added."""
    version: int = schema.load("tables")["schema_version"]
    return version


def columns(table: str) -> Mapping[str, Mapping[str, Any]]:
    """Return the columns of a table by name, in their order."""
    found: Mapping[str, Mapping[str, Any]] = schema.load("tables")["properties"][table]["items"]["properties"]
    return found


@cache
def arrow_schema(table: str) -> Any:
    """Return the `pyarrow.Schema` of a table."""
    import pyarrow as pa

    kinds = {
        "string": pa.string(),
        "int64": pa.int64(),
        "double": pa.float64(),
        "bool": pa.bool_(),
        "binary": pa.binary(),
        "list<string>": pa.list_(pa.string()),
    }
    fields = [
        pa.field(name, kinds[column["x-type"]], nullable="null" in column["type"])
        for name, column in columns(table).items()
    ]
    version = {"skilltool.table": table, "skilltool.schema_version": str(schema_version())}
    return pa.schema(fields, metadata=version)


def table_of(table: str, rows: Sequence[Row]) -> Any:
    """Return rows as a `pyarrow.Table`; a column that no row has is null."""
    import pyarrow as pa

    clean = [{name: _clean(value) for name, value in row.items()} for row in rows]
    return pa.Table.from_pylist(clean, schema=arrow_schema(table))


def parquet_of(table: Any) -> bytes:
    """Return a `pyarrow.Table` as the bytes of a Parquet file."""
    from pyarrow import parquet

    written = io.BytesIO()
    parquet.write_table(table, written, compression=_COMPRESSION)
    return written.getvalue()


def partition(rows: Mapping[str, Sequence[Row]]) -> dict[str, bytes]:
    """Return the Parquet files of one shard, by table."""
    return {name: parquet_of(table_of(name, rows[name])) for name in OF_SKILLS}


def _clean(value: Any) -> Any:
    """Return a value that Arrow takes: half of a surrogate pair becomes a question mark."""
    if isinstance(value, str) and not value.isascii():
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, list | tuple):
        return [_clean(each) for each in value]
    return value


def empty(names: Iterable[str] = NAMES) -> dict[str, bytes]:
    """Return a Parquet file without rows for each table, so that every table can be read."""
    return {name: parquet_of(table_of(name, [])) for name in names}
