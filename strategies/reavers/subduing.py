"""What attempts at territories are worth (rules section 11, strategies.md section 2)."""

from simcore.accel import array_at, kernel, separate_kernel
from simcore.reavers.layout import GAME, N_LEVELS, N_STACKS, OWN, SUBDUE
from strategies.reavers.effects import any_dice_cost_nb
from strategies.reavers.fighting import CERTAIN_BITS, odds_row_nb
from strategies.reavers.memory import FAVOR_VALUE, FOOD_VALUE, HAMMERS, LAST, PLACES, PLACES_A_LOCATION, TILE

STACK_BITS = 5
"""Bits of the tiles of a stack where those of all stacks are packed into one number."""
STACK_MASK = (1 << STACK_BITS) - 1


@kernel
def peace_value_nb(game, own, stack, food, favor, dice):
    """Return what taking the top tile of a stack in peace is worth; 0 if what is left cannot pay it."""
    edition = game.edition
    memory = own.memory
    cost = game.tile_cost[stack]
    if edition.cost_food[cost] > food or edition.cost_favor[cost] > favor:
        return 0
    if edition.cost_any_die[cost] > dice or edition.cost_faces[cost] != 0:
        return 0
    value = memory[TILE + stack] - edition.cost_food[cost] * memory[FOOD_VALUE]
    value -= edition.cost_favor[cost] * memory[FAVOR_VALUE]
    if edition.cost_any_die[cost] > 0:
        value -= any_dice_cost_nb(game, own, edition.cost_any_die[cost])
    return value


@separate_kernel(GAME, OWN)
def subdue_value_nb(game, own, n_attempts, enough):
    """Return what so many attempts at territories are worth, the best first, each paid with what the others left.

    What fewer attempts are worth is written for the places after the selector that have fewer.
    """
    table = array_at(own.table, own.n_table)
    edition = game.edition
    memory = own.memory
    me = game.pl[own.seat]
    food = me.food
    favor = me.favor
    dice = me.n_dice
    hammers = memory[HAMMERS]
    each = memory[LAST]
    left = 0  # tiles, packed
    for stack in range(N_STACKS):
        left |= game.n_stack[stack] << (STACK_BITS * stack)
    places = PLACES + PLACES_A_LOCATION * SUBDUE
    for distance in range(game.n_players):
        memory[places + distance] = 0
    total = 0
    for attempt in range(n_attempts):
        if total >= enough:
            break
        best = 0
        chosen = -1
        spent = 0
        for stack in range(N_STACKS):
            if (left >> (STACK_BITS * stack)) & STACK_MASK == 0:
                continue
            tile = memory[TILE + stack]
            value = peace_value_nb(game, own, stack, food, favor, dice)
            if value > best:
                best = value
                chosen = stack
                spent = 0
            level = stack % N_LEVELS + 1
            row = odds_row_nb(favor, level)
            for n in range(level, min(hammers, level + 2) + 1):
                value = (table[row + n] * tile >> CERTAIN_BITS) - n * each
                if value > best:
                    best = value
                    chosen = stack
                    spent = n
        if chosen < 0:
            break
        total += best
        for distance in range(game.n_players):
            if edition.bonus[SUBDUE, distance] > attempt:
                memory[places + distance] = total
        left -= 1 << (STACK_BITS * chosen)
        if spent > 0:
            hammers -= spent
            dice -= spent
        else:
            cost = game.tile_cost[chosen]
            food -= edition.cost_food[cost]
            favor -= edition.cost_favor[cost]
            dice -= edition.cost_any_die[cost]
    return total
