"""The tables of a page: cells with what is read, what stands below it in small, and what is sorted by."""

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
    together,
    value,
)

MAX_PAIRS = 200
"""With more pairs than this, the page shows neighbours in the ranking; the CSV file has all."""
MAX_FLAG_ROWS = 300
"""With more rows than this, the page shows all strategies together; the CSV file has each."""
BY_CONSTRUCTION = "by construction"


@dataclass(frozen=True)
class Cell:
    """A cell: its text, the number or text it is sorted by (None: last), and a second line, such as an interval."""

    text: str
    key: float | str | None = None
    under: str = ""


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
    marked : bool
        Whether a strategy's name gets its colour.
    """

    name: str
    caption: str
    head: list[tuple[str, bool]]
    rows: list[list[Cell]]
    sorted_by: int = -1
    marked: bool = True


def text_cell(text: Any) -> Cell:
    """Return a cell of text."""
    return Cell(str(text), str(text))


def _number(number: Any, digits: int = 1, plus: bool = False) -> Cell:
    return Cell(decimal(number, digits, plus), value(number))


def share_cell(share: Any, low: Any, high: Any) -> Cell:
    """Return a share in percent with its interval below it."""
    half = half_width(low, high)
    if half == 0:
        return Cell(round_percent(share), value(share), BY_CONSTRUCTION)
    under = share_range(low, high) if half is not None else _no_interval(share)
    return Cell(percent(share, share_digits(low, high)), value(share), under)


def mean_cell(mean: Any, low: Any, high: Any, plus: bool = False) -> Cell:
    """Return a mean with its interval below it; `plus` writes the sign of what is above 0."""
    half = half_width(low, high)
    digits = digits_for(half)
    if half is None:
        return Cell(decimal(mean, digits, plus), value(mean), _no_interval(mean))
    ends = f"{decimal(low, digits, plus)} to {decimal(high, digits, plus)}"
    return Cell(decimal(mean, digits, plus), value(mean), ends)


def signed_cell(mean: Any, low: Any, high: Any) -> Cell:
    """Return a mean with its sign and its interval below it."""
    return mean_cell(mean, low, high, plus=True)


def gap_cell(difference: Any, low: Any, high: Any) -> Cell:
    """Return a difference of shares in percentage points with its interval below it."""
    middle, left, right = (None if (found := value(v)) is None else 100 * found for v in (difference, low, high))
    return mean_cell(middle, left, right, plus=True)


def p_cell(p: Any) -> Cell:
    """Return a p value."""
    return Cell(p_value(p).removeprefix("p ").removeprefix("= "), value(p))


def told_apart(p: Any, apart: Any) -> Cell:
    """Return whether two are told apart."""
    text = UNKNOWN if value(p) is None else "yes" if bool(apart) else "no"
    return Cell(text, text)


def _no_interval(estimate: Any) -> str:
    return "" if value(estimate) is None else "no interval"


def summary_grid(tables: Mapping[str, pd.DataFrame]) -> Grid:
    """Return the main table: one row a strategy, the most successful first."""
    summary = tables["summary"].sort_values("win_share", ascending=False, kind="stable")
    copies = bool((summary["copies"] > 1).any())
    head = [("strategy", False), ("win share", True), ("score", True), ("margin", True), ("spread (SD)", True)]
    head += [("copies", True)] * copies + [("games", True)]
    rows = [
        [
            text_cell(r["strategy"]),
            share_cell(r["win_share"], r["win_share_low"], r["win_share_high"]),
            mean_cell(r["score_mean"], r["score_low"], r["score_high"]),
            mean_cell(r["margin_mean"], r["margin_low"], r["margin_high"], plus=True),
            _number(r["score_sd"]),
            *([Cell(count(r["copies"]), value(r["copies"]))] if copies else []),
            Cell(count(r["n_games"]), value(r["n_games"])),
        ]
        for r in summary.to_dict("records")
    ]
    caption = (
        "Means for one copy of each strategy, and below each its 95 % interval. Score and margin are in points; the "
        "spread is that of the scores of single games."
    )
    return Grid("summary", caption, head, rows, sorted_by=1)


def parts_grid(tables: Mapping[str, pd.DataFrame]) -> Grid | None:
    """Return the parts of the score, one row each, with a column for each strategy; None if the game has none."""
    components = tables["components"]
    if not len(components):
        return None
    names = list(tables["summary"].sort_values("win_share", ascending=False, kind="stable")["strategy"])
    found = {(r["strategy"], r["component"]): r for r in components.to_dict("records")}
    titles = dict(zip(components["component"], components["title"], strict=True))
    rows = []
    for component, title in titles.items():
        cells = [found.get((name, component), {}) for name in names]
        rows.append([text_cell(title), *(mean_cell(c.get("mean"), c.get("low"), c.get("high")) for c in cells)])
    head = [("part of the score", False), *((str(name), True) for name in names)]
    return Grid("parts", "Mean points per game of one copy, and below each its 95 % interval.", head, rows)


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
        cells = [
            text_cell(first),
            text_cell(second),
            gap_cell(*share),
            p_cell(r["p_holm"]),
            told_apart(r["p_holm"], r["distinguishable"]),
            mean_cell(score[0], score[1], score[2], plus=True),
        ]
        rows.append((min(a, b), max(a, b), cells))
    rows.sort(key=lambda row: row[:2])
    head = [("strategy", False), ("compared with", False), ("difference in win share", True)]
    head += [("p (Holm)", True), ("told apart", False), ("difference in score", True)]
    caption = (
        "First strategy minus second, and below each its 95 % interval: win share in percentage points, score in "
        f"points. The p value is adjusted for {together(len(pairs))} (Holm); “told apart” means that "
        "it is below 0.05."
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
            text_cell(r["title"]),
            text_cell("all together" if r["strategy"] == "all" else r["strategy"]),
            Cell(count(r["n"]), value(r["n"])),
            Cell(rate, value(r["rate"])),
            share_cell(r["win_share_with"], r["with_low"], r["with_high"]),
            Cell(without, value(r["win_share_without"])),
            gap_cell(r["difference"], r["difference_low"], r["difference_high"]),
        ]
        rows.append(row)
    head = [(noun, False), ("strategy", False), ("times had", True), ("share of games", True)]
    head += [("win share with", True), ("win share without", True), ("difference", True)]
    caption = (
        f"Each {noun}: how often it was had, the win share with it and without it, and the difference in percentage "
        "points; below each its 95 % interval."
    )
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
            text_cell(r["title"]),
            text_cell(r["strategy"]),
            mean_cell(r["mean"], r["low"], r["high"]),
            _number(r["sd"]),
            text_cell(r["unit"]),
        ]
        for r in measures.to_dict("records")
    ]
    head = [("measure", False), ("strategy", False), ("mean", True), ("spread (SD)", True), ("unit", False)]
    caption = "Means per game of one copy, and below each its 95 % interval."
    return Grid("measures", caption, head, rows)
