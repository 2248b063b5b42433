"""Every array of a game of Reavers of Midgard: names, shapes, meanings. Nothing about the state is declared elsewhere.

`GAME` is what everybody at the table may see, with a `PLAYER` for each seat. `OWN`, one a seat, is what only that
player may see. `HIDDEN` is given to no strategy. All fields are int64 (uint64 for luck), all values integers.

Crew dice that show the same are alike, so they are counted, not named: a die's *kind* is ``colour * 6 + face`` (0-17).
Cards are the rows of their tables (0...); Village and Keep Spoils share one numbering, called *spoils*.
"""

from simcore.accel import record_dtype
from simcore.contract import MAX_GRANTS, MAX_MEMORY, MAX_PARAMS
from simcore.luck import STREAM_SIZE
from simcore.reavers.decisions import DECISIONS as DECISIONS
from simcore.reavers.decisions import N_DECISIONS as N_DECISIONS

MAX_PLAYERS = 5
NOWHERE = -1

LOCATION_NAMES = (
    "recruit_reavers",
    "trade_with_villages",
    "raid_villages",
    "raid_keeps",
    "battle_at_sea",
    "subdue_territories",
)
N_LOCATIONS = len(LOCATION_NAMES)
RECRUIT, TRADE, VILLAGES, KEEPS, SEA, SUBDUE = range(N_LOCATIONS)
FIRST_SLOT_LOCATION = VILLAGES
"""The four costed locations have a slot for specialists: slot = location - FIRST_SLOT_LOCATION (rule 4.4)."""
N_SLOTS_FOR_REAVERS = 4

COLOUR_NAMES = ("red", "yellow", "blue")
N_COLOURS = len(COLOUR_NAMES)
ANY_COLOUR = N_COLOURS
"""Stands where a die's colour stands, when its owner chooses it."""
FACE_NAMES = ("hammer", "hammer2", "shield", "chest", "ship", "clan")
N_FACES = len(FACE_NAMES)
HAMMER, DOUBLE_HAMMER, SHIELD, CHEST, SHIP, CLAN = range(N_FACES)
N_KINDS = N_COLOURS * N_FACES

DECK_NAMES = ("reaver", "village", "keep", "journey", "battle", "prophecy")
N_DECKS = len(DECK_NAMES)
REAVER_DECK, VILLAGE_DECK, KEEP_DECK, JOURNEY_DECK, BATTLE_DECK, PROPHECY_DECK = range(N_DECKS)

TOKEN_NAMES = ("wall", "tower", "farm", "terror")
N_TOKENS = len(TOKEN_NAMES)
WALL_TOKEN, TOWER_TOKEN, FARM_TOKEN, TERROR_TOKEN = range(N_TOKENS)
UPGRADE_TOKEN = N_TOKENS
"""Stands where a token's kind stands, for a ship upgrade."""

CATEGORY_NAMES = (
    "treasure",
    "art",
    "armor",
    "tapestry",
    "keep_wall",
    "tower",
    "artifact",
    "ship_upgrade",
    "farm",
    "village_wall",
    "weapons",
    "runic",
)
N_CATEGORIES = len(CATEGORY_NAMES)
(
    TREASURE,
    ART,
    ARMOR,
    TAPESTRY,
    KEEP_WALL,
    TOWER,
    ARTIFACT,
    SHIP_UPGRADE,
    FARM,
    VILLAGE_WALL,
    WEAPONS,
    RUNIC,
) = range(N_CATEGORIES)

BLANK = N_CATEGORIES
"""Stands where the category of a withheld card stands: it counts for nothing."""

TERRITORY_NAMES = ("food", "favor", "dice")
N_TERRITORY_TYPES = 3
N_LEVELS = 3
N_STACKS = N_TERRITORY_TYPES * N_LEVELS
"""Territory stacks: type * 3 + level - 1."""

METRIC_NAMES = (
    "sea_battle_cards",
    "territory_tiles",
    "territory_food",
    "territory_favor",
    "territory_dice",
    "reavers_red",
    "reavers_yellow",
    "reavers_blue",
    "reavers_specialized",
    "reaver_clan_triples",
    "artifacts",
    "ship_upgrade_tokens",
    "wall_and_tower_tokens",
    "farm_tokens",
    "treasure_cards",
    "art_cards",
    "armor_cards",
    "tapestry_cards",
    "runic_cards",
    "weapons_cards",
    "favor_left",
    "food_left_pairs",
)
"""What a prophecy can count (column ``metric`` of prophecies.csv), rule 12.10."""

OPERATION_NAMES = (
    "food",
    "favor",
    "glory",
    "die",
    "lose_die",
    "card",
    "token",
    "setface",
    "reroll",
    "success",
    "defense",
    "skip_journey",
    "extra_attempt",
    "extra_trade",
    "choice",
    "dice",
)
"""What an item of an effect does (section 13)."""
(
    FOOD,
    FAVOR,
    GLORY,
    DIE,
    LOSE_DIE,
    CARD,
    TOKEN,
    SET_FACE,
    REROLL,
    SUCCESS,
    DEFENSE,
    SKIP_JOURNEY,
    EXTRA_ATTEMPT,
    EXTRA_TRADE,
    CHOICE,
    MARKET_DICE,
) = range(len(OPERATION_NAMES))
ROLLED, CHOSEN = range(2)
"""Modes of a gained die (field ``item_mode``)."""
REROLL_ANY, REROLL_ALL = range(2)

COMPONENT_NAMES = (
    # taken on the track during the game
    "sea_battles",
    "sea_bonus",
    "journeys",
    "territory_income",
    "territory_rewards",
    "pillage",
    "ship_upgrades",
    "specialists",
    "artifact_uses",
    "other",
    # final scoring, section 12
    "treasure",
    "art",
    "armor",
    "tapestries",
    "weapons",
    "runic_carvings",
    "artifacts",
    "wall_tokens",
    "tower_tokens",
    "farm_tokens",
    "terror",
    "prophecies",
    "reavers",
    "leftovers",
)
N_COMPONENTS = len(COMPONENT_NAMES)
N_SOURCES = 10
"""The first ten components are where Glory on the track came from."""
(
    FROM_BATTLES,
    FROM_SEA_BONUS,
    FROM_JOURNEYS,
    FROM_INCOME,
    FROM_TILES,
    FROM_PILLAGE,
    FROM_UPGRADES,
    FROM_SPECIALISTS,
    FROM_ARTIFACTS,
    FROM_OTHER,
) = range(N_SOURCES)

ITEM_KINDS = ("location", "prophecy", "artifact", "upgrade", "spoils", "battle", "territory", "ability")
"""What can be withheld, banned or granted (`items`): items are numbered kind after kind."""
N_ITEM_KINDS = len(ITEM_KINDS)
(
    LOCATION_ITEM,
    PROPHECY_ITEM,
    ARTIFACT_ITEM,
    UPGRADE_ITEM,
    SPOILS_ITEM,
    BATTLE_ITEM,
    TERRITORY_ITEM,
    ABILITY_ITEM,
) = range(N_ITEM_KINDS)

# Capacities: an edition that needs more is refused when it is read.
MAX_DECK = 128
MAX_REAVERS = 96
MAX_SPOILS = 96
MAX_JOURNEYS = 48
MAX_BATTLES = 48
MAX_PROPHECIES = 48
MAX_ARTIFACTS = 24
MAX_UPGRADES = 12
MAX_ABILITIES = 24
MAX_TILES = 60
MAX_STACK = 16
MAX_EFFECTS = 256
MAX_ITEMS = 512
MAX_COSTS = 96
MAX_SET_TABLES = 24
MAX_SET = 64
MAX_TERROR = 32
MAX_OFFERS = 8
MAX_OFFER_CARDS = 2
MAX_ROUNDS = 8
MAX_SELECTIONS = 6
MAX_TRADE_OPTIONS = 6
MAX_RESTS = 4
MAX_SPECIALISTS = 24
MAX_ARTIFACT_SPACES = 6
MAX_UPGRADE_SPACES = 6
MAX_DICE_SPACES = 20
MAX_SUCCESSES = 3
N_SUCCESSES = MAX_SUCCESSES + 1
N_COMBAT_FACES = 6
MAX_PENDING = 32
MAX_OPTIONS = 400
BLOCK = 8
"""Lists that are often copied have room for whole blocks (`dice._copy_block_nb`)."""
MAX_EVENTS = 16384
EVENT_SIZE = 10

FACE_BITS = 5
"""Dice of given faces are written in one number: ``n << FACE_BITS * face`` for each face."""
FACE_MASK = (1 << FACE_BITS) - 1

# Codes of what can pay a face or bring hammers: a kind of die on the board (0-17), a ready ship upgrade, a stored die.
UPGRADE_CODE = N_KINDS
STORED_CODE = UPGRADE_CODE + MAX_UPGRADE_SPACES

EDITION = record_dtype(
    [
        # constants.csv
        ("n_rounds", "i8"),
        ("n_selections", "i8"),  # locations selected in a round (rule 3.2)
        ("start_food", "i8", (MAX_PLAYERS,)),  # [places after the start player]
        ("start_favor", "i8"),
        ("start_reavers", "i8"),
        ("start_crew_dice", "i8"),
        ("start_prophecies", "i8"),
        ("dice_spaces", "i8"),
        ("artifact_spaces", "i8"),
        ("upgrade_spaces", "i8"),
        ("specialists_per_slot", "i8"),
        ("location_cost", "i8", (N_LOCATIONS,)),  # cost number; 0 is free
        ("bonus", "i8", (N_LOCATIONS, MAX_PLAYERS)),  # [location, places after the selector]: favor, trade actions,
        # unseen cards, unseen cards, glory, attempts (rules 3.6, 3.7)
        ("n_trade_options", "i8"),
        ("trade_option", "i8", (MAX_TRADE_OPTIONS,)),  # effect numbers
        ("n_rests", "i8"),
        ("rest", "i8", (MAX_RESTS,)),  # effect numbers (rule 3.5)
        ("market_dice", "i8"),  # of each colour
        ("favor_reroll", "i8"),  # Favor a reroll costs
        ("tapestry_set", "i8"),
        ("tapestry_single", "i8"),
        ("weapons_set", "i8"),
        ("weapons_single", "i8"),
        ("token_glory", "i8", (N_TOKENS,)),  # each, at the end; terror has its table
        ("terror_glory", "i8", (MAX_TERROR,)),  # [tokens]: 0 or less
        ("food_glory", "i8"),
        ("favor_glory", "i8"),
        ("tie_by_battles", "i8"),
        # offers
        ("n_offers", "i8", (N_DECKS,)),  # face-up spaces of each deck
        ("offer_size", "i8", (N_DECKS, MAX_OFFERS)),  # cards on each of them
        ("n_unseen", "i8", (N_DECKS,)),  # cards drawn instead of a face-up space
        # dice
        ("dice_in_box", "i8", (N_COLOURS,)),
        ("crew_face", "i8", (N_COLOURS, N_FACES)),  # [colour, side]: face
        ("has_face", "i8", (N_KINDS,)),  # 1 if a die of this colour has this face
        ("n_kinds_of", "i8", (1 << N_COLOURS,)),  # [one bit a colour] kinds that dice of these colours have
        ("kinds_of", "i8", (1 << N_COLOURS, 3 * BLOCK)),  # [one bit a colour, place]: which these are
        ("combat_face", "i8", (N_COMBAT_FACES,)),  # [side]: successes
        ("n_combat_dice", "i8"),
        # effects and costs (section 13); number 0 of either is the empty one
        ("n_effects", "i8"),
        ("effect_first", "i8", (MAX_EFFECTS,)),
        ("effect_stop", "i8", (MAX_EFFECTS,)),
        ("n_items", "i8"),
        ("item_operation", "i8", (MAX_ITEMS,)),
        ("item_kind", "i8", (MAX_ITEMS,)),  # colour, deck, token, mode of a reroll; first alternative of a choice
        ("item_mode", "i8", (MAX_ITEMS,)),  # ROLLED or CHOSEN
        ("item_n", "i8", (MAX_ITEMS,)),  # how many; alternatives of a choice
        ("n_costs", "i8"),
        ("cost_food", "i8", (MAX_COSTS,)),
        ("cost_favor", "i8", (MAX_COSTS,)),
        ("cost_any_die", "i8", (MAX_COSTS,)),  # dice of any face
        ("cost_faces", "i8", (MAX_COSTS,)),  # dice of given faces, FACE_BITS bits a face
        ("cost_only_face", "i8", (MAX_COSTS,)),  # the face, if the dice are all of one, else NOWHERE
        # decks
        ("n_deck", "i8", (N_DECKS,)),
        ("deck", "i8", (N_DECKS, MAX_DECK)),  # card numbers, unshuffled
        # Reavers
        ("n_reavers", "i8"),
        ("n_abilities", "i8"),
        ("reaver_colour", "i8", (MAX_REAVERS,)),
        ("reaver_roll", "i8", (MAX_REAVERS, N_COLOURS + 1)),  # dice at the top left, by colour, ANY_COLOUR last
        ("reaver_rally", "i8", (MAX_REAVERS, N_COLOURS + 1)),  # dice at the top right
        ("reaver_promotion", "i8", (MAX_REAVERS,)),  # effect
        ("reaver_wild", "i8", (MAX_REAVERS,)),  # colour whose clan icon is wild under it, or NOWHERE
        ("ability", "i8", (MAX_REAVERS,)),  # number of its kind of ability
        ("ability_cost", "i8", (MAX_REAVERS,)),
        ("ability_gain", "i8", (MAX_REAVERS,)),
        ("reaver_glory", "i8", (MAX_REAVERS,)),  # at the end
        # Spoils: the Village Spoils first, then the Keep Spoils
        ("n_spoils", "i8"),
        ("first_keep_spoils", "i8"),
        ("spoils_category", "i8", (MAX_SPOILS,)),
        ("category_first", "i8", (N_CATEGORIES,)),  # the range of spoils that has all kinds of a category
        ("category_stop", "i8", (N_CATEGORIES,)),
        ("spoils_gain", "i8", (MAX_SPOILS,)),  # effect at once
        ("spoils_defense", "i8", (MAX_SPOILS,)),  # of a building that can be pillaged; else 0
        ("spoils_reward", "i8", (MAX_SPOILS,)),  # effect of pillaging it
        ("spoils_kept", "i8", (MAX_SPOILS,)),  # 1: goes to the Glory pile and does nothing else
        ("spoils_ref", "i8", (MAX_SPOILS,)),  # number of the artifact or the ship upgrade
        ("spoils_set", "i8", (MAX_SPOILS,)),  # number of its set table, or NOWHERE
        ("set_glory", "i8", (MAX_SET_TABLES, MAX_SET)),  # [table, copies]
        # artifacts and ship upgrades
        ("n_artifacts", "i8"),
        ("artifact_face", "i8", (MAX_ARTIFACTS,)),
        ("artifact_location", "i8", (MAX_ARTIFACTS,)),
        ("artifact_gain", "i8", (MAX_ARTIFACTS,)),
        ("artifact_glory", "i8", (MAX_ARTIFACTS,)),
        ("artifact_space", "i8", (MAX_ARTIFACTS,)),  # dice it can store: 1 or 0
        ("artifact_when_resting", "i8", (MAX_ARTIFACTS,)),
        ("artifacts_wait", "i8"),  # 1: some work only for a player who acts
        ("n_upgrades", "i8"),
        ("upgrade_faces", "i8", (MAX_UPGRADES,)),  # one bit a face that it can pay
        ("upgrade_is_flexible", "i8", (MAX_UPGRADES,)),  # 1 if it can pay more than one
        ("upgrade_hammers", "i8", (MAX_UPGRADES,)),  # hammers in combat
        ("upgrade_copies", "i8", (MAX_UPGRADES,)),
        # sea, prophecies, territories
        ("journey_cost", "i8", (MAX_JOURNEYS,)),
        ("journey_has_cost", "i8", (MAX_JOURNEYS,)),
        ("journey_effect", "i8", (MAX_JOURNEYS,)),
        ("journey_benefit", "i8", (MAX_JOURNEYS,)),
        ("battle_defense", "i8", (MAX_BATTLES,)),
        ("battle_cost", "i8", (MAX_BATTLES,)),  # the dice combination
        ("battle_reward", "i8", (MAX_BATTLES,)),
        ("n_prophecies", "i8"),
        ("prophecy_metric", "i8", (MAX_PROPHECIES,)),
        ("prophecy_glory", "i8", (MAX_PROPHECIES,)),  # for each counted
        ("prophecy_cap", "i8", (MAX_PROPHECIES,)),
        ("n_stack", "i8", (N_STACKS,)),
        ("stack", "i8", (N_STACKS, MAX_STACK)),  # tile numbers, unshuffled
        ("tile_cost", "i8", (MAX_TILES,)),
        ("tile_reward", "i8", (MAX_TILES,)),  # effect
        ("tile_income", "i8", (MAX_TILES,)),  # Glory at each cleanup
        # items (`items`): what is withheld, and which numbers they have
        ("location_withheld", "i8", (N_LOCATIONS,)),  # 1: nobody may select it
        ("prophecy_in_play", "i8", (MAX_PROPHECIES,)),  # 1; 0 if it is withheld
        ("battle_in_play", "i8", (MAX_BATTLES,)),
        ("ability_in_play", "i8", (MAX_ABILITIES,)),
        ("first_item", "i8", (N_ITEM_KINDS,)),  # number of the first item of each kind
        ("spoils_of_item", "i8", (MAX_SPOILS,)),  # [place among the items of their kind]: spoils; no artifacts
        # rule switches: 0 is the default, 1 the other (ambiguities.md part C)
        ("leader_not_wild", "i8"),
        ("refresh_by_round", "i8"),
        ("fill_gaps", "i8"),
        ("income_after_last_round", "i8"),
        ("held_marker_passes_left", "i8"),
        ("bonus_without_participation", "i8"),
        ("no_rest_at_free_location", "i8"),
        ("journey_forced", "i8"),
        ("wild_is_single_hammer", "i8"),
        ("double_is_exact", "i8"),
        ("hammers_between_rolls", "i8"),
        ("loading_on_gain", "i8"),
        ("rewards_open", "i8"),
        ("terror_from_keep", "i8"),
        ("lost_battle_stays", "i8"),
        ("refill_at_once", "i8"),
        ("dice_unlimited", "i8"),
    ]
)

PLAYER = record_dtype(
    [
        ("food", "i8"),
        ("favor", "i8"),
        ("glory", "i8"),  # on the track
        ("glory_from", "i8", (N_SOURCES,)),  # where it came from
        ("n_dice", "i8"),  # crew dice on the board, without stored ones
        ("die", "i8", (N_KINDS,)),  # [kind] how many of them
        ("in_hand", "i8", (N_COLOURS,)),  # [colour] dice picked up for a reroll
        ("leader", "i8"),  # Reaver, or NOWHERE
        ("n_changes", "i8"),  # times that dice, on the board or stored, ship upgrades or the leader were changed
        ("wild_kind", "i8"),  # kind of die that counts as any face, or NOWHERE (rule 4.6)
        ("n_specialists", "i8", (N_SLOTS_FOR_REAVERS,)),
        ("specialist", "i8", (N_SLOTS_FOR_REAVERS, MAX_SPECIALISTS)),  # [slot, place from the top] Reavers
        ("n_artifacts", "i8"),  # on the board, in spaces 0...
        ("artifact", "i8", (MAX_ARTIFACT_SPACES,)),
        ("stored", "i8", (MAX_ARTIFACT_SPACES,)),  # colour of the die stored on it, or NOWHERE
        ("n_stored", "i8"),
        ("artifact_used", "i8", (MAX_ARTIFACT_SPACES,)),  # 1: in this activation
        ("n_upgrades", "i8"),  # ship upgrades on the board, in spaces 0...
        ("upgrade", "i8", (MAX_UPGRADE_SPACES,)),
        ("upgrade_ready", "i8", (MAX_UPGRADE_SPACES,)),
        ("token", "i8", (N_TOKENS,)),
        ("n_tiles", "i8"),
        ("tiles", "i8", (N_STACKS,)),  # [stack] territories owned
        ("tile_income", "i8"),  # Glory they pay at a cleanup
        ("n_battles", "i8"),  # sea battle cards won
        ("n_prophecies", "i8"),  # seen and unseen
        ("banned", "i8"),  # one bit a location that this seat may not select (`items`)
        # what everybody saw; the owner's full counts are in OWN
        ("spoils_seen", "i8", (MAX_SPOILS,)),  # [spoils] cards in the Glory pile
        ("prophecy_seen", "i8", (MAX_PROPHECIES,)),
        ("reavers_seen", "i8", (N_COLOURS,)),  # in any place
        ("artifacts_seen", "i8"),  # on the board or in the Glory pile
        # within one activation
        ("acts", "i8"),  # 1: pays and acts, 0: undecided or rests
        ("bonus_successes", "i8"),  # for the next combat (rule 3.14)
        ("extra_defense", "i8"),  # of the sea battle chosen next
        ("extra_attempts", "i8"),
        ("extra_trades", "i8"),
        ("skips_journey", "i8"),
        # counts
        ("n_selected", "i8", (N_LOCATIONS,)),
        ("n_acted", "i8", (N_LOCATIONS,)),
        ("n_rests", "i8"),
        ("n_rallied", "i8"),
        ("n_promoted", "i8"),
        ("n_specialised", "i8"),
        ("n_abilities", "i8"),
        ("n_artifact_uses", "i8"),
        ("n_upgrade_uses", "i8"),
        ("n_combats", "i8"),
        ("n_combats_won", "i8"),
        ("n_combat_dice", "i8"),
        ("n_rerolls", "i8"),
        ("n_dice_gained", "i8"),
        ("n_dice_discarded", "i8"),  # on overflow
        ("had_ability", "i8", (MAX_ABILITIES,)),  # 1: specialised a Reaver with it
        ("had_upgrade", "i8", (MAX_UPGRADES,)),
        ("had_leader", "i8", (N_COLOURS,)),
        ("glory_after_round", "i8", (MAX_ROUNDS + 1,)),  # [0] at the start
        ("food_after_round", "i8", (MAX_ROUNDS + 1,)),
        ("dice_after_round", "i8", (MAX_ROUNDS + 1,)),  # stored ones included
        ("tiles_after_round", "i8", (MAX_ROUNDS + 1,)),
    ]
)

GAME = record_dtype(
    [
        ("edition", EDITION),
        ("pl", PLAYER, (MAX_PLAYERS,)),
        ("n_players", "i8"),
        ("round_number", "i8"),  # 1...
        ("rounds_left", "i8"),  # after the present one
        ("start_player", "i8"),  # seat with the start-player marker
        ("first_player", "i8"),  # who had it when the round began
        ("honor_ship", "i8"),  # its owner with three players, else NOWHERE
        ("selection", "i8"),  # selections made in this round before the present one
        ("is_selected", "i8", (N_LOCATIONS,)),  # 1: in this round, or withheld
        ("location", "i8"),  # being activated, or NOWHERE
        ("selector", "i8"),
        ("active", "i8"),  # seat whose turn it is at the location, or NOWHERE
        ("distance", "i8"),  # its places after the selector
        ("actions_left", "i8"),  # of the active seat at Trade and Subdue, the present one included
        # the board
        ("offer", "i8", (N_DECKS, MAX_OFFERS, MAX_OFFER_CARDS)),  # card numbers, or NOWHERE
        ("market", "i8", (N_KINDS,)),
        ("n_market", "i8"),
        ("supply", "i8", (N_COLOURS,)),
        ("upgrade_supply", "i8", (MAX_UPGRADES,)),
        ("n_deck", "i8", (N_DECKS,)),  # cards face down
        ("n_discard", "i8", (N_DECKS,)),  # cards face up under them
        ("n_stack", "i8", (N_STACKS,)),
        ("tile_cost", "i8", (N_STACKS,)),  # cost of the top tile, or NOWHERE
        ("tile_shown", "i8", (N_STACKS,)),  # number of the top tile under territory_rewards=open, else NOWHERE
        # what is being decided
        ("due_face", "i8"),  # choose_payment: face that is due
        ("due_dice", "i8"),  # dice still to be paid, lost or taken, the present one included
        ("reaver", "i8"),  # choose_ability: the specialist
        ("effect", "i8"),  # choose_gain: first of the alternatives
        ("journey", "i8"),  # journey card revealed last
        ("battle", "i8"),  # sea battle being fought
        ("defense", "i8"),  # of the present combat
        ("successes", "i8"),  # sure: bonuses and noted dice
        ("hammers", "i8"),  # committed and not yet rolled
        ("rolled", "i8", (N_SUCCESSES,)),  # combat dice that show 0, 1, 2, 3 successes
    ]
)

OWN = record_dtype(
    [
        ("seat", "i8"),
        ("decision", "i8"),  # number of the decision being asked
        ("option", "i8", (MAX_OPTIONS,)),  # what can be chosen: see Decision.options
        ("card_deck", "i8"),  # the card being resolved: its deck, NOWHERE if none
        ("card", "i8"),
        ("n_pending", "i8"),  # cards gained that wait to be resolved
        ("pending_deck", "i8", (MAX_PENDING,)),
        ("pending_card", "i8", (MAX_PENDING,)),
        ("pending_seen", "i8", (MAX_PENDING,)),  # 1: everybody saw it
        ("spoils", "i8", (MAX_SPOILS,)),  # [spoils] cards in the own Glory pile
        ("prophecy", "i8", (MAX_PROPHECIES,)),
        ("reavers", "i8", (N_COLOURS,)),  # in any place
        ("reaver_glory", "i8"),  # their Glory at the end
        ("n_artifacts", "i8"),  # on the board or in the Glory pile
        ("artifact_glory", "i8"),
        ("had_artifact", "i8", (MAX_ARTIFACTS,)),  # 1: on the board or in the Glory pile
        ("param", "i8", (MAX_PARAMS,)),  # parameters of the strategy in this seat
        ("luck", "u8", (STREAM_SIZE,)),  # private stream: simcore.luck.draw_below_nb(own.luck, n)
        ("memory", "i8", (MAX_MEMORY,)),  # the strategy's scratch memory, zero when a game starts
        ("table", "u8"),  # address of the strategy's prepared table: simcore.accel.array_at(own.table, own.n_table)
        ("n_table", "i8"),
    ]
)

# A result row, one a seat of each game.
WIN_SLOT, SCORE_SLOT, MARGIN_SLOT, PLACE_SLOT = range(4)
COMPONENT_SLOT = 4  # N_COMPONENTS parts of the score
COUNT_NAMES = (
    "n_own_selections",
    "n_rests",
    "n_rallied",
    "n_promoted",
    "n_specialised",
    "n_abilities",
    "n_artifacts",
    "n_artifact_uses",
    "n_upgrades",
    "n_upgrade_uses",
    "n_combats",
    "n_combats_won",
    "n_combat_dice",
    "n_rerolls",
    "n_battles",
    "n_tiles",
    "n_prophecies",
    "n_reavers",
    "n_dice_gained",
    "n_dice_discarded",
    "n_terror",
    "food_left",
    "favor_left",
    "dice_left",
)
COUNT_SLOT = COMPONENT_SLOT + N_COMPONENTS
SELECTED_SLOT = COUNT_SLOT + len(COUNT_NAMES)  # times each location was selected
ACTED_SLOT = SELECTED_SLOT + N_LOCATIONS  # times each location was used
GLORY_BY_ROUND_SLOT = ACTED_SLOT + N_LOCATIONS
FOOD_BY_ROUND_SLOT = GLORY_BY_ROUND_SLOT + MAX_ROUNDS + 1
DICE_BY_ROUND_SLOT = FOOD_BY_ROUND_SLOT + MAX_ROUNDS + 1
TILES_BY_ROUND_SLOT = DICE_BY_ROUND_SLOT + MAX_ROUNDS + 1
LEADER_SLOT = TILES_BY_ROUND_SLOT + MAX_ROUNDS + 1  # flags from here on: leaders promoted, by colour
ABILITY_SLOT = LEADER_SLOT + N_COLOURS
ARTIFACT_SLOT = ABILITY_SLOT + MAX_ABILITIES
UPGRADE_SLOT = ARTIFACT_SLOT + MAX_ARTIFACTS
PROPHECY_SLOT = UPGRADE_SLOT + MAX_UPGRADES
TERRITORY_SLOT = PROPHECY_SLOT + MAX_PROPHECIES
START_PLAYER_SLOT = TERRITORY_SLOT + N_STACKS
SEAT_SLOT = START_PLAYER_SLOT + 1
DECISIONS_SLOT = SEAT_SLOT + MAX_PLAYERS  # of the whole table
N_SLOTS = DECISIONS_SLOT + 1

HIDDEN = record_dtype(
    [
        ("own", OWN, (MAX_PLAYERS,)),  # [seat]: of which a strategy is handed its own one
        ("luck", "u8", (STREAM_SIZE,)),
        ("deck_luck", "u8", (N_DECKS, STREAM_SIZE)),
        ("crew_luck", "u8", (MAX_PLAYERS, STREAM_SIZE)),  # crew dice of each seat
        ("combat_luck", "u8", (MAX_PLAYERS, STREAM_SIZE)),
        ("market_luck", "u8", (STREAM_SIZE,)),
        ("seed", "u8"),
        ("block", "i8"),  # block and game within it that are being played: also what the watchdog reads
        ("game_in_block", "i8"),
        ("deck", "i8", (N_DECKS, MAX_DECK)),  # cards face down; which one lies on top is drawn when it is needed
        ("discard", "i8", (N_DECKS, MAX_DECK + 1)),  # room for what is written and does not count
        ("stack", "i8", (N_STACKS, MAX_STACK)),  # territory tiles, the top one last
        ("n_claimed", "i8"),  # tiles of the active seat that are not turned over yet
        ("claimed", "i8", (MAX_TILES,)),
        ("granted", "i8", (MAX_PLAYERS, MAX_GRANTS)),  # [seat]: numbers of the items it gets at the start, or -1
        ("gained_kinds", "i8"),  # one bit a kind: dice gained just now
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
