"""The tables of a balance sheet's page.

``rows_of`` gives the rows of one of its tables at a number of players.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from analysis.balance_lights import DEAD
from analysis.case_evidence import SHARE
from reports.cells import Cell, Grid, gap_cell, mean_cell, p_cell, share_cell, text_cell
from reports.lights import WORDS
from reports.numbers import count, decimal, percent, value

Rows = Callable[[str, int], list[dict[str, Any]]]


def lights_grid(rows_of: Rows, players: int) -> Grid:
    """Return the traffic lights at a number of players."""
    head = [("what is checked", False), ("light", False), ("number", True), ("where", False)]
    head += [("green up to", True), ("red beyond", True)]
    rows = []
    for r in rows_of("lights", players):
        dead = r["check"] == "dead"
        limits = [_whole(r[end]) if dead else Cell(percent(r[end], 1), value(r[end])) for end in ("green", "red")]
        number = _whole(r["estimate"]) if dead else share_cell(r["estimate"], r["low"], r["high"])
        rows.append([text_cell(r["title"]), text_cell(WORDS[r["light"]]), number, text_cell(r["what"]), *limits])
    caption = f"With {players} players: each number with its 95 % interval, and the limits it is compared with."
    return Grid(f"lights-{players}", caption, head, rows, marked=False)


def _whole(number: Any) -> Cell:
    return Cell(count(number), value(number))


def seats_grid(rows_of: Rows, players: int) -> Grid:
    """Return the difference that each seat makes, in every field."""
    head = [("seat", True), ("field", False), ("strategy", False), ("difference", True), ("p (Holm)", True)]
    rows = [
        [
            Cell(str(r["seat"]), int(r["seat"])),
            text_cell(r["field"]),
            text_cell(r["strategy"]),
            gap_cell(r["estimate"], r["low"], r["high"]),
            p_cell(r["p_holm"]),
        ]
        for r in rows_of("seats", players)
    ]
    caption = "Win share in a seat less that in the others, in percentage points, with its 95 % interval below."
    return Grid(f"seats-{players}-all", caption, head, rows)


def dealt_grid(rows_of: Rows, players: int) -> Grid | None:
    """Return the difference that what is dealt makes; None where nothing is dealt."""
    found_rows = rows_of("dealt", players)
    if not found_rows:
        return None
    head = [("what is dealt", False), ("strategy", False), ("difference", True), ("p (Holm)", True)]
    rows = [
        [
            text_cell(r["title"]),
            text_cell(r["strategy"]),
            gap_cell(r["estimate"], r["low"], r["high"]),
            p_cell(r["p_holm"]),
        ]
        for r in found_rows
    ]
    caption = (
        "Win share of those who were dealt it less that of the others, in percentage points, with its 95 % interval "
        "below. It is dealt by chance, so this is its effect."
    )
    return Grid(f"dealt-{players}", caption, head, rows)


_NUMBERS = {"association": "association", "ban": "ban", "grant": "grant", "withheld": "withheld, points"}
"""Columns of an item's table that are left out where no item has them, with their titles."""


def items_grid(kind: str, players: int, found_rows: Sequence[Mapping[str, Any]]) -> Grid:
    """Return what the items of a kind are worth."""
    present = {name: title for name, title in _NUMBERS.items() if any(value(r[name]) is not None for r in found_rows)}
    head = [(kind, False), ("taken", True), ("round", True), ("most by", False)]
    head += [(title, True) for title in present.values()]
    rows = []
    for r in found_rows:
        rate = value(r["rate"]) or 0.0
        taken = share_cell(rate, r["rate_low"], r["rate_high"]) if rate >= DEAD else Cell(percent(rate), rate)
        rows.append(
            [
                text_cell(r["title"]),
                taken,
                Cell("" if value(r["round"]) is None else decimal(r["round"], 1), value(r["round"])),
                text_cell(r["by"] or ""),
                *(_optional(r, name, _in_points if name == "withheld" else gap_cell) for name in present),
            ]
        )
    told = ["association"] if "association" in present else []
    told += ["and the effects of a ban and a grant for one copy"] if {"ban", "grant"} & set(present) else []
    caption = (
        f"Share of seats that take it, when, and the strategy that takes it most; then differences of win share in "
        f"percentage points: {', '.join(told)}"
    )
    caption += "; the effect of withholding in points, on the mean score of the table" if "withheld" in present else ""
    return Grid(f"{kind}-{players}-all", f"{caption}. Below each its 95 % interval.", head, rows, marked=False)


_in_points = partial(mean_cell, plus=True)


def _optional(row: Mapping[str, Any], name: str, cell: Any) -> Cell:
    """Return the cell of a number that may be missing; one that is 0 in every block says so."""
    number = value(row[name])
    if number is None:
        return Cell("", None)
    if number == 0 and value(row[f"{name}_low"]) is None:
        return Cell("none", 0.0)
    made: Cell = cell(row[name], row[f"{name}_low"], row[f"{name}_high"])
    return made


def game_grid(rows_of: Rows, players: int) -> Grid:
    """Return the numbers of the game as a whole."""
    head = [("what", False), ("number", True), ("unit", False), ("games", True)]
    rows = [
        [
            text_cell(r["title"]),
            share_cell(r["estimate"], r["low"], r["high"])
            if r["unit"] == SHARE
            else mean_cell(r["estimate"], r["low"], r["high"]),
            text_cell("" if r["unit"] == SHARE else r["unit"]),
            _whole(r["n_games"]),
        ]
        for r in rows_of("game", players)
    ]
    return Grid(f"game-{players}-all", "In mixed fields, with 95 % intervals.", head, rows, marked=False)


def components_grid(rows_of: Rows, players: int) -> Grid:
    """Return what decides games, the largest part first."""
    head = [("part of the score", False), ("winner ahead by", True), ("of the whole lead", True)]
    rows = [
        [
            text_cell(r["title"]),
            mean_cell(r["estimate"], r["low"], r["high"], plus=True),
            Cell(percent(r["share"], 0), value(r["share"])),
        ]
        for r in sorted(rows_of("components", players), key=lambda r: -abs(float(r["estimate"])))
    ]
    caption = (
        "What decides games: by how many points the winner lies above the table's mean in each part of the score, with "
        "its 95 % interval below, and what share of the whole lead that is."
    )
    return Grid(f"components-{players}-all", caption, head, rows, marked=False)
