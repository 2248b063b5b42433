"""Raid Villages: for food and two treasure chests, a group of Village Spoils (section 6)."""

from simcore.accel import kernel
from simcore.reavers.layout import VILLAGE_DECK, VILLAGES
from simcore.reavers.spoils import take_spoils_nb


@kernel
def raid_villages_nb(game, hidden, seat):
    """Take two Village Spoils for what was paid, with 2, 1, 0, 0 unseen ones more by seat (rules 6.1, 6.2)."""
    take_spoils_nb(game, hidden, seat, VILLAGE_DECK, game.edition.bonus[VILLAGES, game.distance])
