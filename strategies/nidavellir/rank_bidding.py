"""What a coin wins by the place it gets (H5, H15).

The rivals' coins are public, only where they lie is not; and their armies say what they will take. For each coin of one's own
the chance of each place in the turn order is worked out, and for each place the best card that will be left.
"""

from simcore.accel import array_at, kernel
from simcore.nidavellir.layout import EXCHANGE_SLOT, MINER, N_COINS, N_TAVERNS, ROYAL_OFFERING
from strategies.nidavellir.bidding import begin_round_nb, best_bid_nb
from strategies.nidavellir.memory import LEFT, PER_SEAT, VALUES, WORTH
from strategies.nidavellir.valuing import card_value_nb
from strategies.nidavellir.weights import BID_HIGH, BID_SPREAD, GEM, ONE


@kernel
def liking_nb(game, own, card):
    """Return what all rivals together think of a card, 1/256 point."""
    c = game.edition.card_class[card]
    liking = 0
    if c == ROYAL_OFFERING:
        return (game.edition.card_bonus[card] + min(3, game.rounds_left)) * (game.n_players - 1) * ONE
    per_point = 0
    for seat in range(game.n_players):
        if seat != own.seat:
            at = VALUES + PER_SEAT * seat
            liking += own.memory[at + c]
            per_point += own.memory[at + PER_SEAT - 1] if c == MINER else ONE
    return liking * game.edition.card_ranks[card] + per_point * game.edition.card_points[card]


@kernel
def fill_left_nb(game, own, table, tavern):
    """Fill a tavern's row of `memory.LEFT`; its row of `memory.WORTH` serves as scratch.

    The rivals are taken to choose in the order of what all of them together think of the cards.
    """
    memory = own.memory
    left = LEFT + N_COINS * tavern
    likings = WORTH + N_COINS * tavern
    n = game.n_cards[tavern]
    for i in range(n):
        card = game.card[tavern, i]
        liking = liking_nb(game, own, card)
        value = card_value_nb(game, own, table, card)
        j = i
        while j > 0 and memory[likings + j - 1] < liking:  # sorted by liking, descending
            memory[likings + j] = memory[likings + j - 1]
            memory[left + j] = memory[left + j - 1]
            j -= 1
        memory[likings + j] = liking
        memory[left + j] = value
    for i in range(n - 2, -1, -1):
        memory[left + i] = max(memory[left + i], memory[left + i + 1])
    for i in range(n, N_COINS):
        memory[left + i] = 0


@kernel
def fill_worth_of_coin_nb(game, own, slot):
    """Fill a coin's column of `memory.WORTH`: the expected value of the card it gets, by the places it can get.

    Of a rival's coins the exchange coin lies at each tavern in a third of the rounds, each other in a sixth (two of four are in
    the pouch). Equal bids go by gem, and then the gems are traded (H15).
    """
    memory = own.memory
    value = game.pl[own.seat].coin[slot]
    gem = game.pl[own.seat].gem
    p_0, p_1, p_2, p_3, p_4 = ONE, 0, 0, 0, 0
    traded = 0
    for seat in range(game.n_players):
        if seat == own.seat:
            continue
        them = game.pl[seat]
        coin = them.coin
        wins_tie = 1 if them.gem > gem else 0
        ahead = 2 if coin[EXCHANGE_SLOT] + wins_tie > value else 0
        tied = 2 if coin[EXCHANGE_SLOT] == value else 0
        for other in range(1, N_COINS):
            ahead += 1 if coin[other] + wins_tie > value else 0
            tied += 1 if coin[other] == value else 0
        traded += tied * (them.gem - gem)
        p = ahead * ONE // 6
        q = ONE - p
        p_4 = (p_4 * q + p_3 * p) >> 8
        p_3 = (p_3 * q + p_2 * p) >> 8
        p_2 = (p_2 * q + p_1 * p) >> 8
        p_1 = (p_1 * q + p_0 * p) >> 8
        p_0 = (p_0 * q) >> 8
    extra = own.param[BID_HIGH] * ONE * value + own.param[GEM] * game.rounds_left * traded
    for tavern in range(N_TAVERNS):
        left = LEFT + N_COINS * tavern
        worth = p_0 * memory[left] + p_1 * memory[left + 1] + p_2 * memory[left + 2]
        worth += p_3 * memory[left + 3] + p_4 * memory[left + 4]
        memory[WORTH + N_COINS * tavern + slot] = (worth * own.param[BID_SPREAD] >> 16) + extra


@kernel
def fill_by_place_nb(game, own, table):
    """Fill the worth of each coin at each tavern."""
    for tavern in range(N_TAVERNS):
        fill_left_nb(game, own, table, tavern)
    for slot in range(N_COINS):
        fill_worth_of_coin_nb(game, own, slot)


@kernel
def choose_bid_by_place_nb(game, own, n_options):
    """Return the bid by the places its coins can get."""
    table = array_at(own.table, own.n_table)
    begin_round_nb(game, own, table)
    fill_by_place_nb(game, own, table)
    return best_bid_nb(game, own, table)
