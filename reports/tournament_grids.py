"""The tables of a tournament's page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from reports.cells import MAX_PAIRS, Cell, Grid
from reports.numbers import (
    UNKNOWN,
    count,
    decimal,
    digits_for,
    half_width,
    p_value,
    percent,
    share_digits,
    share_range,
    together,
    value,
)

Tables = Mapping[str, pd.DataFrame]

MAX_CROSS = 400
"""With more cells than this, the page shows the chart only; the CSV file has all numbers."""


def grids_of(tables: Tables) -> dict[str, Grid]:
    """Return the page's tables by id; those without rows are left out."""
    found = [_strategies(tables), _places(tables), _cross(tables), _pairs(tables), _dominance(tables), _mix(tables)]
    return {grid.name: grid for grid in found if grid.rows}


def _text(text: Any) -> Cell:
    return Cell(str(text), str(text))


def _count(number: Any) -> Cell:
    return Cell(count(number), value(number))


def _share(row: Mapping[str, Any], name: str) -> tuple[Cell, Cell]:
    """Two cells: a share and its interval."""
    low, high = row[f"{name}_low"], row[f"{name}_high"]
    share = Cell(percent(row[name], share_digits(low, high)), value(row[name]))
    return share, Cell(share_range(low, high), value(low))


def _mean(row: Mapping[str, Any], name: str, scale: float = 1.0, least: int = 1) -> tuple[Cell, Cell]:
    """Two cells: a mean and its interval."""
    found = [None if (v := value(row[f"{name}{end}"])) is None else scale * v for end in ("", "_low", "_high")]
    half = half_width(found[1], found[2])
    digits = digits_for(half, least)
    ends = UNKNOWN if half is None else f"{decimal(found[1], digits)} to {decimal(found[2], digits)}"
    return Cell(decimal(found[0], digits), found[0]), Cell(ends, found[1])


def _strategies(tables: Tables) -> Grid:
    head = [("strategy", False), ("rating", True), ("95 % interval", True), ("beats an average one", True)]
    head += [("first", True), ("win share", True), ("95 % interval", True), ("mean score", True), ("mean margin", True)]
    head += [("beats", True), ("beaten by", True), ("line-ups", True), ("games", True)]
    rows = [
        [
            _text(r["strategy"]),
            *_mean(r, "rating", least=2),
            _share(r, "chance")[0],
            Cell(percent(r["first_share"]), value(r["first_share"])),
            *_share(r, "win_share"),
            _mean(r, "score")[0],
            _mean(r, "margin")[0],
            *(_count(r[name]) for name in ("n_beats", "n_beaten_by", "n_lineups", "n_games")),
        ]
        for r in tables["strategies"].to_dict("records")
    ]
    caption = (
        "One copy of each strategy; each line-up counts alike. Rating: log-strength, mean 0. Beats an average one: "
        "chance by the model to be ahead of a rival of rating 0. First: share of resampled tournaments in which it "
        "has the highest rating. Beats, beaten by: strategies, beyond doubt."
    )
    return Grid("strategies", caption, head, rows, sorted_by=1)


def _places(tables: Tables) -> Grid:
    places = tables["places"]
    numbers = sorted(set(places["place"]))
    by_name: dict[str, list[Cell]] = {}
    for r in places.to_dict("records"):
        cell = _share(r, "share")[0]
        by_name.setdefault(str(r["strategy"]), []).append(cell)
    rows = [[_text(name), *by_name[name]] for name in tables["strategies"]["strategy"]]
    caption = "Share of the games of one copy by place; players who tie share the better place. Intervals: places.csv."
    return Grid("places", caption, [("strategy", False), *((f"place {n}", True) for n in numbers)], rows)


def _cross(tables: Tables) -> Grid:
    records = tables["cross"].to_dict("records") if len(tables["cross"]) <= MAX_CROSS else []
    rows = [
        [_text(r["a"]), _text(r["b"]), *_share(r, "win_share"), _count(r["n_lineups"]), _count(r["n_games"])]
        for r in records
    ]
    head = [("strategy", False), ("with", False), ("win share", True), ("95 % interval", True)]
    caption = "Win share of one copy of the first strategy in the line-ups that seat the second too."
    return Grid("cross", caption, [*head, ("line-ups", True), ("games", True)], rows)


def _pairs(tables: Tables) -> Grid:
    rows = []
    few = len(tables["pairs"]) <= MAX_PAIRS
    rank = {name: i for i, name in enumerate(tables["strategies"]["strategy"])}
    for r in tables["pairs"].to_dict("records"):
        if not few and abs(rank[r["a"]] - rank[r["b"]]) != 1:
            continue
        p = value(r["p_holm"])
        winner = UNKNOWN if p is None else r["winner"] or "neither"
        rows.append(
            [
                _text(r["a"]),
                _text(r["b"]),
                *_mean(r, "difference", 100),
                Cell(p_value(r["p_holm"]).removeprefix("p ").removeprefix("= "), p),
                _text(winner),
                _count(r["n_games"]),
            ]
        )
    head = [("strategy", False), ("compared with", False), ("win share difference", True), ("95 % interval", True)]
    head += [("p (Holm)", True), ("wins more", False), ("games", True)]
    caption = (
        "First strategy minus second in the line-ups with both, per copy, in percentage points. p is adjusted for "
        f"{together(len(tables['pairs']))} (Holm); one wins more beyond doubt where p is below 0.05."
    )
    if not few:
        caption += " Neighbours in the ratings are shown; the CSV file has every pair."
    return Grid("pairs", caption, head, rows)


def _dominance(tables: Tables) -> Grid:
    rows = [
        [
            _text(r["dominated"]),
            _text(r["by"]),
            _text(r["kind"]),
            Cell(decimal(100 * r["smallest_difference"]), value(r["smallest_difference"])),
            Cell(p_value(r["p_holm"]).removeprefix("p ").removeprefix("= "), value(r["p_holm"])),
            _text("yes" if r["beyond_doubt"] else "no"),
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
        row = [_text(r["strategy"])]
        for name in ("weight", "alpha_rank"):
            low, high = (None if (v := value(r[f"{name}_{end}"])) is None else 100 * v for end in ("low", "high"))
            ends = UNKNOWN if low is None else f"{decimal(low)} to {decimal(high)}"
            row += [Cell(percent(r[name]), value(r[name])), Cell(ends, low)]
            if name == "weight":
                row.append(Cell(percent(r["in_mix_share"]), value(r["in_mix_share"])))
        rows.append([*row, Cell(percent(r["against_mix"], 2), value(r["against_mix"]))])
    head = [("strategy", False), ("in the mix", True), ("resampled", True), ("in how many mixes", True)]
    head += [("alpha-rank", True), ("resampled", True), ("win share against the mix", True)]
    caption = (
        "Weight in the mix and in the long run of alpha-rank; 2.5th to 97.5th percentile of resampled tournaments, and "
        "the share of them in which a strategy is in the mix."
    )
    return Grid("mix", caption, head, rows, sorted_by=1)
