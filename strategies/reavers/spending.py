"""Which dice, upgrades and artifacts to spend, to store, to discard (rules 6.3, 6.4, 9.2, 9.4)."""

from simcore.accel import kernel
from simcore.reavers.layout import HAMMER, N_COLOURS, N_FACES, N_KINDS, NOWHERE, STORED_CODE
from strategies.explaining import tell_nb
from strategies.reavers.cards import artifact_value_nb
from strategies.reavers.effects import effect_value_nb, upgrade_value_nb
from strategies.reavers.fighting import source_cost_nb
from strategies.reavers.memory import LAST
from strategies.reavers.outlook import glance_nb, lost_kind_value_nb
from strategies.reavers.places import survey_nb
from strategies.reavers.weights import ONE


@kernel
def are_alike_nb(game, own, n_options):
    """Return whether all that can pay are dice of the face that is due, none of them wild."""
    wild = game.pl[own.seat].wild_kind
    for i in range(n_options):
        source = own.option[i]
        if source >= N_KINDS or source % N_FACES != game.due_face or source == wild:
            return False
    return True


@kernel
def choose_payment_nb(game, own, n_options):
    """Pay with what is missed least: a ready ship upgrade first, a wild die last."""
    if are_alike_nb(game, own, n_options):
        return 0
    glance_nb(game, own)
    best = 0
    least = 1 << 30
    for i in range(n_options):
        source = own.option[i]
        cost = source_cost_nb(game, own, source)
        if source < N_KINDS and source % N_FACES != game.due_face:
            cost += 5  # a die of the exact face rather than one that can do more
        tell_nb(i, -cost, ONE)
        if cost < least:
            least = cost
            best = i
    return best


@kernel
def choose_lost_die_nb(game, own, n_options):
    """Lose the least useful die."""
    glance_nb(game, own)
    best = 0
    least = 1 << 30
    for i in range(n_options):
        source = own.option[i]
        cost = source_cost_nb(game, own, source) if source >= STORED_CODE else lost_kind_value_nb(game, own, source)
        tell_nb(i, -cost, ONE)
        if cost < least:
            least = cost
            best = i
    return best


@kernel
def choose_discard_nb(game, own, n_options):
    """Discard the least useful die."""
    glance_nb(game, own)
    best = 0
    least = 1 << 30
    for i in range(n_options):
        cost = lost_kind_value_nb(game, own, own.option[i])
        tell_nb(i, -cost, ONE)
        if cost < least:
            least = cost
            best = i
    return best


@kernel
def choose_loading_nb(game, own, n_options):
    """Store a die whenever one fits: it still pays and fights, and makes room; rather not the leader's colour."""
    wild = game.pl[own.seat].wild_kind
    for i in range(n_options - 1):
        if wild == NOWHERE or own.option[i] % N_COLOURS != wild // N_FACES:
            return i
    return 0


@kernel
def choose_artifact_use_nb(game, own, n_options):
    """Use the artifact that brings most more than the die it takes."""
    survey_nb(game, own)
    me = game.pl[own.seat]
    best = n_options - 1
    tell_nb(best, 0, ONE)
    best_value = 0
    for i in range(n_options - 1):
        artifact = me.artifact[own.option[i]]
        value = effect_value_nb(game, own, game.edition.artifact_gain[artifact])
        value -= own.memory[LAST + min(game.edition.artifact_face[artifact], HAMMER + N_FACES - 1)]
        tell_nb(i, value, ONE)
        if value > best_value:
            best_value = value
            best = i
    return best


@kernel
def choose_given_up_artifact_nb(game, own, n_options):
    """Give up the artifact that will bring least; with its die if one is stored."""
    survey_nb(game, own)
    me = game.pl[own.seat]
    best = n_options - 1
    new = game.edition.spoils_ref[own.card] if own.card != NOWHERE else NOWHERE
    least = artifact_value_nb(game, own, new) if new != NOWHERE else 0
    tell_nb(best, -least, ONE)
    for i in range(n_options - 1):
        space = own.option[i]
        value = artifact_value_nb(game, own, me.artifact[space])
        if me.stored[space] != NOWHERE:
            value += own.memory[LAST + game.edition.artifact_face[me.artifact[space]]]
        tell_nb(i, -value, ONE)
        if value < least:
            least = value
            best = i
    return best


@kernel
def choose_returned_upgrade_nb(game, own, n_options):
    """Return the ship upgrade that saves least; the new one if the card does not say which it is."""
    survey_nb(game, own)
    me = game.pl[own.seat]
    best = n_options - 1
    new = game.edition.spoils_ref[own.card] if own.card != NOWHERE else NOWHERE
    least = upgrade_value_nb(game, own, new) if new != NOWHERE else 0
    tell_nb(best, -least, ONE)
    for i in range(n_options - 1):
        value = upgrade_value_nb(game, own, me.upgrade[own.option[i]])
        tell_nb(i, -value, ONE)
        if value < least:
            least = value
            best = i
    return best


@kernel
def choose_upgrade_nb(game, own, n_options):
    """Take the ship upgrade that will save most."""
    survey_nb(game, own)
    best = 0
    most = -1
    for i in range(n_options):
        value = upgrade_value_nb(game, own, own.option[i])
        tell_nb(i, value, ONE)
        if value > most:
            most = value
            best = i
    return best
