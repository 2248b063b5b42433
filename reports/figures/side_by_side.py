"""Runs side by side: what each strategy did in each run, with its interval."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from reports.figures.common import draw_estimates, known, ordered, reference_line
from reports.numbers import decimal, digits_for, half_width
from reports.shape import page_width
from reports.sheet import (
    AXIS_STEP,
    Area,
    FramedFigure,
    Key,
    Words,
    label_column,
    make_sheet,
    number_label,
    padded,
    right_column,
    row_labels,
    value_axis,
)
from reports.textfit import widest
from reports.theme import MARGIN, SMALL_SIZE, Style

COLUMNS = ["strategy", "run", "estimate", "low", "high"]
ROW, GAP, LINE = 15.0, 9.0, 10.5
"""Points for a run; points between strategies; points for a line of a name."""


def side_by_side_table(estimates: pd.DataFrame, measure: str) -> pd.DataFrame:
    """Return what is drawn: a measure of ``run_estimates``; a win share in percentage points above the fair share."""
    table = estimates[estimates["measure"] == measure][COLUMNS].reset_index(drop=True)
    if measure == "win_share":
        table[COLUMNS[2:]] = 100 * table[COLUMNS[2:]]
    return table


def side_by_side_figure(
    table: pd.DataFrame, says: Words, styles: Mapping[str, Style], reference: str = ""
) -> FramedFigure:
    """Draw a row for each run of each strategy, with the numbers at the right.

    Parameters
    ----------
    table : DataFrame
        As `side_by_side_table` makes it.
    says : Words
        Title, subtitle, caption.
    styles : mapping
        Run -> `reports.theme.Style`.
    reference : str
        What 0 is; no line is drawn if empty.
    """
    names = ordered(table, "strategy")
    runs = [run for run in styles if (table["run"] == run).any()]
    labels, left = label_column(names)
    texts = [_text(row) for row in table.to_dict("records")]
    right = widest(texts, SMALL_SIZE) + 8
    groups = {name: table[table["strategy"] == name] for name in names}
    places, middles, y = [], [], 0.0
    for group, label in zip(groups.values(), labels, strict=True):
        height = max(float(len(group)), (label.count("\n") + 1) * LINE / ROW)  # a long name may need more than its rows
        first = y + (height - len(group)) / 2
        places += [first + i for i in range(len(group))]
        middles.append(y + (height - 1) / 2)
        y += height + GAP / ROW
    n_rows = y - GAP / ROW
    area = Area(MARGIN + left, page_width() - 2 * MARGIN - left - right, 12, ROW * n_rows)
    keys = [Key(run, styles[run].colour, styles[run].marker, styles[run].hollow) for run in runs]
    sheet = make_sheet(says, [area], AXIS_STEP, keys)
    plot = sheet.plots[0]
    values = known([*table["estimate"], *table["low"], *table["high"], *([0.0] if reference else [])])
    value_axis(plot, *padded(min(values), max(values), 0.08), number_label)
    plot.set_ylim(n_rows - 0.5, -0.5)
    row_labels(plot, middles, labels)
    if reference:
        reference_line(plot, 0.0, reference)
    for row, place in zip(table.itertuples(index=False), places, strict=True):
        draw_estimates(plot, ([row.estimate], [row.low], [row.high]), styles[row.run], rows=[place])
    right_column(plot, texts, places)
    return sheet.figure


def _text(row: Mapping[str, object]) -> str:
    half = half_width(row["low"], row["high"])
    digits = digits_for(half)
    middle = decimal(row["estimate"], digits)
    if not half:
        return middle
    return f"{middle} ({decimal(row['low'], digits)} to {decimal(row['high'], digits)})"
