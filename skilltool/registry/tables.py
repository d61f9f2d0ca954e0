"""The tables: their columns, from the schema that `skilltool schema tables` prints, and rows as Parquet."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from skilltool.skill import schema

# What workers write, a partition of each per shard.
OF_SKILLS = ("skills", "findings", "verdicts", "skill_references", "capabilities", "sketches")
NAMES = (*OF_SKILLS[:-1], "clusters", "sketches", "runs")
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


def read(path: Path, columns: list[str] | None = None) -> Any:
    """Return a Parquet file as a `pyarrow.Table`; raises OSError and `pyarrow.ArrowException`.

    The file is opened here: pyarrow takes names in UTF-8 only.
    """
    from pyarrow import parquet

    with path.open("rb") as raw:
        return parquet.read_table(raw, columns=columns, use_threads=False)


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


_RULES = 8  # the commonest ones are shown
_STATES = ("loaded", "refused", "hidden", "unseen", "unread", "failed")


def lines(top: Path) -> Iterator[str]:
    """Yield the summary of complete tables; each is read one partition after the other."""
    verdicts = _counted(top / "verdicts", ["runtime", "state"])
    cut = _counted(top / "verdicts", ["runtime", "cut"])
    if verdicts:
        states = [state for state in _STATES if any(key[1] == state for key in verdicts)]
        header = ["client", *states, "cut"]
        ids = list(dict.fromkeys(key[0] for key in sorted(verdicts)))
        yield from _grid([header, *([name, *_row(name, states, verdicts, cut)] for name in ids)])
    rules = _counted(top / "findings", ["rule", "severity"]).most_common(_RULES)
    if rules:
        yield ""
        yield from _grid(
            [["rule", "findings"], *([f"{rule} ({level})", f"{n:,}"] for (rule, level), n in rules)]
        )
    clusters = _clusters(top / "clusters")
    if clusters:
        yield ""
        yield from _grid([["copies", "clusters", "skills"], *clusters])


def _row(name: str, states: Sequence[str], verdicts: Counter[Any], cut: Counter[Any]) -> list[str]:
    return [*(f"{verdicts[name, state]:,}" for state in states), f"{cut[name, True]:,}"]


def _clusters(folder: Path) -> list[list[str]]:
    members = _counted(folder, ["kind"])
    firsts: dict[str, set[str]] = {}
    for path in sorted(folder.glob("part-*.parquet")):
        for kind, cluster in _pairs(path):
            firsts.setdefault(kind, set()).add(cluster)
    return [
        [kind, f"{len(firsts[kind]):,}", f"{members[kind,]:,}"]
        for kind in ("exact", "normalised", "near")
        if kind in firsts
    ]


def _pairs(path: Path) -> Iterator[tuple[str, str]]:
    grouped = read(path, ["kind", "cluster"]).group_by(["kind", "cluster"])
    for row in grouped.aggregate([]).to_pylist():
        yield row["kind"], row["cluster"]


def _counted(folder: Path, columns: list[str]) -> Counter[Any]:
    """Return how many rows of a table have each combination of values, as tuples."""
    found: Counter[Any] = Counter()
    for path in sorted(folder.glob("part-*.parquet")):
        table = read(path, columns)
        for row in table.group_by(columns).aggregate([([], "count_all")]).to_pylist():
            found[tuple(row[name] for name in columns)] += row["count_all"]
    return found


def _grid(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for first, *rest in rows:
        numbers = (f"  {cell:>{width}}" for cell, width in zip(rest, widths[1:], strict=True))
        yield f"{first:<{widths[0]}}{''.join(numbers)}"
