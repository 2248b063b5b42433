"""The columns of Nidavellir's tables and its rule switches (facts: rules.md, ambiguities.md)."""

from pathlib import Path

from simcore.contract import RuleSwitch
from simcore.editions import read_presets
from simcore.nidavellir.layout import CLASS_NAMES, HERO_EFFECTS, MAX_COIN_VALUE, MAX_GEM, MAX_TAVERN_CARDS
from simcore.tables import MAX_NUMBER, PROVENANCE_FIELDS, Field, Schema

DATA_FOLDER = Path(__file__).parent / "data"

MAX_POINTS = 999
"""No card brings more points: keeps every score within four digits or so."""

DISTINCTION_EFFECTS = ("transform_coin", "special_coin", "crown_jewel", "armorer_card", "pioneer")
"""Effect of the distinction of each class, in the order of the classes (rules 7.3 to 7.6)."""

SCORING_WORDS = ("sum_of_points", "rank_table", "sum_of_points_x_ranks", "none")
SCORED_BY = ("sum_of_points", "rank_table", "sum_of_points_x_ranks", "rank_table", "sum_of_points", "none")
"""How each class scores, a royal offering last (rule 8.4)."""

CARD_CLASSES = (*CLASS_NAMES, "royal_offering")
HERO_CLASSES = (*CLASS_NAMES, "neutral")
PLAYER_COUNTS = (2, 3, 4, 5)

DWARVES = Schema(
    "dwarves.csv",
    "The cards of both age decks, and the card of the King's Great Armorer. One row a kind of card.",
    (
        Field("card_id", "a name of its own", "id"),
        Field("age", "deck it belongs to", "word", choices=("1", "2", "distinction")),
        Field("class", "class of the dwarf, or royal_offering", "word", choices=CARD_CLASSES),
        Field("points", "bravery points", high=MAX_POINTS),
        Field("ranks", "ranks it brings", high=8),
        Field("coin_bonus", "coins that a royal offering adds to one coin", high=MAX_COIN_VALUE),
        Field("count_min_players", "2: always in the deck; 5: only with five players", low=2, high=5),
        Field("copies", "copies in the deck", low=1, high=99),
        Field("scored_by", "how its class scores; only a reminder", "word", choices=SCORING_WORDS, optional=True),
        Field("note", "anything", "text", optional=True),
        *PROVENANCE_FIELDS,
    ),
)

HEROES = Schema(
    "heroes.csv",
    "The heroes on display, one copy each. A hero of one's own may use any of the effects.",
    (
        Field("hero_id", "a name of its own", "id"),
        Field("name", "printed name", "text", unique=True),
        Field("epithet", "printed epithet", "text", optional=True),
        Field("class", "column it is placed in; neutral: the command zone", "word", choices=HERO_CLASSES),
        Field("ranks", "ranks it brings (headhunter and unpredictable: while in a column)", high=8),
        Field("points", "points: bravery points in its column, flat points in the command zone", high=MAX_POINTS),
        Field("points_by_class", "unpredictable: points by column: warrior 7|explorer 11", "text", optional=True),
        Field("effect", "what it does", "word", choices=HERO_EFFECTS),
        Field(
            "amount",
            "of the effect: columns to discard from, coins added, times the largest coin, points per rank; else 0",
            high=MAX_POINTS,
        ),
        Field("needs_class", "class whose ranks are needed to recruit it", "word", choices=CLASS_NAMES, optional=True),
        Field("needs_ranks", "how many of them", high=60),
        Field("advanced", "1: left out under heroes=beginner", high=1),
        Field("text", "what the card says", "text", optional=True),
        *PROVENANCE_FIELDS,
    ),
)

COINS = Schema(
    "coins.csv",
    "Every coin: the five that each player starts with, the royal treasure, and the special coin of the hunters.",
    (
        Field("kind", "where it starts", "word", choices=("initial", "treasure", "special")),
        Field("value", "coins", high=MAX_COIN_VALUE),
        Field("colour", "its colour", "text", optional=True),
        *(Field(f"copies_{n}p", f"copies with {n} players", high=99) for n in PLAYER_COUNTS),
        Field("copies_small_31", "treasure with 2 or 3 players under treasure_small=31", high=99, optional=True),
        Field("copies_small_34", "treasure with 2 or 3 players under treasure_small=34", high=99, optional=True),
        Field("per_player", "initial coins: copies each player starts with", high=5),
        Field("where_when_given_up", "where it goes when it is given up", "text", optional=True),
        Field("exchange_coin", "1: bidding it brings an exchange", high=1),
        *PROVENANCE_FIELDS,
    ),
    key=("kind", "value"),
)

GEMS = Schema(
    "gems.csv",
    "The gems: one is dealt to each player, the crown jewel is the miners' distinction.",
    (
        Field("gem", "its value", low=1, high=MAX_GEM, unique=True),
        Field("tradable", "1: dealt and traded; 0: the crown jewel", high=1),
        *(Field(f"in_play_{n}p", f"1: dealt with {n} players", high=1) for n in PLAYER_COUNTS),
        Field("end_points", "points at the end; only the crown jewel has any", high=MAX_POINTS),
        Field("note", "anything", "text", optional=True),
        *PROVENANCE_FIELDS,
    ),
)

DISTINCTIONS = Schema(
    "distinctions.csv",
    "What the majority of each class brings after age 1.",
    (
        Field("order", "order in which the classes are counted", low=1, high=5, unique=True),
        Field("name", "printed name", "text", unique=True),
        Field("majority_of", "class", "word", choices=CLASS_NAMES, unique=True),
        Field("effect", "what it does; fixed for each class", "word", choices=DISTINCTION_EFFECTS),
        Field(
            "amount",
            "coins added; value of the special coin (as in coins.csv); gem (as in gems.csv); ranks of the armorer card "
            "(as in dwarves.csv); cards the Pioneer sees",
            low=1,
            high=99,
        ),
        Field("text", "what the card says", "text", optional=True),
        Field("choice", "what its winner chooses", "text", optional=True),
        Field("can_trigger_hero", "1: a hero may follow", high=1, optional=True),
        Field("if_tied", "what happens if nobody wins it", "text", optional=True),
        *PROVENANCE_FIELDS,
    ),
    key=("majority_of",),
)


def _repeated(name: str, says: str, kind: str = "number", high: int = MAX_NUMBER) -> Field:
    """Return a column that only repeats what others say."""
    return Field(name, says, kind, high=high, optional=True, derived=True)


SCORING = Schema(
    "scoring_tables.csv",
    "Points by number: ranks of blacksmiths, ranks of hunters, Dwerg brothers.",
    (
        Field("ranks", "0, 1, 2...: ranks, or brothers", high=63, unique=True),
        Field("blacksmith", "points of that many blacksmith ranks", high=9999),
        _repeated("blacksmith_increment", "difference to the row above, if filled in", high=9999),
        Field("hunter", "points of that many hunter ranks", high=9999),
        _repeated("hunter_increment", "difference to the row above, if filled in", high=9999),
        Field("dwerg_brothers_total", "points of that many brothers of one player", high=9999, optional=True),
        _repeated("dwerg_increment", "difference to the row above, if filled in", high=9999),
        *PROVENANCE_FIELDS,
    ),
)

SETUP = Schema(
    "setup_by_players.csv",
    "The table by number of players. Only cards_per_tavern and rounds_per_age decide; the rest must agree with it.",
    (
        Field("players", "players", low=2, high=5, unique=True),
        Field("cards_per_tavern", "cards dealt to each tavern", low=2, high=MAX_TAVERN_CARDS),
        _repeated("cards_taken_per_tavern", "of them taken: one a player"),
        _repeated("discarded_per_tavern", "of them discarded"),
        Field("rounds_per_age", "rounds of each age", low=1, high=8),
        _repeated("rounds_total", "rounds of the game"),
        _repeated("age1_deck", "cards of the age-1 deck"),
        _repeated("age2_deck", "cards of the age-2 deck: one more than is dealt"),
        _repeated("age2_after_explorer_step", "cards left of it after the troop evaluation"),
        _repeated("gems", "gems in play, lowest first, with spaces between", "text"),
        _repeated("treasure_coins", "coins of the treasure"),
        _repeated("tavern_cards_per_player_total", "cards a player takes from taverns"),
        *PROVENANCE_FIELDS,
    ),
)

SCHEMAS = (DWARVES, HEROES, COINS, GEMS, DISTINCTIONS, SCORING, SETUP)
FILES = tuple(schema.file for schema in SCHEMAS)

RULE_SWITCHES = (
    RuleSwitch(
        "exchange_gives_up",
        ("higher", "lower"),
        "Which coin of an exchange is given up for the new one: the higher or the lower of the two",
        "rule 6.5, A01",
    ),
    RuleSwitch(
        "warrior_majority",
        ("ranks", "points"),
        "What the warriors' end bonus goes by: most warrior ranks or most warrior points",
        "rule 8.3, A05",
    ),
    RuleSwitch(
        "exchange_optional",
        ("no", "yes"),
        "Whether a player who bid the exchange coin may decline the exchange",
        "rule 6.5, A02",
    ),
    RuleSwitch(
        "return_before_take",
        ("no", "yes"),
        "Whether a given-up gold coin is back in the treasure before the new coin is taken",
        "rule 6.4, A03",
    ),
    RuleSwitch(
        "distinction_snapshot",
        ("no", "yes"),
        "Whether all five distinctions are decided at once, before the first is resolved",
        "rule 7.2, A06",
    ),
    RuleSwitch(
        "hero_rule",
        ("lines_vs_heroes", "every_completion"),
        "When a hero is owed: while lines exceed the heroes owned, or once for every line that a card completes",
        "rule 6.3, A08",
    ),
    RuleSwitch(
        "line_check",
        ("after_discards", "before_discards"),
        "Whether lines are counted after or before the discards of Dagda and Bonfur",
        "rule 6.2, A38",
    ),
    RuleSwitch(
        "discard_target",
        ("top_must_be_dwarf", "last_dwarf_anywhere"),
        "What Dagda and Bonfur discard: a dwarf on top of its column, or a column's last dwarf even under a hero",
        "rule 6.6, A10",
    ),
    RuleSwitch(
        "treasure_small",
        ("28", "31", "34"),
        "Coins of the treasure with 2 or 3 players: one, two or three each of 7, 9 and 11",
        "rule 2.3, A15",
    ),
    RuleSwitch(
        "heroes",
        ("all", "beginner"),
        "Whether the advanced heroes (Thrud, Ylud, Uline) are on display",
        "rule 2.5, A32",
    ),
)

PRESETS = read_presets(DATA_FOLDER / "editions.toml", RULE_SWITCHES)
"""Shipped editions: name -> switches that differ from the defaults."""
