"""Pick rate against win share: one point a flag, with its name where there is room."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection

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
_SIDES = ((1, 0), (-1, 0), (1, 0.8), (1, -0.8), (-1, 0.8), (-1, -0.8), (0, 1), (0, -1))
_REACH = (6.0, 12.0, 20.0, 30.0)
_Box = tuple[float, float, float, float]


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
    value_axis(plot, *_rates(known([*left_end, *right_end, *x])), percent_label)
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
    _draw_names(plot, [capital(thing(t)) for t in table["title"]], x, y, low, high)
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


def _draw_names(plot: Axes, names: Sequence[str], *columns: Sequence[float]) -> None:
    """Write each name beside its point where it covers no other name and no point; leave it out where it would.

    The points furthest from zero choose first. `columns` are across, up, and the ends of the intervals.
    """
    x, y, low, high = columns
    wide, tall = plot_size(plot)
    (x0, x1), (y0, y1) = plot.get_xlim(), plot.get_ylim()
    at = [((a - x0) / (x1 - x0) * wide, (b - y0) / (y1 - y0) * tall) for a, b in zip(x, y, strict=True)]
    ends = [[(v - y0) / (y1 - y0) * tall for v in pair] for pair in zip(low, high, strict=True)]
    points = [(px - 3.5, py - 3.5, px + 3.5, py + 3.5) for px, py in at]
    bars = [(p[0] - 0.8, a, p[0] + 0.8, b) for p, (a, b) in zip(at, ends, strict=True)]
    bars.append((0.0, (0 - y0) / (y1 - y0) * tall - 1, wide, (0 - y0) / (y1 - y0) * tall + 1))
    taken: list[_Box] = []
    leads = []
    for i in sorted(range(len(names)), key=lambda k: -abs(y[k])):
        text = fit(names[i], 120.0, SMALL_SIZE, max_lines=3)
        size = widest([text], SMALL_SIZE) + 2, SMALL_SIZE * 1.25 * (text.count("\n") + 1)
        box = _place(at[i], size, [*taken, *points], bars, (wide, tall))
        if box is None:
            continue
        taken.append(box)
        middle = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        near = min(max(at[i][0], box[0]), box[2]), min(max(at[i][1], box[1]), box[3])
        if np.hypot(near[0] - at[i][0], near[1] - at[i][1]) > 9:
            leads.append([at[i], near])
        plot.text(
            middle[0] / wide,
            middle[1] / tall,
            text,
            transform=plot.transAxes,
            ha="center",
            va="center",
            fontproperties=theme.regular(SMALL_SIZE),
            linespacing=1.0,
        )
    scaled = [[(px / wide, py / tall) for px, py in line] for line in leads]
    lines = LineCollection(scaled, colors=theme.MUTED, linewidths=0.5, transform=plot.transAxes, zorder=1)
    plot.add_collection(lines, autolim=False)


def _place(
    at: Sequence[float], size: Sequence[float], hard: Sequence[_Box], soft: Sequence[_Box], room: Sequence[float]
) -> _Box | None:
    """Return the first box near a point that keeps clear of `hard`, of `soft` as well if that can be."""
    boxes = []
    for reach in _REACH:
        for sx, sy in _SIDES:
            x, y = at[0] + sx * (reach + size[0] / 2), at[1] + sy * (reach + size[1] / 2)
            box = (x - size[0] / 2, y - size[1] / 2, x + size[0] / 2, y + size[1] / 2)
            if box[0] >= 0 and box[1] >= 0 and box[2] <= room[0] and box[3] <= room[1] and not _hits(box, hard):
                boxes.append(box)
    return next((box for box in boxes if not _hits(box, soft)), boxes[0] if boxes else None)


def _hits(box: _Box, others: Sequence[_Box]) -> bool:
    return any(box[0] < o[2] and box[2] > o[0] and box[1] < o[3] and box[3] > o[1] for o in others)
