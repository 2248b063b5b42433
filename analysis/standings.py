"""Numbers over several line-ups: each line-up counts alike, whatever it played.

Line-ups are independent of each other and are fixed, not drawn: a number over them is the mean of its values in each,
and its variance is the sum of theirs over the squared number of line-ups. Within a line-up everything comes from block
values, as in a single run (`analysis.intervals`); degrees of freedom are Satterthwaite's (1946). Shares are turned into
an effective number of games and get Wilson's interval, as there. A number says nothing about line-ups that were not
played.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from analysis.intervals import LEVEL, ONE_BLOCK, SAME, Interval, centred, effective_n, t_quantile, t_tail, wilson
from analysis.paired import holm
from simcore.contract import WIN_UNITS

NEVER_MET = "not determined: never in one line-up"


@dataclass(frozen=True, slots=True)
class Part:
    """A value in one line-up.

    Attributes
    ----------
    mean : float
        Per game.
    centred_square : float
        Sum over blocks of the squared deviations of the block's mean.
    n_blocks : int
    """

    mean: float
    centred_square: float
    n_blocks: int


@dataclass(frozen=True, slots=True)
class Combined:
    """The mean of a value over line-ups, and what its interval is made of.

    Attributes
    ----------
    mean : float
    variance : float
        Of the mean.
    equal_blocks : float
        Blocks of one line-up that would be as sure if they varied alike.
    df : float
        Degrees of freedom; 0 if a line-up has a single block, so that the variance is not known.
    """

    mean: float
    variance: float
    equal_blocks: float
    df: float

    @property
    def whole_df(self) -> float:
        """Degrees of freedom rounded down, which errs on the wide side; at least 1."""
        return float(max(1, math.floor(self.df + 1e-9)))


def combine(parts: Sequence[Part]) -> Combined:
    """Return the mean over line-ups of equal weight; there is at least one."""
    n = len(parts)
    mean = math.fsum(part.mean for part in parts) / n
    blocks = n * n / math.fsum(1 / part.n_blocks for part in parts)
    if any(part.n_blocks < 2 for part in parts):
        return Combined(mean, 0.0, blocks, 0.0)
    variances = [part.centred_square / (part.n_blocks - 1) / part.n_blocks / n**2 for part in parts]
    variance = math.fsum(variances)
    squares = math.fsum(v * v / (part.n_blocks - 1) for v, part in zip(variances, parts, strict=True))
    most = float(sum(part.n_blocks - 1 for part in parts))
    return Combined(mean, variance, blocks, variance**2 / squares if squares > 0 else most)


def share_interval(parts: Sequence[Part], level: float = LEVEL) -> Interval:
    """Return the interval of a share, 0 to 1, over line-ups."""
    if not parts:
        return Interval(None, note=NEVER_MET)
    found = combine(parts)
    share = min(1.0, max(0.0, found.mean))
    if not found.df:
        return Interval(share, note=ONE_BLOCK)
    se, low, high, _ = _share(share, found, level)
    return Interval(share, se, low, high)


def _share(share: float, found: Combined, level: float) -> tuple[float, float, float, float]:
    """Return standard error, low and high of a share, and the independent games that would be as sure."""
    n = effective_n(share, found.variance * (found.equal_blocks - 1) / found.equal_blocks, found.equal_blocks)
    quantile = t_quantile(0.5 + level / 2, found.whole_df)
    low, high = wilson(share, n, quantile)
    return math.sqrt(found.variance) if found.variance > 0 else (high - low) / 2 / quantile, low, high, n


def mean_interval(parts: Sequence[Part], level: float = LEVEL) -> Interval:
    """Return the interval of a mean (points, ratings...) over line-ups."""
    if not parts:
        return Interval(None, note=NEVER_MET)
    found = combine(parts)
    if not found.df:
        return Interval(found.mean, note=ONE_BLOCK)
    if found.variance <= 0:
        return Interval(found.mean, note=SAME)
    se = math.sqrt(found.variance)
    half = t_quantile(0.5 + level / 2, found.whole_df) * se
    return Interval(found.mean, se, found.mean - half, found.mean + half)


def difference_interval(parts: Sequence[Part], level: float = LEVEL) -> tuple[Interval, float | None]:
    """Return the interval of a difference of win shares, -1 to 1, over line-ups, and the p value of none.

    As `analysis.paired.share_difference`: half of one plus the difference is treated as a share, and interval and p
    value are the same score test.
    """
    if not parts:
        return Interval(None, note=NEVER_MET), None
    found = combine(parts)
    if not found.df:
        return Interval(found.mean, note=ONE_BLOCK), None
    halved = Combined((1 + found.mean) / 2, found.variance / 4, found.equal_blocks, found.df)
    share = min(1.0, max(0.0, halved.mean))
    se, low, high, n = _share(share, halved, level)
    p_value = min(1.0, 2 * t_tail(abs(found.mean) * math.sqrt(n), found.whole_df))
    return Interval(found.mean, 2 * se, 2 * low - 1, 2 * high - 1), p_value


# --- parts of a run ---


def _entrant(result: Any, name: str) -> tuple[int, int]:
    """Return an entrant's number and its seat-games in a block."""
    entrant = result.names.index(name)
    return entrant, int(result.games_per_block) * int(result.copies[entrant])


def measure_part(result: Any, name: str, measure: str) -> Part:
    """Return a measure of a strategy in a run: ``win`` as a share, others in their unit."""
    entrant, per_block = _entrant(result, name)
    number, n_blocks = result.layout.measure_number(measure), int(result.n_blocks)
    total, square = (int(result.sums[sums][entrant, number]) for sums in ("total", "block_square"))
    unit = per_block * (WIN_UNITS if measure == "win" else 1)
    return Part(total / n_blocks / unit, max(0.0, centred(total, total, square, n_blocks)) / unit**2, n_blocks)


def difference_part(result: Any, a: str, b: str) -> Part:
    """Return the difference of two strategies' win shares in a run, a minus b, paired within blocks."""
    (one, k), (two, j) = _entrant(result, a), _entrant(result, b)
    sums, win, n_blocks = result.sums, result.layout.win, int(result.n_blocks)
    total = int(sums["total"][one, win]) * j - int(sums["total"][two, win]) * k
    square = int(sums["block_square"][one, win]) * j * j + int(sums["block_square"][two, win]) * k * k
    square -= 2 * int(sums["win_cross"][one, two]) * j * k
    unit = WIN_UNITS * k * j
    return Part(total / n_blocks / unit, max(0.0, centred(total, total, square, n_blocks)) / unit**2, n_blocks)


@dataclass(frozen=True)
class Meeting:
    """Two strategies in the line-ups that seat both.

    Attributes
    ----------
    a, b : str
    n_lineups, n_games, n_blocks : int
    difference : Interval
        Of win shares, a minus b.
    p, p_holm : float or None
        Two-sided p value of equal win shares; adjusted for all pairs of the tournament (Holm).
    winner : str
        The one that wins more beyond doubt, at the 5 % level for all pairs together; empty if neither does.
    """

    a: str
    b: str
    n_lineups: int
    n_games: int
    n_blocks: int
    difference: Interval
    p: float | None
    p_holm: float | None
    winner: str


def meetings(results: Sequence[Any], names: Sequence[str], level: float = LEVEL) -> list[Meeting]:
    """Return every pair of strategies, in the order of `names`; `results` are the runs of the line-ups."""
    rows = []
    for a, b in combinations(names, 2):
        both = [result for result in results if a in result.names and b in result.names]
        interval, p = difference_interval([difference_part(result, a, b) for result in both], level)
        rows.append((a, b, both, interval, p))
    found = []
    for (a, b, both, interval, p), p_holm in zip(rows, holm([row[4] for row in rows]), strict=True):
        clear = p_holm is not None and p_holm < 1 - level
        winner = (a if (interval.estimate or 0.0) > 0 else b) if clear else ""
        n_games, n_blocks = (sum(int(getattr(result, what)) for result in both) for what in ("n_games", "n_blocks"))
        found.append(Meeting(a, b, len(both), n_games, n_blocks, interval, p, p_holm, winner))
    return found
