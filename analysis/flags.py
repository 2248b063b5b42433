"""Flags of a run: how often a player had something, and how the win share differs with and without it.

A flag is 0 or 1 for each seat of each game: a hero, a distinction, a starting gem, a seat. With and without are played
in the same blocks, so both shares and their correlation come from second moments over blocks (`analysis.intervals`).
"""

from __future__ import annotations

from typing import Any

from analysis.intervals import (
    BY_CONSTRUCTION,
    LEVEL,
    Interval,
    RatioMoments,
    ratio_difference,
    ratio_interval,
    share_of_blocks,
)
from analysis.paired import holm
from analysis.sequential import looking_at
from simcore.contract import WIN_UNITS

SEAT_GROUP = "seat"
"""Seats are dealt out by the seating: their rate is no estimate."""


def by_entrant(result: Any) -> list[dict[str, Any]]:
    """Return the rows of the table ``flags``: every entrant, every flag."""
    return [row for entrant, name in enumerate(result.names) for row in _rows(result, entrant, name)]


def all_together(result: Any) -> list[dict[str, Any]]:
    """Return the rows of the table ``flags_all``: every flag, all seats of the table together."""
    return _rows(result, len(result.names), "all")


def _rows(result: Any, row: int, name: str) -> list[dict[str, Any]]:
    rows = [_flag(result, row, name, number) for number in range(len(result.layout.flags))]
    for group in dict.fromkeys(entry["group"] for entry in rows):
        members = [entry for entry in rows if entry["group"] == group]
        for entry, p_holm in zip(members, holm([entry["p"] for entry in members]), strict=True):
            entry["p_holm"] = p_holm
    return rows


def _totals(result: Any, row: int) -> tuple[int, int, int, int]:
    """Seat-games a block, wins, sum over blocks of squared wins, and points; the last row is all entrants together."""
    n_blocks, games, sums, layout = int(result.n_blocks), int(result.games_per_block), result.sums, result.layout
    if row < len(result.names):
        total, square = sums["total"][row], sums["block_square"][row]
        per_block = games * int(result.copies[row])
        return per_block, int(total[layout.win]), int(square[layout.win]), int(total[layout.score])
    won = games * WIN_UNITS  # in every block: each game is won once
    points = sum(int(total) for total in sums["total"][:, layout.score])
    return games * int(result.n_seats), won * n_blocks, won * won * n_blocks, points


def _moments(result: Any, row: int, number: int) -> tuple[int, ...]:
    """Sums n, w, score, nn, ww, nw, nt, wt of a flag (see `simcore.sums.SumArrays`)."""
    sums = result.sums
    if row < len(result.names):
        parts = ("n", "win", "score", "nn", "ww", "nw", "nt", "wt")
        return tuple(int(sums[f"flag_{part}"][row, number]) for part in parts)
    n, w, score = (int(sums[f"flag_{part}"][:, number].sum()) for part in ("n", "win", "score"))
    nn, ww, nw = (int(sums[f"table_{part}"][number]) for part in ("nn", "ww", "nw"))
    won = int(result.games_per_block) * WIN_UNITS  # all wins of a block
    return n, w, score, nn, ww, nw, n * won, w * won


def _flag(result: Any, row: int, name: str, number: int) -> dict[str, Any]:
    column, n_blocks = result.layout.flags[number], int(result.n_blocks)
    per_block, won, won_square, points = _totals(result, row)
    n, w, score, nn, ww, nw, nt, wt = _moments(result, row, number)
    n_all = n_blocks * per_block
    inside = RatioMoments(n_blocks, w, n, ww, nw, nn)
    outside = RatioMoments(
        n_blocks,
        won - w,
        n_all - n,
        won_square - 2 * wt + ww,
        per_block * (won - w) - nt + nw,
        per_block**2 * n_blocks - 2 * per_block * n + nn,
    )
    single, looking = per_block == 1, looking_at(result)
    share = ratio_interval(inside, single, LEVEL, looking)
    cross = cross_error(inside, outside, per_block, nt, wt)
    difference, p_value = ratio_difference(inside, outside, cross, single, LEVEL, looking)
    rate = share_of_blocks(n, nn, n_blocks, per_block, 1, LEVEL, looking)
    if column.group == SEAT_GROUP and nn * n_blocks == n * n:
        rate = Interval(rate.estimate, 0.0, rate.estimate, rate.estimate, BY_CONSTRUCTION)
    return {
        "strategy": name,
        "group": column.group,
        "flag": column.name,
        "title": column.title,
        "n": n,
        "rate": rate.estimate,
        "rate_low": rate.low,
        "rate_high": rate.high,
        "win_share_with": share.estimate,
        "with_low": share.low,
        "with_high": share.high,
        "win_share_without": outside.ratio if outside.n else None,
        "difference": difference.estimate,
        "difference_low": difference.low,
        "difference_high": difference.high,
        "p": p_value,
        "score_with": score / n if n else None,
        "score_without": (points - score) / (n_all - n) if n_all > n else None,
        "note": difference.note,
    }


def cross_error(inside: RatioMoments, outside: RatioMoments, per_block: int, nt: int, wt: int) -> float:
    """Return the sum over blocks of the product of both shares' linearised deviations.

    Parameters
    ----------
    inside, outside : RatioMoments
        With and without the flag; together ``per_block`` seat-games in every block.
    nt, wt : int
        Sums over blocks of n * t and w * t, where t is all wins of the block and n, w those with the flag.
    """
    if inside.n == 0 or outside.n == 0:
        return 0.0
    n_n0 = per_block * inside.n - inside.nn
    n_w0 = nt - inside.nw
    w_n0 = per_block * inside.w - inside.nw
    w_w0 = wt - inside.ww
    (w, n), (w0, n0) = (inside.w, inside.n), (outside.w, outside.n)
    # sum of (w_b - w/n n_b)(w0_b - w0/n0 n0_b), over the common denominator n * n0
    product = w_w0 * n * n0 - w_n0 * n * w0 - n_w0 * w * n0 + n_n0 * w * w0
    return product / (inside.unit * outside.unit * n**2 * n0**2)
