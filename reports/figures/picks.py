"""Pick rate against win share: one point a flag, with its name where there is room."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from numpy.typing import NDArray

from reports import theme
from reports.figures.common import known, numbers
from reports.language import capital, say, thing
from reports.shape import elastic, page_width
from reports.sheet import (
    AXIS_STEP,
    Area,
    FramedFigure,
    Words,
    grid_lines,
    make_sheet,
    nice_ticks,
    padded,
    percent_label,
    plot_size,
    points_label,
    row_labels,
    value_axis,
)
from reports.textfit import fit, widest
from reports.theme import MARGIN, SMALL_SIZE

COLOUR = theme.STRATEGY_COLOURS[0]
_REACH = 48.0
"""A name stands no further from its point than this."""
_NEAR = 9.0
"""A name further away than this has a line to its point."""
_STEP = 2.0
"""Places for names are tried so far apart."""
_ROOMS = (120.0, 70.0)
"""Widths that a name may have: the second where there is no place for the first."""
_Marks = NDArray[np.float64]


def pick_figure(table: pd.DataFrame, says: Words) -> FramedFigure:
    """Draw how often seats had each flag (across) against the difference of win shares with and without it (up).

    Parameters
    ----------
    table : DataFrame
        As `reports.figures.flags.pick_table` makes it.
    says : Words
        Title, subtitle, caption.
    """
    left = 40.0
    tall = elastic(210.0 + 3.0 * min(len(table), 40))
    area = Area(MARGIN + left, page_width() - 2 * MARGIN - left - 4, 14, tall)
    sheet = make_sheet(says, [area], AXIS_STEP + 13)
    plot = sheet.plots[0]
    x, y = numbers(table["rate"]), numbers(table["difference"])
    low, high = numbers(table["difference_low"]), numbers(table["difference_high"])
    left_end, right_end = numbers(table["rate_low"]), numbers(table["rate_high"])
    rates = value_axis(plot, *_rates(known([*left_end, *right_end, *x])), percent_label)
    plot.set_ylim(*padded(min([0.0, *low]), max([0.0, *high]), 0.08))
    ticks = nice_ticks(*plot.get_ylim(), 5)
    row_labels(plot, ticks, [points_label(t) for t in ticks], 5, SMALL_SIZE, theme.MUTED)
    grid_lines(plot, ticks, horizontal=True)
    _axis_names(plot)
    zero = LineCollection(
        [[(0, 0.0), (1, 0.0)]],
        colors=theme.MUTED,
        linewidths=1.0,
        linestyles=[(0, (3, 2))],
        transform=plot.get_yaxis_transform(),
        zorder=1,
    )
    plot.add_collection(zero, autolim=False)
    bars = [[(a, c), (a, d)] for a, c, d in zip(x, low, high, strict=True)]
    bars += [[(c, b), (d, b)] for b, c, d in zip(y, left_end, right_end, strict=True)]
    plot.add_collection(LineCollection(bars, colors=COLOUR, alpha=0.55, linewidths=1.2, zorder=2), autolim=False)
    plot.plot(x, y, color=COLOUR, marker="o", markersize=4.2, linestyle="none", zorder=3)
    names = [capital(thing(t)) for t in table["title"]]
    _draw_names(plot, names, np.array([x, y, left_end, right_end, low, high]), (rates, ticks))
    return sheet.figure


def _rates(values: Sequence[float]) -> tuple[float, float]:
    low, high = padded(min(values), max(values), 0.1)
    return max(low, -0.02), min(high, 1.02)


def _axis_names(plot: Axes) -> None:
    wide, tall = plot_size(plot)
    font = theme.regular(SMALL_SIZE)
    same: dict[str, Any] = {"transform": plot.transAxes, "fontproperties": font, "color": theme.MUTED}
    plot.text(1, -(AXIS_STEP + 3) / tall, say("axis.rate"), ha="right", va="top", **same)
    plot.text(-36 / wide, 1 + 4 / tall, say("axis.difference"), ha="left", va="bottom", **same)


def _draw_names(plot: Axes, names: Sequence[str], at: _Marks, ticks: Sequence[Sequence[float]]) -> None:
    """Write each name near its point where nothing crosses it; leave it out where there is no such place.

    The points furthest from zero choose first.

    Parameters
    ----------
    plot : Axes
    names : sequence of str
    at : float64[6, n]
        Across, up, and the ends of both intervals: left, right, low, high.
    ticks : (sequence of float, sequence of float)
        Where grid lines are, across and up; a name keeps clear of them where it can.
    """
    wide, tall = plot_size(plot)
    (x0, x1), (y0, y1) = plot.get_xlim(), plot.get_ylim()

    def across(values: Any) -> Any:
        return (np.asarray(values, float) - x0) / (x1 - x0) * wide

    def up(values: Any) -> Any:
        return (np.asarray(values, float) - y0) / (y1 - y0) * tall

    x, left, right = (across(at[i]) for i in (0, 2, 3))
    y, low, high = (up(at[i]) for i in (1, 4, 5))
    points = _boxes(x, y, x, y, 4.5)
    zero = _boxes(0.0, up([0.0]), wide, up([0.0]), 1.5)
    taken = np.concatenate([points, _boxes(left, y, right, y, 1.5), _boxes(x, low, x, high, 1.5), zero])
    grid = [
        _boxes(across(ticks[0]), 0.0, across(ticks[0]), tall, 0.5),
        _boxes(0.0, up(ticks[1]), wide, up(ticks[1]), 0.5),
    ]
    written = np.empty((0, 4))
    leads = []
    for i in sorted(range(len(names)), key=lambda k: -abs(at[1][k])):
        others = np.concatenate([points[~_hit(points, _boxes(x[i], y[i], x[i], y[i], 0.1))], written])
        for room in _ROOMS:
            text = fit(names[i], room, SMALL_SIZE, max_lines=3)
            size = widest([text], SMALL_SIZE) + 2, SMALL_SIZE * 1.25 * (text.count("\n") + 1)
            box = _place((x[i], y[i]), size, taken, others, np.concatenate(grid), (wide, tall))
            if box is not None:
                break
        else:
            continue
        lead = _lead((x[i], y[i]), box)
        written = np.concatenate([written, [box]])
        taken = np.concatenate([taken, [box]])
        if np.hypot(*(lead[-1] - lead[0])) > _NEAR:
            leads.append([lead[0] / (wide, tall), lead[-1] / (wide, tall)])
            taken = np.concatenate([taken, _boxes(lead[:, 0], lead[:, 1], lead[:, 0], lead[:, 1], 0.8)])
        plot.text(
            (box[0] + box[2]) / 2 / wide,
            (box[1] + box[3]) / 2 / tall,
            text,
            transform=plot.transAxes,
            ha="center",
            va="center",
            fontproperties=theme.regular(SMALL_SIZE),
            linespacing=1.0,
        )
    lines = LineCollection(leads, colors=theme.MUTED, linewidths=0.5, transform=plot.transAxes, zorder=1)
    plot.add_collection(lines, autolim=False)


def _boxes(left: Any, low: Any, right: Any, high: Any, margin: float) -> _Marks:
    """Return boxes with a margin round them: float64[n, 4], left, low, right and high."""
    ends = np.broadcast_arrays(np.subtract(left, margin), np.subtract(low, margin), right + margin, high + margin)
    return np.stack(ends, axis=-1)


def _place(
    at: tuple[float, float],
    size: tuple[float, float],
    taken: _Marks,
    others: _Marks,
    grid: _Marks,
    room: tuple[float, float],
) -> _Marks | None:
    """Return the nearest box to a point that is free, and from which a straight line to the point crosses no other.

    Parameters
    ----------
    at : (float, float)
        The point.
    size : (float, float)
        Width and height.
    taken : float64[n, 4]
        What the box keeps clear of.
    others : float64[n, 4]
        What the line keeps clear of.
    grid : float64[n, 4]
        What the box keeps clear of if there is a place nearly as near.
    room : (float, float)
        Width and height of the plot.
    """
    dx, dy = (np.arange(-_REACH - length, _REACH + _STEP, _STEP) for length in size)
    low = np.stack(np.meshgrid(at[0] + dx, at[1] + dy), axis=-1).reshape(-1, 2)
    boxes = np.concatenate([low, low + size], axis=1)
    boxes = boxes[(low >= 0).all(axis=1) & (low + size <= room).all(axis=1)]
    for one in taken:  # each leaves fewer
        boxes = boxes[~_hit(boxes, one)]
    aside, above = (np.clip(at, boxes[:, :2], boxes[:, 2:]) - at).T
    way = np.hypot(aside, above)
    off_middle = np.abs(boxes[:, 1] + size[1] / 2 - at[1])
    on_grid = np.array([_hit(boxes, one) for one in grid]).any(axis=0)
    cost = way + 0.4 * off_middle + 1.0 * (boxes[:, 0] < at[0]) + 5.0 * on_grid
    hidden = (way > _NEAR) & (np.abs(aside) < 3.0)  # a line along the interval is not seen
    for k in np.argsort(cost, kind="stable"):
        if way[k] > _REACH or hidden[k]:
            continue
        lead = _lead(at, boxes[k])
        steps = _boxes(lead[:, 0], lead[:, 1], lead[:, 0], lead[:, 1], 0.0)
        if not any(_hit(steps, one).any() for one in others):
            return np.asarray(boxes[k])
    return None


def _hit(boxes: _Marks, other: _Marks) -> Any:
    """Return which boxes share a place with another one: bool[n]."""
    return ((boxes[:, :2] < other[2:]) & (boxes[:, 2:] > other[:2])).all(axis=1)


def _lead(at: tuple[float, float], box: _Marks) -> _Marks:
    """Return the straight way from a point to the nearest place of a box, in steps: float64[n, 2]."""
    near = np.clip(at, box[:2], box[2:])
    n = 1 + round(float(np.hypot(*(near - at))) / _STEP)
    return np.linspace(at, near, max(2, n))
