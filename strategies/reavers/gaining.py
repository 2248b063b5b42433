"""Which dice, goods and prophecies to take; abilities (rules 3.4, 4.5, 5.2, 9.3)."""

from simcore.accel import array_at, kernel
from simcore.reavers.layout import CLAN, N_FACES, NOWHERE, PROPHECY_DECK, SHIP_UPGRADE
from strategies.explaining import tell_nb
from strategies.reavers.cards import prophecy_value_nb
from strategies.reavers.crew import ability_value_nb
from strategies.reavers.effects import effect_value_nb
from strategies.reavers.memory import NEXT, NEXT_WILD, ROLLED, UNSEEN, UPGRADE_MEANT
from strategies.reavers.outlook import glance_nb, kind_value_nb, look_nb, lost_kind_value_nb
from strategies.reavers.places import survey_nb, trade_value_nb
from strategies.reavers.weights import ONE

USE, SKIP = 0, 1


@kernel
def choose_ability_nb(game, own, n_options):
    """Use a specialist whose gain is worth its cost."""
    survey_nb(game, own)
    worth = ability_value_nb(game, own, game.reaver)
    tell_nb(USE, worth, ONE)
    tell_nb(SKIP, 0, ONE)
    return USE if worth > 0 else SKIP


@kernel
def choose_die_nb(game, own, n_options):
    """Take the most useful kind of die; of equal ones the leader's colour, else one with many left."""
    glance_nb(game, own)
    wild = game.pl[own.seat].wild_kind
    best = 0
    most = -1
    for i in range(n_options):
        kind = own.option[i]
        value = 64 * kind_value_nb(game, own, kind) + min(31, game.supply[kind // N_FACES])
        if wild != NOWHERE and kind // N_FACES == wild // N_FACES:
            value += 32
        tell_nb(i, value >> 6, ONE)
        if value > most:
            most = value
            best = i
    return best


@kernel
def choose_colour_nb(game, own, n_options):
    """Roll a die of the colour whose roll is worth most."""
    look_nb(game, own)
    best = 0
    most = -1
    for i in range(n_options):
        value = 64 * own.memory[ROLLED + own.option[i]] + min(31, game.supply[own.option[i]])
        tell_nb(i, value >> 6, ONE)
        if value > most:
            most = value
            best = i
    return best


@kernel
def choose_market_die_nb(game, own, n_options):
    """Take the most useful die of the market."""
    glance_nb(game, own)
    best = 0
    most = -1
    for i in range(n_options):
        value = kind_value_nb(game, own, own.option[i])
        tell_nb(i, value, ONE)
        if value > most:
            most = value
            best = i
    return best


@kernel
def choose_trade_nb(game, own, n_options):
    """Take the trade option that is worth most."""
    survey_nb(game, own)
    best = 0
    most = -(1 << 30)
    for i in range(n_options):
        value = trade_value_nb(game, own, own.option[i])
        tell_nb(i, value, ONE)
        if value > most:
            most = value
            best = i
    return best


@kernel
def choose_prophecy_nb(game, own, n_options):
    """Take the prophecy that will pay most, or an unseen one."""
    survey_nb(game, own)
    table = array_at(own.table, own.n_table)
    best = 0
    most = -1
    for i in range(n_options):
        space = own.option[i]
        if space == NOWHERE:
            value = own.memory[UNSEEN + PROPHECY_DECK]
        else:
            value = prophecy_value_nb(game, own, table, game.offer[PROPHECY_DECK, space, 0])
        tell_nb(i, value, ONE)
        if value > most:
            most = value
            best = i
    return best


@kernel
def choose_gain_nb(game, own, n_options):
    """Take the alternative that is worth most."""
    survey_nb(game, own)
    if own.card != NOWHERE and own.card_deck != NOWHERE and own.card_deck != 0:
        if game.edition.spoils_category[own.card] == SHIP_UPGRADE:
            own.memory[UPGRADE_MEANT] = 1 + game.edition.spoils_ref[own.card]
    best = 0
    most = -(1 << 30)
    for i in range(n_options):
        value = effect_value_nb(game, own, game.effect + own.option[i])
        tell_nb(i, value, ONE)
        if value > most:
            most = value
            best = i
    own.memory[UPGRADE_MEANT] = 0
    return best


@kernel
def choose_die_to_turn_nb(game, own, n_options):
    """Turn the least useful die."""
    glance_nb(game, own)
    best = 0
    least = 1 << 30
    for i in range(n_options):
        value = lost_kind_value_nb(game, own, own.option[i])
        tell_nb(i, -value, ONE)
        if value < least:
            least = value
            best = i
    return best


@kernel
def choose_face_nb(game, own, n_options):
    """Turn a die to the face that is worth most."""
    glance_nb(game, own)
    colour = game.due_dice // N_FACES
    wild = game.pl[own.seat].wild_kind
    best = 0
    most = -1
    for i in range(n_options):
        face = own.option[i]
        value = own.memory[NEXT + face]
        if face == CLAN and wild == colour * N_FACES + CLAN:
            value = own.memory[NEXT_WILD]
        if colour * N_FACES + face == game.due_dice:
            value = lost_kind_value_nb(game, own, game.due_dice)
        tell_nb(i, value, ONE)
        if value > most:
            most = value
            best = i
    return best


@kernel
def choose_die_to_reroll_nb(game, own, n_options):
    """Reroll dice that are worth less than a roll."""
    look_nb(game, own)
    best = n_options - 1
    tell_nb(best, 0, ONE)
    most = 0
    for i in range(n_options - 1):
        kind = own.option[i]
        gain = own.memory[ROLLED + kind // N_FACES] - lost_kind_value_nb(game, own, kind)
        tell_nb(i, gain, ONE)
        if gain > most:
            most = gain
            best = i
    return best
