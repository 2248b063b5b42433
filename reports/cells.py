"""The tables of the page: cells with what is read and what is sorted by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from reports.numbers import (
    UNKNOWN,
    count,
    decimal,
    digits_for,
    half_width,
    p_value,
    percent,
    round_percent,
    share_digits,
    share_range,
    value,
)

MAX_PAIRS = 200
"""With more pairs than this, the page shows neighbours in the ranking; the CSV file has all."""
MAX_FLAG_ROWS = 300
"""With more rows than this, the page shows all strategies together; the CSV file has each."""
BY_CONSTRUCTION = "by construction"


@dataclass(frozen=True)
class Cell:
    """A cell: its text, and the number or text it is sorted by (None: last)."""

    text: str
    key: float | str | None = None


@dataclass(frozen=True)
class Grid:
    """A table of the page.

    Attributes
    ----------
    name : str
        Its id.
    caption : str
        What it shows.
    head : list of (str, bool)
        Titles of the columns, and whether they hold numbers.
    rows : list of list of Cell
        The first cell is the row's head.
    sorted_by : int
        Column by which the rows come sorted, or -1.
    """

    name: str
    caption: str
    head: list[tuple[str, bool]]
    rows: list[list[Cell]]
    sorted_by: int = -1

    @property
    def widths(self) -> tuple[int, int]:
        """Characters that the first two columns have room for before they break a name; 0 for a column of numbers."""
        texts = [[row[i].text for row in self.rows if not self.head[i][1]] for i in (0, 1)]
        return tuple(min(24, max(map(len, column), default=0)) for column in texts)  # type: ignore[return-value]


def _text(text: Any) -> Cell:
    return Cell(str(text), str(text))


def _number(number: Any, digits: int = 1, plus: bool = False) -> Cell:
    return Cell(decimal(number, digits, plus), value(number))


def _share(share: Any, low: Any, high: Any) -> Cell:
    certain = half_width(low, high) == 0
    return Cell(round_percent(share) if certain else percent(share, share_digits(low, high)), value(share))


def _share_ends(low: Any, high: Any) -> Cell:
    half = half_width(low, high)
    return Cell(BY_CONSTRUCTION if half == 0 else share_range(low, high), value(low))


def _mean(mean: Any, low: Any, high: Any, plus: bool = False) -> Cell:
    return Cell(decimal(mean, digits_for(half_width(low, high)), plus), value(mean))


def _ends(low: Any, high: Any, plus: bool = False) -> Cell:
    half = half_width(low, high)
    if half is None:
        return Cell(UNKNOWN)
    digits = digits_for(half)
    return Cell(f"{decimal(low, digits, plus)} to {decimal(high, digits, plus)}", value(low))


def _difference(difference: Any, low: Any, high: Any) -> tuple[Cell, Cell]:
    """Two cells: a difference of shares in percentage points, and its interval."""
    mid, left, right = [None if (found := value(v)) is None else 100 * found for v in (difference, low, high)]
    return _mean(mid, left, right, plus=True), _ends(left, right, plus=True)


def summary_grid(tables: Mapping[str, pd.DataFrame]) -> Grid:
    """Return the main table: one row a strategy, the most successful first."""
    summary = tables["summary"].sort_values("win_share", ascending=False, kind="stable")
    components = tables["components"]
    titles = dict(zip(components["component"], components["title"], strict=True))
    means = {(r["strategy"], r["component"]): r["mean"] for r in components.to_dict("records")}
    copies = bool((summary["copies"] > 1).any())
    head = [("strategy", False), *([("copies", True)] if copies else []), ("win share", True), ("95 % interval", True)]
    head += [("mean score", True), ("95 % interval", True), ("spread (SD)", True), ("mean margin", True)]
    head += [(str(title), True) for title in titles.values()] + [("games", True)]
    rows = []
    for r in summary.to_dict("records"):
        row = [_text(r["strategy"]), *([Cell(count(r["copies"]), value(r["copies"]))] if copies else [])]
        row += [
            _share(r["win_share"], r["win_share_low"], r["win_share_high"]),
            _share_ends(r["win_share_low"], r["win_share_high"]),
            _mean(r["score_mean"], r["score_low"], r["score_high"]),
            _ends(r["score_low"], r["score_high"]),
            _number(r["score_sd"]),
            _mean(r["margin_mean"], r["margin_low"], r["margin_high"], plus=True),
            *(_number(means.get((r["strategy"], c))) for c in titles),
            Cell(count(r["n_games"]), value(r["n_games"])),
        ]
        rows.append(row)
    caption = (
        "One copy of each strategy. Win share and mean score with 95 % intervals; the spread is the standard deviation "
        "of single games; the margin is the distance to the best rival; then the parts of the mean score in points."
    )
    return Grid("summary", caption, head, rows, sorted_by=2 if copies else 1)


def pairs_grid(tables: Mapping[str, pd.DataFrame]) -> Grid | None:
    """Return the table of differences between strategies, or None if there is one strategy only."""
    pairs = tables["pairs"]
    if not len(pairs):
        return None
    order = list(tables["summary"].sort_values("win_share", ascending=False, kind="stable")["strategy"])
    rank = {name: i for i, name in enumerate(order)}
    few = len(pairs) <= MAX_PAIRS
    rows = []
    for r in pairs.to_dict("records"):
        a, b = rank[r["a"]], rank[r["b"]]
        if not few and abs(a - b) != 1:
            continue
        turn = -1 if a > b else 1
        first, second = (r["a"], r["b"]) if turn == 1 else (r["b"], r["a"])
        share = _turned((r["win_share_difference"], r["low"], r["high"]), turn)
        score = _turned((r["score_difference"], r["score_difference_low"], r["score_difference_high"]), turn)
        p = value(r["p_holm"])
        told = "not determined" if p is None else "yes" if bool(r["distinguishable"]) else "no"
        cells = [
            _text(first),
            _text(second),
            *_difference(*share),
            Cell(p_value(r["p_holm"]).removeprefix("p ").removeprefix("= "), p),
        ]
        cells += [
            Cell(told, told),
            _mean(score[0], score[1], score[2], plus=True),
            _ends(score[1], score[2], plus=True),
        ]
        rows.append((min(a, b), max(a, b), cells))
    rows.sort(key=lambda row: row[:2])
    head = [("strategy", False), ("compared with", False), ("win share difference", True), ("95 % interval", True)]
    head += [("p (Holm)", True), ("told apart", False), ("score difference", True), ("95 % interval", True)]
    caption = (
        "First strategy minus second: win share in percentage points, mean score in points. p is adjusted for all "
        f"{count(len(pairs))} pairs together (Holm); “told apart” means p below 0.05."
    )
    if not few:
        caption += " Neighbours in the ranking are shown; the CSV file has every pair."
    return Grid("pairs", caption, head, [cells for _, _, cells in rows])


def _turned(estimate: Sequence[Any], turn: int) -> list[Any]:
    """Return an estimate and its interval, with the sign changed if `turn` is -1."""
    found = [value(v) for v in estimate]
    if turn == 1:
        return found
    middle, low, high = [None if v is None else -v for v in found]
    return [middle, high, low]


def flags_grid(tables: Mapping[str, pd.DataFrame], group: str, noun: str) -> Grid:
    """Return the table of a group of flags: every flag, all strategies together and each strategy."""
    together = tables["flags_all"][tables["flags_all"]["group"] == group]
    each = tables["flags"][tables["flags"]["group"] == group]
    few = len(together) + len(each) <= MAX_FLAG_ROWS
    several = each["strategy"].nunique() > 1
    records = together.to_dict("records") + (each.to_dict("records") if few and several else [])
    rows = []
    for r in records:
        rate = percent(r["rate"], min(2, share_digits(r["rate_low"], r["rate_high"])))
        without = percent(r["win_share_without"], min(2, share_digits(r["with_low"], r["with_high"])))
        row = [
            _text(str(r["title"])),
            _text("all together" if r["strategy"] == "all" else r["strategy"]),
            Cell(count(r["n"]), value(r["n"])),
            Cell(rate, value(r["rate"])),
            _share(r["win_share_with"], r["with_low"], r["with_high"]),
            _share_ends(r["with_low"], r["with_high"]),
            Cell(without, value(r["win_share_without"])),
            *_difference(r["difference"], r["difference_low"], r["difference_high"]),
        ]
        rows.append(row)
    head = [(noun, False), ("strategy", False), ("times had", True), ("share of games", True)]
    head += [("win share with", True), ("95 % interval", True), ("win share without", True)]
    head += [("difference", True), ("95 % interval", True)]
    caption = f"Each {noun}: how often it was had, and the win share with and without it (percentage points)."
    if several and not few:
        caption += " All strategies together; the CSV file has each."
    return Grid(f"all-{group}", caption, head, rows)


def measures_grid(tables: Mapping[str, pd.DataFrame]) -> Grid | None:
    """Return the table of all measures, or None if the game has none."""
    measures = tables["measures"]
    if not len(measures):
        return None
    rows = [
        [
            _text(str(r["title"])),
            _text(r["strategy"]),
            _mean(r["mean"], r["low"], r["high"]),
            _ends(r["low"], r["high"]),
            _number(r["sd"]),
            _text(r["unit"]),
        ]
        for r in measures.to_dict("records")
    ]
    head = [("measure", False), ("strategy", False), ("mean", True), ("95 % interval", True), ("spread (SD)", True)]
    return Grid("measures", "Means per game of one copy.", [*head, ("unit", False)], rows)
