"""Who beats whom by how much within one line-up: differences of win shares as a heat map."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection

from reports import theme
from reports.figures.common import known, number
from reports.language import say
from reports.numbers import decimal, digits_for
from reports.shape import page_width
from reports.sheet import (
    AXIS_STEP,
    Area,
    FramedFigure,
    Key,
    Words,
    column_labels,
    label_column,
    label_every,
    make_sheet,
    plot_size,
    row_axis,
    row_height,
)
from reports.textfit import widest
from reports.theme import CAPTION_SIZE, MARGIN, SMALL_SIZE

MORE, LESS = theme.STRATEGY_COLOURS[0], theme.STRATEGY_COLOURS[1]
STRONGEST = 0.6
"""Opacity of the largest difference: figures stay legible on it in every theme."""
COLUMNS = ["rank_a", "a", "rank_b", "b", "difference", "low", "high", "told_apart"]


def pairs_table(pairs: pd.DataFrame, order: Sequence[str]) -> pd.DataFrame:
    """Return what is drawn: win share of `a` minus that of `b`, for every two strategies in both orders.

    Parameters
    ----------
    pairs : DataFrame
        The table ``pairs``.
    order : sequence of str
        The strategies, the most successful first: their ranks.
    """
    rank = {name: i + 1 for i, name in enumerate(order)}
    rows = []
    for r in pairs.to_dict("records"):
        found = [number(r[c]) for c in ("win_share_difference", "low", "high")]
        told = bool(r["distinguishable"])
        rows.append((rank[r["a"]], r["a"], rank[r["b"]], r["b"], *found, told))
        rows.append((rank[r["b"]], r["b"], rank[r["a"]], r["a"], -found[0], -found[2], -found[1], told))
    table = pd.DataFrame(sorted(rows, key=lambda row: (row[0], row[2])), columns=COLUMNS)
    return table.astype({"difference": "Float64", "low": "Float64", "high": "Float64"})


def pairs_figure(table: pd.DataFrame, says: Words) -> FramedFigure:
    """Draw a square of cells: row's win share minus column's, with half its interval where there is room.

    Cells of strategies that are not told apart are hatched.

    Parameters
    ----------
    table : DataFrame
        As `pairs_table` makes it.
    says : Words
        Title, subtitle, caption.
    """
    ranks = dict(zip(table["rank_a"], table["a"], strict=True))
    order = [f"{r}\u00a0\u00a0{ranks[r]}" for r in sorted(ranks)]
    texts = {(r.rank_a, r.rank_b): _cell(r) for r in table.itertuples(index=False)}
    names, left = label_column(order)
    room = page_width() - 2 * MARGIN - left
    cell = widest(texts.values(), SMALL_SIZE) + 6
    step = row_height(names, 13)
    wide = min(room / len(order), max(cell * 1.25, 62.0)) if cell * len(order) <= room else room / len(order)
    with_text = cell <= wide
    area = Area(MARGIN + left, wide * len(order), 2, max(step, 27.0 if with_text else 0) * len(order))
    keys = [
        Key(say("label.row_wins_more"), MORE, hatch="", alpha=STRONGEST),
        Key(say("label.row_wins_less"), LESS, hatch="", alpha=STRONGEST),
        Key(say("label.not_told_apart"), theme.PAPER, hatch="////"),
    ]
    sheet = make_sheet(says, [area], AXIS_STEP, keys)
    plot = sheet.plots[0]
    plot.set_xlim(-0.5, len(order) - 0.5)
    row_axis(plot, names)
    shown = range(0, len(order), label_every(len(order), wide))
    column_labels(plot, shown, [str(i + 1) for i in shown])
    _draw_cells(plot, table)
    size = SMALL_SIZE if plot_size(plot)[1] / len(order) >= 24 else CAPTION_SIZE
    if with_text:
        _keep_clear(plot, table, texts, size)
    for (a, b), text in texts.items() if with_text else ():
        font = theme.regular(size)
        plot.text(b - 1, a - 1, text, ha="center", va="center", fontproperties=font, linespacing=1.1)
    return sheet.figure


def _cell(row: object) -> str:
    """Return a difference in percentage points, and below it half its interval; nothing if the two never met."""
    difference, low, high = (number(getattr(row, c)) for c in ("difference", "low", "high"))
    if difference != difference:
        return ""
    half = 50 * (high - low)
    if half != half:
        return decimal(100 * difference, 1, plus=True)
    digits = digits_for(half, most=2)
    return f"{decimal(100 * difference, digits, plus=True)}\n± {decimal(half, digits)}"


def _draw_cells(plot: Axes, table: pd.DataFrame) -> None:
    """Fill the cells, the stronger the larger the difference, and hatch those of strategies not told apart."""
    most = max([1e-9, *map(abs, known(table["difference"]))])
    for colour, sign in ((MORE, 1), (LESS, -1)):
        rows = [r for r in table.itertuples(index=False) if number(r.difference) * sign > 0]
        boxes = [_box(r) for r in rows]
        alphas = [STRONGEST * abs(number(r.difference)) / most for r in rows]
        fills = PolyCollection(boxes, facecolors=colour, alpha=alphas or None, linewidths=0, zorder=1)
        plot.add_collection(fills, autolim=False)
    alike = [_box(r) for r in table.itertuples(index=False) if not r.told_apart and r.difference is not pd.NA]
    hatched = PolyCollection(alike, facecolors="none", linewidths=0, zorder=1, label="alike")
    hatched.set_hatch("////")
    plot.add_collection(hatched, autolim=False)


def _keep_clear(plot: Axes, table: pd.DataFrame, texts: Mapping[tuple[int, int], str], size: float) -> None:
    """Lay paper over the hatching where a number will stand."""
    n_rows = table["rank_a"].max()
    wide, tall = plot_size(plot)
    boxes = []
    for row in table.itertuples(index=False):
        text = texts[row.rank_a, row.rank_b]
        if text and not row.told_apart:
            x = min(0.48, (widest([text], size) / 2 + 2) / (wide / n_rows))
            y = min(0.48, (size * 1.2 * (text.count("\n") + 1) / 2 + 1) / (tall / n_rows))
            boxes.append(_box(row, x, y))
    paper = PolyCollection(boxes, facecolors=theme.PAPER, linewidths=0, zorder=1.5)
    plot.add_collection(paper, autolim=False)


def _box(row: object, wide: float = 0.48, tall: float = 0.48) -> list[tuple[float, float]]:
    """Return the corners of a box amid a row's cell: half its width and height, the cell being 1 by 1."""
    x, y = row.rank_b - 1, row.rank_a - 1  # type: ignore[attr-defined]
    return [(x - wide, y - tall), (x + wide, y - tall), (x + wide, y + tall), (x - wide, y + tall)]
