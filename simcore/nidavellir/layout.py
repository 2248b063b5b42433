"""Every array of a Nidavellir game: names, shapes, meanings. Nothing about the state is declared anywhere else.

`GAME` is what everybody at the table may see, with a `PLAYER` for each seat. `OWN`, one a seat, is what only that
player may see. `HIDDEN` is given to no strategy; the seats' `OWN` records lie in it, so that the whole state travels as
two pointers. All fields are int64 (uint64 for luck and addresses), all values integers.

Cards are numbers: a dwarf or an offering is the row of its card type in the edition (0...), a hero is ``-1 - hero_id``
where both can lie in one column. Coins have *slots* 0-4 that stay with a coin through every change; slot 0 holds the
exchange coin.
"""

from simcore.accel import record_dtype
from simcore.contract import MAX_GRANTS, MAX_MEMORY, MAX_PARAMS, Decision
from simcore.luck import STREAM_SIZE

MAX_PLAYERS = 5
N_TAVERNS = 3
N_COINS = 5
N_CLASSES = 5
WARRIOR, HUNTER, MINER, BLACKSMITH, EXPLORER = range(N_CLASSES)
CLASS_NAMES = ("warrior", "hunter", "miner", "blacksmith", "explorer")
ROYAL_OFFERING = 5
"""Stands where a dwarf's class stands, for the cards that transform a coin."""
NEUTRAL = 5
"""Stands where a hero's class stands, for the heroes of the command zone."""
COMMAND_ZONE = 5
"""Stands where a column stands, for Thrud and Ylud."""
NOWHERE = -1

MAX_CARD_TYPES = 128
MAX_DECK = 128
MAX_TAVERN_CARDS = 6
MAX_COLUMN = 48
MAX_HEROES = 48
MAX_RANKS = 64
MAX_BROTHERS = 16
MAX_COIN_VALUE = 63
MAX_GEM = 99
"""The highest number a gem can have."""
MAX_ROUNDS = 16
MAX_OPTIONS = 60
MAX_EVENTS = 16384
EVENT_SIZE = 10

BRONZE, GOLD, SPECIAL = range(3)
COIN_COLOURS = ("bronze", "gold", "special")
EXCHANGE_SLOT = 0

UNKNOWN_PLACE = -1
POUCH = 3
HAND = 4
"""Places of a coin: 0-2 the taverns, the pouch, Uline's hand; unknown to the others until revealed (rule 4.3)."""

HERO_EFFECTS = (
    "none",
    "discard_dwarves",
    "transform_coin",
    "bid_last",
    "headhunter",
    "unpredictable",
    "brother",
    "largest_coin",
    "points_per_rank",
)
(
    EFFECT_NONE,
    DISCARD_DWARVES,
    TRANSFORM_COIN,
    BID_LAST,
    HEADHUNTER,
    UNPREDICTABLE,
    BROTHER,
    LARGEST_COIN,
    POINTS_PER_RANK,
) = range(len(HERO_EFFECTS))

DECISIONS = (
    Decision(
        "choose_bid",
        "60 assignments, coded slot at Goblin + 5 x slot at Dragon + 25 x slot at Horse",
        "at the start of a round, in secret (rule 4.1)",
    ),
    Decision("choose_uline_bid", "slots of the coins in hand", "Uline's owner, after the others revealed (5.1)"),
    Decision("choose_card", "card types that are left in the tavern", "a turn at a tavern (6.1)"),
    Decision("choose_thrud_column", "columns 0-4", "Thrud is recruited or was lifted (6.2, 6.6)"),
    Decision("choose_hero", "hero ids that can be recruited", "a line is owed a hero (6.3)"),
    Decision("choose_discard", "columns whose dwarf can be discarded", "Dagda or Bonfur, once for each discard (6.6)"),
    Decision("choose_transform", "slots of coins, game.bonus is added to one", "offering, Grid, King's Hand (6.4)"),
    Decision("choose_exchange_pair", "pairs of hand slots, coded first + 5 x second", "Uline's owner exchanges (6.5)"),
    Decision("choose_ylud_column", "columns 0-4; her present column means she stays", "end of either age (7.1, 8.1)"),
    Decision("choose_pioneer_card", "card types on top of the age-2 deck", "winner of the explorer distinction (7.6)"),
    Decision("choose_given_up", "two slots of equal value, one bronze, one gold", "an exchange of equals (6.5, A04)"),
    Decision("choose_exchange", "0 no, 1 yes", "before an exchange, if exchange_optional=yes (A02)"),
)
(
    CHOOSE_BID,
    CHOOSE_ULINE_BID,
    CHOOSE_CARD,
    CHOOSE_THRUD_COLUMN,
    CHOOSE_HERO,
    CHOOSE_DISCARD,
    CHOOSE_TRANSFORM,
    CHOOSE_EXCHANGE_PAIR,
    CHOOSE_YLUD_COLUMN,
    CHOOSE_PIONEER_CARD,
    CHOOSE_GIVEN_UP,
    CHOOSE_EXCHANGE,
) = range(len(DECISIONS))
N_DECISIONS = len(DECISIONS)

EDITION = record_dtype(
    [
        # card types: one a row of dwarves.csv that is used at this player count
        ("n_card_types", "i8"),
        ("card_class", "i8", (MAX_CARD_TYPES,)),  # 0-4, or ROYAL_OFFERING
        ("card_points", "i8", (MAX_CARD_TYPES,)),  # bravery points
        ("card_ranks", "i8", (MAX_CARD_TYPES,)),
        ("card_bonus", "i8", (MAX_CARD_TYPES,)),  # coins added by an offering
        ("card_copies", "i8", (3, MAX_CARD_TYPES)),  # [age 1 or 2, type]; row 0 is empty
        ("blank_card", "i8"),  # card type that stands for every withheld card and does nothing, or NOWHERE
        ("armorer_card", "i8"),  # card type of the King's Great Armorer reward
        ("n_deck", "i8", (3,)),  # [age]: cards of the deck
        ("deck", "i8", (3, MAX_DECK)),  # [age, place]: card types, unshuffled
        # heroes
        ("n_heroes", "i8"),
        ("hero_class", "i8", (MAX_HEROES,)),  # 0-4, or NEUTRAL
        ("hero_ranks", "i8", (MAX_HEROES,)),
        ("hero_points", "i8", (MAX_HEROES,)),
        ("hero_effect", "i8", (MAX_HEROES,)),
        ("hero_amount", "i8", (MAX_HEROES,)),  # of the effect: discards, coins, points per rank
        ("hero_needs_class", "i8", (MAX_HEROES,)),  # 0-4, or NOWHERE
        ("hero_needs_ranks", "i8", (MAX_HEROES,)),
        ("n_conditional", "i8"),  # heroes with a condition or a price that is not always met
        ("conditional_hero", "i8", (MAX_HEROES,)),
        ("hero_in_play", "i8", (MAX_HEROES,)),  # 0 for withheld ones, under heroes=beginner for advanced ones
        ("thrud", "i8"),  # hero id with effect headhunter, or NOWHERE
        ("ylud", "i8"),  # hero id with effect unpredictable, or NOWHERE
        ("ylud_points", "i8", (N_CLASSES,)),  # her points by the column she stands in
        # tables
        ("blacksmith_score", "i8", (MAX_RANKS,)),  # [ranks]
        ("hunter_score", "i8", (MAX_RANKS,)),  # [ranks]
        ("brothers_score", "i8", (MAX_BROTHERS,)),  # [brothers]: the whole set
        # coins and gems
        ("initial_coin", "i8", (N_COINS,)),  # [slot]
        ("n_treasure", "i8"),
        ("treasure", "i8", (MAX_COIN_VALUE + 1,)),  # [value]: gold coins at the start
        ("special_coin", "i8"),
        ("gem", "i8", (MAX_PLAYERS,)),  # the gems in play, ascending
        ("crown_jewel", "i8"),  # gem of the miner distinction: never traded
        ("crown_jewel_points", "i8"),
        ("kings_hand_bonus", "i8"),
        ("pioneer_cards", "i8"),
        ("distinction_withheld", "i8", (N_CLASSES,)),  # 1: nobody gets it
        # the table
        ("n_players", "i8"),
        ("cards_per_tavern", "i8"),
        ("rounds_per_age", "i8"),
        # rule switches: 0 is the default, 1 the other (ambiguities.md)
        ("exchange_gives_up_lower", "i8"),
        ("warrior_majority_points", "i8"),
        ("exchange_optional", "i8"),
        ("return_before_take", "i8"),
        ("distinction_snapshot", "i8"),
        ("every_completion", "i8"),
        ("line_check_before_discards", "i8"),
        ("discard_last_dwarf_anywhere", "i8"),
    ]
)

PLAYER = record_dtype(
    [
        ("rank", "i8", (N_CLASSES,)),  # ranks in each column; Thrud and Ylud count where they stand
        ("points", "i8", (N_CLASSES,)),  # bravery points in each column, heroes included, without Thrud and Ylud
        ("n_column", "i8", (N_CLASSES,)),
        ("column", "i8", (N_CLASSES, MAX_COLUMN)),  # card codes, bottom first
        ("n_heroes", "i8"),  # that lines are owed; without granted ones
        ("n_brothers", "i8"),
        ("thrud_column", "i8"),  # 0-4, COMMAND_ZONE, or NOWHERE (not owned, or lifted)
        ("ylud_column", "i8"),  # 0-4, COMMAND_ZONE, or NOWHERE
        ("has_uline", "i8"),
        ("coin", "i8", (N_COINS,)),  # [slot] value; public, only the places are not
        ("coin_colour", "i8", (N_COINS,)),  # [slot] BRONZE, GOLD, SPECIAL
        ("known_place", "i8", (N_COINS,)),  # [slot] tavern, POUCH, HAND, or UNKNOWN_PLACE: what the table knows
        ("shown", "i8", (N_TAVERNS,)),  # [tavern] slot of the revealed bid, or -1
        ("gem", "i8"),
        ("banned", "i8"),  # one bit an item that this seat may not have: heroes, then distinctions (`items`)
        ("n_exchanges", "i8"),
        ("coins_after_round", "i8", (MAX_ROUNDS + 1,)),  # sum of coins at the end of each round, [0] at the start
    ]
)

GAME = record_dtype(
    [
        ("edition", EDITION),
        ("pl", PLAYER, (MAX_PLAYERS,)),
        ("n_players", "i8"),
        ("age", "i8"),  # 1 or 2
        ("round_number", "i8"),  # 1... within the age
        ("tavern", "i8"),  # 0-2 the one being resolved, -1 while bids are made or between the ages
        ("rounds_left", "i8"),  # rounds of the whole game after the present one
        ("card", "i8", (N_TAVERNS, MAX_TAVERN_CARDS)),  # [tavern, place]: card types still there, closed up
        ("n_cards", "i8", (N_TAVERNS,)),
        ("unseen", "i8", (MAX_CARD_TYPES,)),  # cards of this type of the present age's deck that nobody has seen yet
        ("bid_value", "i8", (MAX_PLAYERS,)),  # [seat] value bid at the present tavern, frozen at the reveal; -1 before
        ("order", "i8", (MAX_PLAYERS,)),  # seats in turn order at the present tavern
        ("turn", "i8"),  # place in `order` of the seat whose turn it is, -1 outside turns
        ("hero_owner", "i8", (MAX_HEROES,)),  # seat, or NOWHERE
        ("distinction_owner", "i8", (N_CLASSES,)),  # seat, or NOWHERE
        ("distinction_granted", "i8", (N_CLASSES,)),  # seat that gets it whatever the count, or NOWHERE
        ("treasure", "i8", (MAX_COIN_VALUE + 1,)),  # [value]: gold coins left
        ("n_in_box", "i8"),  # coins that left the game
        ("bonus", "i8"),  # what the transformation being decided adds
    ]
)

OWN = record_dtype(
    [
        ("seat", "i8"),
        ("decision", "i8"),  # number of the decision being asked
        ("option", "i8", (MAX_OPTIONS,)),  # what can be chosen: see Decision.options
        ("bid", "i8", (N_TAVERNS,)),  # [tavern] slot of the own bid of this round, -1 if none
        ("place", "i8", (N_COINS,)),  # [slot] where the own coin lies: tavern, POUCH, HAND
        ("param", "i8", (MAX_PARAMS,)),  # parameters of the strategy in this seat
        ("luck", "u8", (STREAM_SIZE,)),  # private stream: simcore.luck.draw_below_nb(own.luck, n)
        ("memory", "i8", (MAX_MEMORY,)),  # the strategy's scratch memory, zero when a game starts
        ("table", "u8"),  # address of the strategy's prepared table: simcore.accel.array_at(own.table, own.n_table)
        ("n_table", "i8"),
    ]
)

# A result row, one a seat of each game.
MAX_SCORE = 1023
(
    WIN_SLOT,
    SCORE_SLOT,
    MARGIN_SLOT,
    PLACE_SLOT,
    WARRIOR_SLOT,
    HUNTER_SLOT,
    MINER_SLOT,
    BLACKSMITH_SLOT,
    EXPLORER_SLOT,
    NEUTRAL_SLOT,
    COINS_SLOT,
    GEM_POINTS_SLOT,
    WARRIOR_BONUS_SLOT,
    N_HEROES_SLOT,
    N_BROTHERS_SLOT,
    N_LINES_SLOT,
    N_EXCHANGES_SLOT,
    LARGEST_COIN_SLOT,
) = range(18)
RANKS_SLOT = 18  # five ranks at the end, by class
COINS_BY_ROUND_SLOT = RANKS_SLOT + N_CLASSES  # MAX_ROUNDS + 1 sums of coins
HERO_SLOT = COINS_BY_ROUND_SLOT + MAX_ROUNDS + 1  # MAX_HEROES flags
DISTINCTION_SLOT = HERO_SLOT + MAX_HEROES  # five flags
STARTING_GEM_SLOT = DISTINCTION_SLOT + N_CLASSES  # MAX_PLAYERS flags: by place in the ascending gems in play
SEAT_SLOT = STARTING_GEM_SLOT + MAX_PLAYERS  # MAX_PLAYERS flags
DECISIONS_SLOT = SEAT_SLOT + MAX_PLAYERS  # of the whole table
BROTHERS_SLOT = DECISIONS_SLOT + 1  # MAX_BROTHERS flags: by how many brothers a seat has
N_SLOTS = BROTHERS_SLOT + MAX_BROTHERS

HIDDEN = record_dtype(
    [
        ("own", OWN, (MAX_PLAYERS,)),  # [seat]: of which a strategy is handed its own one
        ("luck", "u8", (STREAM_SIZE,)),
        ("seed", "u8"),
        ("block", "i8"),  # block and game within it that are being played: also what the watchdog reads
        ("game_in_block", "i8"),
        ("deck", "i8", (MAX_DECK,)),
        ("n_deck", "i8"),
        ("next_card", "i8"),
        ("bid", "i8", (MAX_PLAYERS, N_TAVERNS)),  # [seat, tavern] slot: the bids that count
        ("place", "i8", (MAX_PLAYERS, N_COINS)),  # [seat, slot]: where each coin lies
        ("granted", "i8", (MAX_PLAYERS, MAX_GRANTS)),  # [seat]: numbers of the items it gets at the start, or -1
        ("claim", "i8", (MAX_PLAYERS,)),  # [turn]: bid, gem and seat as one number (see `bids`), at the last reveal
        ("address", "u8", (MAX_PLAYERS, N_DECISIONS)),  # of each seat's decisions
        ("n_decisions", "i8"),  # asked so far in this process, all games
        ("asked_seat", "i8"),
        ("asked_decision", "i8"),
        ("asked_options", "i8"),
        ("answer", "i8"),
        ("option", "i8", (MAX_OPTIONS,)),  # a copy of what was offered: options are not to be changed
        ("trusting", "i8"),  # 1 while options are neither compared nor recorded: all strategies at the table ship
        ("recording", "i8"),  # 1 while events are written
        ("n_events", "i8"),
        ("event", "i8", (MAX_EVENTS, EVENT_SIZE)),
        ("noting", "i8"),  # 1 while a standing is noted at the end of each round
        ("n_standings", "i8"),  # rounds noted in this game
        ("standing", "i8", (MAX_ROUNDS, MAX_PLAYERS, N_SLOTS)),  # [round - 1, seat]: the row, had the game ended there
    ]
)
