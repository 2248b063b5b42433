"""What a coin wins by the place it gets (H5, H15).

The rivals' coins are public, only where they lie is not; and their armies say what they will take. For each coin of
one's own the place in the turn order that it can expect is worked out, and for each place the best card that will be
left.
"""

from simcore.accel import array_at, contained_kernel, kernel
from simcore.nidavellir.layout import EXCHANGE_SLOT, MAX_PLAYERS, MINER, N_COINS, N_TAVERNS, ROYAL_OFFERING
from strategies.nidavellir.bidding import begin_round_nb, best_bid_nb
from strategies.nidavellir.memory import LEFT, LIKING, LIKINGS, PER_SEAT, SMOOTH, VALUE, VALUES, WHERE, WORTH
from strategies.nidavellir.tables import AHEAD, CARD
from strategies.nidavellir.valuing import offering_value_nb
from strategies.nidavellir.weights import BID_SPREAD, GEM, ONE

NOTHING = -(1 << 40)
"""Less than any card is worth."""
ZERO = 1 << 15
ALL_ZERO = ZERO * 0x100010001
"""Where the three sums of `tables.AHEAD` start, so that none borrows from the next (weights may make one negative)."""
EACH_COIN = 0x0101010101
EACH_WEIGHT = 0x0101010105
"""Times bits of `EACH_COIN`: the fifth byte is their number, the highest (the exchange coin's) counting five."""


@kernel
def add_likings_nb(own):
    """Add up what cards of each class are worth to the rivals into `memory.LIKINGS`."""
    memory = own.memory
    for i in range(PER_SEAT):
        total = -memory[VALUES + PER_SEAT * own.seat + i]
        for seat in range(
            MAX_PLAYERS
        ):  # rows of seats that nobody sits in are zero; a fixed number of rounds is faster
            total += memory[VALUES + PER_SEAT * seat + i]
        memory[LIKINGS + i] = total


@contained_kernel
def like_cards_nb(game, own, table, tavern, n):
    """Write what `n` cards of a tavern are worth to oneself and to the rivals into `memory.VALUE` and `memory.LIKING`.

    Returns
    -------
    int
        How much the cards differ to the rivals.
    """
    memory = own.memory
    mine = VALUES + PER_SEAT * own.seat
    n_rivals = (game.n_players - 1) * ONE
    most = 0
    least = 1 << 40
    for i in range(n):
        packed = table[CARD + game.card[tavern, i]]
        c = packed & 15
        if c == ROYAL_OFFERING:
            value = offering_value_nb(game, own, table, packed >> 16)
            liking = ((packed >> 16) + min(3, game.rounds_left)) * n_rivals
        else:
            ranks = (packed >> 4) & 15
            points = (packed >> 8) & 255
            my_point = memory[mine + PER_SEAT - 1] if c == MINER else ONE
            their_point = memory[LIKINGS + PER_SEAT - 1] if c == MINER else n_rivals
            value = memory[mine + c] * ranks + my_point * points
            liking = memory[LIKINGS + c] * ranks + their_point * points
        most = max(most, liking)
        least = min(least, liking)
        memory[VALUE + i] = value
        memory[LIKING + i] = 8 * liking - i  # cards that are liked alike go in their order on the table
    return most - least


@contained_kernel
def order_nb(a, b):
    """Return two numbers, the larger one first."""
    return max(a, b), min(a, b)


@contained_kernel
def smooth_left_nb(memory, tavern, last, left_0, left_1, left_2, left_3, left_4):
    """Fill a tavern's row of `memory.SMOOTH` from that of `memory.LEFT`, `last` being the place of the last bidder."""
    left_2 = left_2 if last >= 2 else left_1
    left_3 = left_3 if last >= 3 else left_2
    left_4 = left_4 if last >= 4 else left_3
    smooth = SMOOTH + (N_COINS + 1) * tavern
    memory[smooth] = (3 * left_0 + left_1) >> 2
    memory[smooth + 1] = (left_0 + 2 * left_1 + left_2) >> 2
    memory[smooth + 2] = (left_1 + 2 * left_2 + left_3) >> 2
    memory[smooth + 3] = (left_2 + 2 * left_3 + left_4) >> 2
    memory[smooth + 4] = (left_3 + 3 * left_4) >> 2
    memory[smooth + 5] = left_4


@contained_kernel
def fill_left_nb(game, own, table, tavern):
    """Fill a tavern's rows of `memory.LEFT` and `SMOOTH`, and how much its cards differ to the rivals into `WHERE`.

    The rivals are taken to choose in the order of what all of them together think of the cards.
    """
    memory = own.memory
    n = min(game.n_cards[tavern], N_COINS)
    memory[WHERE + tavern] = like_cards_nb(game, own, table, tavern, n)
    for i in range(n, N_COINS):  # places without a card come last
        memory[VALUE + i] = NOTHING
        memory[LIKING + i] = -(1 << 50) - i
    a, b, c, d, e = memory[LIKING], memory[LIKING + 1], memory[LIKING + 2], memory[LIKING + 3], memory[LIKING + 4]
    a, b = order_nb(a, b)  # a network that sorts five
    d, e = order_nb(d, e)
    c, e = order_nb(c, e)
    c, d = order_nb(c, d)
    a, d = order_nb(a, d)
    b, e = order_nb(b, e)
    a, c = order_nb(a, c)
    b, d = order_nb(b, d)
    b, c = order_nb(b, c)
    left_4 = memory[VALUE + (-e & 7)]
    left_3 = max(left_4, memory[VALUE + (-d & 7)])
    left_2 = max(left_3, memory[VALUE + (-c & 7)])
    left_1 = max(left_2, memory[VALUE + (-b & 7)])
    left_0 = max(left_1, memory[VALUE + (-a & 7)])
    left_0 = left_0 if n > 0 else 0
    left_1 = left_1 if n > 1 else 0
    left_2 = left_2 if n > 2 else 0
    left_3 = left_3 if n > 3 else 0
    left_4 = left_4 if n > 4 else 0
    left = LEFT + N_COINS * tavern
    memory[left] = left_0
    memory[left + 1] = left_1
    memory[left + 2] = left_2
    memory[left + 3] = left_3
    memory[left + 4] = left_4
    smooth_left_nb(memory, tavern, game.n_players - 1, left_0, left_1, left_2, left_3, left_4)


@kernel
def gem_steps_nb(game, own, value):
    """Return by how much a bid of `value` raises the own gem if each rival's equal coin were bid against it (H15)."""
    steps = 0
    for seat in range(game.n_players):
        coin = game.pl[seat].coin
        for other in range(1, N_COINS):
            steps += (game.pl[seat].gem - game.pl[own.seat].gem) * (coin[other] == value)
    return steps


@contained_kernel
def packed_coins_nb(game, own, seat):
    """Return a rival's five coins as one number, 8 bits each, the exchange coin highest; 0 for oneself.

    A rival with the higher gem wins a tie: each of its coins counts one more, as if it were higher.
    """
    coin = game.pl[seat].coin
    packed = coin[EXCHANGE_SLOT]
    for slot in range(1, N_COINS):
        packed = (packed << 8) + coin[slot]
    packed += EACH_COIN * (game.pl[seat].gem > game.pl[own.seat].gem)
    return packed if seat != own.seat else 0


@contained_kernel
def ahead_nb(table, packed, value):
    """Return the `tables.AHEAD` of the coins of `packed_coins_nb` that are higher than `value`: counted all at once."""
    higher = ((packed + EACH_COIN * (127 - value)) >> 7) & EACH_COIN
    return table[AHEAD + (((higher * EACH_WEIGHT) >> 32) & 15)]


@contained_kernel
def fill_worth_of_coin_nb(game, own, slot, ahead):
    """Fill a coin's column of `memory.WORTH`: the value of the card it gets at the place it can expect.

    The expected place, between two whole ones, and the smoothed values stand for the chances of all places: that
    plays as well as working those out, and is much faster. Equal bids go by gem, and then the gems are traded (H15).
    """
    memory = own.memory
    extra = 0
    if own.param[GEM] != 0:
        extra = own.param[GEM] * game.rounds_left * gem_steps_nb(game, own, game.pl[own.seat].coin[slot])
    for tavern in range(N_TAVERNS):
        before = ((ahead >> (16 * memory[WHERE + tavern])) & 65535) - ZERO  # rivals that go before, 1/256
        k = before >> 8
        part = before & (ONE - 1)
        at = SMOOTH + (N_COINS + 1) * tavern + k
        worth = (ONE - part) * memory[at] + part * memory[at + 1]
        memory[WORTH + N_COINS * tavern + slot] = (worth * own.param[BID_SPREAD] >> 16) + extra


@kernel
def fill_by_place_nb(game, own, table):
    """Fill the worth of each coin at each tavern."""
    memory = own.memory
    add_likings_nb(own)
    for tavern in range(N_TAVERNS):
        fill_left_nb(game, own, table, tavern)
    x, y, z = memory[WHERE], memory[WHERE + 1], memory[WHERE + 2]  # how much the cards of each tavern differ
    memory[WHERE] = (1 if y > x else 0) + (1 if z > x else 0)
    memory[WHERE + 1] = (1 if x >= y else 0) + (1 if z > y else 0)
    memory[WHERE + 2] = (1 if x >= z else 0) + (1 if y >= z else 0)
    # Empty seats have no coins: they add nothing, and a fixed number is faster.
    first, second, third = packed_coins_nb(game, own, 0), packed_coins_nb(game, own, 1), packed_coins_nb(game, own, 2)
    fourth, fifth = packed_coins_nb(game, own, 3), packed_coins_nb(game, own, 4)
    for slot in range(N_COINS):
        value = game.pl[own.seat].coin[slot]
        ahead = ALL_ZERO + ahead_nb(table, first, value) + ahead_nb(table, second, value)
        ahead += ahead_nb(table, third, value) + ahead_nb(table, fourth, value) + ahead_nb(table, fifth, value)
        fill_worth_of_coin_nb(game, own, slot, ahead)


@kernel
def choose_bid_by_place_nb(game, own, n_options):
    """Return the bid by the places its coins can get."""
    table = array_at(own.table, own.n_table)
    begin_round_nb(game, own, table)
    fill_by_place_nb(game, own, table)
    return best_bid_nb(game, own, table)
