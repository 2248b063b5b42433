"""Raid Keeps: for food and two shields, a group of Keep Spoils (section 7)."""

from simcore.accel import kernel
from simcore.reavers.layout import KEEP_DECK, KEEPS
from simcore.reavers.spoils import take_spoils_nb


@kernel
def raid_keeps_nb(game, hidden, seat):
    """Take two Keep Spoils for what was paid, with 2, 1, 0, 0 unseen ones more by seat (rules 7.1, 7.2)."""
    take_spoils_nb(game, hidden, seat, KEEP_DECK, game.edition.bonus[KEEPS, game.distance])
