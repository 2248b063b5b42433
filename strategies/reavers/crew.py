"""What Reavers are worth: their dice, and rallying, specialising or promoting them (strategies.md section 3)."""

from simcore.accel import array_at, contained_kernel, kernel, separate_kernel
from simcore.reavers.layout import (
    FIRST_SLOT_LOCATION,
    GAME,
    MAX_OFFER_CARDS,
    N_COLOURS,
    N_FACES,
    N_SLOTS_FOR_REAVERS,
    NOWHERE,
    OWN,
    REAVER_DECK,
    SUBDUE,
)
from strategies.reavers.effects import cost_value_nb, effect_value_nb
from strategies.reavers.memory import (
    AS_WILD,
    CHOSEN,
    FUTURE,
    PROMOTED,
    REAVERS_KNOWN,
    ROLLED,
    STACK_OF_REAVERS,
    STEERED,
    TO_COME,
    UNSEEN,
)
from strategies.reavers.outlook import dice_value_nb
from strategies.reavers.tables import N_PROMOTIONS, PROMOTES, REAVER, REAVER_SIZE, REAVERS_LAST
from strategies.reavers.weights import ONE, PROMOTE, RALLY, SPECIALISE

RALLY_IT, PROMOTE_IT, FIRST_SLOT = 0, 1, 2
METRIC_REAVERS, METRIC_SPECIALISTS = 5, 8
N_ROLLED, N_RALLIED, BRINGS_SUCCESS, PROMOTION = range(N_COLOURS + 1, N_COLOURS + 5)
"""Places within a row of `tables.REAVER`."""


@contained_kernel
def ability_value_nb(game, own, reaver):
    """Return what one use of a specialist is worth; it may be skipped."""
    edition = game.edition
    value = effect_value_nb(game, own, edition.ability_gain[reaver])
    if edition.ability_cost[reaver] != 0:
        value -= cost_value_nb(game, own, edition.ability_cost[reaver])
    return max(0, value)


@contained_kernel
def brings_success_nb(table, reaver):
    """Return whether a specialist brings successes, which need combats."""
    return table[REAVER + REAVER_SIZE * reaver + BRINGS_SUCCESS] == 1


@kernel
def rally_value_nb(own, n):
    """Return what `n` rallied dice are worth."""
    return dice_value_nb(own, n, own.memory[CHOSEN]) * own.param[RALLY] >> 8


@kernel
def slot_times_nb(game, own, table, reaver, slot):
    """Return how often a specialist in a slot will be of use, 1/256; successes need combats."""
    me = game.pl[own.seat]
    if me.n_specialists[slot] >= game.edition.specialists_per_slot:
        return -1
    times = own.memory[TO_COME + FIRST_SLOT_LOCATION + slot]
    if brings_success_nb(table, reaver):
        return times if slot == SUBDUE - FIRST_SLOT_LOCATION else times >> 1
    return times


@kernel
def promotion_value_nb(game, own, reaver):
    """Return what promoting a Reaver brings: the clan bonus, and its icons as wild dice instead of the old leader's."""
    edition = game.edition
    me = game.pl[own.seat]
    value = effect_value_nb(game, own, edition.reaver_promotion[reaver])
    if edition.leader_not_wild == 0:
        old = me.wild_kind // N_FACES if me.wild_kind != NOWHERE else NOWHERE
        new = edition.reaver_wild[reaver]
        if new != old:
            if new != NOWHERE:
                value += own.memory[AS_WILD + new]
            if old != NOWHERE:
                value -= own.memory[AS_WILD + old]
    return value * own.param[PROMOTE] >> 8


@kernel
def use_value_nb(game, own, reaver, use):
    """Return what rallying, promoting or specialising a Reaver is worth (rules 4.4, 4.5)."""
    table = array_at(own.table, own.n_table)
    if use == RALLY_IT:
        return rally_value_nb(own, table[REAVER + REAVER_SIZE * reaver + N_RALLIED])
    if use == PROMOTE_IT:
        return promotion_value_nb(game, own, reaver)
    times = max(0, slot_times_nb(game, own, table, reaver, use - FIRST_SLOT))
    value = (ability_value_nb(game, own, reaver) * times >> 8) * own.param[SPECIALISE] >> 8
    return value + own.memory[STEERED + METRIC_SPECIALISTS]


@kernel
def best_times_nb(game, own):
    """Return how often a specialist in the best slot will be of use, and one that brings successes; -1 without room.

    And write what promotions are worth: `reaver_value_nb` needs both.
    """
    table = array_at(own.table, own.n_table)
    for promotion in range(table[N_PROMOTIONS]):
        own.memory[PROMOTED + promotion] = promotion_value_nb(game, own, table[PROMOTES + promotion])
    me = game.pl[own.seat]
    times = -1
    times_of_success = -1
    for slot in range(N_SLOTS_FOR_REAVERS):
        if me.n_specialists[slot] < game.edition.specialists_per_slot:
            to_come = own.memory[TO_COME + FIRST_SLOT_LOCATION + slot]
            times = max(times, to_come)
            is_for_combat = slot == SUBDUE - FIRST_SLOT_LOCATION
            times_of_success = max(times_of_success, to_come if is_for_combat else to_come >> 1)
    return times, times_of_success


@separate_kernel(GAME, OWN)
def reaver_value_nb(game, own, reaver, times, times_of_success):
    """Return what a Reaver is worth: the dice at the top left and the best of its uses.

    Parameters
    ----------
    times, times_of_success : int
        From `best_times_nb`.
    """
    memory = own.memory
    table = array_at(own.table, own.n_table)
    row = REAVER + REAVER_SIZE * reaver
    n = table[row + N_ROLLED]
    total = 0
    for colour in range(N_COLOURS + 1):
        total += table[row + colour] * memory[ROLLED + colour]
    value = dice_value_nb(own, n, total // max(1, n))
    promotion = table[row + PROMOTION]
    promoted = memory[PROMOTED + promotion] if promotion != NOWHERE else promotion_value_nb(game, own, reaver)
    best = max(rally_value_nb(own, table[row + N_RALLIED]), promoted)
    times = times_of_success if brings_success_nb(table, reaver) else times
    if times > 0:
        specialised = (ability_value_nb(game, own, reaver) * times >> 8) * own.param[SPECIALISE] >> 8
        best = max(best, specialised + memory[STEERED + METRIC_SPECIALISTS])
    return value + best + memory[STEERED + METRIC_REAVERS + game.edition.reaver_colour[reaver]]


@kernel
def stack_of_reavers_value_nb(game, own, space, times, times_of_success):
    """Return what the Reavers of a face-up space are worth."""
    value = 0
    for place in range(MAX_OFFER_CARDS):
        reaver = game.offer[REAVER_DECK, space, place]
        if reaver != NOWHERE:
            value += reaver_value_nb(game, own, reaver, times, times_of_success)
    return value


@separate_kernel(GAME, OWN)
def value_unseen_reaver_nb(game, own):
    """Write what an unseen Reaver is worth: about what the face-up ones are; for this decision keep those by space."""
    times, times_of_success = best_times_nb(game, own)
    total = 0
    n = 0
    is_last = array_at(own.table, own.n_table)[REAVERS_LAST] == 1
    own.memory[REAVERS_KNOWN] = 1 if is_last else 0
    for space in range(game.edition.n_offers[REAVER_DECK]):
        value = 0
        for place in range(MAX_OFFER_CARDS):
            reaver = game.offer[REAVER_DECK, space, place]
            if reaver != NOWHERE:
                value += reaver_value_nb(game, own, reaver, times, times_of_success)
                n += 1
        if is_last:
            own.memory[STACK_OF_REAVERS + space] = value
        total += value
    if n > 0:
        own.memory[UNSEEN + REAVER_DECK] = total // n
    elif own.memory[UNSEEN + REAVER_DECK] == 0:
        own.memory[UNSEEN + REAVER_DECK] = 4 * ONE * own.memory[FUTURE] >> 8
