"""The final score and the result rows (rules 8.3 to 8.8)."""

from simcore.accel import kernel
from simcore.contract import WIN_UNITS
from simcore.nidavellir.coins import largest_coin_nb, sum_of_coins_nb
from simcore.nidavellir.events import SCORED, record_3_nb
from simcore.nidavellir.heroes import count_lines_nb
from simcore.nidavellir.layout import (
    BLACKSMITH,
    BLACKSMITH_SLOT,
    BROTHER,
    BROTHERS_SLOT,
    COINS_BY_ROUND_SLOT,
    COINS_SLOT,
    DISTINCTION_SLOT,
    EXPLORER,
    EXPLORER_SLOT,
    GEM_POINTS_SLOT,
    HERO_SLOT,
    HUNTER,
    HUNTER_SLOT,
    LARGEST_COIN,
    LARGEST_COIN_SLOT,
    MARGIN_SLOT,
    MAX_ROUNDS,
    MINER,
    MINER_SLOT,
    N_BROTHERS_SLOT,
    N_CLASSES,
    N_EXCHANGES_SLOT,
    N_HEROES_SLOT,
    N_LINES_SLOT,
    N_SLOTS,
    NEUTRAL,
    NEUTRAL_SLOT,
    NOWHERE,
    PLACE_SLOT,
    POINTS_PER_RANK,
    RANKS_SLOT,
    SCORE_SLOT,
    SEAT_SLOT,
    STARTING_GEM_SLOT,
    WARRIOR,
    WARRIOR_BONUS_SLOT,
    WARRIOR_SLOT,
    WIN_SLOT,
)


@kernel
def class_points_nb(game, seat, c):
    """Return the points of a column with Ylud's, if she stands there (rule 8.5)."""
    points = game.pl[seat].points[c]
    if game.pl[seat].ylud_column == c:
        points += game.edition.ylud_points[c]
    return points


@kernel
def _warrior_strength_nb(game, seat):
    """Return what the warrior majority compares: ranks, or points under warrior_majority=points (rule 8.3, A05)."""
    if game.edition.warrior_majority_points == 1:
        return class_points_nb(game, seat, WARRIOR)
    return game.pl[seat].rank[WARRIOR]


@kernel
def warrior_bonus_nb(game, seat):
    """Return the largest coin for a seat that has or ties the warrior majority, of at least 1 (rule 8.3, A13)."""
    most = 1
    for other in range(game.n_players):
        most = max(most, _warrior_strength_nb(game, other))
    return largest_coin_nb(game.pl[seat]) if _warrior_strength_nb(game, seat) == most else 0


@kernel
def write_heroes_nb(game, rows):
    """Write who has which hero into the result rows, which must be zero, and the points they bring (8.3, 8.5, 8.6).

    What a hero does is the same in every game, so a processor guesses those branches; whose he is takes none.
    """
    edition = game.edition
    for hero in range(edition.n_heroes):
        owner = max(game.hero_owner[hero], 0)
        is_owned = game.hero_owner[hero] != NOWHERE
        row = rows[owner]
        row[HERO_SLOT + hero] = is_owned
        row[N_HEROES_SLOT] += is_owned
        effect = edition.hero_effect[hero]
        c = edition.hero_class[hero]
        if c == NEUTRAL and effect != BROTHER and hero != edition.ylud:
            row[NEUTRAL_SLOT] += edition.hero_points[hero] if is_owned else 0
        if effect == LARGEST_COIN and is_owned:
            row[NEUTRAL_SLOT] += edition.hero_amount[hero] * largest_coin_nb(game.pl[owner])
        elif effect == POINTS_PER_RANK and c != NEUTRAL and is_owned:
            row[WARRIOR_SLOT + c] += edition.hero_amount[hero] * game.pl[owner].rank[c]


@kernel
def write_components_nb(game, hidden, seat, row):
    """Add every component of a seat's final score to its result row, which has its heroes in it (rules 8.3 to 8.7)."""
    me = game.pl[seat]
    edition = game.edition
    bonus = warrior_bonus_nb(game, seat)
    row[WARRIOR_BONUS_SLOT] = bonus
    row[WARRIOR_SLOT] += class_points_nb(game, seat, WARRIOR) + bonus
    row[HUNTER_SLOT] += edition.hunter_score[me.rank[HUNTER]] + class_points_nb(game, seat, HUNTER)
    row[MINER_SLOT] += class_points_nb(game, seat, MINER) * me.rank[MINER]
    row[BLACKSMITH_SLOT] += edition.blacksmith_score[me.rank[BLACKSMITH]] + class_points_nb(game, seat, BLACKSMITH)
    row[EXPLORER_SLOT] += class_points_nb(game, seat, EXPLORER)
    row[NEUTRAL_SLOT] += edition.brothers_score[me.n_brothers]
    row[COINS_SLOT] = sum_of_coins_nb(me)
    if me.gem == edition.crown_jewel:
        row[GEM_POINTS_SLOT] = edition.crown_jewel_points
    row[SCORE_SLOT] = 0
    for slot in range(WARRIOR_SLOT, GEM_POINTS_SLOT + 1):
        row[SCORE_SLOT] += row[slot]
        record_3_nb(hidden, SCORED, seat, slot, row[slot])


@kernel
def write_outcomes_nb(rows, n_players):
    """Write win share, margin and place of every seat from the scores; equal totals share the win (rule 8.8, A26)."""
    best = second = -1  # the two highest totals, equal if several have the highest
    for seat in range(n_players):
        score = rows[seat, SCORE_SLOT]
        second = max(second, min(best, score))
        best = max(best, score)
    n_best = 0
    for seat in range(n_players):
        n_best += rows[seat, SCORE_SLOT] == best
    share = WIN_UNITS // n_best
    for seat in range(n_players):
        score = rows[seat, SCORE_SLOT]
        place = 1
        for other in range(n_players):
            place += rows[other, SCORE_SLOT] > score
        rows[seat, WIN_SLOT] = share if score == best else 0
        rows[seat, MARGIN_SLOT] = score - (second if score == best else best)
        rows[seat, PLACE_SLOT] = place


@kernel
def score_game_nb(game, hidden, rows):
    """Score the game.

    Parameters
    ----------
    rows : int64[n_players, N_SLOTS]
        Result rows; the starting gems' flags are in them already, everything else is written here.
    """
    n = game.n_players
    write_heroes_nb(game, rows)
    for seat in range(n):
        row = rows[seat]
        me = game.pl[seat]
        write_components_nb(game, hidden, seat, row)
        row[N_BROTHERS_SLOT] = me.n_brothers
        row[BROTHERS_SLOT + me.n_brothers] = 1
        row[N_LINES_SLOT] = count_lines_nb(me)
        row[N_EXCHANGES_SLOT] = me.n_exchanges
        row[LARGEST_COIN_SLOT] = largest_coin_nb(me)
        for c in range(N_CLASSES):
            row[RANKS_SLOT + c] = me.rank[c]
            row[DISTINCTION_SLOT + c] = 1 if game.distinction_owner[c] == seat else 0
        for i in range(MAX_ROUNDS + 1):
            row[COINS_BY_ROUND_SLOT + i] = me.coins_after_round[i]
        row[SEAT_SLOT + seat] = 1
    write_outcomes_nb(rows, n)


@kernel
def clear_rows_nb(game, rows):
    """Empty the result rows of a game and note who starts with which gem."""
    for seat in range(game.n_players):
        for slot in range(N_SLOTS):
            rows[seat, slot] = 0
        for i in range(game.n_players):
            rows[seat, STARTING_GEM_SLOT + i] = game.edition.gem[i] == game.pl[seat].gem
