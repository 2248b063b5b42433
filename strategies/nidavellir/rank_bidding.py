"""What a coin wins by the place it gets (H5, H15).

The rivals' coins are public, only where they lie is not; and their armies say what they will take. For each coin of one's own
the chance of each place in the turn order is worked out, and for each place the best card that will be left.
"""

from simcore.accel import array_at, kernel
from simcore.nidavellir.layout import EXCHANGE_SLOT, N_COINS, N_TAVERNS
from strategies.nidavellir.bidding import begin_round_nb, best_bid_nb
from strategies.nidavellir.memory import AHEAD, SHARES, WORTH
from strategies.nidavellir.valuing import card_value_nb, card_value_to_nb
from strategies.nidavellir.weights import BID_HIGH, BID_SPREAD, ONE


@kernel
def fill_left_at_place_nb(game, own, table, tavern):
    """Write into ``own.memory[AHEAD + k]`` the best card left to oneself when k rivals have chosen, 1/256 point.

    They are taken to choose in the order of what all rivals together think of the cards.
    """
    memory = own.memory
    n = game.n_cards[tavern]
    for i in range(n):
        card = game.card[tavern, i]
        liking = 0
        for seat in range(game.n_players):
            if seat != own.seat:
                liking += card_value_to_nb(game, own, seat, card)
        value = card_value_nb(game, own, table, card)
        j = i
        while j > 0 and memory[SHARES + j - 1] < liking:  # sorted by liking, descending
            memory[SHARES + j] = memory[SHARES + j - 1]
            memory[AHEAD + j] = memory[AHEAD + j - 1]
            j -= 1
        memory[SHARES + j] = liking
        memory[AHEAD + j] = value
    for i in range(n - 2, -1, -1):
        memory[AHEAD + i] = max(memory[AHEAD + i], memory[AHEAD + i + 1])


@kernel
def chance_ahead_nb(game, own, seat, value):
    """Return the chance that a rival's coin goes before a bid of `value` at any one tavern, share.

    The exchange coin lies at each tavern in a third of the rounds, each other coin in a sixth (two of four in the pouch).
    """
    them = game.pl[seat]
    wins_tie = 1 if them.gem > game.pl[own.seat].gem else 0
    ahead = 2 if them.coin[EXCHANGE_SLOT] + wins_tie > value else 0
    for slot in range(1, N_COINS):
        if them.coin[slot] + wins_tie > value:
            ahead += 1
    return ahead * ONE // 6


@kernel
def fill_place_chances_nb(game, own, value):
    """Write into ``own.memory[SHARES + k]`` the chance that k rivals go before a bid of `value`, share."""
    memory = own.memory
    memory[SHARES] = ONE
    n = 0
    for seat in range(game.n_players):
        if seat == own.seat:
            continue
        ahead = chance_ahead_nb(game, own, seat, value)
        n += 1
        memory[SHARES + n] = memory[SHARES + n - 1] * ahead // ONE
        for k in range(n - 1, 0, -1):
            memory[SHARES + k] = (memory[SHARES + k] * (ONE - ahead) + memory[SHARES + k - 1] * ahead) // ONE
        memory[SHARES] = memory[SHARES] * (ONE - ahead) // ONE


@kernel
def fill_by_place_nb(game, own, table):
    """Fill the worth of each coin at each tavern: the expected value of the card it gets, by the places it can get."""
    memory = own.memory
    coin = game.pl[own.seat].coin
    for tavern in range(N_TAVERNS):
        fill_left_at_place_nb(game, own, table, tavern)
        for slot in range(N_COINS):
            fill_place_chances_nb(game, own, coin[slot])
            worth = 0
            for k in range(game.n_players):
                worth += memory[SHARES + k] * memory[AHEAD + k]
            worth = worth // ONE * own.param[BID_SPREAD] // ONE
            memory[WORTH + N_COINS * tavern + slot] = worth + own.param[BID_HIGH] * ONE * coin[slot]


@kernel
def choose_bid_by_place_nb(game, own, n_options):
    """Return the bid by the places its coins can get."""
    table = array_at(own.table, own.n_table)
    begin_round_nb(game, own, table)
    fill_by_place_nb(game, own, table)
    return best_bid_nb(game, own, table)
