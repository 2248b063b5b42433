"""What attempts at territories are worth (rules section 11, strategies.md section 2)."""

from simcore.accel import array_at, kernel, separate_kernel
from simcore.reavers.layout import GAME, N_LEVELS, N_STACKS, NOWHERE, OWN, SUBDUE
from strategies.reavers.effects import any_dice_cost_nb
from strategies.reavers.fighting import CERTAIN_BITS, odds_row_nb
from strategies.reavers.memory import FAVOR_VALUE, FOOD_VALUE, HAMMERS, LAST, PEACE, PLACES, PLACES_A_LOCATION, TILE

STACK_BITS = 5
"""Bits of the tiles of a stack where those of all stacks are packed into one number."""
STACK_MASK = (1 << STACK_BITS) - 1
CODE_BITS, SPENT_BITS = 8, 4
"""Bits of an attempt, its stack and the hammers spent on it, where they are packed behind its worth."""
CODE_MASK, SPENT_MASK = (1 << CODE_BITS) - 1, (1 << SPENT_BITS) - 1
NO_TILE = -(1 << 30)


@kernel
def value_peace_nb(game, own):
    """Write what taking the top tile of each stack in peace is worth; less than nothing if it never can be paid so."""
    edition = game.edition
    memory = own.memory
    for stack in range(N_STACKS):
        cost = game.tile_cost[stack]
        value = NO_TILE
        if cost != NOWHERE and edition.cost_faces[cost] == 0:
            n_dice = edition.cost_any_die[cost]
            value = memory[TILE + stack] - edition.cost_food[cost] * memory[FOOD_VALUE]
            value -= edition.cost_favor[cost] * memory[FAVOR_VALUE]
            if 0 < n_dice <= game.pl[own.seat].n_dice:
                value -= any_dice_cost_nb(game, own, n_dice)
        memory[PEACE + stack] = value


@kernel
def rated_nb(value, stack, spent):
    """Return an attempt as one number: the greatest is the one worth most, of equal ones the first."""
    return (value << CODE_BITS) + (CODE_MASK - (stack << SPENT_BITS) - spent)


@kernel
def best_peace_nb(game, own, left, food, favor, dice):
    """Return the best attempt in peace, rated, that can be paid with what is left."""
    edition = game.edition
    best = CODE_MASK
    for stack in range(N_STACKS):
        cost = max(0, game.tile_cost[stack])  # NOWHERE of an empty stack
        is_left = (left >> (STACK_BITS * stack)) & STACK_MASK != 0
        fits = (edition.cost_food[cost] <= food) & (edition.cost_favor[cost] <= favor)
        rated = rated_nb(own.memory[PEACE + stack], stack, 0)
        best = max(best, rated if is_left & fits & (edition.cost_any_die[cost] <= dice) else CODE_MASK)
    return best


@kernel
def best_force_nb(own, table, left, hammers, favor):
    """Return the best attempt by force, rated."""
    memory = own.memory
    best = CODE_MASK
    for level in range(1, N_LEVELS + 1):
        row = odds_row_nb(favor, level)
        most = NO_TILE
        for stack in range(level - 1, N_STACKS, N_LEVELS):
            tile = memory[TILE + stack]
            if (left >> (STACK_BITS * stack)) & STACK_MASK == 0 or tile <= most:
                continue  # with the same odds, no better than one before
            most = tile
            for n in range(level, min(hammers, level + 2) + 1):
                value = (table[row + n] * tile >> CERTAIN_BITS) - n * memory[LAST]
                best = max(best, rated_nb(value, stack, n))
    return best


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
    left = 0  # tiles, packed
    for stack in range(N_STACKS):
        left |= game.n_stack[stack] << (STACK_BITS * stack)
    places = PLACES + PLACES_A_LOCATION * SUBDUE
    for distance in range(game.n_players):
        memory[places + distance] = 0
    value_peace_nb(game, own)
    total = 0
    for attempt in range(n_attempts):
        if total >= enough:
            break
        best = max(best_peace_nb(game, own, left, food, favor, dice), best_force_nb(own, table, left, hammers, favor))
        if best <= CODE_MASK:
            break
        total += best >> CODE_BITS
        for distance in range(game.n_players):
            if edition.bonus[SUBDUE, distance] > attempt:
                memory[places + distance] = total
        code = CODE_MASK - (best & CODE_MASK)
        chosen = code >> SPENT_BITS
        spent = code & SPENT_MASK
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
