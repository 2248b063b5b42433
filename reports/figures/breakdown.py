"""Where the points come from: each strategy's mean score as a bar of its components."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection

from reports import theme
from reports.figures.common import number, ordered
from reports.numbers import UNKNOWN, decimal, mean_with_interval
from reports.sheet import (
    AXIS_STEP,
    Area,
    FramedFigure,
    Key,
    Words,
    label_column,
    make_sheet,
    plot_size,
    right_column,
    row_axis,
    row_height,
    row_labels,
    value_axis,
)
from reports.textfit import widest, width
from reports.theme import MARGIN, ON_FILL, PAPER, SMALL_SIZE, WIDTH

BAR = 0.72
"""Share of a row that a bar fills."""


@dataclass(frozen=True)
class Bar:
    """One stacked bar: what stands left of it, its parts, what stands right of it, and the interval of its total."""

    label: str
    parts: Sequence[float]
    total: str
    low: float = math.nan
    high: float = math.nan


def breakdown_table(components: pd.DataFrame, summary: pd.DataFrame, order: Sequence[str]) -> pd.DataFrame:
    """Return what is drawn: for each strategy, in `order`, its components and the mean score with its interval."""
    scores = summary.set_index("strategy")[["score_mean", "score_low", "score_high"]]
    table = components[["strategy", "component", "title", "mean", "low", "high"]].join(scores, on="strategy")
    return _in_order(table, order)


def outcome_table(components: pd.DataFrame, order: Sequence[str]) -> pd.DataFrame:
    """Return what is drawn: for each strategy, in `order`, each component's mean in won and in lost games."""
    return _in_order(components[["strategy", "component", "title", "mean_won", "mean_lost"]], order)


def _in_order(table: pd.DataFrame, order: Sequence[str]) -> pd.DataFrame:
    place = {name: i for i, name in enumerate(order)}
    return table.sort_values("strategy", key=lambda s: s.map(place), kind="stable", ignore_index=True)


def _keys(table: pd.DataFrame) -> list[Key]:
    fills = theme.fill_styles(ordered(table, "component"))
    titles = dict(zip(table["component"], table["title"], strict=True))
    return [Key(titles[c], fill, hatch=hatch) for c, (fill, hatch) in fills.items()]


def breakdown_figure(table: pd.DataFrame, says: Words) -> FramedFigure:
    """Draw each strategy's mean score as a bar of its components, with the interval of the mean score.

    Parameters
    ----------
    table : DataFrame
        As `breakdown_table` makes it; points.
    says : Words
        Title, subtitle, caption.
    """
    bars = []
    for name, rows in table.groupby("strategy", sort=False):
        first = rows.iloc[0]
        total = mean_with_interval(first["score_mean"], first["score_low"], first["score_high"])
        parts = [number(v) for v in rows["mean"]]
        bars.append(Bar(str(name), parts, total, number(first["score_low"]), number(first["score_high"])))
    return _stacked(bars, _keys(table), says)


def outcome_figure(table: pd.DataFrame, says: Words) -> FramedFigure:
    """Draw two bars of components for each strategy: its won and its lost games.

    Parameters
    ----------
    table : DataFrame
        As `outcome_table` makes it; points. A strategy that never won, or never lost, has one bar.
    says : Words
        Title, subtitle, caption.
    """
    bars = []
    names = ordered(table, "strategy")
    for name in names:
        rows = table[table["strategy"] == name]
        for column, label in (("mean_won", "won"), ("mean_lost", "lost")):
            parts = [number(v) for v in rows[column]]
            missing = any(math.isnan(v) for v in parts)
            total = f"{UNKNOWN}: never {label}" if missing else decimal(sum(parts))
            bars.append(Bar(label, [] if missing else parts, total))
    return _stacked(bars, _keys(table), says, names)


def _stacked(bars: Sequence[Bar], keys: Sequence[Key], says: Words, groups: Sequence[str] = ()) -> FramedFigure:
    """Draw bars; with `groups`, two bars a group under the group's name."""
    names, left = label_column(groups or [bar.label for bar in bars], lowest=30)
    inner = widest([bar.label for bar in bars], SMALL_SIZE) + 10 if groups else 0
    right = widest([bar.total for bar in bars if bar.parts], SMALL_SIZE) + 8
    step = row_height(names, 36 if groups else 24)
    area = Area(MARGIN + left + inner, WIDTH - 2 * MARGIN - left - inner - right, 2, step * len(names))
    sheet = make_sheet(says, [area], AXIS_STEP, keys)
    plot = sheet.plots[0]
    low = min([0.0, *(sum(v for v in bar.parts if v < 0) for bar in bars)])
    high = max(
        [1.0, *(sum(v for v in bar.parts if v > 0) for bar in bars), *(b.high for b in bars if b.high == b.high)]
    )
    value_axis(plot, low * 1.02, high * 1.01)
    row_axis(plot, names, pad=6 + inner)
    rows = [i // 2 + (-0.2 if i % 2 == 0 else 0.2) for i in range(len(bars))] if groups else list(range(len(bars)))
    half = (0.36 if groups else BAR) / 2
    _draw_parts(plot, bars, rows, half, keys)
    if groups:
        row_labels(plot, rows, [bar.label for bar in bars], 5, SMALL_SIZE, theme.MUTED)
    shown = [(bar.total, y) for bar, y in zip(bars, rows, strict=True) if bar.parts]
    right_column(plot, [s for s, _ in shown], [y for _, y in shown])
    for bar, y in zip(bars, rows, strict=True):
        if not bar.parts:
            font = theme.regular(SMALL_SIZE)
            plot.text(4 * (high - low) / area.width, y, bar.total, va="center", fontproperties=font, color=theme.MUTED)
    return sheet.figure


def _draw_parts(plot: Axes, bars: Sequence[Bar], rows: Sequence[float], half: float, keys: Sequence[Key]) -> None:
    """Draw the boxes, one collection a component, the numbers that fit in them, and the intervals of the totals."""
    low, high = plot.get_xlim()
    scale = plot_size(plot)[0] / (high - low)
    boxes: list[list[list[tuple[float, float]]]] = [[] for _ in keys]
    for bar, y in zip(bars, rows, strict=True):
        up = down = 0.0
        for k, value in enumerate(bar.parts):
            start = up if value >= 0 else down
            end = start + value
            up, down = (end, down) if value >= 0 else (up, end)
            boxes[k].append([(start, y - half), (end, y - half), (end, y + half), (start, y + half)])
            text = decimal(value, 0)
            if width(text, SMALL_SIZE) + 3 <= abs(value) * scale:
                font = theme.regular(SMALL_SIZE)
                middle = (start + end) / 2
                plot.text(middle, y, text, ha="center", va="center_baseline", fontproperties=font, color=ON_FILL)
        if not math.isnan(bar.low) and not math.isnan(bar.high):
            line = [
                [(bar.low, y), (bar.high, y)],
                *([(v, y - half / 2), (v, y + half / 2)] for v in (bar.low, bar.high)),
            ]
            plot.add_collection(LineCollection(line, colors=theme.INK, linewidths=1.1, zorder=4), autolim=False)
    for box, key in zip(boxes, keys, strict=True):
        if box:
            fills = PolyCollection(
                box, facecolors=key.colour, edgecolors=PAPER, linewidths=0.8, zorder=2, label=key.label
            )
            fills.set_hatch(key.hatch or "")
            plot.add_collection(fills, autolim=False)
