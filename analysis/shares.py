"""The win share of one copy of a strategy."""

from __future__ import annotations

from typing import Any

from analysis.intervals import BY_CONSTRUCTION, LEVEL, Interval, share_of_blocks
from analysis.sequential import looking_at
from simcore.contract import WIN_UNITS


def win_share(result: Any, entrant: int) -> Interval:
    """Return the win share of one copy of an entrant, with its interval."""
    per_block = int(result.games_per_block) * int(result.copies[entrant])
    if len(result.names) == 1:  # somebody wins every game, and everybody plays the same strategy
        fair = 1 / int(result.n_seats)
        return Interval(fair, 0.0, fair, fair, BY_CONSTRUCTION)
    win = result.layout.win
    total, square = (int(result.sums[name][entrant, win]) for name in ("total", "block_square"))
    return share_of_blocks(total, square, int(result.n_blocks), per_block, WIN_UNITS, LEVEL, looking_at(result))
