"""Resolving the cards a seat has gained, one by one in its order, with all they bring (rule 3.10)."""

from simcore.accel import contained_kernel, separate_kernel
from simcore.reavers.decks import next_card_nb
from simcore.reavers.layout import GAME, HIDDEN, NOWHERE, REAVER_DECK
from simcore.reavers.recruit import use_reaver_nb
from simcore.reavers.spoils import resolve_spoils_nb


@separate_kernel(GAME, HIDDEN)
def _resolve_waiting_nb(game, hidden, seat):
    own = hidden.own[seat]
    while own.n_pending > 0:
        seen = next_card_nb(game, hidden, seat)
        if own.card_deck == REAVER_DECK:
            use_reaver_nb(game, hidden, seat, own.card, seen)
        else:
            resolve_spoils_nb(game, hidden, seat, own.card_deck, own.card, seen)
    own.card_deck = NOWHERE
    own.card = NOWHERE


@contained_kernel
def resolve_cards_nb(game, hidden, seat):
    """Resolve every waiting card of a seat, those included that are gained meanwhile."""
    if hidden.own[seat].n_pending > 0:  # seldom: nothing is called if not
        _resolve_waiting_nb(game, hidden, seat)
