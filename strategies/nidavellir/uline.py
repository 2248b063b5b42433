"""Uline's owner: bidding after everybody else, coin by coin out of the hand (H10)."""

from simcore.accel import array_at, kernel
from simcore.nidavellir.layout import EXCHANGE_SLOT, HAND, N_COINS, N_TAVERNS, NOWHERE
from strategies.explaining import tell_nb
from strategies.nidavellir.bidding import begin_round_nb
from strategies.nidavellir.coin_planning import pair_value_nb, plan_value_nb
from strategies.nidavellir.memory import LEFT, WORTH
from strategies.nidavellir.rank_bidding import fill_by_place_nb
from strategies.nidavellir.weights import COIN_GROWTH, ONE


@kernel
def place_in_order_nb(game, own, value):
    """Return how many rivals go before a bid of `value` at the tavern whose bids are open."""
    before = 0
    gem = game.pl[own.seat].gem
    for seat in range(game.n_players):
        if seat != own.seat:
            bid = game.bid_value[seat]
            if bid > value or (bid == value and game.pl[seat].gem > gem):
                before += 1
    return before


@kernel
def hand_value_nb(game, own, table, used):
    """Return the best that the coins left in hand can do at the taverns to come, with the exchange, 1/256 point.

    Parameters
    ----------
    used : int
        The slot that is bid now.
    """
    memory = own.memory
    coin = game.pl[own.seat].coin
    growth = own.param[COIN_GROWTH]
    kept = plan_value_nb(table, game.rounds_left, coin[1], coin[2], coin[3], coin[4])
    left = N_TAVERNS - 1 - game.tavern
    second_at = WORTH + N_COINS * (game.tavern + 1)
    third_at = WORTH + N_COINS * (game.tavern + 2)
    exchanges_now = used == EXCHANGE_SLOT
    best = -(1 << 60)
    for x in range(N_COINS if left >= 1 else 1):
        if left >= 1 and (x == used or own.place[x] != HAND):
            continue
        for y in range(N_COINS if left == 2 else 1):
            if left == 2 and (y == used or y == x or own.place[y] != HAND):
                continue
            value = 0
            if left >= 1:
                value += memory[second_at + x]
            if left == 2:
                value += memory[third_at + y]
            exchanges = exchanges_now or (left >= 1 and x == EXCHANGE_SLOT) or (left == 2 and y == EXCHANGE_SLOT)
            plan = kept
            if exchanges:
                first = NOWHERE
                for slot in range(1, N_COINS):
                    free = own.place[slot] == HAND and slot != used
                    if left >= 1 and slot == x:
                        free = False
                    if left == 2 and slot == y:
                        free = False
                    if free:
                        if first == NOWHERE:
                            first = slot
                        else:
                            plan = pair_value_nb(game, own, table, first, slot)
            best = max(best, value + (plan * growth >> 8))
    return best


@kernel
def choose_uline_bid_nb(game, own, n_options):
    """Return the coin in hand that does best here, where its place in the turn order is certain, and in the rest."""
    table = array_at(own.table, own.n_table)
    begin_round_nb(game, own, table)
    fill_by_place_nb(game, own, table)
    coin = game.pl[own.seat].coin
    best = 0
    best_value = -(1 << 60)
    for i in range(n_options):
        slot = own.option[i]
        value = own.memory[LEFT + N_COINS * game.tavern + place_in_order_nb(game, own, coin[slot])]
        value += hand_value_nb(game, own, table, slot)
        tell_nb(i, value, ONE)
        value = value * 64 - coin[slot]  # the smallest of equal ones
        if value > best_value:
            best = i
            best_value = value
    return best
