"""Which coin on which tavern (H5, H6, H7, H15).

A bid's worth is a matrix [tavern, coin slot] of what each coin wins at each tavern, plus what the coins will come to
after the exchange. The matrix is filled in one of two ways: by the spread of a tavern's cards (`fill_by_spread_nb`),
or by the place in the turn order that the coin will get against what the rivals can bid (`rank_bidding.py`). The 60
bids then cost a few additions each.
"""

from itertools import combinations, permutations, product

import numpy as np

from simcore.accel import array_at, contained_kernel, kernel
from simcore.nidavellir.layout import EXCHANGE_SLOT, N_COINS, N_TAVERNS
from strategies.explaining import tell_nb
from strategies.nidavellir.coin_planning import coins_value_nb, exchange_value_nb, plan_row_nb
from strategies.nidavellir.memory import HERO, POUCHES, ROUND, WORTH
from strategies.nidavellir.recruiting import next_hero_value_nb
from strategies.nidavellir.tables import MAX_PICKS, RECIPROCAL
from strategies.nidavellir.valuing import card_value_nb, picks_left_nb, value_army_nb, value_own_nb
from strategies.nidavellir.weights import BID_SPREAD, COIN_GROWTH, HERO_WORTH, ONE

_BIDS = list(permutations(range(N_COINS), N_TAVERNS))
N_BIDS = len(_BIDS)
_PAIRS = list(combinations(range(N_COINS), 2))
BID_AT = np.array(
    [
        [
            *(WORTH + N_COINS * tavern + slot for tavern, slot in enumerate(bid)),
            POUCHES + _PAIRS.index(tuple(sorted({*range(N_COINS)} - {*bid}))),
        ]
        for bid in _BIDS
    ],
    np.int64,
)
"""[bid]: where in the memory its three worths and its pouch stand; bids in the order of the options (rule 4.1)."""
DEPTH = 64
"""More than there are bids."""


@contained_kernel
def has_begun_nb(game, own):
    """Return whether the seats have been valued in this round."""
    return own.memory[ROUND] == 16 * game.age + game.round_number


@kernel
def begin_round_nb(game, own, table):
    """Value the next hero and the classes of every seat (once a round)."""
    if has_begun_nb(game, own):
        return
    own.memory[ROUND] = 16 * game.age + game.round_number
    own.memory[HERO] = next_hero_value_nb(game, own, table)
    picks = picks_left_nb(game)
    hero = own.param[HERO_WORTH] * ONE
    for seat in range(game.n_players):
        if seat != own.seat:
            value_army_nb(game, own, table, seat, min(picks, MAX_PICKS - 1), hero)
    value_own_nb(game, own, table, picks)


@kernel
def fill_pouches_nb(game, own, table):
    """Write what the coins come to with each pair in the pouch into ``own.memory[POUCHES:]``, 1/256 point (H6)."""
    memory = own.memory
    coin = game.pl[own.seat].coin
    a, b, c, d = coin[1], coin[2], coin[3], coin[4]
    growth = own.param[COIN_GROWTH]
    row = plan_row_nb(table, game.rounds_left)
    kept = coins_value_nb(table, row, a, b, c, d) * growth >> 8
    for slot in range(1, N_COINS):
        memory[POUCHES + slot - 1] = kept
    at = POUCHES + N_COINS - 1  # the pairs without the exchange coin: it is bid, so they are exchanged
    memory[at] = exchange_value_nb(game, table, row, a, b, c, d) * growth >> 8
    memory[at + 1] = exchange_value_nb(game, table, row, a, c, b, d) * growth >> 8
    memory[at + 2] = exchange_value_nb(game, table, row, a, d, b, c) * growth >> 8
    memory[at + 3] = exchange_value_nb(game, table, row, b, c, a, d) * growth >> 8
    memory[at + 4] = exchange_value_nb(game, table, row, b, d, a, c) * growth >> 8
    memory[at + 5] = exchange_value_nb(game, table, row, c, d, a, b) * growth >> 8


@contained_kernel
def with_two_nb(memory, best, a, b, c, d, e):
    """Return the better of `best` and of the bids with the coins a < b at the first two taverns, c < d < e being left.

    A bid is given as `DEPTH` x its worth - its number: of equal ones the first is the best.
    """
    goblin, dragon, horse = WORTH, WORTH + N_COINS, WORTH + 2 * N_COINS
    ascending = DEPTH * (memory[goblin + a] + memory[dragon + b]) - 12 * a - 3 * (b - 1)
    descending = DEPTH * (memory[goblin + b] + memory[dragon + a]) - 12 * b - 3 * a
    two = max(ascending, descending)
    best = max(best, two + DEPTH * (memory[horse + c] + memory[pouch_at_nb(d, e)]))
    best = max(best, two + DEPTH * (memory[horse + d] + memory[pouch_at_nb(c, e)]) - 1)
    return max(best, two + DEPTH * (memory[horse + e] + memory[pouch_at_nb(c, d)]) - 2)


@contained_kernel
def pouch_at_nb(a, b):
    """Return where the worth of a pouch with the coins a < b stands in the memory."""
    return POUCHES + a * (2 * N_COINS - 1 - a) // 2 + b - a - 1


@kernel
def best_bid_nb(game, own, table):
    """Return the index of the bid with the most worth: `memory.WORTH` of its three coins and its pouch."""
    fill_pouches_nb(game, own, table)
    memory = own.memory
    for bid in range(N_BIDS):
        value = memory[BID_AT[bid, 0]] + memory[BID_AT[bid, 1]] + memory[BID_AT[bid, 2]] + memory[BID_AT[bid, 3]]
        tell_nb(bid, value, ONE)
    best = with_two_nb(memory, -(1 << 62), 0, 1, 2, 3, 4)
    best = with_two_nb(memory, best, 0, 2, 1, 3, 4)
    best = with_two_nb(memory, best, 0, 3, 1, 2, 4)
    best = with_two_nb(memory, best, 0, 4, 1, 2, 3)
    best = with_two_nb(memory, best, 1, 2, 0, 3, 4)
    best = with_two_nb(memory, best, 1, 3, 0, 2, 4)
    best = with_two_nb(memory, best, 1, 4, 0, 2, 3)
    best = with_two_nb(memory, best, 2, 3, 0, 1, 4)
    best = with_two_nb(memory, best, 2, 4, 0, 1, 3)
    best = with_two_nb(memory, best, 3, 4, 0, 1, 2)
    return -best & (DEPTH - 1)


@kernel
def usual_coin_nb(game, seat):
    """Return the mean of the rivals' coins, the exchange coins left out, at least 1."""
    total = 0
    for other in range(game.n_players):
        if other != seat:
            coin = game.pl[other].coin
            total += coin[1] + coin[2] + coin[3] + coin[4]
    return max(1, total // (4 * (game.n_players - 1)))


@contained_kernel
def spread_nb(game, own, table, tavern):
    """Return what the best card of a tavern is worth to oneself above the worst, 1/256 point."""
    best = card_value_nb(game, own, table, game.card[tavern, 0])
    worst = best
    for place in range(1, game.n_cards[tavern]):
        value = card_value_nb(game, own, table, game.card[tavern, place])
        best = max(best, value)
        worst = min(worst, value)
    return best - worst


@contained_kernel
def divided_nb(table, number, by):
    """Return ``number // by`` for a divisor of at most two coins: a processor takes its time for a division."""
    if number >> 26 == 0:
        return (number * table[RECIPROCAL + by]) >> 34
    return number // by


@kernel
def fill_by_spread_nb(game, own, table):
    """Fill the worth of each coin at each tavern: the spread of its cards x coin / (coin + usual coin) (H5)."""
    usual = usual_coin_nb(game, own.seat)
    coin = game.pl[own.seat].coin
    for tavern in range(N_TAVERNS):
        spread = spread_nb(game, own, table, tavern) * own.param[BID_SPREAD] >> 8
        for slot in range(N_COINS):
            worth = divided_nb(table, spread * coin[slot], coin[slot] + usual)
            own.memory[WORTH + N_COINS * tavern + slot] = worth


def _two_highest_bids():  # type: ignore[no-untyped-def]
    """Return int64[512]: the bid by which the two highest coins and the order of the taverns: see `two_highest_nb`."""
    bids = np.zeros((8, 8, 2, 2, 2), np.int64)
    for first, second in permutations(range(1, N_COINS), 2):
        for more_10, more_20, more_21 in product(range(2), repeat=3):
            coins = (first, second, EXCHANGE_SLOT)
            places = more_10 + more_20, 1 - more_10 + more_21, 2 - more_20 - more_21
            if sorted(places) == [0, 1, 2]:  # two sets of comparisons contradict themselves
                bid = _BIDS.index(tuple(coins[place] for place in places))
                bids[N_COINS - first, N_COINS - second, more_10, more_20, more_21] = bid
    return bids.ravel()


TWO_HIGHEST = _two_highest_bids()


@contained_kernel
def two_highest_nb(coin, spread_0, spread_1, spread_2):
    """Return the bid of the highest coin where the spread is largest, the second there next, the exchange coin last.

    No branch, as no processor guesses which coins these are. Of equal coins the first goes before.
    """
    a, b = 8 * coin[1] + N_COINS - 1, 8 * coin[2] + N_COINS - 2
    c, d = 8 * coin[3] + N_COINS - 3, 8 * coin[4] + N_COINS - 4
    high_1, low_1 = max(a, b), min(a, b)
    high_2, low_2 = max(c, d), min(c, d)
    first = max(high_1, high_2)
    second = max(min(high_1, high_2), max(low_1, low_2))
    order = 4 * (spread_1 > spread_0) + 2 * (spread_2 > spread_0) + (spread_2 > spread_1)
    return TWO_HIGHEST[64 * (first & 7) + 8 * (second & 7) + order]


@kernel
def choose_bid_nb(game, own, n_options):
    """Return the bid by spread."""
    table = array_at(own.table, own.n_table)
    begin_round_nb(game, own, table)
    fill_by_spread_nb(game, own, table)
    return best_bid_nb(game, own, table)
