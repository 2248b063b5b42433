"""Runs of cases that were never played: rows made by a rule that is known, in a folder as a run leaves it."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd

from simcore.contract import WIN_UNITS, Column
from simcore.games_file import GAMES_NAME


def made_run(
    folder: Path, seats: np.ndarray, win: np.ndarray, score: np.ndarray, names=("a", "b"), flags=None, length=None
):
    """Return a run: `seats` int[per_block, n_seats] are the strategies, the rest [n_blocks, per_block, n_seats].

    `win` in sixtieths; `flags`: name -> bool array of the same shape.
    """
    n_blocks, per_block, n_seats = win.shape
    folder.mkdir(parents=True, exist_ok=True)
    rivals = np.stack([np.delete(score, seat, axis=2).max(axis=2) for seat in range(n_seats)], axis=2)
    codes = np.broadcast_to(seats, win.shape)
    table = pd.DataFrame(
        {
            "block": np.repeat(np.arange(n_blocks), per_block * n_seats),
            "seat": np.tile(np.arange(n_seats), n_blocks * per_block),
            "strategy": pd.Categorical.from_codes(codes.ravel(), list(names)),
            "win": win.ravel(),
            "score": score.ravel(),
            "margin": (score - rivals).ravel(),
            "n_decisions": np.repeat(np.full(n_blocks * per_block, 40) if length is None else length.ravel(), n_seats),
            **{name: value.ravel().astype(np.int64) for name, value in (flags or {}).items()},
        }
    )
    table.to_parquet(folder / GAMES_NAME)
    columns = tuple(Column(name, name, slot, "flag", "thing") for slot, name in enumerate(flags or {}))
    return SimpleNamespace(
        complete=True,
        folder=folder,
        names=tuple(names),
        n_seats=n_seats,
        n_blocks=n_blocks,
        n_games=n_blocks * per_block,
        games_per_block=per_block,
        columns=columns,
    )


def rotations(n_seats: int) -> np.ndarray:
    """Return all seatings of as many strategies as seats."""
    return np.array([[(seat + turn) % n_seats for seat in range(n_seats)] for turn in range(n_seats)])


def won(score: np.ndarray) -> np.ndarray:
    """Return the sixtieths that each seat wins."""
    best = score == score.max(axis=2, keepdims=True)
    return np.where(best, WIN_UNITS // best.sum(axis=2, keepdims=True), 0)
