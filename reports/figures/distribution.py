"""How scores and margins spread: one hill a strategy over a common scale."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection

from reports import theme
from reports.figures.common import known, number, ordered, reference_line
from reports.language import say
from reports.numbers import decimal, digits_for, half_width
from reports.shape import page_width
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
    row_share,
    value_axis,
)
from reports.textfit import widest
from reports.theme import MARGIN, SMALL_SIZE, Style

MAX_BINS = 72


def distribution_table(
    histogram: pd.DataFrame, summary: pd.DataFrame, order: Sequence[str], what: str = "score"
) -> pd.DataFrame:
    """Return what is drawn: for each strategy the share of its games in each class of values, and the mean.

    Parameters
    ----------
    histogram : DataFrame
        The table ``scores`` or ``margins``.
    summary : DataFrame
        The table ``summary``.
    order : sequence of str
        The strategies.
    what : {'score', 'margin'}

    Returns
    -------
    DataFrame
        Classes are ``from`` to ``to``, both included, all of the same width: 1, 2, 5, 10... points, so that there are
        at most `MAX_BINS`; then ``share``, and the same in each row of a strategy: ``mean``, ``low``, ``high`` and, of
        scores, ``sd``.
    """
    low, high = (int(histogram[what].min()), int(histogram[what].max())) if len(histogram) else (0, 0)
    step = next(m * 10**p for p in range(6) for m in (1, 2, 5) if (high - low) // (m * 10**p) < MAX_BINS)
    start = histogram[what] // step * step
    shares = histogram["share"].groupby([histogram["strategy"], start], sort=False).sum()
    by_name = summary.set_index("strategy")
    ends = [f"{what}_{part}" for part in ("mean", "low", "high", *(["sd"] if what == "score" else []))]
    rows = []
    for name in order:
        mine = shares.get(name)
        if mine is None:
            continue
        same = [by_name.loc[name, column] for column in ends]
        first, last = int(mine.index.min()), int(mine.index.max())
        rows += [(name, s, s + step - 1, float(mine.get(s, 0.0)), *same) for s in range(first, last + step, step)]
    columns = ["strategy", "from", "to", "share", *(column.removeprefix(f"{what}_") for column in ends)]
    return pd.DataFrame(rows, columns=columns)


def distribution_figure(table: pd.DataFrame, says: Words, styles: Mapping[str, Style], zero: str = "") -> FramedFigure:
    """Draw a histogram for each strategy, all on one scale and of one area, with the mean and its interval.

    Parameters
    ----------
    table : DataFrame
        As `distribution_table` makes it.
    says : Words
        Title, subtitle, caption.
    styles : mapping
        Strategy -> `reports.theme.Style`.
    zero : str
        What a line at zero says; none is drawn if empty.
    """
    order = ordered(table, "strategy")
    names, left = label_column(order)
    groups = [table[table["strategy"] == name] for name in order]
    texts = [_beside(group.iloc[0]) for group in groups]
    right = widest(texts, SMALL_SIZE) + 8
    step = row_height(names, 34 if len(order) <= 12 else 28)
    area = Area(MARGIN + left, page_width() - 2 * MARGIN - left - right, 12 if zero else 0, step * len(order))
    sheet = make_sheet(says, [area], AXIS_STEP)
    plot = sheet.plots[0]
    value_axis(plot, float(table["from"].min()), float(table["to"].max()) + 1, n=6)
    row_axis(plot, names)
    if zero:
        reference_line(plot, 0.0, zero)
    scale = 0.84 / max(float(table["share"].max()), 1e-12)
    for y, (name, group) in enumerate(zip(order, groups, strict=True)):
        _draw_hill(plot, y + 0.44, group, scale, styles[name])
    right_column(plot, texts)
    return sheet.figure


def _beside(row: pd.Series) -> str:
    """Return the numbers at the right of a row: the mean with its interval, the spread."""
    half = half_width(row["low"], row["high"])
    mean = decimal(row["mean"], digits_for(half, most=2))
    text = say("label.mean", mean=mean if not half else f"{mean} ± {decimal(half, digits_for(half, most=2))}")
    return f"{text}\n{say('label.sd', sd=decimal(row['sd']))}" if "sd" in row.index else text


def _draw_hill(plot: Axes, base: float, group: pd.DataFrame, scale: float, style: Style) -> None:
    """Draw one strategy's histogram upon `base`, and its mean as a line that stands on its interval."""
    edges = np.append(group["from"].to_numpy(float), float(group["to"].iloc[-1]) + 1)
    tops = base - group["share"].to_numpy(float) * scale
    outline = np.column_stack([np.repeat(edges, 2), np.concatenate([[base], np.repeat(tops, 2), [base]])])
    hill = PolyCollection([outline], facecolors=style.colour, alpha=0.35, linewidths=0, zorder=2)
    plot.add_collection(hill, autolim=False)
    lines = [outline, np.array([(outline[0, 0], base), (outline[-1, 0], base)])]
    plot.add_collection(LineCollection(lines, colors=style.colour, linewidths=[1.1, 0.5], zorder=2), autolim=False)
    first = group.iloc[0]
    mean = number(first["mean"])
    if math.isnan(mean):
        return
    mark = LineCollection([[(mean, base), (mean, base - 0.86)]], colors=theme.INK, linewidths=0.9, zorder=3)
    mark.set_linestyle([(0, (2, 1.2))])
    plot.add_collection(mark, autolim=False)
    ends = known([first["low"], first["high"]])
    if len(ends) == 2:
        cap, y = row_share(plot, 3.5, 0.2), base - 0.86
        bar = [[(ends[0], y), (ends[1], y)], *([(x, y - cap), (x, y + cap)] for x in ends)]
        plot.add_collection(LineCollection(bar, colors=theme.INK, linewidths=1.1, zorder=3), autolim=False)
