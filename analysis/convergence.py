"""How the estimate of the win share settled while a run was played."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from analysis.intervals import ONCE, share_of_blocks
from analysis.sequential import looking_at
from simcore.looks import FIRST_LOOK
from simcore.sums import STRETCH_ENDS

FEW = 10
"""Blocks that the first estimate rests on at least; as many as before a first look where intervals allow many."""
COLUMNS = ["strategy", "n_blocks", "n_games", "win_share", "low", "high"]


def convergence(result: Any) -> pd.DataFrame:
    """Return each strategy's win share with its interval after so many blocks, as if the run had ended there.

    Parameters
    ----------
    result : simcore.store.RunResult

    Returns
    -------
    DataFrame
        `COLUMNS`; one row a strategy and number of blocks: `STRETCH_ENDS` as far as all blocks up to there are played,
        then the run's own estimates. Each interval is a 95 % interval at its number of games alone, unless the
        run's are valid however often one looks: then all hold together.
    """
    sums, at = result.sums, _looks(result)
    rows = []
    for entrant, name in enumerate(result.names):
        per_block = int(result.games_per_block) * int(result.copies[entrant])
        win, square = (np.cumsum(sums[f"course_{what}"][entrant]) for what in ("win", "square"))
        for stretch, n in at:
            share = share_of_blocks(
                int(win[stretch]), int(square[stretch]), n, per_block, looking=looking_at(result, n)
            )
            rows.append((name, n, n * int(result.games_per_block), share.estimate, share.low, share.high))
    return pd.DataFrame(rows, columns=COLUMNS)


def _looks(result: Any) -> list[tuple[int, int]]:
    """Return the stretches at whose end the estimate is taken, each with the blocks up to there."""
    n_blocks, first = int(result.n_blocks), FEW if looking_at(result) is ONCE else FIRST_LOOK
    played = np.cumsum(result.sums["course_n"])
    whole = int(np.argmin(played == STRETCH_ENDS))  # the first stretch that is not whole
    ends = [(i, int(played[i])) for i in range(whole) if min(first, n_blocks) <= played[i] < n_blocks]
    return [*ends, (len(STRETCH_ENDS) - 1, n_blocks)]
