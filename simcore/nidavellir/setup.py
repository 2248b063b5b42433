"""Setting the table: rules 2.1 to 2.6, and the decks' shuffles (rule 9.1)."""

from simcore.accel import kernel, separate_kernel
from simcore.luck import open_private_stream_nb, open_stream_nb, shuffle_nb
from simcore.nidavellir.events import AGE_STARTS, GAME_STARTS, GEM_DEALT, record_3_nb
from simcore.nidavellir.layout import (
    BRONZE,
    GAME,
    HAND,
    HIDDEN,
    MAX_COIN_VALUE,
    MAX_HEROES,
    MAX_MEMORY,
    MAX_PLAYERS,
    MAX_ROUNDS,
    MAX_TAVERN_CARDS,
    N_CLASSES,
    N_COINS,
    N_TAVERNS,
    NOWHERE,
)

# Purposes of the engine's streams (the third part of a stream's key).
GEM_DEAL = 1
AGE_DECK = 2  # + age: 3 and 4
AGE_2_RESHUFFLE = 5
PRIVATE = 6


@kernel
def clear_player_nb(game, hidden, seat):
    """Give a seat its five bronze coins and an empty army (rule 2.2)."""
    me = game.pl[seat]
    for c in range(N_CLASSES):
        me.rank[c] = 0
        me.points[c] = 0
        me.n_column[c] = 0
    me.n_heroes = 0
    me.n_brothers = 0
    me.thrud_column = NOWHERE
    me.ylud_column = NOWHERE
    me.has_uline = 0
    me.n_exchanges = 0
    total = 0
    for slot in range(N_COINS):
        value = game.edition.initial_coin[slot]
        me.coin[slot] = value
        me.coin_colour[slot] = BRONZE
        me.known_place[slot] = HAND
        hidden.place[seat, slot] = HAND
        hidden.own[seat].place[slot] = HAND
        total += value
    for i in range(MAX_ROUNDS + 1):
        me.coins_after_round[i] = 0
    me.coins_after_round[0] = total
    for tavern in range(N_TAVERNS):
        me.shown[tavern] = NOWHERE
        hidden.bid[seat, tavern] = NOWHERE
        hidden.own[seat].bid[tavern] = NOWHERE
    hidden.own[seat].seat = seat
    for i in range(MAX_MEMORY):
        hidden.own[seat].memory[i] = 0


@separate_kernel(GAME, HIDDEN)
def set_up_game_nb(game, hidden):
    """Set the table for `game.n_players` players (rules 2.1 to 2.6) and shuffle the deck of age 1."""
    n = game.n_players
    record_3_nb(hidden, GAME_STARTS, n, 0, 0)
    game.age = 0
    game.round_number = 0
    game.tavern = -1
    game.turn = -1
    game.bonus = 0
    game.n_in_box = 0
    game.rounds_left = 2 * game.edition.rounds_per_age - 1
    for seat in range(n):
        clear_player_nb(game, hidden, seat)
    for value in range(MAX_COIN_VALUE + 1):
        game.treasure[value] = game.edition.treasure[value]
    for hero in range(MAX_HEROES):
        game.hero_owner[hero] = NOWHERE
    for c in range(N_CLASSES):
        game.distinction_owner[c] = NOWHERE
        game.distinction_granted[c] = NOWHERE
    for seat in range(MAX_PLAYERS):
        game.bid_value[seat] = NOWHERE
        game.order[seat] = NOWHERE
    for tavern in range(N_TAVERNS):
        game.n_cards[tavern] = 0
        for i in range(MAX_TAVERN_CARDS):
            game.card[tavern, i] = NOWHERE
    # 2.1: the gems are dealt at random, one each. `order` serves as the space to shuffle them in.
    for seat in range(n):
        game.order[seat] = game.edition.gem[seat]
    open_stream_nb(hidden.luck, hidden.seed, hidden.block, GEM_DEAL, 0)
    shuffle_nb(hidden.luck, game.order, 0, n)
    for seat in range(n):
        game.pl[seat].gem = game.order[seat]
        game.order[seat] = NOWHERE
        record_3_nb(hidden, GEM_DEALT, seat, game.pl[seat].gem, 0)
        open_private_stream_nb(hidden.own[seat].luck, hidden.seed, hidden.block, PRIVATE, seat)
    open_deck_nb(game, hidden, 1)


@kernel
def open_deck_nb(game, hidden, age):
    """Shuffle the deck of an age and count it as unseen (rule 2.4)."""
    n = game.edition.n_deck[age]
    for i in range(n):
        hidden.deck[i] = game.edition.deck[age, i]
    open_stream_nb(hidden.luck, hidden.seed, hidden.block, AGE_DECK + age, 0)
    shuffle_nb(hidden.luck, hidden.deck, 0, n)
    hidden.n_deck = n
    hidden.next_card = 0
    for card in range(game.edition.n_card_types):
        game.unseen[card] = game.edition.card_copies[age, card]


@kernel
def begin_age_nb(game, hidden, age):
    """Turn to the rounds of an age (rule 3.1)."""
    game.age = age
    game.round_number = 0
    record_3_nb(hidden, AGE_STARTS, age, 0, 0)
