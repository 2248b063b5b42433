"""What effects bring and costs take, by what goods are worth now (rules section 13)."""

from simcore.accel import array_at, contained_kernel, kernel, separate_kernel
from simcore.reavers.layout import (
    ANY_COLOUR,
    CARD,
    CHEST,
    CHOICE,
    CLAN,
    DEFENSE,
    DIE,
    EXTRA_ATTEMPT,
    EXTRA_TRADE,
    FACE_BITS,
    FACE_MASK,
    FARM_TOKEN,
    FAVOR,
    FOOD,
    GAME,
    GLORY,
    HAMMER,
    KEEPS,
    LOSE_DIE,
    MARKET_DICE,
    N_FACES,
    N_KINDS,
    NOWHERE,
    OWN,
    REROLL,
    REROLL_ALL,
    SEA,
    SET_FACE,
    SHIELD,
    SKIP_JOURNEY,
    SUBDUE,
    SUCCESS,
    TERROR_TOKEN,
    TOKEN,
    UPGRADE_TOKEN,
    VILLAGES,
)
from simcore.reavers.layout import CHOSEN as ON_CHOSEN_FACE
from strategies.reavers.memory import (
    CHOSEN,
    COUNT_BITS,
    COUNT_MASK,
    COUNTED,
    FAVOR_VALUE,
    FOOD_VALUE,
    FUTURE,
    LAST,
    ON_BOARD,
    ROLLED,
    STEERED,
    SUCCESS_VALUE,
    TO_COME,
    TOKENS,
    UNSEEN,
    UPGRADE_MEANT,
)
from strategies.reavers.outlook import (
    cheapest_die_nb,
    dice_value_nb,
    lost_kind_value_nb,
    packed_count_nb,
    paired_value_nb,
    terror_value_nb,
)
from strategies.reavers.tables import (
    A_CHOICE,
    A_SUM,
    A_SUM_AND_DICE,
    A_TRADE,
    AN_ATTEMPT,
    EFFECT,
    EFFECT_SIZE,
    ITEM_BY_ITEM,
    METRIC_FARMS,
    METRIC_WALLS,
)
from strategies.reavers.weights import (
    HAMMER_WORTH,
    JOURNEY,
    KEEP_DICE,
    ONE,
    SHARE,
    SHIP_WORTH,
    UPGRADE,
    VILLAGE_DICE,
)

METRIC_UPGRADES = 11
NO_DIE = 1 << 30
"""More than any die is worth."""


@kernel
def upgrade_value_nb(game, own, upgrade):
    """Return what a ship upgrade will save: a die of its face at each activation (rule 6.4)."""
    memory = own.memory
    param = own.param
    edition = game.edition
    faces = edition.upgrade_faces[upgrade]
    best = 0
    for face in range(N_FACES):
        if (faces >> face) & 1 == 0:
            continue
        if face == HAMMER:
            times = min(6 * SHARE, memory[TO_COME + SUBDUE] + (memory[TO_COME + SEA] >> 1))
            value = param[HAMMER_WORTH] * times >> 8
        elif face in (SHIELD, CHEST):
            worth = param[KEEP_DICE] if face == SHIELD else param[VILLAGE_DICE]
            times = memory[TO_COME + (KEEPS if face == SHIELD else VILLAGES)]
            value = (worth >> 1) * times >> 8 if packed_count_nb(memory[TOKENS], face) < 2 else 0
        else:
            value = (param[SHIP_WORTH] >> packed_count_nb(memory[TOKENS], face)) * memory[TO_COME + SEA] >> 8
        best = max(best, value) + (min(best, value) >> 2)
    return (best * param[UPGRADE] >> 8) + memory[STEERED + METRIC_UPGRADES]


@kernel
def new_upgrade_value_nb(game, own, upgrade):
    """Return what taking a ship upgrade is worth: with no space left it replaces the least useful one."""
    me = game.pl[own.seat]
    value = upgrade_value_nb(game, own, upgrade)
    if me.n_upgrades < game.edition.upgrade_spaces:
        return value
    least = value
    for space in range(me.n_upgrades):
        least = min(least, upgrade_value_nb(game, own, me.upgrade[space]))
    return value - least


@kernel
def token_value_nb(game, own, token, n):
    """Return what tokens are worth at the end, prophecies included (rules 12.8, 12.9)."""
    me = game.pl[own.seat]
    edition = game.edition
    if token == UPGRADE_TOKEN:
        if own.memory[UPGRADE_MEANT] > 0:
            return new_upgrade_value_nb(game, own, own.memory[UPGRADE_MEANT] - 1)
        return 3 * ONE
    if token == TERROR_TOKEN:
        return terror_value_nb(game, me, n)
    steered = own.memory[STEERED + (METRIC_FARMS if token == FARM_TOKEN else METRIC_WALLS)]
    return n * (ONE * edition.token_glory[token] + steered)


@kernel
def reroll_value_nb(game, own):
    """Return what rerolling the dice that are worth less than a roll brings."""
    me = game.pl[own.seat]
    total = 0
    for kind in range(N_KINDS):
        if me.die[kind] > 0:
            total += max(0, own.memory[ROLLED + kind // N_FACES] - lost_kind_value_nb(game, own, kind))
    return total


@kernel
def item_value_nb(game, own, item):
    """Return what one item of an effect that is no choice is worth, 1/100 Glory."""
    memory = own.memory
    operation = game.edition.item_operation[item]
    kind = game.edition.item_kind[item]
    n = game.edition.item_n[item]
    if operation == FOOD:
        return memory[FOOD_VALUE] * (n if n >= 0 else max(n, -game.pl[own.seat].food))
    if operation == FAVOR:
        return memory[FAVOR_VALUE] * (n if n >= 0 else max(n, -game.pl[own.seat].favor))
    if operation == GLORY:
        return ONE * n
    if operation == DIE:
        if game.edition.item_mode[item] == ON_CHOSEN_FACE:
            return dice_value_nb(own, n, memory[CHOSEN])
        return dice_value_nb(own, n, memory[ROLLED + min(kind, ANY_COLOUR)])
    if operation == LOSE_DIE:
        return -cheapest_die_nb(own) * min(n, game.pl[own.seat].n_dice)
    if operation == CARD:
        return n * memory[UNSEEN + kind]
    if operation == TOKEN:
        return token_value_nb(game, own, kind, n)
    if operation == SUCCESS:
        return n * memory[SUCCESS_VALUE]
    if operation == SET_FACE:
        return n * max(0, memory[CHOSEN] - cheapest_die_nb(own))
    if operation == REROLL:
        if kind == REROLL_ALL:
            return -ONE
        return reroll_value_nb(game, own)
    if operation == DEFENSE:
        return -n * ONE
    if operation == SKIP_JOURNEY:
        return own.param[JOURNEY]
    if operation == EXTRA_ATTEMPT:
        return n * AN_ATTEMPT
    if operation == EXTRA_TRADE:
        return n * A_TRADE
    if operation == MARKET_DICE:
        return dice_value_nb(own, n, memory[ROLLED + ANY_COLOUR])
    return 0


@kernel
def sum_value_nb(own, table, row):
    """Return what an effect is worth by its row of the table (see `tables`)."""
    memory = own.memory
    value = table[row + 1] + table[row + 2] * memory[table[row + 3]] + table[row + 4] * memory[table[row + 5]]
    if table[row] == A_SUM:
        return value + table[row + 6] * memory[table[row + 7]]
    return value + dice_value_nb(own, table[row + 6], memory[table[row + 7]])


@kernel
def items_value_nb(game, own, effect):
    """Return what an effect without choices is worth, item by item."""
    value = 0
    for item in range(game.edition.effect_first[effect], game.edition.effect_stop[effect]):
        value += item_value_nb(game, own, item)
    return value


@kernel
def best_effect_value_nb(game, own, first, n):
    """Return what the best of `n` alternatives is worth: effects without choices, numbered from `first`."""
    table = array_at(own.table, own.n_table)
    best = -(1 << 30)
    for effect in range(first, first + n):
        row = EFFECT + EFFECT_SIZE * effect
        is_sum = table[row] != ITEM_BY_ITEM
        best = max(best, sum_value_nb(own, table, row) if is_sum else items_value_nb(game, own, effect))
    return best


@separate_kernel(GAME, OWN)
def effect_by_items_nb(game, own, effect):
    """Return what an effect is worth that is no plain sum: of alternatives the best."""
    table = array_at(own.table, own.n_table)
    row = EFFECT + EFFECT_SIZE * effect
    if table[row] == A_CHOICE:
        return best_effect_value_nb(game, own, table[row + 1], table[row + 2])
    edition = game.edition
    total = 0
    for item in range(edition.effect_first[effect], edition.effect_stop[effect]):
        if edition.item_operation[item] == CHOICE:
            total += best_effect_value_nb(game, own, edition.item_kind[item], edition.item_n[item])
        else:
            total += item_value_nb(game, own, item)
    return total


@kernel
def effect_value_nb(game, own, effect):
    """Return what an effect is worth, 1/100 Glory."""
    table = array_at(own.table, own.n_table)
    row = EFFECT + EFFECT_SIZE * effect
    if table[row] == A_SUM or table[row] == A_SUM_AND_DICE:
        return sum_value_nb(own, table, row)
    return effect_by_items_nb(game, own, effect)


@contained_kernel
def face_cost_nb(game, own, face, n):
    """Return what `n` dice of a face take: a ready ship upgrade is free (rule 6.4)."""
    me = game.pl[own.seat]
    for space in range(me.n_upgrades):
        if n > 0 and me.upgrade_ready[space] == 1:
            n -= (game.edition.upgrade_faces[me.upgrade[space]] >> face) & 1
    if n <= 0:
        return 0
    memory = own.memory
    if face in (SHIELD, CHEST):
        count = packed_count_nb(memory[COUNTED], face)
        n_tokens = packed_count_nb(memory[TOKENS], face)
        worth = own.param[KEEP_DICE] if face == SHIELD else own.param[VILLAGE_DICE]
        to_come = memory[TO_COME + (KEEPS if face == SHIELD else VILLAGES)]
        worth = worth * memory[FUTURE] >> 8
        total = 0
        for i in range(n):
            value = paired_value_nb(count - 1 - i, n_tokens, to_come, worth)
            total += max(value, memory[LAST + CLAN])
        return total
    return n * memory[LAST + face]


@separate_kernel(GAME, OWN)
def cost_value_nb(game, own, cost):
    """Return what a cost takes, 1/100 Glory."""
    edition = game.edition
    memory = own.memory
    total = edition.cost_food[cost] * memory[FOOD_VALUE] + edition.cost_favor[cost] * memory[FAVOR_VALUE]
    n = edition.cost_any_die[cost]
    if n > 0:
        total += any_dice_cost_nb(game, own, n)
    faces = edition.cost_faces[cost]
    only = edition.cost_only_face[cost]
    if only != NOWHERE:
        total += face_cost_nb(game, own, only, faces >> (FACE_BITS * only))
    elif faces != 0:
        for face in range(N_FACES):
            due = (faces >> (FACE_BITS * face)) & FACE_MASK
            if due > 0:
                total += face_cost_nb(game, own, face, due)
    return total


@kernel
def any_dice_cost_nb(game, own, n):
    """Return what the `n` least useful dice are worth."""
    if n == 1:
        return cheapest_die_nb(own) if game.pl[own.seat].n_dice > 0 else ONE
    board = own.memory[ON_BOARD]
    total = 0
    while n > 0:
        least = NO_DIE
        cheapest = 0
        for face in range(N_FACES + 1):
            value = own.memory[LAST + face]
            is_less = (packed_count_nb(board, face) > 0) & (value >= 0) & (value < least)
            least = value if is_less else least
            cheapest = face if is_less else cheapest
        if least == NO_DIE:
            return total + n * ONE
        paid = min(n, packed_count_nb(board, cheapest))
        total += paid * least
        n -= paid
        board &= ~(COUNT_MASK << (COUNT_BITS * cheapest))
    return total
