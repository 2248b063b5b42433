"""The ratings as a ladder: each strategy's log-strength with its interval, the highest on top."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from reports.figures.common import draw_estimates, known, reference_line
from reports.language import say
from reports.shape import page_width
from reports.sheet import (
    AXIS_STEP,
    Area,
    FramedFigure,
    Words,
    label_column,
    make_sheet,
    padded,
    right_column,
    row_axis,
    row_height,
    stripes,
    value_axis,
)
from reports.textfit import widest
from reports.theme import MARGIN, SMALL_SIZE, Style

COLUMNS = ["strategy", "rating", "rating_low", "rating_high", "chance"]


def ladder_table(strategies: pd.DataFrame) -> pd.DataFrame:
    """Return what is drawn: the strategies by falling rating."""
    return strategies.sort_values("rating", ascending=False, kind="stable", ignore_index=True)[COLUMNS]


def ladder_figure(table: pd.DataFrame, says: Words, styles: Mapping[str, Style], texts: Sequence[str]) -> FramedFigure:
    """Draw the ratings as points with intervals, and the average as a line.

    Parameters
    ----------
    table : DataFrame
        As `ladder_table` makes it.
    says : Words
        Title, subtitle, caption.
    styles : mapping
        Strategy -> `reports.theme.Style`.
    texts : sequence of str
        What stands at the right of each row.
    """
    names, left = label_column(list(table["strategy"]))
    right = widest(texts, SMALL_SIZE) + 8
    step = row_height(names, 20)
    area = Area(MARGIN + left, page_width() - 2 * MARGIN - left - right, 12, step * len(names))
    sheet = make_sheet(says, [area], AXIS_STEP)
    stripes(sheet, area, len(names))
    plot = sheet.plots[0]
    values = known([*table["rating"], *table["rating_low"], *table["rating_high"], 0.0])
    value_axis(plot, *padded(min(values), max(values)))
    row_axis(plot, names)
    reference_line(plot, 0.0, say("mark.average"))
    for y, row in enumerate(table.itertuples(index=False)):
        columns = [row.rating], [row.rating_low], [row.rating_high]
        draw_estimates(plot, columns, styles[row.strategy], rows=[y])
    right_column(plot, texts)
    return sheet.figure
