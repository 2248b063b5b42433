"""Combat: exact odds, how many hammers to commit, when to reroll (strategies.md section 4, rules section 10)."""

from simcore.accel import array_at, contained_kernel, kernel
from simcore.reavers.combat import REROLL_BITS, REROLL_MASK, hammers_of_nb, total_nb
from simcore.reavers.layout import (
    KEEP_DECK,
    N_KINDS,
    N_LEVELS,
    N_STACKS,
    N_SUCCESSES,
    NOWHERE,
    STORED_CODE,
    UPGRADE_CODE,
    VILLAGE_DECK,
)
from strategies.explaining import tell_nb
from strategies.reavers.effects import effect_value_nb
from strategies.reavers.memory import (
    FAVOR_VALUE,
    HAMMERS,
    LAST,
    SCRATCH,
    STEERED,
    TILE,
)
from strategies.reavers.outlook import look_nb, lost_kind_value_nb
from strategies.reavers.tables import MAX_DICE, MAX_FAVOR, MAX_NEED, ODDS
from strategies.reavers.weights import ONE, PRIZE, REROLL

CERTAIN_BITS = 12
"""Chances of combat are counted in 1/4096."""
USED_UP = 1 << 30
"""More than a hammer costs."""


@contained_kernel
def odds_row_nb(favor, need):
    """Return where the chances begin for a need of 1 and more, by combat dice."""
    return ODDS + (min(favor, MAX_FAVOR) * (MAX_NEED + 1) + min(need, MAX_NEED)) * (MAX_DICE + 1)


@kernel
def odds_nb(table, favor, need, n_dice):
    """Return the chance to win, 1/4096: so many successes needed, combat dice, Favor for rerolls."""
    if need <= 0:
        return 1 << CERTAIN_BITS
    return table[odds_row_nb(favor, need) + min(n_dice, MAX_DICE)]


@contained_kernel
def fight_value_nb(game, own, table, defense, reward):
    """Return what a combat for `reward` is worth with the best number of hammers, before it is decided; 0 if none pays.

    A hammer costs about what the last one is worth.
    """
    me = game.pl[own.seat]
    need = defense - me.bonus_successes
    if need <= 0:
        return reward
    best = 0
    each = own.memory[LAST]
    reward = reward * own.param[PRIZE] >> 8
    row = odds_row_nb(me.favor, need)
    most = min(own.memory[HAMMERS], min(need + 3, MAX_DICE))  # no more dice: beyond, the table counts them as so many
    for n in range((need + 1) // 2, most + 1):
        best = max(best, (table[row + n] * reward >> CERTAIN_BITS) - n * each)
    if me.favor > 0 and best > 0:
        best -= own.memory[FAVOR_VALUE] >> 1
    return best


@kernel
def source_cost_nb(game, own, source):
    """Return what is lost with a die, a ship upgrade's turn or a stored die that is spent."""
    me = game.pl[own.seat]
    if source < N_KINDS:
        return lost_kind_value_nb(game, own, source)
    if source < STORED_CODE:
        upgrade = me.upgrade[source - UPGRADE_CODE]
        return 2 if game.edition.upgrade_is_flexible[upgrade] == 1 else 1
    return own.memory[LAST + game.edition.artifact_face[me.artifact[source - STORED_CODE]]] + 20


@kernel
def prize_nb(game, own):
    """Return what the present combat is fought for: a building, a sea battle or a territory."""
    edition = game.edition
    if own.card != NOWHERE and (own.card_deck == VILLAGE_DECK or own.card_deck == KEEP_DECK):
        return effect_value_nb(game, own, edition.spoils_reward[own.card])
    if game.battle != NOWHERE:
        return effect_value_nb(game, own, edition.battle_reward[game.battle]) + own.memory[STEERED]
    best = 0
    for stack in range(min(game.defense, N_LEVELS) - 1, N_STACKS, N_LEVELS):
        if game.n_stack[stack] > 0:
            best = max(best, own.memory[TILE + stack])
    return best


@kernel
def choose_hammer_nb(game, own, n_options):
    """Commit the cheapest hammers, as many as are worth their cost with the exact odds (rule 10.1)."""
    look_nb(game, own)
    table = array_at(own.table, own.n_table)
    memory = own.memory
    me = game.pl[own.seat]
    need = game.defense - total_nb(game)
    favor = me.favor
    prize = prize_nb(game, own) * own.param[PRIZE] >> 8
    stop = odds_nb(table, favor, need, game.hammers) * prize >> CERTAIN_BITS
    n = n_options - 1
    for i in range(n):  # what each source costs for a hammer, in quarters
        source = own.option[i]
        memory[SCRATCH + i] = 4 * source_cost_nb(game, own, source) // hammers_of_nb(game, me, source)
    best_first = n
    tell_nb(n, stop, ONE)
    best = stop
    hammers = game.hammers
    cost = 0
    first = -1
    for _ in range(n):  # the cheapest source for each hammer first; a source that is there twice counts twice
        cheapest = 0
        for i in range(1, n):
            cheapest = i if memory[SCRATCH + i] < memory[SCRATCH + cheapest] else cheapest
        rate = memory[SCRATCH + cheapest]
        memory[SCRATCH + cheapest] = USED_UP
        source = own.option[cheapest]
        copies = me.die[source] if source < N_KINDS else 1
        each = hammers_of_nb(game, me, source)
        if first < 0:
            first = cheapest
        for _copy in range(copies):
            hammers += each
            cost += rate * each // 4
            value = (odds_nb(table, favor, need, hammers) * prize >> CERTAIN_BITS) - cost
            tell_nb(first, value, ONE)
            if value > best:
                best = value
                best_first = first
    return best_first


@kernel
def choose_combat_reroll_nb(game, own, n_options):
    """Reroll the lowest dice, as many as makes winning most likely, if that is worth the Favor (rule 10.3)."""
    look_nb(game, own)
    table = array_at(own.table, own.n_table)
    me = game.pl[own.seat]
    need = game.defense - total_nb(game)
    price = game.edition.favor_reroll * own.memory[FAVOR_VALUE]
    left = (me.favor - game.edition.favor_reroll) // max(1, game.edition.favor_reroll)
    best_chance = 0
    best_code = 0
    n_dice = 0
    given_up = 0
    code = 0
    for value in range(N_SUCCESSES):
        for _ in range(game.rolled[value]):
            n_dice += 1
            given_up += value
            code += 1 << (REROLL_BITS * value)
            chance = odds_nb(table, left, need + given_up, n_dice)
            if chance > best_chance:
                best_chance = chance
                best_code = code
    gain = best_chance * (prize_nb(game, own) * own.param[REROLL] >> 8) >> CERTAIN_BITS
    if best_code == 0 or gain <= price:
        return 0
    return index_of_reroll_nb(game, best_code)


@kernel
def index_of_reroll_nb(game, code):
    """Return the place of a reroll among the options: all combinations, the zeros counting fastest."""
    index = 0
    for value in range(N_SUCCESSES - 1, -1, -1):
        index = index * (game.rolled[value] + 1) + ((code >> (REROLL_BITS * value)) & REROLL_MASK)
    return index
