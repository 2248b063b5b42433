"""Means over the games that a strategy won and over those it lost, with intervals from blocks.

Blocks hold different numbers of won games, so such a mean is a ratio of block sums, and its standard error that of the
linearised ratio (Cochran 1977, *Sampling Techniques*, 6.3): the block is the unit of evidence here as elsewhere.
"""

from __future__ import annotations

from typing import Any

from analysis.intervals import LEVEL, RatioMoments, ratio_mean_interval
from analysis.sequential import looking_at
from simcore.contract import WIN_UNITS


def by_outcome(result: Any, entrant: int, number: int, name: str = "mean") -> dict[str, float | None]:
    """Return the means of a measure over won and over lost games, with standard errors and intervals.

    A game counts by its win share, and by what that lacks to a whole win.

    Parameters
    ----------
    result : simcore.store.RunResult
    entrant, number : int
        The strategy, and the measure's number in the layout.
    name : str
        Begins the columns: ``mean_won, mean_won_se, mean_won_low, mean_won_high, mean_lost...``
    """
    found: dict[str, float | None] = {}
    for end, moments in zip(("won", "lost"), moments_of(result, entrant, number), strict=True):
        mean = ratio_mean_interval(moments, LEVEL, looking_at(result))
        ends = {"": mean.estimate, "_se": mean.se, "_low": mean.low, "_high": mean.high}
        found |= {f"{name}_{end}{which}": number for which, number in ends.items()}
    return found


def moments_of(result: Any, entrant: int, number: int) -> tuple[RatioMoments, RatioMoments]:
    """Return the moments of a measure's means over won and over lost games.

    In a block, `v` is the sum of the values, `a` that of value times win, `w` that of the wins, in sixtieths. The mean
    over won games is the ratio of `a` and `w`; over lost games it is that of ``60 v - a`` and ``60 n - w``, where every
    block has `n` seat-games.
    """
    n_blocks, sums, win = int(result.n_blocks), result.sums, result.layout.win
    names = ("total", "block_square", "total_won", "won_value", "won_win", "value_win")
    v, vv, a, va, aw, vw = (int(sums[name][entrant, number]) for name in names)
    aa = sums.won_square(entrant, number)
    w, ww = (int(sums[name][entrant, win]) for name in ("total", "block_square"))
    whole = WIN_UNITS * int(result.games_per_block) * int(result.copies[entrant])
    left = WIN_UNITS * v - a
    won = RatioMoments(n_blocks, a, w, aa, aw, ww, unit=1)
    lost = RatioMoments(
        n_blocks,
        left,
        n_blocks * whole - w,
        WIN_UNITS**2 * vv - 2 * WIN_UNITS * va + aa,
        whole * left - WIN_UNITS * vw + aw,
        n_blocks * whole**2 - 2 * whole * w + ww,
        unit=1,
    )
    return won, lost
