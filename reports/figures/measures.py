"""Measures of a game's end side by side, and how many of a set a strategy has in won and in lost games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from reports import theme
from reports.figures.common import columns_of, draw_estimates, known, ordered
from reports.figures.panels import Panels, make_panels, numbers_at_right
from reports.figures.rounds import MAX_LINES, in_order
from reports.language import capital, say, thing
from reports.numbers import decimal
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
    right_column,
    row_axis,
    row_height,
    row_share,
    stripes,
    value_axis,
)
from reports.textfit import widest
from reports.theme import MARGIN, SMALL_SIZE, Style


def measures_table(measures: pd.DataFrame, group: str, order: Sequence[str]) -> pd.DataFrame:
    """Return what is drawn: for each strategy, in `order`, the means of a group of measures."""
    return in_order(measures, group, order)


def measures_figure(table: pd.DataFrame, says: Words, styles: Mapping[str, Style]) -> FramedFigure:
    """Draw a group of measures: rows of points with intervals.

    Several measures of one unit: a panel a strategy, all on one scale. Else, or with more than
    `reports.figures.rounds.MAX_LINES` strategies: a panel a measure with a scale of its own, a row a strategy.

    Parameters
    ----------
    table : DataFrame
        As `measures_table` makes it.
    says : Words
        Title, subtitle, caption.
    styles : mapping
        Strategy -> `reports.theme.Style`.
    """
    alike = table["unit"].nunique() == 1 and table["measure"].nunique() > 1
    if alike and table["strategy"].nunique() <= MAX_LINES:
        return _by_strategy(table, says, styles)
    return _by_measure(table, says, styles)


def _panels(
    table: pd.DataFrame, says: Words, panel_of: str, rows: Sequence[str], styles: Mapping[str, Style], per_bank: int
) -> Panels:
    names = ordered(table, panel_of)
    texts = {n: [decimal(v) for v in table.loc[table[panel_of] == n, "mean"]] for n in names}
    inset = max(widest(t, SMALL_SIZE) for t in texts.values()) + 6
    heads = {} if panel_of == "strategy" else {n: capital(thing(n)) for n in names}
    panels = make_panels(says, rows, names, styles, inset=inset, per_bank=per_bank, heads=heads)
    for name, plot in panels.plots.items():
        numbers_at_right(plot, texts[name], inset)
    return panels


def _range(table: pd.DataFrame) -> tuple[float, float]:
    values = known([*table["mean"], *table["low"], *table["high"]]) or [0.0, 1.0]
    low, high = padded(min(0.0, *values), max(values), 0.05)
    return (low if min(values) < 0 else 0.0), max(high, 0.01)


def _by_strategy(table: pd.DataFrame, says: Words, styles: Mapping[str, Style]) -> FramedFigure:
    panels = _panels(table, says, "strategy", [thing(t) for t in ordered(table, "title")], styles, 4)
    for name, plot in panels.plots.items():
        value_axis(plot, *_range(table), n=6 if len(panels.plots) == 1 else 2)
        columns = columns_of(table[table["strategy"] == name], "mean", "low", "high")
        draw_estimates(plot, columns, styles[name], size=4.5)
    return panels.sheet.figure


def _by_measure(table: pd.DataFrame, says: Words, styles: Mapping[str, Style]) -> FramedFigure:
    order = ordered(table, "strategy")
    panels = _panels(table, says, "title", order, {}, 4)
    for title, plot in panels.plots.items():
        rows = table[table["title"] == title]
        value_axis(plot, *_range(rows), n=6 if len(panels.plots) == 1 else 2)
        for y, name in enumerate(order):
            one = columns_of(rows[rows["strategy"] == name], "mean", "low", "high")
            draw_estimates(plot, one, styles[name], rows=[y], size=4.5)
    return panels.sheet.figure


def set_table(measures: pd.DataFrame, measure: str, order: Sequence[str]) -> pd.DataFrame:
    """Return what is drawn: for each strategy, in `order`, how many of a set it has: in all, won and lost games."""
    place = {name: i for i, name in enumerate(order)}
    columns = ["strategy", "measure", "title", "mean", "low", "high"]
    columns += [f"mean_{outcome}{end}" for outcome in ("won", "lost") for end in ("", "_low", "_high")]
    rows = measures.loc[measures["measure"] == measure, columns]
    return rows.sort_values("strategy", key=lambda s: s.map(place), kind="stable", ignore_index=True)


def set_figure(table: pd.DataFrame, says: Words, styles: Mapping[str, Style]) -> FramedFigure:
    """Draw how many of a set each strategy has: the means of all, of won and of lost games, each with its interval.

    Parameters
    ----------
    table : DataFrame
        As `set_table` makes it.
    says : Words
        Title, subtitle, caption.
    styles : mapping
        Strategy -> `reports.theme.Style`.
    """
    names, left = label_column(list(table["strategy"]))
    texts = [decimal(v, 2) for v in table["mean"]]
    right = widest(texts, SMALL_SIZE) + 8
    area = Area(MARGIN + left, page_width() - 2 * MARGIN - left - right, 2, row_height(names, 30) * len(names))
    keys = [
        Key(say("label.all_games"), theme.INK, "|"),
        Key(say("label.won"), theme.MUTED, "^"),
        Key(say("label.lost"), theme.MUTED, "v", hollow=True),
    ]
    sheet = make_sheet(says, [area], AXIS_STEP, keys)
    plot = sheet.plots[0]
    ends = ("mean_won", "mean_won_high", "mean_lost", "mean_lost_high", "mean", "high")
    value_axis(plot, 0.0, max([0.1, *known(value for end in ends for value in table[end])]) * 1.05)
    row_axis(plot, names)
    stripes(sheet, sheet.areas[0], len(names))
    apart = row_share(plot, 6.5, 0.27)
    means = (("mean_won", "^", False, -apart), ("mean_lost", "v", True, apart))
    for y, name in enumerate(table["strategy"]):
        row = table.iloc[y : y + 1]
        for mean, marker, hollow, off in means:
            style = Style(styles[name].colour, marker, hollow, "solid")
            columns = columns_of(row, mean, f"{mean}_low", f"{mean}_high")
            draw_estimates(plot, columns, style, rows=[y + off], size=5)
        style = Style(theme.INK, "|", False, "solid")
        draw_estimates(plot, columns_of(row, "mean", "low", "high"), style, rows=[y], size=5)
    right_column(plot, texts)
    return sheet.figure
