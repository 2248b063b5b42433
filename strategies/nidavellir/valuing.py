"""What a card is worth to a seat: projection, lines, majorities (H1, H2, H14).

`value_army_nb` works out one number for each class and what a point of a miner counts; after that a card costs a
look-up.
"""

import numpy as np

from simcore.accel import contained_kernel, kernel
from simcore.nidavellir.layout import (
    BLACKSMITH,
    EXPLORER,
    HUNTER,
    MAX_PLAYERS,
    MAX_RANKS,
    MINER,
    N_CLASSES,
    N_TAVERNS,
    NOWHERE,
    ROYAL_OFFERING,
    WARRIOR,
)
from strategies.nidavellir.coin_planning import best_raise_nb
from strategies.nidavellir.memory import HERO, PER_SEAT, VALUES
from strategies.nidavellir.tables import (
    CARD,
    EXPECTED,
    HUNTER_STEPS,
    INVERSE,
    LACK,
    LINE_CHANCE,
    MAJORITY_CHANCE,
    MAX_INVERSE,
    MAX_MISSING,
    MAX_PICKS,
    NEEDS_HERO,
    PRIZE,
    RANK_HERO,
    SMITH_STEPS,
)
from strategies.nidavellir.weights import FOCUS, LINE, LINE_AFTER, MAJORITY, OFFERING, ONE, PREFER

RIVALS = np.array([[(seat + i) % MAX_PLAYERS for i in range(1, MAX_PLAYERS)] for seat in range(MAX_PLAYERS)])
"""[seat]: the other seats; nobody sits on the last ones of a small table, so they have no ranks and no coins."""


@contained_kernel
def picks_left_nb(game):
    """Return how many cards of taverns a seat will still take after the present tavern."""
    tavern = max(0, game.tavern)
    return N_TAVERNS * game.rounds_left + N_TAVERNS - 1 - tavern


@contained_kernel
def expected_ranks_nb(game, own, table, seat, c, picks):
    """Return how many more ranks of a class a seat can expect, 1/256 rank (H1)."""
    rank = game.pl[seat].rank
    total = min(rank[0] + rank[1] + rank[2] + rank[3] + rank[4], MAX_INVERSE - 1)
    return picks * (table[EXPECTED + c] + ((own.param[FOCUS] * rank[c] * table[INVERSE + total]) >> 16))


@contained_kernel
def score_step_nb(table, steps, ranks):
    """Return what one more rank adds at `ranks` (in 1/256 rank), 1/256 point.

    Parameters
    ----------
    steps : int
        `tables.HUNTER_STEPS` or `tables.SMITH_STEPS`.
    """
    ranks = max(ranks, 0)  # weights of one's own can expect fewer than none
    at = steps + 2 * min(ranks >> 8, MAX_RANKS - 3)
    return table[at] + table[at + 1] * (ranks & (ONE - 1))


@contained_kernel
def largest_coin_later_nb(game, seat):
    """Return about how large the seat's largest coin will be at the end."""
    coin = game.pl[seat].coin
    return min(25, max(max(coin[1], coin[2]), max(coin[3], coin[4])) + game.rounds_left)


@contained_kernel
def lead_place_nb(game, seat, c):
    """Return where in a row of `tables.MAJORITY_CHANCE` a seat's lead in a class stands."""
    other_1, other_2, other_3, other_4 = RIVALS[seat, 0], RIVALS[seat, 1], RIVALS[seat, 2], RIVALS[seat, 3]
    most_1 = max(game.pl[other_1].rank[c], game.pl[other_2].rank[c])
    most_2 = max(game.pl[other_3].rank[c], game.pl[other_4].rank[c])
    return min(15, max(0, game.pl[seat].rank[c] - max(most_1, most_2) + 8))


@contained_kernel
def end_majority_nb(game, table, seat, picks):
    """Return what one more warrior adds to the worth of the majority at the end, 1/256 point (H14, rule 8.3)."""
    at = MAJORITY_CHANCE + min(picks, MAX_PICKS - 1) * 16 + lead_place_nb(game, seat, WARRIOR)
    return table[at] * largest_coin_later_nb(game, seat)


@contained_kernel
def age_row_nb(game, picks):
    """Return where in `tables.MAJORITY_CHANCE` the row stands of the cards to come in this age, the first."""
    return MAJORITY_CHANCE + 16 * min(max(0, picks - N_TAVERNS * game.edition.rounds_per_age), MAX_PICKS - 1)


@contained_kernel
def distinction_nb(game, table, seat, c, row):
    """Return what one more rank adds to the worth of a distinction, 1/256 point (H14, rules 7.3 to 7.6)."""
    # A tie is worth nothing here, so one needs to be ahead by one more than for the warriors' bonus.
    place = max(0, lead_place_nb(game, seat, c) - 1)
    prize = table[PRIZE + c] + (2 * game.pl[seat].rank[c] if c == BLACKSMITH else 0)
    return table[row + place] * prize


@contained_kernel
def majority_step_nb(game, table, seat, c, picks):
    """Return what one more rank adds to the worth of majorities, 1/256 point (H14, rules 7.3 to 7.6 and 8.3)."""
    worth = end_majority_nb(game, table, seat, picks) if c == WARRIOR else 0
    return worth + (distinction_nb(game, table, seat, c, age_row_nb(game, picks)) if game.age == 1 else 0)


@contained_kernel
def missing_ranks_nb(table, player, level):
    """Return how many ranks an army lacks for `level` lines."""
    at = LACK - level
    rank = player.rank
    missing = table[at + rank[0]] + table[at + rank[1]] + table[at + rank[2]]
    return missing + table[at + rank[3]] + table[at + rank[4]]


@contained_kernel
def line_step_nb(table, missing, picks):
    """Return what filling one of `missing` ranks adds to the chance of a line, share."""
    at = LINE_CHANCE + min(max(missing, 1), MAX_MISSING - 1) * MAX_PICKS + min(picks, MAX_PICKS - 1)
    return table[at - MAX_PICKS] - table[at]


@contained_kernel
def by_level_nb(ranks, level, below, at):
    """Return `below` where a column lacks ranks for a level, `at` where it has just them, else 0."""
    return below if ranks < level else (at if ranks == level else 0)


@contained_kernel
def value_army_nb(game, own, table, seat, picks, hero):
    """Write what a card of each class is worth to a seat into ``own.memory`` (see `memory.VALUES`), 1/256 point.

    Parameters
    ----------
    seat : int
        Armies are public. Majorities and likings are left out.
    picks : int
        Cards that the seat will take after this one, at most ``MAX_PICKS - 1``.
    hero : int
        What the next hero is worth, 1/256 point.
    """
    me = game.pl[seat]
    edition = game.edition
    rank = me.rank
    warriors, hunters, miners = rank[WARRIOR], rank[HUNTER], rank[MINER]
    smiths, explorers = rank[BLACKSMITH], rank[EXPLORER]
    at = VALUES + PER_SEAT * seat
    memory = own.memory

    total = min(warriors + hunters + miners + smiths + explorers, MAX_INVERSE - 1)
    focus = own.param[FOCUS] * table[INVERSE + total]
    later_hunters = picks * (table[EXPECTED + HUNTER] + ((focus * hunters) >> 16))
    later_smiths = picks * (table[EXPECTED + BLACKSMITH] + ((focus * smiths) >> 16))
    later_miners = picks * (table[EXPECTED + MINER] + ((focus * miners) >> 16))
    hunter = score_step_nb(table, HUNTER_STEPS, hunters * ONE + later_hunters)
    smith = score_step_nb(table, SMITH_STEPS, smiths * ONE + later_smiths)
    miner = me.points[MINER] * ONE + later_miners  # an average miner has one point

    level = me.n_heroes + 1
    next_line = line_step_nb(table, missing_ranks_nb(table, me, level), picks) * hero * own.param[LINE] >> 16
    after = line_step_nb(table, missing_ranks_nb(table, me, level + 1), picks) * hero * own.param[LINE] >> 16
    after = after * own.param[LINE_AFTER] >> 8
    both = next_line + after
    memory[at + WARRIOR] = by_level_nb(warriors, level, both, after)
    memory[at + HUNTER] = by_level_nb(hunters, level, both, after) + hunter
    memory[at + MINER] = by_level_nb(miners, level, both, after) + miner
    memory[at + BLACKSMITH] = by_level_nb(smiths, level, both, after) + smith
    memory[at + EXPLORER] = by_level_nb(explorers, level, both, after)
    memory[at + PER_SEAT - 1] = (miners + 1) * ONE + later_miners
    ranked = table[RANK_HERO]
    if ranked >= 0 and game.hero_owner[ranked] == seat:
        memory[at + min(edition.hero_class[ranked], N_CLASSES - 1)] += edition.hero_amount[ranked] * ONE


@kernel
def value_own_nb(game, own, table, picks):
    """Write what a card of each class is worth to oneself: `value_army_nb`, and what is not looked at for rivals.

    That is likings, Hourya's condition, majorities.
    """
    memory = own.memory
    seat = own.seat
    picks = min(picks, MAX_PICKS - 1)
    value_army_nb(game, own, table, seat, picks, memory[HERO])
    at = VALUES + PER_SEAT * seat
    for c in range(N_CLASSES):
        memory[at + c] += own.param[PREFER + c] * ONE
    needs = table[NEEDS_HERO]
    if needs >= 0 and game.hero_owner[needs] == NOWHERE:
        c = game.edition.hero_needs_class[needs]
        if game.pl[seat].rank[c] < game.edition.hero_needs_ranks[needs]:
            memory[at + c] += game.edition.hero_points[needs] * ONE // 16
    weight = own.param[MAJORITY]
    if weight != 0:
        warrior = end_majority_nb(game, table, seat, picks)
        if game.age == 1:  # in age 2 only the warriors' is to come
            row = age_row_nb(game, picks)
            warrior += distinction_nb(game, table, seat, WARRIOR, row)
            memory[at + HUNTER] += distinction_nb(game, table, seat, HUNTER, row) * weight >> 8
            memory[at + MINER] += distinction_nb(game, table, seat, MINER, row) * weight >> 8
            memory[at + BLACKSMITH] += distinction_nb(game, table, seat, BLACKSMITH, row) * weight >> 8
            memory[at + EXPLORER] += distinction_nb(game, table, seat, EXPLORER, row) * weight >> 8
        memory[at + WARRIOR] += warrior * weight >> 8


@contained_kernel
def dwarf_value_nb(own, seat, packed):
    """Return what a dwarf is worth to a seat valued before, 1/256 point.

    Parameters
    ----------
    packed : int
        See `tables.CARD`.
    """
    c = packed & 15
    at = VALUES + PER_SEAT * seat
    per_point = own.memory[at + PER_SEAT - 1] if c == MINER else ONE
    return own.memory[at + c] * ((packed >> 4) & 15) + per_point * ((packed >> 8) & 255)


@contained_kernel
def offering_value_nb(game, own, table, bonus):
    """Return what a royal offering is worth to oneself, 1/256 point (H3)."""
    return best_raise_nb(game, own, table, bonus) * own.param[OFFERING] >> 8


@contained_kernel
def card_value_nb(game, own, table, card):
    """Return what a card is worth to oneself, 1/256 point (H1 to H3)."""
    packed = table[CARD + card]
    if packed & 15 == ROYAL_OFFERING:
        return offering_value_nb(game, own, table, packed >> 16)
    return dwarf_value_nb(own, own.seat, packed)
