"""The report as one HTML file: no script, nothing from elsewhere, every value escaped."""

from __future__ import annotations

import math
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import Environment

from skilltool.files.writing import write_atomically
from skilltool.preview import markup
from skilltool.preview.markup import environment
from skilltool.registry.report.figures import PERCENTILES, Clusters, Distribution, Figures, figures

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
                bar(kind.kind, {kind.kind: counts[kind.kind]}, [kind.kind], most)
                for kind in kinds
                if kind.kind in counts
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


_PAGES = Path(__file__).parent / "pages"
_RULES = 20  # shown, those that concern most skills first
WORST = {
    "errors": "with errors",
    "warnings": "with warnings, no errors",
    "infos": "with notes only",
    "clean": "without findings",
    "unchecked": "not checked",
}
STATUSES = {
    "checked": "checked",
    "unreadable": "unreadable",
    "over-bound": "over one of skilltool's limits",
    "died": "crashed the process that checked it",
}
STATES = {
    "loaded": "loaded",
    "cut": "loaded, description truncated",
    "shadowed": "shadowed",
    "hidden": "hidden by a setting",
    "unseen": "in a directory that it does not read",
    "unread": "over a limit of skilltool",
    "refused": "rejected",
    "failed": "no skill loads",
}
SEVERITIES = {"error": "error", "warning": "warning", "info": "info"}
KINDS = {
    "exact": "the same files",
    "normalised": "the same body after normalisation",
    "near": "most of the body",
}
_DISTRIBUTIONS = {
    "bytes": ("Size of a skill", "bytes, all files"),
    "tokens_listing": ("Listing", "estimated tokens of name and description"),
    "tokens_body": ("Body", "estimated tokens of SKILL.md without its frontmatter"),
    "tokens_files": ("Files named in the body", "estimated tokens"),
}


class Rule(NamedTuple):
    """Findings of one rule: a bar by severity, and the number of skills that have any."""

    bar: Bar
    skills: int


def write_report(tables: Path, file: Path) -> None:
    """Write the report of the tables in a directory to a file, which is written whole; raises OSError."""
    write_atomically(file, document(figures(tables)).encode("utf-8", "surrogatepass"))


def document(found: Figures) -> str:
    """Return the report as HTML."""
    style = (_PAGES / "report.css").read_text("utf-8")
    digest = b64encode(sha256(style.encode()).digest()).decode()
    return (
        _environment()
        .get_template("report.html")
        .render(
            policy=f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'",
            style=style,
            found=found,
            skills=sum(found.statuses.values()),
            statuses=bar("", found.statuses, _known(STATUSES, found.statuses)),
            worst=bar("", found.worst, WORST),
            verdicts=_verdicts(found),
            rules=_rules(found),
            rules_left=max(len(found.affected) - _RULES, 0),
            histograms=_histograms(found),
            sizes=by_size(found.clusters),
            names={**WORST, **STATUSES, **STATES, **SEVERITIES, **KINDS},
        )
    )


def _known(names: Mapping[str, str], counts: Mapping[str, int]) -> list[str]:
    """Return what is counted: what has a name first, in the order of the names."""
    return [*names, *sorted(set(counts) - set(names))]


def _verdicts(found: Figures) -> list[Bar]:
    """Return a bar of states for each runtime, those that load most first."""
    states: dict[str, dict[str, int]] = {}
    for (runtime, state, is_cut), number in found.verdicts.items():
        counts = states.setdefault(runtime, {})
        shown = "cut" if state == "loaded" and is_cut else state
        counts[shown] = counts.get(shown, 0) + number
    bars = [bar(runtime, counts, _known(STATES, counts)) for runtime, counts in states.items()]
    return sorted(bars, key=lambda bar: (-_loaded(bar), bar.label))


def _loaded(bar: Bar) -> int:
    return sum(segment.number for segment in bar.segments if segment.kind in {"loaded", "cut"})


def _rules(found: Figures) -> list[Rule]:
    """Return the rules that concern most skills."""
    severities: dict[str, dict[str, int]] = {}
    for (rule, severity), number in found.found.items():
        severities.setdefault(rule, {})[severity] = number
    shown = sorted(found.affected, key=lambda rule: (-found.affected[rule], rule))[:_RULES]
    most = max((sum(severities[rule].values()) for rule in shown), default=0)
    return [Rule(bar(rule, severities[rule], SEVERITIES, most), found.affected[rule]) for rule in shown]


def _histograms(found: Figures) -> list[tuple[str, str, Histogram]]:
    drawn = [
        (*_DISTRIBUTIONS[distribution.column], histogram(distribution))
        for distribution in found.distributions
    ]
    return [(title, unit, plot) for title, unit, plot in drawn if plot is not None]


def compact(number: int) -> str:
    """Return a number in few characters, as on an axis that doubles: 512, 4k, 1M."""
    for power, unit in ((30, "G"), (20, "M"), (10, "k")):
        if number >= 1 << power:
            return f"{number >> power}{unit}"
    return str(number)


def share(part: int, whole: int) -> str:
    """Return a part in percent, never rounded to 0 or to 100 if it is not."""
    percent = 100 * part / whole if whole else 0.0
    if part and percent < 0.1:
        return "< 0.1%"
    if part < whole and percent > 99.9:
        return "> 99.9%"
    return f"{percent:.1f}%" if part not in {0, whole} else f"{percent:.0f}%"


@cache
def _environment() -> Environment:
    made = environment(_PAGES)
    made.filters |= {
        "plain": lambda text: markup.visible(text).striptags(),  # where no element may be
        "compact": compact,
    }
    made.globals |= {"share": share, "text_of": _text_of}
    return made


def _text_of(value: Any) -> str:
    """Return a value of a column as text."""
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:,.1f}"
    return f"{value:,}" if isinstance(value, int) else "-" if value is None else str(value)
