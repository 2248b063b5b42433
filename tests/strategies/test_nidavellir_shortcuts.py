"""What the strategies of Nidavellir look up or work out without a branch is what a plain calculation gives."""

import random

import numpy as np
import pytest

from simcore.nidavellir.bids import BID_SLOTS
from simcore.nidavellir.coins import find_coin_nb
from simcore.nidavellir.layout import MAX_COIN_VALUE, N_COINS, NOWHERE
from simcore.nidavellir.spec import SPEC
from strategies.nidavellir.bidding import divided_nb, two_highest_nb
from strategies.nidavellir.coin_planning import coin_brought_nb
from strategies.nidavellir.tables import TOP_COIN, prepare
from strategies.nidavellir.weights import WEIGHTS


@pytest.fixture(scope="module")
def prepared():
    """A game record, and the table that the shared heuristic prepares for it."""
    games = SPEC.filled(SPEC.load_edition(), 4)
    return games[0], prepare(games[0], WEIGHTS)


def test_a_target_brings_the_coin_that_the_rule_brings(prepared):
    """Rule 6.4, with ever fewer coins in the treasure and at last none."""
    game, table = prepared
    rng = random.Random(1)
    for n_kinds in (20, 5, 2, 1, 0):
        for _ in range(10):
            game.treasure[:] = 0
            for value in rng.sample(range(5, int(table[TOP_COIN]) + 1), n_kinds):
                game.treasure[value] = 1
            for target in range(2 * int(table[TOP_COIN]) + 1):
                coin = int(find_coin_nb(game.treasure, target))
                expected = -7 if coin == NOWHERE else coin
                assert coin_brought_nb(game, table, target, -7) == expected, target


def test_a_look_up_divides_like_a_division(prepared):
    _, table = prepared
    rng = random.Random(2)
    near = [n * by + d for n in (0, 1, 1000) for by in range(1, 2 * MAX_COIN_VALUE) for d in (-1, 0, 1)]
    bounds = [(1 << 26) - 1, 1 << 26, (1 << 26) + 1, 1 << 40, -1, -(1 << 30)]
    for number in [*near, *bounds, *(rng.randrange(1 << 26) for _ in range(300))]:
        for by in (1, 2, 3, 7, 25, 50, 2 * MAX_COIN_VALUE):
            assert divided_nb(table, number, by) == number // by


def test_the_two_highest_coins_go_where_the_cards_differ_most():
    rng = random.Random(3)
    for _ in range(2000):
        coin = np.array([0, *(rng.randint(2, 9) for _ in range(N_COINS - 1))], np.int64)
        spreads = [rng.randint(0, 3) for _ in range(3)]
        taverns = sorted(range(3), key=lambda tavern: -spreads[tavern])  # of equal ones the first
        slots = sorted(range(1, N_COINS), key=lambda slot: -coin[slot])
        bid = BID_SLOTS[two_highest_nb(coin, *spreads)]
        assert [bid[tavern] for tavern in taverns] == [slots[0], slots[1], 0]
