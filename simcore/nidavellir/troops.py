"""Between the ages: Ylud's steps and the troop evaluation with its distinctions (rules 7.1 to 7.7, 8.1, 8.2)."""

from simcore.accel import kernel, separate_kernel
from simcore.luck import open_stream_nb, shuffle_nb
from simcore.nidavellir.coins import take_special_coin_nb, transform_nb
from simcore.nidavellir.events import (
    COMMAND_ZONE_ENTERED,
    DECK_RESHUFFLED,
    DISTINCTION,
    GEM_TAKEN,
    PIONEER_SAW,
    TOP_CARD_DISCARDED,
    ask_nb,
    record_3_nb,
)
from simcore.nidavellir.heroes import hero_card_nb, lift_hero_nb, place_and_check_nb
from simcore.nidavellir.layout import (
    BLACKSMITH,
    CHOOSE_PIONEER_CARD,
    CHOOSE_YLUD_COLUMN,
    COMMAND_ZONE,
    EXPLORER,
    GAME,
    HIDDEN,
    HUNTER,
    MINER,
    N_CLASSES,
    NOWHERE,
    WARRIOR,
)
from simcore.nidavellir.setup import AGE_2_RESHUFFLE, open_deck_nb
from simcore.nidavellir.taverns import gain_card_nb


@separate_kernel(GAME, HIDDEN)
def place_ylud_nb(game, hidden):
    """Ylud step: from the command zone she must be placed, in a column she may stay or move (rules 7.1, 8.1, A21)."""
    ylud = game.edition.ylud
    if ylud == NOWHERE or game.hero_owner[ylud] == NOWHERE:
        return
    seat = game.hero_owner[ylud]
    for column in range(N_CLASSES):
        hidden.own[seat].option[column] = column
    column = hidden.own[seat].option[ask_nb(game, hidden, seat, CHOOSE_YLUD_COLUMN, N_CLASSES)]
    present = game.pl[seat].ylud_column
    if column == present:
        return
    if present != COMMAND_ZONE:
        lift_hero_nb(game, hidden, seat, ylud, present)
    place_and_check_nb(game, hidden, seat, hero_card_nb(ylud), column)


@kernel
def find_majority_nb(game, c):
    """Return the seat with strictly most ranks of class `c`, or NOWHERE: a tie gives nothing (rule 7.2).

    Nobody gets a withheld distinction, its seat a granted one; a banned seat is not counted.
    """
    if game.edition.distinction_withheld[c] == 1:
        return NOWHERE
    if game.distinction_granted[c] != NOWHERE:
        return game.distinction_granted[c]
    most = 0
    winner = NOWHERE
    for seat in range(game.n_players):  # selected, not branched upon: no processor guesses who has most
        is_banned = (game.pl[seat].banned >> (game.edition.n_heroes + c)) & 1
        ranks = NOWHERE if is_banned else game.pl[seat].rank[c]
        winner = seat if ranks > most else (NOWHERE if ranks == most else winner)
        most = max(most, ranks)
    return winner


@kernel
def _look_ahead_nb(game, hidden, seat):
    """Pioneer: keep one of the top cards of the age-2 deck, shuffle the others back (rule 7.6)."""
    me = hidden.own[seat]
    n = min(game.edition.pioneer_cards, hidden.n_deck - hidden.next_card)
    if n == 0:
        return
    for i in range(n):
        me.option[i] = hidden.deck[hidden.next_card + i]
        record_3_nb(hidden, PIONEER_SAW, seat, me.option[i], 0)
    kept = ask_nb(game, hidden, seat, CHOOSE_PIONEER_CARD, n)
    card = me.option[kept]
    hidden.deck[hidden.next_card + kept] = hidden.deck[hidden.next_card]
    hidden.next_card += 1
    open_stream_nb(hidden.luck, hidden.seed, hidden.block, AGE_2_RESHUFFLE, 0)
    shuffle_nb(hidden.luck, hidden.deck, hidden.next_card, hidden.n_deck)
    game.unseen[card] -= 1
    record_3_nb(hidden, DECK_RESHUFFLED, hidden.n_deck - hidden.next_card, 0, 0)
    for i in range(n):  # nobody's business once they are back in the deck
        me.option[i] = 0
    gain_card_nb(game, hidden, seat, card)


@kernel
def _discard_top_card_nb(game, hidden):
    """Nobody is the Pioneer: the top card of the age-2 deck goes, face up, without effect (rule 7.6)."""
    if hidden.next_card < hidden.n_deck:
        card = hidden.deck[hidden.next_card]
        hidden.next_card += 1
        game.unseen[card] -= 1
        record_3_nb(hidden, TOP_CARD_DISCARDED, card, 0, 0)


@kernel
def _grant_distinction_nb(game, hidden, c, seat):
    """Resolve one distinction completely (rules 7.3 to 7.6)."""
    record_3_nb(hidden, DISTINCTION, c, seat, 0)
    if seat == NOWHERE:
        if c == EXPLORER:
            _discard_top_card_nb(game, hidden)
        return
    game.distinction_owner[c] = seat
    if c == WARRIOR:
        transform_nb(game, hidden, seat, game.edition.kings_hand_bonus)
    elif c == HUNTER:
        take_special_coin_nb(game, hidden, seat)
    elif c == MINER:
        game.pl[seat].gem = game.edition.crown_jewel
        record_3_nb(hidden, GEM_TAKEN, seat, game.edition.crown_jewel, 0)
    elif c == BLACKSMITH:
        place_and_check_nb(game, hidden, seat, game.edition.armorer_card, BLACKSMITH)
    else:
        _look_ahead_nb(game, hidden, seat)


@separate_kernel(GAME, HIDDEN)
def evaluate_troops_nb(game, hidden):
    """Count the classes one after another, each distinction resolved before the next count (rule 7.2).

    Under distinction_snapshot=yes all winners are fixed first (A06).
    """
    open_deck_nb(game, hidden, 2)
    snapshot = game.edition.distinction_snapshot == 1
    fixed = 0  # base 8 digits, one a class: seat + 1
    if snapshot:
        for c in range(N_CLASSES):
            fixed |= (find_majority_nb(game, c) + 1) << (3 * c)
    for c in range(N_CLASSES):
        seat = ((fixed >> (3 * c)) & 7) - 1 if snapshot else find_majority_nb(game, c)
        _grant_distinction_nb(game, hidden, c, seat)


@separate_kernel(GAME, HIDDEN)
def retire_thrud_nb(game, hidden):
    """Thrud leaves to the command zone at the end of age 2, her rank counts nowhere (rule 8.2)."""
    thrud = game.edition.thrud
    if thrud == NOWHERE or game.hero_owner[thrud] == NOWHERE:
        return
    seat = game.hero_owner[thrud]
    lift_hero_nb(game, hidden, seat, thrud, game.pl[seat].thrud_column)
    game.pl[seat].thrud_column = COMMAND_ZONE
    record_3_nb(hidden, COMMAND_ZONE_ENTERED, seat, thrud, 0)
