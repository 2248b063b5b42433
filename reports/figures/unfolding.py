"""How games unfold: several things by round side by side, what a lead is worth, shares of games."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from reports import theme
from reports.figures.common import draw_bars, known, numbers, ordered
from reports.figures.rounds import axis_name, draw_band, draw_series, scale_rounds
from reports.language import capital, say, thing
from reports.numbers import half_width, percent, round_percent, share_digits
from reports.shape import elastic, page_width
from reports.sheet import (
    AXIS_STEP,
    Area,
    FramedFigure,
    Key,
    Words,
    column_labels,
    grid_lines,
    label_column,
    make_sheet,
    nice_ticks,
    percent_label,
    plot_size,
    right_column,
    row_axis,
    row_height,
    row_labels,
    value_axis,
)
from reports.textfit import fit, widest
from reports.theme import MARGIN, SMALL_SIZE, Style

PANEL_GAP = 14.0
LEAST_PANEL = 96.0
"""Points that a panel is wide at least."""


def as_measures(by_round: pd.DataFrame) -> pd.DataFrame:
    """Return the standings by round in the form of a run's measures: a numbered measure for each round."""
    table = by_round.copy()
    at = table["round"].astype("string")
    table["measure"] = table["measure"] + "_round_" + at
    table["title"] = table["title"] + " after round " + at
    return table


def panels_table(by_round: pd.DataFrame, group: str, order: Sequence[str]) -> pd.DataFrame:
    """Return what is drawn: for each thing of a group and each strategy, in `order`, the mean after each round."""
    place = {name: i for i, name in enumerate(order)}
    columns = ["strategy", "measure", "title", "unit", "round", "mean", "low", "high"]
    rows = by_round.loc[by_round["group"] == group, columns].rename(columns={"round": "at"})
    things = {name: i for i, name in enumerate(ordered(rows, "measure"))}
    keys = [rows["measure"].map(things), rows["strategy"].map(place), rows["at"]]
    return rows.iloc[np.lexsort(keys[::-1])].reset_index(drop=True)


def panels_figure(table: pd.DataFrame, says: Words, styles: Mapping[str, Style]) -> FramedFigure:
    """Draw a panel a thing, all on one scale, with a line a strategy as `reports.figures.rounds` draws it.

    Parameters
    ----------
    table : DataFrame
        As `panels_table` makes it.
    says : Words
        Title, subtitle, caption.
    styles : mapping
        Strategy -> `reports.theme.Style`.
    """
    order, things = ordered(table, "strategy"), ordered(table, "measure")
    heads = {name: capital(thing(table.loc[table["measure"] == name, "title"].iloc[0])) for name in things}
    left, room = 26.0, page_width() - 2 * MARGIN
    fitting = max(1, int((room - left + PANEL_GAP) / (LEAST_PANEL + PANEL_GAP)))
    n_banks = -(-len(things) // fitting)
    per_bank = -(-len(things) // n_banks)
    wide = (room - left - PANEL_GAP * (per_bank - 1)) / per_bank
    texts = {name: fit(head, wide, SMALL_SIZE, is_bold=True) for name, head in heads.items()}
    head = max(text.count("\n") + 1 for text in texts.values()) * SMALL_SIZE * 1.25 + 5
    tall = elastic(96.0)
    down = head + tall + AXIS_STEP + 12
    areas = [
        Area(MARGIN + left + i % per_bank * (wide + PANEL_GAP), wide, i // per_bank * down + head, tall)
        for i in range(len(things))
    ]
    keys = [Key(n, styles[n].colour, styles[n].marker, styles[n].hollow, styles[n].line) for n in order]
    sheet = make_sheet(says, areas, AXIS_STEP + 12, keys)
    for i, (name, area, plot) in enumerate(zip(things, sheet.areas, sheet.plots, strict=True)):
        rows = table[table["measure"] == name]
        scale_rounds(plot, table, 4, labelled=i % per_bank == 0)
        for strategy in order:
            draw_series(plot, rows[rows["strategy"] == strategy], styles[strategy])
        if i == len(things) - 1:
            axis_name(plot, say("axis.round"))
        y = sheet.top + area.top - 4
        font = theme.bold(SMALL_SIZE)
        sheet.page.text(area.left, y, texts[name], va="bottom", fontproperties=font, color=theme.INK, linespacing=1.05)
    return sheet.figure


def leaders_figure(table: pd.DataFrame, says: Words, fair: float) -> FramedFigure:
    """Draw the share of games that the leader after each round wins, with its interval, and the fair share.

    Parameters
    ----------
    table : DataFrame
        ``round, leader_wins, leader_wins_low, leader_wins_high``.
    says : Words
        Title, subtitle, caption.
    fair : float
        1 / players.
    """
    texts = [_share(*row) for row in zip(*(table[c] for c in _named("leader_wins")), strict=True)]
    left = 38.0
    area = Area(MARGIN + left, page_width() - 2 * MARGIN - left - 14, 4, elastic(190.0))
    sheet = make_sheet(says, [area], AXIS_STEP + 12)
    plot = sheet.plots[0]
    at = table["round"].to_numpy(float)
    low, high = (np.array(numbers(table[c])) for c in _named("leader_wins")[1:])
    share = np.array(numbers(table["leader_wins"]))
    top = max(known([*share, *high, fair]))
    top = 1.0 if top > 0.8 else top
    room = widest(texts, SMALL_SIZE) + 4
    apart = (area.width - room - 8) / max(1.0, at.max() - at.min())
    plot.set_xlim(at.min() - room / apart, at.max() + 8 / apart)
    plot.set_ylim(0, top * 1.12)
    column_labels(plot, list(at), [str(int(a)) for a in at])
    axis_name(plot, say("axis.round"))
    ticks = nice_ticks(0, top, 5)
    row_labels(plot, ticks, [percent_label(t) for t in ticks], 5, SMALL_SIZE, theme.MUTED)
    grid_lines(plot, ticks, horizontal=True)
    plot.plot(plot.get_xlim(), [fair, fair], color=theme.MUTED, linewidth=1.0, linestyle=(0, (3, 2)), zorder=1)
    draw_band(plot, at, low, high, theme.INK)
    plot.plot(at, share, color=theme.INK, marker="o", markersize=3.6, linewidth=1.1, clip_on=False)
    _numbers_above(plot, at, np.where(np.isnan(high), share, high), texts, fair)
    return sheet.figure


def _numbers_above(plot: Axes, at: np.ndarray, ends: np.ndarray, texts: Sequence[str], fair: float) -> None:
    """Write a number above each interval, to the left of it, since the line rises, and not upon the fair share's line.

    If they are many, only some are written.
    """
    (x0, x1), (wide, tall) = plot.get_xlim(), plot_size(plot)
    apart, point = wide / (x1 - x0), plot.get_ylim()[1] / tall
    every = max(1, math.ceil((widest(texts, SMALL_SIZE) + 6) / apart))
    font = theme.regular(SMALL_SIZE)
    for i, (x, end, text) in enumerate(zip(at, ends, texts, strict=True)):
        if (len(at) - 1 - i) % every == 0 and not math.isnan(end):
            y = end + 3 * point
            if y - point < fair < y + 1.2 * SMALL_SIZE * point:
                y = fair + 2 * point
            plot.text(x + 3 / apart, y, text, ha="right", va="bottom", fontproperties=font, color=theme.INK)


def shares_figure(
    table: pd.DataFrame, says: Words, labels: Sequence[str], value: str, low: str, high: str
) -> FramedFigure:
    """Draw shares of games as a bar a row, each with its interval and its number.

    Parameters
    ----------
    table : DataFrame
    says : Words
        Title, subtitle, caption.
    labels : sequence of str
        Of the rows.
    value, low, high : str
        Columns of the share and the ends of its interval.
    """
    names, left = label_column(labels, lowest=10.0)
    texts = [_share(*row) for row in zip(table[value], table[low], table[high], strict=True)]
    right = widest(texts, SMALL_SIZE) + 8
    area = Area(MARGIN + left, page_width() - 2 * MARGIN - left - right, 2, row_height(names, 19) * len(names))
    sheet = make_sheet(says, [area], AXIS_STEP)
    plot = sheet.plots[0]
    value_axis(plot, 0.0, max(known([*table[value], *table[high], 0.01])) * 1.03, percent_label)
    row_axis(plot, names)
    draw_bars(plot, table[value], table[low], table[high], theme.MUTED)
    right_column(plot, texts)
    return sheet.figure


def _named(value: str) -> tuple[str, str, str]:
    return value, f"{value}_low", f"{value}_high"


def _share(share: float, low: float, high: float) -> str:
    return round_percent(share) if half_width(low, high) == 0 else percent(share, min(1, share_digits(low, high)))
