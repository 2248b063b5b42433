"""Coins: what a target brings, transforming one, exchanging two (rules 6.4 and 6.5)."""

from itertools import combinations

import numpy as np

from simcore.accel import contained_kernel, kernel, separate_kernel
from simcore.nidavellir.events import COIN_CHANGED, COINS_EXCHANGED, ask_nb, record_nb
from simcore.nidavellir.layout import (
    BRONZE,
    CHOOSE_EXCHANGE,
    CHOOSE_EXCHANGE_PAIR,
    CHOOSE_GIVEN_UP,
    CHOOSE_TRANSFORM,
    EXCHANGE_SLOT,
    GAME,
    GOLD,
    HAND,
    HIDDEN,
    MAX_COIN_VALUE,
    N_COINS,
    N_TAVERNS,
    NOWHERE,
    POUCH,
    SPECIAL,
)

ALL_SLOTS = (1 << N_COINS) - 1
PAIR_OF_SLOTS = np.full(1 << N_COINS, NOWHERE, np.int64)
"""[set of slots, one bit each]: the two slots of a set of two, coded first + 5 x second as an exchange's options."""
for _first, _second in combinations(range(N_COINS), 2):
    PAIR_OF_SLOTS[(1 << _first) + (1 << _second)] = _first + N_COINS * _second


@contained_kernel
def find_coin_nb(treasure, target):
    """Return COIN(target) of rule 6.4: the smallest value >= target in the treasure, else the largest there is.

    Parameters
    ----------
    treasure : int64[MAX_COIN_VALUE + 1]
        Gold coins by value.
    target : int
        Coins.

    Returns
    -------
    int
        The value found; NOWHERE if the treasure is empty.
    """
    if target < MAX_COIN_VALUE:
        # Nearly always it is the target or the next value. Which, no processor guesses, so it is no branch.
        value = target if treasure[target] > 0 else target + 1
        if treasure[value] > 0:
            return value
    for value in range(target, MAX_COIN_VALUE + 1):
        if treasure[value] > 0:
            return value
    for value in range(min(target, MAX_COIN_VALUE + 1) - 1, -1, -1):
        if treasure[value] > 0:
            return value
    return NOWHERE


@contained_kernel
def change_coin_nb(game, hidden, seat, slot, target):
    """Replace the coin in `slot` by COIN(target), where it lies; the old one goes to box or treasure (rules 1.8, 6.4).

    The new coin is taken before the old one is returned, unless return_before_take=yes (A03). Where the coin lies has
    been seen by everybody (rule 4.3). With an empty treasure nothing happens.
    """
    me = game.pl[seat]
    old = me.coin[slot]
    colour = me.coin_colour[slot]
    returned_first = game.edition.return_before_take == 1 and colour == GOLD
    if returned_first:
        game.treasure[old] += 1
    new = find_coin_nb(game.treasure, target)
    if new == NOWHERE:
        return
    game.treasure[new] -= 1
    if colour == GOLD:
        if not returned_first:
            game.treasure[old] += 1
    else:
        game.n_in_box += 1
    me.coin[slot] = new
    me.coin_colour[slot] = GOLD
    me.known_place[slot] = hidden.place[seat, slot]
    record_nb(hidden, COIN_CHANGED, seat, slot, old, colour, new, GOLD, hidden.place[seat, slot], target)


@separate_kernel(GAME, HIDDEN)
def transform_nb(game, hidden, seat, bonus):
    """TRANSFORM one coin of the seat's choice by +bonus, any but the exchange coin (rules 1.7, 6.4)."""
    me = hidden.own[seat]
    n = 0
    for slot in range(N_COINS):
        if slot != EXCHANGE_SLOT:
            me.option[n] = slot
            n += 1
    game.bonus = bonus
    slot = me.option[ask_nb(game, hidden, seat, CHOOSE_TRANSFORM, n)]
    game.bonus = 0
    change_coin_nb(game, hidden, seat, slot, game.pl[seat].coin[slot] + bonus)


@contained_kernel
def _choose_pair_nb(game, hidden, seat):
    """Return the two coins of an exchange, coded first + 5 x second: the pouch, or any two of Uline's hand (6.5.1)."""
    me = hidden.own[seat]
    if game.pl[seat].has_uline == 1:
        n = 0
        for a in range(N_COINS):
            for b in range(a + 1, N_COINS):
                if hidden.place[seat, a] == HAND and hidden.place[seat, b] == HAND:
                    me.option[n] = a + N_COINS * b
                    n += 1
        return me.option[ask_nb(game, hidden, seat, CHOOSE_EXCHANGE_PAIR, n)]
    slots = ALL_SLOTS
    for tavern in range(N_TAVERNS):
        slots -= 1 << hidden.bid[seat, tavern]
    pair = PAIR_OF_SLOTS[slots]
    game.pl[seat].known_place[pair % N_COINS] = POUCH
    game.pl[seat].known_place[pair // N_COINS] = POUCH
    return pair


@contained_kernel
def _given_up_nb(game, hidden, seat, a, b):
    """Return which of two slots is given up: the higher coin, or the lower under exchange_gives_up=lower (6.5.2, A01).

    Of equal coins of different colour the player chooses (A04); equal coins of one colour are the same.
    """
    coin = game.pl[seat].coin
    if coin[a] == coin[b]:
        if game.pl[seat].coin_colour[a] == game.pl[seat].coin_colour[b]:
            return b
        hidden.own[seat].option[0] = a
        hidden.own[seat].option[1] = b
        return hidden.own[seat].option[ask_nb(game, hidden, seat, CHOOSE_GIVEN_UP, 2)]
    higher, lower = (a, b) if coin[a] > coin[b] else (b, a)
    return lower if game.edition.exchange_gives_up_lower == 1 else higher


@separate_kernel(GAME, HIDDEN)
def exchange_nb(game, hidden, seat):
    """EXCHANGE, the last thing of a turn in which the exchange coin was bid (rule 6.5; optional under A02's switch)."""
    if game.edition.exchange_optional == 1:
        hidden.own[seat].option[0] = 0
        hidden.own[seat].option[1] = 1
        if ask_nb(game, hidden, seat, CHOOSE_EXCHANGE, 2) == 0:
            return
    pair = _choose_pair_nb(game, hidden, seat)
    a = pair % N_COINS
    b = pair // N_COINS
    target = game.pl[seat].coin[a] + game.pl[seat].coin[b]
    record_nb(hidden, COINS_EXCHANGED, seat, a, b, target, 0, 0, 0, 0)
    change_coin_nb(game, hidden, seat, _given_up_nb(game, hidden, seat, a, b), target)
    game.pl[seat].n_exchanges += 1


@kernel
def take_special_coin_nb(game, hidden, seat):
    """Swap the exchange coin for the special coin of the hunter distinction (rule 7.4)."""
    me = game.pl[seat]
    old = me.coin[EXCHANGE_SLOT]
    me.coin[EXCHANGE_SLOT] = game.edition.special_coin
    me.coin_colour[EXCHANGE_SLOT] = SPECIAL
    game.n_in_box += 1
    place = hidden.place[seat, EXCHANGE_SLOT]
    record_nb(hidden, COIN_CHANGED, seat, EXCHANGE_SLOT, old, BRONZE, game.edition.special_coin, SPECIAL, place, 0)


@kernel
def take_back_hand_nb(game, hidden, seat):
    """Uline: every coin still face down goes to her owner's hand, revealed ones stay (rule 6.6)."""
    me = game.pl[seat]
    me.has_uline = 1
    for slot in range(N_COINS):
        place = hidden.place[seat, slot]
        if place == POUCH or (place < N_TAVERNS and place > game.tavern):
            move_coin_nb(game, hidden, seat, slot, HAND)
            me.known_place[slot] = HAND
    for tavern in range(game.tavern + 1, N_TAVERNS):
        hidden.bid[seat, tavern] = NOWHERE
        hidden.own[seat].bid[tavern] = NOWHERE


@contained_kernel
def move_coin_nb(game, hidden, seat, slot, place):
    """Lay a coin somewhere: the engine's record of it and the owner's."""
    hidden.place[seat, slot] = place
    hidden.own[seat].place[slot] = place


@kernel
def sum_of_coins_nb(player):
    """Return the sum of a player's five coins (rule 8.7)."""
    total = 0
    for slot in range(N_COINS):
        total += player.coin[slot]
    return total


@kernel
def largest_coin_nb(player):
    """Return the value of a player's single largest coin (rules 8.3, 8.6)."""
    largest = player.coin[0]
    for slot in range(1, N_COINS):
        if player.coin[slot] > largest:
            largest = player.coin[slot]
    return largest
