"""Items granted at the start of a game, on top of everything (see `items`): a balance test's, no rule of the game."""

from simcore.accel import kernel, separate_kernel
from simcore.contract import MAX_GRANTS
from simcore.nidavellir.coins import sum_of_coins_nb
from simcore.nidavellir.events import GRANTED, record_3_nb
from simcore.nidavellir.heroes import recruit_nb
from simcore.nidavellir.layout import GAME, HIDDEN, N_CLASSES
from simcore.nidavellir.taverns import gain_card_nb


@separate_kernel(GAME, HIDDEN)
def _grant_nb(game, hidden, seat):
    """Give a seat its items: heroes first, so that Dagda and Bonfur find no dwarf to discard; then cards.

    A distinction is only noted: its seat gets it in the troop evaluation, whatever the count.
    """
    me = game.pl[seat]
    game.age = 1  # strategies that are asked know no other age before the first round
    for i in range(MAX_GRANTS):
        item = hidden.granted[seat, i]
        if item < 0:
            break
        record_3_nb(hidden, GRANTED, seat, item, 0)
        if item < game.edition.n_heroes:
            me.n_heroes -= 1  # an extra one: no line is charged for it
            recruit_nb(game, hidden, seat, item)
        elif item < game.edition.n_heroes + N_CLASSES:
            game.distinction_granted[item - game.edition.n_heroes] = seat
        else:
            gain_card_nb(game, hidden, seat, item - game.edition.n_heroes - N_CLASSES)
    me.coins_after_round[0] = sum_of_coins_nb(me)


@kernel
def grant_items_nb(game, hidden):
    """Give every seat the items it is granted."""
    for seat in range(game.n_players):
        if hidden.granted[seat, 0] >= 0:
            _grant_nb(game, hidden, seat)
