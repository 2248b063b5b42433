"""Which card of a tavern (H1 to H4), and which as Pioneer."""

from simcore.accel import array_at, kernel
from strategies.explaining import tell_nb
from strategies.nidavellir.memory import LEFT
from strategies.nidavellir.valuing import card_value_nb, card_value_to_nb, picks_left_nb, value_own_nb
from strategies.nidavellir.weights import DENY, ONE


@kernel
def choose_card_nb(game, own, n_options):
    """Return the card that is worth most to oneself, with a part of what the next bidders lose by it (H4).

    A bidder loses by one card only: the one it likes best, and as much as it likes the second best less.
    """
    table = array_at(own.table, own.n_table)
    memory = own.memory
    value_own_nb(game, own, table, picks_left_nb(game))
    for i in range(n_options):
        memory[LEFT + i] = card_value_nb(game, own, table, own.option[i])
    deny = own.param[DENY] // (game.n_players - 1)
    if deny != 0:
        for turn in range(game.turn + 1, game.n_players):
            best = -(1 << 40)
            second = -(1 << 40)
            best_at = 0
            for i in range(n_options):
                value = card_value_to_nb(game, own, table, game.order[turn], own.option[i])
                is_best = value > best  # selected, not branched upon: no processor guesses what a rival likes
                second = best if is_best else max(second, value)
                best_at = i if is_best else best_at
                best = max(best, value)
            memory[LEFT + best_at] += deny * (best - second) >> 8
    best_card = 0
    best_value = memory[LEFT]
    for i in range(n_options):
        value = memory[LEFT + i]
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
