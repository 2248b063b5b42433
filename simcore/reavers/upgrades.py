"""Ship upgrades: taking, returning and readying their tokens (rule 6.4). Spending one is in `paying` and `combat`."""

from simcore.accel import kernel, separate_kernel
from simcore.reavers.decisions import CHOOSE_RETURNED_UPGRADE, CHOOSE_UPGRADE
from simcore.reavers.events import UPGRADE_RETURNED, UPGRADE_TAKEN, UPGRADES_READY, ask_nb, record_nb
from simcore.reavers.layout import GAME, HIDDEN, NOWHERE


@separate_kernel(GAME, HIDDEN)
def take_upgrade_nb(game, hidden, seat, upgrade):
    """Take a token; with no space left an old one, or the new one, goes back to the supply (rule 6.4)."""
    if game.upgrade_supply[upgrade] == 0:
        return
    me = game.pl[seat]
    own = hidden.own[seat]
    space = me.n_upgrades
    if space == game.edition.upgrade_spaces:
        for i in range(space + 1):
            own.option[i] = i
        space = own.option[ask_nb(game, hidden, seat, CHOOSE_RETURNED_UPGRADE, space + 1)]
        if space == me.n_upgrades:
            record_nb(hidden, UPGRADE_RETURNED, seat, upgrade, 0, 0)
            return
        game.upgrade_supply[me.upgrade[space]] += 1
        record_nb(hidden, UPGRADE_RETURNED, seat, me.upgrade[space], 0, 0)
    else:
        me.n_upgrades += 1
    game.upgrade_supply[upgrade] -= 1
    me.upgrade[space] = upgrade
    me.n_changes += 1
    me.upgrade_ready[space] = 1
    me.had_upgrade[upgrade] = 1
    record_nb(hidden, UPGRADE_TAKEN, seat, space, upgrade, 0)


@kernel
def take_any_upgrade_nb(game, hidden, seat):
    """Take a token of the owner's choice: one gained without its card (section 13)."""
    own = hidden.own[seat]
    n = 0
    for upgrade in range(game.edition.n_upgrades):
        if game.upgrade_supply[upgrade] > 0:
            own.option[n] = upgrade
            n += 1
    if n > 0:
        take_upgrade_nb(game, hidden, seat, own.option[ask_nb(game, hidden, seat, CHOOSE_UPGRADE, n)])


@kernel
def ready_upgrades_nb(game, hidden, seat):
    """Turn used tokens up again (rule 6.4): after each activation, or in cleanup under upgrade_refresh=round."""
    me = game.pl[seat]
    was_used = False
    for space in range(me.n_upgrades):
        was_used = was_used or me.upgrade_ready[space] == 0
        me.upgrade_ready[space] = 1
    if was_used:
        record_nb(hidden, UPGRADES_READY, seat, 0, 0, 0)


@kernel
def has_token_nb(game, upgrade):
    """Return whether the supply holds a token of this ship upgrade, or any token if it is NOWHERE."""
    if upgrade != NOWHERE:
        return game.upgrade_supply[upgrade] > 0
    n_left = 0
    for i in range(game.edition.n_upgrades):
        n_left += game.upgrade_supply[i]
    return n_left > 0
