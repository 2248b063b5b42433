"""Ratings of strategies from the places of all games: the Plackett-Luce model with ties, fitted at once.

The model is Davidson-Luce (Firth, Kosmidis and Turner 2019, arXiv:1909.07123). A game is a sequence of choices: who is
first among all seats, who is next among the rest, and so on. Among the seats A the set T of t seats is chosen with a
probability proportional to ``delta[t] * prod(strength of T) ** (1 / t)``, where ``delta[1] = 1``; the other deltas say
how common ties are. Sizes of ties that never happened are left out. Copies of a strategy are seats of equal strength.

The log-likelihood is concave in the log-strengths and log-deltas and is maximised by Newton's method. A weak prior
keeps everything finite also where a strategy won or lost every game: each log-strength, and each log-delta, has half a
win and half a loss against zero, as much as one more game. It decides nothing else: beside thousands of games it moves
a rating by less than a hundredth of its interval.

Ratings are log-strengths with mean 0: one more point is e (2.7) times the odds. Their intervals come from a sandwich
estimator whose unit is the block, centred within line-ups (the line-ups are fixed, not drawn), so they hold although
games of one block depend on each other, and although the model is only a summary of the games. Where the order of some
strategies never once went the other way, the strength between them has no finite estimate without the prior, and blocks
that never varied cannot say how sure it is; the variance implied by the likelihood is then added, each block counted as
a single game, and `Ratings.separated` says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from analysis.intervals import LEVEL, t_quantile
from analysis.places import LineupPlaces

MAX_STEPS = 200
PRIOR = 0.5
"""Wins, and losses, against zero that every log-strength and log-delta is given."""


@dataclass(frozen=True)
class Ratings:
    """Fitted log-strengths.

    Attributes
    ----------
    rating, se, low, high : float64[n_strategies]
        Mean 0. `se`, `low` and `high` are nan where a line-up has a single block: see `known`.
    chance, chance_low, chance_high : float64[n_strategies]
        Chance to be ahead of a rival of rating 0 in a game of two, a tie counting half; its ends go with the rating's.
    covariance : float64[n_strategies, n_strategies]
    tie_sizes : tuple of int
    log_delta : float64[n_tie_sizes]
    separated : bool
        Some strategies never lost to, nor tied with, some others.
    known : bool
        Whether the intervals could be determined.
    """

    rating: np.ndarray
    se: np.ndarray
    low: np.ndarray
    high: np.ndarray
    chance: np.ndarray
    chance_low: np.ndarray
    chance_high: np.ndarray
    covariance: np.ndarray
    tie_sizes: tuple[int, ...]
    log_delta: np.ndarray
    separated: bool
    known: bool


@lru_cache(maxsize=4096)
def stages(places: tuple[int, ...]) -> tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]:
    """Return the choices that lead to these places: (those who are left, those who are chosen), by number."""
    found = []
    left = tuple(range(len(places)))
    for place in sorted(set(places)):
        chosen = tuple(i for i in left if places[i] == place)
        if len(left) > 1:
            found.append((left, chosen))
        left = tuple(i for i in left if i not in chosen)
    return tuple(found)


@lru_cache(maxsize=64)
def _subsets(size: int, tie_sizes: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Return what can be chosen among `size`: membership divided by the number chosen, and that number."""
    masks = (np.arange(1, 1 << size)[:, None] >> np.arange(size)) & 1
    n = masks.sum(axis=1)
    kept = (n == 1) | np.isin(n, tie_sizes)
    return masks[kept] / n[kept, None], n[kept]


class Model:
    """The likelihood of the places of some line-ups.

    Parameters
    ----------
    lineups : sequence of LineupPlaces
    n_strategies : int

    Attributes
    ----------
    n : int
        Strategies.
    tie_sizes : tuple of int
        Sizes of ties that happened.
    dim : int
        Parameters: log-strengths, then log-deltas.
    """

    def __init__(self, lineups: Sequence[LineupPlaces], n_strategies: int):
        self.n = n_strategies
        tied = {len(chosen) for one in lineups for row in one.places for _, chosen in stages(tuple(row.tolist()))}
        self.tie_sizes = tuple(sorted(tied - {1}))
        self.dim = n_strategies + len(self.tie_sizes)
        self._number: dict[tuple[int, ...], int] = {}
        self._by_size: dict[int, list[tuple[int, ...]]] = {}
        self.visits = [self._visit(one) for one in lineups]
        self.items = {size: np.array(rows) for size, rows in sorted(self._by_size.items())}

    def _visit(self, one: LineupPlaces) -> tuple[np.ndarray, dict[int, np.ndarray]]:
        """Return features float64[n_patterns, dim], and (pattern, choice) pairs by the size of the choice."""
        features = np.zeros((len(one.places), self.dim))
        pairs: dict[int, list[tuple[int, int]]] = {}
        for pattern, row in enumerate(one.places):
            for left, chosen in stages(tuple(row.tolist())):
                key = tuple(int(one.items[i]) for i in left)
                group = self._by_size.setdefault(len(key), [])
                if key not in self._number:
                    self._number[key] = len(group)
                    group.append(key)
                pairs.setdefault(len(key), []).append((pattern, self._number[key]))
                for i in chosen:
                    features[pattern, one.items[i]] += 1 / len(chosen)
                if len(chosen) > 1:
                    features[pattern, self.n + self.tie_sizes.index(len(chosen))] += 1
        return features, {size: np.array(found) for size, found in pairs.items()}

    def statistics(self, counts: Sequence[np.ndarray]) -> tuple[np.ndarray, dict[int, np.ndarray]]:
        """Return what the likelihood needs of the counts of patterns: summed features, and how often each choice was.

        Parameters
        ----------
        counts : sequence of float64[..., n_patterns]
            For each line-up; leading axes (resamples) are kept.
        """
        lead = np.asarray(counts[0]).shape[:-1]
        total = np.zeros((*lead, self.dim))
        often = {size: np.zeros((*lead, len(rows))) for size, rows in self.items.items()}
        for (features, pairs), count in zip(self.visits, counts, strict=True):
            total += count @ features
            for size, found in pairs.items():
                np.add.at(often[size].T, found[:, 1], np.asarray(count)[..., found[:, 0]].T)  # choices first
        return total, often

    def _choose(self, theta: np.ndarray, size: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Return probabilities [choice, subset], the log of their sum [choice], and the subsets."""
        member, n = _subsets(size, self.tie_sizes)
        bonus = np.zeros(len(n))
        for number, tied in enumerate(self.tie_sizes):
            bonus[n == tied] = theta[self.n + number]
        utility = theta[self.items[size]] @ member.T + bonus
        top = utility.max(axis=1, keepdims=True)
        odds = np.exp(utility - top)
        total = odds.sum(axis=1, keepdims=True)
        return odds / total, (top + np.log(total))[:, 0], member, n

    def value(self, theta: np.ndarray, total: np.ndarray, often: dict[int, np.ndarray]) -> float:
        """Return the log-likelihood with the prior, up to a constant."""
        prior = -PRIOR * float((np.logaddexp(0, theta) + np.logaddexp(0, -theta)).sum())
        return prior + float(total @ theta) - sum(float(often[s] @ self._choose(theta, s)[1]) for s in self.items)

    def expected(self, theta: np.ndarray) -> dict[int, np.ndarray]:
        """Return the expected features float64[n_choices, dim] of every choice, by size."""
        found = {}
        for size, items in self.items.items():
            chance, _, member, n = self._choose(theta, size)
            mean = np.zeros((len(items), self.dim))
            np.add.at(mean, (np.arange(len(items))[:, None], items), chance @ member)
            for number, tied in enumerate(self.tie_sizes):
                mean[:, self.n + number] = chance[:, n == tied].sum(axis=1)
            found[size] = mean
        return found

    def information(self, theta: np.ndarray, often: dict[int, np.ndarray]) -> np.ndarray:
        """Return minus the second derivative of the log-likelihood, without the prior: float64[dim, dim]."""
        found = np.zeros((self.dim, self.dim))
        expected = self.expected(theta)
        for size, items in self.items.items():
            chance, _, member, n = self._choose(theta, size)
            weight = often[size]
            square = np.einsum("c,cs,si,sj->cij", weight, chance, member, member, optimize=True)
            np.add.at(found, (items[:, :, None], items[:, None, :]), square)
            for number, tied in enumerate(self.tie_sizes):
                at, of = self.n + number, n == tied
                cross = weight[:, None] * (chance[:, of] @ member[of])
                np.add.at(found[:, at], items, cross)
                np.add.at(found[at], items, cross)
                found[at, at] += float(weight @ chance[:, of].sum(axis=1))
            found -= expected[size].T @ (weight[:, None] * expected[size])
        return found

    def fit(
        self, total: np.ndarray, often: dict[int, np.ndarray], start: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the maximum and minus the second derivative there, both with the prior."""
        theta = np.zeros(self.dim) if start is None else start.copy()
        value = self.value(theta, total, often)
        n_games = max(1.0, sum(float(w.sum()) for w in often.values()))
        for _ in range(MAX_STEPS):
            likely = 1 / (1 + np.exp(-theta))
            gradient = total + PRIOR * (1 - 2 * likely)
            for size, mean in self.expected(theta).items():
                gradient -= often[size] @ mean
            curvature = self.information(theta, often) + np.diag(2 * PRIOR * likely * (1 - likely))
            step = np.linalg.solve(curvature, gradient)
            step *= min(1.0, 4.0 / max(float(np.abs(step).max()), 1e-300))
            size_of_step = 1.0
            while size_of_step > 1e-6:
                trial = self.value(theta + size_of_step * step, total, often)
                if trial >= value - 1e-12 * n_games:
                    break
                size_of_step /= 2
            theta, value = theta + size_of_step * step, trial
            if float(np.abs(step).max()) < 1e-9:
                break
        return theta, curvature


def fit_ratings(lineups: Sequence[LineupPlaces], n_strategies: int, level: float = LEVEL) -> Ratings:
    """Fit the ratings of all strategies.

    Parameters
    ----------
    lineups : sequence of LineupPlaces
        Strategies that sit in none of them are rated 0.
    n_strategies : int
    level : float
        Of the intervals.
    """
    return rate(Model(lineups, n_strategies), lineups, level)


def rate(model: Model, lineups: Sequence[LineupPlaces], level: float = LEVEL) -> Ratings:
    """Fit a model to all games of its line-ups: see `fit_ratings`."""
    theta, curvature = model.fit(*model.statistics([one.counts for one in lineups]))
    n = model.n
    inverse = np.linalg.inv(curvature)
    likely = 1 / (1 + np.exp(-theta))
    middle = np.diag(2 * PRIOR * likely * (1 - likely)) + _middle(model, lineups, theta)
    covariance = inverse @ middle @ inverse
    separated = not _is_connected(lineups, n)
    if separated:
        covariance = covariance + max(one.per_block for one in lineups) * inverse
    centre = np.eye(n) - 1 / n
    covariance = centre @ covariance[:n, :n] @ centre
    rating = theta[:n] - theta[:n].mean()
    known = all(one.n_blocks > 1 for one in lineups)
    df = sum(one.n_blocks - 1 for one in lineups)
    se = np.sqrt(np.maximum(0.0, np.diag(covariance))) if known else np.full(n, np.nan)
    half = (t_quantile(0.5 + level / 2, float(df)) if known else np.nan) * se
    log_delta = theta[n:]
    tie = float(log_delta[model.tie_sizes.index(2)]) if 2 in model.tie_sizes else None
    return Ratings(
        rating=rating,
        se=se,
        low=rating - half,
        high=rating + half,
        chance=_chance(rating, tie),
        chance_low=_chance(rating - half, tie),
        chance_high=_chance(rating + half, tie),
        covariance=covariance,
        tie_sizes=model.tie_sizes,
        log_delta=log_delta,
        separated=separated,
        known=known,
    )


def _middle(model: Model, lineups: Sequence[LineupPlaces], theta: np.ndarray) -> np.ndarray:
    """Return the covariance of the summed gradients of all blocks, centred within line-ups."""
    expected = model.expected(theta)
    found = np.zeros((model.dim, model.dim))
    for one, (features, pairs) in zip(lineups, model.visits, strict=True):
        if one.n_blocks < 2:
            continue
        gradient = features.copy()
        for size, pair in pairs.items():
            np.subtract.at(gradient, pair[:, 0], expected[size][pair[:, 1]])
        total = one.counts @ gradient
        square = gradient.T @ one.second @ gradient - np.outer(total, total) / one.n_blocks
        found += square * one.n_blocks / (one.n_blocks - 1)
    return found


def _chance(rating: np.ndarray, log_delta: float | None) -> np.ndarray:
    """Chance to be ahead of a rival of rating 0 in a game of two, a tie counting half."""
    if log_delta is None:
        return np.asarray(1 / (1 + np.exp(-rating)))
    # over the common factor exp(rating / 2): exp(r/2), exp(-r/2) and delta
    half = np.abs(rating) / 2
    win, lose, tie = np.ones_like(half), np.exp(-2 * half), np.exp(log_delta - half)
    ahead = (win + tie / 2) / (win + lose + tie)
    return np.asarray(np.where(rating >= 0, ahead, 1 - ahead))


def _is_connected(lineups: Sequence[LineupPlaces], n: int) -> bool:
    """Whether every strategy was ahead of, or tied with, every other, or of one that was, and so on."""
    reach = np.eye(n, dtype=bool)
    for one in lineups:
        ahead = one.places[:, :, None] <= one.places[:, None, :]
        for i, j in zip(*np.nonzero(ahead.any(axis=0)), strict=True):
            reach[one.items[i], one.items[j]] = True
    for _ in range(max(1, int(np.ceil(np.log2(n))))):
        reach = reach @ reach
    return bool(reach.all())
