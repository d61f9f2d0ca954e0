"""What the tables say in a few lines: verdicts by client, the commonest rules, and clusters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

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
    from pyarrow import parquet

    grouped = parquet.read_table(path, columns=["kind", "cluster"], use_threads=False).group_by(
        ["kind", "cluster"]
    )
    for row in grouped.aggregate([]).to_pylist():
        yield row["kind"], row["cluster"]


def _counted(folder: Path, columns: list[str]) -> Counter[Any]:
    """Return how many rows of a table have each combination of values, as tuples."""
    from pyarrow import parquet

    found: Counter[Any] = Counter()
    for path in sorted(folder.glob("part-*.parquet")):
        table = parquet.read_table(path, columns=columns, use_threads=False)
        for row in table.group_by(columns).aggregate([([], "count_all")]).to_pylist():
            found[tuple(row[name] for name in columns)] += row["count_all"]
    return found


def _grid(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for first, *rest in rows:
        numbers = (f"  {cell:>{width}}" for cell, width in zip(rest, widths[1:], strict=True))
        yield f"{first:<{widths[0]}}{''.join(numbers)}"
