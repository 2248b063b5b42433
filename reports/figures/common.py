"""What several figures need: numbers that may be missing, an estimate with its interval, keys of a legend."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection

from reports import theme
from reports.sheet import Key, plot_size
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

    An interval that is wider than the plot ends in an arrow.
    """
    left, right = plot.get_xlim()
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
                ends.append([(end, y - 0.13), (end, y + 0.13)])
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


def reference_line(plot: Axes, x: float, text: str) -> None:
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


def strategy_keys(styles: Mapping[str, Style], names: Sequence[str], line: bool = False) -> list[Key]:
    """Return legend entries for the strategies, in the order of `names`."""
    return [Key(n, styles[n].colour, styles[n].marker, styles[n].hollow, styles[n].line if line else "") for n in names]


def ordered(table: pd.DataFrame, column: str) -> list[str]:
    """Return the distinct values of a column in the order in which they come."""
    return list(dict.fromkeys(table[column]))
