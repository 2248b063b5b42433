"""Greedy play: what counts at once, by table look-ups only."""

from simcore.accel import array_at, contained_kernel
from simcore.nidavellir.layout import BLACKSMITH, EXPLORER, HUNTER, MINER, N_CLASSES, ROYAL_OFFERING, WARRIOR
from strategies.explaining import tell_nb
from strategies.nidavellir.bidding import two_highest_nb
from strategies.nidavellir.greedy_tables import (
    ADDS,
    ADDS_LAST,
    CARD_POINTS,
    HERO_LOOKS_AT,
    HERO_MINER_RANKS,
    HERO_ROW,
    HUNTER_STEP,
    LACK,
    LOOKS_AT_BROTHERS,
    LOOKS_AT_COIN,
    LOOKS_AT_NOTHING,
    SMITH_STEP,
    prepare,
)
from strategies.nidavellir.memory import WORTH
from strategies.nidavellir.tables import NEXT_TABLE
from strategies.registry import strategy

GAINS = WORTH
"""Where gains are kept: apart from the values that the shared heuristic writes when it chooses heroes and the like."""
PER_POINT = GAINS + 6
LOOKED_AT = GAINS
"""Where what the heroes' points depend on is kept, while one is chosen."""


@contained_kernel
def weigh_classes_nb(game, own, table, start):
    """Write into ``own.memory`` what a card of a class adds now, from `PER_POINT` on what each point of it does.

    Parameters
    ----------
    start : int
        Where greedy's part of the table begins.
    """
    me = game.pl[own.seat]
    memory = own.memory
    rank = me.rank
    warriors, hunters, miners = rank[WARRIOR], rank[HUNTER], rank[MINER]
    smiths, explorers = rank[BLACKSMITH], rank[EXPLORER]
    level = me.n_heroes + 1
    lack = start + LACK - level
    missing = table[lack + warriors] + table[lack + hunters] + table[lack + miners]
    missing += table[lack + smiths] + table[lack + explorers]
    adds = start + (ADDS_LAST if missing == 1 else ADDS) - level
    memory[GAINS + WARRIOR] = table[adds + warriors]
    memory[GAINS + HUNTER] = table[adds + hunters] + table[start + HUNTER_STEP + hunters]
    memory[GAINS + MINER] = table[adds + miners] + me.points[MINER]
    memory[GAINS + BLACKSMITH] = table[adds + smiths] + table[start + SMITH_STEP + smiths]
    memory[GAINS + EXPLORER] = table[adds + explorers]
    memory[GAINS + ROYAL_OFFERING] = 0
    memory[PER_POINT + WARRIOR] = 1
    memory[PER_POINT + HUNTER] = 1
    memory[PER_POINT + MINER] = miners + 1
    memory[PER_POINT + BLACKSMITH] = 1
    memory[PER_POINT + EXPLORER] = 1
    memory[PER_POINT + ROYAL_OFFERING] = 1


@contained_kernel
def gain_nb(game, own, table, start, card):
    """Return what a card adds now, points; an offering adds its coins."""
    c = game.edition.card_class[card]
    return own.memory[GAINS + c] + own.memory[PER_POINT + c] * table[start + CARD_POINTS + card]


@strategy(
    game="nidavellir",
    name="greedy",
    idea="Takes the card and the hero that score most at once, bids its two highest coins where the cards differ most.",
    source="the reference opponent of strategies.md section 5 (greedy cards and heroes)",
    table=prepare,
)
class Greedy:
    """Bids, cards and heroes; the rest is left to the shared heuristic."""

    def choose_bid(game, own, n_options):
        """Bid the highest coin where the cards differ most, the second highest next, the exchange coin where least."""
        table = array_at(own.table, own.n_table)
        start = table[NEXT_TABLE]
        weigh_classes_nb(game, own, table, start)
        best_0 = worst_0 = gain_nb(game, own, table, start, game.card[0, 0])
        best_1 = worst_1 = gain_nb(game, own, table, start, game.card[1, 0])
        best_2 = worst_2 = gain_nb(game, own, table, start, game.card[2, 0])
        for place in range(1, game.n_cards[0]):  # all taverns are full
            gain = gain_nb(game, own, table, start, game.card[0, place])
            best_0 = max(best_0, gain)
            worst_0 = min(worst_0, gain)
            gain = gain_nb(game, own, table, start, game.card[1, place])
            best_1 = max(best_1, gain)
            worst_1 = min(worst_1, gain)
            gain = gain_nb(game, own, table, start, game.card[2, place])
            best_2 = max(best_2, gain)
            worst_2 = min(worst_2, gain)
        return two_highest_nb(game.pl[own.seat].coin, best_0 - worst_0, best_1 - worst_1, best_2 - worst_2)

    def choose_card(game, own, n_options):
        """Take the card that adds most now."""
        table = array_at(own.table, own.n_table)
        start = table[NEXT_TABLE]
        weigh_classes_nb(game, own, table, start)
        best = 0
        best_gain = gain_nb(game, own, table, start, own.option[0])
        tell_nb(0, best_gain, 1)
        for i in range(1, n_options):
            gain = gain_nb(game, own, table, start, own.option[i])
            tell_nb(i, gain, 1)
            better = gain > best_gain
            best = i if better else best
            best_gain = gain if better else best_gain
        return best

    def choose_hero(game, own, n_options):
        """Recruit the hero who adds most now; the immediate effect of his is not looked at."""
        table = array_at(own.table, own.n_table)
        start = table[NEXT_TABLE]
        me = game.pl[own.seat]
        memory = own.memory
        for c in range(N_CLASSES):
            memory[LOOKED_AT + c] = me.rank[c]
        memory[LOOKED_AT + LOOKS_AT_BROTHERS] = me.n_brothers
        memory[LOOKED_AT + LOOKS_AT_COIN] = max(max(me.coin[1], me.coin[2]), max(me.coin[3], me.coin[4]))
        memory[LOOKED_AT + LOOKS_AT_NOTHING] = 0
        best = 0
        best_gain = -1
        for i in range(n_options):
            hero = start + own.option[i]
            have = memory[LOOKED_AT + table[HERO_LOOKS_AT + hero]]
            gain = table[start + table[HERO_ROW + hero] + have]
            gain += table[HERO_MINER_RANKS + hero] * me.points[MINER]
            tell_nb(i, gain, 1)
            better = gain > best_gain
            best = i if better else best
            best_gain = gain if better else best_gain
        return best
