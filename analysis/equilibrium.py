"""Mixes of strategies that nobody gains by leaving: exact at a table of two, a symmetric equilibrium at larger ones."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

TOLERANCE = 1e-9
"""A mix whose largest gain is below is an equilibrium."""

MAX_PRECISION = 1e6
"""How precisely players answer at the end of the path that is traced; then it is polished."""

MAX_STARTS, MAX_TURNS = 3000, 20
"""Starts that are tried where the path leads nowhere, and how often each set of strategies is one."""

IN_MIX = 1e-6
"""A smaller weight is none."""


def against(payoff: np.ndarray, mix: np.ndarray) -> np.ndarray:
    """Return float64[n]: the payoff of each strategy where all rivals draw theirs from a mix.

    Parameters
    ----------
    payoff : float64[n, ..., n]
        See `analysis.metagame`.
    mix : float64[n]
    """
    value = payoff
    for _ in range(payoff.ndim - 1):
        value = value @ mix
    return value


def slope(payoff: np.ndarray, mix: np.ndarray) -> np.ndarray:
    """Return float64[n, n]: the derivative of `against` by each weight of the mix."""
    value = payoff
    for _ in range(payoff.ndim - 2):
        value = value @ mix
    return (payoff.ndim - 1) * value


def largest_gain(payoff: np.ndarray, mix: np.ndarray) -> float:
    """Return what a player gains most by leaving a mix that all others keep; never below 0."""
    value = against(payoff, mix)
    return max(0.0, float(value.max() - mix @ value))


def maximin(payoff: np.ndarray) -> np.ndarray:
    """Return a mix of a game of two that cannot be beaten: its win share is at least one half against every strategy.

    Parameters
    ----------
    payoff : float64[n, n]
        Win share of the row against the column; ``payoff + payoff.T`` is 1.

    Returns
    -------
    float64[n]

    Notes
    -----
    The simplex method with Bland's rule, from the basis of slack variables, on the linear program of the matrix game
    (Dantzig 1951): maximise ``sum(z)`` where ``(payoff.T + 1) z <= 1`` and ``z >= 0``; the mix is ``z / sum(z)``. In a
    symmetric game the mix that the columns' player needs is also the rows'. There may be others that are as good.
    """
    n = len(payoff)
    table = np.zeros((n + 1, 2 * n + 1))
    table[:n, :n] = payoff + 1.0  # columns pay to rows: z is the columns' mix, and by symmetry the rows'
    table[:n, n:-1] = np.eye(n)
    table[:n, -1] = 1.0
    table[n, :n] = -1.0
    basis = list(range(n, 2 * n))
    while True:
        entering = next((j for j in range(2 * n) if table[n, j] < -1e-12), None)
        if entering is None:
            break
        column = table[:n, entering]
        rows = [i for i in range(n) if column[i] > 1e-12]
        ratios = [table[i, -1] / column[i] for i in rows]
        least = min(ratios)
        leaving = min((basis[i], i) for i, ratio in zip(rows, ratios, strict=True) if ratio <= least + 1e-13)[1]
        table[leaving] /= table[leaving, entering]
        for i in range(n + 1):
            if i != leaving:
                table[i] -= table[i, entering] * table[leaving]
        basis[leaving] = entering
    weight = np.zeros(2 * n)
    weight[basis] = np.maximum(0.0, table[:n, -1])
    return np.asarray(weight[:n] / weight[:n].sum())


def symmetric_equilibrium(payoff: np.ndarray) -> np.ndarray:
    """Return a mix that no player gains by leaving if all others keep it, or the best that was found.

    Parameters
    ----------
    payoff : float64[n, ..., n]
        See `analysis.metagame`; at a table of two use `maximin`.

    Returns
    -------
    float64[n]
        `largest_gain` says how good it is.

    Notes
    -----
    A game may have several; this is the one that players come to who begin by mixing all strategies alike and answer
    ever more precisely, ``mix = softmax(precision * against(mix))`` (logit equilibria; McKelvey and Palfrey 1995). The
    path is followed by Newton's method and its end is polished by solving for equal payoffs. Where it leads nowhere,
    sets of strategies are tried one by one. A symmetric game always has a symmetric equilibrium (Nash 1951).
    """
    best = polish(payoff, trace(payoff))
    if largest_gain(payoff, best) <= TOLERANCE:
        return best
    for start in _starts(len(payoff)):
        mix = _equal_payoffs(payoff, start)
        if mix is not None and largest_gain(payoff, mix) < largest_gain(payoff, best):
            best = mix
            if largest_gain(payoff, best) <= TOLERANCE:
                break
    return best


def _starts(n: int) -> Iterator[np.ndarray]:
    """Yield mixes to start from: every set of strategies, small ones first, evenly mixed and then by lot."""
    luck = np.random.default_rng(0)
    tries = 0
    for turn in range(MAX_TURNS):
        for size in range(1, n + 1):
            for support in combinations(range(n), size):
                tries += 1
                if tries > MAX_STARTS:
                    return
                start = np.zeros(n)
                start[list(support)] = luck.dirichlet(np.ones(size)) if turn else 1 / size
                yield start


def trace(payoff: np.ndarray) -> np.ndarray:
    """Follow the logit equilibria from the even mix as far as they lead."""
    n = len(payoff)
    log_mix = np.full(n, -np.log(n))
    precision, factor = 1.0, 2.0
    while precision < MAX_PRECISION and factor > 1.001:
        found = _logit(payoff, log_mix, precision)
        if found is None:
            precision /= factor
            factor = np.sqrt(factor)
        else:
            log_mix = found
        precision *= factor
    mix = np.exp(log_mix)
    return np.asarray(mix / mix.sum())


def _logit(payoff: np.ndarray, log_mix: np.ndarray, precision: float) -> np.ndarray | None:
    """Solve ``log mix = precision * against(mix) - constant`` from a mix nearby; None where Newton's steps fail."""
    n = len(payoff)
    y = log_mix.copy()
    for _ in range(30):
        mix = np.exp(y)
        value = against(payoff, mix)
        constant = float(np.log(np.exp(precision * (value - value.max())).sum()) + precision * value.max())
        softmax = np.exp(precision * value - constant)
        miss = y - precision * value + constant
        change = precision * slope(payoff, mix) * mix
        jacobian = np.eye(n) - change + softmax @ change
        try:
            step = np.linalg.solve(jacobian, -miss)
        except np.linalg.LinAlgError:
            return None
        if not np.isfinite(step).all():
            return None
        longest = float(np.abs(step[mix > 1e-12]).max())  # weights that are almost 0 do not matter
        y = np.clip(y + step * min(1.0, 3.0 / max(longest, 1e-300)), -600.0, 0.0)
        if longest < 1e-8:
            return y if abs(float(np.exp(y).sum()) - 1) < 1e-6 else None
    return None


def polish(payoff: np.ndarray, mix: np.ndarray) -> np.ndarray:
    """Return the best of a mix and those with equal payoffs on its larger weights."""
    best = mix
    for least in (1e-2, 1e-3, 1e-4, 1e-6, 1e-8):
        start = np.where(mix > least, mix, 0.0)
        found = _equal_payoffs(payoff, start / start.sum()) if start.any() else None
        if found is not None and largest_gain(payoff, found) < largest_gain(payoff, best):
            best = found
            if largest_gain(payoff, best) <= TOLERANCE:
                break
    return best


def _equal_payoffs(payoff: np.ndarray, start: np.ndarray) -> np.ndarray | None:
    """Return weights on the support of `start` that pay all its strategies alike, or None if Newton finds none."""
    support = np.flatnonzero(start)
    size = len(support)
    mix = start.copy()
    for _ in range(30):
        value = against(payoff, mix)[support]
        level = float(mix[support] @ value)
        miss = np.concatenate([value - level, [mix.sum() - 1]])
        system = np.zeros((size + 1, size + 1))
        system[:size, :size] = slope(payoff, mix)[np.ix_(support, support)]
        system[:size, size] = -1.0
        system[size, :size] = 1.0
        step, *_ = np.linalg.lstsq(system, -miss, rcond=None)
        mix[support] += step[:size]
        if not np.isfinite(mix).all() or np.abs(mix).max() > 10:
            return None
        if np.abs(step[:size]).max() < 1e-14:
            break
    if mix.min() < -1e-9:
        return None
    mix = np.maximum(mix, 0.0)
    return mix / mix.sum()
