"""How the estimates settled while games were played: win share and its interval by number of games."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from reports.figures.common import known, number, numbers, ordered
from reports.figures.rounds import axis_name, draw_band, end_room, label_ends
from reports.language import say
from reports.numbers import count, percent, share_digits
from reports.shape import elastic, page_width
from reports.sheet import (
    AXIS_STEP,
    Area,
    FramedFigure,
    Words,
    column_labels,
    grid_lines,
    make_sheet,
    nice_ticks,
    padded,
    percent_label,
    row_labels,
)
from reports.textfit import fit
from reports.theme import MARGIN, MUTED, SMALL_SIZE, Style

MAX_LINES = 8
"""With more strategies than this no chart is drawn."""


def convergence_figure(table: pd.DataFrame, says: Words, styles: Mapping[str, Style]) -> FramedFigure:
    """Draw each strategy's win share after so many games, with its interval; games on a scale of ratios.

    Parameters
    ----------
    table : DataFrame
        As `analysis.convergence.convergence` makes it.
    says : Words
        Title, subtitle, caption.
    styles : mapping
        Strategy -> `reports.theme.Style`.
    """
    order = ordered(table, "strategy")
    last = {n: table[table["strategy"] == n].iloc[-1] for n in order}
    ends = {n: number(last[n]["win_share"]) for n in order}
    texts = {n: f"{fit(n, page_width() * 0.26)}  {_share(last[n])}" for n in order}
    right, gap = end_room(texts.values())
    left = 38.0
    area = Area(MARGIN + left, page_width() - 2 * MARGIN - left - right, 4, max(elastic(190.0), gap * len(order) + 20))
    sheet = make_sheet(says, [area], AXIS_STEP + 12)
    plot = sheet.plots[0]
    at = np.log10(table["n_games"].to_numpy(float))
    plot.set_xlim(at.min() - 0.03, at.max() + 0.03)
    values = known([*table["low"], *table["high"]])
    low, high = padded(min(values), max(values))
    plot.set_ylim(max(low, -0.02), min(high, 1.02))
    _axes(plot, table)
    for name in order:
        rows = table[table["strategy"] == name]
        x = np.log10(rows["n_games"].to_numpy(float))
        style = styles[name]
        draw_band(plot, x, np.array(numbers(rows["low"])), np.array(numbers(rows["high"])), style.colour)
        share = numbers(rows["win_share"])
        plot.plot(x, share, color=style.colour, linewidth=1.3, linestyle=style.line, clip_on=False, zorder=4)
    label_ends(plot, float(at.max()), ends, texts, {n: styles[n].colour for n in order}, gap)
    return sheet.figure


def _share(row: pd.Series) -> str:
    return percent(row["win_share"], min(2, share_digits(row["low"], row["high"])))


def _axes(plot: Axes, table: pd.DataFrame) -> None:
    first, last = float(table["n_games"].min()), float(table["n_games"].max())
    marks = [m * 10**p for p in range(13) for m in (1, 2, 5) if first <= m * 10**p <= last]
    if len(marks) > 7:
        marks = [m for m in marks if math.isclose(math.log10(m) % 1, 0, abs_tol=1e-9)]
    column_labels(plot, [math.log10(m) for m in marks], [count(m) for m in marks])
    grid_lines(plot, [math.log10(m) for m in marks])
    axis_name(plot, say("axis.games"))
    ticks = nice_ticks(*plot.get_ylim(), 5)
    row_labels(plot, ticks, [percent_label(t) for t in ticks], 5, SMALL_SIZE, MUTED)
    grid_lines(plot, ticks, horizontal=True)
