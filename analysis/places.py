"""Who came where: the places of every game of a line-up, counted by pattern and by block.

A *pattern* is the places of all seats of one game, strategy by strategy; the copies of a strategy are alike, so theirs
are put in order. There are few patterns (3 at a table of two, 541 at most at a table of five), and all that ratings
need of a block is how often it held each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from simcore import blocks
from simcore.games_file import GAMES_NAME

MAX_GROUPS = 256
"""Groups of blocks that are resampled; a line-up of fewer blocks has each as a group of its own."""

SLICE = 4096
"""Blocks that are counted at once."""


@dataclass(frozen=True)
class LineupPlaces:
    """The places of a line-up's games.

    Attributes
    ----------
    items : int64[n_seats]
        The strategy of each copy, by its number in the tournament, in rising order.
    places : int64[n_patterns, n_seats]
        Place of each item; 1 is first, and those who tie share the better place.
    counts : int64[n_patterns]
        Games of each pattern.
    second : float64[n_patterns, n_patterns]
        Sum over blocks of the product of a block's counts of two patterns; whole numbers.
    groups : int64[n_groups, n_patterns]
        Counts by group of consecutive blocks.
    n_blocks : int
    per_block : int
        Games of a block.
    """

    items: np.ndarray
    places: np.ndarray
    counts: np.ndarray
    second: np.ndarray
    groups: np.ndarray
    n_blocks: int
    per_block: int

    def win_share(self, strategy: int) -> np.ndarray:
        """Return float64[n_patterns]: what one copy of a strategy wins in a game of each pattern, on average."""
        first = self.places == 1
        won = first / first.sum(axis=1, keepdims=True)
        return np.asarray(won[:, self.items == strategy].mean(axis=1))

    def moments(self, value: np.ndarray) -> tuple[float, float]:
        """Return the mean per game of a value of each pattern, and its block means' sum of squared deviations."""
        total = float(value @ self.counts)
        square = float(value @ self.second @ value)
        mean = total / self.n_blocks / self.per_block
        return mean, max(0.0, square - total * total / self.n_blocks) / self.per_block**2


class _Counter:
    """Counts patterns block by block; a pattern gets its column when it is first seen."""

    def __init__(self, seats: np.ndarray, seating: np.ndarray, n_blocks: int):
        self.n_blocks = n_blocks
        self.order = np.argsort(seating, axis=1, kind="stable")
        self.items = np.sort(seats)
        n_seats = len(seats)
        self.base = (n_seats + 1) ** np.arange(n_seats - 1, -1, -1)
        self.codes = np.zeros(0, np.int64)
        n_groups = min(n_blocks, MAX_GROUPS)
        self.groups = np.zeros((n_groups, 0), np.int64)
        self.second = np.zeros((0, 0))

    def add(self, place: np.ndarray, first: int) -> None:
        """Add whole blocks: `place` is int[n_blocks, n_games, n_seats] by seat, `first` the first block's number."""
        by_item = np.take_along_axis(place, np.broadcast_to(self.order, place.shape), axis=2).astype(np.int64)
        for entrant in np.unique(self.items):
            copies = self.items == entrant
            if copies.sum() > 1:
                by_item[:, :, copies] = np.sort(by_item[:, :, copies], axis=2)
        code = by_item @ self.base
        fresh = np.setdiff1d(code, self.codes)
        if fresh.size:
            self.codes = np.concatenate([self.codes, fresh])
            self.groups = np.pad(self.groups, ((0, 0), (0, fresh.size)))
            self.second = np.pad(self.second, ((0, fresh.size), (0, fresh.size)))
        rank = np.argsort(self.codes)
        column = rank[np.searchsorted(self.codes, code, sorter=rank)]
        n, width = len(code), len(self.codes)
        flat = column + width * np.arange(n)[:, None]
        counts = np.bincount(flat.ravel(), minlength=n * width).reshape(n, width)
        real = counts.astype(np.float64)
        self.second += real.T @ real
        group = (first + np.arange(n)) * len(self.groups) // self.n_blocks
        np.add.at(self.groups, group, counts)

    def result(self, strategies: np.ndarray, per_block: int) -> LineupPlaces:
        """Return what was counted, patterns in rising order; `strategies` numbers the entrants."""
        rank = np.argsort(self.codes)
        places = self.codes[rank][:, None] // self.base % (len(self.items) + 1)
        items = strategies[self.items]
        turned = np.argsort(items, kind="stable")
        groups = self.groups[:, rank]
        return LineupPlaces(
            items[turned],
            places[:, turned],
            groups.sum(axis=0),
            self.second[np.ix_(rank, rank)],
            groups,
            self.n_blocks,
            per_block,
        )


def count_places(place: np.ndarray, seats: np.ndarray, seating: np.ndarray, strategies: np.ndarray) -> LineupPlaces:
    """Count the patterns of places that are in memory.

    Parameters
    ----------
    place : int[n_blocks, n_games, n_seats]
        By seat.
    seats, seating
        As `simcore.blocks.entrants` and `seatings` return them.
    strategies : int64[n_entrants]
        The number of each entrant in the tournament.
    """
    counter = _Counter(seats, seating, len(place))
    for first in range(0, len(place), SLICE):
        counter.add(place[first : first + SLICE], first)
    return counter.result(strategies, len(seating))


def read_places(result: Any, names: Sequence[str]) -> LineupPlaces:
    """Count the patterns of places of a complete run that kept them.

    Parameters
    ----------
    result : simcore.store.RunResult
    names : sequence of str
        The tournament's strategies.
    """
    entrants, seats = blocks.entrants(result.manifest["lineup"])
    seating = blocks.seatings(seats, result.manifest["seating"])
    counter = _Counter(seats, seating, int(result.n_blocks))
    first = 0
    for place in _read(result.folder / GAMES_NAME):
        whole = place.reshape(-1, *seating.shape)
        for at in range(0, len(whole), SLICE):
            counter.add(whole[at : at + SLICE], first + at)
        first += len(whole)
    return counter.result(np.array([names.index(name) for name in entrants]), len(seating))


def _read(folder: Path) -> Iterator[np.ndarray]:
    """Yield the places of each file of per-game rows: int16[n_rows], whole blocks in order."""
    import pyarrow.parquet as pq

    for path in sorted(folder.glob("*.parquet")):
        yield pq.read_table(path, columns=["place"]).column("place").to_numpy()
