"""Who wins: each strategy's win share with its interval beside the fair share."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from reports.figures.common import draw_estimates, known, reference_line
from reports.numbers import round_percent, share_with_interval
from reports.sheet import (
    AXIS_STEP,
    Area,
    FramedFigure,
    Words,
    label_column,
    make_sheet,
    padded,
    percent_label,
    right_column,
    row_axis,
    row_height,
    stripes,
    value_axis,
)
from reports.textfit import widest
from reports.theme import MARGIN, SMALL_SIZE, WIDTH, Style

COLUMNS = ["strategy", "copies", "n_games", "win_share", "win_share_low", "win_share_high", "fair_share"]


def win_share_table(summary: pd.DataFrame) -> pd.DataFrame:
    """Return what is drawn: the strategies by falling win share."""
    return summary.sort_values("win_share", ascending=False, kind="stable", ignore_index=True)[COLUMNS]


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
    names, left = label_column(list(table["strategy"]))
    texts = [share_with_interval(r.win_share, r.win_share_low, r.win_share_high) for r in table.itertuples(index=False)]
    right = widest(texts, SMALL_SIZE) + 8
    step = row_height(names, 22)
    area = Area(MARGIN + left, WIDTH - 2 * MARGIN - left - right, 12, step * len(names))
    sheet = make_sheet(says, [area], AXIS_STEP)
    stripes(sheet, area, len(names))
    plot = sheet.plots[0]
    values = known([*table["win_share"], *table["win_share_low"], *table["win_share_high"], *table["fair_share"]])
    low, high = padded(min(values), max(values), 0.08)
    value_axis(plot, max(low, -0.02), min(high, 1.02), percent_label)
    row_axis(plot, names)
    fair = known(table["fair_share"])[0]
    reference_line(plot, fair, f"fair share {round_percent(fair)}")
    for y, row in enumerate(table.itertuples(index=False)):
        columns = [row.win_share], [row.win_share_low], [row.win_share_high]
        draw_estimates(plot, columns, styles[row.strategy], rows=[y])
    right_column(plot, texts)
    return sheet.figure
