"""Which coin on which tavern (H5, H6, H7, H15).

A bid's worth is a matrix [tavern, coin slot] of what each coin wins at each tavern, plus what the coins will come to after the
exchange. The matrix is filled in one of two ways: by the spread of a tavern's cards (`fill_by_spread_nb`), or by the place in the turn
order that the coin will get against what the rivals can bid (`rank_bidding.py`). The 60 bids then cost a few additions each.
"""

from simcore.accel import array_at, kernel
from simcore.nidavellir.layout import EXCHANGE_SLOT, N_COINS, N_TAVERNS
from strategies.nidavellir.coin_planning import plan_value_nb, value_after_exchange_nb
from strategies.nidavellir.memory import HERO, ROUND, WORTH
from strategies.nidavellir.recruiting import next_hero_value_nb
from strategies.nidavellir.valuing import card_value_nb, picks_left_nb, value_seat_nb
from strategies.nidavellir.weights import BID_HIGH, BID_SPREAD, COIN_GROWTH, ONE


@kernel
def begin_round_nb(game, own, table):
    """Value the next hero and the classes of every seat (once a round)."""
    mark = 16 * game.age + game.round_number
    if own.memory[ROUND] == mark:
        return
    own.memory[ROUND] = mark
    own.memory[HERO] = next_hero_value_nb(game, own, table)
    picks = picks_left_nb(game)
    for seat in range(game.n_players):
        value_seat_nb(game, own, table, seat, picks)


@kernel
def bid_index_nb(goblin, dragon, horse):
    """Return the place of an assignment of coin slots among the 60 options (rule 4.1: they are listed in order)."""
    second = dragon - (1 if dragon > goblin else 0)
    third = horse - (1 if horse > goblin else 0) - (1 if horse > dragon else 0)
    return 12 * goblin + 3 * second + third


@kernel
def pouch_value_nb(game, own, table, slot_a, slot_b):
    """Return what the coins come to if these two lie in the pouch this round, 1/256 point."""
    coin = game.pl[own.seat].coin
    if slot_a == EXCHANGE_SLOT:
        return plan_value_nb(table, game.rounds_left, coin[1], coin[2], coin[3], coin[4])
    others = 10 - slot_a - slot_b
    third = max(1, others - 4)
    while third == slot_a or third == slot_b or others - third == slot_a or others - third == slot_b:
        third += 1
    return value_after_exchange_nb(
        game, table, game.rounds_left, coin[slot_a], coin[slot_b], coin[third], coin[others - third]
    )


@kernel
def best_bid_nb(game, own, table):
    """Return the index of the bid with the most worth, by ``own.memory[WORTH + 5 x tavern + slot]`` and the coins' growth."""
    memory = own.memory
    growth = own.param[COIN_GROWTH]
    best = 0
    best_value = -(1 << 60)
    for slot_a in range(N_COINS):
        for slot_b in range(slot_a + 1, N_COINS):
            pouch = pouch_value_nb(game, own, table, slot_a, slot_b) * growth // ONE
            x = 0
            while x == slot_a or x == slot_b:
                x += 1
            y = x + 1
            while y == slot_a or y == slot_b:
                y += 1
            z = 10 - slot_a - slot_b - x - y
            gx, dx, hx = memory[WORTH + x], memory[WORTH + N_COINS + x], memory[WORTH + 2 * N_COINS + x]
            gy, dy, hy = memory[WORTH + y], memory[WORTH + N_COINS + y], memory[WORTH + 2 * N_COINS + y]
            gz, dz, hz = memory[WORTH + z], memory[WORTH + N_COINS + z], memory[WORTH + 2 * N_COINS + z]
            value = gx + dy + hz
            code = 0
            if gx + dz + hy > value:
                value = gx + dz + hy
                code = 1
            if gy + dx + hz > value:
                value = gy + dx + hz
                code = 2
            if gy + dz + hx > value:
                value = gy + dz + hx
                code = 3
            if gz + dx + hy > value:
                value = gz + dx + hy
                code = 4
            if gz + dy + hx > value:
                value = gz + dy + hx
                code = 5
            if value + pouch > best_value:
                best_value = value + pouch
                if code == 0:
                    best = bid_index_nb(x, y, z)
                elif code == 1:
                    best = bid_index_nb(x, z, y)
                elif code == 2:
                    best = bid_index_nb(y, x, z)
                elif code == 3:
                    best = bid_index_nb(y, z, x)
                elif code == 4:
                    best = bid_index_nb(z, x, y)
                else:
                    best = bid_index_nb(z, y, x)
    return best


@kernel
def usual_coin_nb(game, seat):
    """Return the mean of the rivals' coins, the exchange coins left out, at least 1."""
    total = 0
    for other in range(game.n_players):
        if other != seat:
            coin = game.pl[other].coin
            total += coin[1] + coin[2] + coin[3] + coin[4]
    return max(1, total // (4 * (game.n_players - 1)))


@kernel
def fill_by_spread_nb(game, own, table):
    """Fill the worth of each coin at each tavern: the difference of best and worst card x coin / (coin + usual coin) (H5)."""
    usual = usual_coin_nb(game, own.seat)
    coin = game.pl[own.seat].coin
    for tavern in range(N_TAVERNS):
        best = card_value_nb(game, own, table, game.card[tavern, 0])
        worst = best
        for place in range(1, game.n_cards[tavern]):
            value = card_value_nb(game, own, table, game.card[tavern, place])
            best = max(best, value)
            worst = min(worst, value)
        spread = (best - worst) * own.param[BID_SPREAD] // ONE
        for slot in range(N_COINS):
            worth = spread * coin[slot] // (coin[slot] + usual)
            own.memory[WORTH + N_COINS * tavern + slot] = worth + own.param[BID_HIGH] * ONE * coin[slot]


@kernel
def choose_bid_nb(game, own, n_options):
    """Return the bid by spread."""
    table = array_at(own.table, own.n_table)
    begin_round_nb(game, own, table)
    fill_by_spread_nb(game, own, table)
    return best_bid_nb(game, own, table)
