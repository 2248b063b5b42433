"""Who takes what, when: a sample of a line-up's blocks played again with recording on.

Result rows say who had some of a game's items; the event log says it of all of them, and in which round.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from simcore.contract import WIN_UNITS
from simcore.play import Plan, Table

SAMPLE_GAMES = 2_000
"""Games of a sample, rounded up to whole blocks."""


@dataclass(frozen=True)
class Takings:
    """What was taken in a sample.

    Attributes
    ----------
    n_taken : int64[n_games, n_seats, n_items]
        How often each seat took each item.
    first_round : int64[n_games, n_seats, n_items]
        In which round it did so first, from 1 (0: at set-up); -1 if never.
    win : float64[n_games, n_seats]
        Share of the win.
    entrant : int64[n_games, n_seats]
        Who sat there.
    block : int64[n_games]
    """

    n_taken: np.ndarray
    first_round: np.ndarray
    win: np.ndarray
    entrant: np.ndarray
    block: np.ndarray


def sample_takings(plan: Plan, n_games: int = SAMPLE_GAMES) -> Takings:
    """Play a plan's first blocks with recording on.

    Parameters
    ----------
    plan : Plan
    n_games : int
        Rounded up to whole blocks.
    """
    spec, n_seats = plan.spec, plan.n_seats
    win_slot = next(c.slot for c in spec.columns(plan.edition, n_seats) if c.name == "win")
    n_items = len(spec.items(plan.edition, n_seats))
    n_blocks = -(-n_games // plan.games_per_block)
    shape = (n_blocks * plan.games_per_block, n_seats)
    n_taken = np.zeros((*shape, n_items), np.int64)
    first_round = np.full((*shape, n_items), -1, np.int64)
    win = np.zeros(shape)
    table = Table(plan)
    at = 0
    for block in range(n_blocks):
        for game in range(plan.games_per_block):
            events, rows = table.play_one(block, game)
            taken = spec.takings(plan.edition, n_seats, events)
            seat, item, when = taken.T
            np.add.at(n_taken[at], (seat, item), 1)
            first_round[at][seat[::-1], item[::-1]] = when[::-1]  # the first of several is written last
            win[at] = rows[:, win_slot] / WIN_UNITS
            at += 1
    entrant = np.tile(plan.seating, (n_blocks, 1))
    return Takings(n_taken, first_round, win, entrant, np.repeat(np.arange(n_blocks), plan.games_per_block))
