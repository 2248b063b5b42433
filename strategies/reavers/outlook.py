"""What is still to come and what goods are worth then: dice by face, Food, Favor (strategies.md section 2).

`look_nb` writes it all into ``own.memory`` (see `memory`); every decision begins with it.
"""

from simcore.accel import array_at, kernel, separate_kernel
from simcore.reavers.decisions import (
    CHOOSE_ABILITY,
    CHOOSE_ARTIFACT_USE,
    CHOOSE_DIE_TO_REROLL,
    CHOOSE_DIE_TO_TURN,
    CHOOSE_DISCARD,
    CHOOSE_FACE,
    CHOOSE_LOADING,
    CHOOSE_LOST_DIE,
)
from simcore.reavers.layout import (
    ANY_COLOUR,
    CHEST,
    CLAN,
    DOUBLE_HAMMER,
    GAME,
    HAMMER,
    KEEPS,
    N_COLOURS,
    N_FACES,
    N_LOCATIONS,
    NOWHERE,
    OWN,
    SEA,
    SHIELD,
    SHIP,
    SUBDUE,
    VILLAGES,
)
from strategies.reavers.memory import (
    CHANCE,
    CHOSEN,
    COUNT,
    DECIDED_AT,
    FAVOR_VALUE,
    FOOD_VALUE,
    FUTURE,
    HAMMERS,
    LAST,
    LAST_WILD,
    NEXT,
    NEXT_WILD,
    ROLLED,
    ROOM,
    TO_COME,
    TOKENS,
)
from strategies.reavers.tables import HAMMER_STEPS, SHIP_STEPS
from strategies.reavers.weights import (
    ANY_DIE,
    FAVOR_WORTH,
    FOOD_WORTH,
    HAMMER_WORTH,
    HOLD_LAST,
    KEEP_DICE,
    SHARE,
    SHIP_WORTH,
    VILLAGE_DICE,
)

BEFORE_ACTING = (
    CHOOSE_ABILITY,
    CHOOSE_ARTIFACT_USE,
    CHOOSE_LOADING,
    CHOOSE_LOST_DIE,
    CHOOSE_DISCARD,
    CHOOSE_FACE,
    CHOOSE_DIE_TO_TURN,
    CHOOSE_DIE_TO_REROLL,
)
"""Decisions that may come before the seat acts or rests at the present location."""
PRIOR_CHANCE = 171
"""Four of six locations are selected in a round."""


@kernel
def moment_nb(game):
    """Return a number for the present activation; 0 in the set-up."""
    return 8 * game.round_number + game.selection + 1


@kernel
def expect_locations_nb(game, own):
    """Write how often each location will still be activated, by how often it has been so far."""
    memory = own.memory
    n_done = max(0, game.round_number - 1)
    left = game.edition.n_selections - game.selection - 1
    n_open = N_LOCATIONS - game.selection - 1
    if game.location == NOWHERE:
        left += 1
        n_open += 1
    if game.round_number == 0:
        left = 0
    soon = SHARE * left // max(1, n_open)
    for location in range(N_LOCATIONS):
        n = -game.is_selected[location] if game.round_number > 0 else 0
        for seat in range(game.n_players):
            n += game.pl[seat].n_selected[location]
        chance = (4 * PRIOR_CHANCE + SHARE * max(0, n)) // (4 + n_done)
        memory[CHANCE + location] = chance
        to_come = chance * game.rounds_left
        if game.is_selected[location] == 0:
            to_come += soon
        memory[TO_COME + location] = to_come
    here = game.location
    if here != NOWHERE and memory[DECIDED_AT] != moment_nb(game):
        if own.decision in BEFORE_ACTING:  # the present activation counts too
            memory[TO_COME + here] += SHARE


@kernel
def count_dice_nb(game, own):
    """Write how many dice and ship upgrades there are for each face."""
    me = game.pl[own.seat]
    memory = own.memory
    edition = game.edition
    for face in range(N_FACES):
        memory[COUNT + face] = me.die[face] + me.die[N_FACES + face] + me.die[2 * N_FACES + face]
        memory[TOKENS + face] = 0
    hammers = 0
    if me.wild_kind != NOWHERE:
        memory[COUNT + CLAN] -= me.die[me.wild_kind]
        hammers += 2 * me.die[me.wild_kind]
    for space in range(me.n_upgrades):
        upgrade = me.upgrade[space]
        hammers += edition.upgrade_hammers[upgrade]
        for face in range(N_FACES):
            memory[TOKENS + face] += (edition.upgrade_faces[upgrade] >> face) & 1
    if me.n_stored > 0:
        for space in range(me.n_artifacts):
            if me.stored[space] != NOWHERE:
                memory[COUNT + edition.artifact_face[me.artifact[space]]] += 1
    hammers += memory[COUNT + HAMMER] + 2 * memory[COUNT + DOUBLE_HAMMER]
    memory[HAMMERS] = min(hammers, 20)
    memory[ROOM] = edition.dice_spaces - me.n_dice


@kernel
def paired_value_nb(n, n_tokens, to_come, worth):
    """Return what a die is worth that goes with `n` others of its face into raids that cost two of them."""
    if n_tokens >= 2 or n < 0:
        return 0
    if n_tokens == 1:
        return (worth * 3 >> 2) * max(0, min(SHARE, to_come - SHARE * n)) >> 8
    part = 108 if n % 2 == 0 else 148
    return (worth * part >> 8) * max(0, min(SHARE, to_come - SHARE * (n // 2))) >> 8


@kernel
def value_faces_nb(game, own, table):
    """Write what the next and the last die on each face are worth."""
    memory = own.memory
    param = own.param
    future = memory[FUTURE]
    least = param[ANY_DIE] * future >> 8
    shields = memory[COUNT + SHIELD]
    chests = memory[COUNT + CHEST]
    keeps = memory[TO_COME + KEEPS]
    villages = memory[TO_COME + VILLAGES]
    worth = param[KEEP_DICE] * future >> 8
    memory[NEXT + SHIELD] = max(least, paired_value_nb(shields, memory[TOKENS + SHIELD], keeps, worth))
    memory[LAST + SHIELD] = max(least, paired_value_nb(shields - 1, memory[TOKENS + SHIELD], keeps, worth))
    worth = param[VILLAGE_DICE] * future >> 8
    memory[NEXT + CHEST] = max(least, paired_value_nb(chests, memory[TOKENS + CHEST], villages, worth))
    memory[LAST + CHEST] = max(least, paired_value_nb(chests - 1, memory[TOKENS + CHEST], villages, worth))
    ships = min(memory[COUNT + SHIP] + memory[TOKENS + SHIP], 14)
    worth = (param[SHIP_WORTH] * future >> 8) * min(SHARE, memory[TO_COME + SEA]) >> 8
    memory[NEXT + SHIP] = max(least, worth * table[SHIP_STEPS + ships] >> 8)
    memory[LAST + SHIP] = max(least, worth * table[SHIP_STEPS + max(0, ships - 1)] >> 8)
    fights = min(SHARE, memory[TO_COME + SUBDUE] + (memory[TO_COME + SEA] >> 1))
    worth = (param[HAMMER_WORTH] * future >> 8) * fights >> 8
    h = memory[HAMMERS]
    one = worth * table[HAMMER_STEPS + h] >> 8
    memory[NEXT + HAMMER] = max(least, one)
    memory[NEXT + DOUBLE_HAMMER] = max(least, one + (worth * table[HAMMER_STEPS + h + 1] >> 8))
    one = worth * table[HAMMER_STEPS + max(0, h - 1)] >> 8
    memory[LAST + HAMMER] = max(least, one)
    memory[LAST + DOUBLE_HAMMER] = max(least, one + (worth * table[HAMMER_STEPS + max(0, h - 2)] >> 8))
    memory[NEXT + CLAN] = least
    memory[LAST + CLAN] = least
    best = max(memory[NEXT + SHIELD], max(memory[NEXT + CHEST], memory[NEXT + SHIP]))
    best = max(best, memory[NEXT + DOUBLE_HAMMER])
    memory[NEXT_WILD] = best + (best >> 3)
    best = max(memory[LAST + SHIELD], max(memory[LAST + CHEST], memory[LAST + SHIP]))
    best = max(max(best, memory[LAST + DOUBLE_HAMMER]), memory[NEXT_WILD] * 7 >> 3)
    memory[LAST_WILD] = best + (best >> 3)


@kernel
def value_rolls_nb(game, own):
    """Write what a rolled die of each colour and a die on a chosen face are worth, if there is room."""
    memory = own.memory
    me = game.pl[own.seat]
    best_rolled = 0
    for colour in range(N_COLOURS):
        total = 0
        for side in range(N_FACES):
            face = game.edition.crew_face[colour, side]
            if face == CLAN and me.wild_kind == colour * N_FACES + CLAN:
                total += memory[NEXT_WILD]
            else:
                total += memory[NEXT + face]
        memory[ROLLED + colour] = total // N_FACES
        best_rolled = max(best_rolled, total // N_FACES)
    memory[ROLLED + ANY_COLOUR] = best_rolled
    best = max(memory[NEXT + SHIELD], max(memory[NEXT + CHEST], memory[NEXT + SHIP]))
    memory[CHOSEN] = max(best, memory[NEXT + DOUBLE_HAMMER])
    if me.wild_kind != NOWHERE:
        memory[CHOSEN] = max(memory[CHOSEN], memory[NEXT_WILD])


@kernel
def value_supplies_nb(game, own):
    """Write what a Food and a Favor are worth: less, the more there is for what is still to come."""
    memory = own.memory
    param = own.param
    me = game.pl[own.seat]
    future = memory[FUTURE]
    to_come = memory[TO_COME + VILLAGES] + 2 * memory[TO_COME + KEEPS] + 3 * memory[TO_COME + SEA]
    need = max(1, (to_come + 3 * memory[TO_COME + SUBDUE]) >> 8)
    share = max(12, min(SHARE + 64, SHARE + 96 - SHARE * me.food // need))
    memory[FOOD_VALUE] = (param[FOOD_WORTH] * future >> 8) * share >> 8
    fights = min(SHARE, memory[TO_COME + SUBDUE] + (memory[TO_COME + SEA] >> 1))
    share = max(24, 288 - 28 * me.favor)
    memory[FAVOR_VALUE] = ((param[FAVOR_WORTH] * future >> 8) * share >> 8) * fights >> 8


@separate_kernel(GAME, OWN)
def look_nb(game, own):
    """Write what is to come and what goods are worth into ``own.memory``."""
    memory = own.memory
    table = array_at(own.table, own.n_table)
    left = game.rounds_left
    memory[FUTURE] = SHARE if left > 0 else own.param[HOLD_LAST]
    expect_locations_nb(game, own)
    count_dice_nb(game, own)
    value_faces_nb(game, own, table)
    value_rolls_nb(game, own)
    value_supplies_nb(game, own)


@kernel
def kind_value_nb(game, own, kind):
    """Return what one more die of a kind is worth on a board with room."""
    if kind == game.pl[own.seat].wild_kind:
        return own.memory[NEXT_WILD]
    return own.memory[NEXT + kind % N_FACES]


@kernel
def lost_kind_value_nb(game, own, kind):
    """Return what is lost with the last die of a kind."""
    if kind == game.pl[own.seat].wild_kind:
        return own.memory[LAST_WILD]
    return own.memory[LAST + kind % N_FACES]


@kernel
def dice_value_nb(own, n, value):
    """Return what `n` dice worth `value` each are worth, given the room on the board (rule 9.2)."""
    room = max(0, own.memory[ROOM])
    fitting = min(n, room)
    return fitting * value + ((n - fitting) * value >> 2)


@kernel
def cheapest_die_nb(game, own):
    """Return what the least useful die on the board is worth; 0 if there is none."""
    me = game.pl[own.seat]
    least = 1 << 30
    for kind in range(N_COLOURS * N_FACES):
        if me.die[kind] > 0:
            least = min(least, lost_kind_value_nb(game, own, kind))
    return 0 if least == 1 << 30 else least
