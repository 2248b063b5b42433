"""Specialists: the Reavers in the slot of a location act before anyone decides to pay or rest (rules 3.4 a, 3.14)."""

from simcore.accel import separate_kernel
from simcore.reavers.decisions import CHOOSE_ABILITY
from simcore.reavers.effects import gain_nb
from simcore.reavers.events import ABILITY_USED, ask_nb, record_nb
from simcore.reavers.layout import FROM_SPECIALISTS, GAME, HIDDEN, NOWHERE
from simcore.reavers.paying import can_pay_nb, pay_nb

USE = 0
SKIP = 1


@separate_kernel(GAME, HIDDEN)
def use_specialists_nb(game, hidden, seat, slot):
    """Offer each specialist of a slot, top card first, to its owner, who may skip any (rules 3.4, 3.14, 16.2)."""
    me = game.pl[seat]
    own = hidden.own[seat]
    for place in range(me.n_specialists[slot]):
        reaver = me.specialist[slot, place]
        cost = game.edition.ability_cost[reaver]
        if game.edition.ability_gain[reaver] == 0 or not can_pay_nb(game, seat, cost):
            continue
        game.reaver = reaver
        own.option[USE] = USE
        own.option[SKIP] = SKIP
        if ask_nb(game, hidden, seat, CHOOSE_ABILITY, 2) == SKIP:
            continue
        me.n_abilities += 1
        record_nb(hidden, ABILITY_USED, seat, reaver, slot, 0)
        pay_nb(game, hidden, seat, cost)
        gain_nb(game, hidden, seat, game.edition.ability_gain[reaver], FROM_SPECIALISTS, NOWHERE)
