"""The tables of a tournament's page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd

from reports.cells import (
    MAX_PAIRS,
    Cell,
    Grid,
    gap_cell,
    mean_cell,
    p_cell,
    share_cell,
    signed_cell,
    text_cell,
)
from reports.numbers import UNKNOWN, count, decimal, half_width, percent, together, value

Tables = Mapping[str, pd.DataFrame]

MAX_CROSS = 400
"""With more cells than this, the page shows the chart only; the CSV file has all numbers."""


def grids_of(tables: Tables) -> dict[str, Grid]:
    """Return the page's tables by id; those without rows are left out."""
    found = [_strategies(tables), _places(tables), _cross(tables), _pairs(tables), _dominance(tables), _mix(tables)]
    return {grid.name: grid for grid in found if grid.rows}


def _count(number: Any, under: str = "") -> Cell:
    return Cell(count(number), value(number), under)


def _estimate(row: Mapping[str, Any], name: str, cell: Callable[[Any, Any, Any], Cell] = mean_cell) -> Cell:
    """A number with its interval below it."""
    return cell(row[name], row[f"{name}_low"], row[f"{name}_high"])


def _resampled(share: Any, low: Any, high: Any) -> Cell:
    """A share with the range that it has in most resampled tournaments below it."""
    if half_width(low, high) == 0:
        return Cell(percent(share), value(share), "in all alike")
    return share_cell(share, low, high)


def _strategies(tables: Tables) -> Grid:
    head = [("strategy", False), ("rating", True), ("first", True)]
    head += [("win share", True), ("score", True), ("margin", True), ("beats", True), ("games", True)]
    rows = [
        [
            text_cell(r["strategy"]),
            _estimate(r, "rating"),
            Cell(percent(r["first_share"]), value(r["first_share"])),
            _estimate(r, "win_share", share_cell),
            _estimate(r, "score"),
            _estimate(r, "margin", signed_cell),
            _count(r["n_beats"], f"beaten by {count(r['n_beaten_by'])}"),
            _count(r["n_games"], f"{count(r['n_lineups'])} line-up{'s' if r['n_lineups'] != 1 else ''}"),
        ]
        for r in tables["strategies"].to_dict("records")
    ]
    caption = (
        "One copy of each strategy, and below each number its 95 % interval; each line-up counts alike. Rating: "
        "log-strength, mean 0. First: share of resampled tournaments in which it has the highest rating. Score and "
        "margin are means in points. "
        "Beats, beaten by: strategies, beyond doubt."
    )
    return Grid("strategies", caption, head, rows, sorted_by=1)


def _places(tables: Tables) -> Grid:
    places = tables["places"]
    numbers = sorted(set(places["place"]))
    by_name: dict[str, list[Cell]] = {}
    for r in places.to_dict("records"):
        by_name.setdefault(str(r["strategy"]), []).append(_estimate(r, "share", share_cell))
    rows = [[text_cell(name), *by_name[name]] for name in tables["strategies"]["strategy"]]
    caption = (
        "Share of the games of one copy by place, and below it its 95 % interval; players who tie share the better "
        "place."
    )
    return Grid("places", caption, [("strategy", False), *((f"place {n}", True) for n in numbers)], rows)


def _cross(tables: Tables) -> Grid:
    records = tables["cross"].to_dict("records") if len(tables["cross"]) <= MAX_CROSS else []
    rows = [
        [
            text_cell(r["a"]),
            text_cell(r["b"]),
            _estimate(r, "win_share", share_cell),
            *(_count(r[name]) for name in ("n_lineups", "n_games")),
        ]
        for r in records
    ]
    head = [("strategy", False), ("with", False), ("win share", True)]
    caption = (
        "Win share of one copy of the first strategy in the line-ups that seat the second too, and below it its 95 % "
        "interval."
    )
    return Grid("cross", caption, [*head, ("line-ups", True), ("games", True)], rows)


def _pairs(tables: Tables) -> Grid:
    rows = []
    few = len(tables["pairs"]) <= MAX_PAIRS
    rank = {name: i for i, name in enumerate(tables["strategies"]["strategy"])}
    for r in tables["pairs"].to_dict("records"):
        if not few and abs(rank[r["a"]] - rank[r["b"]]) != 1:
            continue
        winner = UNKNOWN if value(r["p_holm"]) is None else r["winner"] or "neither"
        rows.append(
            [
                text_cell(r["a"]),
                text_cell(r["b"]),
                _estimate(r, "difference", gap_cell),
                p_cell(r["p_holm"]),
                text_cell(winner),
                _count(r["n_games"]),
            ]
        )
    head = [("strategy", False), ("compared with", False), ("win share difference", True)]
    head += [("p (Holm)", True), ("wins more", False), ("games", True)]
    caption = (
        "First strategy minus second in the line-ups with both, per copy, in percentage points, and below "
        f"it its 95 % interval. p is adjusted for {together(len(tables['pairs']))} (Holm); one wins more beyond doubt "
        "where p is below 0.05."
    )
    if not few:
        caption += " Neighbours in the ratings are shown; the CSV file has every pair."
    return Grid("pairs", caption, head, rows)


def _dominance(tables: Tables) -> Grid:
    rows = [
        [
            text_cell(r["dominated"]),
            text_cell(r["by"]),
            text_cell(r["kind"]),
            Cell(decimal(100 * r["smallest_difference"]), value(r["smallest_difference"])),
            p_cell(r["p_holm"]),
            text_cell("yes" if r["beyond_doubt"] else "no"),
        ]
        for r in tables["dominance"].to_dict("records")
    ]
    head = [("dominated", False), ("by", False), ("in the estimates", False), ("smallest difference", True)]
    caption = (
        "Worse against all rivals (strict), or never better and somewhere worse (weak). The smallest difference of win "
        "shares in percentage points; p of “not strictly dominated”, adjusted for all ordered pairs (Holm)."
    )
    return Grid("dominance", caption, [*head, ("p (Holm)", True), ("beyond doubt", False)], rows)


def _mix(tables: Tables) -> Grid:
    rows = []
    for r in tables["mix"].to_dict("records"):
        rows.append(
            [
                text_cell(r["strategy"]),
                _estimate(r, "weight", _resampled),
                Cell(percent(r["in_mix_share"]), value(r["in_mix_share"])),
                _estimate(r, "alpha_rank", _resampled),
                Cell(percent(r["against_mix"], 2), value(r["against_mix"])),
            ]
        )
    head = [("strategy", False), ("in the mix", True), ("in how many mixes", True), ("alpha-rank", True)]
    head += [("win share against the mix", True)]
    caption = (
        "Weight in the mix and in the long run of alpha-rank, and below each the 2.5th to 97.5th percentile of "
        "resampled tournaments; in how many of them a strategy is in the mix."
    )
    return Grid("mix", caption, head, rows, sorted_by=1)
