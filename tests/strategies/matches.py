"""Playing a few hundred games between shipped strategies: result rows of each entrant."""

from functools import cache

import numpy as np

from simcore.blocks import entrants, seatings
from simcore.games import find_game
from simcore.nidavellir.layout import WIN_SLOT
from simcore.play import Plan, Table
from strategies import registry

SPEC = find_game("nidavellir")


@cache
def edition():
    return SPEC.load_edition("official", {})


@cache
def play(lineup: tuple[str, ...], n_blocks: int, seed: int = 7) -> dict[str, np.ndarray]:
    """Return strategy -> rows int64[n_blocks, its seats in all games of a block, n_slots]."""
    names, seats = entrants(lineup)
    entered = [registry.enter(registry.find("nidavellir", name), SPEC, edition(), len(lineup)) for name in names]
    seating = seatings(seats, "rotations")
    table = Table(Plan(SPEC, edition(), entered, seating, seed))
    parts = []
    for first in range(0, n_blocks, table.max_blocks):
        parts.append(table.play(first, min(table.max_blocks, n_blocks - first)).copy())
    rows = np.concatenate(parts)
    return {name: rows[:, seating == number] for number, name in enumerate(names)}


def one_against(name: str, rival: str, n_players: int, n_blocks: int) -> np.ndarray:
    """Return the rows of one copy of a strategy against copies of another."""
    return play((name, *[rival] * (n_players - 1)), n_blocks)[name]


def win_share(rows: np.ndarray) -> tuple[float, float]:
    """Return the win share of one copy and its standard error, from block means."""
    blocks = rows[..., WIN_SLOT].mean(axis=1) / 60
    return float(blocks.mean()), float(blocks.std(ddof=1) / np.sqrt(len(blocks)))
