"""Blocks of a made-up game whose truth is known: many runs at once for coverage, or one run as a `RunResult`.

A game: every seat's score is its entrant's strength plus the seat's luck, which all seatings of a block share, plus
noise of its own. The highest score wins, ties share. A seat has the flag where its flag luck (shared as well) exceeds a
threshold of its entrant; the flag adds to the score. So flags, scores and wins depend on each other within and across
the games of a block, as in a real game.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from simcore.blocks import copies, entrants, seatings
from simcore.contract import Column
from simcore.store import RunResult
from simcore.sums import Sums, SumsLayout

COLUMNS = (
    Column("win", "win share", 0, "outcome", unit="sixtieths of a win"),
    Column("score", "score", 1, "outcome", unit="points", low=0, high=200),
    Column("margin", "margin", 2, "outcome", unit="points", low=-100, high=100),
    Column("place", "place", 3, "outcome", low=1, high=5),
    Column("gold", "gold", 4, "component", unit="points"),
    Column("fame", "fame", 5, "component", unit="points"),
    Column("fixed", "always the same", 6, "measure", "other", "cards"),
    Column("coins_round_1", "coins after round 1", 7, "measure", "coins_by_round", "coins"),
    Column("hero_a", "Hourya", 8, "flag", "hero"),
    Column("hero_never", "Nobody", 9, "flag", "hero"),
    Column("hero_always", "Everybody", 10, "flag", "hero"),
    *(Column(f"seat_{s + 1}", f"seat {s + 1}", 11 + s, "flag", "seat") for s in range(5)),
)


@dataclass
class World:
    """A game and a line-up.

    `strength`, `threshold`: by entrant, in points and in standard deviations of the flag's luck.
    """

    lineup: str = "ABCD"
    strength: tuple[float, ...] = (1.0, 0.5, 0.0, -0.5)
    threshold: tuple[float, ...] = (0.5, 0.8, 0.3, 1.0)
    mode: str = "rotations"
    shared: float = 6.0
    own: float = 6.0
    flag_points: float = 3.0
    names: tuple[str, ...] = field(init=False)
    seating: np.ndarray = field(init=False)

    def __post_init__(self):
        self.names, seats = entrants(list(self.lineup))
        self.copies = copies(seats)
        self.seating = seatings(seats, self.mode)

    def play(self, n_blocks: int, seed: int, own_seed: int | None = None) -> dict[str, np.ndarray]:
        """Return arrays [block, game, seat]: score, win (sixtieths), flag; `own_seed` is of what games do not share."""
        rng = np.random.default_rng(seed)
        n_games, n_seats = self.seating.shape
        shape = (n_blocks, n_games, n_seats)
        luck = rng.normal(0, self.shared, (n_blocks, 1, n_seats))
        flag_luck = rng.normal(0, 1, (n_blocks, 1, n_seats)) + 0.5 * rng.normal(0, 1, shape)
        flag = flag_luck > np.array(self.threshold)[self.seating]
        noise = rng if own_seed is None else np.random.default_rng(own_seed)
        score = 60 + np.array(self.strength)[self.seating] + luck + noise.normal(0, self.own, shape)
        score = np.rint(score + self.flag_points * flag).astype(np.int64)
        best = score == score.max(axis=2, keepdims=True)
        win = np.where(best, 60 // best.sum(axis=2, keepdims=True), 0)
        return {"score": score, "win": win, "flag": flag.astype(np.int64)}

    def by_block(self, values: np.ndarray, entrant: int) -> np.ndarray:
        """Return block values [block] of an entrant."""
        return (values * (self.seating == entrant)).sum(axis=(1, 2))

    def rows(self, n_blocks: int, seed: int) -> np.ndarray:
        """Return result rows as a game's kernel would."""
        games = self.play(n_blocks, seed)
        score = games["score"]
        ordered = np.sort(score, axis=2)
        rival = np.where(score == ordered[..., -1:], ordered[..., -2:-1], ordered[..., -1:])
        rows = np.zeros((*score.shape, 16), np.int64)
        rows[..., 0], rows[..., 1], rows[..., 2] = games["win"], score, score - rival
        rows[..., 3] = 1 + (score[..., None, :] > score[..., :, None]).sum(axis=-1)
        rows[..., 4] = score // 3
        rows[..., 5] = score - score // 3
        rows[..., 6] = 7
        rows[..., 7] = 10 + 2 * self.seating + score % 5
        rows[..., 8] = games["flag"]
        rows[..., 10] = 1
        for seat in range(score.shape[2]):
            rows[..., seat, 11 + seat] = 1
        return rows

    def result(self, n_blocks: int, seed: int = 1, planned: int | None = None) -> RunResult:
        """Return a run of this game."""
        return result_of(self, self.rows(n_blocks, seed), planned)


def result_of(world: World, rows: np.ndarray, planned: int | None = None) -> RunResult:
    """Return the run that has these result rows."""
    n_blocks, n_games, n_seats, _ = rows.shape
    columns = tuple(c for c in COLUMNS if c.slot < 11 + n_seats)
    layout = SumsLayout(columns, len(world.names))
    sums = Sums(layout)
    sums.add_blocks(rows, world.seating, 0)
    manifest = {
        "title": "Made-up",
        "n_players": n_seats,
        "lineup": list(world.lineup),
        "seating": world.mode,
        "n_games_per_block": n_games,
        "n_blocks": planned or n_blocks,
        "n_games": (planned or n_blocks) * n_games,
        "edition": {
            "name": "made-up",
            "sentence": "All 3 table rows are sourced.",
            "rules": {},
            "digest": "00",
        },
        "entrants": [],
    }
    return RunResult(
        Path("made-up"),
        manifest,
        columns,
        layout,
        sums,
        planned is None,
        world.names,
        world.copies,
        n_blocks,
        n_blocks * n_games,
        n_seats,
        n_games,
    )
