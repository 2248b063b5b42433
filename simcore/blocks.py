"""Line-ups, seatings and blocks: who plays where, and how games are numbered.

A *line-up* names the strategy of each seat. An *entrant* is a distinct strategy of it: a strategy seated twice is one
entrant with two copies. A *block* is one luck, played once for every *seating* of the line-up; it is the unit of
evidence, because games of one block are not independent of each other. Game ``g`` of block ``b`` is game number
``b * games_per_block + g`` of the run.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from simcore.contract import TaflError

SEATING_MODES = ("rotations", "fixed", "all")
"""`rotations`: the line-up turned round the table; `fixed`: as given; `all`: every order. Distinct seatings only."""

MAX_GAMES = 1 << 62
"""Games of one run: game numbers must fit int64."""


def fill_lineup(names: Sequence[str], n_seats: int) -> tuple[str, ...]:
    """Return the strategy of each seat; fewer strategies than seats repeat in turn (A B at four: A B A B).

    Parameters
    ----------
    names : sequence of str
        Strategies in the order they were asked for.
    n_seats : int
        Players at the table.

    Raises
    ------
    TaflError
        If there is no strategy, or there are more than seats.
    """
    if not names:
        raise TaflError("a line-up needs at least one strategy.")
    if len(names) > n_seats:
        raise TaflError(
            f"{len(names)} strategies do not fit at a table of {n_seats} players: name at most {n_seats}, "
            "take more players, or let a tournament pair them."
        )
    return tuple(names[seat % len(names)] for seat in range(n_seats))


def entrants(lineup: Sequence[str]) -> tuple[tuple[str, ...], np.ndarray]:
    """Return the distinct strategies of a line-up and who sits where.

    Returns
    -------
    names : tuple of str
        Entrants by first appearance; their place here is their number everywhere.
    seats : int64[n_seats]
        The entrant of each seat.
    """
    names = tuple(dict.fromkeys(lineup))
    number = {name: entrant for entrant, name in enumerate(names)}
    return names, np.array([number[name] for name in lineup], np.int64)


def copies(seats: np.ndarray) -> np.ndarray:
    """Return int64[n_entrants]: how many seats each entrant holds in one game."""
    return np.bincount(seats).astype(np.int64)


def seatings(seats: np.ndarray, mode: str = "rotations") -> np.ndarray:
    """Return the distinct seatings of a line-up, one for each game of a block.

    Parameters
    ----------
    seats : int64[n_seats]
        The entrant of each seat, as `entrants` gives it.
    mode : {'rotations', 'fixed', 'all'}
        See `SEATING_MODES`. Under `rotations` and `all` every entrant sits in every seat equally often.

    Returns
    -------
    int64[n_games, n_seats]
        ``[g, s]`` is the entrant in seat `s` of game `g` of each block. A B A B has two rotations, not four.

    Raises
    ------
    TaflError
        For another mode.
    """
    given = [int(entrant) for entrant in seats]
    if mode == "rotations":
        orders = [given[turn:] + given[:turn] for turn in range(len(given))]
    elif mode == "fixed":
        orders = [given]
    elif mode == "all":
        orders = sorted(list(order) for order in set(itertools.permutations(given)))
    else:
        raise TaflError(f"no seating is called '{mode}': choose one of {', '.join(SEATING_MODES)}.")
    distinct = dict.fromkeys(tuple(order) for order in orders)
    return np.array(list(distinct), np.int64).reshape(len(distinct), len(given))


def n_blocks_for(n_games: int, games_per_block: int) -> int:
    """Return how many whole blocks hold at least `n_games` games.

    Raises
    ------
    TaflError
        If `n_games` is not positive or the numbers of the games would not fit 64 bits.
    """
    if n_games < 1:
        raise TaflError(f"the number of games must be at least 1, not {n_games}.")
    if n_games > MAX_GAMES:
        raise TaflError(f"the number of games must be at most {MAX_GAMES}, not {n_games}.")
    return -(-n_games // games_per_block)


def game_place(game_number: int, games_per_block: int) -> tuple[int, int]:
    """Return the block of a game and the game's number within it."""
    return divmod(game_number, games_per_block)


def missing(spans: list[tuple[int, int]], first: int, stop: int) -> list[tuple[int, int]]:
    """Return the ranges of blocks from `first` to ``stop - 1`` that lie in none of the given ones (in order)."""
    gaps = []
    at = first
    for begin, end in [*spans, (stop, stop)]:
        if min(begin, stop) > at:
            gaps.append((at, min(begin, stop)))
        at = max(at, end)
    return gaps


def shard_span(shard: int, n_shards: int, n_blocks: int) -> tuple[int, int]:
    """Return first and stop block of shard 1 to `n_shards`: shares as equal as can be, in order.

    Raises
    ------
    TaflError
        If there is no such shard, or more shards than blocks.
    """
    if not 1 <= shard <= n_shards:
        raise TaflError(f"there is no shard {shard} of {n_shards}: write 1/{n_shards} to {n_shards}/{n_shards}.")
    if n_shards > n_blocks:
        raise TaflError(f"{n_shards} shards are more than the {n_blocks} blocks of the run: take at most {n_blocks}.")
    return n_blocks * (shard - 1) // n_shards, n_blocks * shard // n_shards
