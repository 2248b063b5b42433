"""What is still to come and what goods are worth then: dice by face, Food, Favor (strategies.md section 2).

`look_nb` writes it all into ``own.memory`` (see `memory`), `glance_nb` only what dice on the board are worth; every
decision begins with one of them. What has not changed since the seat decided last is not worked out again.
"""

from simcore.accel import array_at, contained_kernel, kernel, separate_kernel
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
    MAX_TERROR,
    N_COLOURS,
    N_FACES,
    N_LOCATIONS,
    NOWHERE,
    OWN,
    SEA,
    SHIELD,
    SHIP,
    SUBDUE,
    TERROR_TOKEN,
    VILLAGES,
)
from strategies.reavers.memory import (
    AS_WILD,
    CHANCES,
    CHANGES_SEEN,
    CHOSEN,
    COUNT_BITS,
    COUNT_MASK,
    COUNTED,
    DECIDED_AT,
    EXPECTED_AT,
    FAVOR_VALUE,
    FOOD_VALUE,
    FUTURE,
    GROWING,
    HAMMERS,
    LAST,
    LAST_WILD,
    NEXT,
    NEXT_WILD,
    ON_BOARD,
    ONE_TERROR,
    ROLLED,
    ROLLS_DUE,
    ROOM,
    SUCCESS_VALUE,
    SUPPLIED,
    TO_COME,
    TOKENS,
)
from strategies.reavers.tables import CLAN_SIDES, COLOURS_ALIKE, HAMMER_STEPS, SHIP_STEPS, TOKEN_FACES
from strategies.reavers.weights import (
    ANY_DIE,
    FAVOR_WORTH,
    FOOD_WORTH,
    GROWTH,
    HAMMER_WORTH,
    HOLD_LAST,
    KEEP_DICE,
    ONE,
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
SELECTIONS_A_ROUND = 8
"""More than there are, so that an activation has a number of its own."""
WILD_SHIFT = COUNT_BITS * N_FACES
WILD_KIND_SHIFT = WILD_SHIFT + COUNT_BITS
CLANS_SHIFT = WILD_KIND_SHIFT + COUNT_BITS
CHANCE_BITS = 10
CHANCE_MASK = (1 << CHANCE_BITS) - 1
A_SUCCESS, A_FIGHT_LESS_LIKELY = 110, 40
WILD_DICE_A_ROUND = 88
"""Dice of the leader's clan gained in a round that show its icon, 1/256."""
PRIOR_CHANCE = 171
"""Four of six locations are selected in a round."""


@kernel
def moment_nb(game):
    """Return a number for the present activation; 0 in the set-up."""
    return SELECTIONS_A_ROUND * game.round_number + game.selection + 1


@kernel
def chances_nb(game):
    """Return each location's chance to be selected in a round, by how often it was in the rounds before, packed."""
    packed = 0
    n_done = max(0, game.round_number - 1)
    for location in range(N_LOCATIONS):
        n = -game.is_selected[location] if game.round_number > 0 else 0
        for seat in range(game.n_players):
            n += game.pl[seat].n_selected[location]
        chance = (4 * PRIOR_CHANCE + SHARE * max(0, n)) // (4 + n_done)
        packed |= chance << (CHANCE_BITS * location)
    return packed


@contained_kernel
def expectation_nb(game, own):
    """Return a number for the present activation and what is known of it: `TO_COME` depends on no more."""
    here = game.location
    now = moment_nb(game)
    is_due = here != NOWHERE and own.memory[DECIDED_AT] != now and own.decision in BEFORE_ACTING
    return 4 * now + (2 if is_due else 0) + (1 if here == NOWHERE else 0)


@separate_kernel(GAME, OWN)
def expect_locations_nb(game, own, now):
    """Write how often each location will still be activated, by how often it has been so far.

    Before the seat acts or rests at the present location, that counts too.

    Parameters
    ----------
    now : int
        From `expectation_nb`.
    """
    memory = own.memory
    here = game.location
    is_other_round = memory[EXPECTED_AT] // (4 * SELECTIONS_A_ROUND) != now // (4 * SELECTIONS_A_ROUND)
    memory[EXPECTED_AT] = now
    memory[FUTURE] = SHARE if game.rounds_left > 0 else own.param[HOLD_LAST]
    memory[SUCCESS_VALUE] = A_SUCCESS if here in (SUBDUE, SEA) else A_FIGHT_LESS_LIKELY
    if memory[CHANCES] == 0 or is_other_round:
        memory[CHANCES] = chances_nb(game)
        memory[GROWING] = own.param[GROWTH] * game.rounds_left // max(1, game.edition.n_rounds - 1)
    left = game.edition.n_selections - game.selection - 1
    n_open = N_LOCATIONS - game.selection - 1
    if here == NOWHERE:
        left += 1
        n_open += 1
    if game.round_number == 0:
        left = 0
    soon = SHARE * left // max(1, n_open)
    for location in range(N_LOCATIONS):
        to_come = ((memory[CHANCES] >> (CHANCE_BITS * location)) & CHANCE_MASK) * game.rounds_left
        memory[TO_COME + location] = to_come + (soon if game.is_selected[location] == 0 else 0)
    if now & 2 != 0:
        memory[TO_COME + here] += SHARE


@contained_kernel
def pack_board_nb(me):
    """Return the dice on the board by face in one number, the wild ones apart.

    Behind them it has which kind is wild and the clan icons by colour, so that it tells all that values depend on.
    """
    packed = 0
    for face in range(N_FACES):
        packed += (me.die[face] + me.die[N_FACES + face] + me.die[2 * N_FACES + face]) << (COUNT_BITS * face)
    for colour in range(N_COLOURS):
        packed += me.die[colour * N_FACES + CLAN] << (CLANS_SHIFT + COUNT_BITS * colour)
    if me.wild_kind != NOWHERE:
        packed += me.die[me.wild_kind] * ((1 << WILD_SHIFT) - (1 << (COUNT_BITS * CLAN)))
        packed += (me.wild_kind + 1) << WILD_KIND_SHIFT
    return packed


@contained_kernel
def pack_stored_nb(game, me):
    """Return the stored dice by face in one number."""
    packed = 0
    if me.n_stored > 0:
        for space in range(me.n_artifacts):
            if me.stored[space] != NOWHERE:
                packed += 1 << (COUNT_BITS * game.edition.artifact_face[me.artifact[space]])
    return packed


@contained_kernel
def packed_count_nb(packed, face):
    """Return the count of a face out of a number that packs those of all faces."""
    return (packed >> (COUNT_BITS * face)) & COUNT_MASK


@contained_kernel
def pack_tokens_nb(me, table):
    """Return how many ship upgrades can pay each face, and what hammers they bring, in one number."""
    packed = 0
    for space in range(me.n_upgrades):
        packed += table[TOKEN_FACES + me.upgrade[space]]
    return packed


@contained_kernel
def paired_value_nb(n, n_tokens, to_come, worth):
    """Return what a die is worth that goes with `n` others of its face into raids that cost two of them."""
    part = 148 if n & 1 == 1 else 108  # selects throughout: no processor guesses what dice there are
    part = 192 if n_tokens == 1 else part
    part = 0 if (n_tokens >= 2) | (n < 0) else part
    n_raids = n if n_tokens == 1 else n >> 1
    return (worth * part >> 8) * max(0, min(SHARE, to_come - SHARE * n_raids)) >> 8


@contained_kernel
def value_faces_nb(own, table, dice, tokens):
    """Write what the next and the last die on each face are worth."""
    memory = own.memory
    param = own.param
    future = memory[FUTURE]
    least = param[ANY_DIE] * future >> 8
    shields = packed_count_nb(dice, SHIELD)
    chests = packed_count_nb(dice, CHEST)
    shield_tokens = packed_count_nb(tokens, SHIELD)
    chest_tokens = packed_count_nb(tokens, CHEST)
    keeps = memory[TO_COME + KEEPS]
    villages = memory[TO_COME + VILLAGES]
    worth = param[KEEP_DICE] * future >> 8
    memory[NEXT + SHIELD] = max(least, paired_value_nb(shields, shield_tokens, keeps, worth))
    memory[LAST + SHIELD] = max(least, paired_value_nb(shields - 1, shield_tokens, keeps, worth))
    worth = param[VILLAGE_DICE] * future >> 8
    memory[NEXT + CHEST] = max(least, paired_value_nb(chests, chest_tokens, villages, worth))
    memory[LAST + CHEST] = max(least, paired_value_nb(chests - 1, chest_tokens, villages, worth))
    ships = min(packed_count_nb(dice, SHIP) + packed_count_nb(tokens, SHIP), 14)
    worth = (param[SHIP_WORTH] * future >> 8) * min(SHARE, memory[TO_COME + SEA]) >> 8
    memory[NEXT + SHIP] = max(least, worth * table[SHIP_STEPS + ships] >> 8)
    memory[LAST + SHIP] = max(least, worth * table[SHIP_STEPS + max(0, ships - 1)] >> 8)
    fights = min(SHARE, memory[TO_COME + SUBDUE] + (memory[TO_COME + SEA] >> 1))
    worth = (param[HAMMER_WORTH] * future >> 8) * fights >> 8
    h = packed_count_nb(dice, HAMMER) + 2 * (packed_count_nb(dice, DOUBLE_HAMMER) + packed_count_nb(dice, N_FACES))
    h = min(h + packed_count_nb(tokens, N_FACES), 20)
    memory[HAMMERS] = h
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


@separate_kernel(GAME, OWN)
def value_rolls_nb(game, own):
    """Write what a rolled die of each colour and a die on a chosen face are worth, if there is room.

    And what the clan icons of each colour gain by being wild: the dice that show it and those still to come.
    """
    memory = own.memory
    table = array_at(own.table, own.n_table)
    me = game.pl[own.seat]
    wild_colour = me.wild_kind // N_FACES if me.wild_kind != NOWHERE else NOWHERE
    best_rolled = 0
    sides = 0
    for colour in range(N_COLOURS):
        if colour == 0 or table[COLOURS_ALIKE] == 0:
            sides = 0
            for side in range(N_FACES):
                sides += memory[NEXT + game.edition.crew_face[colour, side]]
        wild = table[CLAN_SIDES + colour] * (memory[NEXT_WILD] - memory[NEXT + CLAN])
        rolled = (sides + (wild if colour == wild_colour else 0)) // N_FACES
        memory[ROLLED + colour] = rolled
        best_rolled = max(best_rolled, rolled)
    memory[ROLLED + ANY_COLOUR] = best_rolled
    gain = max(0, memory[NEXT_WILD] - own.param[ANY_DIE])
    for colour in range(N_COLOURS):
        dice = me.die[colour * N_FACES + CLAN]
        memory[AS_WILD + colour] = gain * (SHARE * dice + WILD_DICE_A_ROUND * game.rounds_left) >> 8
    best = max(memory[NEXT + SHIELD], max(memory[NEXT + CHEST], memory[NEXT + SHIP]))
    memory[CHOSEN] = max(best, memory[NEXT + DOUBLE_HAMMER])
    if me.wild_kind != NOWHERE:
        memory[CHOSEN] = max(memory[CHOSEN], memory[NEXT_WILD])


@separate_kernel(GAME, OWN)
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


@kernel
def terror_value_nb(game, me, n):
    """Return what `n` more terror tokens bring at the end (rule 12.9)."""
    glory = game.edition.terror_glory
    has = me.token[TERROR_TOKEN]
    return ONE * (glory[min(has + n, MAX_TERROR - 1)] - glory[min(has, MAX_TERROR - 1)])


@separate_kernel(GAME, OWN)
def glance_nb(game, own):
    """Write what is to come and what dice on the board are worth into ``own.memory``; the rest of `look_nb` is due."""
    memory = own.memory
    me = game.pl[own.seat]
    now = expectation_nb(game, own)
    is_new = memory[EXPECTED_AT] != now
    if is_new:
        expect_locations_nb(game, own, now)
        memory[SUPPLIED] = -1
    elif memory[CHANGES_SEEN] == me.n_changes:
        return
    memory[CHANGES_SEEN] = me.n_changes
    board = pack_board_nb(me)
    dice = board + pack_stored_nb(game, me)
    table = array_at(own.table, own.n_table)
    tokens = pack_tokens_nb(me, table)
    memory[ON_BOARD] = board
    if is_new or dice != memory[COUNTED] or tokens != memory[TOKENS]:
        memory[COUNTED] = dice
        memory[TOKENS] = tokens
        memory[ROLLS_DUE] = 1
        value_faces_nb(own, table, dice, tokens)


@contained_kernel
def look_nb(game, own):
    """Write what is to come and what goods are worth into ``own.memory``."""
    memory = own.memory
    me = game.pl[own.seat]
    glance_nb(game, own)
    memory[ROOM] = game.edition.dice_spaces - me.n_dice
    memory[ONE_TERROR] = terror_value_nb(game, me, 1)
    if memory[ROLLS_DUE] == 1:
        memory[ROLLS_DUE] = 0
        value_rolls_nb(game, own)
    supplies = (me.food << 32) + me.favor
    if supplies != memory[SUPPLIED]:
        memory[SUPPLIED] = supplies
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
def cheapest_die_nb(own):
    """Return what the least useful die on the board is worth; 0 if there is none."""
    least = 1 << 30
    for face in range(N_FACES + 1):
        value = own.memory[LAST + face]
        least = min(least, value if packed_count_nb(own.memory[ON_BOARD], face) > 0 else 1 << 30)
    return 0 if least == 1 << 30 else least
