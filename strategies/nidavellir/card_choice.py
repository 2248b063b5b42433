"""Which card of a tavern (H1 to H4), and which as Pioneer."""

from simcore.accel import array_at, contained_kernel, kernel
from simcore.nidavellir.layout import MAX_TAVERN_CARDS, MINER, ROYAL_OFFERING, WARRIOR
from strategies.explaining import tell_nb
from strategies.nidavellir.bidding import has_begun_nb
from strategies.nidavellir.memory import PER_SEAT, VALUES, WORTH
from strategies.nidavellir.tables import CARD, DENY_EACH
from strategies.nidavellir.valuing import card_value_nb, offering_value_nb, picks_left_nb, value_own_nb
from strategies.nidavellir.weights import ONE

WORTH_OF, CLASS_AT, RANKS_AT, MINER_POINTS_AT, REST_AT = range(WORTH, WORTH + 5 * MAX_TAVERN_CARDS, MAX_TAVERN_CARDS)
"""[option]: what the card is worth to oneself, and what it is: its class, its ranks, its points if it is a miner, else
what its points are worth to anybody."""


@contained_kernel
def look_at_cards_nb(game, own, table, n_options):
    """Write what the cards on offer are, and are worth to oneself, into ``own.memory[WORTH_OF:]``."""
    memory = own.memory
    mine = VALUES + PER_SEAT * own.seat
    for i in range(n_options):
        packed = table[CARD + own.option[i]]
        c = packed & 15
        points = (packed >> 8) & 255
        if c == ROYAL_OFFERING:  # to a rival about what it adds to a coin
            memory[WORTH_OF + i] = offering_value_nb(game, own, table, packed >> 16)
            memory[CLASS_AT + i] = WARRIOR
            memory[RANKS_AT + i] = 0
            memory[MINER_POINTS_AT + i] = 0
            memory[REST_AT + i] = ((packed >> 16) + min(3, game.rounds_left)) * ONE
        else:
            ranks = (packed >> 4) & 15
            miner_points = points * (c == MINER)
            rest = (points - miner_points) * ONE
            memory[WORTH_OF + i] = memory[mine + c] * ranks + memory[mine + PER_SEAT - 1] * miner_points + rest
            memory[CLASS_AT + i] = c
            memory[RANKS_AT + i] = ranks
            memory[MINER_POINTS_AT + i] = miner_points
            memory[REST_AT + i] = rest


@contained_kernel
def value_to_nb(memory, seat, i):
    """Return what a card on offer is worth to a seat, 1/256 point."""
    at = VALUES + PER_SEAT * seat
    value = memory[at + memory[CLASS_AT + i]] * memory[RANKS_AT + i]
    return value + memory[at + PER_SEAT - 1] * memory[MINER_POINTS_AT + i] + memory[REST_AT + i]


@kernel
def choose_card_nb(game, own, n_options):
    """Return the card that is worth most to oneself, with a part of what the next bidders lose by it (H4).

    A bidder loses by one card only: the one it likes best, and as much as it likes the second best less.
    """
    table = array_at(own.table, own.n_table)
    memory = own.memory
    if game.tavern > 0 or game.turn > 0 or not has_begun_nb(game, own):  # at a round's first turn all is as it was
        value_own_nb(game, own, table, picks_left_nb(game))
    look_at_cards_nb(game, own, table, n_options)
    deny = table[DENY_EACH]
    if deny != 0:
        for turn in range(game.turn + 1, game.n_players):
            best = second = -(1 << 43)
            for i in range(n_options):
                # The place goes with the value, and there is no branch: no processor guesses what a rival likes.
                value = 8 * value_to_nb(memory, game.order[turn], i) + 7 - i
                second = max(second, min(best, value))
                best = max(best, value)
            memory[WORTH_OF + 7 - (best & 7)] += deny * ((best >> 3) - (second >> 3)) >> 8
    best_card = 0
    best_value = memory[WORTH_OF]
    for i in range(n_options):
        value = memory[WORTH_OF + i]
        tell_nb(i, value, ONE)
        better = value > best_value
        best_card = i if better else best_card
        best_value = value if better else best_value
    return best_card


@kernel
def choose_pioneer_card_nb(game, own, n_options):
    """Return the card of the Pioneer's three that is worth most."""
    table = array_at(own.table, own.n_table)
    value_own_nb(game, own, table, 3 * (game.rounds_left + 1))
    best = 0
    best_value = -(1 << 60)
    for i in range(n_options):
        value = card_value_nb(game, own, table, own.option[i])
        tell_nb(i, value, ONE)
        if value > best_value:
            best = i
            best_value = value
    return best
