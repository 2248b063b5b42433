"""Bids: placing them in secret, revealing them, and Uline's bid after the others (rules 4.1 to 4.3, 5.1, 5.2)."""

from itertools import permutations

import numpy as np

from simcore.accel import contained_kernel, kernel
from simcore.nidavellir.coins import move_coin_nb
from simcore.nidavellir.events import BID_REVEALED, ask_nb, record_nb
from simcore.nidavellir.layout import (
    CHOOSE_BID,
    CHOOSE_ULINE_BID,
    HAND,
    MAX_GEM,
    MAX_PLAYERS,
    N_COINS,
    N_TAVERNS,
    NOWHERE,
    POUCH,
    UNKNOWN_PLACE,
)

BID_SLOTS = np.array(list(permutations(range(N_COINS), N_TAVERNS)), np.int64)
"""[bid, tavern]: the slot of the coin."""
BIDS = BID_SLOTS @ N_COINS ** np.arange(N_TAVERNS)
"""The 60 assignments of five coins to three taverns, as options of `choose_bid` (rule 4.1)."""
N_BIDS = len(BIDS)
GEM_BITS = MAX_PLAYERS.bit_length()
BID_BITS = GEM_BITS + MAX_GEM.bit_length()
SEAT_MASK = (1 << GEM_BITS) - 1
GEM_MASK = (1 << (BID_BITS - GEM_BITS)) - 1
"""A claim is a bid, shifted by BID_BITS, a gem, by GEM_BITS, and a seat: the higher goes before (rule 5.2)."""


@kernel
def place_bids_nb(game, hidden):
    """Every seat without Uline lays three coins face down and two in the pouch (rules 4.1 and 4.2).

    All bids are chosen before any coin is laid, so nobody can know another's.
    """
    for seat in range(game.n_players):
        if game.pl[seat].has_uline == 0:
            me = hidden.own[seat]
            for i in range(N_BIDS):
                me.option[i] = BIDS[i]
            bid = ask_nb(game, hidden, seat, CHOOSE_BID, N_BIDS)
            for tavern in range(N_TAVERNS):
                hidden.bid[seat, tavern] = BID_SLOTS[bid, tavern]
    for seat in range(game.n_players):
        if game.pl[seat].has_uline == 0:
            for slot in range(N_COINS):
                move_coin_nb(game, hidden, seat, slot, POUCH)
                game.pl[seat].known_place[slot] = UNKNOWN_PLACE
            for tavern in range(N_TAVERNS):
                hidden.own[seat].bid[tavern] = hidden.bid[seat, tavern]
                move_coin_nb(game, hidden, seat, hidden.bid[seat, tavern], tavern)


@contained_kernel
def _show_bid_nb(game, hidden, seat, tavern, slot):
    me = game.pl[seat]
    me.shown[tavern] = slot
    me.known_place[slot] = tavern
    game.bid_value[seat] = me.coin[slot]
    record_nb(hidden, BID_REVEALED, seat, tavern, slot, me.coin[slot], 0, 0, 0, 0)


@contained_kernel
def reveal_bids_nb(game, hidden, tavern):
    """Reveal the coins of a tavern; then Uline's owner picks hers of her hand (rule 5.1)."""
    n_ulines = 0
    for seat in range(game.n_players):
        if game.pl[seat].has_uline == 0:
            _show_bid_nb(game, hidden, seat, tavern, hidden.bid[seat, tavern])
        else:
            game.bid_value[seat] = NOWHERE  # not that of the last tavern, while she thinks
            n_ulines += 1
    if n_ulines == 0:
        return
    for seat in range(game.n_players):
        if game.pl[seat].has_uline == 1:
            me = hidden.own[seat]
            n = 0
            for slot in range(N_COINS):
                if hidden.place[seat, slot] == HAND:
                    me.option[n] = slot
                    n += 1
            slot = me.option[ask_nb(game, hidden, seat, CHOOSE_ULINE_BID, n)]
            hidden.bid[seat, tavern] = slot
            me.bid[tavern] = slot
            move_coin_nb(game, hidden, seat, slot, tavern)
            _show_bid_nb(game, hidden, seat, tavern, slot)


@contained_kernel
def _claim_nb(game, seat):
    """Return a seat's bid, gem and number as one int, below 0 at an empty seat, as nobody has bid there."""
    return (game.bid_value[seat] << BID_BITS) | (game.pl[seat].gem << GEM_BITS) | seat


@contained_kernel
def set_turn_order_nb(game, hidden):
    """Order the seats by bid, ties by gem, both descending; from now on the order is frozen (rule 5.2).

    Five claims are sorted by the nine comparisons of a sorting network, which takes no branch that a processor could
    guess wrong, whatever was bid.
    """
    a, b, c, d, e = (
        _claim_nb(game, 0),
        _claim_nb(game, 1),
        _claim_nb(game, 2),
        _claim_nb(game, 3),
        _claim_nb(game, 4),
    )
    a, d = max(a, d), min(a, d)
    b, e = max(b, e), min(b, e)
    a, c = max(a, c), min(a, c)
    b, d = max(b, d), min(b, d)
    a, b = max(a, b), min(a, b)
    c, e = max(c, e), min(c, e)
    b, c = max(b, c), min(b, c)
    d, e = max(d, e), min(d, e)
    c, d = max(c, d), min(c, d)
    claim = hidden.claim
    claim[0], claim[1], claim[2], claim[3], claim[4] = a, b, c, d, e
    for turn in range(MAX_PLAYERS):
        game.order[turn] = claim[turn] & SEAT_MASK if claim[turn] >= 0 else NOWHERE


@kernel
def take_back_coins_nb(game, hidden):
    """Everybody takes all five coins back at the end of a round (rule 3.2 d)."""
    for seat in range(game.n_players):
        me = game.pl[seat]
        for slot in range(N_COINS):
            move_coin_nb(game, hidden, seat, slot, HAND)
            me.known_place[slot] = HAND
        for tavern in range(N_TAVERNS):
            me.shown[tavern] = NOWHERE
            hidden.bid[seat, tavern] = NOWHERE
            hidden.own[seat].bid[tavern] = NOWHERE
        game.bid_value[seat] = NOWHERE
