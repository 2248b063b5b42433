"""Setting the table (section 2), and the streams of luck (rule 16.1).

The board is laid out first, so that a card that a player's first Reavers bring can be drawn (2.5 after 2.6 to 2.8).
"""

from simcore.accel import kernel, separate_kernel
from simcore.contract import MAX_MEMORY
from simcore.luck import draw_below_nb, open_private_stream_nb, open_stream_nb
from simcore.reavers.cleanup import note_round_nb
from simcore.reavers.decks import deal_offers_nb, draw_card_nb, open_decks_nb
from simcore.reavers.dice import gain_rolled_die_nb, settle_dice_nb
from simcore.reavers.effects import draw_cards_nb
from simcore.reavers.events import FAVOR_CHANGED, FOOD_CHANGED, GAME_STARTS, record_nb
from simcore.reavers.granting import grant_items_nb
from simcore.reavers.layout import (
    GAME,
    HIDDEN,
    MAX_ABILITIES,
    MAX_ARTIFACT_SPACES,
    MAX_ARTIFACTS,
    MAX_PROPHECIES,
    MAX_ROUNDS,
    MAX_UPGRADE_SPACES,
    MAX_UPGRADES,
    N_COLOURS,
    N_KINDS,
    N_LOCATIONS,
    N_SLOTS_FOR_REAVERS,
    N_SOURCES,
    N_STACKS,
    N_SUCCESSES,
    N_TOKENS,
    NOWHERE,
    PROPHECY_DECK,
    REAVER_DECK,
)
from simcore.reavers.resolving import resolve_cards_nb
from simcore.reavers.territories import open_stacks_nb
from simcore.reavers.trade import fill_market_nb

# Purposes of the engine's streams (the third part of a stream's key); 2 and 3 are decks and territories.
START_PLAYER = 1
MARKET = 4
CREW_DICE = 5
COMBAT_DICE = 6
PRIVATE = 7


@kernel
def _clear_board_nb(game, seat):
    """Empty a seat's player board (rule 1.2)."""
    me = game.pl[seat]
    me.n_dice = 0
    for kind in range(N_KINDS):
        me.die[kind] = 0
    for colour in range(N_COLOURS):
        me.in_hand[colour] = 0
        me.reavers_seen[colour] = 0
        me.had_leader[colour] = 0
    me.leader = NOWHERE
    me.wild_kind = NOWHERE
    me.n_changes = 0
    for slot in range(N_SLOTS_FOR_REAVERS):
        me.n_specialists[slot] = 0
    me.n_artifacts = 0
    me.n_stored = 0
    for space in range(MAX_ARTIFACT_SPACES):
        me.artifact[space] = NOWHERE
        me.stored[space] = NOWHERE
        me.artifact_used[space] = 0
    me.n_upgrades = 0
    for space in range(MAX_UPGRADE_SPACES):
        me.upgrade[space] = NOWHERE
        me.upgrade_ready[space] = 0
    for token in range(N_TOKENS):
        me.token[token] = 0
    me.n_tiles = 0
    me.tile_income = 0
    for stack in range(N_STACKS):
        me.tiles[stack] = 0
    me.n_battles = 0
    me.n_prophecies = 0
    me.artifacts_seen = 0
    me.acts = 0
    me.bonus_successes = 0
    me.extra_defense = 0
    me.extra_attempts = 0
    me.extra_trades = 0
    me.skips_journey = 0


@kernel
def _clear_counts_nb(game, seat):
    me = game.pl[seat]
    me.glory = 0
    for source in range(N_SOURCES):
        me.glory_from[source] = 0
    for spoils in range(game.edition.n_spoils):
        me.spoils_seen[spoils] = 0
    for prophecy in range(MAX_PROPHECIES):
        me.prophecy_seen[prophecy] = 0
    for location in range(N_LOCATIONS):
        me.n_selected[location] = 0
        me.n_acted[location] = 0
    me.n_rests = 0
    me.n_rallied = 0
    me.n_promoted = 0
    me.n_specialised = 0
    me.n_abilities = 0
    me.n_artifact_uses = 0
    me.n_upgrade_uses = 0
    me.n_combats = 0
    me.n_combats_won = 0
    me.n_combat_dice = 0
    me.n_rerolls = 0
    me.n_dice_gained = 0
    me.n_dice_discarded = 0
    for i in range(MAX_ABILITIES):
        me.had_ability[i] = 0
    for i in range(MAX_UPGRADES):
        me.had_upgrade[i] = 0
    for i in range(MAX_ROUNDS + 1):
        me.glory_after_round[i] = 0
        me.food_after_round[i] = 0
        me.dice_after_round[i] = 0
        me.tiles_after_round[i] = 0


@kernel
def _clear_own_nb(game, hidden, seat):
    own = hidden.own[seat]
    own.seat = seat
    own.card_deck = NOWHERE
    own.card = NOWHERE
    own.n_pending = 0
    for spoils in range(game.edition.n_spoils):
        own.spoils[spoils] = 0
    for prophecy in range(MAX_PROPHECIES):
        own.prophecy[prophecy] = 0
    for colour in range(N_COLOURS):
        own.reavers[colour] = 0
    own.reaver_glory = 0
    own.n_artifacts = 0
    own.artifact_glory = 0
    for i in range(MAX_ARTIFACTS):
        own.had_artifact[i] = 0
    for i in range(MAX_MEMORY):
        own.memory[i] = 0


@kernel
def _open_streams_nb(game, hidden):
    """Open the market's luck and each seat's crew dice, combat dice and private luck (rule 16.1)."""
    open_stream_nb(hidden.market_luck, hidden.seed, hidden.block, MARKET, 0)
    for seat in range(game.n_players):
        open_stream_nb(hidden.crew_luck[seat], hidden.seed, hidden.block, CREW_DICE, seat)
        open_stream_nb(hidden.combat_luck[seat], hidden.seed, hidden.block, COMBAT_DICE, seat)
        open_private_stream_nb(hidden.own[seat].luck, hidden.seed, hidden.block, PRIVATE, seat)


@kernel
def choose_start_player_nb(game, hidden):
    """Draw the start player; with three players the honor ship is theirs first (rules 2.2, 2.3)."""
    open_stream_nb(hidden.luck, hidden.seed, hidden.block, START_PLAYER, 0)
    game.start_player = draw_below_nb(hidden.luck, game.n_players)
    game.first_player = game.start_player
    game.honor_ship = game.start_player if game.n_players == 3 else NOWHERE


@kernel
def _clear_table_nb(game):
    game.round_number = 0
    game.rounds_left = game.edition.n_rounds
    game.selection = 0
    for location in range(N_LOCATIONS):
        game.is_selected[location] = 0
    game.location = NOWHERE
    game.selector = NOWHERE
    game.active = NOWHERE
    game.distance = 0
    game.actions_left = 0
    for kind in range(N_KINDS):
        game.market[kind] = 0
    for colour in range(N_COLOURS):
        game.supply[colour] = game.edition.dice_in_box[colour]
    for upgrade in range(MAX_UPGRADES):
        game.upgrade_supply[upgrade] = game.edition.upgrade_copies[upgrade]
    game.due_face = NOWHERE
    game.due_dice = 0
    game.reaver = NOWHERE
    game.effect = 0
    game.journey = NOWHERE
    game.battle = NOWHERE
    game.defense = 0
    game.successes = 0
    game.hammers = 0
    for value in range(N_SUCCESSES):
        game.rolled[value] = 0


@separate_kernel(GAME, HIDDEN)
def gain_crew_nb(game, hidden, seat):
    """Give a seat its first crew (rule 2.5): two Reavers, used at once; or three dice and a prophecy (*early*)."""
    edition = game.edition
    for i in range(edition.start_crew_dice):
        gain_rolled_die_nb(game, hidden, seat, i % N_COLOURS)
    settle_dice_nb(game, hidden, seat)
    for _ in range(edition.start_prophecies):
        draw_card_nb(game, hidden, seat, PROPHECY_DECK)
    draw_cards_nb(game, hidden, seat, REAVER_DECK, edition.start_reavers)
    resolve_cards_nb(game, hidden, seat)


@separate_kernel(GAME, HIDDEN)
def set_up_game_nb(game, hidden):
    """Set the table (rules 2.1 to 2.8)."""
    n = game.n_players
    hidden.gained_kinds = 0
    _clear_table_nb(game)
    choose_start_player_nb(game, hidden)
    record_nb(hidden, GAME_STARTS, n, game.start_player, 0, 0)
    _open_streams_nb(game, hidden)
    for seat in range(n):
        _clear_board_nb(game, seat)
        _clear_counts_nb(game, seat)
        _clear_own_nb(game, hidden, seat)
    open_decks_nb(game, hidden)
    open_stacks_nb(game, hidden)
    fill_market_nb(game, hidden)
    deal_offers_nb(game, hidden)
    for i in range(n):  # 2.4
        seat = (game.start_player + i) % n
        game.pl[seat].food = game.edition.start_food[i]
        game.pl[seat].favor = game.edition.start_favor
        record_nb(hidden, FOOD_CHANGED, seat, game.edition.start_food[i], game.pl[seat].food, 0)
        record_nb(hidden, FAVOR_CHANGED, seat, game.edition.start_favor, game.pl[seat].favor, 0)
    for i in range(n):
        gain_crew_nb(game, hidden, (game.start_player + i) % n)
    grant_items_nb(game, hidden)
    note_round_nb(game)
