"""How the scores spread: one hill a strategy over a common scale."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib.collections import LineCollection, PolyCollection

from reports import theme
from reports.figures.common import number, ordered
from reports.numbers import decimal
from reports.sheet import (
    AXIS_STEP,
    Area,
    FramedFigure,
    Words,
    label_column,
    make_sheet,
    right_column,
    row_axis,
    row_height,
    value_axis,
)
from reports.textfit import widest
from reports.theme import MARGIN, SMALL_SIZE, WIDTH, Style

MAX_BINS = 72


def distribution_table(scores: pd.DataFrame, summary: pd.DataFrame, order: Sequence[str]) -> pd.DataFrame:
    """Return what is drawn: for each strategy the share of its games in each class of scores, mean and spread.

    Classes are ``score_from`` to ``score_to``, both included, all of the same width: 1, 2, 5, 10... points, so that
    there are at most `MAX_BINS`.
    """
    low, high = (int(scores["score"].min()), int(scores["score"].max())) if len(scores) else (0, 0)
    step = next(m * 10**p for p in range(6) for m in (1, 2, 5) if (high - low) // (m * 10**p) < MAX_BINS)
    start = scores["score"] // step * step
    shares = scores["share"].groupby([scores["strategy"], start], sort=False).sum()
    by_name = summary.set_index("strategy")
    rows = []
    for name in order:
        mine = shares.get(name)
        if mine is None:
            continue
        mean, sd = by_name.loc[name, "score_mean"], by_name.loc[name, "score_sd"]
        first, last = int(mine.index.min()), int(mine.index.max())
        rows += [(name, s, s + step - 1, float(mine.get(s, 0.0)), mean, sd) for s in range(first, last + step, step)]
    return pd.DataFrame(rows, columns=["strategy", "score_from", "score_to", "share", "score_mean", "score_sd"])


def distribution_figure(table: pd.DataFrame, says: Words, styles: Mapping[str, Style]) -> FramedFigure:
    """Draw a histogram for each strategy, all on one scale and of one area, with a mark at the mean.

    Parameters
    ----------
    table : DataFrame
        As `distribution_table` makes it.
    says : Words
        Title, subtitle, caption.
    styles : mapping
        Strategy -> `reports.theme.Style`.
    """
    order = ordered(table, "strategy")
    names, left = label_column(order)
    groups = [table[table["strategy"] == name] for name in order]
    texts = [f"mean {decimal(g['score_mean'].iloc[0])}\nSD {decimal(g['score_sd'].iloc[0])}" for g in groups]
    right = widest(texts, SMALL_SIZE) + 8
    step = row_height(names, 34 if len(order) <= 12 else 28)
    area = Area(MARGIN + left, WIDTH - 2 * MARGIN - left - right, 0, step * len(order))
    sheet = make_sheet(says, [area], AXIS_STEP)
    plot = sheet.plots[0]
    value_axis(plot, float(table["score_from"].min()), float(table["score_to"].max()) + 1, n=6)
    row_axis(plot, names)
    scale = 0.88 / max(float(table["share"].max()), 1e-12)
    for y, (name, group) in enumerate(zip(order, groups, strict=True)):
        base = y + 0.44
        edges = np.append(group["score_from"].to_numpy(float), float(group["score_to"].iloc[-1]) + 1)
        tops = base - group["share"].to_numpy(float) * scale
        x = np.repeat(edges, 2)
        outline = np.column_stack([x, np.concatenate([[base], np.repeat(tops, 2), [base]])])
        style = styles[name]
        hill = PolyCollection([outline], facecolors=style.colour, alpha=0.35, linewidths=0, zorder=2)
        plot.add_collection(hill, autolim=False)
        lines = [outline, np.array([(edges[0], base), (edges[-1], base)])]
        plot.add_collection(LineCollection(lines, colors=style.colour, linewidths=[1.1, 0.5], zorder=2), autolim=False)
        mean = number(group["score_mean"].iloc[0])
        if not math.isnan(mean):
            mark = LineCollection([[(mean, base), (mean, y - 0.44)]], colors=theme.INK, linewidths=1.0, zorder=3)
            mark.set_linestyle([(0, (2, 1.2))])
            plot.add_collection(mark, autolim=False)
    right_column(plot, texts)
    return sheet.figure
