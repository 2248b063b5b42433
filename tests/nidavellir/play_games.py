"""Whole games for tests: policies that reach many positions, recorded games, rows of many games."""

from functools import cache

import numpy as np
from table import edition

from simcore.accel import compile_decision
from simcore.contract import MAX_PARAMS, no_handicap
from simcore.luck import draw_below_nb
from simcore.nidavellir.cards import fill_edition
from simcore.nidavellir.game import play_blocks_nb
from simcore.nidavellir.layout import (
    CHOOSE_CARD,
    CHOOSE_HERO,
    GAME,
    HIDDEN,
    N_CLASSES,
    N_DECISIONS,
    N_SLOTS,
    OWN,
    ROYAL_OFFERING,
)

ANY, MOVES, LINES = range(3)
"""Policies: any option; any of the measured engine's moves (strategies.md section 5); any, but cards for lines."""
POLICIES = ("any", "moves", "lines")


def choose(game, own, n_options):
    """Choose at random, as ``own.param[0]`` says: one of the policies above."""
    if own.decision == CHOOSE_HERO and own.param[0] == 1:
        drawn = draw_below_nb(own.luck, n_options + N_CLASSES - 1)
        for i in range(n_options):  # Thrud is five moves there, one a column
            if own.option[i] == game.edition.thrud:
                return i if drawn >= n_options else drawn
        return draw_below_nb(own.luck, n_options)
    drawn = draw_below_nb(own.luck, n_options)
    if own.decision == CHOOSE_CARD and own.param[0] == 2:
        fewest = 1000
        for k in range(n_options):
            i = (drawn + k) % n_options
            c = game.edition.card_class[own.option[i]]
            ranks = 6 if c == ROYAL_OFFERING else game.pl[own.seat].rank[c]
            if ranks < fewest:
                fewest = ranks
                best = i
        return best
    return drawn


@cache
def _address() -> tuple[int, object]:
    return compile_decision(choose, GAME, OWN, cached=False)


class Record:
    """Records of a game, allocated once, and the call of the engine.

    Parameters
    ----------
    n_players : int
    name, rules
        Edition and switches.
    """

    def __init__(self, n_players: int, name: str = "official", **rules: str):
        self.edition = edition(name, **rules)
        self.n_players = n_players
        self._games, self._hiddens = np.zeros(1, GAME), np.zeros(1, HIDDEN)
        self.game, self.hidden = self._games[0], self._hiddens[0]
        fill_edition(self.edition, n_players, self.game)
        self.handicap = np.tile(no_handicap(), (n_players, 1))

    def play(self, seed: int, block: int = 0, policies: tuple[int, ...] = (ANY,), n_blocks: int = 1) -> np.ndarray:
        """Play blocks of one game and return their rows ``int64[n_blocks, n_players, N_SLOTS]``.

        The policies go round the table.
        """
        seating = np.array([[seat % len(policies) for seat in range(self.n_players)]])
        param = np.zeros((len(policies), MAX_PARAMS), np.int64)
        param[:, 0] = policies
        rows = np.zeros((n_blocks, 1, self.n_players, N_SLOTS), np.int64)
        self.hidden.n_events = 0
        play_blocks_nb(
            self._games,
            self._hiddens,
            np.full((len(policies), N_DECISIONS), _address()[0], np.uint64),
            param,
            np.zeros(len(policies), np.uint64),
            np.zeros(len(policies), np.int64),
            self.handicap[: len(policies)],
            seating,
            np.uint64(seed),
            block,
            0,
            n_blocks,
            rows,
        )
        return rows[:, 0]

    def record(self, seed: int, block: int = 0, policies: tuple[int, ...] = (ANY,)) -> tuple[np.ndarray, np.ndarray]:
        """Play one game and return its events and rows ``int64[n_players, N_SLOTS]``."""
        self.hidden.recording = 1
        rows = self.play(seed, block, policies)[0]
        self.hidden.recording = 0
        return self.hidden.event[: self.hidden.n_events].copy(), rows
