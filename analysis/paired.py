"""Differences between the entrants of one line-up, paired within blocks.

Both entrants of a pair played the same blocks: the difference is taken inside each block, so the luck that they share
cancels. A difference of win shares lies between -1 and 1; half of one plus it lies between 0 and 1 and is treated as a
share (`analysis.intervals.share_from`), which keeps interval and p value right also when one side wins nearly all.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from analysis.intervals import (
    LEVEL,
    ONCE,
    ONE_BLOCK,
    Interval,
    Looking,
    centred,
    effective_n,
    mean_from,
    share_from,
)
from analysis.sequential import looking_at
from analysis.tails import normal_quantile
from simcore.contract import WIN_UNITS

POWER = 0.8
"""How probable it should be that the blocks named by `blocks_to_settle` settle a difference of the size seen."""

MAX_BLOCKS = 10**12
"""More than that is not worth naming."""


@dataclass(frozen=True, slots=True)
class Pair:
    """The difference between two entrants of a line-up.

    Attributes
    ----------
    a, b : str
        Entrants; differences are a minus b, per copy and game.
    win_share, score : Interval
        Difference of win shares (-1 to 1) and of mean scores (points).
    p : float or None
        Two-sided p value of "equal win shares".
    p_holm : float or None
        The same, adjusted for all pairs of the line-up (Holm 1979).
    distinguishable : bool
        ``p_holm < 1 - level``.
    blocks_to_settle : int or None
        About how many blocks in all would tell them apart, with probability 0.8, if the difference is as large as seen.
        None if they are told apart already, if no difference was seen, or beyond `MAX_BLOCKS`.
    """

    a: str
    b: str
    win_share: Interval
    score: Interval
    p: float | None
    p_holm: float | None
    distinguishable: bool
    blocks_to_settle: int | None


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Return p values adjusted by Holm's step-down method; None stays None and does not count."""
    known = sorted((p, i) for i, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    largest = 0.0
    for rank, (p, i) in enumerate(known):
        largest = max(largest, min(1.0, p * (len(known) - rank)))
        adjusted[i] = largest
    return adjusted


def share_difference(
    difference: float, centred_square: float, n_blocks: int, level: float = LEVEL, looking: Looking = ONCE
) -> tuple[Interval, float | None, float]:
    """Return the interval of a difference of two win shares paired within blocks, its p value and its effective n.

    Parameters
    ----------
    difference : float
        Mean over blocks, -1 to 1.
    centred_square : float
        Sum over blocks of the squared deviations of the block's difference.
    n_blocks : int
    looking : Looking

    Returns
    -------
    Interval
    float or None
        Two-sided p value; below 1 - level exactly where the interval leaves 0 out: both are the same score test.
    float
        Independent games that would be as sure.
    """
    if n_blocks < 2:
        return Interval(difference, note=ONE_BLOCK), None, 1.0
    share = min(1.0, max(0.0, (1 + difference) / 2))
    squared_error = max(0.0, centred_square) / 4 / n_blocks**2
    half = share_from(share, squared_error, n_blocks, n_blocks - 1, level, looking)
    n = effective_n(share, squared_error, n_blocks)
    p_value = looking.p_value(difference * math.sqrt(n), n_blocks - 1)
    se = None if half.se is None else 2 * half.se
    if half.low is None or half.high is None:
        return Interval(difference, se, note=half.note), p_value, n
    return Interval(difference, se, 2 * half.low - 1, 2 * half.high - 1), p_value, n


def blocks_to_settle(
    difference: float,
    n_effective: float,
    n_blocks: int,
    n_pairs: int,
    level: float = LEVEL,
    looking: Looking = ONCE,
) -> int | None:
    """Return about how many blocks tell a true difference of this size apart with probability `POWER`.

    Parameters
    ----------
    difference : float
        As estimated.
    n_effective : float
        Independent games that would be as sure as these blocks (see `share_difference`).
    n_blocks : int
        Blocks played, which were not enough.
    n_pairs : int
        Pairs of the line-up: the strictest step of Holm's method divides the error rate by it.
    looking : Looking
    """
    if difference == 0:
        return None
    needed = looking.settling(1 - (1 - level) / n_pairs) + normal_quantile(POWER)
    blocks = n_blocks * (needed / difference) ** 2 / n_effective
    return max(n_blocks + 1, math.ceil(blocks)) if blocks <= MAX_BLOCKS else None


def pairs(result: Any, level: float = LEVEL) -> list[Pair]:
    """Return every pair of entrants of a run (`simcore.store.RunResult`), in the order of the line-up."""
    sums, n_blocks, looking = result.sums, int(result.n_blocks), looking_at(result)
    score = result.layout.score
    rows = []
    for a, b in combinations(range(len(result.names)), 2):
        per_block = [int(result.games_per_block * result.copies[e]) for e in (a, b)]
        points = _difference(sums, "score_cross", score, (a, b), per_block, n_blocks)
        interval, p_value, n = share_difference(*mean_difference(result, a, b), n_blocks, level, looking)
        rows.append((a, b, interval, mean_from(*points, n_blocks, level, looking), p_value, n))
    adjusted = holm([row[4] for row in rows])
    found = []
    for (a, b, interval, points_interval, p_value, n), p_holm in zip(rows, adjusted, strict=True):
        apart = p_holm is not None and p_holm < 1 - level
        more = None
        if not apart and p_value is not None and interval.estimate is not None:
            more = blocks_to_settle(interval.estimate, n, n_blocks, len(rows), level, looking)
        found.append(Pair(result.names[a], result.names[b], interval, points_interval, p_value, p_holm, apart, more))
    return found


def mean_difference(result: Any, a: int, b: int) -> tuple[float, float]:
    """Return by how much an entrant's win share is above another's, and the sum of squared deviations over blocks.

    Parameters
    ----------
    result : simcore.store.RunResult
    a, b : int
        Entrants, by number.
    """
    per_block = [int(result.games_per_block * result.copies[e]) for e in (a, b)]
    won = _difference(result.sums, "win_cross", result.layout.win, (a, b), per_block, int(result.n_blocks))
    return won[0] / WIN_UNITS, won[1] / WIN_UNITS**2


def _difference(
    sums: Any, cross: str, measure: int, pair: tuple[int, int], per_block: list[int], n_blocks: int
) -> tuple[float, float]:
    """Mean difference per seat-game of two entrants, and the sum over blocks of its squared deviations."""
    (a, b), (ka, kb) = pair, per_block
    ta, tb = int(sums["total"][a, measure]), int(sums["total"][b, measure])
    aa, bb = int(sums["block_square"][a, measure]), int(sums["block_square"][b, measure])
    ab = int(sums[cross][a, b])
    # block values over a common denominator ka * kb, so that everything stays an exact integer until the last division
    total = ta * kb - tb * ka
    square = aa * kb * kb - 2 * ab * ka * kb + bb * ka * ka
    common = ka * kb
    return total / (common * n_blocks), centred(total, total, square, n_blocks) / common**2
