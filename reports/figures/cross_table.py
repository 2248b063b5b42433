"""Who wins against whom: a table of win shares, each cell filled by how far it is from the fair share."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection

from reports import theme
from reports.figures.common import number
from reports.numbers import decimal
from reports.shape import page_width
from reports.sheet import Area, FramedFigure, Words, label_column, label_every, make_sheet, row_axis, row_height
from reports.textfit import width
from reports.theme import MARGIN, SMALL_SIZE

COLUMNS = ["a", "b", "win_share", "win_share_low", "win_share_high", "n_games"]
LESS, FAIR, MORE = (0xEE, 0x88, 0x66), (0xEE, 0xEE, 0xEE), (0x77, 0xAA, 0xDD)
"""Fills: less than the fair share, the fair share, more. Pale, so that black figures stay legible on each."""

STEPS = 10
"""Shades from the fair share to the farthest cell on either side."""


def cross_table(cross: pd.DataFrame) -> pd.DataFrame:
    """Return what is drawn: every ordered pair with the win share of the first."""
    return cross[COLUMNS].reset_index(drop=True)


def shade(share: float, fair: float) -> str:
    """Return the fill of a cell, ``#rrggbb``: 0 is the one end, 1 the other, the fair share the middle."""
    room = fair if share < fair else 1 - fair
    step = round(STEPS * min(1.0, abs(share - fair) / room)) / STEPS
    end = LESS if share < fair else MORE
    return "#" + "".join(f"{round(a + (b - a) * step):02x}" for a, b in zip(FAIR, end, strict=True))


def cross_figure(table: pd.DataFrame, says: Words, order: Sequence[str], fair: float) -> FramedFigure:
    """Draw the table: a row's strategy, its win share in the line-ups with the column's.

    Parameters
    ----------
    table : DataFrame
        As `cross_table` makes it; shares between 0 and 1.
    says : Words
        Title, subtitle, caption.
    order : sequence of str
        The strategies, the highest rating first; columns are headed by their numbers.
    fair : float
        The fair share.
    """
    names, left = label_column([f"{i} {name}" for i, name in enumerate(order, 1)])
    n = len(order)
    wide = min(46.0, (page_width() - 2 * MARGIN - left) / n)
    step = row_height(names, min(24.0, max(17.0, wide)))
    head = SMALL_SIZE * 1.6
    sheet = make_sheet(says, [Area(MARGIN + left, wide * n, head, step * n)], 4)
    plot = sheet.plots[0]
    plot.set_xlim(-0.5, n - 0.5)
    row_axis(plot, names)
    above = 0.5 * sheet.areas[0].top / (sheet.areas[0].height / n)
    for column in range(0, n, label_every(n, wide)):
        _write(plot, column, -0.5 - above, str(column + 1), theme.MUTED)
    place = {name: i for i, name in enumerate(order)}
    boxes, fills = [], []
    with_figures = width("100", SMALL_SIZE) + 2 <= wide
    for row in table.itertuples(index=False):
        x, y, share = place[row.b], place[row.a], number(row.win_share)
        if share != share:
            continue
        boxes.append([(x - 0.5, y - 0.5), (x + 0.5, y - 0.5), (x + 0.5, y + 0.5), (x - 0.5, y + 0.5)])
        fills.append(shade(share, fair))
        if with_figures:
            _write(plot, x, y, _percent(share), theme.ON_FILL)
    cells = PolyCollection(boxes, facecolors=fills, edgecolors=theme.PAPER, linewidths=0.8, zorder=1)
    plot.add_collection(cells, autolim=False)
    return sheet.figure


def _percent(share: float) -> str:
    """Return a share in percent; what is only nearly 0 or 100 does not look so."""
    if 0 < share < 0.005:
        return "<1"
    return ">99" if 0.995 <= share < 1 else decimal(100 * share, 0)


def _write(plot: Axes, x: float, y: float, text: str, colour: str) -> None:
    font = theme.regular(SMALL_SIZE)
    plot.text(x, y, text, ha="center", va="center", fontproperties=font, color=colour, zorder=3)
