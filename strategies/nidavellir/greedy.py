"""Greedy play: what counts at once, by table look-ups only."""

from simcore.accel import kernel
from simcore.nidavellir.layout import (
    BLACKSMITH,
    BROTHER,
    EXPLORER,
    HUNTER,
    LARGEST_COIN,
    MINER,
    N_CLASSES,
    POINTS_PER_RANK,
    ROYAL_OFFERING,
    UNPREDICTABLE,
    WARRIOR,
)
from strategies.explaining import tell_nb
from strategies.nidavellir.bidding import two_highest_nb
from strategies.nidavellir.memory import WORTH
from strategies.registry import strategy

LINE_POINTS = 20
SHORT_POINTS = 3
GAINS = WORTH
"""Where gains are kept: apart from the values that the shared heuristic writes when it chooses heroes and the like."""
PER_POINT = GAINS + 6


@kernel
def weigh_classes_nb(game, own):
    """Write into ``own.memory`` what a card of a class adds now, from `PER_POINT` on what each point of it does."""
    me = game.pl[own.seat]
    memory = own.memory
    rank = me.rank
    level = me.n_heroes + 1
    missing = 0
    for c in range(N_CLASSES):
        missing += max(0, level - rank[c])
    bonus = LINE_POINTS if missing == 1 else SHORT_POINTS
    memory[GAINS + WARRIOR] = bonus if rank[WARRIOR] < level else 0
    smith = game.edition.blacksmith_score
    hunter = game.edition.hunter_score
    memory[GAINS + HUNTER] = hunter[rank[HUNTER] + 1] - hunter[rank[HUNTER]] + (bonus if rank[HUNTER] < level else 0)
    memory[GAINS + MINER] = me.points[MINER] + (bonus if rank[MINER] < level else 0)
    memory[GAINS + BLACKSMITH] = (
        smith[rank[BLACKSMITH] + 1] - smith[rank[BLACKSMITH]] + (bonus if rank[BLACKSMITH] < level else 0)
    )
    memory[GAINS + EXPLORER] = bonus if rank[EXPLORER] < level else 0
    memory[GAINS + ROYAL_OFFERING] = 0
    memory[PER_POINT + HUNTER] = 0
    memory[PER_POINT + BLACKSMITH] = 0
    memory[PER_POINT + ROYAL_OFFERING] = 0
    memory[PER_POINT + WARRIOR] = 1
    memory[PER_POINT + MINER] = rank[MINER] + 1
    memory[PER_POINT + EXPLORER] = 1


@kernel
def gain_nb(game, own, card):
    """Return what a card adds now, points; an offering adds its coins."""
    c = game.edition.card_class[card]
    points = own.memory[PER_POINT + c] * game.edition.card_points[card]
    return own.memory[GAINS + c] + points + game.edition.card_bonus[card]


@strategy(
    game="nidavellir",
    name="greedy",
    idea="Takes the card and the hero that score most at once, bids its two highest coins where the cards differ most.",
    source="the reference opponent of strategies.md section 5 (greedy cards and heroes)",
)
class Greedy:
    """Bids, cards and heroes; the rest is left to the shared heuristic."""

    def choose_bid(game, own, n_options):
        """Bid the highest coin where the cards differ most, the second highest next, the exchange coin where least."""
        weigh_classes_nb(game, own)
        return two_highest_nb(
            game.pl[own.seat].coin,
            gain_spread_nb(game, own, 0),
            gain_spread_nb(game, own, 1),
            gain_spread_nb(game, own, 2),
        )

    def choose_card(game, own, n_options):
        """Take the card that adds most now."""
        weigh_classes_nb(game, own)
        best = 0
        best_gain = gain_nb(game, own, own.option[0])
        tell_nb(0, best_gain, 1)
        for i in range(1, n_options):
            gain = gain_nb(game, own, own.option[i])
            tell_nb(i, gain, 1)
            better = gain > best_gain
            best = i if better else best
            best_gain = gain if better else best_gain
        return best

    def choose_hero(game, own, n_options):
        """Recruit the hero who adds most now."""
        best = 0
        best_gain = -1
        for i in range(n_options):
            gain = hero_gain_nb(game, own, own.option[i])
            tell_nb(i, gain, 1)
            if gain > best_gain:
                best = i
                best_gain = gain
        return best


@kernel
def hero_gain_nb(game, own, hero):
    """Return what a hero adds now, points; the immediate effect of his is not looked at."""
    edition = game.edition
    me = game.pl[own.seat]
    c = edition.hero_class[hero]
    ranks = edition.hero_ranks[hero]
    points = edition.hero_points[hero]
    if c == HUNTER:
        return edition.hunter_score[me.rank[c] + ranks] - edition.hunter_score[me.rank[c]]
    if c == BLACKSMITH:
        return edition.blacksmith_score[me.rank[c] + ranks] - edition.blacksmith_score[me.rank[c]]
    if c == MINER:
        return (me.points[c] + points) * (me.rank[c] + ranks) - me.points[c] * me.rank[c]
    effect = edition.hero_effect[hero]
    if effect == BROTHER:
        return edition.brothers_score[me.n_brothers + 1] - edition.brothers_score[me.n_brothers]
    if effect == LARGEST_COIN:
        return max(max(me.coin[1], me.coin[2]), max(me.coin[3], me.coin[4]))
    if effect == UNPREDICTABLE:
        return edition.ylud_points[EXPLORER]
    if effect == POINTS_PER_RANK and c < N_CLASSES:
        return points + edition.hero_amount[hero] * (me.rank[c] + ranks)
    return points


@kernel
def gain_spread_nb(game, own, tavern):
    """Return the difference between the best and the worst card of a tavern."""
    best = gain_nb(game, own, game.card[tavern, 0])
    worst = best
    for place in range(1, game.n_cards[tavern]):
        gain = gain_nb(game, own, game.card[tavern, place])
        best = max(best, gain)
        worst = min(worst, gain)
    return best - worst
