"""What the heuristic prepares once for each edition and number of players: plain Python, integers only.

The table is one int64 array. Its parts begin at the constants below; the coin plan comes last, as its size depends on
the coins of the edition.
"""

import numpy as np

from simcore.nidavellir.layout import (
    CLASS_NAMES,
    EXCHANGE_SLOT,
    MAX_CARD_TYPES,
    MAX_COIN_VALUE,
    MAX_RANKS,
    N_CLASSES,
    N_COINS,
    NOWHERE,
    POINTS_PER_RANK,
)
from strategies.nidavellir.weights import ONE

MAX_MISSING, MAX_PICKS, MAX_INVERSE = 32, 32, 64
N_STATES, N_STEPS, RANK_HERO, NEEDS_HERO, TOP_COIN, DENY_EACH, NEXT_TABLE = range(7)
"""Single numbers; the last is where the table of a strategy begins that builds upon this one."""
SECOND, THIRD, FOURTH = 8, 8 + MAX_COIN_VALUE + 1, 8 + 2 * (MAX_COIN_VALUE + 1)
"""[coin]: what the coins of a sorted set of four add to the number of the set (the first adds itself)."""
INVERSE = FOURTH + MAX_COIN_VALUE + 1
"""[ranks]: 65536 / (ranks + 5)."""
EXPECTED = INVERSE + MAX_INVERSE
"""[class]: ranks that an army expects with each card that it will still take, share."""
AHEAD = EXPECTED + 8
"""[m, + 5 if the exchange coin goes before too]: chance that a rival bids one of its m highest coins at a tavern or, in
the second half, the exchange coin. Three taverns in one number, 16 bits each, by their places as in `memory.WHERE`:
they add up over the rivals together."""
CARD = AHEAD + 10
"""[card type]: class + 16 x ranks + 256 x points + 65536 x bonus: one look-up instead of four."""
LACK = CARD + MAX_CARD_TYPES + MAX_RANKS
"""[LACK + ranks - level]: ranks that a column lacks for so many lines."""
HUNTER_STEPS = LACK + MAX_RANKS
SMITH_STEPS = HUNTER_STEPS + 2 * MAX_RANKS
"""[2 x ranks]: what one more rank adds, 1/256 point; [2 x ranks + 1]: by how much the next one adds more, points."""
PRIZE = SMITH_STEPS + 2 * MAX_RANKS
"""[class]: about what its distinction is worth, points; the blacksmiths' is more by twice the ranks."""
RECIPROCAL = PRIZE + 8
"""[n]: 2^34 / n, rounded up: times it is as good as a division by n, for numbers below 2^26."""
LINE_CHANCE = RECIPROCAL + 2 * (MAX_COIN_VALUE + 1)
"""[missing ranks, cards to come]: chance of completing a line, share."""
MAJORITY_CHANCE = LINE_CHANCE + MAX_MISSING * MAX_PICKS
"""[cards to come, lead + 8]: what one more rank adds to the chance of a majority, share."""
PLAN = MAJORITY_CHANCE + MAX_PICKS * 16
"""[rounds to come, set of four coins]: what the coins end at, and what they win on the way, 1/64 point; four numbers
of 16 bits packed into each, so that the whole table stays in a core's cache."""

_FINE = 1 << 16

BID_HABITS = ((140, 20, 64, 24, 8), (28, 44, 14, 132, 38), (4, 2, 4, 32, 214))
"""[place of the tavern]: chances of a player's coins, highest first, the exchange coin last, share.

Measured in games of `balanced` and `planner` at four players: where their cards differ most, less and least.
"""
ANY_COIN = (43, 43, 43, 43, 84)


def line_chances(line_hit: int) -> np.ndarray:
    """Return int64[MAX_MISSING, MAX_PICKS]: the chance to complete a line that lacks so many ranks, share.

    A model, not a count of the decks: a card of one certain class can be had with a chance of 0.38 if one wants it, and
    with several missing the choice among them is wider. The source of the shape is H2.
    """
    want = [0, 100, 150, 180, 200, 215, 225] + [230] * MAX_MISSING
    want = [min(ONE, max(0, chance * line_hit // ONE)) for chance in want]
    chance = np.zeros((MAX_MISSING, MAX_PICKS), np.int64)
    chance[0] = _FINE
    for missing in range(1, MAX_MISSING):
        for picks in range(1, MAX_PICKS):
            hit = want[missing] * chance[missing - 1, picks - 1] + (ONE - want[missing]) * chance[missing, picks - 1]
            chance[missing, picks] = hit // ONE
    return chance * ONE // _FINE


def majority_chances() -> np.ndarray:
    """Return int64[MAX_PICKS, 16]: what one more rank adds to the chance of a majority at a lead of -8 to 7, share."""
    added = np.zeros((MAX_PICKS, 16), np.int64)
    for picks in range(MAX_PICKS):
        reach = ONE + 70 * picks
        for place in range(16):
            away = abs((place - 8) * ONE + ONE // 2)
            added[picks, place] = max(0, reach - away) * ONE * ONE // (reach * reach)
    return added


def coin_sets(top: int) -> np.ndarray:
    """Return int64[n, 4]: every ascending set of four numbers of 0 to `top`, in the order of their numbers."""
    grid = np.array(
        [(a, b, c, d) for d in range(top + 1) for c in range(d + 1) for b in range(c + 1) for a in range(b + 1)],
        np.int64,
    )
    return grid[np.argsort(number_of(grid), kind="stable")]


def number_of(coins: np.ndarray) -> np.ndarray:
    """Return the number of ascending sets of four coins (the combinatorial number system)."""
    a, b, c, d = (coins[..., i] for i in range(4))
    return a + b * (b + 1) // 2 + c * (c + 1) * (c + 2) // 6 + d * (d + 1) * (d + 2) * (d + 3) // 24


def coin_plan(least: int, top: int, n_rounds: int, bid_power: int, gives_up_lower: bool) -> np.ndarray:
    """Return int64[n_rounds + 1, n_sets]: the best that four coins can come to, 1/256 point.

    Each round two coins lie in the pouch and become their sum and the lower one (H6, section 2 of ``strategies.md``);
    the other two are bid. The treasure is taken to hold every value from `least` to `top`: the coins that are really
    there are looked at when the next exchange is planned. What a bid wins is taken as ``bid_power * coin / (coin +
    usual coin)``.
    """
    sets = least + coin_sets(top - least)
    plan = np.zeros((n_rounds + 1, len(sets)), np.int64)
    plan[0] = sets.sum(axis=1) * ONE
    for left in range(1, n_rounds + 1):
        usual = 4 + 6 * (n_rounds - left) // max(1, n_rounds - 1)
        power = ONE * bid_power * sets // (sets + usual)
        best = np.zeros(len(sets), np.int64)
        for i in range(4):  # no exchange: one coin stays in the pouch with the exchange coin
            best = np.maximum(best, plan[left - 1] + power.sum(axis=1) - power[:, i])
        for i in range(4):
            for j in range(i + 1, 4):
                after = sets.copy()
                given_up = i if gives_up_lower else j
                after[:, given_up] = np.minimum(sets[:, i] + sets[:, j], top)
                bids = power.sum(axis=1) - power[:, i] - power[:, j]
                best = np.maximum(best, plan[left - 1][number_of(np.sort(after, axis=1) - least)] + bids)
        plan[left] = best
    return plan


def pack(plan: np.ndarray) -> np.ndarray:
    """Return numbers of 1/256 point as four numbers of 1/64 point in each int64, 16 bits each."""
    rounded = np.minimum(plan >> 2, 2**15 - 1)
    rounded = np.concatenate([rounded, np.zeros(-len(rounded) % 4, np.int64)]).reshape(-1, 4)
    return rounded @ (1 << np.array([0, 16, 32, 48]))


def prepare(game, params):  # type: ignore[no-untyped-def]
    """Prepare the heuristic's table.

    Parameters
    ----------
    game : GAME record
        With the edition filled in.
    params : mapping
        Weight name -> value; those called ``expect_...``, ``bid_power``, ``deny``, ``guess`` and ``line_hit`` are used.

    Returns
    -------
    int64[:]
        Parts as listed at the top of this file.
    """
    edition = game.edition
    values = [v for v in range(MAX_COIN_VALUE + 1) if edition.treasure[v] > 0]
    initial = [int(edition.initial_coin[slot]) for slot in range(N_COINS) if slot != EXCHANGE_SLOT]
    least = min([*values, *initial])
    top = max([*values, *initial])
    n_rounds = 2 * int(edition.rounds_per_age)
    plan = coin_plan(least, top, n_rounds, int(params["bid_power"]), bool(edition.exchange_gives_up_lower))
    table = np.zeros(PLAN, np.int64)
    table[N_STATES] = plan.shape[1]
    table[N_STEPS] = n_rounds
    table[RANK_HERO] = _first_hero(edition, lambda h: edition.hero_effect[h] == POINTS_PER_RANK)
    table[NEEDS_HERO] = _first_hero(edition, lambda h: edition.hero_needs_class[h] != NOWHERE)
    for place, start in enumerate((SECOND, THIRD, FOURTH), 1):
        ones = np.zeros((top - least + 1, 4), np.int64)
        ones[:, place] = np.arange(top - least + 1)
        table[start + least : start + top + 1] = number_of(ones)
    table[FOURTH : FOURTH + MAX_COIN_VALUE + 1] -= least  # the first coin adds itself, and all count from `least`
    table[INVERSE:EXPECTED] = 65536 // (np.arange(MAX_INVERSE) + 5)
    packed = edition.card_class + 16 * edition.card_ranks + 256 * edition.card_points + 65536 * edition.card_bonus
    table[CARD : CARD + MAX_CARD_TYPES] = packed
    table[LACK - MAX_RANKS : LACK + MAX_RANKS] = np.maximum(0, -np.arange(-MAX_RANKS, MAX_RANKS))
    for start, score in ((HUNTER_STEPS, edition.hunter_score), (SMITH_STEPS, edition.blacksmith_score)):
        table[start : start + 2 * MAX_RANKS - 2 : 2] = np.diff(score) * ONE
        table[start + 1 : start + 2 * MAX_RANKS - 3 : 2] = np.diff(score, 2)
    table[PRIZE : PRIZE + N_CLASSES] = edition.kings_hand_bonus, 5, edition.crown_jewel_points + 2, 9, 11
    table[RECIPROCAL + 1 : LINE_CHANCE] = -(-(1 << 34) // np.arange(1, LINE_CHANCE - RECIPROCAL))
    copies = edition.card_copies[1] + edition.card_copies[2]
    for c, name in enumerate(CLASS_NAMES):
        share = ONE * int(copies[edition.card_class == c].sum()) // int(copies.sum())
        table[EXPECTED + c] = int(params[f"expect_{name}"]) * share // ONE
    guess = min(ONE, max(0, int(params["guess"])))  # chances stay chances
    for place, habit in enumerate(BID_HABITS):
        chance = [(guess * h + (ONE - guess) * a) // ONE for h, a in zip(habit, ANY_COIN, strict=True)]
        higher = np.cumsum([0, *chance[:4]])
        table[AHEAD : AHEAD + 10] += np.array([*higher, *(higher + chance[4])]) << (16 * place)
    table[LINE_CHANCE:MAJORITY_CHANCE] = line_chances(int(params["line_hit"])).ravel()
    table[MAJORITY_CHANCE:PLAN] = majority_chances().ravel()
    packed_plan = pack(plan.ravel())
    table[TOP_COIN] = top
    table[DENY_EACH] = int(params["deny"]) // (int(edition.n_players) - 1)
    table[NEXT_TABLE] = PLAN + len(packed_plan)
    return np.concatenate([table, packed_plan])


def _first_hero(edition, wanted):  # type: ignore[no-untyped-def]
    """Return the first hero in play for which `wanted(hero)` holds, or NOWHERE."""
    for hero in range(int(edition.n_heroes)):
        if edition.hero_in_play[hero] and wanted(hero):
            return hero
    return NOWHERE
