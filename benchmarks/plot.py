"""Draw time against the number of skills as SVG, both on logarithmic axes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

_WIDTH, _HEIGHT, _LEFT, _TOP, _RIGHT, _BOTTOM = 780, 420, 64, 40, 200, 48
_COLORS = ("#0969da", "#54aeff", "#cf222e", "#8250df", "#9a6700", "#1a7f37", "#6e7781")

Points = Sequence[tuple[int, float]]


def svg(title: str, series: Mapping[str, Points]) -> str:
    """Return a plot of named series of (skills, wall seconds); all numbers are above zero."""
    sizes = [size for points in series.values() for size, _ in points]
    times = [seconds for points in series.values() for _, seconds in points]
    across = _Axis(min(sizes), max(sizes), _LEFT, _WIDTH - _RIGHT)
    up = _Axis(
        10 ** math.floor(math.log10(min(times))),
        10 ** math.ceil(math.log10(max(times))),
        _HEIGHT - _BOTTOM,
        _TOP,
    )
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}"',
        ' font-family="sans-serif" font-size="12">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#ffffff"/>',
        f'<text x="{_LEFT}" y="22" font-size="14">{title}</text>',
    ]
    for tick in across.ticks():
        parts.append(_line(across.at(tick), _TOP, across.at(tick), _HEIGHT - _BOTTOM))
        parts.append(_text(across.at(tick), _HEIGHT - _BOTTOM + 18, f"{tick:,.0f}", "middle"))
    for tick in up.ticks():
        parts.append(_line(_LEFT, up.at(tick), _WIDTH - _RIGHT, up.at(tick)))
        parts.append(_text(_LEFT - 8, up.at(tick) + 4, f"{tick:g} s", "end"))
    parts.append(_text((_LEFT + _WIDTH - _RIGHT) / 2, _HEIGHT - 8, "skills", "middle"))
    for color, points in zip(_COLORS, series.values(), strict=False):
        pixels = [(across.at(size), up.at(seconds)) for size, seconds in points]
        drawn = " ".join(f"{x:.1f},{y:.1f}" for x, y in pixels)
        parts.append(f'<polyline points="{drawn}" fill="none" stroke="{color}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{color}"/>' for x, y in pixels]
    parts += _names(series, across, up)
    return "\n".join([*parts, "</svg>"]) + "\n"


class _Axis:
    """A logarithmic axis from one value to another, drawn from one pixel to another."""

    def __init__(self, low: float, high: float, start: float, end: float) -> None:
        self._low, self._high, self._start, self._end = low, max(high, low * 1.01), start, end

    def at(self, value: float) -> float:
        """Return the position of a value, in pixels."""
        part = math.log(value / self._low) / math.log(self._high / self._low)
        return self._start + part * (self._end - self._start)

    def ticks(self) -> list[float]:
        """Return the powers of ten on the axis."""
        first, last = math.ceil(math.log10(self._low)), math.floor(math.log10(self._high) + 1e-9)
        return [float(10**power) for power in range(first, last + 1)]


def _names(series: Mapping[str, Points], across: _Axis, up: _Axis) -> list[str]:
    """Return labels next to the ends of the lines, moved apart where several end at the same size."""
    ends = sorted((points[-1][0], up.at(points[-1][1]), name) for name, points in series.items())
    colors = dict(zip(series, _COLORS, strict=False))
    placed: list[str] = []
    before, last = 0, -math.inf
    for size, y, name in ends:
        last = max(y, last + 15) if size == before else y
        before = size
        at = f'x="{across.at(size) + 8:.1f}" y="{last + 4:.1f}"'
        placed.append(f'<text {at} fill="{colors[name]}">{name}</text>')
    return placed


def _line(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="#d0d7de"/>'


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="#57606a">{text}</text>'
