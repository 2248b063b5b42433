"""Many values of each strategy as a strip of dots: how far they lie apart, and where one of them stands."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.collections import LineCollection

from reports import theme
from reports.figures.common import ordered
from reports.numbers import decimal
from reports.shape import page_width
from reports.sheet import (
    AXIS_STEP,
    Area,
    FramedFigure,
    Words,
    label_column,
    make_sheet,
    number_label,
    padded,
    right_column,
    row_labels,
    value_axis,
)
from reports.textfit import widest
from reports.theme import MARGIN, SMALL_SIZE, Style

ROW = 30.0


def strips_figure(
    table: pd.DataFrame, says: Words, styles: Mapping[str, Style], marked: Mapping[str, float]
) -> FramedFigure:
    """Draw a strip of dots for each strategy, a bar where the middle nine tenths lie, and a line at a value of its own.

    Parameters
    ----------
    table : DataFrame
        ``strategy``, ``win_share``.
    says : Words
    styles : mapping
        Strategy -> `reports.theme.Style`.
    marked : mapping
        Strategy -> the value at which a line stands.
    """
    names = [name for name in styles if name in ordered(table, "strategy")]
    labels, left = label_column(names)
    values = {name: table.loc[table["strategy"] == name, "win_share"].to_numpy(float) for name in names}
    ends = {name: np.quantile(found, [0.05, 0.95]) for name, found in values.items()}
    texts = [f"{decimal(ends[name][0])} to {decimal(ends[name][1])}" for name in names]
    right = widest(texts, SMALL_SIZE) + 8
    area = Area(MARGIN + left, page_width() - 2 * MARGIN - left - right, 6, ROW * len(names))
    sheet = make_sheet(says, [area], AXIS_STEP)
    plot = sheet.plots[0]
    every = np.concatenate([*values.values(), list(marked.values())])
    value_axis(plot, *padded(float(every.min()), float(every.max()), 0.05), number_label)
    plot.set_ylim(len(names) - 0.5, -0.5)
    row_labels(plot, list(range(len(names))), labels)
    for row, name in enumerate(names):
        colour = styles[name].colour
        found = values[name]
        spread = 0.22 * (((np.arange(len(found)) * 0.618034) % 1) - 0.5)  # apart, and the same each time
        plot.plot(found, row + spread, "o", markersize=2.4, color=colour, alpha=0.55, markeredgewidth=0)
        low, high = ends[name]
        at = row + 0.26
        plot.add_collection(LineCollection([[(low, at), (high, at)]], colors=colour, linewidths=2.0), autolim=False)
        mark = [(marked[name], row - 0.3), (marked[name], row + 0.3)]
        plot.add_collection(LineCollection([mark], colors=theme.INK, linewidths=1.4, zorder=4), autolim=False)
    right_column(plot, texts, list(range(len(names))))
    return sheet.figure
