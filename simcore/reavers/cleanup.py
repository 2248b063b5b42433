"""The end of a round: marker, honor ship, territory income, market, offers (rule 3.8)."""

from simcore.accel import kernel, separate_kernel
from simcore.reavers.decks import clear_offers_nb, deal_offers_nb
from simcore.reavers.events import HONOR_SHIP, record_nb
from simcore.reavers.layout import FROM_INCOME, GAME, HIDDEN, NOWHERE
from simcore.reavers.paying import add_glory_nb
from simcore.reavers.trade import fill_market_nb
from simcore.reavers.upgrades import ready_upgrades_nb


@kernel
def pay_income_nb(game, hidden):
    """Each seat gains the Glory of its territories (rules 3.8.2, 11.4)."""
    for seat in range(game.n_players):
        if game.pl[seat].tile_income > 0:
            add_glory_nb(game, hidden, seat, game.pl[seat].tile_income, FROM_INCOME)


@kernel
def note_round_nb(game):
    """Note each seat's Glory, food, dice and territories for the results by round."""
    for seat in range(game.n_players):
        me = game.pl[seat]
        me.glory_after_round[game.round_number] = me.glory
        me.food_after_round[game.round_number] = me.food
        me.dice_after_round[game.round_number] = me.n_dice + me.n_stored
        me.tiles_after_round[game.round_number] = me.n_tiles


@separate_kernel(GAME, HIDDEN)
def clean_up_nb(game, hidden):
    """Clean up after a round; after the last one there is nothing left to do but score (rule 3.8).

    The last round brings no income, unless territory_glory_round6=yes (part B 1).
    """
    is_last = game.rounds_left == 0
    if not is_last and game.honor_ship != NOWHERE:
        game.honor_ship = (game.honor_ship + 1) % game.n_players
        record_nb(hidden, HONOR_SHIP, game.honor_ship, 0, 0, 0)
    if not is_last or game.edition.income_after_last_round == 1:
        pay_income_nb(game, hidden)
    if not is_last:
        fill_market_nb(game, hidden)
        if game.edition.fill_gaps == 0:
            clear_offers_nb(game, hidden)
        deal_offers_nb(game, hidden)
        if game.edition.refresh_by_round == 1:
            for seat in range(game.n_players):
                ready_upgrades_nb(game, hidden, seat)
    note_round_nb(game)
