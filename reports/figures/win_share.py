"""Who wins: each strategy's win share, and by how much it differs from the fair share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from reports.figures.common import columns_of, draw_estimates, known, reference_line
from reports.language import say
from reports.numbers import round_percent, share_gap, share_with_interval
from reports.shape import page_width
from reports.sheet import (
    AXIS_STEP,
    Area,
    FramedFigure,
    Words,
    label_column,
    make_sheet,
    padded,
    percent_label,
    points_label,
    right_column,
    row_axis,
    row_height,
    stripes,
    value_axis,
)
from reports.textfit import widest
from reports.theme import MARGIN, SMALL_SIZE, Style

COLUMNS = ["strategy", "copies", "n_games", "win_share", "win_share_low", "win_share_high", "fair_share"]


def win_share_table(summary: pd.DataFrame) -> pd.DataFrame:
    """Return what is drawn: the strategies by falling win share."""
    return summary.sort_values("win_share", ascending=False, kind="stable", ignore_index=True)[COLUMNS]


def fair_table(summary: pd.DataFrame) -> pd.DataFrame:
    """Return what is drawn: by how much each strategy's win share differs from the fair share, the largest first."""
    table = win_share_table(summary)
    for column, end in (("difference", ""), ("difference_low", "_low"), ("difference_high", "_high")):
        table[column] = table[f"win_share{end}"] - table["fair_share"]
    return table[["strategy", "copies", "n_games", "difference", "difference_low", "difference_high"]]


def win_share_figure(table: pd.DataFrame, says: Words, styles: Mapping[str, Style]) -> FramedFigure:
    """Draw win shares as points with intervals, and the fair share as a line.

    Parameters
    ----------
    table : DataFrame
        As `win_share_table` makes it; shares between 0 and 1.
    says : Words
        Title, subtitle, caption.
    styles : mapping
        Strategy -> `reports.theme.Style`.
    """
    texts = [share_with_interval(r.win_share, r.win_share_low, r.win_share_high) for r in table.itertuples(index=False)]
    values = known([*table["win_share"], *table["win_share_low"], *table["win_share_high"], *table["fair_share"]])
    low, high = padded(min(values), max(values), 0.08)
    scale = max(low, -0.02), min(high, 1.02)
    fair = known(table["fair_share"])[0]
    mark = fair, say("mark.fair_share", share=round_percent(fair))
    columns = ("win_share", "win_share_low", "win_share_high")
    return _points(table, columns, texts, scale, percent_label, mark, says, styles)


def fair_figure(table: pd.DataFrame, says: Words, styles: Mapping[str, Style]) -> FramedFigure:
    """Draw differences from the fair share as points with intervals around zero.

    Parameters
    ----------
    table : DataFrame
        As `fair_table` makes it; shares between -1 and 1.
    says : Words
        Title, subtitle, caption.
    styles : mapping
        Strategy -> `reports.theme.Style`.
    """
    columns = ("difference", "difference_low", "difference_high")
    texts = [share_gap(r.difference, r.difference_low, r.difference_high) for r in table.itertuples(index=False)]
    values = known([0.0, *table["difference"], *table["difference_low"], *table["difference_high"]])
    mark = 0.0, say("mark.fair")
    return _points(table, columns, texts, padded(min(values), max(values), 0.08), points_label, mark, says, styles)


def _points(
    table: pd.DataFrame,
    columns: tuple[str, str, str],
    texts: Sequence[str],
    scale: tuple[float, float],
    label: object,
    mark: tuple[float, str],
    says: Words,
    styles: Mapping[str, Style],
) -> FramedFigure:
    """Draw a row a strategy: its point with its interval, its numbers at the right."""
    names, left = label_column(list(table["strategy"]))
    right = widest(texts, SMALL_SIZE) + 8
    step = row_height(names, 22)
    area = Area(MARGIN + left, page_width() - 2 * MARGIN - left - right, 12, step * len(names))
    sheet = make_sheet(says, [area], AXIS_STEP)
    stripes(sheet, sheet.areas[0], len(names))
    plot = sheet.plots[0]
    value_axis(plot, *scale, label)
    row_axis(plot, names)
    reference_line(plot, *mark)
    for y, name in enumerate(table["strategy"]):
        draw_estimates(plot, columns_of(table.iloc[y : y + 1], *columns), styles[name], rows=[y])
    right_column(plot, texts)
    return sheet.figure
