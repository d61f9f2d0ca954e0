"""Counts and distributions of a survey, read from its Parquet tables batch by batch.

Memory grows with the number of different rules, sources and sizes of clusters, not with that of skills, but
for 8 bytes for each skill while a distribution is computed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from heapq import nlargest, nsmallest
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds

PERCENTILES = (50, 90, 99)
DISTRIBUTIONS = ("bytes", "tokens_listing", "tokens_body", "tokens_files")
KINDS = ("exact", "normalised", "near")
_LARGEST = 10


class Distribution(NamedTuple):
    """The values of a column: how many are in each bin, and the percentiles of `PERCENTILES`.

    Bin 0 has the zeros, bin n the values from 2 ** (n - 1) to 2 ** n - 1.
    """

    column: str
    bins: tuple[int, ...]
    percentiles: tuple[int, ...]

    @property
    def total(self) -> int:
        """The number of values."""
        return sum(self.bins)


class Cluster(NamedTuple):
    """One cluster: the id of its canonical member, and how many it has with it."""

    canonical: str
    size: int


class Clusters(NamedTuple):
    """The clusters of one kind: how many there are of each size, and the largest."""

    kind: str
    sizes: dict[int, int]
    largest: tuple[Cluster, ...]

    @property
    def number(self) -> int:
        """How many clusters there are."""
        return sum(self.sizes.values())

    @property
    def copies(self) -> int:
        """How many skills are in a cluster without being its canonical member."""
        return sum((size - 1) * number for size, number in self.sizes.items())


class Source(NamedTuple):
    """One source: how many skills it has, and how many of those have an error or were not checked."""

    name: str
    skills: int
    with_errors: int
    unchecked: int


class Figures(NamedTuple):
    """All that the report shows.

    `run` has the columns of the last run. `found` counts findings by rule and severity, `affected` skills by
    rule, `verdicts` skills by runtime, state, and whether the listing truncates the description. `worst`
    counts skills by their worst finding: errors, warnings, infos, clean, or unchecked.
    """

    run: dict[str, Any]
    statuses: Counter[str]
    worst: Counter[str]
    sources: tuple[Source, ...]
    found: Counter[tuple[str, str]]
    affected: Counter[str]
    verdicts: Counter[tuple[str, str, bool]]
    distributions: tuple[Distribution, ...]
    clusters: tuple[Clusters, ...]
    unlicensed: int


def figures(tables: Path) -> Figures:
    """Return the figures of the tables in a directory that `skilltool survey` wrote."""
    worst, sources, unlicensed = _skills(tables)
    counted = _counted(tables, "skills", ["status"])
    found, affected = _findings(tables)
    verdicts = _counted(tables, "verdicts", ["runtime", "state", "cut"])
    return Figures(
        run=_last_run(tables),
        statuses=Counter({str(status): number for (status,), number in counted.items()}),
        worst=worst,
        sources=sources,
        found=found,
        affected=affected,
        verdicts=Counter({(str(r), str(s), bool(cut)): n for (r, s, cut), n in verdicts.items()}),
        distributions=tuple(_distribution(tables, column) for column in DISTRIBUTIONS),
        clusters=tuple(_clusters(tables)),
        unlicensed=unlicensed,
    )


def _skills(tables: Path) -> tuple[Counter[str], tuple[Source, ...], int]:
    """Return skills by their worst finding, the largest sources, and how many skills have no licence."""
    worst: Counter[str] = Counter()
    skills, errors, unchecked = Counter[str](), Counter[str](), Counter[str]()
    unlicensed = 0
    for batch in _batches(tables, "skills", ["source", "status", "errors", "warnings", "infos", "licence"]):
        checked = pc.equal(batch["status"], "checked")
        bad = pc.and_(checked, pc.greater(batch["errors"], 0))
        warned = pc.and_(checked, pc.greater(batch["warnings"], 0))
        told = pc.and_(checked, pc.greater(batch["infos"], 0))
        kinds = pc.case_when(
            pc.make_struct(bad, warned, told, checked), "errors", "warnings", "infos", "clean", "unchecked"
        )
        worst.update(_values(kinds))
        skills.update(_values(batch["source"]))
        errors.update(_values(batch["source"].filter(bad)))
        unchecked.update(_values(batch["source"].filter(pc.invert(checked))))
        unlicensed += pc.sum(pc.and_(checked, pc.equal(pc.fill_null(batch["licence"], ""), ""))).as_py() or 0
    shown = nlargest(_LARGEST, skills.items(), key=lambda item: (item[1], item[0]))
    sources = tuple(Source(name, number, errors[name], unchecked[name]) for name, number in shown)
    return worst, sources, unlicensed


def _values(column: pa.ChunkedArray) -> dict[str, int]:
    return {str(each["values"]): each["counts"] for each in pc.value_counts(column).to_pylist()}


def _findings(tables: Path) -> tuple[Counter[tuple[str, str]], Counter[str]]:
    """Return the number of findings by rule and severity, and of skills by rule."""
    found: Counter[tuple[str, str]] = Counter()
    affected: Counter[str] = Counter()
    for fragment in _files(tables, "findings"):  # the findings of a skill are in one file
        table = fragment.to_table(columns=["rule", "severity", "skill_id"])
        counts = table.group_by(["rule", "severity"]).aggregate([([], "count_all")])
        for row in counts.to_pylist():
            found[row["rule"], row["severity"]] += row["count_all"]
        for row in table.group_by("rule").aggregate([("skill_id", "count_distinct")]).to_pylist():
            affected[row["rule"]] += row["skill_id_count_distinct"]
    return found, affected


def _distribution(tables: Path, column: str) -> Distribution:
    bins: Counter[int] = Counter()
    chunks: list[pa.Array] = []
    for batch in _batches(tables, "skills", [column]):
        values = batch[column].drop_null().cast(pa.int64())
        chunks += values.chunks
        positive = values.filter(pc.greater(values, 0))
        bins[0] += len(values) - len(positive)
        powers = pc.add(pc.floor(pc.log2(positive)), 1).cast(pa.int64())
        bins.update({each["values"]: each["counts"] for each in pc.value_counts(powers).to_pylist()})
    everything = pa.chunked_array(chunks, pa.int64())
    wanted = [percent / 100 for percent in PERCENTILES]
    found = pc.quantile(everything, wanted, interpolation="lower").to_pylist() if len(everything) else []
    last = max((number for number, count in bins.items() if count), default=-1)
    return Distribution(column, tuple(bins[at] for at in range(last + 1)), tuple(found))


def _clusters(tables: Path) -> Iterator[Clusters]:
    sizes: dict[str, Counter[int]] = {kind: Counter() for kind in KINDS}
    largest: dict[str, list[Cluster]] = {kind: [] for kind in KINDS}
    for batch in _batches(tables, "clusters", ["skill_id", "kind", "cluster", "size"]):
        canonical = batch.filter(pc.equal(batch["skill_id"], batch["cluster"]))
        for kind in KINDS:
            rows = canonical.filter(pc.equal(canonical["kind"], kind))
            sizes[kind].update(
                {each["values"]: each["counts"] for each in pc.value_counts(rows["size"]).to_pylist()}
            )
            top = pc.select_k_unstable(rows, _LARGEST, [("size", "descending"), ("cluster", "ascending")])
            some = [Cluster(each["cluster"], each["size"]) for each in rows.take(top).to_pylist()]
            largest[kind] = nsmallest(
                _LARGEST, largest[kind] + some, key=lambda cluster: (-cluster.size, cluster.canonical)
            )
    for kind in KINDS:
        yield Clusters(kind, dict(sorted(sizes[kind].items())), tuple(largest[kind]))


def _last_run(tables: Path) -> dict[str, Any]:
    """Return the columns of the run that began last, none without any."""
    runs = [row for batch in _batches(tables, "runs", None) for row in batch.to_pylist()]
    return runs[-1] if runs else {}


def _counted(tables: Path, name: str, columns: list[str]) -> Counter[tuple[Any, ...]]:
    """Return how many rows of a table have which values in some columns."""
    found: Counter[tuple[Any, ...]] = Counter()
    for batch in _batches(tables, name, columns):
        for row in batch.group_by(columns).aggregate([([], "count_all")]).to_pylist():
            found[tuple(row[column] for column in columns)] += row["count_all"]
    return found


def _batches(tables: Path, name: str, columns: list[str] | None) -> Iterator[pa.Table]:
    for fragment in _files(tables, name):
        for batch in fragment.to_batches(columns=columns):
            yield pa.Table.from_batches([batch])


def _files(tables: Path, name: str) -> Sequence[Any]:
    """Return the files of a table, by name; it may have none."""
    paths = sorted((tables / name).glob("*.parquet"))
    return [ds.dataset(path, format="parquet") for path in paths if not path.name.startswith((".", "_"))]
