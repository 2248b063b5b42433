"""How games unfold: the standing at the end of each round, from a sample of a run's blocks played again.

Result rows hold how a game ended. For what came before, the run's first blocks are played again by the same compiled
game with ``hidden.noting`` on: at the end of each round it writes what the result rows would be, had the game ended
there. What is kept of that are sums over blocks, exact integers like those of the run (`simcore.sums`).
"""

from __future__ import annotations

import io
import zipfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields

import numpy as np

from simcore import chunks
from simcore.play import Plan, Table

SAMPLE_GAMES = 2000
"""Games of a sample, rounded up to whole blocks: shares are known to about two percentage points then."""

SCORE, LEAD = 0, 1
"""Places of these two among a game's standing columns."""


@dataclass(frozen=True)
class Sample:
    """Sums over the blocks of a sample; those called ``..._square`` are sums of squared block values.

    Attributes
    ----------
    size : int64[2]
        Blocks of the sample, games of each block.
    total, total_square : int64[n_entrants, n_rounds, n_columns]
        Of the game's standing columns, over the games of a block and all copies of an entrant.
    leader_wins, leader_wins_square : int64[n_rounds]
        Wins of who led after each round, in ``WIN_UNITS**2``: of k who share the lead each counts 1/k, and so it is
        with shared wins.
    decided, decided_square, decided_by, decided_by_square : int64[n_rounds]
        Games decided in this round, and in this or an earlier one. It is the first one after which those lead who win
        in the end, and from then on always.
    changes, changes_square : int64[n_rounds]
        Games with so many changes of the lead, from 0: a change is counted when somebody leads alone who was not the
        last to do so.
    n_changes, n_changes_square, deciding_round, deciding_round_square : int64[1]
        Changes of the lead, and numbers of the deciding rounds from 1, over all games.
    """

    size: np.ndarray
    total: np.ndarray
    total_square: np.ndarray
    leader_wins: np.ndarray
    leader_wins_square: np.ndarray
    decided: np.ndarray
    decided_square: np.ndarray
    decided_by: np.ndarray
    decided_by_square: np.ndarray
    changes: np.ndarray
    changes_square: np.ndarray
    n_changes: np.ndarray
    n_changes_square: np.ndarray
    deciding_round: np.ndarray
    deciding_round_square: np.ndarray

    @property
    def n_blocks(self) -> int:
        """Blocks of the sample."""
        return int(self.size[0])

    @property
    def games_per_block(self) -> int:
        """Games of a block."""
        return int(self.size[1])

    @property
    def n_rounds(self) -> int:
        """Rounds of a game."""
        return int(self.total.shape[1])


def sample_blocks(n_blocks: int, games_per_block: int) -> int:
    """Return how many blocks the sample of a run of `n_blocks` has."""
    return min(n_blocks, -(-SAMPLE_GAMES // games_per_block))


def play_sample(plan: Plan, n_blocks: int, n_threads: int = 1) -> Sample:
    """Play the first `n_blocks` blocks of a plan again and sum up how they unfold.

    Parameters
    ----------
    plan : Plan
    n_blocks : int
    n_threads : int
        They share the blocks; the sample is the same for any number.
    """
    slots = [column.slot for column in plan.spec.standing_columns]
    bounds = [n_blocks * i // n_threads for i in range(n_threads + 1)]

    def play(first: int, stop: int) -> list[np.ndarray]:
        table = Table(plan)
        return [table.play_standings(block, slots) for block in range(first, stop)]

    with ThreadPoolExecutor(n_threads) as pool:
        parts = list(pool.map(play, bounds[:-1], bounds[1:]))
    return sum_up(np.stack([block for part in parts for block in part]), plan.seating, len(plan.entrants))


def sum_up(standings: np.ndarray, seating: np.ndarray, n_entrants: int) -> Sample:
    """Sum up standings.

    Parameters
    ----------
    standings : int64[n_blocks, n_games, n_rounds, n_seats, n_columns]
        The columns `SCORE` and `LEAD`, then any.
    seating : int64[n_games, n_seats]
        The entrant in each seat.
    n_entrants : int
    """
    n_blocks, n_games, n_rounds = standings.shape[:3]
    by_entrant = np.stack(
        [np.einsum("bgrsc,gs->brc", standings, (seating == entrant).astype(np.int64)) for entrant in range(n_entrants)]
    )
    lead = standings[..., LEAD]
    won = lead[:, :, -1]
    decided = _deciding_round(lead > 0)
    changes = _lead_changes(lead > 0)
    numbers = np.arange(n_rounds)
    in_round = (decided[..., None] == numbers + 1).sum(axis=1)
    values = {
        "total": np.moveaxis(by_entrant, 0, 1),
        "leader_wins": np.einsum("bgrs,bgs->br", lead, won),
        "decided": in_round,
        "decided_by": in_round.cumsum(axis=1),
        "changes": (changes[..., None] == numbers).sum(axis=1),
        "n_changes": changes.sum(axis=1)[:, None],
        "deciding_round": decided.sum(axis=1)[:, None],
    }
    sums: dict[str, np.ndarray] = {"size": np.array([n_blocks, n_games])}
    for name, value in values.items():
        sums |= {name: value.sum(axis=0), f"{name}_square": (value * value).sum(axis=0)}
    return Sample(**sums)


def _deciding_round(leads: np.ndarray) -> np.ndarray:
    """Return the first round, from 1, after which those lead who win, and from then on always: int64[..., n_games].

    `leads` is bool[..., n_games, n_rounds, n_seats].
    """
    as_in_the_end = (leads == leads[..., -1:, :]).all(axis=-1)
    n_rounds = as_in_the_end.shape[-1]
    return n_rounds + 1 - np.cumprod(as_in_the_end[..., ::-1], axis=-1, dtype=np.int64).sum(axis=-1)


def _lead_changes(leads: np.ndarray) -> np.ndarray:
    """Return how often somebody leads alone who was not the last to do so: int64[..., n_games]; `leads` as above."""
    alone = np.where(leads.sum(axis=-1) == 1, leads.argmax(axis=-1), -1)
    last = alone[..., 0].copy()
    changes = np.zeros(last.shape, np.int64)
    for now in np.moveaxis(alone, -1, 0)[1:]:
        changes += (now >= 0) & (last >= 0) & (now != last)
        last = np.where(now >= 0, now, last)
    return changes


def pack(sample: Sample, identity: str) -> bytes:
    """Return the bytes of a sample's file; `identity` is the hash of the run's manifest."""
    return chunks.pack_arrays(identity, [(field.name, getattr(sample, field.name)) for field in fields(Sample)])


def unpack(data: bytes, identity: str) -> Sample | None:
    """Read `pack`; None if it is damaged or of another run."""
    names = [field.name for field in fields(Sample)]
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as archive:
            if str(archive["manifest"][0]) != identity:
                return None
            return Sample(**{name: archive[name] for name in names})
    except (OSError, ValueError, KeyError, IndexError, EOFError, zipfile.BadZipFile):
        return None
