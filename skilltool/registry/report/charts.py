"""Bars and histograms as percentages of the space they are drawn in, so that they fit every width."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from skilltool.registry.report.figures import PERCENTILES, Clusters, Distribution

_TICKS = 6


class Segment(NamedTuple):
    """A part of a bar: its kind, its number, and where it is (percent of the width)."""

    kind: str
    number: int
    start: float
    width: float


class Bar(NamedTuple):
    """A bar of segments beside a label; `total` is the sum of their numbers."""

    label: str
    total: int
    segments: tuple[Segment, ...]


class Column(NamedTuple):
    """A column of a histogram, for the values from `low` to `high`; place and height in percent."""

    low: int
    high: int
    number: int
    start: float
    width: float
    height: float


class Mark(NamedTuple):
    """A value on the axis of a histogram: a tick, or a percentile."""

    name: str
    value: int
    at: float


class Histogram(NamedTuple):
    """A histogram whose axis doubles with each column; `zeros` are in none of them."""

    zeros: int
    columns: tuple[Column, ...]
    ticks: tuple[Mark, ...]
    marks: tuple[Mark, ...]


class SizeClass(NamedTuple):
    """Skills in clusters of sizes from `low` to `high`: a bar for each kind that has clusters of them."""

    low: int
    high: int
    bars: tuple[Bar, ...]


def bar(label: str, counts: Mapping[str, int], kinds: Iterable[str], whole: int | None = None) -> Bar:
    """Return a bar with a segment for each of the `kinds` that occur; it is full at `whole`, or with all."""
    total = sum(counts.values())
    scale = 100 / max(total if whole is None else whole, 1)
    segments, start = [], 0
    for kind in kinds:
        count = counts.get(kind, 0)
        if count:
            segments.append(Segment(kind, count, start * scale, count * scale))
            start += count
    return Bar(label, total, tuple(segments))


def histogram(values: Distribution) -> Histogram | None:
    """Return the histogram of a distribution, None where there is no value above zero."""
    first = next((at for at, count in enumerate(values.bins) if at and count), None)
    if first is None:
        return None
    bins = values.bins[first:]
    most, width = max(bins), 100 / len(bins)
    columns = tuple(
        Column(*_range(first + at), count, at * width, width, 100 * count / most)
        for at, count in enumerate(bins)
    )
    every = math.ceil(len(bins) / _TICKS)
    ticks = [Mark("", column.low, column.start) for column in columns[::every]]
    names = ["median", *(f"{percent}th percentile" for percent in PERCENTILES[1:])]
    marks = [
        Mark(name, value, max(_place(value) - first, 0) * width)
        for name, value in zip(names, values.percentiles, strict=True)
    ]
    return Histogram(values.bins[0], columns, tuple(ticks), tuple(marks))


def by_size(kinds: Sequence[Clusters]) -> tuple[SizeClass, ...]:
    """Return how many skills are in clusters of which size, sizes in classes that double."""
    skills: dict[int, dict[str, int]] = {}
    for clusters in kinds:
        for size, number in clusters.sizes.items():
            counts = skills.setdefault(size.bit_length(), {})
            counts[clusters.kind] = counts.get(clusters.kind, 0) + size * number
    most = max((count for counts in skills.values() for count in counts.values()), default=0)
    return tuple(
        SizeClass(
            *_range(power),
            tuple(
                bar(each.kind, {each.kind: counts[each.kind]}, [each.kind], most)
                for each in kinds
                if each.kind in counts
            ),
        )
        for power, counts in sorted(skills.items())
    )


def _range(number: int) -> tuple[int, int]:
    """Return the lowest and the highest value of a bin."""
    return (1 << number - 1, (1 << number) - 1) if number else (0, 0)


def _place(value: int) -> float:
    """Return where a value is on an axis on which each bin has a length of 1."""
    return math.log2(value) + 1 if value > 0 else 0.0
