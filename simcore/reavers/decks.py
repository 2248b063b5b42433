"""Decks and face-up offers: drawing, discarding, reshuffling, dealing (rules 2.7, 2.8, 3.8 to 3.12).

A card's place in a shuffled deck is drawn when the card is, which is the same to everybody at the table. Each deck has
its own luck, so that drawing from one never moves another.
"""

from simcore.accel import contained_kernel, kernel, separate_kernel
from simcore.luck import draw_below_nb, draw_next_nb, open_stream_nb
from simcore.reavers.decisions import CHOOSE_NEXT_CARD
from simcore.reavers.events import (
    CARD_DEALT,
    CARD_DRAWN,
    CARD_KEPT,
    CARD_TAKEN,
    CARD_TO_BOTTOM,
    DECK_RESHUFFLED,
    ask_nb,
    record_nb,
)
from simcore.reavers.layout import (
    GAME,
    HIDDEN,
    MAX_OFFER_CARDS,
    MAX_OFFERS,
    MAX_PENDING,
    N_DECKS,
    NOWHERE,
    PROPHECY_DECK,
    REAVER_DECK,
)

DECK_LUCK = 2
"""Purpose of the decks' streams; their player is the deck's number."""


@kernel
def open_decks_nb(game, hidden):
    """Shuffle every deck (rule 2.7) and empty the offers."""
    for deck in range(N_DECKS):
        n = game.edition.n_deck[deck]
        for i in range(n):
            hidden.deck[deck, i] = game.edition.deck[deck, i]
        open_stream_nb(hidden.deck_luck[deck], hidden.seed, hidden.block, DECK_LUCK, deck)
        game.n_deck[deck] = n
        game.n_discard[deck] = 0
        for space in range(MAX_OFFERS):
            for place in range(MAX_OFFER_CARDS):
                game.offer[deck, space, place] = NOWHERE


@kernel
def discard_nb(game, hidden, deck, card):
    """Put a card face up under its deck (rule 3.9)."""
    hidden.discard[deck, game.n_discard[deck]] = card
    game.n_discard[deck] += 1
    record_nb(hidden, CARD_TO_BOTTOM, deck, card, 0, 0)


@separate_kernel(GAME, HIDDEN)
def _reshuffle_nb(game, hidden, deck):
    """Make the discards the deck, which is used up, and return their number (rule 3.9)."""
    n = game.n_discard[deck]
    for i in range(n):
        hidden.deck[deck, i] = hidden.discard[deck, i]
    game.n_discard[deck] = 0
    if n > 0:
        record_nb(hidden, DECK_RESHUFFLED, deck, n, 0, 0)
    return n


@contained_kernel
def _draw_nb(game, hidden, deck):
    n = game.n_deck[deck]
    if n == 0:
        n = _reshuffle_nb(game, hidden, deck)
        if n == 0:
            return NOWHERE
    place = draw_below_nb(hidden.deck_luck[deck], n)
    card = hidden.deck[deck, place]
    hidden.deck[deck, place] = hidden.deck[deck, n - 1]
    game.n_deck[deck] = n - 1
    return card


@separate_kernel(GAME, HIDDEN)
def draw_nb(game, hidden, deck):
    """Draw a card; NOWHERE if the deck and its discards are used up (rules 3.9, 3.12)."""
    return _draw_nb(game, hidden, deck)


@kernel
def has_cards_nb(game, deck):
    """Return whether a card can be drawn."""
    return game.n_deck[deck] + game.n_discard[deck] > 0


@separate_kernel(GAME, HIDDEN)
def deal_space_nb(game, hidden, deck, space):
    """Fill a face-up space if it is empty (part B 16)."""
    if game.offer[deck, space, 0] != NOWHERE:
        return
    for place in range(game.edition.offer_size[deck, space]):
        card = _draw_nb(game, hidden, deck)
        if card == NOWHERE:
            return
        game.offer[deck, space, place] = card
        record_nb(hidden, CARD_DEALT, deck, space, place, card)


@kernel
def _deal_deck_nb(game, hidden, deck):
    """Fill the empty face-up spaces of a deck: `_draw_nb` for many cards, with the stream's words in registers."""
    stream = hidden.deck_luck[deck]
    s0, s1, s2, s3, n_draws = stream[0], stream[1], stream[2], stream[3], stream[4]
    n = game.n_deck[deck]
    for space in range(game.edition.n_offers[deck]):
        if game.offer[deck, space, 0] != NOWHERE:
            continue
        for place in range(game.edition.offer_size[deck, space]):
            if n == 0:
                n = _reshuffle_nb(game, hidden, deck)
                if n == 0:
                    break
            drawn, s0, s1, s2, s3, n_draws = draw_next_nb(s0, s1, s2, s3, n_draws, n)
            n -= 1
            card = hidden.deck[deck, drawn]
            hidden.deck[deck, drawn] = hidden.deck[deck, n]
            game.offer[deck, space, place] = card
            record_nb(hidden, CARD_DEALT, deck, space, place, card)
    game.n_deck[deck] = n
    stream[0], stream[1], stream[2], stream[3], stream[4] = s0, s1, s2, s3, n_draws


@separate_kernel(GAME, HIDDEN)
def deal_offers_nb(game, hidden):
    """Fill all empty face-up spaces (rules 2.8, 3.8)."""
    for deck in range(N_DECKS):
        _deal_deck_nb(game, hidden, deck)


@kernel
def clear_offers_nb(game, hidden):
    """Put all unclaimed face-up cards under their decks (rule 3.8)."""
    for deck in range(N_DECKS):
        n = game.n_discard[deck]
        for space in range(game.edition.n_offers[deck]):
            for place in range(MAX_OFFER_CARDS):
                card = game.offer[deck, space, place]
                hidden.discard[deck, n] = card  # overwritten by the next card if there is none
                n += card != NOWHERE
                game.offer[deck, space, place] = NOWHERE
                if hidden.recording == 1 and card != NOWHERE:
                    record_nb(hidden, CARD_TO_BOTTOM, deck, card, 0, 0)
        game.n_discard[deck] = n


@kernel
def list_offers_nb(game, hidden, seat, deck):
    """Write the spaces that hold something and, last, the unseen cards into a seat's options; return the number."""
    own = hidden.own[seat]
    n = 0
    for space in range(game.edition.n_offers[deck]):
        if game.offer[deck, space, 0] != NOWHERE:
            own.option[n] = space
            n += 1
    if has_cards_nb(game, deck):
        own.option[n] = NOWHERE
        n += 1
    return n


@separate_kernel(GAME, HIDDEN)
def gain_card_nb(game, hidden, seat, deck, card, seen):
    """Hand a gained card to its owner: kept at once if it does nothing, else it waits to be resolved (rule 3.10).

    Parameters
    ----------
    seen : int
        1 if everybody at the table saw the card (section 15).
    """
    me = game.pl[seat]
    own = hidden.own[seat]
    if deck == PROPHECY_DECK:  # 5.4
        own.prophecy[card] += 1
        me.prophecy_seen[card] += seen
        me.n_prophecies += 1
        record_nb(hidden, CARD_KEPT, seat, deck, card, 0)
        return
    if deck == REAVER_DECK:
        colour = game.edition.reaver_colour[card]
        own.reavers[colour] += 1
        own.reaver_glory += game.edition.reaver_glory[card]
        me.reavers_seen[colour] += seen
    elif game.edition.spoils_kept[card] == 1:  # 6.6, 7.3
        own.spoils[card] += 1
        me.spoils_seen[card] += seen
        record_nb(hidden, CARD_KEPT, seat, deck, card, 0)
        return
    if own.n_pending == MAX_PENDING:
        raise RuntimeError("more cards wait to be resolved than the engine can hold")
    own.pending_deck[own.n_pending] = deck
    own.pending_card[own.n_pending] = card
    own.pending_seen[own.n_pending] = seen
    own.n_pending += 1


@kernel
def draw_card_nb(game, hidden, seat, deck):
    """Draw an unseen card and hand it to a seat; return it, NOWHERE if there is none (rule 3.12)."""
    card = _draw_nb(game, hidden, deck)
    if card != NOWHERE:
        record_nb(hidden, CARD_DRAWN, seat, deck, card, 0)
        gain_card_nb(game, hidden, seat, deck, card, 0)
    return card


@kernel
def take_space_nb(game, hidden, seat, deck, space):
    """Hand all cards of a face-up space to a seat (rules 4.1, 5.2, 6.2, 7.2)."""
    for place in range(MAX_OFFER_CARDS):
        card = game.offer[deck, space, place]
        if card != NOWHERE:
            game.offer[deck, space, place] = NOWHERE
            record_nb(hidden, CARD_TAKEN, seat, deck, card, space)
            gain_card_nb(game, hidden, seat, deck, card, 1)
    refill_space_nb(game, hidden, deck, space)


@kernel
def refill_space_nb(game, hidden, deck, space):
    """Fill a space just claimed, under offer_refill_within_activation=yes only (rules 5.3, 8.3, part B 16)."""
    if game.edition.refill_at_once == 1:
        deal_space_nb(game, hidden, deck, space)


@separate_kernel(GAME, HIDDEN)
def next_card_nb(game, hidden, seat):
    """Take the card that its owner wants to resolve next off the waiting ones (rule 3.10).

    It becomes ``own.card_deck`` and ``own.card``. Equal cards are one option.

    Returns
    -------
    int
        1 if everybody at the table saw it.
    """
    own = hidden.own[seat]
    own.card_deck = NOWHERE
    own.card = NOWHERE
    n = 0
    for i in range(own.n_pending):
        is_new = True
        for j in range(i):
            same_card = own.pending_card[i] == own.pending_card[j] and own.pending_deck[i] == own.pending_deck[j]
            if same_card and own.pending_seen[i] == own.pending_seen[j]:
                is_new = False
        if is_new:
            own.option[n] = i
            n += 1
    chosen = own.option[ask_nb(game, hidden, seat, CHOOSE_NEXT_CARD, n)]
    own.card_deck = own.pending_deck[chosen]
    own.card = own.pending_card[chosen]
    seen = own.pending_seen[chosen]
    own.n_pending -= 1
    for i in range(chosen, own.n_pending):
        own.pending_deck[i] = own.pending_deck[i + 1]
        own.pending_card[i] = own.pending_card[i + 1]
        own.pending_seen[i] = own.pending_seen[i + 1]
    return seen
