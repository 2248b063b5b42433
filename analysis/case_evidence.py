"""What the cases of an experiment show: measures of each, and paired differences from the unchanged game.

A *measure* is a function of means over blocks. Most are a mean themselves (a win share, a mean score); a *spread* says
how far apart several shares lie. Cases of one line-up share their luck block by block, so a difference is made from
differences of blocks: Student's t for means and shares. Spreads, and the value at which a measure crosses a target, are
not means; their errors come from leaving out groups of blocks in turn (the grouped jackknife; Kott 2001, "The
delete-a-group jackknife"), the same blocks in both cases.

Spread of shares
    ``sqrt(mean over the shares of ((share - fair)^2 - its squared standard error))``, 0 where that is negative: without
    the subtraction, chance alone would spread equal shares.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pandas as pd

from analysis.intervals import BY_CONSTRUCTION, LEVEL, ONE_BLOCK, SAME, Interval, mean_from, share_from
from analysis.tails import t_quantile, t_tail
from simcore.contract import WIN_UNITS, DataError, TaflError
from simcore.games_file import GAMES_NAME
from simcore.naming import unknown
from simcore.store import RunResult

N_GROUPS = 50
"""Groups of blocks that are left out in turn."""

ROUNDED = 12
"""Decimals of a difference of block values: what is smaller comes from the machine's rounding."""

CLOSE = 5
"""A game that is won by so many points or fewer is close."""

FAIR, BEFORE = "fair", "before"
"""Targets that are no numbers: the fair share, and what the unchanged game has."""

WIN, SCORE, MARGIN = "win_share", "score", "margin"
MEAN_SCORE, WINNING_SCORE, WINNING_MARGIN, CLOSE_GAMES = "mean_score", "winning_score", "winning_margin", "close_games"
STRATEGY_SPREAD, SEAT_SPREAD, SEAT = "strategy_spread", "seat_spread", "seat"
LENGTH = "length"
SHARE, POINTS, DECISIONS = "share", "points", "decisions"


@dataclass(frozen=True)
class Measure:
    """Something that a case has.

    Attributes
    ----------
    name : str
        ``win_share:planner``, ``mean_score``, ``seat_spread``...
    title : str
        What a reader sees.
    unit : {'share', 'points', 'decisions'}
    is_spread : bool
        Made from several shares; see the module.
    """

    name: str
    title: str
    unit: str
    is_spread: bool = False

    @property
    def strategy(self) -> str:
        """The strategy that it is about; empty for one of the whole table."""
        return self.name.partition(":")[2]


def measures_of(names: Sequence[str], n_seats: int) -> list[Measure]:
    """Return the measures of a line-up.

    Parameters
    ----------
    names : sequence of str
        Its strategies, each once.
    n_seats : int
    """
    found = [Measure(f"{WIN}:{name}", f"win share of {name}", SHARE) for name in names]
    found += [Measure(f"{SCORE}:{name}", f"score of {name}", POINTS) for name in names]
    found += [
        Measure(MEAN_SCORE, "mean score of the table", POINTS),
        Measure(WINNING_SCORE, "score of the winner", POINTS),
        Measure(WINNING_MARGIN, "points between first and second", POINTS),
        Measure(CLOSE_GAMES, f"games won by {CLOSE} points or fewer", SHARE),
        Measure(LENGTH, "decisions of a game", DECISIONS),
    ]
    found += [Measure(f"{SEAT}:{seat}", f"win share of seat {seat}", SHARE) for seat in range(1, n_seats + 1)]
    found.append(Measure(SEAT_SPREAD, "spread of the seats' win shares", SHARE, True))
    if len(names) > 1:
        found.append(Measure(STRATEGY_SPREAD, "spread of the strategies' win shares", SHARE, True))
    return found


def find_measure(name: str, known: Sequence[Measure]) -> Measure:
    """Return a measure by name.

    Raises
    ------
    TaflError
        If there is none, with the nearest.
    """
    by_name = {measure.name: measure for measure in known}
    if name not in by_name:
        raise TaflError(f"{unknown('measure', name, by_name)}.")
    return by_name[name]


_READ = ("seat", "strategy", "win", "score", "margin", "n_decisions")


class Evidence:
    """The games of one case, by block.

    Parameters
    ----------
    run : RunResult
        Complete, with the columns `analysis.experiments.KEPT`.

    Attributes
    ----------
    n_blocks, n_games, n_seats : int
    names : tuple of str
    """

    def __init__(self, run: RunResult):
        if not run.complete:
            raise DataError(f"the run '{run.folder}' is not complete: resume it.")
        self.names = run.names
        self.n_seats, self.n_blocks, self.n_games = int(run.n_seats), int(run.n_blocks), int(run.n_games)
        self.per_block = int(run.games_per_block)
        rows = pd.read_parquet(run.folder / GAMES_NAME, columns=list(_READ))
        shape = (self.n_blocks, self.per_block, self.n_seats)
        win, score, margin = (rows[name].to_numpy(np.float64).reshape(shape) for name in ("win", "score", "margin"))
        win /= WIN_UNITS
        ahead = np.maximum(margin.max(axis=2), 0)  # of the winner over the second; 0 where the win is shared
        by_game = {
            MEAN_SCORE: score.mean(axis=2),
            WINNING_SCORE: score.max(axis=2),
            WINNING_MARGIN: ahead,
            CLOSE_GAMES: (ahead <= CLOSE).astype(np.float64),
            LENGTH: rows["n_decisions"].to_numpy(np.float64).reshape(shape)[:, :, 0],
        }
        self._of_block = {name: values.mean(axis=1) for name, values in by_game.items()}
        self._of_block |= {f"{SEAT}:{seat + 1}": win[:, :, seat].mean(axis=1) for seat in range(self.n_seats)}
        categories = list(rows["strategy"].cat.categories)
        codes = rows["strategy"].cat.codes.to_numpy().reshape(shape)
        for name in self.names:
            sits = codes == categories.index(name)
            n = sits.sum(axis=(1, 2))
            for kind, values in ((WIN, win), (SCORE, score)):
                self._of_block[f"{kind}:{name}"] = np.where(sits, values, 0).sum(axis=(1, 2)) / n

    @property
    def fair(self) -> float:
        """The fair share of a seat."""
        return 1 / self.n_seats

    def values(self, measure: Measure) -> np.ndarray:
        """Return what a measure is made of in each block: float64[n_blocks, k], k = 1 unless it is a spread."""
        if measure.name == STRATEGY_SPREAD:
            return self.win_shares(self.names)
        if measure.name == SEAT_SPREAD:
            return np.stack([self._of_block[f"{SEAT}:{seat + 1}"] for seat in range(self.n_seats)], axis=1)
        return self._of_block[measure.name][:, None]

    def win_shares(self, names: Sequence[str]) -> np.ndarray:
        """Return win shares by block: float64[n_blocks, n_names]; nan for whoever does not play."""
        absent = np.full(self.n_blocks, np.nan)
        return np.stack([self._of_block.get(f"{WIN}:{name}", absent) for name in names], axis=1)


@dataclass(frozen=True)
class Difference:
    """A case less the unchanged game.

    Attributes
    ----------
    interval : Interval
    p : float or None
        Two-sided p value of no difference.
    """

    interval: Interval
    p: float | None


def estimate(evidence: Evidence, measure: Measure) -> Interval:
    """Return a measure of a case with its interval."""
    return estimate_together([evidence], measure)


def estimate_together(evidence: Sequence[Evidence], measure: Measure) -> Interval:
    """Return a measure over the blocks of several line-ups of equally many seats, with its interval."""
    names = list(dict.fromkeys(name for one in evidence for name in one.names))
    if measure.name == STRATEGY_SPREAD:
        values = np.concatenate([one.win_shares(names) for one in evidence])
    else:
        values = np.concatenate([one.values(measure) for one in evidence])
    fair = evidence[0].fair
    if measure.is_spread:
        return _spread_interval(values, fair)
    if measure.name.startswith(f"{WIN}:") and len(names) == 1:
        return Interval(fair, 0.0, fair, fair, BY_CONSTRUCTION)
    return share_of(values[:, 0]) if measure.unit == SHARE else mean_of(values[:, 0])


def mean_of(values: np.ndarray) -> Interval:
    """Return the mean of block values with its interval: float64[n_blocks]."""
    mean, square = centred(values)
    return mean_from(mean, square, len(values))


def share_of(values: np.ndarray) -> Interval:
    """Return the share that blocks of equal size have together, with its interval: float64[n_blocks], 0 to 1."""
    n = len(values)
    mean, square = centred(values)
    return share_from(mean, square / n**2, n, n - 1) if n > 1 else Interval(mean, note=ONE_BLOCK)


def centred(values: np.ndarray) -> tuple[float, float]:
    """Return mean and sum of squared deviations; values that are all equal have exactly none."""
    mean = float(values.mean())
    if np.ptp(values) == 0:
        return float(values[0]), 0.0
    return mean, float(((values - mean) ** 2).sum())


def difference(case: Evidence, before: Evidence, measure: Measure) -> Difference:
    """Return how far a measure of a case lies from the unchanged game's, on the same luck.

    Raises
    ------
    TaflError
        If the two have not as many blocks.
    """
    if case.n_blocks != before.n_blocks:
        raise TaflError("two cases of an experiment have not the same number of blocks.")
    one, other = case.values(measure), before.values(measure)
    if measure.is_spread:
        return jackknifed(lambda a, b: _spread(a, case.fair) - _spread(b, before.fair), [one, other])
    return paired(one[:, 0], other[:, 0])


def paired(one: np.ndarray, other: np.ndarray) -> Difference:
    """Return how far one mean lies above another, both of the same blocks: float64[n_blocks] each."""
    gaps = np.round(one - other, ROUNDED)
    interval = mean_of(gaps)
    if interval.se is None or interval.estimate is None:
        return Difference(interval, None)
    return Difference(interval, min(1.0, 2 * t_tail(abs(interval.estimate) / interval.se, len(gaps) - 1)))


def _spread(values: np.ndarray, fair: float) -> float:
    """Spread of shares, from their values by block: float64[n_blocks, k]."""
    return math.sqrt(max(0.0, _squared_spread(values, fair)))


def _squared_spread(values: np.ndarray, fair: float) -> float:
    means, covariance = _means(values)
    return float(((means - fair) ** 2 - np.diag(covariance)).mean())


def _means(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the means of columns that may have gaps (nan), without empty ones, and the covariance of these means."""
    n = len(values)
    known = ~np.isnan(values)
    values, known = values[:, known.any(axis=0)], known[:, known.any(axis=0)]
    means = np.where(known, values, 0.0).sum(axis=0) / known.sum(axis=0)
    errors = np.where(known, values - means, 0.0) / known.sum(axis=0)
    covariance: np.ndarray = errors.T @ errors * (n / max(1, n - 1))
    return means, covariance


def _spread_interval(values: np.ndarray, fair: float) -> Interval:
    """Interval of a spread: that of its square, which may be negative, with the root of its ends.

    Where the shares are nearly equal the square hardly depends on single blocks, and leaving some out shows too little
    of its error: the variance that a sum of squares has even then is added, ``2 tr(S S)`` (S: covariance of means).
    """
    n, k = values.shape
    found = jackknifed(lambda a: _squared_spread(a, fair), [values]).interval
    if found.se is None or found.estimate is None:
        return Interval(None if found.estimate is None else math.sqrt(max(0.0, found.estimate)), note=found.note)
    _, covariance = _means(values)
    squared_error = found.se**2 + 2 * float((covariance**2).sum()) / k**2
    quantile = t_quantile(0.5 + LEVEL / 2, min(N_GROUPS, n) - 1)
    half = quantile * math.sqrt(squared_error)
    middle, low, high = (math.sqrt(max(0.0, found.estimate + d)) for d in (0.0, -half, half))
    return Interval(middle, (high - low) / 2 / quantile, low, high)


def jackknifed(function: Callable[..., float], samples: Sequence[np.ndarray]) -> Difference:
    """Return a function of samples of the same blocks, with the interval of the grouped jackknife."""
    n = len(samples[0])
    whole = function(*samples)
    n_groups = min(N_GROUPS, n)
    if n_groups < 3:  # two groups that are left out in turn leave one block each, which has no variance
        return Difference(Interval(whole, note=ONE_BLOCK), None)
    groups = np.arange(n) % n_groups
    left_out = np.array([function(*(sample[groups != g] for sample in samples)) for g in range(n_groups)])
    variance = (n_groups - 1) / n_groups * float(((left_out - left_out.mean()) ** 2).sum())
    if np.ptp(left_out) < 10**-ROUNDED:
        return Difference(Interval(whole, note=SAME), None)
    se = math.sqrt(variance)
    half = t_quantile(0.5 + LEVEL / 2, n_groups - 1) * se
    return Difference(
        Interval(whole, se, whole - half, whole + half), min(1.0, 2 * t_tail(abs(whole) / se, n_groups - 1))
    )


# --- where a measure crosses a target ---


@dataclass(frozen=True)
class Crossing:
    """The value of a factor at which a measure reaches a target.

    Attributes
    ----------
    interval : Interval
        In the factor's unit; between two values that were tried, on the straight line through both.
    below, above : str
        The two values between which it lies; equal if it lies on one.
    """

    interval: Interval
    below: str
    above: str


def crossings(tried: Sequence[int], evidence: Sequence[Evidence], measure: Measure, target: float) -> list[Crossing]:
    """Return every value at which a measure crosses a target.

    Parameters
    ----------
    tried : sequence of int
        Values of the factor, ascending.
    evidence : sequence of Evidence
        Of each value, on shared luck.
    measure : Measure
    target : float

    Returns
    -------
    list of Crossing
        Ascending; empty if the measure stays on one side.
    """
    samples = [one.values(measure) for one in evidence]
    fair = evidence[0].fair

    def level(values: np.ndarray) -> float:
        return _spread(values, fair) if measure.is_spread else float(values.mean())

    levels = [round(level(values) - target, ROUNDED) for values in samples]
    found = []
    for i, (low, high) in enumerate(pairwise(levels)):
        if low == 0.0 and (i == 0 or levels[i - 1] != 0.0):
            found.append(
                Crossing(Interval(float(tried[i]), note="a value that was tried"), str(tried[i]), str(tried[i]))
            )
        elif low * high < 0:
            first, last = tried[i], tried[i + 1]

            def where(a: np.ndarray, b: np.ndarray, first: int = first, last: int = last) -> float:
                at, to = level(a) - target, level(b) - target
                return first + (last - first) * at / (at - to) if at != to else float(first)

            interval = jackknifed(where, [samples[i], samples[i + 1]]).interval
            found.append(Crossing(interval, str(first), str(last)))
    if levels and levels[-1] == 0.0:
        found.append(
            Crossing(Interval(float(tried[-1]), note="a value that was tried"), str(tried[-1]), str(tried[-1]))
        )
    return found
