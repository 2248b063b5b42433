"""Where the points come from: each strategy's mean score as a bar of its components."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection

from reports import theme
from reports.figures.common import draw_bars, known, number, ordered, reference_line
from reports.figures.panels import make_panels, numbers_at_right
from reports.language import say, thing
from reports.numbers import decimal, mean_with_interval
from reports.shape import page_width
from reports.sheet import (
    AXIS_STEP,
    Area,
    FramedFigure,
    Key,
    Words,
    label_column,
    make_sheet,
    padded,
    plot_size,
    right_column,
    row_axis,
    row_height,
    row_labels,
    row_share,
    value_axis,
)
from reports.textfit import widest, width
from reports.theme import MARGIN, ON_FILL, PAPER, SMALL_SIZE, Style

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


MAX_PARTS = 14
"""With more components than this, the smallest are drawn as one."""
REST = "smaller parts"
"""Stands for the smallest components together."""


def breakdown_table(components: pd.DataFrame, summary: pd.DataFrame, order: Sequence[str]) -> pd.DataFrame:
    """Return what is drawn: for each strategy, in `order`, its components and the mean score with its interval."""
    scores = summary.set_index("strategy")[["score_mean", "score_low", "score_high"]]
    parts = _merged(components[["strategy", "component", "title", "mean"]], ["mean"])
    return _in_order(parts.join(scores, on="strategy"), order)


def _merged(parts: pd.DataFrame, columns: Sequence[str]) -> pd.DataFrame:
    """Return the components with the smallest put together, if there are more than `MAX_PARTS`."""
    most = parts.assign(size=parts[list(columns)].abs().max(axis=1)).groupby("component", sort=False)["size"].max()
    if len(most) <= MAX_PARTS:
        return parts
    small = set(most.sort_values(kind="stable").index[: len(most) - MAX_PARTS + 1])
    is_small = parts["component"].isin(small)
    rest = parts[is_small].groupby("strategy", sort=False)[list(columns)].sum(min_count=1).reset_index()
    return pd.concat([parts[~is_small], rest.assign(component="rest", title=REST)[list(parts.columns)]])


def outcome_table(components: pd.DataFrame, summary: pd.DataFrame, order: Sequence[str]) -> pd.DataFrame:
    """Return what is drawn: for each strategy, in `order`, each component's mean in won and in lost games.

    With the interval of each, and the mean scores with theirs.
    """
    means = ["mean_won", "mean_lost"]
    ends = [f"{mean}_{end}" for mean in means for end in ("low", "high")]
    parts = _merged(components[["strategy", "component", "title", *means]], means)
    parts = parts.merge(components[["strategy", "component", *ends]], "left", ["strategy", "component"])
    scores = [f"score_{outcome}{end}" for outcome in ("won", "lost") for end in ("", "_low", "_high")]
    return _in_order(parts.join(summary.set_index("strategy")[scores], on="strategy"), order)


def field_table(components: pd.DataFrame, summary: pd.DataFrame, order: Sequence[str]) -> pd.DataFrame:
    """Return what is drawn: each strategy's components minus the mean of all seats of the table.

    The interval is never too narrow: the halves of the intervals of all means that enter are added up, as if they all
    erred together.
    """
    weight = summary.set_index("strategy")["copies"].astype(float)
    weight /= weight.sum()
    table = components[["strategy", "component", "title", "mean", "low", "high"]].copy()
    table["half"] = (table["high"] - table["low"]) / 2
    mine = table["strategy"].map(weight).astype(float)
    for column, share in (("mean", mine), ("half", mine)):
        table[f"field_{column}"] = (table[column] * share).groupby(table["component"]).transform(_sum)
    half = table["half"] * (1 - 2 * mine) + table["field_half"]
    table["difference"] = table["mean"] - table["field_mean"]
    table["low"], table["high"] = table["difference"] - half, table["difference"] + half
    used = table.groupby("component")["mean"].transform(lambda means: means.abs().max()) > 0
    return _in_order(table.loc[used, ["strategy", "component", "title", "difference", "low", "high"]], order)


def _sum(values: pd.Series) -> float:
    return values.sum(skipna=False)


def field_figure(table: pd.DataFrame, says: Words, styles: Mapping[str, Style]) -> FramedFigure:
    """Draw by how much each strategy's components differ from the field: bars around zero, a panel a strategy.

    Parameters
    ----------
    table : DataFrame
        As `field_table` makes it; points.
    says : Words
        Title, subtitle, caption.
    styles : mapping
        Strategy -> `reports.theme.Style`.
    """
    names = ordered(table, "strategy")
    texts = {n: [decimal(v, plus=True) for v in table.loc[table["strategy"] == n, "difference"]] for n in names}
    inset = max(widest(t, SMALL_SIZE) for t in texts.values()) + 6
    panels = make_panels(says, [thing(t) for t in ordered(table, "title")], names, styles, inset=inset)
    ends = known([0.0, *table["difference"], *table["low"], *table["high"]])
    low, high = padded(min(ends), max(ends), 0.04)
    for name, plot in panels.plots.items():
        rows = table[table["strategy"] == name]
        value_axis(plot, low, high, n=6 if len(names) == 1 else 2)
        reference_line(plot, 0.0)
        draw_bars(plot, rows["difference"], rows["low"], rows["high"], styles[name].colour)
        numbers_at_right(plot, texts[name], inset)
    return panels.sheet.figure


def _in_order(table: pd.DataFrame, order: Sequence[str]) -> pd.DataFrame:
    place = {name: i for i, name in enumerate(order)}
    return table.sort_values("strategy", key=lambda s: s.map(place), kind="stable", ignore_index=True)


def _keys(table: pd.DataFrame) -> list[Key]:
    fills = theme.fill_styles(ordered(table, "component"))
    titles = dict(zip(table["component"], table["title"], strict=True))
    return [Key(thing(titles[c]), fill, hatch=hatch) for c, (fill, hatch) in fills.items()]


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
    """Draw two bars of components for each strategy, its won and its lost games, with the interval of the mean score.

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
        for outcome, label in (("won", say("label.won")), ("lost", say("label.lost"))):
            parts = [number(v) for v in rows[f"mean_{outcome}"]]
            if any(math.isnan(v) for v in parts):
                bars.append(Bar(label, [], say(f"label.never_{outcome}")))
                continue
            score = [rows[f"score_{outcome}{end}"].iloc[0] for end in ("", "_low", "_high")]
            bars.append(Bar(label, parts, mean_with_interval(*score), number(score[1]), number(score[2])))
    return _stacked(bars, _keys(table), says, names)


def _stacked(bars: Sequence[Bar], keys: Sequence[Key], says: Words, groups: Sequence[str] = ()) -> FramedFigure:
    """Draw bars; with `groups`, two bars a group under the group's name."""
    names, left = label_column(groups or [bar.label for bar in bars], lowest=30)
    inner = widest([bar.label for bar in bars], SMALL_SIZE) + 10 if groups else 0
    right = widest([bar.total for bar in bars if bar.parts], SMALL_SIZE) + 8
    step = row_height(names, 36 if groups else 24)
    area = Area(MARGIN + left + inner, page_width() - 2 * MARGIN - left - inner - right, 2, step * len(names))
    sheet = make_sheet(says, [area], AXIS_STEP, keys)
    plot = sheet.plots[0]
    low = min([0.0, *(sum(v for v in bar.parts if v < 0) for bar in bars)])
    high = max(
        [1.0, *(sum(v for v in bar.parts if v > 0) for bar in bars), *(b.high for b in bars if b.high == b.high)]
    )
    value_axis(plot, low * 1.02, high * 1.01)
    row_axis(plot, names, pad=6 + inner)
    half = row_share(plot, 7.5, 0.18) if groups else row_share(plot, 13, BAR / 2)
    apart = half + row_share(plot, 1, 0.02)
    rows = [i // 2 + (-apart if i % 2 == 0 else apart) for i in range(len(bars))] if groups else list(range(len(bars)))
    _draw_parts(plot, bars, rows, half, keys)
    if groups:
        row_labels(plot, rows, [bar.label for bar in bars], 5, SMALL_SIZE, theme.MUTED)
    shown = [(bar.total, y) for bar, y in zip(bars, rows, strict=True) if bar.parts]
    right_column(plot, [s for s, _ in shown], [y for _, y in shown])
    for bar, y in zip(bars, rows, strict=True):
        if not bar.parts:
            font = theme.regular(SMALL_SIZE)
            x = 4 * (high - low) / sheet.areas[0].width
            plot.text(x, y, bar.total, va="center", fontproperties=font, color=theme.MUTED)
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
                *([(v, y - half * 0.7), (v, y + half * 0.7)] for v in (bar.low, bar.high)),
            ]
            plot.add_collection(LineCollection(line, colors=theme.INK, linewidths=1.1, zorder=4), autolim=False)
    for box, key in zip(boxes, keys, strict=True):
        if box:
            fills = PolyCollection(
                box, facecolors=key.colour, edgecolors=PAPER, linewidths=0.8, zorder=2, label=key.label
            )
            fills.set_hatch(key.hatch or "")
            plot.add_collection(fills, autolim=False)
