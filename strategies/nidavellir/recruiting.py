"""Heroes: which one, where to put Thrud and Ylud, what to discard (H8, H9, H12, H13)."""

from simcore.accel import array_at, kernel
from simcore.nidavellir.layout import (
    BID_LAST,
    BLACKSMITH,
    BROTHER,
    DISCARD_DWARVES,
    EXPLORER,
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
    WARRIOR,
)
from strategies.explaining import tell_nb
from strategies.nidavellir.coin_planning import best_raise_nb
from strategies.nidavellir.tables import HUNTER_STEPS, LINE_CHANCE, MAX_MISSING, MAX_PICKS, SMITH_STEPS
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


@kernel
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


@kernel
def ranks_value_nb(game, own, table, c, ranks, points, picks):
    """Return what `ranks` more ranks with `points` in a column are worth at the expected end, 1/256 point (H1, H8)."""
    me = game.pl[own.seat]
    value = 0
    expected = expected_ranks_nb(game, own, table, own.seat, c, picks)
    if c == HUNTER or c == BLACKSMITH:
        steps = HUNTER_STEPS if c == HUNTER else SMITH_STEPS
        for i in range(ranks):
            value += score_step_nb(table, steps, min((me.rank[c] + i) * ONE + expected, (MAX_RANKS - 3) * ONE))
        value += points * ONE
    elif c == MINER:
        value += ranks * (me.points[MINER] * ONE + expected)
        value += points * ((me.rank[MINER] + ranks) * ONE + expected)
    else:
        value += points * ONE
    if own.param[MAJORITY] != 0:
        value += ranks * majority_step_nb(game, table, own.seat, c, picks) * own.param[MAJORITY] >> 8
    return value


@kernel
def lines_value_nb(game, own, table, c, ranks, level, missing_1, missing_2, picks):
    """Return what `ranks` more in column c (or fewer) add to the chances of the next two lines, 1/256 point (H2).

    Parameters
    ----------
    level : int
        Ranks in each column that the next line needs.
    missing_1, missing_2 : int
        Ranks that the army lacks for it, and for the line after.
    """
    rank = game.pl[own.seat].rank[c]
    after_1 = missing_1 - max(0, level - rank) + max(0, level - rank - ranks)
    after_2 = missing_2 - max(0, level + 1 - rank) + max(0, level + 1 - rank - ranks)
    value = line_chance_nb(table, after_1, picks) - line_chance_nb(table, missing_1, picks)
    value += line_chance_nb(table, after_2, picks) - line_chance_nb(table, missing_2, picks)
    return value * own.param[HERO_WORTH] * own.param[LINE] >> 8


@kernel
def discard_loss_nb(game, own, table, c, level, missing_1, missing_2, picks):
    """Return what discarding the last dwarf of a column costs, 1/256 point; a large number if there is none."""
    me = game.pl[own.seat]
    place = me.n_column[c] - 1
    if game.edition.discard_last_dwarf_anywhere == 1:
        while place >= 0 and me.column[c, place] < 0:
            place -= 1
    if place < 0 or me.column[c, place] < 0:
        return 1 << 40
    card = me.column[c, place]
    ranks = game.edition.card_ranks[card]
    points = game.edition.card_points[card]
    expected = expected_ranks_nb(game, own, table, own.seat, c, picks)
    below = max(0, (me.rank[c] - ranks) * ONE + expected)
    loss = points * ONE
    if c == HUNTER:
        loss += ranks * score_step_nb(table, HUNTER_STEPS, below)
    elif c == BLACKSMITH:
        loss += ranks * score_step_nb(table, SMITH_STEPS, below)
    elif c == MINER:
        loss = ranks * (me.points[MINER] - points) * ONE + points * (me.rank[MINER] * ONE + expected)
    if own.param[MAJORITY] != 0:
        loss += majority_step_nb(game, table, own.seat, c, picks) * own.param[MAJORITY] >> 8
    return loss - lines_value_nb(game, own, table, c, -ranks, level, missing_1, missing_2, picks)


@kernel
def discards_loss_nb(game, own, table, hero, level, missing_1, missing_2, picks):
    """Return what the discards of Dagda or Bonfur will cost, 1/256 point."""
    first = 1 << 40
    second = 1 << 40
    for c in range(N_CLASSES):
        if c != game.edition.hero_class[hero]:
            loss = discard_loss_nb(game, own, table, c, level, missing_1, missing_2, picks)
            if loss < first:
                second = first
                first = loss
            elif loss < second:
                second = loss
    return first if game.edition.hero_amount[hero] == 1 else first + second


@kernel
def neutral_value_nb(game, own, table, hero, picks, brother):
    """Return what a hero of the command zone is worth, 1/256 point (H8)."""
    edition = game.edition
    effect = edition.hero_effect[hero]
    points = edition.hero_points[hero] * ONE
    rounds = 2 * edition.rounds_per_age
    if effect == BROTHER:
        return brother
    if effect == LARGEST_COIN:
        return edition.hero_amount[hero] * largest_coin_later_nb(game, own.seat) * ONE + own.param[PREFER_ASTRID] * ONE
    if effect == TRANSFORM_COIN:
        return points + best_raise_nb(game, own, table, edition.hero_amount[hero])
    if effect == BID_LAST:
        return points + (14 * ONE * game.rounds_left) // rounds + own.param[PREFER_ULINE] * ONE
    if effect == HEADHUNTER:
        return points + (10 * ONE * game.rounds_left) // rounds + own.param[PREFER_THRUD] * ONE
    if effect == UNPREDICTABLE:
        best = 0
        for c in range(N_CLASSES):
            value = ranks_value_nb(game, own, table, c, 1, edition.ylud_points[c], picks)
            best = max(best, value)
        return best + own.param[PREFER_YLUD] * ONE
    return points


@kernel
def class_hero_value_nb(game, own, table, hero, picks, level, missing_1, missing_2):
    """Return what a hero of a class is worth, 1/256 point (H8)."""
    edition = game.edition
    c = edition.hero_class[hero]
    ranks = edition.hero_ranks[hero]
    value = ranks_value_nb(game, own, table, c, ranks, edition.hero_points[hero], picks)
    value += lines_value_nb(game, own, table, c, ranks, level, missing_1, missing_2, picks)
    effect = edition.hero_effect[hero]
    if effect == POINTS_PER_RANK:
        ends = (game.pl[own.seat].rank[c] + ranks) * ONE + expected_ranks_nb(game, own, table, own.seat, c, picks)
        value += edition.hero_amount[hero] * ends
    elif effect == DISCARD_DWARVES:
        value -= discards_loss_nb(game, own, table, hero, level, missing_1, missing_2, picks)
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
    best = 0
    best_value = -(1 << 60)
    for i in range(n_options):
        hero = own.option[i]
        if game.edition.hero_class[hero] == NEUTRAL:
            value = neutral_value_nb(game, own, table, hero, picks, brother)
        else:
            value = class_hero_value_nb(game, own, table, hero, picks, level, missing_1, missing_2)
        tell_nb(i, value, ONE)
        if value > best_value:
            best = i
            best_value = value
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
        loss = discard_loss_nb(game, own, table, own.option[i], level, missing_1, missing_2, picks)
        tell_nb(i, -loss, ONE)
        if loss < least:
            best = i
            least = loss
    return best


@kernel
def choose_thrud_column_nb(game, own, n_options):
    """Return the column where Thrud helps most: a line now, a line soon, a majority (H12).

    A column where the next card is likely to come lifts her again, which is no loss: she may go anywhere then.
    """
    table = array_at(own.table, own.n_table)
    me = game.pl[own.seat]
    picks = picks_to_come_nb(game)
    level = me.n_heroes + 1
    missing_1 = missing_ranks_nb(table, me, level)
    missing_2 = missing_ranks_nb(table, me, level + 1)
    best = 0
    best_value = -(1 << 60)
    for i in range(n_options):
        c = own.option[i]
        value = lines_value_nb(game, own, table, c, 1, level, missing_1, missing_2, picks)
        if missing_1 == 1 and me.rank[c] == level - 1:
            value += 30 * ONE
        if game.age == 1:
            value += majority_step_nb(game, table, own.seat, c, picks) * own.param[MAJORITY] >> 8
        value -= me.rank[c]
        tell_nb(i, value, ONE)
        if value > best_value:
            best = i
            best_value = value
    return best


@kernel
def choose_ylud_column_nb(game, own, n_options):
    """Return Ylud's column: a line, a distinction, or most points at the end (H13)."""
    table = array_at(own.table, own.n_table)
    me = game.pl[own.seat]
    picks = N_TAVERNS * (game.rounds_left + 1)
    best = 0
    best_value = -(1 << 60)
    for i in range(n_options):
        c = own.option[i]
        here = me.ylud_column == c
        if here:  # her rank is counted already
            me_rank = me.rank[c] - 1
        else:
            me_rank = me.rank[c]
        value = ylud_points_value_nb(game, own, table, c, me_rank, picks)
        if not here:
            missing = missing_ranks_nb(table, me, me.n_heroes + 1)
            if me.ylud_column >= 0 and me.ylud_column < N_CLASSES and me.rank[me.ylud_column] <= me.n_heroes + 1:
                missing += 1
            if missing == 1 and me.rank[c] <= me.n_heroes:
                value += own.param[HERO_WORTH] * ONE
        tell_nb(i, value, ONE)
        if value > best_value:
            best = i
            best_value = value
    return best


@kernel
def ylud_points_value_nb(game, own, table, c, rank, picks):
    """Return what Ylud scores in a column that has `rank` ranks without her, 1/256 point (rules 8.3 to 8.5)."""
    me = game.pl[own.seat]
    points = game.edition.ylud_points[c] * ONE
    expected = expected_ranks_nb(game, own, table, own.seat, c, picks) if picks > 0 else 0
    if c == HUNTER:
        return points + score_step_nb(table, HUNTER_STEPS, rank * ONE + expected)
    if c == BLACKSMITH:
        return points + score_step_nb(table, SMITH_STEPS, rank * ONE + expected)
    if c == MINER:
        return me.points[MINER] * ONE + expected + game.edition.ylud_points[c] * ((rank + 1) * ONE + expected)
    if c == WARRIOR:
        return points + majority_step_nb(game, table, own.seat, c, picks)
    ranked = 0
    for hero in range(game.edition.n_heroes):
        if game.hero_owner[hero] == own.seat and game.edition.hero_effect[hero] == POINTS_PER_RANK:
            if game.edition.hero_class[hero] == EXPLORER:
                ranked += game.edition.hero_amount[hero] * ONE
    return points + ranked
