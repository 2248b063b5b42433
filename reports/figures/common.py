"""What several figures need: numbers that may be missing, an estimate with its interval."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection

from reports import theme
from reports.sheet import plot_size, row_share
from reports.theme import Style


def number(value: Any) -> float:
    """Return `value` as a float; nan, for drawing only, if it is missing."""
    return math.nan if value is None or pd.isna(value) else float(value)


def numbers(values: Iterable[Any]) -> list[float]:
    """Return `values` as floats; nan, for drawing only, where one is missing."""
    return [number(v) for v in values]


def known(values: Iterable[Any]) -> list[float]:
    """Return the values that are there, as floats."""
    return [v for v in numbers(values) if not math.isnan(v)]


Columns = tuple[Sequence[Any], Sequence[Any], Sequence[Any]]
"""Estimates with the lower and upper ends of their intervals."""


def columns_of(table: pd.DataFrame, value: str, low: str, high: str) -> Columns:
    """Return three columns of a table as `Columns`."""
    return list(table[value]), list(table[low]), list(table[high])


def draw_estimates(
    plot: Axes,
    columns: Columns,
    style: Style,
    rows: Sequence[float] | None = None,
    size: float = 5.5,
) -> None:
    """Draw a point a row with its interval, if there is one; nothing where the estimate is missing.

    The ends of an interval stand out above and below the point, so that one narrower than the point is seen as well.
    An interval that is wider than the plot ends in an arrow.
    """
    left, right = plot.get_xlim()
    cap = row_share(plot, size * 0.85, 0.42)
    at = range(len(columns[0])) if rows is None else rows
    points, bars, ends, arrows = [], [], [], []
    for x, low, high, y in zip(*map(numbers, columns), at, strict=True):
        if math.isnan(x):
            continue
        points.append((x, y))
        if math.isnan(low) or math.isnan(high):
            continue
        bars.append([(max(low, left), y), (min(high, right), y)])
        for end, limit, outside, marker in ((low, left, low < left, "<"), (high, right, high > right, ">")):
            if outside:
                arrows.append((limit, y, marker))
            else:
                ends.append([(end, y - cap), (end, y + cap)])
    plot.add_collection(LineCollection(bars, colors=style.colour, linewidths=2.0, zorder=2), autolim=False)
    plot.add_collection(LineCollection(ends, colors=style.colour, linewidths=1.1, zorder=2), autolim=False)
    for x, y, marker in arrows:
        plot.plot([x], [y], marker=marker, markersize=4, color=style.colour, linestyle="none")
    plot.plot(
        [x for x, _ in points],
        [y for _, y in points],
        marker=style.marker,
        markersize=size,
        color=style.colour,
        markerfacecolor=theme.PAPER if style.hollow else style.colour,
        markeredgewidth=1.1,
        linestyle="none",
        zorder=3,
    )


def draw_bars(plot: Axes, values: Iterable[Any], lows: Iterable[Any], highs: Iterable[Any], colour: str) -> None:
    """Draw a bar a row from zero, with its interval upon it; nothing where the value is missing."""
    half = row_share(plot, 6.5, 0.32)
    cap = half * 0.75
    bars: list[Any] = []
    lines: list[Any] = []
    for y, (v, low, high) in enumerate(zip(numbers(values), numbers(lows), numbers(highs), strict=True)):
        if not math.isnan(v) and v != 0:
            bars.append([(0, y - half), (v, y - half), (v, y + half), (0, y + half)])
        if not (math.isnan(low) or math.isnan(high)):
            lines += [[(low, y), (high, y)], *([(x, y - cap), (x, y + cap)] for x in (low, high))]
    plot.add_collection(PolyCollection(bars, facecolors=colour, alpha=0.7, linewidths=0, zorder=2), autolim=False)
    plot.add_collection(LineCollection(lines, colors=theme.INK, linewidths=0.9, zorder=3), autolim=False)


def reference_line(plot: Axes, x: float, text: str = "") -> None:
    """Draw a dashed vertical line through a plot and say above it what it is."""
    plot.add_collection(
        LineCollection(
            [[(x, 0), (x, 1)]],
            colors=theme.MUTED,
            linewidths=1.0,
            linestyles=[(0, (3, 2))],
            transform=plot.get_xaxis_transform(),
            zorder=1,
        ),
        autolim=False,
    )
    if text:
        low, high = plot.get_xlim()
        where = (x - low) / (high - low)
        side = "left" if where < 0.25 else "right" if where > 0.75 else "center"
        points = plot_size(plot)[1]
        plot.text(
            x,
            1 + 3 / points,
            text,
            transform=plot.get_xaxis_transform(),
            ha=side,
            va="bottom",
            fontproperties=theme.regular(theme.SMALL_SIZE),
            color=theme.MUTED,
        )


def ordered(table: pd.DataFrame, column: str) -> list[str]:
    """Return the distinct values of a column in the order in which they come."""
    return list(dict.fromkeys(table[column]))
