"""Where to put Thrud and Ylud (H12, H13)."""

from simcore.accel import array_at, kernel
from simcore.nidavellir.layout import (
    BLACKSMITH,
    EXPLORER,
    HUNTER,
    MINER,
    N_CLASSES,
    N_TAVERNS,
    POINTS_PER_RANK,
    WARRIOR,
)
from strategies.explaining import tell_nb
from strategies.nidavellir.recruiting import lines_value_nb, picks_to_come_nb, weighed_step_nb
from strategies.nidavellir.tables import HUNTER_STEPS, SMITH_STEPS
from strategies.nidavellir.valuing import expected_ranks_nb, majority_step_nb, missing_ranks_nb, score_step_nb
from strategies.nidavellir.weights import HERO_WORTH, ONE


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
            value += weighed_step_nb(game, own, table, c, picks) >> 8
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
