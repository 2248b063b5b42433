"""Coins: what they will grow to, which one to raise, which two to exchange (H3, H6, H11)."""

import numpy as np

from simcore.accel import array_at, contained_kernel, kernel, separate_kernel
from simcore.nidavellir.layout import BRONZE, EXCHANGE_SLOT, GAME, HAND, N_COINS, N_TAVERNS, NOWHERE, POUCH
from strategies.explaining import tell_nb
from strategies.nidavellir.memory import LEFT
from strategies.nidavellir.tables import FOURTH, N_STATES, N_STEPS, PLAN, SECOND, THIRD, TOP_COIN
from strategies.nidavellir.weights import ONE

EXCHANGE_ORDER = np.array(
    [sorted(range(1, N_COINS), key=lambda slot: not pouch >> slot - 1 & 1) for pouch in range(1 << N_COINS - 1)],
    np.int64,
).ravel()
"""[4 x set of slots in the pouch, one bit each, + i]: the slots in the pouch, then the others."""


@contained_kernel
def plan_row_nb(table, rounds):
    """Return where the plan for `rounds` more rounds begins, in sets of coins."""
    return min(rounds, table[N_STEPS]) * table[N_STATES]


@contained_kernel
def ascending_value_nb(table, row, first, second, third, last):
    """Return what four coins in ascending order will come to, 1/256 point (the table of H6)."""
    number = row + first + table[SECOND + second] + table[THIRD + third] + table[FOURTH + last]
    return ((table[PLAN + (number >> 2)] >> ((number & 3) << 4)) & 65535) << 2


@contained_kernel
def coins_value_nb(table, row, a, b, c, d):
    """Return what four coins will come to, 1/256 point."""
    low_1, high_1 = min(a, b), max(a, b)
    low_2, high_2 = min(c, d), max(c, d)
    inner_1, inner_2 = max(low_1, low_2), min(high_1, high_2)
    second, third = min(inner_1, inner_2), max(inner_1, inner_2)
    return ascending_value_nb(table, row, min(low_1, low_2), second, third, max(high_1, high_2))


@kernel
def plan_value_nb(table, rounds, a, b, c, d):
    """Return what four coins will come to with `rounds` more rounds, 1/256 point."""
    return coins_value_nb(table, plan_row_nb(table, rounds), a, b, c, d)


@separate_kernel(GAME)
def seek_coin_nb(game, target, top, otherwise):
    """Return the smallest coin of at least `target` in the treasure, else the largest; `otherwise` if it is empty.

    Parameters
    ----------
    top : int
        No value is above it.
    """
    for value in range(target, top + 1):
        if game.treasure[value] > 0:
            return value
    for value in range(target - 1, -1, -1):
        if game.treasure[value] > 0:
            return value
    return otherwise


@contained_kernel
def coin_brought_nb(game, table, target, otherwise):
    """Return COIN(target) of rule 6.4, or `otherwise` if the treasure is empty.

    As `simcore.nidavellir.coins.find_coin_nb`, but no value is looked for above the highest there ever was.
    """
    top = table[TOP_COIN]
    target = min(target, top)
    value = target if game.treasure[target] > 0 else min(target + 1, top)
    return value if game.treasure[value] > 0 else seek_coin_nb(game, target, top, otherwise)


@contained_kernel
def exchanged_nb(game, table, a, b):
    """Return the two coins that an exchange of two leaves, by the treasure as it stands."""
    kept = max(a, b) if game.edition.exchange_gives_up_lower == 1 else min(a, b)
    return kept, coin_brought_nb(game, table, a + b, a + b - kept)


@contained_kernel
def exchange_value_nb(game, table, row, a, b, c, d):
    """Return what four coins come to if the first two are exchanged now, 1/256 point."""
    first, second = exchanged_nb(game, table, a, b)
    return coins_value_nb(table, row, first, second, c, d)


@contained_kernel
def exchange_comes_nb(game, own):
    """Return whether the own exchange coin lies at this tavern or one still to be opened, and the pouch is known."""
    place = own.place[EXCHANGE_SLOT]
    comes = (place < N_TAVERNS) & (place >= game.tavern) & (game.tavern >= 0)
    return comes & (game.pl[own.seat].has_uline == 0)


@contained_kernel
def raised_nb(game, table, coin, bonus):
    """Return the coin that TRANSFORM(+bonus) of a coin brings (rule 6.4)."""
    return coin_brought_nb(game, table, coin + bonus, coin)


@contained_kernel
def exchange_order_nb(own):
    """Return where in `EXCHANGE_ORDER` the own coins stand."""
    place = own.place
    bits = (place[1] == POUCH) + 2 * (place[2] == POUCH) + 4 * (place[3] == POUCH) + 8 * (place[4] == POUCH)
    return 4 * bits


@contained_kernel
def raise_values_nb(game, own, table, bonus):
    """Return what the own coins come to as they are, and with each raised by TRANSFORM(+bonus), 1/256 point.

    An exchange of the pouch that is still to come this round is done in the mind first.

    Returns
    -------
    tuple of int
        As they are; then with one raised, in the order of `EXCHANGE_ORDER`.
    """
    coin = game.pl[own.seat].coin
    order = exchange_order_nb(own)
    row = plan_row_nb(table, game.rounds_left + (game.tavern < 0))
    comes = exchange_comes_nb(game, own)
    a, b = coin[EXCHANGE_ORDER[order]], coin[EXCHANGE_ORDER[order + 1]]
    c, d = coin[EXCHANGE_ORDER[order + 2]], coin[EXCHANGE_ORDER[order + 3]]
    x, y = raised_nb(game, table, a, bonus), raised_nb(game, table, b, bonus)
    first, second = exchanged_nb(game, table, a, b) if comes else (a, b)
    kept = coins_value_nb(table, row, first, second, c, d)
    of_c = coins_value_nb(table, row, first, second, raised_nb(game, table, c, bonus), d)
    of_d = coins_value_nb(table, row, first, second, c, raised_nb(game, table, d, bonus))
    first, second = exchanged_nb(game, table, x, b) if comes else (x, b)
    of_a = coins_value_nb(table, row, first, second, c, d)
    first, second = exchanged_nb(game, table, a, y) if comes else (a, y)
    of_b = coins_value_nb(table, row, first, second, c, d)
    return kept, of_a, of_b, of_c, of_d


@kernel
def best_raise_nb(game, own, table, bonus):
    """Return the gain of the best TRANSFORM(+bonus), 1/256 point."""
    kept, of_a, of_b, of_c, of_d = raise_values_nb(game, own, table, bonus)
    return max(max(of_a, of_b), max(of_c, of_d)) - kept


@kernel
def choose_transform_nb(game, own, n_options):
    """Return the option that raises the coins' value most, counting what sold-out values give for free (H11)."""
    table = array_at(own.table, own.n_table)
    memory = own.memory
    order = exchange_order_nb(own)
    _, of_a, of_b, of_c, of_d = raise_values_nb(game, own, table, game.bonus)
    memory[LEFT + EXCHANGE_ORDER[order]] = of_a
    memory[LEFT + EXCHANGE_ORDER[order + 1]] = of_b
    memory[LEFT + EXCHANGE_ORDER[order + 2]] = of_c
    memory[LEFT + EXCHANGE_ORDER[order + 3]] = of_d
    best = 0
    best_value = -1
    for i in range(n_options):
        slot = own.option[i]
        value = memory[LEFT + slot]
        tell_nb(i, value, ONE)
        # Of equal ones the coin that can still be used this round: as a bid, or in the pouch before its exchange.
        value = 2 * value + (own.place[slot] > game.tavern)
        better = value > best_value
        best = i if better else best
        best_value = value if better else best_value
    return best


@kernel
def pair_value_nb(game, own, table, first, second):
    """Return what the coins come to if two slots are exchanged now, 1/256 point."""
    coin = game.pl[own.seat].coin
    others = 10 - first - second  # slots 1 to 4 without the two
    third = max(1, others - 4)
    while third == first or third == second or others - third == first or others - third == second:
        third += 1
    row = plan_row_nb(table, game.rounds_left)
    return exchange_value_nb(game, table, row, coin[first], coin[second], coin[third], coin[others - third])


@kernel
def choose_exchange_pair_nb(game, own, n_options):
    """Return the pair of hand coins whose exchange is worth most (H10, H6)."""
    table = array_at(own.table, own.n_table)
    best = 0
    best_value = -1
    for i in range(n_options):
        first = own.option[i] % N_COINS
        second = own.option[i] // N_COINS
        value = 0 if first == EXCHANGE_SLOT else pair_value_nb(game, own, table, first, second)
        tell_nb(i, value, ONE)
        if value > best_value:
            best = i
            best_value = value
    return best


@kernel
def choose_given_up_nb(game, own, n_options):
    """Return the bronze coin of two equal ones: it leaves the game, a gold one would go back for the rivals (A04)."""
    for i in range(n_options):
        if game.pl[own.seat].coin_colour[own.option[i]] == BRONZE:
            return i
    return 0


@kernel
def choose_exchange_nb(game, own, n_options):
    """Return 1 if the exchange leaves more than there was; only under exchange_optional=yes (A02)."""
    table = array_at(own.table, own.n_table)
    coin = game.pl[own.seat].coin
    kept = plan_value_nb(table, game.rounds_left, coin[1], coin[2], coin[3], coin[4])
    first = NOWHERE
    best = -1
    wanted = HAND if game.pl[own.seat].has_uline == 1 else POUCH
    for slot in range(1, N_COINS):
        if own.place[slot] == wanted:
            for other in range(1, slot):
                if own.place[other] == wanted:
                    first = other
                    best = max(best, pair_value_nb(game, own, table, other, slot))
    tell_nb(0, kept, ONE)
    tell_nb(1, best, ONE)
    return 1 if first != NOWHERE and best >= kept else 0
