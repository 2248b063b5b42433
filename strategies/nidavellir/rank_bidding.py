"""What a coin wins by the place it gets (H5, H15).

The rivals' coins are public, only where they lie is not; and their armies say what they will take. For each coin of one's own
the chance of each place in the turn order is worked out, and for each place the best card that will be left.
"""

from simcore.accel import array_at, kernel
from simcore.nidavellir.layout import EXCHANGE_SLOT, MINER, N_COINS, N_TAVERNS, ROYAL_OFFERING
from strategies.nidavellir.bidding import begin_round_nb, best_bid_nb
from strategies.nidavellir.memory import HIGHER, LEFT, LIKING, LIKINGS, PER_SEAT, VALUE, VALUES, WHERE, WORTH
from strategies.nidavellir.tables import AHEAD
from strategies.nidavellir.valuing import card_value_nb
from strategies.nidavellir.weights import BID_SPREAD, GEM, ONE


@kernel
def add_likings_nb(game, own):
    """Add up what cards of each class are worth to the rivals into `memory.LIKINGS`."""
    memory = own.memory
    for i in range(PER_SEAT):
        total = -memory[VALUES + PER_SEAT * own.seat + i]
        for seat in range(game.n_players):
            total += memory[VALUES + PER_SEAT * seat + i]
        memory[LIKINGS + i] = total


@kernel
def fill_left_nb(game, own, table, tavern):
    """Fill a tavern's row of `memory.LEFT`, and how much its cards differ to the rivals into `memory.WHERE`.

    The rivals are taken to choose in the order of what all of them together think of the cards.
    """
    memory = own.memory
    edition = game.edition
    mine = VALUES + PER_SEAT * own.seat
    n = game.n_cards[tavern]
    n_rivals = (game.n_players - 1) * ONE
    for i in range(n):
        card = game.card[tavern, i]
        c = edition.card_class[card]
        if c == ROYAL_OFFERING:
            memory[VALUE + i] = card_value_nb(game, own, table, card)
            memory[LIKING + i] = (edition.card_bonus[card] + min(3, game.rounds_left)) * n_rivals
        else:
            points = edition.card_points[card]
            ranks = edition.card_ranks[card]
            my_point = memory[mine + PER_SEAT - 1] if c == MINER else ONE
            their_point = memory[LIKINGS + PER_SEAT - 1] if c == MINER else n_rivals
            memory[VALUE + i] = memory[mine + c] * ranks + my_point * points
            memory[LIKING + i] = memory[LIKINGS + c] * ranks + their_point * points
    most = memory[LIKING]
    least = most
    for i in range(1, n):
        most = max(most, memory[LIKING + i])
        least = min(least, memory[LIKING + i])
    memory[WHERE + tavern] = most - least
    left = LEFT + N_COINS * tavern
    for k in range(N_COINS):
        memory[left + k] = -(1 << 40) if k < n else 0
    for i in range(n):
        liked_more = 0
        for j in range(n):  # cards that are liked alike go in their order on the table
            liked_more += 1 if memory[LIKING + j] - (1 if j > i else 0) >= memory[LIKING + i] else 0
        liked_more -= 1  # itself
        for k in range(n):
            present = memory[left + k]
            memory[left + k] = max(present, memory[VALUE + i]) if k <= liked_more else present


@kernel
def fill_worth_of_coin_nb(game, own, table, slot):
    """Fill a coin's column of `memory.WORTH`: the expected value of the card it gets, by the places it can get.

    Equal bids go by gem, and then the gems are traded (H15).
    """
    memory = own.memory
    value = game.pl[own.seat].coin[slot]
    gem = game.pl[own.seat].gem
    traded = 0
    for seat in range(game.n_players):
        them = game.pl[seat]
        coin = them.coin
        wins_tie = 1 if them.gem > gem else 0
        higher = 5 if coin[EXCHANGE_SLOT] + wins_tie > value else 0
        tied = 0
        for other in range(1, N_COINS):
            higher += 1 if coin[other] + wins_tie > value else 0
            tied += 1 if coin[other] == value else 0
        memory[HIGHER + seat] = higher
        traded += tied * (them.gem - gem)
    extra = own.param[GEM] * game.rounds_left * traded
    for tavern in range(N_TAVERNS):
        ahead = AHEAD + 10 * memory[WHERE + tavern]
        p_0, p_1, p_2, p_3, p_4 = ONE, 0, 0, 0, 0
        for seat in range(game.n_players):
            if seat != own.seat:
                p = table[ahead + memory[HIGHER + seat]]
                q = ONE - p
                p_4 = (p_4 * q + p_3 * p) >> 8
                p_3 = (p_3 * q + p_2 * p) >> 8
                p_2 = (p_2 * q + p_1 * p) >> 8
                p_1 = (p_1 * q + p_0 * p) >> 8
                p_0 = (p_0 * q) >> 8
        left = LEFT + N_COINS * tavern
        worth = p_0 * memory[left] + p_1 * memory[left + 1] + p_2 * memory[left + 2]
        worth += p_3 * memory[left + 3] + p_4 * memory[left + 4]
        memory[WORTH + N_COINS * tavern + slot] = (worth * own.param[BID_SPREAD] >> 16) + extra


@kernel
def fill_by_place_nb(game, own, table):
    """Fill the worth of each coin at each tavern."""
    memory = own.memory
    add_likings_nb(game, own)
    for tavern in range(N_TAVERNS):
        fill_left_nb(game, own, table, tavern)
    x, y, z = memory[WHERE], memory[WHERE + 1], memory[WHERE + 2]  # how much the cards of each tavern differ
    memory[WHERE] = (1 if y > x else 0) + (1 if z > x else 0)
    memory[WHERE + 1] = (1 if x >= y else 0) + (1 if z > y else 0)
    memory[WHERE + 2] = (1 if x >= z else 0) + (1 if y >= z else 0)
    for slot in range(N_COINS):
        fill_worth_of_coin_nb(game, own, table, slot)


@kernel
def choose_bid_by_place_nb(game, own, n_options):
    """Return the bid by the places its coins can get."""
    table = array_at(own.table, own.n_table)
    begin_round_nb(game, own, table)
    fill_by_place_nb(game, own, table)
    return best_bid_nb(game, own, table)
