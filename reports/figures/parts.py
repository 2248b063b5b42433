"""How a strategy's games end, as parts of a whole: places, and close games."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.collections import LineCollection, PolyCollection

from analysis.intervals import LEVEL, ONCE, Looking, wilson
from reports import theme
from reports.figures.common import number, ordered
from reports.findings import CLOSE
from reports.language import say
from reports.numbers import percent
from reports.shape import page_width
from reports.sheet import (
    AXIS_STEP,
    Area,
    FramedFigure,
    Key,
    Words,
    label_column,
    make_sheet,
    percent_label,
    plot_size,
    row_axis,
    row_height,
    row_share,
    value_axis,
)
from reports.textfit import width
from reports.theme import MARGIN, SMALL_SIZE

COLUMNS = ["strategy", "part", "share", "low", "high", "up_to", "up_to_low", "up_to_high"]
RAMP = (0.62, 0.42, 0.27, 0.15, 0.07)
"""Opacity of ordered parts, the best first."""
ENDS = {
    "won_clearly": (theme.STRATEGY_COLOURS[0], 0.62),
    "won_closely": (theme.STRATEGY_COLOURS[0], 0.3),
    "level": (theme.MUTED, 0.25),
    "lost_closely": (theme.STRATEGY_COLOURS[1], 0.3),
    "lost_clearly": (theme.STRATEGY_COLOURS[1], 0.62),
}
"""How a game can end for a seat, by its margin to the best rival -> colour and opacity."""


def places_table(
    places: pd.DataFrame, summary: pd.DataFrame, order: Sequence[str], looking: Looking = ONCE
) -> pd.DataFrame:
    """Return what is drawn: for each strategy, in `order`, the share of its games by place; see `_table`."""
    shares = places.pivot_table(index="strategy", columns="place", values="share", sort=False, aggfunc="sum")
    shares = shares.astype(float).fillna(0.0).sort_index(axis=1)
    return _table(shares.set_axis([f"place_{int(place)}" for place in shares.columns], axis=1), summary, order, looking)


def field_places_table(places: pd.DataFrame, order: Sequence[str]) -> pd.DataFrame:
    """Return what is drawn of a tournament: for each strategy, in `order`, the share of its games by place."""
    rank = {name: i for i, name in enumerate(order)}
    table = places.sort_values("strategy", key=lambda names: names.map(rank), kind="stable", ignore_index=True)
    table = table.assign(part=[f"place_{place}" for place in table["place"]])
    return table.rename(columns={"share_low": "low", "share_high": "high"})[COLUMNS]


def ends_table(
    margins: pd.DataFrame, summary: pd.DataFrame, order: Sequence[str], looking: Looking = ONCE
) -> pd.DataFrame:
    """Return what is drawn: for each strategy, in `order`, the share of its games by how they ended; see `_table`."""
    margin = margins["margin"].astype(int)
    cuts = [margin > CLOSE, margin > 0, margin == 0, margin >= -CLOSE]
    part = np.select(cuts, list(ENDS)[:4], "lost_clearly")
    shares = margins["share"].astype(float).groupby([margins["strategy"], part], sort=False).sum().unstack()
    return _table(shares.reindex(columns=list(ENDS)).fillna(0.0), summary, order, looking)


def _table(shares: pd.DataFrame, summary: pd.DataFrame, order: Sequence[str], looking: Looking) -> pd.DataFrame:
    """Return one row a strategy and part: its share, and that of this part and all before it, with intervals.

    Only counts are kept of these, so that the interval rests on the number of blocks alone: Wilson's, and never too
    narrow, since the games of a block tell at least as much as one game.
    """
    n_blocks = summary.set_index("strategy")["n_blocks"]
    rows = []
    for name in order:
        n, up_to = int(n_blocks[name]), 0.0
        for part, share in shares.loc[name].items():
            up_to = min(1.0, up_to + float(share))
            rows.append(
                (name, part, float(share), *bounds(float(share), n, looking), up_to, *bounds(up_to, n, looking))
            )
    return pd.DataFrame(rows, columns=COLUMNS)


def bounds(share: float, n_blocks: int, looking: Looking = ONCE) -> tuple[float | None, float | None]:
    """Return an interval of a share of games that is never too narrow, whatever goes on within blocks."""
    quantile = looking.quantile(LEVEL, n_blocks - 1) if n_blocks > 1 else math.inf
    return (None, None) if math.isinf(quantile) else wilson(share, n_blocks, quantile)


def part_label(part: str) -> str:
    """Return what a part is called."""
    place = part.removeprefix("place_")
    return say("label.place", n=place) if place != part else say(f"label.{part}", n=CLOSE)


def parts_figure(table: pd.DataFrame, says: Words) -> FramedFigure:
    """Draw one bar a strategy from 0 to 100 %, cut into parts, with the interval of each cut.

    Parameters
    ----------
    table : DataFrame
        As `places_table` or `ends_table` makes it.
    says : Words
        Title, subtitle, caption.
    """
    order, parts = ordered(table, "strategy"), ordered(table, "part")
    ramp = {p: (theme.STRATEGY_COLOURS[0], RAMP[min(i, len(RAMP) - 1)]) for i, p in enumerate(parts)}
    fills = {p: ENDS.get(p, ramp[p]) for p in parts}
    keys = [Key(part_label(p), colour, hatch="", alpha=alpha) for p, (colour, alpha) in fills.items()]
    names, left = label_column(order)
    area = Area(MARGIN + left, page_width() - 2 * MARGIN - left - 12, 2, row_height(names, 26) * len(order))
    sheet = make_sheet(says, [area], AXIS_STEP, keys)
    plot = sheet.plots[0]
    value_axis(plot, 0.0, 1.0, percent_label)
    row_axis(plot, names)
    half, points = row_share(plot, 13, 0.38), plot_size(plot)[0]
    cuts = []
    for part, (colour, alpha) in fills.items():
        boxes = []
        for y, row in enumerate(table[table["part"] == part].itertuples(index=False)):
            start = row.up_to - row.share
            boxes.append([(start, y - half), (row.up_to, y - half), (row.up_to, y + half), (start, y + half)])
            text = percent(row.share, 0)
            room = row.share * points
            if width(text, SMALL_SIZE) + 8 <= room:
                font = theme.regular(SMALL_SIZE)
                plot.text(start + row.share / 2, y, text, ha="center", va="center_baseline", fontproperties=font)
            if part != parts[-1] and not math.isnan(number(row.up_to_low)):
                cuts += _cut(row.up_to_low, row.up_to_high, y + half, row_share(plot, 2.5, 0.1))
        fill = PolyCollection(boxes, facecolors=colour, alpha=alpha, linewidths=0, zorder=2, label=part)
        plot.add_collection(fill, autolim=False)
    edges = [[(x, y - half), (x, y + half)] for y, name in enumerate(order) for x in _edges(table, name)]
    plot.add_collection(LineCollection(edges, colors=theme.PAPER, linewidths=0.8, zorder=3), autolim=False)
    plot.add_collection(LineCollection(cuts, colors=theme.INK, linewidths=1.0, zorder=4), autolim=False)
    return sheet.figure


def _edges(table: pd.DataFrame, name: str) -> list[float]:
    return [float(v) for v in table.loc[table["strategy"] == name, "up_to"]][:-1]


def _cut(low: float, high: float, y: float, cap: float) -> list[list[tuple[float, float]]]:
    return [[(low, y), (high, y)], *([(x, y - cap), (x, y + cap)] for x in (low, high))]
