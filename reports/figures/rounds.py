"""How a game unfolds: a number by round, one line a strategy."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection

from reports import theme
from reports.figures.common import known, number, ordered
from reports.language import say
from reports.numbers import decimal
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
    number_label,
    padded,
    plot_size,
    row_labels,
)
from reports.textfit import fit, widest
from reports.theme import MARGIN, SMALL_SIZE, TEXT_SIZE, Style

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
    table = in_order(measures, group, order)
    at = table["measure"].str.extract(r"(\d+)$", expand=False).astype(int)
    table.insert(1, "at", at)
    return table


def in_order(measures: pd.DataFrame, group: str, order: Sequence[str]) -> pd.DataFrame:
    """Return the rows of a group of measures, the strategies in `order`."""
    place = {name: i for i, name in enumerate(order)}
    rows = measures.loc[measures["group"] == group, VALUES]
    return rows.sort_values("strategy", key=lambda s: s.map(place), kind="stable", ignore_index=True)


def widest_half(table: pd.DataFrame) -> float | None:
    """Return half the widest interval of a table, or None if there is none."""
    halves = [(b - a) / 2 for a, b in zip(map(number, table["low"]), map(number, table["high"]), strict=True)]
    return max((h for h in halves if not math.isnan(h)), default=None)


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


def series_figure(
    table: pd.DataFrame, says: Words, styles: Mapping[str, Style], axis: str | None = None
) -> FramedFigure:
    """Draw a mean by round as one line a strategy, with its interval as a band with ends, its name at the line's end.

    Parameters
    ----------
    table : DataFrame
        As `series_table` makes it.
    says : Words
        Title, subtitle, caption.
    styles : mapping
        Strategy -> `reports.theme.Style`.
    axis : str, optional
        What the horizontal scale counts, if not rounds.
    """
    order = ordered(table, "strategy")
    if len(order) > MAX_LINES:
        return _small_series(table, says, styles, order)
    ends = {n: number(table.loc[table["strategy"] == n, "mean"].iloc[-1]) for n in order}
    texts = {n: f"{fit(n, page_width() * 0.26, max_lines=2)}  {decimal(ends[n])}" for n in order}
    right, gap = end_room(texts.values())
    left = 34.0
    area = Area(MARGIN + left, page_width() - 2 * MARGIN - left - right, 4, max(elastic(190.0), gap * len(order) + 20))
    sheet = make_sheet(says, [area], AXIS_STEP + 12)
    plot = sheet.plots[0]
    scale_rounds(plot, table)
    axis_name(plot, say("axis.round") if axis is None else axis)
    for name in order:
        draw_series(plot, table[table["strategy"] == name], styles[name])
    label_ends(plot, float(table["at"].max()), ends, texts, {n: styles[n].colour for n in order}, gap)
    return sheet.figure


def end_room(texts: Iterable[str]) -> tuple[float, float]:
    """Return the points that labels at lines' ends need at the right, and the least distance between two of them."""
    shown = list(texts)
    return widest(shown, TEXT_SIZE) + 20, TEXT_SIZE * 1.3 * max(text.count("\n") + 1 for text in shown)


def axis_name(plot: Axes, text: str) -> None:
    """Say below the right end of a horizontal scale what it counts."""
    font = theme.regular(SMALL_SIZE)
    y = -(AXIS_STEP + 1) / plot_size(plot)[1]
    plot.text(1, y, text, transform=plot.transAxes, ha="right", va="top", fontproperties=font, color=theme.MUTED)


def label_ends(
    plot: Axes, last: float, ends: Mapping[str, float], texts: Mapping[str, str], colours: Mapping[str, str], gap: float
) -> None:
    """Write beside the end of each line, at `last`, what it is, moved apart where they would touch."""
    (x0, x1), (low, high) = plot.get_xlim(), plot.get_ylim()
    wide, tall = plot_size(plot)
    scale, width_of = tall / (high - low), (x1 - x0) / wide
    known_ends = [n for n, end in ends.items() if not math.isnan(end)]
    places = _spread([(ends[n] - low) * scale for n in known_ends], gap, gap / 2, tall - gap / 2)
    for name, place in zip(known_ends, places, strict=True):
        y = low + place / scale
        line = [(last + 5 * width_of, ends[name]), (last + 15 * width_of, y)]
        lead = LineCollection([line], colors=colours[name], linewidths=0.7, clip_on=False)
        plot.add_collection(lead, autolim=False)
        font, x = theme.regular(), last + 18 * width_of
        plot.text(x, y, texts[name], va="center", fontproperties=font, color=theme.INK, linespacing=1.05)


def scale_rounds(plot: Axes, table: pd.DataFrame, n: int = 5, labelled: bool = True) -> tuple[float, float]:
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


def draw_series(plot: Axes, rows: pd.DataFrame, style: Style) -> None:
    """Draw one strategy's line, its markers and its band."""
    at = rows["at"].to_numpy(float)
    mean, low, high = (np.array([number(v) for v in rows[c]]) for c in ("mean", "low", "high"))
    draw_band(plot, at, low, high, style.colour)
    face = theme.PAPER if style.hollow else style.colour
    plot.plot(
        at,
        mean,
        color=style.colour,
        marker=style.marker,
        markersize=3.6,
        markerfacecolor=face,
        linewidth=1.1,
        linestyle=style.line,
        clip_on=False,
    )


def draw_band(plot: Axes, at: np.ndarray, low: np.ndarray, high: np.ndarray, colour: str) -> None:
    """Draw intervals as a band, and as bars whose ends are wider than a marker: seen however narrow they are.

    Where there is none (at the start, which is the same in every game) nothing is drawn.
    """
    known = ~(np.isnan(low) | np.isnan(high))
    at, low, high = at[known], low[known], high[known]
    if not len(at):
        return
    band = np.column_stack([np.concatenate([at, at[::-1]]), np.concatenate([low, high[::-1]])])
    plot.add_collection(PolyCollection([band], facecolors=colour, alpha=0.25, linewidths=0), autolim=False)
    (x0, x1), wide = plot.get_xlim(), plot_size(plot)[0]
    cap = 3.4 * (x1 - x0) / wide
    bars = [[(x, a), (x, b)] for x, a, b in zip(at, low, high, strict=True)]
    bars += [[(x - cap, v), (x + cap, v)] for x, a, b in zip(at, low, high, strict=True) for v in (a, b)]
    plot.add_collection(LineCollection(bars, colors=colour, linewidths=0.9, clip_on=False, zorder=3), autolim=False)


def _small_series(table: pd.DataFrame, says: Words, styles: Mapping[str, Style], order: Sequence[str]) -> FramedFigure:
    """Draw one small plot a strategy on a common scale, with the range of all of them in grey behind it."""
    per_row, gap, left, tall = 4, 12.0, 24.0, 74.0
    wide = (page_width() - 2 * MARGIN - left - gap * (per_row - 1)) / per_row
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
    for i, (name, area, plot) in enumerate(zip(order, sheet.areas, sheet.plots, strict=True)):
        scale_rounds(plot, table, 3, labelled=i % per_row == 0)
        plot.add_collection(PolyCollection([field], facecolors=theme.GRID, linewidths=0, zorder=1), autolim=False)
        draw_series(plot, table[table["strategy"] == name], styles[name])
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
