"""What greedy prepares once for each edition: its sums of points, so that a decision is a few look-ups.

The table follows that of the shared heuristic, at `strategies.nidavellir.tables.NEXT_TABLE`.
"""

import numpy as np

from simcore.nidavellir.layout import (
    BLACKSMITH,
    BROTHER,
    EXPLORER,
    HUNTER,
    LARGEST_COIN,
    MAX_BROTHERS,
    MAX_CARD_TYPES,
    MAX_COIN_VALUE,
    MAX_HEROES,
    MAX_RANKS,
    MINER,
    N_CLASSES,
    POINTS_PER_RANK,
    UNPREDICTABLE,
    WARRIOR,
)

LINE_POINTS = 20
SHORT_POINTS = 3

LACK = MAX_RANKS
"""[LACK + ranks - level]: ranks that a column lacks for a line."""
ADDS = 3 * MAX_RANKS
"""[ADDS + ranks - level]: what one more rank adds to the line; from `ADDS_LAST` on, where it is the last one needed."""
ADDS_LAST = ADDS + 2 * MAX_RANKS
HUNTER_STEP = ADDS_LAST + MAX_RANKS
"""[ranks]: points that one more hunter adds."""
SMITH_STEP = HUNTER_STEP + MAX_RANKS
"""[ranks]: points that one more blacksmith adds."""
CARD_POINTS = SMITH_STEP + MAX_RANKS
"""[card type]: what counts of a card's own points; the coins of an offering."""
HERO_ROW = CARD_POINTS + MAX_CARD_TYPES
"""[hero]: where in this table its points stand by what they depend on."""
HERO_LOOKS_AT = HERO_ROW + MAX_HEROES
"""[hero]: what they depend on: the ranks of a class, or one of the following."""
LOOKS_AT_BROTHERS, LOOKS_AT_COIN, LOOKS_AT_NOTHING = range(N_CLASSES, N_CLASSES + 3)
HERO_MINER_RANKS = HERO_LOOKS_AT + MAX_HEROES
"""[hero]: ranks that it brings to the miners."""
ROWS = HERO_MINER_RANKS + MAX_HEROES


def prepare(game, params):  # type: ignore[no-untyped-def]
    """Prepare greedy's table.

    Parameters
    ----------
    game : GAME record
        With the edition filled in.
    params : mapping
        Not looked at.

    Returns
    -------
    int64[:]
        Parts as listed at the top of this file.
    """
    edition = game.edition
    table = np.zeros(ROWS, np.int64)
    surplus = np.arange(-MAX_RANKS, MAX_RANKS)  # ranks beyond a level
    table[: 2 * MAX_RANKS] = np.maximum(0, -surplus)
    table[2 * MAX_RANKS : 4 * MAX_RANKS] = np.where(surplus < 0, SHORT_POINTS, 0)
    table[4 * MAX_RANKS : 6 * MAX_RANKS] = np.where(surplus < 0, LINE_POINTS, 0)
    table[HUNTER_STEP : SMITH_STEP - 1] = np.diff(edition.hunter_score)
    table[SMITH_STEP : CARD_POINTS - 1] = np.diff(edition.blacksmith_score)
    scores_itself = np.isin(edition.card_class, (WARRIOR, MINER, EXPLORER))
    table[CARD_POINTS:HERO_ROW] = edition.card_points * scores_itself + edition.card_bonus
    rows: list[int] = []
    for hero in range(int(edition.n_heroes)):
        looks_at, row = hero_row(edition, hero)
        table[HERO_LOOKS_AT + hero] = looks_at
        table[HERO_ROW + hero] = ROWS + len(rows)
        table[HERO_MINER_RANKS + hero] = edition.hero_ranks[hero] if edition.hero_class[hero] == MINER else 0
        rows += row
    return np.concatenate([table, np.array(rows, np.int64)])


def hero_row(edition, hero):  # type: ignore[no-untyped-def]
    """Return what the points depend on that a hero adds now, and the points by that; miners' points are left out."""
    c = int(edition.hero_class[hero])
    ranks, points, amount = (int(edition[f"hero_{name}"][hero]) for name in ("ranks", "points", "amount"))
    effect = edition.hero_effect[hero]
    brothers = [int(score) for score in edition.brothers_score]
    if c in (HUNTER, BLACKSMITH):
        score = [int(s) for s in (edition.hunter_score if c == HUNTER else edition.blacksmith_score)]
        return c, [score[have + ranks] - score[have] for have in range(MAX_RANKS - ranks)]
    if c == MINER:
        return c, [points * (have + ranks) for have in range(MAX_RANKS)]
    if effect == BROTHER:
        return LOOKS_AT_BROTHERS, [brothers[have + 1] - brothers[have] for have in range(MAX_BROTHERS - 1)]
    if effect == LARGEST_COIN:
        return LOOKS_AT_COIN, list(range(MAX_COIN_VALUE + 1))
    if effect == UNPREDICTABLE:
        return LOOKS_AT_NOTHING, [int(edition.ylud_points[EXPLORER])]
    if effect == POINTS_PER_RANK and c < N_CLASSES:
        return c, [points + amount * (have + ranks) for have in range(MAX_RANKS)]
    return LOOKS_AT_NOTHING, [points]
