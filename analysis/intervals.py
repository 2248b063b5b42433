"""Intervals from exact sums over blocks: means, shares, ratios and differences of shares.

A block is one luck played in every seating, so games of one block depend on each other and blocks do not. Everything
here works on *block values*: what one entrant collected in a block over all its games and seats. The sums are exact
integers (`simcore.sums`); variances are centred in exact integers too, so nothing is lost by subtracting large numbers.

How the intervals are made (95 % unless said otherwise):

means (score, margin, measures)
    Mean of block values with Student's t quantile by blocks.
shares (win share, how often a flag is set, win share with a flag)
    A ratio of block sums ``sum w / sum n``. Its variance is linearised (Taylor; Cochran, *Sampling Techniques*, 3rd
    ed., section 6.4) and turned into the number of independent games that would be as sure, the *effective n*; Wilson's
    score interval is taken with that n and the t quantile (Korn and Graubard 1998 do the same with Clopper-Pearson), so
    it stays inside [0, 1] and keeps its coverage near both ends. A variance that is estimated from a handful of unusual
    blocks is too small more often than too large; as in Agresti and Coull's "plus four" rule, four blocks of the
    largest possible variance are mixed in: the interval is a few percent wider at a thousand blocks, and some tenths of
    a percent at ten thousand. The effective n is never less than the number of blocks (Kish's number of equal blocks
    where they weigh differently): values between 0 and 1 vary no more than that. Where a block holds a single seat-game
    this is the plain Wilson interval. The standard error shown is the plain one.
differences of shares with and without a flag
    MOVER with the correlation of the two (Zou and Donner 2008): recovers the delta method when both are symmetric and
    stays inside [-1, 1] when they are not.

What cannot be determined is None, never nan, and `Interval.note` says why.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

from analysis.tails import normal_quantile, t_quantile, t_tail
from simcore.contract import WIN_UNITS

LEVEL = 0.95
PSEUDO_BLOCKS = 4
"""Blocks of the largest possible variance mixed into the variance of a share."""

ONE_BLOCK = "not determined: one block"
TOO_FEW = "not determined: fewer than two blocks with it"
TOO_EARLY = "not determined: too few blocks for a look"
NEVER = "not determined: never happened"
ALWAYS = "not determined: never without it"
SAME = "the same in every block"
BY_CONSTRUCTION = "by construction"


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate and how sure it is.

    Attributes
    ----------
    estimate : float or None
        In the unit of what was measured; shares between 0 and 1. None: nothing was observed.
    se : float or None
        Standard error of `estimate`. None: cannot be determined. 0 only where the value holds by construction.
    low, high : float or None
        Ends of the interval.
    note : str
        Empty, or why something is missing or certain.
    """

    estimate: float | None
    se: float | None = None
    low: float | None = None
    high: float | None = None
    note: str = ""

    def turned(self) -> Interval:
        """Return the interval of the opposite: of b minus a, if this is of a minus b."""
        low, estimate, high = (None if end is None else -end for end in (self.high, self.estimate, self.low))
        return Interval(estimate, self.se, low, high, self.note)


@dataclass(frozen=True, slots=True)
class RatioMoments:
    """First and second moments, over blocks, of a numerator w and a denominator n.

    Attributes
    ----------
    n_blocks : int
    w, n : int
        Sums over blocks. `w` counts in units of which `unit` make one: 0 <= w <= unit * n in every block.
    ww, nw, nn : int
        Sums over blocks of w * w, n * w, n * n.
    unit : int
        60 for won games (`simcore.contract.WIN_UNITS`), 1 for plain counts.
    """

    n_blocks: int
    w: int
    n: int
    ww: int
    nw: int
    nn: int
    unit: int = WIN_UNITS

    @property
    def ratio(self) -> float:
        """The share w / (unit * n); `n` must not be 0."""
        return self.w / (self.unit * self.n)

    @property
    def equal_blocks(self) -> float:
        """Kish's number of equally heavy blocks that would be worth as much; at most `n_blocks`."""
        return self.n * self.n / self.nn

    def squared_error(self) -> float:
        """Sum over blocks of (w / unit - ratio * n)^2, divided by n^2."""
        return (self.ww * self.n**2 - 2 * self.w * self.n * self.nw + self.w**2 * self.nn) / (self.unit**2 * self.n**4)


# --- how the evidence is looked at ---


class Looking(Protocol):
    """What turns a standard error into an interval and a p value: it depends on how often one looks.

    `ONCE` is for a number of blocks that was fixed beforehand; `analysis.sequential.Anytime` for a number that may have
    depended on what was seen.
    """

    def quantile(self, level: float, df: float) -> float:
        """Return how many standard errors an interval reaches to either side; infinity where there is none yet."""

    def p_value(self, t: float, df: float) -> float:
        """Return the two-sided p value of a statistic; below ``1 - level`` exactly where `t` is beyond `quantile`."""

    def settling(self, level: float) -> float:
        """Return `quantile` at a large number of blocks, where it is smallest."""


class Once:
    """One look, at a number of blocks that was fixed beforehand: Student's t."""

    def quantile(self, level: float, df: float) -> float:
        """Return the two-sided t quantile; degrees of freedom are rounded down, which errs on the wide side."""
        return t_quantile(0.5 + level / 2, df if math.isinf(df) else float(max(1, math.floor(df + 1e-9))))

    def p_value(self, t: float, df: float) -> float:
        """Return the two-sided p value of Student's t."""
        return min(1.0, 2 * t_tail(abs(t), df))

    def settling(self, level: float) -> float:
        """Return the two-sided normal quantile."""
        return normal_quantile(0.5 + level / 2)


ONCE = Once()


# --- intervals ---


def wilson(share: float, n: float, quantile: float) -> tuple[float, float]:
    """Return Wilson's score interval.

    Parameters
    ----------
    share : float
        Observed proportion, 0 to 1.
    n : float
        Independent trials, or their effective number.
    quantile : float
        Two-sided normal or t quantile.
    """
    square = quantile * quantile
    middle = (share + square / (2 * n)) / (1 + square / n)
    half = quantile * math.sqrt(share * (1 - share) / n + square / (4 * n * n)) / (1 + square / n)
    low = 0.0 if share <= 0 else max(0.0, middle - half)
    high = 1.0 if share >= 1 else min(1.0, middle + half)
    return low, high


def effective_n(share: float, squared_error: float, equal_blocks: float) -> float:
    """Return how many independent games would be as sure as these blocks.

    Parameters
    ----------
    share : float
        The estimated share.
    squared_error : float
        Sum over blocks of the squared linearised deviations of the share.
    equal_blocks : float
        Kish's number of equal blocks, at least 1.
    """
    largest = share * (1 - share)
    if largest <= 0:
        return equal_blocks
    variance = equal_blocks * squared_error + PSEUDO_BLOCKS * largest / equal_blocks
    return max(equal_blocks, largest * (equal_blocks + PSEUDO_BLOCKS - 1) / variance)


def share_from(
    share: float, squared_error: float, equal_blocks: float, df: float, level: float = LEVEL, looking: Looking = ONCE
) -> Interval:
    """Return the interval of a share: Wilson with its effective n; see the module for the method.

    The standard error is that of the blocks; where they did not vary at all, it is what the interval's width implies.
    """
    n = effective_n(share, squared_error, equal_blocks)
    quantile = looking.quantile(level, df)
    variance = squared_error * equal_blocks / (equal_blocks - 1)
    se = math.sqrt(variance) if variance > 0 else None
    if math.isinf(quantile):
        return Interval(share, se, note=TOO_EARLY)
    low, high = wilson(share, n, quantile)
    return Interval(share, (high - low) / 2 / quantile if se is None else se, low, high)


def ratio_interval(
    moments: RatioMoments, single: bool = False, level: float = LEVEL, looking: Looking = ONCE
) -> Interval:
    """Return the interval of the share ``w / n`` of block sums.

    Parameters
    ----------
    moments : RatioMoments
    single : bool
        Every block holds one seat-game only, so that trials are independent and the normal quantile holds.
    level : float
    looking : Looking
    """
    if moments.n == 0:
        return Interval(None, note=NEVER)
    share = min(1.0, max(0.0, moments.ratio))
    if moments.equal_blocks < 2:
        return Interval(share, note=ONE_BLOCK if moments.n_blocks == 1 else TOO_FEW)
    df = math.inf if single else moments.equal_blocks - 1
    return share_from(share, max(0.0, moments.squared_error()), moments.equal_blocks, df, level, looking)


def share_of_blocks(
    total: int,
    block_square: int,
    n_blocks: int,
    per_block: int,
    unit: int = WIN_UNITS,
    level: float = LEVEL,
    looking: Looking = ONCE,
) -> Interval:
    """Return the interval of a share per seat-game where every block holds the same number of them.

    Parameters
    ----------
    total : int
        Sum over blocks of the block value, in units of which `unit` make one.
    block_square : int
        Sum over blocks of the squared block value.
    n_blocks, per_block : int
        Blocks, and seat-games in each (games times copies).
    """
    moments = RatioMoments(
        n_blocks, total, per_block * n_blocks, block_square, per_block * total, per_block**2 * n_blocks, unit
    )
    return ratio_interval(moments, per_block == 1, level, looking)


def centred(total_x: int, total_y: int, cross: int, n_blocks: int) -> float:
    """Return the sum over blocks of (x - mean x)(y - mean y), centred in exact integers."""
    return (n_blocks * cross - total_x * total_y) / n_blocks


def mean_from(
    mean: float, centred_square: float, n_blocks: int, level: float = LEVEL, looking: Looking = ONCE
) -> Interval:
    """Return the interval of a mean of block values whose squared deviations sum to `centred_square`."""
    if n_blocks < 2:
        return Interval(mean, note=ONE_BLOCK)
    if centred_square <= 0:
        return Interval(mean, note=SAME)
    se = math.sqrt(centred_square / (n_blocks - 1) / n_blocks)
    half = looking.quantile(level, n_blocks - 1) * se
    if math.isinf(half):
        return Interval(mean, se, note=TOO_EARLY)
    return Interval(mean, se, mean - half, mean + half)


def mean_interval(
    total: int, block_square: int, n_blocks: int, per_block: int, level: float = LEVEL, looking: Looking = ONCE
) -> Interval:
    """Return the interval of a mean per seat-game.

    Parameters
    ----------
    total, block_square : int
        Sums over blocks of the block value and of its square.
    n_blocks, per_block : int
        Blocks, and seat-games in each (games times copies).
    """
    mean = total / (n_blocks * per_block)
    return mean_from(mean, centred(total, total, block_square, n_blocks) / per_block**2, n_blocks, level, looking)


def ratio_mean_interval(moments: RatioMoments, level: float = LEVEL, looking: Looking = ONCE) -> Interval:
    """Return the interval of a mean per game over games of which blocks hold different numbers, such as those won.

    The mean is a ratio of block sums, and its standard error that of the linearised ratio. Student's t with as many
    degrees of freedom as there would be equally heavy blocks, less one (Kish).

    Parameters
    ----------
    moments : RatioMoments
        `w` : sums of the values, of either sign; `n` : sums of the weights, at least 0.
    level : float
    looking : Looking
    """
    if moments.n == 0:
        return Interval(None, note=NEVER)
    mean, equal_blocks = moments.ratio, moments.equal_blocks
    if equal_blocks < 2:
        return Interval(mean, note=ONE_BLOCK if moments.n_blocks == 1 else TOO_FEW)
    squared_error = moments.squared_error()
    if squared_error <= 0:
        return Interval(mean, note=SAME)
    se = math.sqrt(squared_error * equal_blocks / (equal_blocks - 1))
    half = looking.quantile(level, equal_blocks - 1) * se
    if math.isinf(half):
        return Interval(mean, se, note=TOO_EARLY)
    return Interval(mean, se, mean - half, mean + half)


def spread(total: int, square: int, n: int) -> float | None:
    """Return the standard deviation of single seat-games (not an error), or None for fewer than two."""
    if n < 2:
        return None
    return math.sqrt(max(0, n * square - total * total) / (n * (n - 1)))


def ratio_difference(
    inside: RatioMoments,
    outside: RatioMoments,
    cross_error: float,
    single: bool = False,
    level: float = LEVEL,
    looking: Looking = ONCE,
) -> tuple[Interval, float | None]:
    """Return the difference of two shares of the same blocks, and its p value.

    Parameters
    ----------
    inside, outside : RatioMoments
        The share with the flag and the share without it.
    cross_error : float
        Sum over blocks of the product of both shares' linearised deviations.
    single : bool
        One seat-game a block.

    Returns
    -------
    Interval, float or None
        Inside minus outside; two-sided p value of "no difference", which agrees with the interval: p < 1 - level
        exactly where the interval leaves 0 out.
    """
    if inside.n == 0 or outside.n == 0:
        return Interval(None, note=NEVER if inside.n == 0 else ALWAYS), None
    one, other = (ratio_interval(moments, single, level, looking) for moments in (inside, outside))
    difference = inside.ratio - outside.ratio
    if one.low is None or other.low is None or one.high is None or other.high is None:
        return Interval(difference, note=one.note or other.note), None
    p1, p0 = inside.ratio, outside.ratio
    k1, k0 = inside.equal_blocks, outside.equal_blocks
    scale = (inside.squared_error() + PSEUDO_BLOCKS * p1 * (1 - p1) / k1**2) * (
        outside.squared_error() + PSEUDO_BLOCKS * p0 * (1 - p0) / k0**2
    )
    correlation = max(-1.0, min(1.0, cross_error / math.sqrt(scale))) if scale > 0 else 0.0
    down = _mover(p1 - one.low, other.high - p0, correlation)
    up = _mover(one.high - p1, p0 - other.low, correlation)
    z = looking.quantile(level, math.inf)
    towards_zero = down if difference > 0 else up
    p_value = 1.0 if difference == 0 else looking.p_value(z * difference / towards_zero, math.inf)
    interval = Interval(difference, (down + up) / 2 / z, max(-1.0, difference - down), min(1.0, difference + up))
    return interval, p_value


def _mover(left: float, right: float, correlation: float) -> float:
    """Distance from a difference to one end of its interval, from the distances of its two parts."""
    return math.sqrt(max(0.0, left * left + right * right - 2 * correlation * left * right))
