"""How a game unfolds: a number by round, one line a strategy; and other measures side by side."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection

from reports import theme
from reports.figures.common import columns_of, draw_estimates, known, number, ordered
from reports.figures.panels import make_panels, numbers_at_right
from reports.numbers import decimal
from reports.sheet import (
    AXIS_STEP,
    Area,
    FramedFigure,
    Words,
    column_labels,
    grid_lines,
    make_sheet,
    nice_ticks,
    number_label,
    padded,
    row_labels,
    value_axis,
)
from reports.textfit import fit, widest
from reports.theme import MARGIN, SMALL_SIZE, TEXT_SIZE, WIDTH, Style

MAX_LINES = 8
"""With more strategies than this, each gets a plot of its own: small ones for a series, a row in each panel else."""
VALUES = ["strategy", "measure", "title", "unit", "mean", "low", "high"]
_NUMBERED = re.compile(r"^(.*?)(\d+)$")


def is_series(measures: pd.DataFrame, group: str) -> bool:
    """Return whether measures are one thing followed over time: three or more whose names differ in a number."""
    names = ordered(measures[measures["group"] == group], "measure")
    parts = [_NUMBERED.match(name) for name in names]
    return len(names) >= 3 and all(parts) and len({p.group(1) for p in parts if p}) == 1


def series_table(measures: pd.DataFrame, group: str, order: Sequence[str]) -> pd.DataFrame:
    """Return what is drawn: for each strategy, in `order`, the means of a numbered group of measures."""
    table = _in_order(measures, group, order)
    at = table["measure"].str.extract(r"(\d+)$", expand=False).astype(int)
    table.insert(1, "at", at)
    return table


def measures_table(measures: pd.DataFrame, group: str, order: Sequence[str]) -> pd.DataFrame:
    """Return what is drawn: for each strategy, in `order`, the means of a group of measures."""
    return _in_order(measures, group, order)


def _in_order(measures: pd.DataFrame, group: str, order: Sequence[str]) -> pd.DataFrame:
    place = {name: i for i, name in enumerate(order)}
    rows = measures.loc[measures["group"] == group, VALUES]
    return rows.sort_values("strategy", key=lambda s: s.map(place), kind="stable", ignore_index=True)


def _spread(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Move positions apart until neighbours are at least `gap` away from each other, staying near where they were."""
    order = np.argsort(np.asarray(wanted), kind="stable")
    y = np.asarray(wanted, float)[order]
    for _ in range(200):
        moved = False
        for i in range(1, len(y)):
            lack = gap - (y[i] - y[i - 1])
            if lack > 1e-6:
                y[i - 1] -= lack / 2
                y[i] += lack / 2
                moved = True
        y += max(0.0, low - y[0])
        y -= max(0.0, y[-1] - high)
        if not moved:
            break
    out = np.empty(len(y))
    out[order] = y
    return out.tolist()


def series_figure(table: pd.DataFrame, says: Words, styles: Mapping[str, Style]) -> FramedFigure:
    """Draw a mean by round as one line a strategy, with its interval as a band and its name at the line's end.

    Parameters
    ----------
    table : DataFrame
        As `series_table` makes it.
    says : Words
        Title, subtitle, caption.
    styles : mapping
        Strategy -> `reports.theme.Style`.
    """
    order = ordered(table, "strategy")
    if len(order) > MAX_LINES:
        return _small_series(table, says, styles, order)
    ends = {n: number(table.loc[table["strategy"] == n, "mean"].iloc[-1]) for n in order}
    texts = {n: f"{fit(n, WIDTH * 0.26, max_lines=2)}  {decimal(ends[n])}" for n in order}
    right = widest(texts.values(), TEXT_SIZE) + 20
    gap = TEXT_SIZE * 1.3 * max(t.count("\n") + 1 for t in texts.values())
    tall = max(190.0, gap * len(order) + 20)
    left = 34.0
    area = Area(MARGIN + left, WIDTH - 2 * MARGIN - left - right, 4, tall)
    sheet = make_sheet(says, [area], AXIS_STEP)
    plot = sheet.plots[0]
    low, high = _scale(plot, table)
    for name in order:
        _draw_series(plot, table[table["strategy"] == name], styles[name])
    scale = tall / (high - low)
    known_ends = [n for n in order if not math.isnan(ends[n])]
    places = _spread([(ends[n] - low) * scale for n in known_ends], gap, gap / 2, tall - gap / 2)
    last = float(table["at"].max())
    width_of = (plot.get_xlim()[1] - plot.get_xlim()[0]) / area.width
    for name, place in zip(known_ends, places, strict=True):
        y = low + place / scale
        line = [(last + 5 * width_of, ends[name]), (last + 15 * width_of, y)]
        lead = LineCollection([line], colors=styles[name].colour, linewidths=0.7, clip_on=False)
        plot.add_collection(lead, autolim=False)
        plot.text(
            last + 18 * width_of,
            y,
            texts[name],
            va="center",
            fontproperties=theme.regular(),
            color=theme.INK,
            linespacing=1.05,
        )
    return sheet.figure


def _scale(plot: Axes, table: pd.DataFrame, n: int = 5, labelled: bool = True) -> tuple[float, float]:
    """Give a plot rounds across and values up; return the range of values."""
    values = known([*table["mean"], *table["low"], *table["high"]]) or [0.0, 1.0]
    low, high = padded(min(values), max(values))
    at = sorted(set(table["at"]))
    plot.set_xlim(min(at) - 0.15, max(at) + 0.15)
    shown = at if len(at) <= 12 else at[:: -(-len(at) // 12)]
    column_labels(plot, shown, [str(a) for a in shown])
    plot.set_ylim(low, high)
    ticks = nice_ticks(low, high, n)
    if labelled:
        row_labels(plot, ticks, [number_label(t) for t in ticks], 5, SMALL_SIZE, theme.MUTED)
    grid_lines(plot, ticks, horizontal=True)
    return low, high


def _draw_series(plot: Axes, rows: pd.DataFrame, style: Style) -> None:
    """Draw one strategy's line, its markers and its band."""
    at = rows["at"].to_numpy(float)
    mean, low, high = (np.array([number(v) for v in rows[c]]) for c in ("mean", "low", "high"))
    if not np.isnan([low, high]).any():
        band = np.column_stack([np.concatenate([at, at[::-1]]), np.concatenate([low, high[::-1]])])
        plot.add_collection(PolyCollection([band], facecolors=style.colour, alpha=0.25, linewidths=0), autolim=False)
    face = theme.PAPER if style.hollow else style.colour
    plot.plot(
        at,
        mean,
        color=style.colour,
        marker=style.marker,
        markersize=4.5,
        markerfacecolor=face,
        linewidth=1.5,
        clip_on=False,
    )


def _small_series(table: pd.DataFrame, says: Words, styles: Mapping[str, Style], order: Sequence[str]) -> FramedFigure:
    """Draw one small plot a strategy on a common scale, with the range of all of them in grey behind it."""
    per_row, gap, left, tall = 4, 12.0, 24.0, 74.0
    wide = (WIDTH - 2 * MARGIN - left - gap * (per_row - 1)) / per_row
    heads = {n: fit(n, wide - 2, SMALL_SIZE, is_bold=True) for n in order}
    head = max(h.count("\n") + 1 for h in heads.values()) * SMALL_SIZE * 1.25 + 4
    areas = [
        Area(
            MARGIN + left + (i % per_row) * (wide + gap),
            wide,
            (i // per_row) * (head + tall + AXIS_STEP + 8) + head,
            tall,
        )
        for i in range(len(order))
    ]
    sheet = make_sheet(says, areas, AXIS_STEP)
    reach = table.groupby("at")["mean"].agg(["min", "max"])
    ends = reach.index.to_numpy(float), reach["min"].to_numpy(float), reach["max"].to_numpy(float)
    field = np.column_stack([np.append(ends[0], ends[0][::-1]), np.append(ends[1], ends[2][::-1])])
    for i, (name, area, plot) in enumerate(zip(order, areas, sheet.plots, strict=True)):
        _scale(plot, table, 3, labelled=i % per_row == 0)
        plot.add_collection(PolyCollection([field], facecolors=theme.GRID, linewidths=0, zorder=1), autolim=False)
        _draw_series(plot, table[table["strategy"] == name], styles[name])
        sheet.page.text(
            area.left,
            sheet.top + area.top - 3,
            heads[name],
            va="bottom",
            fontproperties=theme.bold(SMALL_SIZE),
            color=theme.INK,
            linespacing=1.05,
        )
    return sheet.figure


def measures_figure(table: pd.DataFrame, says: Words, styles: Mapping[str, Style]) -> FramedFigure:
    """Draw a group of measures of one unit: rows of points with intervals, a panel a strategy.

    With more than `MAX_LINES` strategies it is the other way round: a row a strategy, a panel a measure.

    Parameters
    ----------
    table : DataFrame
        As `measures_table` makes it.
    says : Words
        Title, subtitle, caption.
    styles : mapping
        Strategy -> `reports.theme.Style`.
    """
    by_strategy = table["strategy"].nunique() <= MAX_LINES
    panel_of, row_of = ("strategy", "title") if by_strategy else ("title", "strategy")
    rows, names = ordered(table, row_of), ordered(table, panel_of)
    texts = {n: [decimal(v) for v in table.loc[table[panel_of] == n, "mean"]] for n in names}
    inset = max(widest(t, SMALL_SIZE) for t in texts.values()) + 6
    panels = make_panels(
        says, rows, names, styles if by_strategy else {}, inset=inset, per_bank=4 if by_strategy else 5
    )
    values = known([*table["mean"], *table["low"], *table["high"]]) or [0.0, 1.0]
    low, high = padded(min(0.0, *values), max(values), 0.05)
    for name, plot in panels.plots.items():
        value_axis(plot, low if min(values) < 0 else 0.0, high, n=6 if len(names) == 1 else 2)
        mine = table[table[panel_of] == name]
        columns = columns_of(mine, "mean", "low", "high")
        if by_strategy:
            draw_estimates(plot, columns, styles[name], size=4.5)
        else:
            for y, row in enumerate(rows):
                one = ([columns[0][y]], [columns[1][y]], [columns[2][y]])
                draw_estimates(plot, one, styles[row], rows=[y], size=4.5)
        numbers_at_right(plot, texts[name], inset)
    return panels.sheet.figure
