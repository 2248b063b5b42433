"""The games of a balance sheet's mixed fields at one number of players, put together by block.

Every number comes from sums over blocks: shares as ratios of block sums (`analysis.intervals`), means as means of
blocks, what is neither by leaving out groups of blocks in turn (`analysis.case_evidence.jackknifed`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
import pandas as pd

from analysis.case_evidence import Difference, jackknifed
from analysis.intervals import LEVEL, Interval, RatioMoments, ratio_difference, ratio_interval
from analysis.tails import normal_quantile
from simcore.contract import WIN_UNITS, Column
from simcore.games_file import GAMES_NAME
from simcore.store import RunResult
from simcore.takings import Takings


@dataclass(frozen=True)
class Association:
    """Win share with something, less that without it.

    Attributes
    ----------
    difference : Interval
    p : float or None
    rate : Interval
        How often a seat has it.
    n : int
        Seat-games with it.
    """

    difference: Interval
    p: float | None
    rate: Interval
    n: int


def associate(had: np.ndarray, win: np.ndarray, block: np.ndarray) -> Association:
    """Return how the win share differs with and without something.

    Parameters
    ----------
    had : bool[n_games, n_seats]
    win : int64[n_games, n_seats]
        In sixtieths.
    block : int64[n_games]
    """
    n_blocks = int(block.max()) + 1
    inside, outside = (_block_sums(mask, win, block, n_blocks) for mask in (had, ~had))
    one, other = (_moments(*sums) for sums in (inside, outside))
    everyone = np.bincount(block, np.full(len(block), had.shape[1]), n_blocks)
    rate = ratio_interval(_moments(inside[1], everyone, unit=1))
    if not one.n or not other.n:
        return Association(ratio_difference(one, other, 0.0)[0], None, rate, one.n)
    cross = _errors(inside, one) @ _errors(outside, other)
    difference, p = ratio_difference(one, other, float(cross))
    return Association(difference, p, rate, one.n)


def _block_sums(mask: np.ndarray, win: np.ndarray, block: np.ndarray, n_blocks: int) -> tuple[np.ndarray, np.ndarray]:
    won = np.bincount(block, np.where(mask, win, 0).sum(axis=1), n_blocks)
    return won, np.bincount(block, mask.sum(axis=1), n_blocks)


def _moments(w: np.ndarray, n: np.ndarray, unit: int = WIN_UNITS) -> RatioMoments:
    a, b = w.astype(np.int64), n.astype(np.int64)
    return RatioMoments(len(a), int(a.sum()), int(b.sum()), int(a @ a), int(a @ b), int(b @ b), unit)


def _errors(sums: tuple[np.ndarray, np.ndarray], moments: RatioMoments) -> np.ndarray:
    """Linearised deviations of a share by block."""
    w, n = sums
    errors: np.ndarray = (w / moments.unit - moments.ratio * n) / moments.n
    return errors


class Field:
    """Games in which all strategies play, of one number of players.

    Parameters
    ----------
    results : sequence of RunResult
        Complete, with all columns of the per-game rows.

    Attributes
    ----------
    names : list of str
    n_games, n_blocks, n_seats : int
    block : int64[n_games]
    win, score : int64[n_games, n_seats]
        Wins in sixtieths; points.
    entrant : int64[n_games, n_seats]
        Number of the strategy in `names`.
    """

    def __init__(self, results: Sequence[RunResult]):
        self.names = list(dict.fromkeys(name for result in results for name in result.names))
        self.columns = results[0].columns
        self.n_seats = int(results[0].n_seats)
        parts: list[pd.DataFrame] = []
        blocks, first = [], 0
        for result in results:
            rows = pd.read_parquet(result.folder / GAMES_NAME)
            parts.append(rows)
            blocks.append(first + rows["block"].to_numpy(np.int64)[:: self.n_seats])
            first += int(result.n_blocks)
        self.block = np.concatenate(blocks)
        self.n_blocks, self.n_games = first, len(self.block)
        self._parts = parts
        number = {name: i for i, name in enumerate(self.names)}
        codes = [part["strategy"].map(number).to_numpy(np.int64) for part in parts]
        self.entrant = np.concatenate(codes).reshape(-1, self.n_seats)
        self.win, self.score = self.values("win"), self.values("score")

    def values(self, name: str) -> np.ndarray:
        """Return a column: int64[n_games, n_seats]."""
        found = np.concatenate([part[name].to_numpy() for part in self._parts])
        return found.reshape(-1, self.n_seats).astype(np.int64)

    def of_kind(self, kind: str) -> list[Column]:
        """Return the columns of a kind."""
        return [column for column in self.columns if column.kind == kind]

    def associate(self, flag: str) -> Association:
        """Return how the win share differs with and without a flag."""
        return associate(self.values(flag) == 1, self.win, self.block)

    @cached_property
    def dealt(self) -> list[Column]:
        """Flags that are dealt out: whoever sits there, a seat has them in all games of a block or in none.

        So every strategy has them exactly as often, and the difference they make is their effect. One strategy alone
        cannot show that: a line-up of several must.
        """
        first = np.searchsorted(self.block, self.block)  # of each game, the first game of its block
        found = []
        for column in self.of_kind("flag"):
            had = self.values(column.name)
            n_had = had.sum(axis=1)
            is_dealt = (had == had[first]).all() and (n_had == n_had[0]).all() and 0 < n_had[0] < self.n_seats
            if column.group != "seat" and is_dealt:
                found.append(column)
        return found

    def seat_share(self, seat: int, entrant: int | None = None) -> Association:
        """Return how the win share in a seat differs from that in the others; of one strategy, or of all."""
        sits = np.zeros_like(self.win, bool)
        sits[:, seat] = True
        if entrant is None:
            return associate(sits, self.win, self.block)
        mine = self.entrant == entrant
        mask = mine.any(axis=1)
        had = (sits & mine)[mask]
        win, others = self.win[mask], mine[mask]
        n_blocks = self.n_blocks
        inside = _block_sums(had, win, self.block[mask], n_blocks)
        outside = _block_sums(others & ~had, win, self.block[mask], n_blocks)
        one, other = _moments(*inside), _moments(*outside)
        rate = ratio_interval(_moments(inside[1], inside[1] + outside[1], unit=1))
        difference, p = ratio_difference(one, other, float(_errors(inside, one) @ _errors(outside, other)))
        return Association(difference, p, rate, one.n)

    def share(self, entrant: int) -> Interval:
        """Return a strategy's win share, per copy."""
        mine = self.entrant == entrant
        return ratio_interval(_moments(*_block_sums(mine, self.win, self.block, self.n_blocks)))

    def by_block(self, of_game: np.ndarray) -> np.ndarray:
        """Return means of blocks of a number of each game: float64[n_blocks]."""
        size = np.bincount(self.block, minlength=self.n_blocks)
        means: np.ndarray = np.bincount(self.block, of_game, self.n_blocks) / size
        return means

    def winners_lead(self, component: str) -> np.ndarray:
        """Return, by block, how far the winner's part of the score lies above the table's mean: float64[n_blocks]."""
        values = self.values(component)
        weight = self.win / WIN_UNITS
        lead = (weight * values).sum(axis=1) - values.mean(axis=1)
        return self.by_block(lead)

    def variance_shares(self) -> dict[str, Difference]:
        """Return what share of the variance of single scores comes from the strategy, from the deal, and from the rest.

        The *deal* is what all strategies of a block have in common: the covariance of different strategies' scores in
        the same block. The rest is what luck and rivals do to one seat. A strategy weighs as often as it sits there.
        """
        shape = (len(self.names), self.n_blocks)
        seated, total = np.zeros(shape), np.zeros(shape)
        for entrant in range(len(self.names)):
            mine = self.entrant == entrant
            seated[entrant] = np.bincount(self.block, mine.sum(axis=1), self.n_blocks)
            total[entrant] = np.bincount(self.block, np.where(mine, self.score, 0).sum(axis=1), self.n_blocks)
        square = np.bincount(self.block, (self.score**2).sum(axis=1), self.n_blocks)
        sums = [seated.T, total.T, square]
        return {part: jackknifed(partial(_variance_share, part), sums) for part in VARIANCE_PARTS}


VARIANCE_PARTS = ("strategy", "deal", "rest")


def _variance_share(part: str, seated: np.ndarray, total: np.ndarray, square: np.ndarray) -> float:
    """Return a share of the variance of single scores, from block sums.

    Parameters
    ----------
    part : {'strategy', 'deal', 'rest'}
    seated, total : float64[n_blocks, n_strategies]
        Seat-games of each strategy, and the sum of their scores; a block need not have every strategy.
    square : float64[n_blocks]
        Sum of all squared scores.
    """
    present = seated.any(axis=0)
    seated, total = seated[:, present], total[:, present]
    n, weight = len(square), seated.sum(axis=0) / seated.sum()
    whole = square.sum() / seated.sum() - (total.sum() / seated.sum()) ** 2
    if whole <= 0 or n < 3:
        return 0.0
    plays = seated > 0
    mean = total.sum(axis=0) / seated.sum(axis=0)
    off = np.where(plays, total / np.maximum(seated, 1) - mean, 0.0)  # of a block from the strategy's mean
    met, products = plays.T.astype(float) @ plays, off.T @ off
    pairs = met.sum() - np.trace(met)
    deal = (products.sum() - np.trace(products)) / pairs * n / (n - 1) if pairs else 0.0
    error = off / plays.sum(axis=0)
    error -= (error @ weight)[:, None]  # what a block does to a strategy's distance from the common mean
    between = mean - mean @ weight
    strategy = float(weight @ between**2 - (error**2 @ weight).sum())
    shares = {"strategy": max(0.0, strategy) / whole, "deal": max(0.0, deal) / whole}
    shares["rest"] = max(0.0, 1 - shares["strategy"] - shares["deal"])
    return float(shares[part])


def over_lineups(found: Sequence[Interval]) -> Interval:
    """Return the mean of a number over line-ups, which are independent and count alike."""
    if len(found) == 1:
        return found[0]
    known = [each.estimate for each in found if each.estimate is not None]
    if len(known) < len(found):
        return Interval(None, note=next(each.note for each in found if each.estimate is None))
    mean = math.fsum(known) / len(known)
    errors = [each.se for each in found if each.se is not None]
    if len(errors) < len(found):
        return Interval(mean, note=next(each.note for each in found if each.se is None))
    se = math.hypot(*errors) / len(errors)
    half = normal_quantile(0.5 + LEVEL / 2) * se
    return Interval(mean, se, mean - half, mean + half)


def inside(found: Interval) -> Interval:
    """Return the interval of a share, kept between 0 and 1."""
    if found.low is None or found.high is None:
        return found
    return Interval(found.estimate, found.se, max(0.0, found.low), min(1.0, found.high), found.note)


def together(samples: Sequence[Takings]) -> Takings:
    """Return samples put together, as if of one run; their strategies are numbered anew by the caller."""
    blocks, first = [], 0
    for one in samples:
        blocks.append(one.block + first)
        first += int(one.block.max()) + 1
    names = ("n_taken", "first_round", "win", "entrant")
    joined: dict[str, Any] = {name: np.concatenate([getattr(one, name) for one in samples]) for name in names}
    return Takings(**joined, block=np.concatenate(blocks))
