"""The game of choosing a strategy: payoffs of every line-up, who beats whom in circles, dominance, alpha-rank, mixes.

The *empirical game* is symmetric: each of `k` players picks one of `n` strategies, and a player's payoff is the win
share of its copy in the line-up that results. ``payoff[i, j, ...]`` is that of `i` against the rivals ``j, ...``, whose
order does not matter; one strategy alone at the table has 1/k. What is said here about a game of chance is said about
its estimated payoffs, unless it is said to hold beyond doubt.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, permutations

import numpy as np

POPULATION = 50
"""Size of each population of alpha-rank."""

EPSILON = 1e-9
"""Probability, in the limit of a large alpha, that a worse strategy takes over; only its being small matters."""

MAX_CYCLES = 20
"""Cycles that are named."""


def payoff_tensor(shares: Mapping[tuple[int, ...], Mapping[int, float]], n: int, k: int) -> np.ndarray | None:
    """Return the payoffs of the empirical game, or None if a line-up is missing.

    Parameters
    ----------
    shares : mapping
        Line-up as sorted numbers of strategies -> strategy -> win share of one copy.
    n, k : int
        Strategies, players.

    Returns
    -------
    float64[n, ..., n]
        With `k` axes: see the module.
    """
    payoff = np.full((n,) * k, 1 / k)
    for lineup in combinations_with_replacement(range(n), k):
        if len(set(lineup)) == 1:
            continue
        if lineup not in shares:
            return None
        for own in set(lineup):
            rivals = list(lineup)
            rivals.remove(own)
            for order in set(permutations(rivals)):
                payoff[(own, *order)] = shares[lineup][own]
    return payoff


# --- circles ---


def cycles(edges: Iterable[tuple[str, str]]) -> list[tuple[str, ...]]:
    """Return the circles of a relation "beats", each from its first name on: all of three, else a shortest one.

    Parameters
    ----------
    edges : iterable of (str, str)
        Who beats whom.

    Returns
    -------
    list of tuple of str
        Every circle of three; for each strategy that is in circles, but in none of three, a shortest one through it.
        At most `MAX_CYCLES`.
    """
    beats: dict[str, list[str]] = {}
    for a, b in sorted(set(edges)):
        beats.setdefault(a, []).append(b)
    found: dict[tuple[str, ...], None] = {}
    for a in beats:
        for b in beats[a]:
            for c in beats.get(b, []):
                if a in beats.get(c, []) and a == min(a, b, c):
                    found[a, b, c] = None
    covered = {name for circle in found for name in circle}
    for a in beats:
        if a not in covered:
            circle = _shortest_circle(beats, a)
            if circle:
                first = circle.index(min(circle))
                found[(*circle[first:], *circle[:first])] = None
                covered.update(circle)
    return list(found)[:MAX_CYCLES]


def _shortest_circle(beats: Mapping[str, Sequence[str]], start: str) -> tuple[str, ...]:
    """Return a shortest way from `start` back to it, or nothing."""
    ways: list[tuple[str, ...]] = [(start,)]
    seen = {start}
    while ways:
        longer: list[tuple[str, ...]] = []
        for way in ways:
            for name in beats.get(way[-1], []):
                if name == start:
                    return way
                if name not in seen:
                    seen.add(name)
                    longer.append((*way, name))
        ways = longer
    return ()


# --- alpha-rank ---


@dataclass(frozen=True)
class AlphaRank:
    """The long run of an evolving population for each seat.

    Attributes
    ----------
    strategies : float64[n]
        Share of the seats that a strategy holds in the long run.
    lineups : list of tuple of int
        All line-ups.
    mass : float64[n_lineups]
        Share of the time that the populations spend in each.
    """

    strategies: np.ndarray
    lineups: list[tuple[int, ...]]
    mass: np.ndarray


def fixation(gain: float, alpha: float = math.inf, population: int = POPULATION) -> float:
    """Return the probability that a mutant with this gain in payoff takes a population over.

    ``(1 - exp(-alpha gain)) / (1 - exp(-alpha population gain))``, and ``1 / population`` without a gain. In the limit
    of a large alpha a better mutant always takes over, and a worse one with probability `EPSILON`.
    """
    if gain == 0:
        return 1 / population
    if math.isinf(alpha):
        return 1.0 if gain > 0 else EPSILON
    x = alpha * gain
    if x > 0:
        return -math.expm1(-x) / -math.expm1(-population * x)
    # both exponents are large and positive: divide by the larger one
    return math.exp((population - 1) * x) * math.expm1(x) / math.expm1(population * x)


def alpha_rank(payoff: np.ndarray, alpha: float = math.inf, population: int = POPULATION) -> AlphaRank:
    """Return the alpha-rank of an empirical game (Omidshafiei et al. 2019, doi:10.1038/s41598-019-45619-9).

    There is a population for each seat, each of one strategy at a time. A mutant appears in one of them, any strategy
    and any seat alike, and takes that population over with the probability `fixation` of its gain. The seats of a
    symmetric game are alike, so profiles that are the same line-up are one state of the Markov chain: it has
    ``comb(n + k - 1, k)`` states, not ``n ** k``. The stationary distribution is found by state reduction (Grassmann,
    Taksar and Heyman 1985), which subtracts nothing and so stays exact however small some probabilities are.

    Parameters
    ----------
    payoff : float64[n, ..., n]
        See `payoff_tensor`.
    alpha : float
        Strength of selection; infinity is the limit.
    population : int
        Size of each population.
    """
    n, k = payoff.shape[0], payoff.ndim
    lineups = list(combinations_with_replacement(range(n), k))
    number = {lineup: i for i, lineup in enumerate(lineups)}
    chain = np.zeros((len(lineups), len(lineups)))
    for i, lineup in enumerate(lineups):
        for own, copies in Counter(lineup).items():
            rivals = list(lineup)
            rivals.remove(own)
            for mutant in range(n):
                if mutant != own:
                    gain = float(payoff[(mutant, *rivals)] - payoff[(own, *rivals)])
                    to = number[tuple(sorted([mutant, *rivals]))]
                    chain[i, to] += copies * fixation(gain, alpha, population) / (k * (n - 1))
    mass = stationary(chain)
    strategies = np.zeros(n)
    for lineup, share in zip(lineups, mass, strict=True):
        for own in lineup:
            strategies[own] += share / k
    return AlphaRank(strategies, lineups, mass)


def stationary(chain: np.ndarray) -> np.ndarray:
    """Return the stationary distribution of a Markov chain by state reduction.

    Parameters
    ----------
    chain : float64[n, n]
        Probabilities of moving; the diagonal is not used. Every state is reached from every other.
    """
    rates = chain.astype(np.float64).copy()
    np.fill_diagonal(rates, 0.0)
    n = len(rates)
    for last in range(n - 1, 0, -1):
        leaving = rates[last, :last].sum()
        if leaving > 0:
            rates[:last, last] /= leaving
            rates[:last, :last] += np.outer(rates[:last, last], rates[last, :last])
    mass = np.zeros(n)
    mass[0] = 1.0
    for state in range(1, n):
        mass[state] = mass[:state] @ rates[:state, state]
    return np.asarray(mass / mass.sum())
