"""How the estimate of the win share settled while a run was played, from its per-game rows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from analysis.intervals import ONCE, Looking, share_of_blocks
from analysis.sequential import Anytime
from simcore.games_file import GAMES_NAME
from simcore.looks import FIRST_LOOK

N_LOOKS = 24
"""Numbers of blocks at which the estimate is taken, at about equal ratios."""
FEW = 10
"""Blocks of the first of them; where a stopping rule looked, it is its first look."""
COLUMNS = ["strategy", "n_blocks", "n_games", "win_share", "low", "high"]


def keeps_rows(result: Any) -> bool:
    """Return whether a run kept per-game rows that can be read: it is complete and has them."""
    return bool(result.folder) and any((Path(result.folder) / GAMES_NAME).glob("*.parquet"))


def looks(n_blocks: int, first: int = FEW) -> list[int]:
    """Return the numbers of blocks at which the estimate is taken, from `first` on, the last of them `n_blocks`."""
    first = min(first, n_blocks)
    found = np.geomspace(first, n_blocks, N_LOOKS).round().astype(int)
    return sorted({*map(int, found), n_blocks} - {0, 1})


def convergence(result: Any) -> pd.DataFrame:
    """Return each strategy's win share with its interval after so many blocks, as if the run had ended there.

    Parameters
    ----------
    result : simcore.store.RunResult
        One for which `keeps_rows` holds.

    Returns
    -------
    DataFrame
        `COLUMNS`; one row a strategy and look. The last looks are the run's own estimates. Each interval is a 95 %
        interval at its number of games alone, unless a stopping rule watched the run: then all hold together.
    """
    at = looks(int(result.n_blocks), FIRST_LOOK if result.manifest.get("stopping") else FEW)
    wins = _block_wins(result)
    total, square = wins.cumsum(axis=0), (wins * wins).cumsum(axis=0)
    rows = []
    for entrant, name in enumerate(result.names):
        per_block = int(result.games_per_block) * int(result.copies[entrant])
        for n in at:
            sums = int(total[n - 1, entrant]), int(square[n - 1, entrant])
            share = share_of_blocks(*sums, n, per_block, looking=_looking(result, n))
            rows.append((name, n, n * int(result.games_per_block), share.estimate, share.low, share.high))
    return pd.DataFrame(rows, columns=COLUMNS)


def _looking(result: Any, n_blocks: int) -> Looking:
    """Return how the evidence of the first blocks is looked at."""
    stopping = result.manifest.get("stopping")
    return ONCE if stopping is None else Anytime.at(n_blocks, int(stopping["narrowest_at"]))


def _block_wins(result: Any) -> np.ndarray:
    """Return int64[n_blocks, n_entrants]: each entrant's wins in each block, in sixtieths."""
    wins = np.zeros((int(result.n_blocks), len(result.names)), np.int64)
    number = {name: i for i, name in enumerate(result.names)}
    for rows in _files(result):
        entrant = rows["strategy"].astype(str).map(number).to_numpy()
        np.add.at(wins, (rows["block"].to_numpy(), entrant), rows["win"].to_numpy(np.int64))
    return wins


def _files(result: Any) -> Iterator[pd.DataFrame]:
    for path in sorted((Path(result.folder) / GAMES_NAME).glob("*.parquet")):
        yield pd.read_parquet(path, columns=["block", "strategy", "win"])
