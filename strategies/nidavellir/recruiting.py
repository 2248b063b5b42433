"""Heroes: which one, and what to discard for it (H8, H9)."""

from simcore.accel import array_at, contained_kernel, kernel
from simcore.nidavellir.heroes import discard_place_nb
from simcore.nidavellir.layout import (
    BID_LAST,
    BLACKSMITH,
    BROTHER,
    DISCARD_DWARVES,
    HEADHUNTER,
    HUNTER,
    LARGEST_COIN,
    MAX_BROTHERS,
    MAX_RANKS,
    MINER,
    N_CLASSES,
    N_TAVERNS,
    NEUTRAL,
    NOWHERE,
    POINTS_PER_RANK,
    TRANSFORM_COIN,
    UNPREDICTABLE,
)
from strategies.explaining import tell_nb
from strategies.nidavellir.coin_planning import best_raise_nb
from strategies.nidavellir.memory import WORTH
from strategies.nidavellir.tables import HUNTER_STEPS, LACK, LINE_CHANCE, MAX_MISSING, MAX_PICKS, SMITH_STEPS
from strategies.nidavellir.valuing import (
    expected_ranks_nb,
    largest_coin_later_nb,
    majority_step_nb,
    missing_ranks_nb,
    picks_left_nb,
    score_step_nb,
)
from strategies.nidavellir.weights import (
    BROTHER_HOPE,
    HERO_WORTH,
    LINE,
    MAJORITY,
    ONE,
    OTHER_HERO,
    PREFER_ASTRID,
    PREFER_BROTHER,
    PREFER_THRUD,
    PREFER_ULINE,
    PREFER_YLUD,
)

LATER = WORTH
"""[class]: further ranks that one can expect, 1/256 rank; written while a hero is chosen, as the following."""
STEP = LATER + N_CLASSES
"""[class]: what one more rank adds to the worth of majorities, weighed, 1/65536 point."""
LOSS = STEP + N_CLASSES
"""[class]: what discarding the last dwarf costs, 1/256 point."""
NO_DWARF = 1 << 40
"""What discarding costs where there is no dwarf."""


@contained_kernel
def line_chance_nb(table, missing, picks):
    """Return the chance of a line that lacks `missing` ranks, share."""
    return table[LINE_CHANCE + min(missing, MAX_MISSING - 1) * MAX_PICKS + min(picks, MAX_PICKS - 1)]


@kernel
def heroes_to_come_nb(game, table, seat, n_heroes, picks):
    """Return how many heroes after `n_heroes` a seat can expect, 1/256 hero."""
    expected = 0
    for level in range(n_heroes + 1, n_heroes + 5):
        expected += line_chance_nb(table, missing_ranks_nb(table, game.pl[seat], level), picks)
    return expected


@kernel
def free_brothers_nb(game):
    """Return how many brothers are still on display."""
    free = 0
    for hero in range(game.edition.n_heroes):
        if game.edition.hero_effect[hero] == BROTHER and game.hero_owner[hero] == NOWHERE:
            free += game.edition.hero_in_play[hero]
    return free


@kernel
def brother_value_nb(game, own, table, free, to_come):
    """Return what the next brother is worth, 1/256 point (H9).

    He opens the way to further ones: with j more, each taken in place of another hero, he is worth what the whole set
    of j + 1 adds less j other heroes. How many more can be hoped for is `to_come` (1/256 hero) times the weight
    ``brother_hope``.
    """
    score = game.edition.brothers_score
    owned = game.pl[own.seat].n_brothers
    hope = to_come * own.param[BROTHER_HOPE] >> 8
    best = (score[min(owned + 1, MAX_BROTHERS - 1)] - score[owned]) * ONE
    for more in range(1, free):
        reach = min(ONE, max(0, hope - (more - 1) * ONE))
        if reach == 0 or owned + 1 + more >= MAX_BROTHERS:
            break
        step = score[owned + 1 + more] - score[owned + more] - own.param[OTHER_HERO]
        best += max(0, step) * reach
    return best + own.param[PREFER_BROTHER] * ONE


@contained_kernel
def weighed_step_nb(game, own, table, c, picks):
    """Return what one more rank adds to the worth of majorities, weighed, 1/65536 point."""
    return majority_step_nb(game, table, own.seat, c, picks) * own.param[MAJORITY]


@contained_kernel
def ranks_value_nb(game, own, table, c, ranks, points):
    """Return what `ranks` more ranks with `points` in a column are worth at the expected end, 1/256 point (H1, H8)."""
    me = game.pl[own.seat]
    later = own.memory[LATER + c]
    value = points * ONE
    if c == HUNTER or c == BLACKSMITH:
        steps = HUNTER_STEPS if c == HUNTER else SMITH_STEPS
        for i in range(ranks):
            value += score_step_nb(table, steps, min((me.rank[c] + i) * ONE + later, (MAX_RANKS - 3) * ONE))
    elif c == MINER:
        value = ranks * (me.points[MINER] * ONE + later)
        value += points * ((me.rank[MINER] + ranks) * ONE + later)
    return value + (ranks * own.memory[STEP + c] >> 8)


@contained_kernel
def lines_value_nb(game, own, table, c, ranks, level, missing_1, missing_2, picks):
    """Return what `ranks` more in column c (or fewer) add to the chances of the next two lines, 1/256 point (H2).

    Parameters
    ----------
    level : int
        Ranks in each column that the next line needs.
    missing_1, missing_2 : int
        Ranks that the army lacks for it, and for the line after.
    """
    at = LACK + game.pl[own.seat].rank[c] - level
    after_1 = missing_1 - table[at] + table[at + ranks]
    after_2 = missing_2 - table[at - 1] + table[at - 1 + ranks]
    value = line_chance_nb(table, after_1, picks) - line_chance_nb(table, missing_1, picks)
    value += line_chance_nb(table, after_2, picks) - line_chance_nb(table, missing_2, picks)
    return value * own.param[HERO_WORTH] * own.param[LINE] >> 8


@contained_kernel
def last_dwarf_nb(game, seat, c):
    """Return the card of a column that would be discarded, or a number below 0 if there is none."""
    place = discard_place_nb(game, seat, c)
    return game.pl[seat].column[c, place] if place != NOWHERE else NOWHERE


@contained_kernel
def discard_loss_nb(game, own, table, c, later, step, level, missing_1, missing_2, picks):
    """Return what discarding the last dwarf of a column costs, 1/256 point; `NO_DWARF` if there is none.

    Parameters
    ----------
    later, step : int
        Of the class: see `LATER` and `STEP`.
    """
    card = last_dwarf_nb(game, own.seat, c)
    if card < 0:
        return NO_DWARF
    me = game.pl[own.seat]
    ranks = game.edition.card_ranks[card]
    points = game.edition.card_points[card]
    below = max(0, (me.rank[c] - ranks) * ONE + later)
    loss = points * ONE
    if c == HUNTER:
        loss += ranks * score_step_nb(table, HUNTER_STEPS, below)
    elif c == BLACKSMITH:
        loss += ranks * score_step_nb(table, SMITH_STEPS, below)
    elif c == MINER:
        loss = ranks * (me.points[MINER] - points) * ONE + points * (me.rank[MINER] * ONE + later)
    loss += step >> 8
    return loss - lines_value_nb(game, own, table, c, -ranks, level, missing_1, missing_2, picks)


@kernel
def fill_losses_nb(game, own, table, level, missing_1, missing_2, picks):
    """Fill `LOSS`."""
    memory = own.memory
    for c in range(N_CLASSES):
        later, step = memory[LATER + c], memory[STEP + c]
        memory[LOSS + c] = discard_loss_nb(game, own, table, c, later, step, level, missing_1, missing_2, picks)


@contained_kernel
def discards_loss_nb(game, own, hero):
    """Return what the discards of Dagda or Bonfur will cost, 1/256 point."""
    first = NO_DWARF
    second = NO_DWARF
    for c in range(N_CLASSES):
        loss = own.memory[LOSS + c] if c != game.edition.hero_class[hero] else NO_DWARF
        second = min(second, max(first, loss))
        first = min(first, loss)
    return first if game.edition.hero_amount[hero] == 1 else first + second


@contained_kernel
def neutral_value_nb(game, own, table, hero, brother):
    """Return what a hero of the command zone is worth, 1/256 point (H8)."""
    edition = game.edition
    effect = edition.hero_effect[hero]
    points = edition.hero_points[hero] * ONE
    if effect == BROTHER:
        return brother
    if effect == LARGEST_COIN:
        return edition.hero_amount[hero] * largest_coin_later_nb(game, own.seat) * ONE + own.param[PREFER_ASTRID] * ONE
    if effect == TRANSFORM_COIN:
        return points + best_raise_nb(game, own, table, edition.hero_amount[hero])
    if effect == BID_LAST:
        return points + (14 * ONE * game.rounds_left) // (2 * edition.rounds_per_age) + own.param[PREFER_ULINE] * ONE
    if effect == HEADHUNTER:
        return points + (10 * ONE * game.rounds_left) // (2 * edition.rounds_per_age) + own.param[PREFER_THRUD] * ONE
    if effect == UNPREDICTABLE:
        best = 0
        for c in range(N_CLASSES):
            best = max(best, ranks_value_nb(game, own, table, c, 1, edition.ylud_points[c]))
        return best + own.param[PREFER_YLUD] * ONE
    return points


@contained_kernel
def class_hero_value_nb(game, own, table, hero, picks, level, missing_1, missing_2):
    """Return what a hero of a class is worth, his discards left out, 1/256 point (H8)."""
    edition = game.edition
    c = edition.hero_class[hero]
    ranks = edition.hero_ranks[hero]
    value = ranks_value_nb(game, own, table, c, ranks, edition.hero_points[hero])
    value += lines_value_nb(game, own, table, c, ranks, level, missing_1, missing_2, picks)
    if edition.hero_effect[hero] == POINTS_PER_RANK:
        value += edition.hero_amount[hero] * ((game.pl[own.seat].rank[c] + ranks) * ONE + own.memory[LATER + c])
    return value


@kernel
def first_option_with_effect_nb(game, own, n_options, effect):
    """Return the first option of a choice of heroes that has an effect, or -1."""
    for i in range(n_options):
        if game.edition.hero_effect[own.option[i]] == effect:
            return i
    return -1


@kernel
def is_free_nb(game, effect):
    """Return whether a hero with an effect is still on display."""
    for hero in range(game.edition.n_heroes):
        if game.edition.hero_effect[hero] == effect and game.hero_owner[hero] == NOWHERE:
            if game.edition.hero_in_play[hero] == 1:
                return True
    return False


@kernel
def next_hero_value_nb(game, own, table):
    """Return what the next hero is worth to oneself, 1/256 point.

    That is an average one, a brother who makes the set grow, or Uline, if she is liked.
    """
    worth = own.param[HERO_WORTH] * ONE
    if own.param[PREFER_ULINE] > 0 and is_free_nb(game, BID_LAST):
        worth += own.param[PREFER_ULINE] * ONE
    if game.pl[own.seat].n_brothers > 0 or own.param[PREFER_BROTHER] > 0:
        free = free_brothers_nb(game)
        if free > 0:
            picks = picks_left_nb(game)
            to_come = heroes_to_come_nb(game, table, own.seat, game.pl[own.seat].n_heroes + 1, picks)
            worth = max(worth, brother_value_nb(game, own, table, free, to_come))
    return worth


@kernel
def picks_to_come_nb(game):
    """Return how many cards of taverns a seat will still take, at a tavern or between the ages."""
    return picks_left_nb(game) if game.tavern >= 0 else N_TAVERNS * (game.rounds_left + 1)


@kernel
def choose_hero_nb(game, own, n_options):
    """Return the hero worth most now."""
    table = array_at(own.table, own.n_table)
    me = game.pl[own.seat]
    picks = picks_to_come_nb(game)
    level = me.n_heroes + 2  # the line after the one this hero is for
    missing_1 = missing_ranks_nb(table, me, level)
    missing_2 = missing_ranks_nb(table, me, level + 1)
    to_come = heroes_to_come_nb(game, table, own.seat, level - 1, picks)
    brother = brother_value_nb(game, own, table, free_brothers_nb(game), to_come)
    for c in range(N_CLASSES):
        own.memory[LATER + c] = expected_ranks_nb(game, own, table, own.seat, c, picks)
        own.memory[STEP + c] = weighed_step_nb(game, own, table, c, picks)
    are_losses_known = False
    best = 0
    best_value = -(1 << 60)
    for i in range(n_options):
        hero = own.option[i]
        if game.edition.hero_class[hero] == NEUTRAL:
            value = neutral_value_nb(game, own, table, hero, brother)
        else:
            value = class_hero_value_nb(game, own, table, hero, picks, level, missing_1, missing_2)
            if game.edition.hero_effect[hero] == DISCARD_DWARVES:
                if not are_losses_known:
                    fill_losses_nb(game, own, table, level, missing_1, missing_2, picks)
                    are_losses_known = True
                value -= discards_loss_nb(game, own, hero)
        tell_nb(i, value, ONE)
        better = value > best_value
        best = i if better else best
        best_value = value if better else best_value
    return best


@kernel
def choose_discard_nb(game, own, n_options):
    """Return the column whose last dwarf is missed least."""
    table = array_at(own.table, own.n_table)
    me = game.pl[own.seat]
    picks = picks_to_come_nb(game)
    level = me.n_heroes + 1
    missing_1 = missing_ranks_nb(table, me, level)
    missing_2 = missing_ranks_nb(table, me, level + 1)
    best = 0
    least = 1 << 60
    for i in range(n_options):
        c = own.option[i]
        later = expected_ranks_nb(game, own, table, own.seat, c, picks)
        step = weighed_step_nb(game, own, table, c, picks)
        loss = discard_loss_nb(game, own, table, c, later, step, level, missing_1, missing_2, picks)
        tell_nb(i, -loss, ONE)
        better = loss < least
        best = i if better else best
        least = loss if better else least
    return best
