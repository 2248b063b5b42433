"""Taverns: dealing, turns, leftover cards and the trade of gems (rules 3.2, 5.3 to 5.7, 6.1)."""

from itertools import pairwise

import numpy as np

from simcore.accel import contained_kernel, kernel
from simcore.nidavellir.bids import BID_BITS, GEM_BITS, GEM_MASK, SEAT_MASK, reveal_bids_nb, set_turn_order_nb
from simcore.nidavellir.coins import exchange_nb, transform_nb
from simcore.nidavellir.events import (
    CARD_DEALT,
    CARD_LEFT_OVER,
    CARD_TAKEN,
    GEMS_TRADED,
    TURN,
    ask_nb,
    record_3_nb,
    record_nb,
)
from simcore.nidavellir.heroes import place_and_check_nb
from simcore.nidavellir.layout import (
    CHOOSE_CARD,
    EXCHANGE_SLOT,
    MAX_PLAYERS,
    MAX_TAVERN_CARDS,
    N_TAVERNS,
    NOWHERE,
    ROYAL_OFFERING,
)


def _gem_trades() -> np.ndarray:
    """Work out every trade of gems (rules 5.5 to 5.7).

    Returns
    -------
    int64[2 ** (MAX_PLAYERS - 1), 1 + MAX_PLAYERS, MAX_PLAYERS]
        [ties, jewel, turn]: whose gem the bidder of a turn gets, as a turn. Bit t of `ties` is set if turn t and the
        next are tied; `jewel` is 0, or 1 + the turn of the crown jewel's owner. Tied bidders stand by descending gem,
        since that is what broke their tie.
    """
    trades = np.empty((1 << (MAX_PLAYERS - 1), 1 + MAX_PLAYERS, MAX_PLAYERS), np.int64)
    for ties in range(len(trades)):
        starts = [0] + [turn + 1 for turn in range(MAX_PLAYERS - 1) if not ties >> turn & 1]
        for jewel in range(-1, MAX_PLAYERS):
            trades[ties, jewel + 1] = range(MAX_PLAYERS)
            for first, stop in pairwise([*starts, MAX_PLAYERS]):
                tied = [turn for turn in range(first, stop) if turn != jewel]  # 5.5: its owner is left out
                trades[ties, jewel + 1, tied] = tied[::-1]
    return trades


GEM_TRADES = _gem_trades()


@kernel
def deal_taverns_nb(game, hidden):
    """Deal the cards of a round, Goblin, Dragon, Horse, face up (rule 3.2 a)."""
    n = game.edition.cards_per_tavern
    for tavern in range(N_TAVERNS):
        for place in range(n):
            card = hidden.deck[hidden.next_card]
            hidden.next_card += 1
            game.unseen[card] -= 1
            game.card[tavern, place] = card
            record_3_nb(hidden, CARD_DEALT, tavern, card, 0)
        game.n_cards[tavern] = n


@contained_kernel
def take_card_nb(game, tavern, place):
    """Take the card at `place` of a tavern, closing the gap, and return it."""
    card = game.card[tavern, place]
    for i in range(MAX_TAVERN_CARDS - 1):  # a fixed number of steps without a branch: no processor guesses `place`
        game.card[tavern, i] = game.card[tavern, i + (i >= place)]
    game.card[tavern, MAX_TAVERN_CARDS - 1] = NOWHERE
    game.n_cards[tavern] -= 1
    return card


@contained_kernel
def gain_card_nb(game, hidden, seat, card):
    """A dwarf is placed in its column, a royal offering applied and out of the game (rules 6.1 a, b).

    The blank of a withheld card passes for an offering that adds nothing, and is not even applied.
    """
    if game.edition.card_class[card] == ROYAL_OFFERING:
        if card != game.edition.blank_card:
            transform_nb(game, hidden, seat, game.edition.card_bonus[card])
    else:
        place_and_check_nb(game, hidden, seat, card, game.edition.card_class[card])


@contained_kernel
def _take_turn_nb(game, hidden, seat, tavern):
    """One card and its consequences, heroes included; then, if the exchange coin was bid, the exchange (section 6)."""
    record_3_nb(hidden, TURN, seat, tavern, 0)
    n = game.n_cards[tavern]
    for i in range(MAX_TAVERN_CARDS):  # a fixed number, as in `take_card_nb`; places without a card hold NOWHERE
        hidden.own[seat].option[i] = game.card[tavern, i]
    card = take_card_nb(game, tavern, ask_nb(game, hidden, seat, CHOOSE_CARD, n))
    record_3_nb(hidden, CARD_TAKEN, seat, tavern, card)
    gain_card_nb(game, hidden, seat, card)
    if game.pl[seat].shown[tavern] == EXCHANGE_SLOT:
        exchange_nb(game, hidden, seat)


@contained_kernel
def trade_gems_nb(game, hidden):
    """Tied bidders swap gems, highest with lowest, and so on inwards; the crown jewel never moves (rules 5.5 to 5.7).

    Who is tied, no processor guesses, so the whole trade is looked up. Claims hold the gems as they were at the reveal,
    and nobody has got another since.
    """
    claim = hidden.claim
    ties = 0
    jewel = NOWHERE
    for turn in range(MAX_PLAYERS - 1):
        ties |= ((claim[turn] ^ claim[turn + 1]) >> BID_BITS == 0) << turn
    for turn in range(MAX_PLAYERS):
        jewel = turn if (claim[turn] >> GEM_BITS) & GEM_MASK == game.edition.crown_jewel else jewel
    partner = GEM_TRADES[ties, jewel + 1]
    for turn in range(game.n_players):
        game.pl[claim[turn] & SEAT_MASK].gem = (claim[partner[turn]] >> GEM_BITS) & GEM_MASK
    if hidden.recording == 1:
        for turn in range(game.n_players):
            if turn < partner[turn]:
                a, b = game.order[turn], game.order[partner[turn]]
                record_nb(hidden, GEMS_TRADED, a, b, game.pl[a].gem, game.pl[b].gem, 0, 0, 0, 0)


@kernel
def resolve_tavern_nb(game, hidden, tavern):
    """Open one tavern and resolve it completely (section 5)."""
    game.tavern = tavern
    reveal_bids_nb(game, hidden, tavern)
    set_turn_order_nb(game, hidden)
    for turn in range(game.n_players):
        game.turn = turn
        _take_turn_nb(game, hidden, game.order[turn], tavern)
    game.turn = -1
    while game.n_cards[tavern] > 0:  # 5.4: the third card with two players
        card = take_card_nb(game, tavern, 0)
        record_3_nb(hidden, CARD_LEFT_OVER, tavern, card, 0)
    trade_gems_nb(game, hidden)
