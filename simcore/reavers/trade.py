"""Trade with Villages: the start-player marker, market dice, food, prophecies, favor (section 5)."""

from simcore.accel import kernel, separate_kernel
from simcore.reavers.decisions import CHOOSE_MARKET_DIE, CHOOSE_PROPHECY, CHOOSE_TRADE
from simcore.reavers.decks import draw_card_nb, has_cards_nb, list_offers_nb, take_space_nb
from simcore.reavers.dice import add_die_nb, roll_face_nb, settle_dice_nb
from simcore.reavers.effects import gain_nb
from simcore.reavers.events import (
    MARKET_CLEARED,
    MARKET_DIE_ROLLED,
    MARKET_DIE_TAKEN,
    START_MARKER,
    ask_nb,
    record_nb,
)
from simcore.reavers.layout import (
    CARD,
    FROM_OTHER,
    GAME,
    HIDDEN,
    MARKET_DICE,
    N_COLOURS,
    N_FACES,
    N_KINDS,
    NOWHERE,
    PROPHECY_DECK,
    TRADE,
)


@separate_kernel(GAME, HIDDEN)
def fill_market_nb(game, hidden):
    """Clear the market and roll its dice anew, two of each colour as far as the supply has them (rules 2.6, 3.8)."""
    for kind in range(N_KINDS):
        game.supply[kind // N_FACES] += game.market[kind]
        game.market[kind] = 0
    game.n_market = 0
    record_nb(hidden, MARKET_CLEARED, 0, 0, 0, 0)
    for colour in range(N_COLOURS):
        for _ in range(game.edition.market_dice):
            if game.supply[colour] > 0 or game.edition.dice_unlimited == 1:
                face = roll_face_nb(game, hidden.market_luck, colour)
                game.supply[colour] -= 1
                game.market[colour * N_FACES + face] += 1
                game.n_market += 1
                record_nb(hidden, MARKET_DIE_ROLLED, colour, face, 0, 0)


@kernel
def take_start_marker_nb(game, hidden, selector):
    """Hand the selector of Trade the start-player marker, which acts from the next round (rules 3.2, 3.15, 5.1)."""
    if game.start_player != selector:
        game.start_player = selector
    elif game.edition.held_marker_passes_left == 1:  # part B 2
        game.start_player = (selector + 1) % game.n_players
    else:
        return
    record_nb(hidden, START_MARKER, game.start_player, 0, 0, 0)


@kernel
def _take_market_dice_nb(game, hidden, seat, n_dice):
    """Take dice off the market as they lie, fewer if it holds fewer (rules 5.2, 5.3)."""
    own = hidden.own[seat]
    for due in range(min(n_dice, game.n_market), 0, -1):
        n = 0
        for kind in range(N_KINDS):  # without a branch, as no processor guesses what dice there are
            own.option[n] = kind
            n += game.market[kind] != 0
        game.due_dice = due
        kind = own.option[ask_nb(game, hidden, seat, CHOOSE_MARKET_DIE, n)]
        game.market[kind] -= 1
        game.n_market -= 1
        add_die_nb(game, hidden, seat, kind)
        record_nb(hidden, MARKET_DIE_TAKEN, seat, kind // N_FACES, kind % N_FACES, 0)
    settle_dice_nb(game, hidden, seat)


@kernel
def _take_prophecy_nb(game, hidden, seat):
    """Gain a face-up prophecy or the top one of the deck (rules 5.2, 5.4)."""
    n = list_offers_nb(game, hidden, seat, PROPHECY_DECK)
    space = hidden.own[seat].option[ask_nb(game, hidden, seat, CHOOSE_PROPHECY, n)]
    if space == NOWHERE:
        draw_card_nb(game, hidden, seat, PROPHECY_DECK)
    else:
        take_space_nb(game, hidden, seat, PROPHECY_DECK, space)


@kernel
def has_prophecies_nb(game):
    """Return whether a prophecy can be gained, face up or unseen."""
    for space in range(game.edition.n_offers[PROPHECY_DECK]):
        if game.offer[PROPHECY_DECK, space, 0] != NOWHERE:
            return True
    return has_cards_nb(game, PROPHECY_DECK)


@kernel
def list_trades_nb(game, hidden, seat):
    """Write the trade options that are legal into a seat's options and return the number (rules 5.2, 5.3)."""
    own = hidden.own[seat]
    edition = game.edition
    n = 0
    for i in range(edition.n_trade_options):
        item = edition.effect_first[edition.trade_option[i]]
        operation = edition.item_operation[item]
        is_prophecy = (operation == CARD) & (edition.item_kind[item] == PROPHECY_DECK)
        own.option[n] = i
        n += ((operation != MARKET_DICE) | (game.n_market > 0)) & (not is_prophecy or has_prophecies_nb(game))
    return n


@separate_kernel(GAME, HIDDEN)
def trade_nb(game, hidden, seat):
    """Act at Trade with Villages: 3, 2, 1, 1 actions by seat, in any mix (rules 5.1, 5.2)."""
    me = game.pl[seat]
    edition = game.edition
    game.actions_left = edition.bonus[TRADE, game.distance] + me.extra_trades
    me.extra_trades = 0
    while game.actions_left > 0:
        n = list_trades_nb(game, hidden, seat)
        if n == 0:
            return
        chosen = hidden.own[seat].option[ask_nb(game, hidden, seat, CHOOSE_TRADE, n)]
        effect = edition.trade_option[chosen]
        item = edition.effect_first[effect]
        operation = edition.item_operation[item]
        if operation == MARKET_DICE:
            _take_market_dice_nb(game, hidden, seat, edition.item_n[item])
        elif operation == CARD and edition.item_kind[item] == PROPHECY_DECK:
            _take_prophecy_nb(game, hidden, seat)
        else:
            gain_nb(game, hidden, seat, effect, FROM_OTHER, NOWHERE)
        game.actions_left += me.extra_trades - 1
        me.extra_trades = 0
