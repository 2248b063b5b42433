"""What acting at a location is worth to the seat (strategies.md section 2: follow value)."""

from simcore.accel import array_at, kernel, separate_kernel
from simcore.reavers.layout import (
    BATTLE_DECK,
    CARD,
    GAME,
    KEEP_DECK,
    MARKET_DICE,
    MAX_DECK,
    N_FACES,
    N_KINDS,
    N_LEVELS,
    N_STACKS,
    NOWHERE,
    OWN,
    PROPHECY_DECK,
    REAVER_DECK,
    RECRUIT,
    SEA,
    SUBDUE,
    TRADE,
    VILLAGE_DECK,
    VILLAGES,
)
from simcore.reavers.paying import can_pay_nb
from strategies.reavers.cards import group_value_nb, prophecy_value_nb, steer_nb, value_unseen_nb
from strategies.reavers.crew import stack_of_reavers_value_nb, value_unseen_reaver_nb
from strategies.reavers.effects import any_dice_cost_nb, cost_value_nb, effect_value_nb
from strategies.reavers.fighting import fight_value_nb, odds_nb
from strategies.reavers.memory import (
    FAVOR_VALUE,
    FOOD_VALUE,
    HAMMERS,
    LAST,
    LOOKED_AT,
    NEXT,
    NEXT_WILD,
    SCRATCH,
    STEERED,
    TILE,
    UNSEEN,
)
from strategies.reavers.outlook import dice_value_nb, look_nb, moment_nb
from strategies.reavers.weights import INCOME, JOURNEY, ONE

NOT_PAYABLE = -(1 << 20)
METRIC_TILES, METRIC_TYPES = 1, 2


@separate_kernel(GAME, OWN)
def survey_nb(game, own):
    """Value goods, and once for each activation also unseen cards and territories."""
    look_nb(game, own)
    now = moment_nb(game) + (1 << 16) * (1 if game.location == NOWHERE else 0) + 1
    if own.memory[LOOKED_AT] != now:
        own.memory[LOOKED_AT] = now
        steer_nb(game, own)
        value_unseen_nb(game, own)
        value_unseen_reaver_nb(game, own)
        value_tiles_nb(game, own)


@kernel
def value_tiles_nb(game, own):
    """Write what the top tile of each stack is worth: income to come, and the mean of the rewards (11.3, 11.4)."""
    edition = game.edition
    memory = own.memory
    paid = game.rounds_left + edition.income_after_last_round
    for stack in range(N_STACKS):
        total = 0
        n = edition.n_stack[stack]
        for i in range(n):
            tile = edition.stack[stack, i]
            reward = effect_value_nb(game, own, edition.tile_reward[tile])
            total += reward + (ONE * paid * edition.tile_income[tile] * own.param[INCOME] >> 8)
        steered = memory[STEERED + METRIC_TILES] + memory[STEERED + METRIC_TYPES + stack // N_LEVELS]
        memory[TILE + stack] = total // max(1, n) + steered


@kernel
def raid_value_nb(game, own, deck, n_bonus):
    """Return what a raid brings: the best group or two unseen cards, and the unseen cards of the bonus (6.2, 7.2)."""
    memory = own.memory
    best = game.edition.n_unseen[deck] * memory[UNSEEN + deck]
    for space in range(game.edition.n_offers[deck]):
        if game.offer[deck, space, 0] != NOWHERE:
            best = max(best, group_value_nb(game, own, deck, space))
    return best + n_bonus * memory[UNSEEN + deck]


@separate_kernel(GAME, OWN)
def battle_value_nb(game, own, battle):
    """Return what a sea battle is worth, won with dice or by combat, whichever is better (rule 8.3)."""
    edition = game.edition
    table = array_at(own.table, own.n_table)
    reward = effect_value_nb(game, own, edition.battle_reward[battle]) + own.memory[STEERED]
    best = 0
    if can_pay_nb(game, own.seat, edition.battle_cost[battle]):
        best = reward - cost_value_nb(game, own, edition.battle_cost[battle])
    defense = edition.battle_defense[battle] + game.pl[own.seat].extra_defense
    return max(best, fight_value_nb(game, own, table, defense, reward))


@kernel
def unseen_battle_value_nb(game, own):
    """Return the mean worth of every fourth sea battle of the deck: an unseen one."""
    edition = game.edition
    total = 0
    n = 0
    for i in range(1, min(edition.n_deck[BATTLE_DECK], MAX_DECK), 4):
        total += battle_value_nb(game, own, edition.deck[BATTLE_DECK, i])
        n += 1
    return total // max(1, n)


@kernel
def sea_value_nb(game, own):
    """Return what the best sea battle is worth."""
    best = 0
    for space in range(game.edition.n_offers[BATTLE_DECK]):
        if game.offer[BATTLE_DECK, space, 0] != NOWHERE:
            best = max(best, battle_value_nb(game, own, game.offer[BATTLE_DECK, space, 0]))
    return best


@kernel
def trade_value_nb(game, own, option):
    """Return what a trade option is worth (rule 5.2)."""
    edition = game.edition
    effect = edition.trade_option[option]
    item = edition.effect_first[effect]
    operation = edition.item_operation[item]
    if operation == MARKET_DICE:
        return market_value_nb(game, own, edition.item_n[item])
    if operation == CARD and edition.item_kind[item] == PROPHECY_DECK:
        return best_prophecy_nb(game, own)
    return effect_value_nb(game, own, effect)


@kernel
def market_value_nb(game, own, n):
    """Return what the best `n` dice of the market are worth."""
    memory = own.memory
    me = game.pl[own.seat]
    first = 0
    second = 0
    for kind in range(N_KINDS):
        if game.market[kind] > 0:
            value = memory[NEXT_WILD] if kind == me.wild_kind else memory[NEXT + kind % N_FACES]
            if value > first:
                second = value if game.market[kind] > 1 else first
                first = value
            elif value > second:
                second = value
    if n > 1:
        return dice_value_nb(own, 2, (first + second) >> 1)
    return dice_value_nb(own, 1, first)


@kernel
def best_prophecy_nb(game, own):
    """Return what the best prophecy to be had is worth."""
    table = array_at(own.table, own.n_table)
    best = own.memory[UNSEEN + PROPHECY_DECK]
    for space in range(game.edition.n_offers[PROPHECY_DECK]):
        if game.offer[PROPHECY_DECK, space, 0] != NOWHERE:
            best = max(best, prophecy_value_nb(game, own, table, game.offer[PROPHECY_DECK, space, 0]))
    return best


@kernel
def trades_value_nb(game, own, n_actions):
    """Return what so many trade actions are worth: the best options, each a little less the second time."""
    edition = game.edition
    best = 0
    second = 0
    for option in range(edition.n_trade_options):
        value = trade_value_nb(game, own, option)
        if value > best:
            second = best
            best = value
        elif value > second:
            second = value
    total = best
    again = max(second, best * 3 >> 2)
    for _ in range(1, n_actions):
        total += again
        again = again * 7 >> 3
    return total


@kernel
def recruits_value_nb(game, own):
    """Return what the best stack of Reavers is worth."""
    best = game.edition.n_unseen[REAVER_DECK] * own.memory[UNSEEN + REAVER_DECK]
    for space in range(game.edition.n_offers[REAVER_DECK]):
        if game.offer[REAVER_DECK, space, 0] != NOWHERE:
            best = max(best, stack_of_reavers_value_nb(game, own, space))
    return best


@kernel
def rest_value_nb(game, own):
    """Return what the best way to rest is worth (rule 3.5)."""
    best = 0
    for i in range(game.edition.n_rests):
        best = max(best, effect_value_nb(game, own, game.edition.rest[i]))
    return best


@separate_kernel(GAME, OWN)
def subdue_value_nb(game, own, n_attempts):
    """Return what so many attempts at territories are worth, the best first, each paid with what the others left."""
    table = array_at(own.table, own.n_table)
    edition = game.edition
    memory = own.memory
    me = game.pl[own.seat]
    food = me.food
    favor = me.favor
    dice = me.n_dice
    hammers = memory[HAMMERS]
    each = memory[LAST]
    for stack in range(N_STACKS):
        memory[SCRATCH + stack] = game.n_stack[stack]
    total = 0
    for _ in range(n_attempts):
        best = 0
        chosen = -1
        spent = 0
        for stack in range(N_STACKS):
            if memory[SCRATCH + stack] == 0:
                continue
            tile = memory[TILE + stack]
            cost = game.tile_cost[stack]
            if edition.cost_food[cost] <= food and edition.cost_favor[cost] <= favor:
                if edition.cost_any_die[cost] <= dice and edition.cost_faces[cost] == 0:
                    value = tile - edition.cost_food[cost] * memory[FOOD_VALUE]
                    value -= edition.cost_favor[cost] * memory[FAVOR_VALUE]
                    if edition.cost_any_die[cost] > 0:
                        value -= any_dice_cost_nb(game, own, edition.cost_any_die[cost])
                    if value > best:
                        best = value
                        chosen = stack
                        spent = 0
            level = stack % N_LEVELS + 1
            for n in range(level, min(hammers, level + 2) + 1):
                value = (odds_nb(table, favor, level, n) * tile >> 12) - n * each
                if value > best:
                    best = value
                    chosen = stack
                    spent = n
        if chosen < 0:
            break
        total += best
        memory[SCRATCH + chosen] -= 1
        if spent > 0:
            hammers -= spent
            dice -= spent
        else:
            cost = game.tile_cost[chosen]
            food -= edition.cost_food[cost]
            favor -= edition.cost_favor[cost]
            dice -= edition.cost_any_die[cost]
    return total


@separate_kernel(GAME, OWN)
def action_value_nb(game, own, location, distance):
    """Return what paying and acting at a location is worth, so many places after the selector; needs `survey_nb`.

    `NOT_PAYABLE` if the seat cannot pay.
    """
    edition = game.edition
    bonus = edition.bonus[location, distance]
    cost = edition.location_cost[location]
    if not can_pay_nb(game, own.seat, cost):
        return NOT_PAYABLE
    if location == RECRUIT:
        return recruits_value_nb(game, own) + bonus * own.memory[FAVOR_VALUE]
    if location == TRADE:
        return trades_value_nb(game, own, bonus)
    if location == SUBDUE:
        return subdue_value_nb(game, own, bonus)
    paid = cost_value_nb(game, own, cost)
    if location == SEA:
        value = sea_value_nb(game, own)
        return value + ONE * bonus - own.param[JOURNEY] - paid
    deck = VILLAGE_DECK if location == VILLAGES else KEEP_DECK
    return raid_value_nb(game, own, deck, bonus) - paid
