"""How many games shared luck saves, measured: within a line-up, and between two runs on the same luck.

The difference of two win shares from blocks has the variance of its block means; from as many games that each have luck
and seats of their own it would have the variance between single games. The ratio says how many independent games one
game of a block is worth for this comparison (*common random numbers*; Law and Kelton, *Simulation Modeling and
Analysis*, on variance reduction). It may be below 1: where the deck decides how well a strategy can do, the games of a
block go the same way and tell less than independent ones.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import combinations

import numpy as np
import pandas as pd

from analysis.tails import t_quantile
from simcore.contract import WIN_UNITS, TaflError
from simcore.games_file import GAMES_NAME
from simcore.store import RunResult

N_GROUPS = 50
"""Groups of blocks that are left out in turn to see how sure the ratio is."""


def games_saved(result: RunResult, other: RunResult | None = None) -> pd.DataFrame:
    """Return what one game of shared luck is worth.

    Parameters
    ----------
    result : RunResult
        Complete, with per-game rows (``--keep-games``).
    other : RunResult, optional
        A run on the same luck (the same game, seed, number of players and of games) whose line-up, rules or edition
        differ: then the strategies in the same places of both line-ups are compared, run against run.

    Returns
    -------
    pandas.DataFrame
        ``a``, ``b`` : the strategies;
        ``worth`` : independent games that tell them apart as well as one game of these blocks;
        ``low``, ``high`` : 95 % interval of it, by leaving out groups of blocks in turn (jackknife, on the logarithm);
        ``n_blocks``, ``n_games``.

    Raises
    ------
    TaflError
        If a run has no per-game rows or too few blocks, or the two have not the same luck.
    """
    games = _win_by_game(result)
    if other is None:
        pairs = [(a, b, games[a] - games[b]) for a, b in combinations(result.names, 2)]
        found = [(a, b, *_worth(difference, _within)) for a, b, difference in pairs]
    else:
        same = ("game", "seed", "n_players", "n_blocks", "n_games_per_block")
        differing = [key for key in same if result.manifest[key] != other.manifest[key]]
        if differing:
            raise TaflError(f"the two runs do not share their luck: they differ in {', '.join(differing)}.")
        others = _win_by_game(other)
        places = dict.fromkeys(zip(result.manifest["lineup"], other.manifest["lineup"], strict=True))
        means = [(a, b, np.stack([games[a].mean(axis=1), others[b].mean(axis=1)], axis=1)) for a, b in places]
        found = [(a, b, *_worth(both, _between)) for a, b, both in means]
    table = pd.DataFrame(found, columns=["a", "b", "worth", "low", "high"])
    return table.assign(n_blocks=result.n_blocks, n_games=result.n_games)


def _win_by_game(result: RunResult) -> dict[str, np.ndarray]:
    """Win share per copy of each strategy: float64[n_blocks, n_games]."""
    if not result.complete or not result.manifest.get("keep_games"):
        raise TaflError(f"the run '{result.folder}' has no per-game rows: play it with --keep-games.")
    if result.n_blocks < 2 * N_GROUPS:
        raise TaflError(f"the run '{result.folder}' has {result.n_blocks} blocks, too few: at least {2 * N_GROUPS}.")
    rows = pd.read_parquet(result.folder / GAMES_NAME, columns=["game", "strategy", "win"])
    wins = rows.groupby(["game", "strategy"], observed=True)["win"].mean().unstack() / WIN_UNITS
    return {name: wins[name].to_numpy(float).reshape(result.n_blocks, -1) for name in result.names}


def _worth(values: np.ndarray, ratio: Callable[[np.ndarray], float]) -> tuple[float, float, float]:
    """Ratio of variances and its interval; `values` : float64[n_blocks, ...]."""
    groups = np.array_split(np.arange(len(values)), N_GROUPS)
    whole = math.log(ratio(values))
    left_out = np.array([math.log(ratio(np.delete(values, group, axis=0))) for group in groups])
    se = math.sqrt((N_GROUPS - 1) / N_GROUPS * float(((left_out - left_out.mean()) ** 2).sum()))
    half = t_quantile(0.975, N_GROUPS - 1) * se
    return math.exp(whole), math.exp(whole - half), math.exp(whole + half)


def _within(single: np.ndarray) -> float:
    """Ratio for differences of single games, float64[n_blocks, n_games]."""
    return _over(float(single.var(ddof=1)) / single.shape[1], float(single.mean(axis=1).var(ddof=1)))


def _between(means: np.ndarray) -> float:
    """Ratio for block means of two runs, float64[n_blocks, 2]."""
    return _over(float(means.var(axis=0, ddof=1).sum()), float((means[:, 0] - means[:, 1]).var(ddof=1)))


def _over(independent: float, shared: float) -> float:
    if shared <= 0 or independent <= 0:
        raise TaflError("every block of the run ends the same, so there is no error that shared luck could lessen.")
    return independent / shared
