"""Reavers, spoils, sea battles and territories: which to take, and how (sections 4, 6, 7, 8, 11 of the rules)."""

from simcore.accel import array_at, kernel
from simcore.reavers.layout import (
    BATTLE_DECK,
    KEEP_DECK,
    KEEPS,
    N_LEVELS,
    NOWHERE,
    REAVER_DECK,
    SUBDUE,
    VILLAGE_DECK,
)
from strategies.explaining import tell_nb
from strategies.reavers.cards import group_value_nb
from strategies.reavers.crew import best_times_nb, stack_of_reavers_value_nb, use_value_nb
from strategies.reavers.effects import cost_value_nb, effect_value_nb
from strategies.reavers.fighting import fight_value_nb
from strategies.reavers.memory import FORCED, FORCED_TILE, FORCED_VALUE, STEERED, TILE, UNSEEN
from strategies.reavers.places import battle_value_nb, survey_nb, unseen_battle_value_nb
from strategies.reavers.weights import LIKE, ONE, PILLAGE

PILLAGE_IT, LEAVE = 0, 1
PAY, SUFFER = 0, 1
BY_DICE, BY_COMBAT = 0, 1


@kernel
def choose_recruits_nb(game, own, n_options):
    """Take the best stack of Reavers, or unseen ones."""
    survey_nb(game, own)
    times, times_of_success = best_times_nb(game, own)
    best = 0
    most = -(1 << 30)
    for i in range(n_options):
        space = own.option[i]
        if space == NOWHERE:
            value = game.edition.n_unseen[REAVER_DECK] * own.memory[UNSEEN + REAVER_DECK]
        else:
            value = stack_of_reavers_value_nb(game, own, space, times, times_of_success)
        tell_nb(i, value, ONE)
        if value > most:
            most = value
            best = i
    return best


@kernel
def choose_reaver_use_nb(game, own, n_options):
    """Rally, promote or specialise, whichever is worth most (strategies.md section 3)."""
    survey_nb(game, own)
    best = 0
    most = -(1 << 30)
    for i in range(n_options):
        value = use_value_nb(game, own, own.card, own.option[i])
        tell_nb(i, value, ONE)
        if value > most:
            most = value
            best = i
    return best


@kernel
def choose_next_card_nb(game, own, n_options):
    """Resolve the cards that bring something before buildings, which cost hammers; Reavers first."""
    best = 0
    most = -1
    for i in range(n_options):
        place = own.option[i]
        value = 100  # an order, not a worth
        if own.pending_deck[place] != REAVER_DECK:
            value = 50 - game.edition.spoils_defense[own.pending_card[place]]
        if value > most:
            most = value
            best = i
    return best


@kernel
def choose_spoils_nb(game, own, n_options):
    """Take the group of spoils that is worth most, or unseen cards."""
    survey_nb(game, own)
    deck = KEEP_DECK if game.location == KEEPS else VILLAGE_DECK
    best = 0
    most = -(1 << 30)
    for i in range(n_options):
        space = own.option[i]
        if space == NOWHERE:
            value = game.edition.n_unseen[deck] * own.memory[UNSEEN + deck]
        else:
            value = group_value_nb(game, own, deck, space)
        tell_nb(i, value, ONE)
        if value > most:
            most = value
            best = i
    return best


@kernel
def choose_pillage_nb(game, own, n_options):
    """Pillage a building if the exact odds make it worth the hammers."""
    survey_nb(game, own)
    table = array_at(own.table, own.n_table)
    reward = effect_value_nb(game, own, game.edition.spoils_reward[own.card]) * own.param[PILLAGE] >> 8
    worth = fight_value_nb(game, own, table, game.edition.spoils_defense[own.card], reward)
    tell_nb(PILLAGE_IT, worth, ONE)
    tell_nb(LEAVE, 0, ONE)
    return PILLAGE_IT if worth > 0 else LEAVE


@kernel
def choose_journey_nb(game, own, n_options):
    """Pay for a Sea Journey if that takes less than its effect."""
    survey_nb(game, own)
    if n_options == 1:
        return 0
    cost = cost_value_nb(game, own, game.edition.journey_cost[game.journey])
    loss = -effect_value_nb(game, own, game.edition.journey_effect[game.journey])
    tell_nb(PAY, -cost, ONE)
    tell_nb(SUFFER, -loss, ONE)
    return PAY if cost <= loss else SUFFER


@kernel
def choose_battle_nb(game, own, n_options):
    """Take the sea battle that is worth most; an unseen one only if none of them can be won."""
    survey_nb(game, own)
    best = 0
    most = -1
    for i in range(n_options):
        space = own.option[i]
        if space != NOWHERE:
            value = battle_value_nb(game, own, game.offer[BATTLE_DECK, space, 0])
        elif most > 0:
            break  # the unseen one stands last
        else:
            value = unseen_battle_value_nb(game, own)
        tell_nb(i, value, ONE)
        if value > most:
            most = value
            best = i
    return best


@kernel
def choose_battle_way_nb(game, own, n_options):
    """Win a sea battle with its dice or by combat, whichever is worth more."""
    survey_nb(game, own)
    table = array_at(own.table, own.n_table)
    edition = game.edition
    battle = game.battle
    reward = effect_value_nb(game, own, edition.battle_reward[battle]) + own.memory[STEERED]
    by_dice = reward - cost_value_nb(game, own, edition.battle_cost[battle])
    defense = edition.battle_defense[battle] + game.pl[own.seat].extra_defense
    by_combat = fight_value_nb(game, own, table, defense, reward)
    tell_nb(BY_DICE, by_dice, ONE)
    tell_nb(BY_COMBAT, by_combat, ONE)
    return BY_DICE if by_dice >= by_combat else BY_COMBAT


@kernel
def attempt_value_nb(game, own, code):
    """Return what an attempt at a territory is worth, in peace or by force."""
    table = array_at(own.table, own.n_table)
    stack = code // 2
    memory = own.memory
    tile = memory[TILE + stack]
    if code % 2 == 0:
        return tile - cost_value_nb(game, own, game.tile_cost[stack])
    level = stack % N_LEVELS
    if memory[FORCED + level] == 0 or memory[FORCED_TILE + level] != tile:  # most tiles of a level are alike
        memory[FORCED_VALUE + level] = fight_value_nb(game, own, table, level + 1, tile)
        memory[FORCED_TILE + level] = tile
        memory[FORCED + level] = 1
    return memory[FORCED_VALUE + level]


@kernel
def choose_territory_nb(game, own, n_options):
    """Attempt the territory that is worth most; stop when none is worth its cost."""
    survey_nb(game, own)
    for level in range(N_LEVELS):
        own.memory[FORCED + level] = 0
    best = 0
    most = -(1 << 30)
    for i in range(n_options):
        code = own.option[i]
        value = 0
        if code != NOWHERE:
            value = attempt_value_nb(game, own, code)
            value += own.param[LIKE + SUBDUE] >> 2
        tell_nb(i, value, ONE)
        if value > most:
            most = value
            best = i
    return best
