"""Whole games of Reavers of Midgard for tests: simple policies, recorded games, rows of many games."""

from functools import cache

import numpy as np

from simcore.accel import INTERPRETED, compile_decision
from simcore.contract import MAX_PARAMS, no_handicap
from simcore.luck import draw_below_nb
from simcore.reavers.cards import fill_edition, load_edition
from simcore.reavers.game import play_blocks_nb
from simcore.reavers.layout import GAME, HIDDEN, N_DECISIONS, N_SLOTS, OWN

ANY, FIRST, LAST, MOSTLY_FIRST = range(4)
"""Policies: any option; the first; the last; the first three times out of four, which acts, pays and fights more."""


def some(n: int) -> int:
    """Return `n`, or far fewer where the engine is plain Python."""
    return max(2, n // 15) if INTERPRETED else n


def choose(game, own, n_options):
    """Choose as ``own.param[0]`` says: one of the policies above."""
    if own.param[0] == 1:
        return 0
    if own.param[0] == 2:
        return n_options - 1
    drawn = draw_below_nb(own.luck, n_options)
    if own.param[0] == 3 and draw_below_nb(own.luck, 4) > 0:
        return 0
    return drawn


@cache
def address():
    """Address and owner of `choose`, compiled once."""
    return compile_decision(choose, GAME, OWN, cached=False)


@cache
def edition(name: str = "published", **rules: str):
    """An edition with switches on top; read once."""
    return load_edition(name, rules)


class Record:
    """Records of a game, allocated once, and the call of the engine.

    Parameters
    ----------
    n_players : int
    policies : tuple of int
        One a seat; repeated as needed.
    name, rules
        Of the edition.
    """

    def __init__(self, n_players: int, policies=(ANY,), name: str = "published", **rules: str):
        self.n_players = n_players
        self.edition = edition(name, **rules)
        self.games = np.zeros(1, GAME)
        self.hiddens = np.zeros(1, HIDDEN)
        fill_edition(self.edition, n_players, self.games[0])
        self.handicap = np.tile(no_handicap(), (n_players, 1))
        self.policies = np.array([policies[i % len(policies)] for i in range(n_players)])

    @property
    def game(self):
        return self.games[0]

    @property
    def hidden(self):
        return self.hiddens[0]

    def play(self, first_block: int = 0, n_blocks: int = 1, seed: int = 1, seating=None) -> np.ndarray:
        """Play blocks of games and return their rows."""
        n = self.n_players
        seating = np.arange(n)[None, :] if seating is None else np.asarray(seating)
        rows = np.zeros((n_blocks, len(seating), n, N_SLOTS), np.int64)
        addresses = np.full((n, N_DECISIONS), address()[0], np.uint64)
        param = np.zeros((n, MAX_PARAMS), np.int64)
        param[:, 0] = self.policies
        nothing = np.zeros(n, np.uint64)
        play_blocks_nb(
            self.games,
            self.hiddens,
            addresses,
            param,
            nothing,
            np.zeros(n, np.int64),
            self.handicap,
            seating.astype(np.int64),
            np.uint64(seed),
            first_block,
            0,
            n_blocks,
            rows,
        )
        return rows

    def events(self, block: int = 0, seed: int = 1) -> np.ndarray:
        """Play one game and return its events."""
        self.hidden.recording = 1
        self.hidden.n_events = 0
        self.play(block, seed=seed)
        self.hidden.recording = 0
        n = int(self.hidden.n_events)
        assert n <= len(self.hidden.event)
        return self.hidden.event[:n].copy()
